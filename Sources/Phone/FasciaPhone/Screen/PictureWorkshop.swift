import Dispatch
import FasciaPaint
import FasciaScene
import FasciaTemplateUI

/// Paints apps' large pictures, one after the other on a thread of its own: a picture of 24 megapixels takes a third of a second,
/// during which link and screen go on.
final class PictureWorkshop: Sendable {
    private let queue = DispatchQueue(label: "fascia.pictures", qos: .utility)

    /// Returns when the orders before it and this one are done.
    func paint(_ order: PictureOrder) async -> Result<RasterImage, PaintError> {
        await withCheckedContinuation { done in queue.async { done.resume(returning: order.paint()) } }
    }
}
