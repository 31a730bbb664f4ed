/// First byte of a datagram between an app and the phone (spec/appsound.md).
public enum SoundKind: UInt8, Sendable, CaseIterable {
    case session = 1
    case start = 2
    case packet = 3
    case stop = 4
    case gain = 5
    case micStart = 6
    case micStop = 7
    case sessionReply = 65
    case interruption = 66
    case routeChange = 67
    case state = 68
    case hint = 69
    case micState = 70
    case micPacket = 71
}
