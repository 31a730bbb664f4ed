import CAppRuntime
import Foundation

/// Makes objects of classes named in an Info.plist.
package enum ObjectFactory {
    /// An object of `type` made by its `init()`, as Objective-C's `alloc` and `init` would.
    package static func create(_ type: NSObject.Type) -> NSObject {
        let object = fascia_create_object(unsafeBitCast(type, to: UnsafeRawPointer.self))
        return Unmanaged<NSObject>.fromOpaque(object.unsafelyUnwrapped).takeRetainedValue()
    }

    /// The class called `name` (`Module.Class`), or in one of `modules` when `name` has none.
    package static func findClass(_ name: String, modules: [String]) -> NSObject.Type? {
        let candidates = name.contains(".") ? [name] : modules.map { "\($0).\(name)" }
        for candidate in candidates {
            if let found = NSClassFromString(candidate) as? NSObject.Type { return found }
        }
        return nil
    }
}
