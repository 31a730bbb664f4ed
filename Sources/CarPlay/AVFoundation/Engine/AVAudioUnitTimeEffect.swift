import Foundation

/// A node that changes what is connected to it.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    open override var numberOfInputs: Int { 1 }
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { connectedFormat ?? Self.hardwareFormat }
}

/// A node that takes sound at another pace than it gives it.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    fileprivate let lock = NSLock()
    private var bypassed = false
    /// One for good: a new one would know nothing of what just sounded, and click.
    private var converter: StereoConverter?
    /// Frames taken from the input.
    private var taken: AVAudioFramePosition = 0

    open var bypass: Bool {
        get { lock.withLock { bypassed } }
        set {
            lock.withLock {
                if bypassed != newValue { forget() }
                bypassed = newValue
            }
        }
    }

    /// What was taken and has not sounded is dropped.
    open override func reset() { lock.withLock { forget() } }

    fileprivate func forget() { converter?.reset() }

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        let made = lock.withLock { () -> Int in
            if bypassed { return take(output, frames, clock) }
            return change(frames, to: output, at: clock)
        }
        if made < frames { (output + 2 * made).update(repeating: 0, count: 2 * (frames - made)) }
    }

    /// Overwrites `output`, taking what it needs by `take`.
    /// - Returns: frames made.
    fileprivate func change(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Int { take(output, frames, clock) }

    /// The one that is kept, of this rate.
    fileprivate final func converter(at sampleRate: Double) -> StereoConverter {
        if let converter, converter.sampleRate == sampleRate { return converter }
        let new = StereoConverter(channels: 2, sampleRate: sampleRate, isAdjustable: true)
        converter = new
        return new
    }

    /// The next stereo frames of what is connected; its time goes on by what is taken, not by what sounds.
    fileprivate final func take(_ target: UnsafeMutablePointer<Float>, _ count: Int, _ clock: RenderClock) -> Int {
        guard let source = inputs[0]?.node, count > 0 else { // silence, not an end: something else may be connected
            target.update(repeating: 0, count: 2 * count)
            return count
        }
        source.pull(count, to: target, at: RenderClock(hostTime: clock.hostTime, sampleTime: taken, sampleRate: clock.sampleRate))
        taken += AVAudioFramePosition(count)
        return count
    }
}

/// Faster or slower at the same pitch, higher or lower at the same pace.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
    private var speed: Float = 1
    private var cents: Float = 0
    private var stretcher: TimeStretcher?

    public override init() { super.init() }

    /// 1/32 to 32.
    open var rate: Float {
        get { lock.withLock { speed } }
        set { lock.withLock { speed = newValue.isFinite ? max(1 / 32, min(32, newValue)) : 1 } }
    }

    /// Cents, -2,400 to 2,400.
    open var pitch: Float {
        get { lock.withLock { cents } }
        set { lock.withLock { cents = newValue.isFinite ? max(-2_400, min(2_400, newValue)) : 0 } }
    }

    /// Of the pieces sound is cut into; these have a length of their own here.
    open var overlap: Float = 8

    fileprivate override func change(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Int {
        let factor = exp2(Double(cents) / 1_200)
        // Longer by as much as playing it higher makes it shorter.
        return converter(at: clock.sampleRate).pull(frames, to: output, rate: clock.sampleRate / factor) { read($0, $1, Double(speed) / factor, clock) }
    }

    fileprivate override func forget() {
        super.forget()
        stretcher = nil
    }

    private func read(_ target: UnsafeMutablePointer<Float>, _ frames: Int, _ speed: Double, _ clock: RenderClock) -> Int {
        if speed == 1, stretcher == nil { return take(target, frames, clock) }
        var made = 0
        while made < frames {
            if stretcher == nil { stretcher = TimeStretcher(channels: 2, sampleRate: clock.sampleRate) }
            let count = stretcher?.read(target + 2 * made, frames - made, speed: speed) { take($0, $1, clock) } ?? 0
            guard count > 0 else { return made }
            made += count
        }
        return made
    }
}

/// Faster and higher, or slower and lower, as a tape.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
    private var speed: Float = 1

    public override init() { super.init() }

    /// 0.25 to 4.
    open var rate: Float {
        get { lock.withLock { speed } }
        set { lock.withLock { speed = newValue.isFinite ? max(0.25, min(4, newValue)) : 1 } }
    }

    fileprivate override func change(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Int {
        converter(at: clock.sampleRate).pull(frames, to: output, rate: clock.sampleRate / Double(speed)) { take($0, $1, clock) }
    }
}
