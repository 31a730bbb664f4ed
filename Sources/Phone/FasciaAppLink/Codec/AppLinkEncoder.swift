import SwiftProtobuf

/// Turns messages into frames. Stateless: a message is a run of MESSAGE frames on channel 0.
public enum AppLinkEncoder {
    /// The bytes of one message, ready to write.
    /// - Throws: `AppLinkError` `.messageTooLarge` for what the other end would refuse, `.malformedMessage` if it cannot be serialized.
    public static func encode<M: AppLinkMessage>(_ message: M) throws(AppLinkError) -> [UInt8] {
        let body: [UInt8]
        do { body = try message.serializedBytes() } catch { throw AppLinkError(.malformedMessage, "\(error)") }
        guard body.count + 2 <= M.maximumSize else {
            throw AppLinkError(.messageTooLarge, "\(body.count) bytes, the limit is \(M.maximumSize)")
        }
        return frames(type: M.messageType, body: body)
    }

    /// Fragments `type` and `body` into frames.
    static func frames(type: UInt16, body: [UInt8]) -> [UInt8] {
        let total = body.count + 2
        var output: [UInt8] = []
        output.reserveCapacity(total + (total / AppLinkLimits.framePayload + 1) * AppLinkFrame.headerSize)
        var sent = 0
        while sent < total {
            let length = min(AppLinkLimits.framePayload, total - sent)
            var flags: UInt8 = 0
            if sent == 0 { flags |= AppLinkFrame.first }
            if sent + length == total { flags |= AppLinkFrame.last }
            AppLinkFrame.appendHeader(length: length, flags: flags, to: &output)
            var bodyLength = length
            if sent == 0 {
                output.append(UInt8(type >> 8))
                output.append(UInt8(truncatingIfNeeded: type))
                bodyLength -= 2
            }
            let start = max(0, sent - 2)
            output.append(contentsOf: body[start ..< start + bodyLength])
            sent += length
        }
        return output
    }
}
