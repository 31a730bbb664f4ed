import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// CREDIT, PROBE, CLOSE and unknown frames; the header was validated. False when the connection is over.
    mutating func controlFrame(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) -> Bool {
        switch header.type {
        case .credit:
            return credit(unsafe Self.number(payload, UInt32.self), header)
        case .probe:
            let opaque = unsafe Self.number(payload, UInt64.self)
            if header.flags.contains(.ack) {
                return unsafe probeAnswered(opaque, header, payload)
            } else {
                output.owe(answer: opaque)
            }
            return true
        case .close:
            let code = CloseCode(rawValue: unsafe Self.number(payload, UInt32.self))
            let detail = unsafe String(decoding: payload[FramingLimits.closeCodeSize...], as: UTF8.self)
            end(code, .remote, detail, Evidence(code == .superseded ? .superseded : .goodbye, "\(code)", at: clock))
            return false
        default:
            counters.framesIgnored &+= 1
            return true
        }
    }

    /// False when the connection is over.
    private mutating func probeAnswered(_ opaque: UInt64, _ header: FrameHeader, _ payload: UnsafeRawBufferPointer) -> Bool {
        let hasClock = payload.count == FramingLimits.clockPayload
        if hasClock && !carriesClock {
            violation(FramingError(.wrongLength, header))
            return false
        }
        guard let probe = liveness.roundTrip.answered(opaque, at: clock) else { return true }
        counters.probesAnswered &+= 1
        hasPeerAnswered = hasPeerAnswered || isOpen
        if hasClock {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: payload[FramingLimits.probePayload...])
            unsafe peerClock.answered(sent: probe.sentAt, received: clock, peer: Self.number(rest, UInt64.self))
        }
        return true
    }

    private static func number<Number: FixedWidthInteger>(_ payload: UnsafeRawBufferPointer, _: Number.Type) -> Number {
        Number(bigEndian: unsafe payload.loadUnaligned(as: Number.self))
    }

    private mutating func credit(_ bytes: UInt32, _ header: FrameHeader) -> Bool {
        switch state {
        case .pairing, .welcomeAwaited, .helloAwaited:
            violation(.illegalMessage, "CREDIT before channels are open")
            return false
        case .deciding, .open:
            break
        case .closed:
            return false
        }
        guard let slot = slot(header.channel) else {
            violation(.illegalMessage, "CREDIT for channel \(header.channel)")
            return false
        }
        let isRefused = isOpen && !channels[slot].returnsCredit
        if isRefused { return true }
        hasPeerAnswered = hasPeerAnswered || isOpen
        guard slot > 0, channels[slot].sendCredit.add(bytes) else {
            violation(FramingError(.creditViolation, header))
            return false
        }
        return true
    }

    /// Hello, Welcome, Proceed and Pair messages, from the right end. False when the connection is over.
    mutating func controlMessage(_ type: UInt16, _ arrival: Arrival) -> Bool {
        switch (state, type) {
        case (.helloAwaited, MessageType.hello):
            guard let hello = try? Hello(serializedBytes: unsafe arrival.bytes) else { return malformed(type) }
            return helloArrived(hello)
        case (.welcomeAwaited(let hello), MessageType.welcome):
            guard let welcome = try? Welcome(serializedBytes: unsafe arrival.bytes) else { return malformed(type) }
            return welcomeArrived(welcome, answering: hello)
        case (.open, MessageType.proceed) where awaitsProceed:
            guard (try? Proceed(serializedBytes: unsafe arrival.bytes)) != nil else { return malformed(type) }
            proceedArrived()
            return true
        case (.pairing(var progress), _) where progress.receive(type):
            state = .pairing(progress)
            unsafe events.append(.message(channel: .control, type: type, body: arrival.bytes))
            return true
        default:
            violation(.illegalMessage, "\(MessageType.name(type) ?? "") in this state")
            return false
        }
    }

    private mutating func malformed(_ type: UInt16) -> Bool {
        violation(.badMessage, "\(MessageType.name(type) ?? "") cannot be decoded")
        return false
    }
}
