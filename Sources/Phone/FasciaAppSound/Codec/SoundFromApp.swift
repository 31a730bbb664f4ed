/// What an app sends (spec/appsound.md 4.1).
public enum SoundFromApp: SoundDatagram {
    case session(AppSoundSession)
    case start(AppSoundStart)
    case packet(SoundPacket)
    case stop(AppSoundStop)
    case gain(AppSoundGain)
    case micStart(AppMicStart)
    case micStop(AppMicStop)

    public static func decode(_ kind: SoundKind, _ body: SoundBody) throws(SoundDatagramError) -> SoundFromApp? {
        switch kind {
        case .session: .session(try body.message())
        case .start: .start(try body.message())
        case .packet: .packet(try body.packet())
        case .stop: .stop(try body.message())
        case .gain: .gain(try body.message())
        case .micStart: .micStart(try body.message())
        case .micStop: .micStop(try body.message())
        case .sessionReply, .interruption, .routeChange, .state, .hint, .micState, .micPacket: nil
        }
    }

    public var kind: SoundKind {
        switch self {
        case .session: .session
        case .start: .start
        case .packet: .packet
        case .stop: .stop
        case .gain: .gain
        case .micStart: .micStart
        case .micStop: .micStop
        }
    }

    public var content: SoundContent {
        switch self {
        case .session(let message): .message(message)
        case .start(let message): .message(message)
        case .packet(let packet): .packet(packet)
        case .stop(let message): .message(message)
        case .gain(let message): .message(message)
        case .micStart(let message): .message(message)
        case .micStop(let message): .message(message)
        }
    }
}
