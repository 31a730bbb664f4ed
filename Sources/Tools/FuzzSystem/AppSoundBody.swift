import FasciaAppSound
import FasciaPhone
import FasciaWire
import FuzzCore

/// Input: datagrams, each after its length (2 bytes) and the milliseconds since the last (1 byte, doubled). The first bit of a length
/// makes it a message of the car's instead: channel, type, body.
@Sendable func checkAppSound(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let port = Port(), car = Car()
    var now: UInt64 = 1_000_000_000
    let hub = SoundHub(prefersOpus: input.byte() & 1 == 1, emit: { _, _ in }, report: { _ in })
    hub.appLaunched("app", port: port, now: now)
    hub.attach(car, resumed: false, mainAudio: .held, now: now)
    while !input.isEmpty {
        let length = Int(input.word())
        now += 2_000_000 * UInt64(input.byte())
        let bytes = input.take(length & 0x7FFF)
        if length & 0x8000 == 0 {
            let received: PhoneSoundSocket.Received
            do throws(SoundDatagramError) { received = try SoundFromApp.decode(bytes).map { .datagram($0) } ?? .ignored } catch { received = .bad(error) }
            if case .datagram(let datagram) = received, let fault = comesBack(datagram) { return fault }
            let lives = hub.received("app", received, now: now)
            if case .bad = received, lives { return "an app that sent what is no datagram was kept" }
            if !lives { hub.appLaunched("app", port: port, now: now) }
        } else if bytes.count >= 2 {
            hub.received(channel: ChannelID(32 + UInt16(bytes[0] % 17)), type: 0x2000 | UInt16(bytes[1] % 8), body: Array(bytes.dropFirst(2)), now: now)
        }
        hub.tick(now: now)
        if hub.openStreams > 16 { return "\(hub.openStreams) streams" }
        if let deadline = hub.nextDeadline(now: now), deadline > now + 2_000_000_000 { return "a deadline \(deadline - now) ns ahead" }
    }
    hub.appGone("app", now: now)
    return hub.openStreams == 0 ? nil : "a stream outlives its app"
}

private func comesBack(_ datagram: SoundFromApp) -> String? {
    guard let bytes = try? datagram.encoded() else { return nil }
    guard let again = try? SoundFromApp.decode(bytes) else { return "what was read cannot be read again" }
    // Not-a-number is not equal to itself.
    return again == datagram || (try? again.encoded()) == bytes ? nil : "a datagram changes by being read"
}

private final class Port: AppSoundPort {
    func send(_ datagram: SoundToApp) -> Bool { true }
}

private final class Car: SoundLink {
    let welcome = Welcome.with {
        $0.channels = CarSound.channels
        $0.audio = CarSound.offer
    }
    func send(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) -> Bool { true }
    func queuedBytes(_ channel: ChannelID) -> Int { 0 }
    func fail(_ detail: String) {}
}
