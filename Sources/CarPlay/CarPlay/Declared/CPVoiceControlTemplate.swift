import FasciaAppRuntime

/// What voice control is doing. Declared, not drawn.
@preconcurrency @MainActor
open class CPVoiceControlTemplate: CPTemplate {
    public let voiceControlStates: [CPVoiceControlState]
    public private(set) var activeStateIdentifier: String?

    public init(voiceControlStates: [CPVoiceControlState]) {
        self.voiceControlStates = voiceControlStates
        activeStateIdentifier = voiceControlStates.first?.identifier
        super.init(_template: ())
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    /// Does nothing for an identifier none of the states has.
    open func activateVoiceControlState(withIdentifier identifier: String) {
        if voiceControlStates.contains(where: { $0.identifier == identifier }) { activeStateIdentifier = identifier }
    }
}

open class CPVoiceControlState: NSObject, _CPCoding {
    public let identifier: String
    public let titleVariants: [String]?
    public let image: UIImage?
    public let repeats: Bool

    public init(identifier: String, titleVariants: [String]?, image: UIImage?, repeats: Bool) {
        self.identifier = identifier
        self.titleVariants = titleVariants
        self.image = image
        self.repeats = repeats
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}
