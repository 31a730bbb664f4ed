import FasciaProcesses
import Foundation
import Testing

/// Someone on the path has recorded what a phone said, and says it again.
extension EndToEnd {
    @Suite struct ReplayTests {
        /// Types of the TLS records in a recording.
        private static func records(_ bytes: Data) -> [UInt8] {
            let bytes = [UInt8](bytes)
            var types: [UInt8] = [], at = 0
            while at + 5 <= bytes.count {
                types.append(bytes[at])
                at += 5 + Int(bytes[at + 3]) << 8 + Int(bytes[at + 4])
            }
            return types
        }

        @Test func aRecordedFlightResumesNothingAndTroublesNobody() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let port = try #require(Int(bench.address.split(separator: ":").last ?? ""))
            let proxy = try RecordingProxy(to: port)
            defer { proxy.end() }
            try await bench.startPhone(["--connect", "127.0.0.1:\(proxy.port)"])
            try await bench.console(each: "wait \"Rubber Soul\" 30", "link reset")
            _ = try await bench.require(phone: "resumed")
            try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
            // A ClientHello (22), and behind it early data (23) before the server had said a word.
            let flights = proxy.flights.filter { Self.records($0).first == 22 && Self.records($0).contains(23) }
            let flight = try #require(flights.last)
            let before = bench.events("car.jsonl")
            #expect(bench.records("secured", in: "phone.jsonl").last?["early_data"] as? String == "accepted")

            for _ in 0..<4 {
                let descriptor = try Socket.connect(toLoopbackPort: port)
                var limit = timeval(tv_sec: 10, tv_usec: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                #expect(flight.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == flight.count)
                var answer = [UInt8](repeating: 0, count: 4_096)
                #expect(read(descriptor, &answer, answer.count) > 0, "the head unit goes on with a full handshake")
                close(descriptor)
            }
            _ = try await bench.require(car: "rejected")
            try await bench.console(each: "tap Browse", "wait Moods 30")
            // The session is the phone's still: it resumes it once more.
            try await bench.console("link reset")
            var resumes = 0
            for _ in 0..<600 where resumes < 2 {
                try await bench.console("sleep 0.05")
                resumes = bench.events("car.jsonl").count { $0 == "resumed" }
            }
            try await bench.console(each: "wait Moods 30")
            let after = bench.events("car.jsonl").dropFirst(before.count)
            #expect(after.count { $0 == "resumed" } == 1 && !after.contains("connected") && !after.contains("disconnected"), "\(Array(after))")
            #expect(bench.events("phone.jsonl").count { $0 == "connected" } == 1)
            #expect(!bench.events("phone.jsonl").contains("scene-disconnected"))
        }
    }
}
