import Foundation
import Synchronization

extension Lab {
    /// Round trips of small UDP packets from the phone to the car and back, both ends in this process: what the link takes, and the
    /// kernel to wake two threads.
    /// - Parameter patience: for one answer.
    /// - Returns: nanoseconds in the order sent; nil where no answer came.
    public func ping(count: Int, patience: Duration = .seconds(1)) async throws(LabError) -> [UInt64?] {
        let car = try socket(on: .car, type: Int32(SOCK_DGRAM.rawValue)), phone = try socket(on: .phone, type: Int32(SOCK_DGRAM.rawValue))
        defer { close(phone) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) { pointer in // a free port, and which
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(car, $0, length) == 0 && getsockname(car, $0, &length) == 0 }
        }
        guard named else {
            let failure = LabError.system("cannot listen on the car")
            close(car)
            throw failure
        }
        final class End: Sendable { let isReached = Atomic(false) }
        let end = End()
        var limit = timeval(tv_sec: 0, tv_usec: 50_000)
        setsockopt(car, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let echo = Thread {
            var buffer = [UInt8](repeating: 0, count: 64), from = sockaddr_in()
            while !end.isReached.load(ordering: .relaxed) {
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let received = withUnsafeMutablePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { recvfrom(car, &buffer, buffer.count, 0, $0, &length) }
                }
                guard received > 0 else { continue } // nothing came for a while
                let answer = buffer
                _ = Self.with(from) { sendto(car, answer, received, 0, $0, $1) }
            }
            close(car)
        }
        echo.start()
        address.sin_addr.s_addr = inet_addr(LabHost.car.address)
        _ = Self.with(address) { connect(phone, $0, $1) }
        let milliseconds = Int32(clamping: max(1, patience.wholeNanoseconds / 1_000_000))
        let times = await Task.detached { (0..<count).map { Self.roundTrip(phone, UInt32($0), milliseconds) } }.value
        end.isReached.store(true, ordering: .relaxed)
        return times
    }

    private static func roundTrip(_ socket: Int32, _ number: UInt32, _ patience: Int32) -> UInt64? {
        var sent = number, answer: UInt32 = 0
        let start = LinkLoop.now()
        guard send(socket, &sent, 4, 0) == 4 else { return nil }
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, patience) > 0 {
            guard recv(socket, &answer, 4, 0) == 4 else { return nil }
            if answer == number { return LinkLoop.now() - start } // else a late answer to an earlier one
        }
        return nil
    }

    private static func with(_ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> some BinaryInteger) -> Int {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Int(body($0, socklen_t(MemoryLayout<sockaddr_in>.size))) }
        }
    }
}
