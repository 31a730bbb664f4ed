extension JitterBuffer {
    /// Frames given to the resampler at a time: small, so that `position` is true to a millisecond.
    private static let chunk = 64

    /// Gives the next `frames`, silence where there is nothing.
    /// - Parameters:
    ///   - samples: room for `frames` of `format.channels` samples.
    ///   - now: when the first of them is heard, or any fixed time before.
    /// - Returns: whether anything but silence may be in it.
    @discardableResult
    public func pull(_ samples: UnsafeMutablePointer<Float>, frames: Int, now: UInt64) -> Bool {
        let elapsed = lastPull.map { now > $0 ? min(Double(now - $0) / 1e9, 1) : 0 } ?? 0
        lastPull = now
        largestPull = min(max(largestPull, frames.nanoseconds(at: outputRate)), 50_000_000)
        watchSink(now, frames: frames)
        aim(elapsed: elapsed)
        if phase == .filling { start(now) }
        guard phase != .filling else {
            samples.update(repeating: 0, count: frames * format.channels)
            if draining, next == end { isDrained = true }
            return false
        }
        let speed = phase == .playing ? correct(now, elapsed: elapsed) : 1 + control.drift
        produce(samples, frames: frames, ratio: Double(outputRate) / Double(format.sampleRate) / speed)
        statistics.speed = speed
        statistics.driftPPM = control.drift * 1e6
        statistics.buffered = buffered
        return true
    }

    /// Delay of the next frame, if it is played now, behind the end of the packet that came the fastest.
    private func delay(_ now: UInt64) -> Int64 {
        base.value.map { Int64(clamping: now) - $0 - nanoseconds(position - Int64(inHand) + Int64(max(0, surplus))) } ?? 0
    }

    /// Frames decoded, not played, and sent by the phone.
    private var inHand: Int { madeUp ? 0 : decoded.count }

    private func watchSink(_ now: UInt64, frames: Int) {
        let ahead = Int64(clamping: now) - pulled / Int64(outputRate) * 1_000_000_000 - pulled % Int64(outputRate) * 1_000_000_000 / Int64(outputRate)
        earliest.add(ahead, at: now)
        latest.add(-ahead, at: now)
        pulled += Int64(frames)
    }

    private var sinkJitter: Int64 {
        guard let earliest = earliest.value, let latest = latest.value else { return 0 }
        return min(max(-latest - earliest, 0), 50_000_000)
    }

    private func aim(elapsed: Double) {
        let packet = format.duration(ofFrames: typicalFrames)
        let wanted = min(max(Self.floor, packet + largestPull + sinkJitter + estimate.jitter + margin), Self.bound - 20_000_000)
        let before = target
        target = max(Double(wanted), target - Self.targetFall * elapsed)
        steady = abs(target - before) < 1000
        statistics.target = Int64(target)
    }

    private func start(_ now: UInt64) {
        guard next != end else { return }
        skipMissing()
        let late = delay(now)
        if !draining {
            guard Double(late) >= target, isBaseSettled(now) else { return }
            // Nobody hears where it goes on after a gap; at the beginning of a sound a little more delay is better than a part of it.
            if time != nil || Double(late) > target + Double(Self.cutThreshold) / 2 { leaveOut(until: Int64(target), delay: late) }
        }
        phase = .playing
        control.jumped()
        tooMuchSince = nil
        madeUp = true
    }

    /// What came in one go after a stall says little about where the sender is; the packet after it does.
    private func isBaseSettled(_ now: UInt64) -> Bool {
        now >= baseLowered && now - baseLowered >= UInt64(format.duration(ofFrames: typicalFrames)) || time == nil
    }

    /// Nothing is made up before the first packet.
    private func skipMissing() {
        while next != end, !slots.contains(next) { next &+= 1 }
        if next != end { advance(to: next) }
    }

    /// Forward only: where a packet that came out of order belongs is an estimate, when packets are of different sizes.
    private func advance(to sequence: UInt32) { position = max(position, slots.position(sequence)) }

    private func correct(_ now: UInt64, elapsed: Double) -> Double {
        let error = delay(now) - Int64(target)
        if error > Self.cutThreshold, !draining {
            let since = tooMuchSince ?? now
            tooMuchSince = since
            if now >= since, now - since >= UInt64(Self.cutPatience) {
                leaveOut(until: Int64(target), delay: delay(now))
                tooMuchSince = nil
            }
        } else {
            tooMuchSince = nil
        }
        return control.speed(error: Double(delay(now) - Int64(target)) / 1e9, elapsed: elapsed, steady: steady)
    }

    /// Leaves out the oldest sound, as much as is too much; the seam is faded over.
    func leaveOut(until wanted: Int64, delay: Int64? = nil) {
        var excess = frames((delay ?? buffered) - wanted)
        guard excess > 0 else { return }
        if phase == .playing { fadeFromDecoded() }
        let before = position - Int64(inHand)
        let removed = min(Int(excess), inHand)
        decoded.remove(removed)
        excess -= Int64(removed)
        while excess > 0, next != end, end &- next > 1 {
            let frames = slots.contains(next) ? slots.frames(next) : typicalFrames
            guard Int64(frames) <= excess else { break }
            slots.remove(next)
            next &+= 1
            position += Int64(frames)
            excess -= Int64(frames)
        }
        if next != end, slots.contains(next) { advance(to: next) }
        surplus = Int(excess)
        if !madeUp { crossfade.apply(decoded.front, frames: decoded.count) }
        statistics.cuts += 1
        statistics.cut += nanoseconds(max(0, position - Int64(inHand) - before))
        control.jumped()
    }

    private func fadeFromDecoded() {
        crossfade.begin { tail, frames in
            let ready = min(frames, decoded.count)
            tail.update(from: decoded.front, count: ready * format.channels)
            concealment.makeTail(tail, ready: ready, real: !madeUp, frames: frames)
        }
    }

    private func produce(_ samples: UnsafeMutablePointer<Float>, frames: Int, ratio: Double) {
        var made = 0
        while made < frames {
            if decoded.count == 0 { decodeNext() }
            let offered = min(decoded.count, Self.chunk)
            guard let step = try? resampler.process(
                decoded.front, frames: offered, into: samples + made * format.channels, room: frames - made, ratio: ratio),
                step.used > 0 || step.made > 0
            else {
                samples.advanced(by: made * format.channels).update(repeating: 0, count: (frames - made) * format.channels)
                return
            }
            if !madeUp { concealment.played(decoded.front, frames: step.used) }
            decoded.remove(step.used)
            made += step.made
        }
    }

    /// Puts at least one frame into `decoded`.
    private func decodeNext() {
        if next == end { return runOut() }
        if phase == .fading { resume() }
        if surplus < 0 {
            makeMore(-surplus)
            surplus = 0
            return
        }
        guard slots.contains(next) else { return decodeMissing() }
        let room = decoded.reserve(format.sampleRate * 60 / 1000 + 1)
        let frames = (try? slots.withBytes(next) { bytes throws(SoundError) in try decoder.decode(bytes, into: room) }) ?? 0
        advance(to: next)
        (time, frameOfTime) = (slots.time(next), position)
        let expected = slots.frames(next)
        slots.remove(next)
        next &+= 1
        position += Int64(expected)
        guard frames > 0 else { return makeUp(expected) }
        if madeUp { crossfade.begin { tail, frames in concealment.makeTail(tail, frames: frames) } }
        madeUp = false
        decoded.added(frames)
        decoded.remove(min(surplus, frames - 1))
        surplus = 0
        crossfade.apply(decoded.front, frames: decoded.count)
    }

    private func makeMore(_ frames: Int) {
        madeUp = true
        concealment.make(decoded.reserve(frames), frames: frames)
        decoded.added(frames)
    }

    /// A packet is missing and a later one is there.
    private func decodeMissing() {
        let frames = typicalFrames
        next &+= 1
        position += Int64(frames)
        makeUp(frames)
    }

    private func makeUp(_ frames: Int) {
        statistics.concealed += 1
        let room = decoded.reserve(format.sampleRate * 60 / 1000 + 1)
        if decoder.conceals {
            let made: Int? = if next != end, slots.contains(next) {
                try? slots.withBytes(next) { bytes throws(SoundError) in try decoder.recover(frames: frames, from: bytes, into: room) }
            } else {
                try? decoder.conceal(frames: frames, into: room)
            }
            if let made, made > 0 {
                madeUp = false // the decoder's own sound, and it goes on from it by itself
                return decoded.added(made)
            }
        }
        makeMore(frames)
    }

    /// A packet came before the made up sound had faded. Those that are missing before it were what was made up; the rest is a gap.
    private func resume() {
        phase = .playing
        var made = madeSinceRunOut
        let lost = next != end && !slots.contains(next)
        while next != end, !slots.contains(next), made > 0 {
            // A decoder that goes on from what it made must know of each loss, though another sound was played for it.
            if decoder.conceals { _ = try? decoder.conceal(frames: typicalFrames, into: decoded.reserve(format.sampleRate * 60 / 1000 + 1)) }
            next &+= 1
            position += Int64(typicalFrames)
            made -= typicalFrames
            statistics.concealed += 1
        }
        if lost, made <= typicalFrames / 2 {
            surplus = made // so that the delay stays
        } else {
            statistics.gaps += 1
            control.jumped()
        }
    }

    /// Nothing is left: sound is made up until it has faded.
    private func runOut() {
        if phase == .playing {
            phase = .fading
            madeSinceRunOut = 0
        }
        if concealment.isSilent, phase != .filling {
            phase = .filling
            base.forget()
            if draining { isDrained = true } else { statistics.gaps += 1 }
        }
        madeUp = true
        let frames = format.sampleRate / 400
        let room = decoded.reserve(frames)
        concealment.make(room, frames: frames)
        decoded.added(frames)
        madeSinceRunOut += frames
        guard draining else { return }
        for index in 0..<frames * format.channels { room[index] *= 1 - Float(index / format.channels) / Float(frames) }
        concealment.forget()
    }
}
