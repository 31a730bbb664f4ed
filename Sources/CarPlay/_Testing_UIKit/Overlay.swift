// Swift Testing asks for a module of this name wherever a file imports both it and UIKit (a cross-import overlay, which on
// Apple's platforms attaches images to tests). Without it no test could import CarPlay.
@_exported import UIKit
