import FasciaProcesses
import Foundation
import Testing

/// Phone and car contend for the screen, over a real connection.
extension EndToEnd {
    @Suite struct OwnershipTests {
        /// Both ends' last word on the resources.
        private func agree(_ bench: TestBench, screen: String) async throws {
            let stats = try await bench.console("stats")
            let report = try #require(try JSONSerialization.jsonObject(with: Data(stats.utf8)) as? [String: Any])
            let holding = try #require((report["ownership"] as? [String: Any])?["screen"] as? [String: Any])
            #expect("\(holding["owner"] ?? "")/\(holding["borrower"] ?? "")" == screen)
            for _ in 0..<600 where last("screen", in: bench) != screen { try await bench.console("sleep 0.05") }
            #expect(last("screen", in: bench) == screen)
        }

        /// Owner and borrower as the phone's events say.
        private func last(_ resource: String, in bench: TestBench) -> String? {
            bench.records("ownership", in: "phone.jsonl").last { $0["resource"] as? String == resource }.map { "\($0["owner"] ?? "")/\($0["borrower"] ?? "")" }
        }

        @Test func reverseGearDuringAStreamOfCommitsAndOverACut() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            // A clock that goes a hundred times a second: there is always a commit on its way.
            try await bench.startPhone(["--connect", bench.address, "--tick", "10"])
            try await bench.console("wait \"Rubber Soul\" 30")
            for _ in 0..<10 {
                try await bench.console(each: "reverse-gear on", "wait Reverse 30")
                #expect(try await bench.console("tree").contains("\"screen\":\"reverse-camera\""))
                try await bench.console("reverse-gear off")
                #expect(try await bench.console("tree").contains("Rubber Soul"), "its picture is back at once")
            }
            try await agree(bench, screen: "phone/none")
            let commits = try await commits(bench)
            try await bench.console("reverse-gear on")
            for _ in 0..<600 where try await self.commits(bench) <= commits { try await bench.console("sleep 0.05") }
            #expect(try await self.commits(bench) > commits, "the phone goes on unseen")
            await #expect(throws: ToolError.self) { try await bench.console("tap 400 240") }
            try await agree(bench, screen: "phone/car")

            try await bench.console("link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.console("reverse-gear off")
            try await bench.console("link restore")
            _ = try await bench.require(phone: "resumed")
            try await bench.console("wait \"Rubber Soul\" 30")
            try await agree(bench, screen: "phone/none")
            try await bench.tapOnceConnected("Rubber Soul")
            try await bench.console("wait \"Recently Played\" 30")
        }

        /// Srirocka plays; the car's call borrows main audio, its radio takes it.
        @Test func aCallInterruptsPlaybackForAWhileAndTheRadioForGood() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--audio-out", "null"])
            try await bench.startPhone(["--connect", bench.address, "--app", TestBench.program("Srirocka")])
            try await bench.console(each: "wait Srirocka 30", "tap Srirocka", "wait \"Tin Roof\" 30", "tap \"Tin Roof\"", "wait \"Tin Roof Waltz\" 30", "tap \"Tin Roof Waltz\"")
            try await mainAudio(bench, is: "phone/none")
            try await interruptions(bench, are: [])

            try await bench.console(each: "carcall ring", "wait \"Incoming call\" 30")
            try await mainAudio(bench, is: "phone/car")
            try await interruptions(bench, are: ["began"])
            try await bench.console(each: "tap Answer", "wait \"End call\" 30", "tap \"End call\"")
            try await mainAudio(bench, is: "phone/none")
            try await interruptions(bench, are: ["began", "ended, resume"])

            try await bench.console("radio on")
            try await mainAudio(bench, is: "car/none")
            try await interruptions(bench, are: ["began", "ended, resume", "began"])
            // What the car does while the cable is out is heard afterwards.
            try await bench.console("link cut")
            _ = try await bench.require(phone: "suspected")
            try await bench.console(each: "radio off", "link restore")
            _ = try await bench.require(phone: "resumed")
            try await mainAudio(bench, is: "none/none")
            try await interruptions(bench, are: ["began", "ended, resume", "began", "ended"])
        }

        /// Both ends say so.
        private func mainAudio(_ bench: TestBench, is wanted: String) async throws {
            for _ in 0..<600 where last("main-audio", in: bench) != wanted { try await bench.console("sleep 0.05") }
            #expect(last("main-audio", in: bench) == wanted)
            let report = try #require(try JSONSerialization.jsonObject(with: Data(try await bench.console("stats").utf8)) as? [String: Any])
            let holding = try #require((report["ownership"] as? [String: Any])?["main_audio"] as? [String: Any])
            #expect("\(holding["owner"] ?? "")/\(holding["borrower"] ?? "")" == wanted)
        }

        /// What the app was told, as the phone's events say.
        private func interruptions(_ bench: TestBench, are wanted: [String]) async throws {
            func seen() -> [String] {
                bench.records("audio-interruption", in: "phone.jsonl").map { "\($0["state"] ?? "")\($0["should_resume"] as? Bool == true ? ", resume" : "")" }
            }
            for _ in 0..<600 where seen() != wanted { try await bench.console("sleep 0.05") }
            #expect(seen() == wanted)
        }

        private func commits(_ bench: TestBench) async throws -> Int {
            let stats = try await bench.console("stats")
            return (try JSONSerialization.jsonObject(with: Data(stats.utf8)) as? [String: Any])?["commits"] as? Int ?? 0
        }
    }
}
