import Foundation

// Keys of the notifications' userInfo; the values are the raw values of the types named, as UInt.

/// `AVAudioSession.InterruptionType`
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// `AVAudioSession.InterruptionOptions`, of an interruption that ended.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// `AVAudioSession.InterruptionReason`, of an interruption that began.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// `AVAudioSession.RouteChangeReason`
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// `AVAudioSessionRouteDescription`
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// `AVAudioSession.SilenceSecondaryAudioHintType`
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension AVAudioSession {
    public class var interruptionNotification: NSNotification.Name { .init("AVAudioSessionInterruptionNotification") }
    public class var routeChangeNotification: NSNotification.Name { .init("AVAudioSessionRouteChangeNotification") }
    public class var mediaServicesWereLostNotification: NSNotification.Name { .init("AVAudioSessionMediaServicesWereLostNotification") }
    public class var mediaServicesWereResetNotification: NSNotification.Name { .init("AVAudioSessionMediaServicesWereResetNotification") }
    public class var silenceSecondaryAudioHintNotification: NSNotification.Name { .init("AVAudioSessionSilenceSecondaryAudioHintNotification") }

    /// Posts on the main thread, which may be this one's future.
    func post(_ name: NSNotification.Name, _ values: [String: any Sendable] = [:]) {
        DispatchQueue.main.async { NotificationCenter.default.post(name: name, object: self, userInfo: values) }
    }
}
