import FasciaAppSound
import Foundation
import Testing

struct SoundSocketTests {
    private static func packet(_ sequence: UInt32) -> SoundFromApp {
        .packet(SoundPacket(SoundPacketHeader(stream: 1, sequence: sequence, time: 0), samples: [UInt8](repeating: 7, count: 1_920)))
    }

    @Test func aFullSocketDropsPacketsKeepsTheRestAndTheirOrder() throws {
        let (app, phone) = try #require(AppSoundSocket.pair())
        defer { app.close() }
        var sent = 0
        while app.send(Self.packet(UInt32(sent))) == .sent { sent += 1 }
        #expect(app.dropped == 1)
        #expect(app.send(.stop(.with { $0.stream = 1 })) == .waiting)
        // One place is free again: what waits goes first.
        guard case .datagram = phone.receive() else { Issue.record("nothing arrived"); return }
        _ = app.send(Self.packet(1_000))
        var kinds: [SoundKind] = []
        while case .datagram(let datagram) = phone.receive() { kinds.append(datagram.kind) }
        #expect(kinds.count(where: { $0 == .packet }) >= sent - 1)
        while case .datagram(let datagram) = { app.send(Self.packet(1_001)); return phone.receive() }() { // room enough now
            kinds.append(datagram.kind)
            if kinds.contains(.stop) { break }
        }
        #expect(kinds.contains(.stop))
    }

    @Test func theThreadSendsWhatWaitsAndTellsTheEndOnce() async throws {
        let (app, phone) = try #require(AppSoundSocket.pair())
        let (stream, continuation) = AsyncStream.makeStream(of: SoundToApp?.self)
        app.start { continuation.yield($0); if $0 == nil { continuation.finish() } }
        while app.send(Self.packet(0)) == .sent {}
        #expect(app.send(.stop(.with { $0.stream = 1 })) == .waiting)
        var last: SoundFromApp?
        while last?.kind != .stop { // the thread makes use of the room this makes
            switch phone.receive() {
            case .datagram(let datagram): last = datagram
            case .none: usleep(100)
            case let other:
                Issue.record("\(other)")
                return
            }
        }
        #expect(phone.send(.hint(.with { $0.begin = true })))
        var received = stream.makeAsyncIterator()
        #expect(await received.next() == .hint(.with { $0.begin = true }))
        app.close()
        #expect(await received.next() == .some(nil))
        #expect(await received.next() == nil)
        #expect(app.send(.stop(.init())) == .closed)
        #expect(phone.receive() == .ended)
    }

    /// [ST-1]
    @Test func theEnvironmentsSocketIsTakenOutOfIt() throws {
        let ends = try #require(PhoneSoundSocket.pair())
        defer { close(ends.phone) }
        #expect(fcntl(ends.app, F_SETFD, 0) == 0)
        setenv("FASCIA_APP_SOUND", "\(ends.app)", 1)
        let socket = try #require(AppSoundSocket.fromEnvironment())
        #expect(getenv("FASCIA_APP_SOUND") == nil && fcntl(ends.app, F_GETFD) & FD_CLOEXEC != 0)
        withExtendedLifetime(socket) {}
        #expect(AppSoundSocket.fromEnvironment() == nil)
    }

    @Test func garbageIsTold() throws {
        let ends = try #require(PhoneSoundSocket.pair())
        let phone = PhoneSoundSocket(descriptor: ends.phone)
        defer { close(ends.app) }
        func send(_ bytes: [UInt8]) { _ = Glibc.send(ends.app, bytes, bytes.count, 0) }
        #expect(phone.receive() == .none)
        send([1, 0xFF])
        guard case .bad(let malformed) = phone.receive(), malformed.code == .malformed else { Issue.record("taken"); return }
        send([UInt8](repeating: 3, count: 20_000))
        guard case .bad(let long) = phone.receive(), long.code == .tooLarge else { Issue.record("taken"); return }
        send([99, 1, 2])
        #expect(phone.receive() == .ignored)
        send([]) // looks like the end, and is treated as such
        #expect(phone.receive() == .ended)
    }

    @Test func nobodyReadingEndsTheLink() throws {
        let (app, _) = try #require(AppSoundSocket.pair())
        while app.send(Self.packet(0)) == .sent {}
        var last = AppSoundSocket.Sent.waiting
        for _ in 0...SoundLimits.waiting { last = app.send(.gain(.with { $0.stream = 1 })) }
        #expect(last == .closed)
    }
}
