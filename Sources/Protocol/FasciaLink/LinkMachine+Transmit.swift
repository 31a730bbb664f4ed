import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// Appends the bytes to write now, most urgent first, in whole frames where they fit.
    /// Ask for no more than the transport takes soon: what has left here cannot be overtaken.
    /// - Parameter limit: most bytes to append.
    /// - Returns: how many were appended; 0 when nothing can be sent now.
    public mutating func transmit(upTo limit: Int, into output: inout [UInt8], now: LinkInstant) -> Int {
        let most = max(0, min(limit, waitingBytes))
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            count = unsafe transmit(into: UnsafeMutableRawBufferPointer(buffer), now: now)
        }
        output += bytes
        return bytes.count
    }

    /// `transmit` into memory of the caller; does not allocate in steady state.
    public mutating func transmit(into buffer: UnsafeMutableRawBufferPointer, now: LinkInstant) -> Int {
        clock = max(clock, now)
        var used = unsafe flushStaged(buffer)
        while output.staged.isEmpty && used < buffer.count {
            guard unsafe nextFrame(buffer, &used) else { break }
        }
        counters.bytesOut &+= UInt64(used)
        return used
    }

    /// Whether `transmit` has anything to give.
    public var wantsTransmit: Bool {
        !output.isIdle || channels.contains { $0.canSend(longest: longestStart) }
    }

    /// Longest message that may be begun now, in bytes.
    private var longestStart: Int {
        if case .welcomeAwaited = state { LinkConstants.minMaxMessage } else { .max }
    }

    /// At least as many bytes as `transmit` could give now.
    private var waitingBytes: Int {
        let small = output.staged.count + output.close.count + output.answers.count * (FramingLimits.headerSize + FramingLimits.clockPayload) + (output.probeDue ? 16 : 0) + (output.trailingProbeDue ? 16 : 0) + output.grantsDue * 12
        let messages = channels.reduce(0) { sum, channel in
            if channel.queue.isEmpty { return sum }
            return sum + channel.queue.bytes + channel.queue.bytes / sendMaxPayload * 8 + channel.queue.count * (8 + greaseRoom)
        }
        return small + messages + (messages > 0 ? 64 : 0)
    }

    /// Most bytes of GREASE that go with a message.
    private var greaseRoom: Int { grease == nil ? 0 : 8 + 2 + 32 }

    private mutating func flushStaged(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if output.staged.isEmpty { return 0 }
        let count = min(buffer.count, output.staged.count - output.stagedSent)
        unsafe output.staged.withUnsafeBytes {
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[output.stagedSent..<output.stagedSent + count]))
        }
        output.stagedSent += count
        if output.stagedSent == output.staged.count {
            output.staged.removeAll(keepingCapacity: true)
            output.stagedSent = 0
        }
        return count
    }

    /// Writes or stages the most urgent frame. False when there is none, or it should wait for the next buffer.
    private mutating func nextFrame(_ buffer: UnsafeMutableRawBufferPointer, _ used: inout Int) -> Bool {
        if let answer = output.nextAnswer() {
            // A phone knows from Welcome that a clock may come.
            if carriesClock && (configuration.end == .phone || channels[0].queue.isEmpty) {
                let now = clock
                unsafe small(buffer, &used) { FrameWriter.probeAnswer(answer, clock: now, into: &$0) }
            } else {
                unsafe small(buffer, &used) { FrameWriter.probe(answer, ack: true, into: &$0) }
            }
            return true
        }
        if output.probeDue {
            unsafe probe(buffer, &used)
            return true
        }
        // Welcome goes first: before it the phone takes no CREDIT.
        if output.grantsDue > 0 && channels[0].queue.isEmpty {
            unsafe grant(buffer, &used)
            return true
        }
        if let slot = nextSlot() {
            return unsafe fragment(slot, buffer, &used)
        }
        if output.trailingProbeDue {
            output.trailingProbeDue = false
            if liveness.roundTrip.oldestOpen == nil { unsafe probe(buffer, &used) }
            return true
        }
        if !output.close.isEmpty {
            let close = output.close
            output.close = []
            unsafe small(buffer, &used) { $0 += close }
            return true
        }
        return false
    }

    private mutating func probe(_ buffer: UnsafeMutableRawBufferPointer, _ used: inout Int) {
        output.probeDue = false
        counters.probesSent &+= 1
        let id = counters.probesSent
        liveness.roundTrip.sent(id, at: clock, mark: counters.bytesOut &+ UInt64(used))
        unsafe small(buffer, &used) { FrameWriter.probe(id, ack: false, into: &$0) }
    }

    /// A frame of a few bytes, through `staged`.
    private mutating func small(_ buffer: UnsafeMutableRawBufferPointer, _ used: inout Int, _ write: (inout [UInt8]) -> Void) {
        write(&output.staged)
        counters.framesOut &+= 1
        used += unsafe flushStaged(UnsafeMutableRawBufferPointer(rebasing: buffer[used...]))
    }

    private mutating func grant(_ buffer: UnsafeMutableRawBufferPointer, _ used: inout Int) {
        guard let slot = channels.firstIndex(where: \.grantDue) else {
            output.grantsDue = 0
            return
        }
        channels[slot].grantDue = false
        output.grantsDue -= 1
        let header = FrameHeader(length: FramingLimits.creditPayload, type: .credit, channel: channels[slot].id.rawValue)
        let bytes = channels[slot].receiveCredit.grant()
        unsafe small(buffer, &used) { staged in
            unsafe withUnsafeBytes(of: header.rawValue.bigEndian) { unsafe staged.append(contentsOf: $0) }
            unsafe withUnsafeBytes(of: bytes.bigEndian) { unsafe staged.append(contentsOf: $0) }
        }
    }

    /// The channel to serve: the highest priority that can send, in turns among equals.
    private func nextSlot() -> Int? {
        let longest = longestStart
        var chosen: Int?
        for slot in channels.indices where channels[slot].canSend(longest: longest) {
            guard let first = chosen else {
                chosen = slot
                continue
            }
            if channels[slot].kind.priority != channels[first].kind.priority { break }
            if slot > lastServed {
                // Among equals, the next one after the one served last.
                if first <= lastServed { chosen = slot }
                break
            }
        }
        return chosen
    }

    /// The next fragment of a channel's oldest message. False when it should wait for the next buffer.
    private mutating func fragment(_ slot: Int, _ buffer: UnsafeMutableRawBufferPointer, _ used: inout Int) -> Bool {
        let room = buffer.count - used - FramingLimits.headerSize
        let sent = channels[slot].queue.sent
        if sent == 0, grease != nil, greaseBeforeMessage() {
            used += unsafe flushStaged(UnsafeMutableRawBufferPointer(rebasing: buffer[used...]))
            return true
        }
        var count = min(sendMaxPayload, channels[slot].queue.front.size - sent, channels[slot].sendCredit.available)
        if count > room {
            if used > 0 { return false }
            if room < LinkTuning.smallestCut {
                stageFragment(slot, count)
                used += unsafe flushStaged(buffer)
                return true
            }
            count = room
        }
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + FramingLimits.headerSize + count])
        unsafe writeFragment(slot, count, into: target)
        used += target.count
        return true
    }

    private mutating func stageFragment(_ slot: Int, _ count: Int) {
        var staged = [UInt8](repeating: 0, count: FramingLimits.headerSize + count)
        unsafe staged.withUnsafeMutableBytes { unsafe writeFragment(slot, count, into: $0) }
        output.staged = staged
    }

    /// Fills `target` with a header and `count` bytes of the message, and takes them off the queue and the credit.
    private mutating func writeFragment(_ slot: Int, _ count: Int, into target: UnsafeMutableRawBufferPointer) {
        let message = channels[slot].queue.front
        let sent = channels[slot].queue.sent
        var flags = FrameFlags()
        if sent == 0 { flags.insert(.first) }
        if sent + count == message.size { flags.insert(.last) }
        let header = FrameHeader(length: count, type: .message, flags: flags, channel: channels[slot].id.rawValue)
        unsafe target.storeBytes(of: header.rawValue.bigEndian, as: UInt64.self)
        var start = FramingLimits.headerSize
        var bodyStart = sent - FramingLimits.messageTypeSize
        if sent == 0 {
            unsafe target.storeBytes(of: message.type.bigEndian, toByteOffset: start, as: UInt16.self)
            start += FramingLimits.messageTypeSize
            bodyStart = 0
        }
        let length = target.count - start
        unsafe message.body.withUnsafeBytes {
            let source = unsafe UnsafeRawBufferPointer(rebasing: $0[bodyStart..<bodyStart + length])
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: source)
        }
        channels[slot].sendCredit.spend(count)
        lastServed = slot
        counters.framesOut &+= 1
        if channels[slot].queue.advance(count) {
            counters.messagesOut &+= 1
            // Behind what the driver waits for, so that a cut is found by what is under way and not by the next timer.
            if channels[slot].kind == .display, isOpen, configuration.end == .phone { output.trailingProbeDue = true }
        }
    }

    /// Stages an unknown frame or an unknown control message, when the seed says so and no control message is unfinished.
    private mutating func greaseBeforeMessage() -> Bool {
        guard var grease, output.greasedAt != counters.messagesOut else { return false }
        output.greasedAt = counters.messagesOut
        defer { self.grease = grease }
        if !grease.isDue() { return false }
        let prefersMessage = grease.next() & 1 == 0
        let isMessage = prefersMessage && channels[0].queue.sent == 0
        if isMessage {
            FrameWriter.message(channel: 0, type: grease.number(), body: grease.payload(), into: &output.staged)
        } else {
            let type = FrameType(rawValue: grease.frameType())
            FrameWriter.frame(type, flags: FrameFlags(rawValue: UInt8(truncatingIfNeeded: grease.next())), channel: 0, payload: grease.payload(), into: &output.staged)
        }
        counters.framesOut &+= 1
        return true
    }
}
