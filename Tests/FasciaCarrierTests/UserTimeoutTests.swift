import FasciaLink
import FasciaTLS
import FasciaWire
import Glibc
import Testing

@testable import FasciaCarrier

struct UserTimeoutTests {
    /// Packets that the car's socket does not take are not acknowledged, and the phone's kernel gives up: the link's own timers are
    /// far away.
    @Test func theKernelsVerdictEndsTheLinkAndIsNamed() async throws {
        var welcome = Rig.welcome
        welcome.liveness = Liveness.with { $0.probeIntervalMs = 10_000; $0.suspectAfterMs = 60_000; $0.deadAfterMs = 120_000 }
        let rig = try await Rig(welcome: welcome)
        let (phone, car) = try await rig.connect(expecting: rig.car.fingerprint)
        car.send(channel: 1, type: MessageType.touch, body: [])
        _ = await phone.nextMessage()
        let sockets = (3..<1_024).map { (descriptor: Int32($0), ports: Self.ports(Int32($0))) }
        let phoneSocket = try #require(sockets.first { $0.ports?.remote == rig.address.port }).descriptor
        let carSocket = try #require(sockets.first { $0.ports.map { $0.local == rig.address.port && $0.remote != 0 } == true }).descriptor
        var milliseconds: Int32 = 0, size = socklen_t(MemoryLayout<Int32>.size)
        #expect(getsockopt(phoneSocket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &size) == 0)
        #expect(milliseconds == 120_000, "the kernel judges as the link does")

        milliseconds = 300
        #expect(setsockopt(phoneSocket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size) == 0)
        #expect(Self.deafen(carSocket))
        phone.send(channel: 16, type: MessageType.commit, body: [1])
        let closure = await phone.closure()
        #expect(closure?.evidence.first?.kind == .userTimeout, "\(String(describing: closure))")
        car.close(.goodbye, detail: "")
    }

    /// Nil for what is no TCP socket over IPv4. 0 for a peer there is not.
    private static func ports(_ descriptor: Int32) -> (local: Int, remote: Int)? {
        func port(_ read: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> Int? {
            var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isRead = withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { read($0, &length) == 0 } }
            return isRead && address.sin_family == sa_family_t(AF_INET) ? Int(in_port_t(bigEndian: address.sin_port)) : nil
        }
        return port { getsockname(descriptor, $0, $1) }.map { ($0, port { getpeername(descriptor, $0, $1) } ?? 0) }
    }

    /// Gives a socket a filter (SO_ATTACH_FILTER, socket(7)) of one instruction, "return 0": the kernel drops every packet for it.
    private static func deafen(_ descriptor: Int32) -> Bool {
        struct Program {
            let length: UInt16
            let instructions: UnsafeMutablePointer<UInt64>
        }
        var drop = UInt64(0x06).littleEndian // struct sock_filter { .code = BPF_RET | BPF_K, .k = 0 }
        return withUnsafeMutablePointer(to: &drop) { instruction in
            var program = Program(length: 1, instructions: instruction)
            return setsockopt(descriptor, SOL_SOCKET, 26 /* SO_ATTACH_FILTER */, &program, socklen_t(MemoryLayout<Program>.size)) == 0
        }
    }
}
