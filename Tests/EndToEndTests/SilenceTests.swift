import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import FasciaWire
import Foundation
import Testing

/// Who must not be heard is not, and who falls silent holds nothing up: by the recording the car leaves.
extension EndToEnd {
    @Suite struct SilenceTests {
        /// A phone that plays on, whatever it is told: the car mutes it while main audio is not the phone's (O-22, O-3).
        @Test func aPhoneThatPlaysOnIsMuted() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("audio") + "/", "--volume", "media=100"])
            let address = try #require(Endpoint(bench.address)), code = try #require(PairingCode(TestBench.code))
            let rig = try HeadUnitRig(address: address, code: code, fixtures: [])
            try rig.pair()
            let (peer, welcome) = try rig.session { $0.addSound() }
            #expect(welcome.channels.contains(5) && welcome.channels.contains(32))
            _ = try peer.ownership()
            func take(_ number: UInt64) throws {
                let state = try peer.ask(number) {
                    $0.take = .with { $0.resource = .mainAudio; $0.priority = .userInitiated; $0.takeConstraint = .anyTime; $0.borrowConstraint = .anyTime }
                }
                #expect(state.mainAudio.owner == .phone && state.refusal == .none)
            }
            try take(1)
            try peer.start(1)
            #expect(try peer.started().refusal == .none)

            var sequence: UInt32 = 0
            /// Plays in real time for so many tenths of a second; takes what comes meanwhile.
            func play(_ tenths: Int) throws {
                let start = ContinuousClock.now
                for packet in 1...tenths * 10 {
                    let data = (0..<480).flatMap { frame in
                        let value = UInt16(bitPattern: Int16(8_192 * sin(2 * Double.pi * 440 * Double(Int(sequence) * 480 + frame) / 48_000)))
                        return [UInt8(value & 0xFF), UInt8(value >> 8), UInt8(value & 0xFF), UInt8(value >> 8)]
                    }
                    try peer.packet(1, sequence, data)
                    sequence += 1
                    while try peer.next(until: start + .milliseconds(10 * packet)) != nil {}
                }
            }
            try play(20)
            try await bench.console("radio on")
            try play(20) // it was told, and plays on
            try await bench.console("radio off")
            try play(20) // main audio is nobody's, nor the phone's
            try take(2)
            try play(20)
            try await bench.console("carcall start")
            try play(20)
            try await bench.console(each: "carcall end")
            try play(20)
            try await bench.console("quit")
            _ = try await bench.headUnit?.exitStatus()

            let tone = try Recorded(bench.path("audio/media.wav")).tone(440)
            // The radio plays chords about there, softly.
            let states = tone.map { $0 > 0.2 ? "heard" : $0 < 0.06 ? "muted" : "?" }
            let parts = states.lasting().split(separator: "heard", omittingEmptySubsequences: false).map(Array.init)
            // How long it is quiet before and after is the machine's affair.
            #expect(parts.count == 4 && parts[1...2].allSatisfy { $0 == ["muted"] }, "\(states.runs)")
        }

        /// The prompting app hangs in the middle of its prompt, link and app socket up: the music comes back. Then the phone hangs.
        @Test func aPromptThatHangsDoesNotKeepTheMusicDown() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("audio") + "/", "--volume", "media=100"])
            try await bench.startPhone(humming: ["tone", "prompt"])
            for app in ["tone", "prompt"] {
                try await bench.open(app)
                try await bench.console(each: "tap \"Toggle \(app)\"", "wait Humming 30")
                try await bench.wait(forStreamsOn: app == "tone" ? "media" : "navigation")
                try await bench.console("sleep 2")
            }
            let prompter = Int32(try #require(bench.records("app-launched", in: "phone.jsonl").last?["pid"] as? Int))
            kill(prompter, SIGSTOP)
            try await bench.wait(forStreamsOn: "navigation", false)
            try await bench.console("sleep 2")
            kill(prompter, SIGCONT)
            try await bench.wait(forStreamsOn: "navigation")
            try await bench.console("sleep 2")
            // The phone itself hangs, its link up: silence, and nothing old or late when it goes on.
            let phone = try #require(bench.phone?.pid)
            kill(phone, SIGSTOP)
            try await bench.console("sleep 1.1") // short of the 1.5 s after which the link were dead
            kill(phone, SIGCONT)
            try await bench.wait(forStreamsOn: "navigation")
            try await bench.console(each: "sleep 2", "quit")
            _ = try await bench.headUnit?.exitStatus()

            let music = try Recorded(bench.path("audio/media.wav")).tone(440), full = try #require(music.max())
            #expect(abs(full - 0.25) < 0.01)
            let states = music.map { $0 > full * 0.8 ? "full" : (0.13...0.23).contains($0 / full) ? "ducked" : $0 < 0.002 ? "-" : "?" }
            #expect(states.lasting().drop { $0 == "-" } == ["full", "ducked", "full", "ducked", "-", "ducked"], "\(states.runs)")
        }
    }
}
