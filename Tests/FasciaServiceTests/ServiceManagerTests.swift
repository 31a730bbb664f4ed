import FasciaEvents
import FasciaService
import Foundation
import Testing

/// The service manager's end of the socket.
final class NotifyReceiver {
    let name: String
    private let descriptor: Int32

    init(abstract: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("n-\(UUID().uuidString.prefix(8))").path
        name = abstract ? "@\(path)" : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if abstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count)
        let bound = withUnsafePointer(to: address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) } }
        try #require(bound == 0)
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// Waits for the next message; nothing within `seconds` is "". Blocks the thread.
    func next(within seconds: Double = 0) -> String {
        var time = timeval(tv_sec: 0, tv_usec: suseconds_t(seconds * 1_000_000)) // 0: for ever
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func everyThingOnceInOrder(_ abstract: Bool) throws {
        let receiver = try NotifyReceiver(abstract: abstract)
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
        manager.status("waiting\nfor it")
        manager.status("waiting\nfor it")
        manager.ready()
        manager.ready()
        manager.stopping()
        manager.stopping()
        manager.status("done")
        #expect((0..<4).map { _ in receiver.next() } == ["STATUS=waiting for it", "READY=1", "STOPPING=1", "STATUS=done"])
        #expect(manager.watchdog == nil)
    }

    @Test @MainActor func signsOfLifeComeFromTheMainActor() async throws {
        let receiver = try NotifyReceiver(abstract: true)
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "\(getpid())"])
        #expect(manager.watchdog == .milliseconds(20))
        let alive = try #require(manager.keepAlive())
        while receiver.next(within: 0.001) != "WATCHDOG=1" { await Task.yield() }
        while receiver.next(within: 0.001) != "WATCHDOG=1" { try await Task.sleep(for: .milliseconds(5)) }
        // Here the main actor hangs, in this very call, for five times the watchdog's time: not a word.
        while !receiver.next(within: 0.001).isEmpty {}
        #expect(receiver.next(within: 0.1) == "")
        alive.cancel()
        await alive.value
    }

    @Test func eventsTell() throws {
        let receiver = try NotifyReceiver(abstract: false)
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": receiver.name])
        for (event, fields) in [
            ("started", [:]), ("connected", ["car": "My Car"]), ("suspended", [:]), ("resumed", ["car": "My Car"]), ("disconnected", [:]), ("stopping", [:]),
        ] as [(String, [String: EventValue])] {
            manager.phone(EventRecord(event: event, time: 0, fields: fields))
        }
        #expect((0..<7).map { _ in receiver.next() } == [
            "STATUS=looking for the car", "READY=1", "STATUS=connected to My Car", "STATUS=waiting for the car to come back", "STATUS=connected to My Car",
            "STATUS=looking for the car", "STOPPING=1",
        ])
    }

    @Test @MainActor func withoutAManagerNothingHappens() {
        for environment in [[:], ["NOTIFY_SOCKET": "vsock:2:1"], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/at/all"], ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)]] {
            let manager = ServiceManager(environment: environment)
            manager.ready()
            manager.stopping()
            #expect(manager.keepAlive() == nil)
        }
    }

    @Test func aWatchdogForAnotherProcessIsNotOurs() {
        #expect(ServiceManager(environment: ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"]).watchdog == nil)
        #expect(ServiceManager(environment: ["WATCHDOG_USEC": "1000"]).watchdog == .milliseconds(1))
        #expect(ServiceManager(environment: ["WATCHDOG_USEC": "-5"]).watchdog == nil)
        #expect(ServiceManager(environment: ["WATCHDOG_USEC": "x"]).watchdog == nil)
    }
}
