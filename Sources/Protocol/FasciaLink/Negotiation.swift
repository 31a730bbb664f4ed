import FasciaFraming
import FasciaWire

/// What Hello and Welcome make of each other (spec: Negotiation). Pure functions.
enum Negotiation {
    struct Problem {
        let code: CloseCode
        let detail: String
    }

    /// What a phone asks for when it does not say.
    static let usualChannels: [UInt32] = [ChannelID.input, .vehicle, .semantics, .ownership, .mainDisplay].map { UInt32($0.rawValue) }

    /// The channels that go with what an end says of its sound.
    static func channels(for audio: AudioCapabilities) -> [UInt32] {
        let out = audio.formats.isEmpty ? [] : ChannelID.audioRoutes.map { UInt32($0) }
        return out + (audio.microphone.isEmpty ? [] : [UInt32(ChannelID.audioIn.rawValue)])
    }

    /// The channel of a number in a list; nil when it does not fit a channel number.
    static func channel(_ number: UInt32) -> ChannelID? { UInt16(exactly: number).map(ChannelID.init(rawValue:)) }

    // MARK: Checks

    static func problem(_ hello: Hello, versions: ClosedRange<UInt32>) -> Problem? {
        if let problem = problem(name: hello.name, software: hello.software, lists: [hello.capabilities, hello.channels], hello.limits, hello.audio) {
            return problem
        }
        if hello.versionMin > hello.versionMax { return Problem(code: .badMessage, detail: "version range is empty") }
        if !versions.overlaps(hello.versionMin...hello.versionMax) {
            let here = "\(versions.lowerBound) to \(versions.upperBound)"
            return Problem(code: .versionUnsupported, detail: "peer speaks \(hello.versionMin) to \(hello.versionMax), this end \(here)")
        }
        return nil
    }

    static func problem(_ welcome: Welcome, answering hello: Hello) -> Problem? {
        if let problem = problem(name: welcome.name, software: welcome.software, lists: [welcome.capabilities, welcome.channels], welcome.limits, welcome.audio) {
            return problem
        }
        if welcome.version < hello.versionMin || welcome.version > hello.versionMax {
            return Problem(code: .versionUnsupported, detail: "head unit chose version \(welcome.version)")
        }
        if let channel = welcome.channels.first(where: { !hello.channels.contains($0) }) {
            return Problem(code: .badMessage, detail: "Welcome opens channel \(channel), which was not asked for")
        }
        if welcome.sessionID.count != LinkConstants.sessionIDSize || welcome.resumeToken.count != LinkConstants.resumeTokenSize {
            return Problem(code: .badMessage, detail: "session_id or resume_token has the wrong length")
        }
        if !(1...LinkConstants.maxScreens).contains(welcome.screens.count) {
            return Problem(code: .badMessage, detail: "Welcome has \(welcome.screens.count) screens")
        }
        guard welcome.screens.allSatisfy({ isValid($0, channels: welcome.channels) }) else {
            return Problem(code: .badMessage, detail: "a screen is out of range or its channel is not open")
        }
        return nil
    }

    private static func isValid(_ screen: Screen, channels: [UInt32]) -> Bool {
        guard let channel = channel(screen.channel), ChannelKind(channel) == .display, channels.contains(screen.channel) else { return false }
        let sides = LinkConstants.screenSides
        return sides.contains(screen.width) && sides.contains(screen.height) && LinkConstants.screenScales.contains(screen.scale)
    }

    private static func problem(name: String, software: String, lists: [[UInt32]], _ limits: Limits, _ audio: AudioCapabilities) -> Problem? {
        func malformed(_ detail: String) -> Problem { Problem(code: .badMessage, detail: detail) }
        if name.utf8.count > LinkConstants.maxName { return malformed("name is too long") }
        if software.utf8.count > LinkConstants.maxSoftware { return malformed("software is too long") }
        if lists.contains(where: { $0.count > LinkConstants.maxListEntries }) { return malformed("too many capabilities or channels") }
        if max(audio.formats.count, audio.microphone.count) > AudioLimits.maxFormats || audio.sink.utf8.count > LinkConstants.maxName {
            return malformed("audio has too many formats, or the sink's name is too long")
        }
        let payloads = UInt32(FramingLimits.minMaxPayload)...UInt32(FramingLimits.maxMaxPayload)
        if limits.maxFramePayload != 0 && !payloads.contains(limits.maxFramePayload) { return malformed("max_frame_payload is out of range") }
        if limits.maxMessage != 0 && limits.maxMessage < UInt32(LinkConstants.minMaxMessage) { return malformed("max_message is too small") }
        return nil
    }

