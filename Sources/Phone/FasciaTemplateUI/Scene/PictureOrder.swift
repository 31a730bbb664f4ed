import FasciaPaint
import FasciaScene
import Foundation

/// A picture to be painted away from the thread of the screen, which a large one would hold up.
public struct PictureOrder: Sendable {
    let key: PictureKey
    let app: String
    let life: Int
    let image: UInt64
    let encoded: Data

    /// Decodes and paints; on any thread.
    public func paint() -> Result<RasterImage, PaintError> {
        Result { () throws(PaintError) in try key.paint([UInt8](encoded)) }
    }
}

extension TemplateUI {
    /// Large pictures of apps that the last `render` did without; nothing unless `leavesLargePictures`. Paint them in their order
    /// and hand each to `painted`.
    public func takePictureOrders() -> [PictureOrder] { pictures.takeOrders() }

    /// The picture is in the next frame.
    public func painted(_ order: PictureOrder, _ result: Result<RasterImage, PaintError>) {
        pictures.painted(order, result, of: sessions[order.app])
        changed()
    }

    /// Whether large pictures are left to the owner (`takePictureOrders`). False: `render` paints them, however long that takes.
    public var leavesLargePictures: Bool {
        get { pictures.leavesLargeOnes }
        set { pictures.leavesLargeOnes = newValue }
    }
}
