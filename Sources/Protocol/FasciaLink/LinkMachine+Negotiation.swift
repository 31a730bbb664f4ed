import FasciaFraming
import FasciaWire

extension LinkMachine {
    // MARK: Phone

    /// Fills in and queues Hello, and lets display and semantics channels go at once.
    mutating func sayHello(_ proposed: Hello) {
        var hello = proposed
        if hello.versionMin == 0 { hello.versionMin = configuration.versions.lowerBound }
        if hello.versionMax == 0 { hello.versionMax = configuration.versions.upperBound }
        hello.name = String(hello.name.prefix(utf8Bytes: LinkConstants.maxName))
        hello.software = String(hello.software.prefix(utf8Bytes: LinkConstants.maxSoftware))
        if !hello.hasLimits { hello.limits = configuration.limits }
        hello.limits = Negotiation.allowed(hello.limits)
        if !hello.hasLiveness { hello.liveness = LinkTiming(clamping: configuration.liveness).message }
        if hello.channels.isEmpty { hello.channels = Negotiation.usualChannels + Negotiation.channels(for: hello.audio) }
        parser.maxPayload = Negotiation.receivePayload(hello.limits)
        addChannels(hello.channels.compactMap(Negotiation.channel), maxReceived: Negotiation.messageLimit(hello.limits))
        // What a resumed session may show is known only from Welcome, unless the phone takes the risk.
        let mayBegin = !hello.hasResume || hello.resume.speculative
        for slot in channels.indices where channels[slot].kind.isOptimistic && mayBegin { channels[slot].outbound = .open }
        state = .welcomeAwaited(hello)
        var sent = hello
        if let capability = grease?.number(), let channel = grease?.number() {
            sent.capabilities.append(UInt32(capability))
            sent.channels.append(UInt32(channel))
        }
        queueControl(MessageType.hello, try? sent.serializedBytes())
    }

    mutating func welcomeArrived(_ welcome: Welcome, answering hello: Hello) -> Bool {
        if let problem = Negotiation.problem(welcome, answering: hello) {
            violation(problem.code, problem.detail)
            return false
        }
        let inForce = Negotiation.inForce(welcome, answering: hello)
        if Negotiation.refusesSpeculation(welcome, answering: hello) {
            for slot in channels.indices where channels[slot].kind.isOptimistic { channels[slot].queue.dropUnsent() }
            queueControl(MessageType.proceed, [])
        }
        open(inForce, peerLimits: inForce.limits)
        let longest = Negotiation.messageLimit(inForce.limits)
        if channels.contains(where: { $0.queue.holdsMessage(longerThan: longest) }) {
            close(.internalError, detail: "a waiting message is longer than the \(longest) bytes the head unit takes", now: clock)
            return false
        }
        return true
    }

    // MARK: Head unit

    mutating func helloArrived(_ hello: Hello) -> Bool {
        if let problem = Negotiation.problem(hello, versions: configuration.versions) {
            violation(problem.code, problem.detail)
            return false
        }
        addChannels(hello.channels.compactMap(Negotiation.channel))
        let mayBegin = !hello.hasResume || hello.resume.speculative
        for slot in channels.indices where channels[slot].kind.isOptimistic && mayBegin {
            channels[slot].inbound = configuration.channels(channels[slot].id) ? .held : .discarded
        }
        state = .deciding(hello)
        events.append(.helloReceived(hello))
        return true
    }

    /// Head unit: answers `.helloReceived`. What is sent and in force is the part of `offer` that the phone asked for:
    /// capabilities and channels in both, the highest common version, timing in range. Without channels in the offer
    /// every channel that its screens and features need is offered.
    /// - Returns: false when there is no Hello to answer.
    @discardableResult
    public mutating func accept(_ offer: Welcome, now: LinkInstant) -> Bool {
        guard case .deciding(let hello) = state else { return false }
        clock = max(clock, now)
        let welcome = Negotiation.answer(offer, to: hello, configuration)
        parser.maxPayload = Negotiation.receivePayload(welcome.limits)
        let longest = Negotiation.messageLimit(welcome.limits)
        for slot in channels.indices {
            channels[slot].assembler.maxMessage = min(channels[slot].kind.maxMessage, longest)
        }
        queueControl(MessageType.welcome, try? welcome.serializedBytes())
        open(welcome, peerLimits: hello.limits)
        let waiting = held
        held = []
        awaitsProceed = Negotiation.refusesSpeculation(welcome, answering: hello)
        if awaitsProceed {
            for slot in channels.indices where channels[slot].kind.isOptimistic && channels[slot].inbound == .delivered {
                channels[slot].inbound = .refused
            }
        }
        for message in waiting {
            if channels[message.slot].inbound == .delivered {
                let id = channels[message.slot].id
                channels[message.slot].untaken += 1
                events.append(.message(channel: id, type: message.type, body: message.body), owed: (message.slot, message.credit))
            } else {
                counters.messagesIgnored &+= 1
                if channels[message.slot].inbound == .refused { consumed(message.credit, slot: message.slot) }
            }
        }
        // Fragments that came before the answer may have used up the credit already.
        for slot in channels.indices { consumed(0, slot: slot) }
        return true
    }

    /// The phone knows that a new session began: what begins from here on belongs to it.
    mutating func proceedArrived() {
        awaitsProceed = false
        hasPeerAnswered = true
        for slot in channels.indices where channels[slot].inbound == .refused {
            channels[slot].inbound = .delivered
            channels[slot].dropsUnfinished = channels[slot].assembler.isAssembling
        }
    }

    // MARK: Both

    /// Opens the channels of `welcome` and starts watching the peer.
    private mutating func open(_ welcome: Welcome, peerLimits: Limits) {
        sendMaxPayload = Negotiation.sendPayload(peerLimits)
        let longest = Negotiation.messageLimit(peerLimits)
        for slot in channels.indices where channels[slot].kind != .control {
            let isOpen = welcome.channels.contains(UInt32(channels[slot].id.rawValue))
            channels[slot].inbound = isOpen ? .delivered : configuration.end == .headUnit ? .discarded : .closed
            channels[slot].outbound = isOpen ? .open : .closed
            channels[slot].sendLimit = min(channels[slot].kind.maxMessage, longest)
            if !isOpen {
                channels[slot].queue.clear()
                channels[slot].assembler.letGo()
            }
        }
        carriesClock = welcome.capabilities.contains(UInt32(Capability.clock.rawValue))
        state = .open
        liveness.begin(LinkTiming(clamping: welcome.liveness), now: clock)
        // The first measurement, and at the head unit the proof that Welcome arrived.
        output.trailingProbeDue = true
        events.append(.established(welcome))
    }
}
