import FasciaProcesses
import Foundation
import Testing

/// Nothing grows with the number of connections. FASCIA_FLATNESS_CYCLES=1000 makes it the long form; `fascia chaos` adds every kind of fault.
extension EndToEnd {
    @Suite struct FlatnessTests {
        private static let cycles = max(15, ProcessInfo.processInfo.environment["FASCIA_FLATNESS_CYCLES"].flatMap { Int($0) } ?? 30)
        /// Growth of one process's own memory: caches fill, threads wake, and the allocator keeps some megabytes for itself.
        private static let warmUp = 16 << 20
        /// What a connection may leave in the heap once caches are full, bytes. The least it could, its machine, TLS and session, is more than ten times that.
        private static let perConnection = 1_024.0

        @Test func descriptorsAndMemoryStayFlatOverReconnects() async throws {
            let bench = try TestBench(), heap = try await HeapWatch(bench)
            // A grace so short that every cut is the end of a session and of its scene.
            try await bench.startHeadUnitDirectly(["--grace", "50"], environment: heap.environment)
            let phone = try await bench.startPhone(["--connect", bench.address], environment: heap.environment)
            var pids = [("head unit", try #require(bench.headUnit).pid), ("phone", phone.pid)]
            var readings: [String: [(usage: ProcessUsage, heap: Int)]] = [:]
            for cycle in 0 ..< Self.cycles {
                try await Self.openApp(bench)
                if cycle == 0 {
                    let launched = try await bench.require(phone: "app-launched")
                    pids.append(("app", try #require(launched.split(separator: "pid=").last.flatMap { Int32($0.prefix { $0.isNumber }) })))
                }
                // The first ones fill caches, and start what is started once.
                if cycle % 10 == 9 || cycle == Self.cycles - 1 {
                    for (name, pid) in pids { readings[name, default: []].append((try #require(ProcessUsage(of: pid)), try heap.bytes(of: pid))) }
                }
                if cycle == Self.cycles - 1 { break }
                // A goodbye ends the session at once; a cut takes its 1.5 s to be believed, which a shorter time would not be on a busy
                // machine: there sessions would end by themselves.
                if cycle.isMultiple(of: 10) {
                    try await bench.console(each: "link cut", "wait \"Waiting for phone\" 30", "link restore")
                } else {
                    try await bench.console("link goodbye")
                }
            }
            for (name, readings) in readings {
                let (first, _) = try #require(readings.first)
                var (last, left) = try #require(readings.last)
                /// What a connection that ended has left goes in its time.
                func isFlat() -> Bool { last.descriptors <= first.descriptors && last.threads <= first.threads + 2 && last.own < first.own + Self.warmUp }
                let pid = try #require(pids.first { $0.0 == name }).1
                for _ in 0..<400 where !isFlat() {
                    try await bench.console("sleep 0.05")
                    (last, left) = (try #require(ProcessUsage(of: pid)), try heap.bytes(of: pid))
                }
                let slope = Self.slope(readings.suffix(readings.count / 2).map { Double($0.heap) }) / 10
                if Self.cycles > 30 {
                    print("\(name) after 10 and \(Self.cycles) connections: \(first) \(last), heap \(left), \(Int(slope)) bytes a connection in the later half")
                }
                #expect(last.descriptors <= first.descriptors, "\(name): \(first) \(last)")
                #expect(last.threads <= first.threads + 2, "\(name): \(first) \(last)")
                #expect(last.own < first.own + Self.warmUp, "\(name): \(first) \(last)")
                if Self.cycles >= 200 { #expect(slope < Self.perConnection, "\(name): \(readings.map(\.heap))") }
            }
            let scenes = bench.events("phone.jsonl").filter { $0.hasPrefix("scene-") }
            #expect(scenes.count >= 2 * Self.cycles - 1)
            for (number, event) in scenes.enumerated() { #expect(event == (number.isMultiple(of: 2) ? "scene-connected" : "scene-disconnected")) }
        }

        /// Median of the slopes between all pairs (Theil and Sen): a cache that grows once is no leak.
        private static func slope(_ values: [Double]) -> Double {
            let slopes = values.indices.flatMap { i in values[..<i].enumerated().map { (values[i] - $1) / Double(i - $0) } }.sorted()
            return slopes.isEmpty ? 0 : slopes[slopes.count / 2]
        }

        /// On a machine that stands still for a second and a half a session ends by itself, and a tap goes with it.
        private static func openApp(_ bench: TestBench) async throws {
            for attempt in 1... {
                do {
                    try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
                    return
                } catch where attempt < 10 {}
            }
        }
    }
}
