import FasciaAppLink
import FuzzCore

/// Input: largest message (1 byte, in units of 64), chunk size (1 byte), then the stream.
@Sendable func checkAppLink(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let limit = 64 * Int(input.byte())
    let size = max(1, Int(input.byte()))
    let stream = input.rest
    let whole = read(stream, limit: limit, size: max(1, stream.count))
    let cut = read(stream, limit: limit, size: size)
    if whole.failure != cut.failure || whole.isAtBoundary != cut.isAtBoundary || whole.sizes != cut.sizes || !sameBytes(whole.bodies, cut.bodies[...]) {
        return "chunks of \(size) differ"
    }
    if whole.sizes.contains(where: { $0 + 2 > limit }) { return "a message above the limit" }
    return whole.bodies.count <= stream.count ? nil : "more bytes than came"
}

private struct Read {
    var bodies: [UInt8] = []
    var sizes: [Int] = []
    var failure: AppLinkError?
    var isAtBoundary = false
}

private func read(_ stream: [UInt8], limit: Int, size: Int) -> Read {
    var decoder = AppLinkDecoder(maximumMessage: limit)
    var read = Read()
    var start = 0
    while start < stream.count {
        let end = min(stream.count, start + size)
        decoder.receive(stream[start..<end])
        start = end
        do throws(AppLinkError) {
            while let message = try decoder.nextMessage() {
                read.bodies += message.body
                read.sizes.append(message.body.count)
            }
        } catch { read.failure = error }
    }
    read.isAtBoundary = decoder.isAtBoundary
    return read
}
