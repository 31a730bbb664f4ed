import FasciaProcesses
import Foundation
import Testing

/// What is spoken in the car reaches the app that may listen, and no other.
extension EndToEnd {
    @Suite struct MicrophoneTests {
        /// Not a whole number of periods in a packet of 10 ms: one that is missing shows.
        private static let hertz = 1_030

        private func bench(_ apps: String...) async throws -> TestBench {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly([
                "--audio-out", bench.path("audio") + "/", "--mic", try bench.makeTone("spoken.wav", hertz: Self.hertz, amplitude: 0.3),
            ])
            try await bench.startPhone(humming: apps)
            return bench
        }

        /// By an engine's tap and by a recorder.
        @Test(arguments: ["call", "assistant"]) func anAppThatMayListenHearsTheCar(app: String) async throws {
            let bench = try await bench(app)
            try await bench.open(app)
            #expect(try await !bench.console("tree").contains("Microphone"))
            func count(_ event: String) -> Int { bench.events("car.jsonl").filter { $0 == event }.count }
            // Where the network thread stands still the car drops what waits for more than 100 ms, and counts it; where everything does the phone may
            // change to another connection. That recording is none.
            var attempts = 0, car = (packets: 0, dropped: 0), isWhole = false
            repeat {
                attempts += 1
                let before = count("microphone-opened")
                try await bench.console(each: "tap \"Toggle \(app)\"", "wait Microphone 30")
                car = try await sent(bench, atLeast: 300)
                #expect(try await bench.console("stats").contains("\"phone_states\":[\"\(app == "call" ? "call" : "recognizing")\"]"))
                try await bench.console(each: "screenshot \(bench.path("microphone.png"))", "tap \"Toggle \(app)\"", "wait Silent 30")
                try await bench.waitUntilGone("Microphone")
                isWhole = car.dropped == 0 && count("microphone-opened") == before + 1
            } while !isWhole && attempts < 3
            try await bench.console("quit")
            _ = try await bench.headUnit?.exitStatus()

            let whole = try Recorded(bench.path("\(app).wav")), heard = whole.first(Double(car.packets) / 100) // what came before the counts were read
            #expect(heard.sampleRate == 16_000 && heard.seconds > 2, "\(heard.seconds) s")
            let tone = heard.tone(Double(Self.hertz)).dropFirst(2), levels = heard.levels.dropFirst(2)
            #expect(tone.allSatisfy { abs($0 - 0.3) < 0.02 }, "its level: \(tone)")
            #expect(levels.allSatisfy { abs($0 - 0.3 / Float(2).squareRoot()) < 0.015 }, "and nothing else: \(levels)")
            #expect(heard.jumps(of: Double(Self.hertz), from: 0.1).isEmpty, "without gaps: of \(car.packets) packets \(car.dropped) were dropped")
            let spoken = try Recorded(bench.path("audio/telephony.wav")).tone(700)
            #expect(spoken.contains { abs($0 - 0.2 * 0.64) < 0.02 } == (app == "call"), "the other end of the call, at volume 80, is heard on its route only")
            #expect(isWhole && count("microphone-opened") >= attempts && count("microphone-closed") == count("microphone-opened"))
        }

        /// Packets of 10 ms that the car's open microphone has given, once they are so many.
        private func sent(_ bench: TestBench, atLeast wanted: Int) async throws -> (packets: Int, dropped: Int) {
            var last = ""
            for _ in 0..<600 {
                last = try await bench.console("audio")
                let microphone = (try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])?["microphone"] as? [String: Any]
                if microphone?["open"] as? Bool == true, let packets = microphone?["packets"] as? Int, let dropped = microphone?["dropped"] as? Int,
                   packets + dropped >= wanted { return (packets, dropped) }
                try await bench.console("sleep 0.05")
            }
            throw ToolError("the microphone did not give \(wanted) packets: \(last)")
        }

        @Test func aPlayerIsRefusedAndTheMicrophoneComesBackAfterACut() async throws {
            let bench = try await bench("eavesdropper", "call")
            try await bench.open("eavesdropper")
            try await bench.console(each: "tap \"Toggle eavesdropper\"", "wait \"Refused: incompatibleCategory\" 30")
            #expect(!bench.events("car.jsonl").contains("microphone-opened"))

            try await bench.open("call")
            try await bench.console(each: "tap \"Toggle call\"", "wait Microphone 30", "sleep 0.5")
            // The cable is out: the driver sees that nobody listens. The call goes on when it is back.
            try await bench.console("link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.waitUntilGone("Microphone")
            try await bench.console("link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.console("wait Microphone 30")
            // The sign is there before the device is.
            func opened() -> Int { bench.events("car.jsonl").filter { $0 == "microphone-opened" }.count }
            for _ in 0..<600 where opened() < 2 { try await bench.console("sleep 0.05") }
            #expect(opened() >= 2) // more where the phone found a better connection
            try await bench.console("quit")
        }
    }
}
