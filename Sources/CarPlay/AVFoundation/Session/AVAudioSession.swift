import FasciaAppSound
import Foundation
import Synchronization

/// The app's say in how its sound gets on with the rest of the phone and the car. The phone decides; each answer is awaited, a second
/// at most. An app that runs alone is always answered yes.
open class AVAudioSession: NSObject, @unchecked Sendable {
    private static let shared = AVAudioSession()

    open class func sharedInstance() -> AVAudioSession { shared }

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var isActive = false
        var lastRequest: UInt64 = 0
        var route = AVAudioSessionRouteDescription.speaker
        var availableInputs: [AVAudioSessionPortDescription] = []
        var sampleRate = 48_000.0
        var preferredSampleRate = 0.0
        var preferredBuffer = 0.0
        var latency = 0.0
        var silenceSecondary = false
    }

    private let state = Mutex(State())
    /// One request after the other: an answer to an earlier one never overtakes a later one's.
    private let asking = Mutex(())

    private override init() {
        super.init()
        SoundConnection.openOnce()
    }

    // MARK: Category, mode, options

    open func setCategory(_ category: Category) throws { try set(category, .default, .default, []) }
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws { try set(category, nil, nil, options) }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws { try set(category, mode, nil, options) }

    open func setCategory(_ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []) throws {
        try set(category, mode, policy, options)
    }

    open func setMode(_ mode: Mode) throws {
        let current = state.withLock { $0 }
        try set(current.category, mode, nil, current.options)
    }

    private func set(_ category: Category, _ mode: Mode?, _ policy: RouteSharingPolicy?, _ options: CategoryOptions) throws {
        guard Category.all.contains(category), mode.map(Mode.all.contains) ?? true, CategoryOptions.known.isSuperset(of: options) else {
            throw Self.error(.badParam, "no such category, mode or option")
        }
        // Options other categories have no use for are refused on iOS too.
        let mixing: CategoryOptions = [.mixWithOthers, .duckOthers]
        if !category.allowsMixingOptions, !options.intersection(mixing).isEmpty || options.contains(.defaultToSpeaker) {
            throw Self.error(.badParam, "\(category.rawValue) does not go with these options")
        }
        if options.contains(.defaultToSpeaker), category != .playAndRecord { throw Self.error(.badParam, "defaultToSpeaker goes with playAndRecord only") }
        if let policy, policy != .default, category != .playback || !options.isDisjoint(with: mixing) {
            throw Self.error(.badParam, "a long-form policy goes with playback and no mixing")
        }
        let previous = state.withLock { state in
            defer {
                state.category = category
                state.mode = mode ?? state.mode
                state.policy = policy ?? state.policy
                state.options = options
            }
            return state
        }
        guard previous.isActive else { return }
        do { try ask(active: true) } catch {
            state.withLock { ($0.category, $0.mode, $0.policy, $0.options) = (previous.category, previous.mode, previous.policy, previous.options) }
            throw error
        }
    }

    open var category: Category { state.withLock { $0.category } }
    open var mode: Mode { state.withLock { $0.mode } }
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
    open var availableCategories: [Category] { Category.all }
    open var availableModes: [Mode] { Mode.all }

    // MARK: Activation

    /// - Throws: an error of `NSOSStatusErrorDomain` with an `ErrorCode`: `cannotInterruptOthers` or `insufficientPriority` when
    ///   something more important plays, `isBusy` for deactivating while the app plays (which stops it all the same).
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        if active { return try ask(active: true) }
        let wasPlaying = PlayingObjects.shared.stopForDeactivation()
        try ask(active: false, notify: options.contains(.notifyOthersOnDeactivation))
        if wasPlaying { throw Self.error(.isBusy, "the session was deactivated while something played, which is stopped") }
    }

    /// For the driver's answer on another thread than this one's; watchOS has it.
    open func activate(options: SetActiveOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async {
            do {
                try self.setActive(true)
                completionHandler(true, nil)
            } catch { completionHandler(false, error) }
        }
    }

    private func ask(active: Bool, notify: Bool = false) throws {
        try asking.withLock { _ in
            let (current, number) = state.withLock { state in
                state.lastRequest += 1
                return (state, state.lastRequest)
            }
            if let port = SoundOutput.shared.port {
                var request = AppSoundSession()
                request.request = number
                request.active = active
                request.category = current.category.rawValue
                request.mode = current.mode.rawValue
                request.options = UInt32(current.options.rawValue)
                request.notifyOthers = notify
                guard let reply = port.ask(request) else { throw Self.error(.mediaServicesFailed, "the phone did not answer") }
                guard reply.success else {
                    throw Self.error(reply.error == 0 ? ErrorCode.unspecified.rawValue : Int(reply.error), reply.detail.isEmpty ? "the phone refused" : reply.detail)
                }
            }
            let wasActive = state.withLock { state in
                defer { state.isActive = active }
                return state.isActive
            }
            // The phone has ended what sounded before.
            if active, !wasActive { SoundOutput.shared.renewSessionStream() }
        }
    }

    /// What plays activates the session by itself, as on iOS. False: refused.
    func activateToPlay() -> Bool {
        if state.withLock({ $0.isActive }) { return true }
        return (try? ask(active: true)) != nil
    }

    // MARK: The way sound goes

    open var currentRoute: AVAudioSessionRouteDescription { state.withLock { $0.route } }
    open var availableInputs: [AVAudioSessionPortDescription]? { state.withLock { $0.availableInputs } }
    open var preferredInput: AVAudioSessionPortDescription? { nil }
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}
    open var isInputAvailable: Bool { state.withLock { !$0.availableInputs.isEmpty } }

    /// Frames a second, of the car's amplifier or as preferred.
    open var sampleRate: Double { state.withLock { $0.preferredSampleRate > 0 ? $0.preferredSampleRate : $0.sampleRate } }
    open var preferredSampleRate: Double { state.withLock { $0.preferredSampleRate } }

    /// 16, 24, 44.1 and 48 kHz can be had; for others the nearest above is taken.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate.isFinite, sampleRate >= 0 else { throw Self.error(.badParam, "a sample rate is positive") }
        let taken = sampleRate == 0 ? 0 : [16_000, 24_000, 44_100].first { $0 >= sampleRate } ?? 48_000
        state.withLock { $0.preferredSampleRate = taken }
        SoundOutput.shared.sampleRate = taken == 0 ? 48_000 : Int(taken)
    }

    /// Seconds; sound is made in blocks of 10 ms whatever is preferred.
    open var ioBufferDuration: TimeInterval { 0.01 }
    open var preferredIOBufferDuration: TimeInterval { state.withLock { $0.preferredBuffer } }
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { state.withLock { $0.preferredBuffer = duration } }
    /// Seconds from the app to the loudspeaker.
    open var outputLatency: TimeInterval { state.withLock { $0.latency } }
    open var inputLatency: TimeInterval { state.withLock { $0.latency } }
    open var outputNumberOfChannels: Int { 2 }
    open var maximumOutputNumberOfChannels: Int { 2 }
    open var inputNumberOfChannels: Int { isInputAvailable ? 1 : 0 }
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {}
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {}
    /// The car keeps its volume to itself.
    open var outputVolume: Float { 1 }
    open var prefersNoInterruptionsFromSystemAlerts: Bool { false }
    open func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {}

    // MARK: Others

    open var isOtherAudioPlaying: Bool { state.withLock { $0.silenceSecondary } }
    open var secondaryAudioShouldBeSilencedHint: Bool { state.withLock { $0.silenceSecondary } }

    /// A car's microphone is the driver's to give when the phone was paired; there is nobody to ask again.
    open var recordPermission: RecordPermission { .granted }

    open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        DispatchQueue.main.async { response(true) }
    }

    // MARK: What the phone tells

    package func received(_ event: SoundEvent) {
        switch event {
        case .interruption(let interruption): received(interruption)
        case .routeChange(let change): received(change)
        case .hint(let begin):
            state.withLock { $0.silenceSecondary = begin }
            post(Self.silenceSecondaryAudioHintNotification,
                 [AVAudioSessionSilenceSecondaryAudioHintTypeKey: (begin ? SilenceSecondaryAudioHintType.begin : .end).rawValue])
        case .microphone(let state): Microphone.shared.received(state)
        case .microphonePacket(let stream, let time, let samples): Microphone.shared.received(stream, time, samples)
        case .streamState(let stream): if stream.latencyUs > 0 { state.withLock { $0.latency = Double(stream.latencyUs) / 1e6 } }
        case .ended: break
        }
    }

    private func received(_ interruption: AppSoundInterruption) {
        if interruption.began {
            // At once, on this thread: the main one may be busy, and the driver hears.
            PlayingObjects.shared.interrupt()
            state.withLock { $0.isActive = false }
            let reason = InterruptionReason(rawValue: UInt(interruption.reason)) ?? .default
            return post(Self.interruptionNotification,
                        [AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue, AVAudioSessionInterruptionReasonKey: reason.rawValue,
                         AVAudioSessionInterruptionWasSuspendedKey: false])
        }
        let options: InterruptionOptions = interruption.shouldResume ? .shouldResume : []
        post(Self.interruptionNotification,
             [AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue, AVAudioSessionInterruptionOptionKey: options.rawValue])
    }

    private func received(_ change: AppSoundRouteChange) {
        let input = change.inputPort.isEmpty ? [] : [AVAudioSessionPortDescription(Port(rawValue: change.inputPort), name: change.outputName)]
        let previous = state.withLock { state in
            defer {
                let port = Port(rawValue: change.outputPort.isEmpty ? Port.builtInSpeaker.rawValue : change.outputPort)
                state.availableInputs = input
                let records = state.category == .playAndRecord || state.category == .record
                state.route = .init(inputs: records ? input : [], outputs: [.init(port, name: change.outputName.isEmpty ? port.rawValue : change.outputName)])
                if (8_000...192_000).contains(change.sampleRate) { state.sampleRate = Double(change.sampleRate) }
                state.latency = Double(change.latencyUs) / 1e6
            }
            return state.route
        }
        let reason = RouteChangeReason(rawValue: UInt(change.reason)) ?? .unknown
        // What the driver listened to in the car does not go on from the phone's own loudspeaker.
        if reason == .oldDeviceUnavailable { PlayingObjects.shared.interrupt() }
        post(Self.routeChangeNotification, [AVAudioSessionRouteChangeReasonKey: reason.rawValue, AVAudioSessionRouteChangePreviousRouteKey: previous])
    }

    // MARK: Tests

    /// As in a new process.
    package func reset() {
        state.withLock { $0 = State() }
        SoundOutput.shared.sampleRate = 48_000
    }
}

/// iOS 17's place for the microphone's permission.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    public enum recordPermission: Int, Sendable { case undetermined = 0x756E_6474, denied = 0x6465_6E79, granted = 0x6772_6E74 }

    public static let shared = AVAudioApplication()

    open var recordPermission: recordPermission { .granted }
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }
    open class func requestRecordPermission() async -> Bool { true }
}
