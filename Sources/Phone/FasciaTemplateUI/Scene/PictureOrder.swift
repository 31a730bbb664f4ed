import FasciaPaint
import FasciaScene
import Foundation

/// A picture to be painted away from the thread of the screen, which a large one would hold up.
public struct PictureOrder: Sendable {
    enum Owner: Sendable {
        case image(UInt64, app: String, life: Int)
        /// On the home screen; of an app that need not run.
        case icon(app: String, generation: Int)
    }

    let key: PictureKey
    let owner: Owner
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
        switch order.owner {
        case .image(let image, let app, let life): pictures.painted(order.key, result, image, life, of: sessions[app])
        case .icon(let app, let generation): pictures.paintedIcon(order.key, result, app, generation)
        }
        changed()
    }

    /// Whether large pictures are left to the owner (`takePictureOrders`). False: `render` paints them, however long that takes.
    public var leavesLargePictures: Bool {
        get { pictures.leavesLargeOnes }
        set { pictures.leavesLargeOnes = newValue }
    }
}
