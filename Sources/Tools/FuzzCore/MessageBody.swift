import FasciaWire
import SwiftProtobuf

/// The messages of one schema file of `spec/`.
enum MessageSchema {
    case control, pairing, input, vehicle, display, semantics, ownership, sound

    var types: [any SwiftProtobuf.Message.Type] {
        switch self {
        case .control: [Hello.self, Welcome.self]
        case .pairing: [PairStart.self, PairReply.self, PairConfirm.self, PairDone.self]
        case .input: [TouchEvent.self, KnobEvent.self, KeyEvent.self, TouchpadEvent.self]
        case .vehicle: [VehicleState.self]
        case .display: [ReleaseResources.self, Commit.self, Presented.self]
        case .semantics: [SemanticsUpdate.self]
        case .ownership: [OwnershipRequest.self, OwnershipState.self]
        case .sound: [StreamStart.self, StreamStarted.self, StreamStop.self, StreamUpdate.self, StreamStatus.self]
        }
    }
}

/// Input: which message (1 byte), then its body.
func checkMessages(_ input: [UInt8], _ schema: MessageSchema) -> String? {
    guard let first = input.first else { return nil }
    let type = schema.types[Int(first) % schema.types.count]
    return checkMessage(Array(input.dropFirst()), type)
}

/// What decodes encodes; that decodes and encodes to the same bytes (values that are not numbers forbid comparing the messages);
/// nothing grows by more than the tags of packed fields can explain.
public func checkMessage<M: SwiftProtobuf.Message>(_ body: [UInt8], _ type: M.Type) -> String? {
    guard let message = try? M(serializedBytes: body) else { return nil }
    guard let encoded: [UInt8] = try? message.serializedBytes() else { return "\(M.protoMessageName) decodes but does not encode" }
    guard let again = try? M(serializedBytes: encoded) else { return "\(M.protoMessageName) encodes to what does not decode" }
    guard let twice: [UInt8] = try? again.serializedBytes(), twice == encoded else { return "\(M.protoMessageName) encodes differently each time" }
    return encoded.count <= 12 * (body.count + 1) ? nil : "\(body.count) bytes became \(encoded.count)"
}
