extension Mixer {
    /// - Parameter volume: 0…1; the factor is its square, which sounds even. Reached in 20 ms.
    public func setVolume(_ route: AudioRoute, _ volume: Float) {
        let index = Int(route.rawValue)
        routes[index].volume = volume.isNaN ? 0 : min(max(volume, 0), 1)
        moveGain(index)
    }

    /// Silent in 20 ms, and back.
    public func setMute(_ route: AudioRoute, _ muted: Bool) {
        let index = Int(route.rawValue)
        routes[index].muted = muted
        moveGain(index)
    }

    public func volume(_ route: AudioRoute) -> Float { routes[Int(route.rawValue)].volume }
    public func isMuted(_ route: AudioRoute) -> Bool { routes[Int(route.rawValue)].muted }

    private func moveGain(_ index: Int) {
        let volume = routes[index].volume
        routes[index].gain.move(to: routes[index].muted ? 0 : volume * volume, frames: Self.volumeRamp)
    }
}

extension Mixer {
    /// A sound of the car's own begins, fading in over 20 ms; one of the same name fades out.
    /// - Parameters:
    ///   - route: whose volume and mute it follows; nil: none.
    ///   - ducked: prompts turn it down as they do media: the radio.
    ///   - gain: dB, -100 to 0.
    public func start(
        local name: String, _ sound: any LocalSound, route: AudioRoute? = nil, ducked: Bool = false, gain: Float = 0, duck: Duck? = nil
    ) {
        stop(local: name)
        let input = MixerInput(
            source: .local(name, sound), route: route, label: name, ducked: ducked, gain: Self.decibels(gain),
            duckLevel: ducker.strongest(except: nil)?.level ?? 0)
        input.fade = GainRamp(0)
        input.fade.move(to: 1, frames: Self.volumeRamp)
        locals[name] = input
        setDuck(duck, by: .local(name))
    }

    /// Fades out in 20 ms.
    public func stop(local name: String) {
        guard let input = locals[name] else { return }
        input.leaving = true
        input.fade.move(to: 0, frames: Self.volumeRamp)
        leaving.append(input)
        remove(local: name)
    }

    /// Names of the car's own sounds that play.
    public var localSounds: [String] { locals.keys.sorted() }

    func remove(local name: String) {
        locals[name] = nil
        setDuck(nil, by: .local(name))
    }
}
