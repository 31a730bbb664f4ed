/// What the phone sends to an app (spec/appsound.md 4.2).
public enum SoundToApp: SoundDatagram {
    case sessionReply(AppSoundSessionReply)
    case interruption(AppSoundInterruption)
    case routeChange(AppSoundRouteChange)
    case state(AppSoundState)
    case hint(AppSoundHint)
    case micState(AppMicState)
    case micPacket(SoundPacket)

    public static func decode(_ kind: SoundKind, _ body: SoundBody) throws(SoundDatagramError) -> SoundToApp? {
        switch kind {
        case .sessionReply: .sessionReply(try body.message())
        case .interruption: .interruption(try body.message())
        case .routeChange: .routeChange(try body.message())
        case .state: .state(try body.message())
        case .hint: .hint(try body.message())
        case .micState: .micState(try body.message())
        case .micPacket: .micPacket(try body.packet())
        case .session, .start, .packet, .stop, .gain, .micStart, .micStop: nil
        }
    }

    public var kind: SoundKind {
        switch self {
        case .sessionReply: .sessionReply
        case .interruption: .interruption
        case .routeChange: .routeChange
        case .state: .state
        case .hint: .hint
        case .micState: .micState
        case .micPacket: .micPacket
        }
    }

    public var content: SoundContent {
        switch self {
        case .sessionReply(let message): .message(message)
        case .interruption(let message): .message(message)
        case .routeChange(let message): .message(message)
        case .state(let message): .message(message)
        case .hint(let message): .message(message)
        case .micState(let message): .message(message)
        case .micPacket(let packet): .packet(packet)
        }
    }
}
