import FasciaFraming
import FasciaWire

/// A complete message, in the way it lies in memory.
@unsafe enum Arrival {
    /// In the input buffer: one frame.
    case lent(UnsafeRawBufferPointer)
    /// In a buffer of its own: several frames.
    case assembled([UInt8])
}

extension LinkMachine {
    /// Takes bytes from the transport, cut anywhere. Then drain `nextEvent`. Nothing is read after `.closed`.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer, now: LinkInstant) {
        unsafe process(bytes, now) { (machine: inout LinkMachine, slot, type, arrival, credit) in
            let id = machine.channels[slot].id
            let body = switch unsafe arrival {
            case .lent(let buffer): unsafe Array(buffer)
            case .assembled(let array): array
            }
            machine.channels[slot].untaken += 1
            let event = LinkEvent.message(channel: id, type: type, body: body)
            if machine.deliversSoundDirectly && ChannelID.sound.contains(id.rawValue) {
                machine.direct.append(event, owed: (slot, credit))
            } else {
                machine.events.append(event, owed: (slot, credit))
            }
        }
    }

    /// `receive` for bytes in an array.
    public mutating func receive(_ bytes: [UInt8], now: LinkInstant) {
        unsafe bytes.withUnsafeBytes { unsafe receive($0, now: now) }
    }

    /// Takes bytes from the transport and delivers at once, without a copy of single-frame messages and without allocating in steady
    /// state. Event and message order is kept: `onEvent` gets everything that is not lent to `onMessage`.
    /// - Parameters:
    ///   - onMessage: channel, message type, and the body, lent until it returns. Its credit is given back then.
    ///   - onEvent: all other events; messages that had to be kept (see `accept`) come here as `.message`.
    public mutating func receive(
        _ bytes: UnsafeRawBufferPointer, now: LinkInstant, onMessage: (ChannelID, UInt16, UnsafeRawBufferPointer) -> Void,
        onEvent: (LinkEvent) -> Void
    ) {
        unsafe process(bytes, now) { (machine: inout LinkMachine, slot, type, arrival, credit) in
            if !machine.events.isEmpty { machine.drain(onEvent) }
            let id = machine.channels[slot].id
            switch unsafe arrival {
            case .lent(let buffer):
                unsafe onMessage(id, type, buffer)
            case .assembled(let array):
                unsafe array.withUnsafeBytes { unsafe onMessage(id, type, $0) }
                machine.channels[slot].assembler.recycle(array)
            }
            machine.consumed(credit, slot: slot)
        }
        drain(onEvent)
    }

    private mutating func drain(_ onEvent: (LinkEvent) -> Void) {
        while let event = nextEvent() { onEvent(event) }
    }

    /// Bytes of a message have been consumed: the peer may send as many again, as soon as it is worth a frame.
    @inline(__always)
    mutating func consumed(_ bytes: Int, slot: Int) {
        if channels[slot].receiveCredit.consume(bytes), !channels[slot].grantDue, channels[slot].returnsCredit {
            channels[slot].grantDue = true
            output.grantsDue += 1
        }
    }

    /// The owner took a message.
    mutating func taken(_ credit: Int, slot: Int) {
        channels[slot].untaken -= 1
        var bytes = credit
        if channels[slot].untaken == 0 {
            bytes += channels[slot].withheld
            channels[slot].withheld = 0
        }
        consumed(bytes, slot: slot)
    }

    typealias Sink = (inout LinkMachine, Int, UInt16, Arrival, Int) -> Void

    @inline(__always)
    private mutating func process(_ bytes: UnsafeRawBufferPointer, _ now: LinkInstant, _ sink: Sink) {
        if isClosed || bytes.count == 0 { return }
        clock = max(clock, now)
        counters.bytesIn &+= UInt64(bytes.count)
        if !settledDoubts.isEmpty && clock > liveness.lastHeard { settledDoubts = [] }
        heardPeer()
        // The parser works on its own while frames change the rest of the machine.
        var parser = FrameParser()
        swap(&parser, &self.parser)
        let failure = unsafe parser.receive(bytes) { header, payload in
            counters.framesIn &+= 1
            if header.isMessage {
                return unsafe messageFrame(header, payload, sink)
            }
            return unsafe controlFrame(header, payload)
        }
        if isClosed { return }
        swap(&parser, &self.parser)
        if let failure { violation(failure) }
    }

    /// False when the connection is over.
    @inline(__always)
    private mutating func messageFrame(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer, _ sink: Sink) -> Bool {
        guard let slot = slot(header.channel), channels[slot].inbound != .closed else {
            violation(.illegalMessage, "message on channel \(header.channel)")
            return false
        }
        if !channels[slot].receiveCredit.spend(payload.count) {
            violation(FramingError(.creditViolation, header))
            return false
        }
        if channels[slot].inbound == .discarded {
            if header.flags.contains(.last) { counters.messagesIgnored &+= 1 }
            return true
        }
        let progress: MessageAssembler.Progress
        do throws(FramingError) {
            progress = unsafe try channels[slot].assembler.accept(header, payload)
        } catch {
            violation(error)
            return false
        }
        switch progress {
        case .partial:
            // An unfinished message may be longer than the window, so its bytes count as consumed, unless others wait.
            if channels[slot].untaken == 0 {
                consumed(payload.count, slot: slot)
            } else {
                channels[slot].withheld += payload.count
            }
            return true
        case .whole(let type):
            let body = unsafe UnsafeRawBufferPointer(rebasing: payload[FramingLimits.messageTypeSize...])
            return unsafe message(slot, type, .lent(body), payload.count, sink)
        case .assembled(let type):
            let body = channels[slot].assembler.take()
            return unsafe message(slot, type, .assembled(body), payload.count, sink)
        }
    }

    /// A complete message. False when the connection is over.
    @inline(__always)
    private mutating func message(_ slot: Int, _ type: UInt16, _ arrival: Arrival, _ credit: Int, _ sink: Sink) -> Bool {
        counters.messagesIn &+= 1
        guard let rule = MessageRule.of(type) else {
            counters.messagesIgnored &+= 1
            channels[slot].dropsUnfinished = false
            consumed(credit, slot: slot)
            return true
        }
        if !rule.allows(channels[slot].kind, from: configuration.end.peer) {
            violation(.illegalMessage, "\(MessageType.name(type) ?? "") on \(channels[slot].id)")
            return false
        }
        if channels[slot].kind == .control {
            return unsafe controlMessage(type, arrival)
        }
        if channels[slot].inbound == .held {
            unsafe held.append((slot, type, arrival.bytes, credit))
            return true
        }
        if channels[slot].inbound == .refused || channels[slot].dropsUnfinished {
            channels[slot].dropsUnfinished = false
            counters.messagesIgnored &+= 1
            consumed(credit, slot: slot)
            return true
        }
        unsafe sink(&self, slot, type, arrival, credit)
        return true
    }
}

extension Arrival {
    /// The body as an array of its own.
    var bytes: [UInt8] {
        switch unsafe self {
        case .lent(let buffer): unsafe Array(buffer)
        case .assembled(let array): array
        }
    }
}
