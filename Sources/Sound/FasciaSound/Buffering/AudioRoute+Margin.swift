extension AudioRoute {
    /// What a jitter buffer keeps for the unforeseen, nanoseconds. A busy machine wakes one of the threads on the way from app to loudspeaker
    /// 10 to 20 ms late once in some minutes, before the buffer can know: music and prompts only have to be steady, calls and clicks soon.
    public var margin: Int64 {
        switch self {
        case .media, .navigation: 20_000_000
        case .telephony, .assistant, .alert, .ui: 10_000_000
        }
    }
}
