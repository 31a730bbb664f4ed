import FasciaEvents
import FasciaWire

/// What a phone that came back said behind its Hello, on the screen before its Welcome is written.
struct EarlyFrame {
    typealias Message = (type: UInt16, body: [UInt8])
    /// The commit that was applied.
    var sequence: UInt32
    /// When it was on the screen, nanoseconds; 0 while it was not.
    var time: UInt64 = 0
    /// What could not be applied, from the first fault on: dealt with when the connection is up and can be closed for it.
    var rest: ArraySlice<Message> = []
}

extension HeadUnit {
    /// The session goes on, so what the phone said counts (spec, R-8). The driver waits for the picture, nobody for the Welcome: making and
    /// queueing that, the connection's events and the car's own layers come after it.
    func show(_ messages: [EarlyFrame.Message], of session: PhoneSession) {
        early = nil
        guard !messages.isEmpty else { return }
        let before = session.scene.sequence
        var rest = messages[...]
        while let message = rest.first {
            guard let effect = try? session.receive(channel: ScreenProfile.channel, type: message.type, body: message.body) else { break }
            if effect == .commit { statistics.commits += 1 }
            rest = rest.dropFirst()
        }
        early = EarlyFrame(sequence: session.scene.sequence, rest: rest)
        // Else the screen has to be made the phone's again first, which comes with the connection.
        if session.scene.sequence != before, case .phone(let shown) = display.content, shown === session { display.compose() }
    }

    /// The connection is up, and the screen is the phone's again.
    func settle(_ early: EarlyFrame, on link: any PhoneLink) {
        if let session, case .camera = display.content { acknowledge(session, at: MonotonicClock.now()) }
        for message in early.rest { received(channel: ScreenProfile.channel, type: message.type, body: message.body, on: link) }
    }
}
