import FasciaFraming
import SwiftProtobuf

/// Turns messages into frames. Stateless: a message is a run of MESSAGE frames on channel 0.
public enum AppLinkEncoder {
    /// The bytes of one message, ready to write.
    /// - Throws: `AppLinkError` `.messageTooLarge` for what the other end would refuse, `.malformedMessage` if it cannot be serialized.
    public static func encode<M: AppLinkMessage>(_ message: M) throws(AppLinkError) -> [UInt8] {
        let body: [UInt8]
        do { body = try message.serializedBytes() } catch { throw AppLinkError(.malformedMessage, "\(error)") }
        guard body.count + FramingLimits.messageTypeSize <= M.maximumSize else {
            throw AppLinkError(.messageTooLarge, "\(body.count) bytes, the limit is \(M.maximumSize)")
        }
        var frames: [UInt8] = []
        FrameWriter.message(channel: 0, type: M.messageType, body: body, maxPayload: AppLinkLimits.framePayload, into: &frames)
        return frames
    }
}
