import FasciaLink
import FasciaWire
import Foundation
import Synchronization
import Testing

@testable import FasciaCarrier

/// Sound goes past the events, from the first packet on, and the clocks are compared.
struct SoundDeliveryTests {
    private static let format = AudioFormat.with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }

    @Test func aConsumerGetsAllSoundAndNothingElse() async throws {
        struct Heard: Sendable {
            let channel: ChannelID
            let type: UInt16
            let body: [UInt8]
            let arrival: UInt64
        }
        let (heard, sink) = AsyncStream.makeStream(of: Heard.self)
        var welcome = Rig.welcome
        welcome.audio.formats = [Self.format]
        welcome.audio.microphone = [Self.format]
        welcome.capabilities = [4]
        let answer = welcome
        let rig = try await Rig(onHello: { _, reply in
            reply.consumeSound { sink.yield(Heard(channel: $0, type: $1, body: $2, arrival: $3)) }
            reply.accept(answer)
        })
        var hello = Rig.hello
        hello.audio.formats = [Self.format]
        hello.audio.microphone = [Self.format]
        hello.capabilities = [4]
        async let arriving = rig.events.session()
        let phone = try await rig.dialer.connect(to: rig.address, hello: hello)
        let car = try #require(await arriving)
        #expect(phone.welcome.channels.contains(33) && phone.welcome.channels.contains(48))

        // More than the channel's credit: it comes back as the consumer returns.
        let count = 40
        for sequence in 0..<count {
            let packet = AudioPacketHeader(stream: 1, sequence: UInt32(sequence), time: 0).encoded + [UInt8](repeating: 7, count: 3_840)
            while phone.send(channel: 33, type: MessageType.audioPacket, body: packet) != .queued { try await Task.sleep(for: .milliseconds(1)) }
            if sequence == 20 { phone.send(channel: 16, type: MessageType.commit, body: [1]) }
        }
        var sequences: [UInt32] = []
        for await one in heard {
            #expect(one.channel == 33 && one.type == MessageType.audioPacket && one.arrival > 0)
            sequences.append(try #require(AudioPacketHeader(decoding: one.body)).sequence)
            if sequences.count == count { break }
        }
        #expect(sequences == Array(0..<UInt32(count)))
        #expect(await car.nextMessage()?.type == MessageType.commit)
        #expect(phone.queuedBytes(channel: 33) == 0)

        // Both clocks are the same one here.
        car.setNeedsClock(true)
        while car.clock == nil { try await Task.sleep(for: .milliseconds(1)) }
        let clock = try #require(car.clock)
        #expect(clock.offset.magnitude <= clock.roundTrip / 2 + 1_000)
        car.close(.goodbye, detail: "")
    }
}
