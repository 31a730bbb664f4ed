import AVFoundation

/// The app's manners towards whatever else wants to be heard.
final class AudioSession {
    /// Something more important sounds; the players have been paused.
    var interrupted: (() -> Void)?
    /// It is over, and what played before may go on.
    var mayResume: (() -> Void)?
    /// The car has gone: music does not go on from the phone's loudspeaker.
    var deviceGone: (() -> Void)?
    var servicesReset: (() -> Void)?

    private var isActive = false
    private var observers: [NSObjectProtocol] = []

    init() {
        let session = AVAudioSession.sharedInstance()
        do { try session.setCategory(.playback, mode: .default, policy: .longFormAudio) } catch {
            print("The category was not set: \(error.localizedDescription)")
        }
        observe(AVAudioSession.interruptionNotification) { [weak self] in self?.interruption($0) }
        observe(AVAudioSession.routeChangeNotification) { [weak self] in self?.routeChange($0) }
        observe(AVAudioSession.mediaServicesWereResetNotification) { [weak self] _ in
            self?.isActive = false
            self?.servicesReset?()
        }
    }

    deinit { observers.forEach { NotificationCenter.default.removeObserver($0) } }

    func activate() -> Bool {
        guard !isActive else { return true }
        do {
            try AVAudioSession.sharedInstance().setActive(true)
            isActive = true
        } catch { print("The session was not activated: \(error.localizedDescription)") }
        return isActive
    }

    /// When nothing follows: what was interrupted for this app may go on.
    func deactivate() {
        guard isActive else { return }
        isActive = false
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    private func observe(_ name: Notification.Name, _ handler: @escaping @Sendable (Notification) -> Void) {
        observers.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main, using: handler))
    }

    private func interruption(_ notification: Notification) {
        guard let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt, let type = AVAudioSession.InterruptionType(rawValue: value) else { return }
        switch type {
        case .began:
            isActive = false
            interrupted?()
        case .ended:
            let options = (notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt).map(AVAudioSession.InterruptionOptions.init)
            if options?.contains(.shouldResume) == true { mayResume?() }
        @unknown default: break
        }
    }

    private func routeChange(_ notification: Notification) {
        guard let value = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt else { return }
        if AVAudioSession.RouteChangeReason(rawValue: value) == .oldDeviceUnavailable { deviceGone?() }
    }
}
