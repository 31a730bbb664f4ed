import FasciaProcesses
import Foundation
import Testing

/// Nothing grows with the number of connections. FASCIA_FLATNESS_CYCLES=1000 makes it the long form; `fascia chaos` adds every kind of fault.
extension EndToEnd {
    @Suite struct FlatnessTests {
        private static let cycles = max(15, ProcessInfo.processInfo.environment["FASCIA_FLATNESS_CYCLES"].flatMap { Int($0) } ?? 30)
        /// Growth of one process's own memory over its first connections, which fill caches and wake threads.
        private static let warmUp = 8 << 20
        /// Afterwards, over the later half: what the stacks of threads and the allocator take more, and what is left for each connection.
        /// The least a connection could leave, its machine, TLS and session, is more than ten times that.
        private static let noise = 256 << 10, perConnection = 1_024

        @Test func descriptorsAndMemoryStayFlatOverReconnects() async throws {
            let bench = try TestBench()
            // A grace so short that every cut is the end of a session and of its scene.
            try await bench.startHeadUnitDirectly(["--grace", "50"])
            let phone = try await bench.startPhone(["--connect", bench.address])
            var pids = [("head unit", try #require(bench.headUnit).pid), ("phone", phone.pid)]
            var before: [String: ProcessUsage] = [:], halfway: [String: ProcessUsage] = [:]
            let half = Self.cycles / 2
            for cycle in 0 ..< Self.cycles {
                try await Self.openApp(bench)
                if cycle == 0 {
                    let launched = try await bench.require(phone: "app-launched")
                    pids.append(("app", try #require(launched.split(separator: "pid=").last.flatMap { Int32($0.prefix { $0.isNumber }) })))
                }
                // The first ones fill caches, and start what is started once.
                if cycle == 9 { for (name, pid) in pids { before[name] = ProcessUsage(of: pid) } }
                if cycle == half { for (name, pid) in pids { halfway[name] = ProcessUsage(of: pid) } }
                if cycle == Self.cycles - 1 { break }
                // A goodbye ends the session at once; a cut takes its 1.5 s to be believed, which a shorter time would not be on a busy
                // machine: there sessions would end by themselves.
                if cycle.isMultiple(of: 10) {
                    try await bench.console(each: "link cut", "wait \"Waiting for phone\" 30", "link restore")
                } else {
                    try await bench.console("link goodbye")
                }
            }
            for (name, pid) in pids {
                let first = try #require(before[name]), middle = try #require(halfway[name]), last = try #require(ProcessUsage(of: pid))
                if Self.cycles > 30 { print("\(name) after 10, \(half) and \(Self.cycles) connections: \(first) \(middle) \(last)") }
                #expect(last.descriptors <= first.descriptors, "\(name): \(first) \(last)")
                #expect(last.threads <= first.threads + 2, "\(name): \(first) \(last)")
                #expect(last.own < first.own + Self.warmUp, "\(name): \(first) \(last)")
                if Self.cycles >= 200 {
                    #expect(last.own < middle.own + Self.noise + Self.perConnection * (Self.cycles - half), "\(name): \(middle) \(last)")
                }
            }
            let scenes = bench.events("phone.jsonl").filter { $0.hasPrefix("scene-") }
            #expect(scenes.count >= 2 * Self.cycles - 1)
            for (number, event) in scenes.enumerated() { #expect(event == (number.isMultiple(of: 2) ? "scene-connected" : "scene-disconnected")) }
        }

        /// On a machine that stands still for a second and a half a session ends by itself, and a tap goes with it.
        private static func openApp(_ bench: TestBench) async throws {
            for attempt in 1... {
                do {
                    try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 10")
                    return
                } catch where attempt < 10 {}
            }
        }
    }
}
