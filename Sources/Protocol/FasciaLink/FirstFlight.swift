import FasciaWire

/// What a phone says first on a connection: Hello, and messages that go behind it without waiting for Welcome. With TLS early data
/// all of it leaves with the first packets.
///
/// Messages of a session that is offered to be resumed are speculative (spec 8.7): they count if Welcome says `resumed`, else the
/// head unit drops them. `Hello.resume.speculative` is set when there are any.
public struct FirstFlight: Sendable {
    public struct Message: Sendable {
        /// A display or semantics channel of the Hello.
        public var channel: ChannelID
        public var type: UInt16
        public var body: [UInt8]

        public init(channel: ChannelID, type: UInt16, body: [UInt8]) {
            self.channel = channel
            self.type = type
            self.body = body
        }
    }

    /// Versions, limits, liveness and channels are filled in when empty.
    public var hello: Hello
    /// In the order they are sent.
    public var messages: [Message]

    public init(hello: Hello, messages: [Message] = []) {
        self.hello = hello
        self.messages = messages
        if hello.hasResume { self.hello.resume.speculative = !messages.isEmpty }
    }
}
