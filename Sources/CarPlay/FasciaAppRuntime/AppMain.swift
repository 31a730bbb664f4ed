import CAppRuntime
import FasciaAppLink
import Foundation

/// The life of an app process: link to the phone, bundle, main loop, end.
@MainActor
package enum AppMain {
    /// Seconds after the phone's end before the process ends even if its main thread hangs.
    private nonisolated static let lastSeconds: UInt32 = 5
    private static var connection: AppSideConnection?

    /// Reads the bundle and opens the link. Does not return without both; what is missing is said on standard error and, if it
    /// listens, to the phone.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        fascia_write_output_by_lines() // into a pipe to the phone: what the app prints is seen at once, also when it crashes next
        let environment = ProcessInfo.processInfo.environment
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        guard let descriptor = environment["FASCIA_APP_FD"].flatMap(Int32.init), descriptor >= 0, fcntl(descriptor, F_GETFD) >= 0 else {
            printError("\(AppBundleLayout.name(of: executable)) is an app for a car screen; the phone starts it: fascia-phone run --app \(executable)")
            exit(64) // EX_USAGE
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Taken by AVFoundation, where the app has it; children are not to inherit it either way (spec/appsound.md ST-1).
        if let sound = environment["FASCIA_APP_SOUND"].flatMap(Int32.init), sound > STDERR_FILENO { _ = fcntl(sound, F_SETFD, FD_CLOEXEC) }
        installReporter(environment["FASCIA_APP_REPORT"])
        unsetenv("FASCIA_APP_FD") // spec/applink.md AT-1: children of the app must not take it for theirs
        let connection = AppSideConnection(carrier: SocketCarrier(descriptor: descriptor))
        self.connection = connection
        AppOutput.shared.setSink(AppOutput.Sink(connection))
        connection.start { event in received(event) }
        do throws(AppBundleError) {
            let bundle = try AppBundle.load(executable: executable, resources: environment["FASCIA_APP_RESOURCES"])
            AppSession.shared.bundle = bundle
            AppSession.shared.category = bundle.category
        } catch {
            Faults.endProcess("FasciaAppBundleError", "\(error)")
        }
    }

    /// "descriptor:signal", given by a phone that wants backtraces should the app hang (spec/applink.md AB-1).
    private static func installReporter(_ text: String?) {
        unsetenv("FASCIA_APP_REPORT")
        let numbers = text?.split(separator: ":").compactMap { Int32($0) } ?? []
        guard numbers.count == 2, numbers[0] > STDERR_FILENO else { return }
        if fascia_install_reporter(numbers[0], numbers[1]) < 0 { printError("no backtraces for the phone: \(String(cString: strerror(errno)))") }
    }

    /// Says Hello and runs the main loop until the phone is gone or asks to end. Call when the app has finished launching.
    package static func run() -> Never {
        AppOutput.shared.send(.with { message in
            message.hello = .with { hello in
                hello.version = AppLinkLimits.version
                hello.bundleIdentifier = AppSession.shared.bundle?.id ?? ""
                hello.processID = UInt32(getpid())
                hello.answersPings = true
            }
        })
        PendingChanges.shared.remoteCommandsChanged()
        PendingChanges.shared.nowPlayingChanged()
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// On the link's reading thread.
    private nonisolated static func received(_ event: AppLinkEvent<AppToApp>) {
        switch event {
        case .message(let message):
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    AppSession.shared.receive(message)
                    if case .terminate(let terminate)? = message.message { end(reason: terminate.reason) }
                }
            }
        case .drained: PendingChanges.shared.scheduleFlush()
        case .ended(let error):
            if let error { printError("the link to the phone ended: \(error)") }
            DispatchQueue.main.async {
                MainActor.assumeIsolated { end(reason: error.map { "\($0)" } ?? "the phone is gone") }
            }
            sleep(lastSeconds)
            _exit(0)
        }
    }

    private static func end(reason: String) {
        AppSession.shared.disconnectScene(reason: reason)
        AppSession.shared.lifecycleHandler?.willTerminate()
        AppOutput.shared.drain(seconds: 1)
        exit(0)
    }
}
