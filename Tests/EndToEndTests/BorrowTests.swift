import FasciaProcesses
import Foundation
import Testing

/// The phone uses the car's main audio for a while: for a call of its own.
extension EndToEnd {
    @Suite struct BorrowTests {
        private func bench(_ apps: String...) async throws -> TestBench {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", bench.path("audio") + "/", "--volume", "media=100", "--volume", "telephony=100"])
            try await bench.startPhone(humming: apps)
            return bench
        }

        private func expect(_ windows: [Float], _ wanted: [String], _ name: (Float) -> String) {
            let states = windows.map(name)
            #expect(states.lasting(unknown: true).filter { $0 != "?" } == wanted, "\(states.runs)")
        }

        @Test func aCallSilencesTheRadioUntilItIsOverAlsoAcrossACut() async throws {
            let bench = try await bench("call")
            try await bench.open("call")
            try await bench.console(each: "radio on", "sleep 2", "tap \"Toggle call\"", "wait Humming 30")
            try await bench.wait(forStreamsOn: "telephony")
            try await bench.waitForMainAudio("car/phone")
            #expect(try await bench.console("stats").contains("\"phone_states\":[\"call\"]"))
            try await bench.console(each: "sleep 2", "link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.wait(forStreamsOn: "telephony", false)
            try await bench.console(each: "sleep 2", "link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.wait(forStreamsOn: "telephony")
            try await bench.waitForMainAudio("car/phone")
            try await bench.console("sleep 2")
            try await bench.tapOnceConnected("Toggle call")
            try await bench.console("wait Silent 30")
            try await bench.waitForMainAudio("car/none")
            #expect(try await bench.console("stats").contains("\"phone_states\":[]"))
            try await bench.console(each: "sleep 2", "quit")
            _ = try await bench.headUnit?.exitStatus()

            let radio = try Recorded(bench.path("audio/media.wav")).levels, call = try Recorded(bench.path("audio/telephony.wav")).tone(700)
            // The programme has pauses of its own between its notes.
            let heard = stride(from: 0, to: radio.count - 8, by: 8).map { radio[$0..<$0 + 8].max() ?? 0 }
            let parts = heard.map { $0 > 0.003 ? "radio" : "-" }.runs.map(\.state)
            #expect(parts.drop { $0 == "-" } == ["radio", "-", "radio"], "\(heard)") // how long it was quiet before is the machine's affair
            expect(call, ["-", "call", "-", "call", "-"]) { $0 > 0.18 ? "call" : $0 < 0.002 ? "-" : "?" }
        }

        @Test func aCallInterruptsMusicWhichResumes() async throws {
            let bench = try await bench("tone", "call", "eavesdropper")
            try await bench.open("tone")
            try await bench.console(each: "sleep 1", "tap \"Toggle tone\"", "wait Humming 30")
            try await bench.wait(forStreamsOn: "media")
            try await bench.waitForMainAudio("phone/none")
            try await bench.console("sleep 2")
            try await bench.open("call")
            try await bench.console(each: "tap \"Toggle call\"", "wait Humming 30")
            try await bench.wait(forStreamsOn: "telephony")
            try await bench.wait(forStreamsOn: "media", false)
            // Who is in a call stays in it.
            for command in ["carcall start", "radio on"] {
                let refusal = await #expect(throws: ToolError.self) { try await bench.console(command) }
                #expect(refusal?.description.contains("the phone does not allow it") == true, "\(refusal.map { "\($0)" } ?? "")")
            }
            try await bench.console(each: "sleep 2", "tap \"Toggle call\"", "wait Silent 30")
            try await bench.wait(forStreamsOn: "media")
            try await bench.waitForMainAudio("phone/none")
            let said = bench.phone?.transcript ?? ""
            #expect(said.contains("[tone] interruption began") && said.contains("[tone] interruption ended, should resume"))

            // The car's own call: what phone apps want is refused as on iOS.
            try await bench.console(each: "sleep 2", "carcall start")
            try await bench.wait(forStreamsOn: "media", false)
            try await bench.console(each: "tap \"Toggle call\"", "wait \"Refused: insufficientPriority\" 30")
            try await bench.open("eavesdropper")
            try await bench.console(each: "tap \"Toggle eavesdropper\"", "wait \"Refused: cannotInterruptOthers\" 30", "sleep 2", "carcall end")
            try await bench.wait(forStreamsOn: "media")
            try await bench.console(each: "sleep 2", "quit")
            _ = try await bench.headUnit?.exitStatus()

            let music = try Recorded(bench.path("audio/media.wav")).tone(440)
            expect(music, ["-", "music", "-", "music", "-", "music"]) { $0 > 0.22 ? "music" : $0 < 0.002 ? "-" : "?" }
            let call = try Recorded(bench.path("audio/telephony.wav")).tone(700)
            expect(call, ["-", "call", "-"]) { $0 > 0.18 ? "call" : $0 < 0.002 ? "-" : "?" }
        }
    }
}
