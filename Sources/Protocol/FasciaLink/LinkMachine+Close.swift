import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// Ends the connection: what waits on control goes out, then CLOSE. The transport decides how long it waits for that.
    /// - Parameter detail: for people, cut to 256 bytes.
    public mutating func close(_ code: CloseCode, detail: String, now: LinkInstant) {
        clock = max(clock, now)
        end(code, .local, detail, Evidence(code == .superseded ? .superseded : .local, "\(code)", at: clock), sendClose: true, flushControl: true)
    }

    /// The transport is gone, in both directions.
    public mutating func transportEnded(_ end: TransportEnd, now: LinkInstant) {
        clock = max(clock, now)
        let isCut = parser.pendingBytes > 0 || channels.contains { $0.assembler.isAssembling }
        let evidence = end.evidence(isCut ? "in the middle of a message" : "", at: clock)
        self.end(.transportLost, .transport, "connection ended without CLOSE (\(evidence))", evidence)
        output = OutputState()
    }

    /// The peer broke a rule of a frame.
    mutating func violation(_ error: FramingError) {
        let code: CloseCode = switch error.rule {
        case .frameTooLarge: .frameTooLarge
        case .reservedNotZero, .unknownFlags, .wrongLength, .wrongChannel: .protocolError
        case .fragmentTooShort, .unexpectedFirst, .unexpectedContinuation: .badFragment
        case .messageTooLarge: .messageTooLarge
        case .creditViolation: .creditExceeded
        }
        violation(code, error.description)
    }

    /// The peer broke a rule.
    mutating func violation(_ code: CloseCode, _ detail: String) {
        end(code, .local, detail, Evidence(.violation, detail, at: clock), sendClose: true)
    }

    /// The only way into `.closed`. Does nothing when already there.
    mutating func end(
        _ code: CloseCode, _ initiator: LinkClosure.Initiator, _ detail: String, _ evidence: Evidence, sendClose: Bool = false,
        flushControl: Bool = false
    ) {
        if isClosed { return }
        state = .closed
        let all = [evidence] + (liveness.doubts.isEmpty && clock == liveness.lastHeard ? settledDoubts : liveness.doubts)
        held = []
        parser = FrameParser() // what came of an unfinished frame is let go at once
        for slot in channels.indices {
            channels[slot].inbound = .closed
            channels[slot].assembler.letGo()
            let keep = flushControl && slot == 0
            if !keep {
                channels[slot].outbound = .closed
                channels[slot].queue.clear()
            }
        }
        output.stopExceptStaged()
        if sendClose { FrameWriter.close(code: code.rawValue, detail: detail, into: &output.close) }
        let closure = LinkClosure(code: code, initiator: initiator, detail: detail, evidence: all)
        self.closure = closure
        events.append(.closed(closure))
    }
}
