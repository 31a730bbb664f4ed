/// `AVAudioSession.ErrorCode`; raw values are Apple's, four letters mostly.
public enum AudioSessionError: Int32, Error, Hashable, Sendable {
    /// Main audio is the car's and the car does not give it.
    case cannotInterruptOthers = 560_557_684 // !int
    /// The car listens to the driver.
    case siriIsRecording = 1_936_290_409 // siri
    /// The car has not answered who owns main audio.
    case cannotStartPlaying = 561_015_905 // !pla
    /// Somebody is on the phone.
    case insufficientPriority = 561_017_449 // !pri
    /// No such category, mode or option, or not together.
    case badParam = -50
}
