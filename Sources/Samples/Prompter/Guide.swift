import Foundation

extension Notification.Name {
    static let guideDidChange = Notification.Name("GuideDidChange")
}

/// Says the route's prompts one after the other, as a drive would.
final class Guide {
    static let shared = Guide()

    private(set) var isRunning = false
    private(set) var interval: TimeInterval = 12
    private var next = 0
    private var timer: Timer?

    /// PROMPTER_EVERY=seconds in the environment, or `-Every seconds` among the arguments: it starts by itself.
    func startIfAsked() {
        let asked = ProcessInfo.processInfo.environment["PROMPTER_EVERY"].flatMap(TimeInterval.init) ?? UserDefaults.standard.double(forKey: "Every")
        guard asked > 0 else { return }
        interval = max(1, asked)
        start()
    }

    func start() {
        guard !isRunning else { return }
        isRunning = true
        timer = Timer.scheduledTimer(withTimeInterval: interval, repeats: true) { [weak self] _ in self?.sayNext() }
        sayNext()
        NotificationCenter.default.post(name: .guideDidChange, object: self)
    }

    func stop() {
        guard isRunning else { return }
        isRunning = false
        timer?.invalidate()
        timer = nil
        Speaker.shared.stop()
        NotificationCenter.default.post(name: .guideDidChange, object: self)
    }

    private func sayNext() {
        let prompt = Prompt.route[next % Prompt.route.count]
        next += 1
        Speaker.shared.speak(prompt.text)
    }
}
