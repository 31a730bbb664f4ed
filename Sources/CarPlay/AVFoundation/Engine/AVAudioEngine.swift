import FasciaAppRuntime
import Foundation

extension NSNotification.Name {
    /// Of an engine that stopped because its microphone is gone. The loudspeakers' rate never changes while a car is connected.
    public static let AVAudioEngineConfigurationChange = NSNotification.Name("AVAudioEngineConfigurationChangeNotification")
}

public enum AVAudioEngineManualRenderingMode: Int, Sendable { case offline, realtime }
public enum AVAudioEngineManualRenderingStatus: Int, Sendable { case error = -1, success, insufficientDataFromInputNode, cannotDoInCurrentContext }

/// Nodes that make, mix and hear sound.
open class AVAudioEngine: NSObject, @unchecked Sendable {
    /// Guards connections and rendering of all its nodes.
    let graph = NSRecursiveLock()
    private var attached: [AVAudioNode] = []
    private var running = false
    private var offline: (format: AVAudioFormat, sampleTime: AVAudioFramePosition)?
    private var scratch: [Float] = []
    private var madeMixer: AVAudioMixerNode?
    private var madeInput: AVAudioInputNode?

    public let outputNode: AVAudioOutputNode

    public override init() {
        outputNode = AVAudioOutputNode()
        super.init()
        outputNode.engine = self
        PlayingObjects.shared.add(self)
    }

    deinit { madeInput?.listen(false) }

    /// Made and connected to the output when it is first asked for.
    open var mainMixerNode: AVAudioMixerNode {
        graph.withLock {
            if let madeMixer { return madeMixer }
            let mixer = AVAudioMixerNode()
            madeMixer = mixer
            adopt(mixer)
            if outputNode.inputs[0] == nil { outputNode.inputs[0] = AVAudioNode.Connection(node: mixer, bus: 0) }
            return mixer
        }
    }

    /// The microphone of the car; it opens while the engine runs and something listens.
    open var inputNode: AVAudioInputNode {
        graph.withLock {
            if let madeInput { return madeInput }
            let input = AVAudioInputNode()
            madeInput = input
            adopt(input)
            return input
        }
    }

    open var attachedNodes: Set<AVAudioNode> { graph.withLock { Set(attached) } }

    // MARK: Graph

    open func attach(_ node: AVAudioNode) {
        graph.withLock { adopt(node) }
    }

    private func adopt(_ node: AVAudioNode) {
        guard node.engine !== self else { return }
        node.engine = self
        attached.append(node)
    }

