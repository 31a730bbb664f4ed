import FasciaCompositor
import FasciaScene
import FasciaWire
import FuzzCore

/// Input: form (1 byte), then the body of a Resource message, or (form & 1) what one is made of, so that its numbers and hash agree.
@Sendable func checkResource(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let form = input.byte()
    var limits = DisplayLimits()
    limits.resourceBytes = 1 << 18
    let store = ResourceStore(limits: limits)
    store.acceptsCompressed = form & 2 == 0
    let body = form & 1 == 0 ? input.rest : made(&input)
    guard let id = try? store.store(body) else {
        return store.count == 0 && store.byteCount == 0 && store.highestIdentifier == 0 ? nil : "a refused resource is kept"
    }
    if id != store.highestIdentifier || store.count != 1 { return "resource \(id) is not there" }
    if store.byteCount > limits.resourceBytes { return "\(store.byteCount) bytes are above the budget" }
    if (try? store.store(body)) != nil { return "an id was used twice" }
    store.release([id])
    return store.byteCount == 0 ? nil : "a released resource still costs"
}

/// A resource that is right but for what the input's last bytes change.
private func made(_ input: inout FuzzInput) -> [UInt8] {
    let format: RasterImage.Format = input.byte() & 1 == 0 ? .a8 : .bgra8
    let width = 1 + Int(input.byte() & 63), height = 1 + Int(input.byte() & 63)
    let compresses = input.byte() & 1 == 0
    let changes = input.byte() & 7
    let edits = (0..<changes).map { _ in (Int(input.word()), input.byte()) }
    let seed = input.rest
    let pixels = (0..<width * height * format.bytesPerPixel).map { seed.isEmpty ? 0 : seed[$0 % seed.count] }
    guard let image = RasterImage(format: format, width: width, height: height, pixels: pixels) else { return [] }
    var body = image.resourceBody(id: 1, compress: compresses)
    for (at, change) in edits { body[at % body.count] ^= change }
    return body
}
