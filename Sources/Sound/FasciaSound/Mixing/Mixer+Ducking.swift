extension Mixer {
    /// How long a stream without its first packet ducks, frames: 500 ms (spec/sound.md, S-24).
    static let duckPatience = sampleRate / 2

    /// What ducks now, the lowest; nil: nothing.
    public var activeDuck: Duck? { ducker.strongest(except: nil) }

    /// Streams that duck to this level now.
    public func ducking(to level: Float) -> [StreamKey] {
        streams.keys.filter { ducker.duck(by: .stream($0))?.level == level }.sorted { ($0.route.rawValue, $0.number) < ($1.route.rawValue, $1.number) }
    }

    /// Level of what is ducked by every duck, dB, at this moment of its ramp.
    public var duckLevel: Float {
        var level: Float?
        for input in streams.values where input.ducked { level = min(level ?? 0, input.duck.level) }
        for input in locals.values where input.ducked { level = min(level ?? 0, input.duck.level) }
        return level ?? unheardDuck.level
    }

    /// What an input asks for holds while it has something to play.
    func setDuck(_ duck: Duck?, of input: MixerInput) {
        input.wantedDuck = duck
        setDuck(input.mayDuck ? duck : nil, by: input.owner)
    }

    /// A stream whose packets do not come is as silent as one that has ended, and must not keep others low.
    func watchDuck(_ input: MixerInput, frames: Int) {
        guard let wanted = input.wantedDuck, case .stream(_, let buffer) = input.source else { return }
        if buffer.statistics.packets == 0 {
            input.waited += frames
            input.mayDuck = input.waited < Self.duckPatience
        } else {
            input.mayDuck = buffer.hasSound
        }
        setDuck(input.mayDuck ? wanted : nil, by: input.owner)
    }

    /// Who ducks changed: everything ducked moves, with the ramp of the duck that comes to hold or, going back, of the one that went.
    func setDuck(_ duck: Duck?, by owner: DuckOwner) {
        let before = ducker.duck(by: owner)
        guard before != duck else { return }
        ducker.set(duck, by: owner)
        for input in streams.values where input.ducked { move(&input.duck, of: input.owner, gone: before) }
        for input in locals.values where input.ducked { move(&input.duck, of: input.owner, gone: before) }
        for input in leaving where input.ducked { move(&input.duck, of: input.owner, gone: before) }
        move(&unheardDuck, of: nil, gone: before)
    }

    private func move(_ ramp: inout DecibelRamp, of listener: DuckOwner?, gone: Duck?) {
        let holding = ducker.strongest(except: listener)
        let level = holding?.level ?? 0
        guard level != ramp.target else { return }
        let time = (level > ramp.target ? gone ?? holding : holding)?.ramp ?? 0
        ramp.move(to: level, frames: Int(time * Int64(Self.sampleRate) / 1_000_000_000))
    }

    /// Notes where the duck went in a step.
    /// - Parameter before: its level when the step began.
    func noteDuck(before: Float, began: UInt64) {
        let level = duckLevel
        if let last = duckMoves.last, last.ended == nil {
            if level != before, (level < before) == (last.to < last.from) { return duckMoves[duckMoves.count - 1].to = level }
            duckMoves[duckMoves.count - 1].ended = began
        }
        guard level != before else { return }
        if duckMoves.count == DuckMove.kept { duckMoves.removeFirst() }
        duckMoves.append(DuckMove(from: before, to: level, began: began))
    }
}

extension MixerInput {
    /// As one that ducks.
    var owner: Mixer.DuckOwner {
        switch source {
        case .stream(let key, _): .stream(key)
        case .local(let name, _): .local(name)
        }
    }
}