    open func detach(_ node: AVAudioNode) {
        graph.withLock {
            guard node.engine === self else { return }
            disconnectNodeOutput(node)
            node.inputs = [:]
            attached.removeAll { $0 === node }
            node.engine = nil
        }
    }

    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        let bus = (node2 as? AVAudioMixerNode).map { mixer in graph.withLock { mixer.freeBus } } ?? 0
        connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
    }

    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus, format: AVAudioFormat?) {
        let both = graph.withLock { node1.engine === self && node2.engine === self }
        guard both else { return Faults.raise(avfaudioErrorDomain, "required condition is false: both nodes are attached to the engine") }
        graph.withLock {
            disconnectNodeOutput(node1)
            node1.connectedFormat = format ?? node1.connectedFormat
            node2.inputs[bus2] = AVAudioNode.Connection(node: node1, bus: bus1)
        }
        node1.tapChanged()
    }

    open func disconnectNodeInput(_ node: AVAudioNode) { graph.withLock { node.inputs = [:] } }
    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) { graph.withLock { node.inputs[bus] = nil } }

    open func disconnectNodeOutput(_ node: AVAudioNode) {
        graph.withLock {
            for other in attached + [outputNode] { other.inputs = other.inputs.filter { $0.value.node !== node } }
        }
    }

    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) { disconnectNodeOutput(node) }

    // MARK: Running

    open func prepare() {}

    /// - Throws: when the phone does not let the app play, and when something listens in a session of a category that does not record.
    open func start() throws {
        if graph.withLock({ offline != nil }) { return graph.withLock { running = true } }
        if madeInput?.isWanted == true, !AVAudioSession.sharedInstance().category.records {
            throw NSError(domain: avfaudioErrorDomain, code: AVAudioSession.ErrorCode.incompatibleCategory.rawValue,
                          userInfo: [NSLocalizedDescriptionKey: "the session's category does not record"])
        }
        guard AVAudioSession.sharedInstance().activateToPlay() else {
            throw NSError(domain: avfaudioErrorDomain, code: AVAudioSession.ErrorCode.cannotStartPlaying.rawValue,
                          userInfo: [NSLocalizedDescriptionKey: "the session is not to be had"])
        }
        _ = mainMixerNode // an engine with a microphone only runs as well
        graph.withLock { running = true }
        madeInput?.engineChanged(running: true)
        SoundOutput.shared.add(self)
    }

    /// Stops where it is; `start` goes on.
    open func pause() { halt() }

    open func stop() {
        halt()
        reset()
    }

    func inputLost() {
        guard halt() else { return }
        DispatchQueue.main.async { NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self) }
    }

    open func reset() { graph.withLock { attached }.forEach { $0.reset() } }

    open var isRunning: Bool { graph.withLock { running } }
    open var isAutoShutdownEnabled = false

    @discardableResult
    private func halt() -> Bool {
        let was = graph.withLock {
            defer { running = false }
            return running
        }
        if was { madeInput?.engineChanged(running: false) }
        return was
    }

    // MARK: Rendering by hand

    /// From now on the engine sounds in the app's buffers only.
    open func enableManualRenderingMode(_ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) throws {
        guard !isRunning, pcmFormat.channelCount <= 2 else {
            throw NSError(domain: avfaudioErrorDomain, code: -80_801, userInfo: [NSLocalizedDescriptionKey: "the engine runs, or has no such format"])
        }
        graph.withLock { offline = (pcmFormat, 0) }
        manualRenderingMaximumFrameCount = maximumFrameCount
    }

    open func disableManualRenderingMode() {
        halt()
        graph.withLock { offline = nil }
    }

    open var isInManualRenderingMode: Bool { graph.withLock { offline != nil } }
    open var manualRenderingFormat: AVAudioFormat { graph.withLock { offline?.format } ?? AVAudioNode.hardwareFormat }
    open var manualRenderingSampleTime: AVAudioFramePosition { graph.withLock { offline?.sampleTime ?? 0 } }
    public private(set) var manualRenderingMaximumFrameCount: AVAudioFrameCount = 4_096

    open func renderOffline(_ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer) throws -> AVAudioEngineManualRenderingStatus {
        graph.lock()
        defer { graph.unlock() }
        guard running, let (format, sampleTime) = offline, numberOfFrames <= buffer.frameCapacity, buffer.format == format else { return .cannotDoInCurrentContext }
        let frames = Int(numberOfFrames)
        var samples = [Float](repeating: 0, count: 2 * max(1, frames))
        let clock = RenderClock(hostTime: AVAudioTime.hostTime(forSeconds: Double(sampleTime) / format.sampleRate), sampleTime: sampleTime, sampleRate: format.sampleRate)
        samples.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { outputNode.pull(frames, to: base, at: clock) } }
        buffer.frameLength = numberOfFrames
        for frame in 0..<frames {
            if format.channelCount == 1 { buffer.set(frame, 0, (samples[2 * frame] + samples[2 * frame + 1]) / 2) } else {
                buffer.set(frame, 0, samples[2 * frame])
                buffer.set(frame, 1, samples[2 * frame + 1])
            }
        }
        offline?.sampleTime += AVAudioFramePosition(frames)
        return .success
    }
}

extension AVAudioEngine: RenderSource {
    package func render(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Bool {
        graph.lock()
        defer { graph.unlock() }
        guard running else { return false }
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            outputNode.pull(frames, to: base, at: clock)
            for index in 0..<2 * frames { output[index] += base[index] }
        }
        return true
    }
}

extension AVAudioEngine: Interruptible {
    func interrupt() -> Bool { halt() }
}