    /// Whether messages that the phone sent behind `hello` for its old session do not count.
    static func refusesSpeculation(_ welcome: Welcome, answering hello: Hello) -> Bool {
        hello.hasResume && hello.resume.speculative && !welcome.hasResumed
    }

    // MARK: Limits

    /// Own limits moved into the range a peer accepts.
    static func allowed(_ limits: Limits) -> Limits {
        var limits = limits
        if limits.maxFramePayload != 0 {
            limits.maxFramePayload = min(max(limits.maxFramePayload, UInt32(FramingLimits.minMaxPayload)), UInt32(FramingLimits.maxMaxPayload))
        }
        if limits.maxMessage != 0 { limits.maxMessage = max(limits.maxMessage, UInt32(LinkConstants.minMaxMessage)) }
        return limits
    }

    /// What this receiver accepts: never less than the default, because the peer may not know better yet.
    static func receivePayload(_ own: Limits) -> Int { max(FramingLimits.defaultMaxPayload, Int(own.maxFramePayload)) }

    /// What may be sent to a peer with these limits.
    static func sendPayload(_ peer: Limits) -> Int { peer.maxFramePayload == 0 ? FramingLimits.defaultMaxPayload : Int(peer.maxFramePayload) }

    static func messageLimit(_ limits: Limits) -> Int { limits.maxMessage == 0 ? .max : Int(limits.maxMessage) }

    // MARK: Answer

    /// The Welcome to send.
    static func answer(_ offer: Welcome, to hello: Hello, _ configuration: LinkConfiguration) -> Welcome {
        var welcome = offer
        welcome.version = min(hello.versionMax, configuration.versions.upperBound)
        welcome.name = String(offer.name.prefix(utf8Bytes: LinkConstants.maxName))
        welcome.software = String(offer.software.prefix(utf8Bytes: LinkConstants.maxSoftware))
        welcome.limits = allowed(offer.hasLimits ? offer.limits : configuration.limits)
        welcome.liveness = LinkTiming(clamping: offer.hasLiveness ? offer.liveness : configuration.liveness).message
        if offer.channels.isEmpty {
            let fixed: [ChannelID] = [.input, .vehicle, .semantics, .ownership]
            welcome.channels = fixed.map { UInt32($0.rawValue) } + offer.screens.map(\.channel) + channels(for: offer.audio)
        }
        var answer = inForce(welcome, answering: hello)
        let silent = hello.audio.formats.isEmpty || offer.audio.formats.isEmpty
        answer.channels.removeAll { number in
            guard let channel = channel(number) else { return true }
            let hasNoSound = ChannelKind(channel) == .audioOut && silent || ChannelKind(channel) == .audioIn && offer.audio.microphone.isEmpty
            return hasNoSound || !configuration.channels(channel)
        }
        // A screen whose channel the phone did not ask for cannot be used.
        answer.screens = offer.screens.filter { answer.channels.contains($0.channel) }
        return answer
    }

    /// Without what this end does not know or the phone did not ask for; timing in range.
    static func inForce(_ welcome: Welcome, answering hello: Hello) -> Welcome {
        var inForce = welcome
        inForce.capabilities = welcome.capabilities.filter { hello.capabilities.contains($0) && isKnown(capability: $0) }
        inForce.channels = welcome.channels.filter { number in
            guard let channel = channel(number), let kind = ChannelKind(channel) else { return false }
            return kind != .control && hello.channels.contains(number)
        }
        inForce.liveness = LinkTiming(clamping: welcome.liveness).message
        return inForce
    }

    static func isKnown(capability: UInt32) -> Bool {
        Capability.allCases.contains { $0 != .unspecified && $0.rawValue == Int(capability) }
    }
}
