import FasciaEvents

/// When the steps of one reconnection were reached, by the events of both programs. Nanoseconds of CLOCK_MONOTONIC.
struct Milestones: Equatable {
    enum Phase: String, CaseIterable {
        case detect, discover, tcp, tls, resume
        case firstFrame = "first_frame"
    }

    /// The fault happened, and the phone knew of it.
    var fault, detected: UInt64
    var linkBack: UInt64
    /// Of the connection that carries the session on: attempt, TCP, handshake on the phone, session on the phone.
    var connecting, tcp, secured, resumed: UInt64
    /// The frame is on the car's screen.
    var presented: UInt64

    /// Link back to frame, nanoseconds.
    var total: UInt64 { presented - min(linkBack, presented) }
    /// First attempt of the winning connection, or the link's return if that came later, to frame.
    var connection: UInt64 { presented - min(max(connecting, linkBack), presented) }

    /// Nanoseconds of each phase. All but `detect` add up to ``total``: what was done before the link was back costs nothing, and with
    /// early data the frame may be there before the phone has the end of the handshake, which then costs nothing either.
    var phases: [Phase: UInt64] {
        var phases: [Phase: UInt64] = [.detect: detected - min(fault, detected)]
        var reached = min(linkBack, presented)
        for (phase, time) in [(Phase.discover, connecting), (.tcp, tcp), (.tls, secured), (.resume, resumed), (.firstFrame, presented)] {
            let end = max(reached, min(time, presented))
            phases[phase] = end - reached
            reached = end
        }
        return phases
    }

    /// - Parameters:
    ///   - phone: events of the phone since the fault, by time.
    ///   - session: the phone's `resumed` or `connected`.
    /// - Returns: nil when the phone did not report the steps of that connection.
    init?(fault: UInt64, detected: UInt64, linkBack: UInt64, session: EventRecord, presented: UInt64, phone: [EventRecord]) {
        func last(_ name: String, before time: UInt64) -> UInt64? { phone.last { $0.event == name && $0.time <= time }?.time }
        guard let tcp = last("tcp", before: session.time), let connecting = last("connecting", before: tcp) else { return nil }
        (self.fault, self.detected, self.linkBack, self.presented) = (fault, detected, linkBack, presented)
        (self.connecting, self.tcp, resumed) = (connecting, tcp, session.time)
        secured = last("secured", before: session.time) ?? session.time
    }

    /// How the winning connection's handshake went; nil when it was not reported.
    static func handshake(of session: EventRecord, phone: [EventRecord]) -> HandshakeMode? {
        let before = phone.filter { $0.time <= session.time }
        guard let secured = before.last(where: { $0.event == "secured" }) else { return nil }
        if secured["early_data"]?.string == "accepted" { return .earlyData }
        return secured["ticket"]?.bool == true ? .ticket : .full
    }
}
