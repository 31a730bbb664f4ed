import FasciaWire

extension Hello {
    /// As of a phone with sound: all routes, the microphone, ownership.
    package mutating func addSound() {
        channels += [5] + (32...37) + [48]
        audio.formats = Self.formats
        audio.microphone = [.with { $0.codec = .pcm16; $0.sampleRate = 16_000; $0.channels = 1 }]
    }

    private static let formats: [AudioFormat] = ([1, 2] as [UInt32]).map { channels in .with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = channels } }
}

extension Peer {
    /// A StreamStart: PCM of 48 kHz, two channels, if nothing else is said.
    package func start(_ stream: UInt32, on channel: UInt16 = 32, _ edit: (inout StreamStart) -> Void = { _ in }) throws {
        var start = StreamStart()
        start.stream = stream
        start.format = .with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }
        start.label = "Conformance"
        edit(&start)
        try message(channel, MessageType.streamStart, start)
    }

    /// An AudioPacket.
    package func packet(_ stream: UInt32, _ sequence: UInt32, _ data: [UInt8], on channel: UInt16 = 32) throws {
        let header = AudioPacketHeader(stream: stream, sequence: sequence, time: UInt64(sequence) * 10_000_000)
        try message(channel, MessageType.audioPacket, header.encoded + data)
    }

    /// The answer to a StreamStart.
    package func started() throws -> StreamStarted { try expect(StreamStarted.self, MessageType.streamStarted) }

    /// The next OwnershipState.
    package func ownership() throws -> OwnershipState { try expect(OwnershipState.self, MessageType.ownershipState) }

    /// Asks, and takes the state that answers.
    package func ask(_ number: UInt64, _ edit: (inout OwnershipRequest) -> Void) throws -> OwnershipState {
        try message(5, MessageType.ownershipRequest, OwnershipRequest.with { $0.number = number; edit(&$0) })
        while true {
            let state = try ownership()
            if state.answers == number { return state }
        }
    }
}
