extension Mixer {
    /// What ducks now, the lowest; nil: nothing.
    public var activeDuck: Duck? { ducker.strongest(except: nil) }

    /// Level of what is ducked by every duck, dB, at this moment of its ramp.
    public var duckLevel: Float {
        (Array(streams.values) + Array(locals.values)).filter(\.ducked).map(\.duck.level).min() ?? (activeDuck?.level ?? 0)
    }

    /// Who ducks changed: everything ducked moves, with the ramp of the duck that comes to hold or, going back, of the one that went.
    func setDuck(_ duck: Duck?, by owner: DuckOwner) {
        let before = ducker.duck(by: owner)
        guard before != duck else { return }
        ducker.set(duck, by: owner)
        for input in streams.values { moveDuck(input, gone: before) }
        for input in locals.values { moveDuck(input, gone: before) }
        for input in leaving { moveDuck(input, gone: before) }
    }

    private func moveDuck(_ input: MixerInput, gone: Duck?) {
        guard input.ducked else { return }
        let holding = ducker.strongest(except: input.owner)
        let level = holding?.level ?? 0
        guard level != input.duck.target else { return }
        let ramp = (level > input.duck.target ? gone ?? holding : holding)?.ramp ?? 0
        input.duck.move(to: level, frames: Int(ramp * Int64(Self.sampleRate) / 1_000_000_000))
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
