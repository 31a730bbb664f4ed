import FasciaPaint
import Foundation
import FuzzCore
import UIKit

/// Input: size it is wanted for (1 byte), then an image file.
@Sendable func checkImage(_ input: [UInt8]) -> String? {
    guard let side = input.first, input.count > 1 else { return nil }
    let bytes = Array(input.dropFirst())
    let target = side == 0 ? nil : (width: Int(side), height: Int(side))
    let header = UIImage(data: Data(bytes))
    guard let image = try? DecodedImage.decode(bytes, target: target) else { return nil }
    if image.width < 1 || image.height < 1 || image.width * image.height > ImageLimits.maxPixels { return "an image of \(image.width) x \(image.height)" }
    return header == nil ? "the phone draws what the app says is no image" : nil
}
