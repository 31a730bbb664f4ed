import FasciaProcesses
import Foundation
import Testing

/// Both programs live by CLOCK_MONOTONIC, each by its own: what the time of day does, and what the other's clock says, is nothing to them.
extension EndToEnd {
    @Suite struct ClockTests {
        /// A library between the programs and libc that moves the wall clock by the seconds in a file. The machine's own clock is everybody's.
        private static let stepper = """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <sys/time.h>
            #include <time.h>
            #include <unistd.h>
            static long step(void) {
                char text[32] = {0};
                int file = open(getenv("CLOCK_STEP"), O_RDONLY | O_CLOEXEC);
                if (file < 0) return 0;
                if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
                close(file);
                return atol(text);
            }
            int clock_gettime(clockid_t clock, struct timespec *time) {
                long result = syscall(SYS_clock_gettime, clock, time);
                if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += step();
                return result;
            }
            time_t time(time_t *result) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                if (result) *result = now.tv_sec;
                return now.tv_sec;
            }
            int gettimeofday(struct timeval *restrict result, void *restrict zone) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
                return 0;
            }
            """

        @Test func theWallClockIsSetWhileASessionIsUp() async throws {
            let bench = try TestBench()
            let source = bench.path("stepper.c"), library = bench.path("stepper.so"), file = bench.path("step")
            try Self.stepper.write(toFile: source, atomically: true, encoding: .utf8)
            try "0".write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await SystemCommand.run("clang", ["-shared", "-fPIC", "-O1", "-o", library, source]).status == 0) // comes with Swift
            let environment = ["LD_PRELOAD": library, "CLOCK_STEP": file]
            try await bench.startHeadUnitDirectly(environment: environment)
            try await bench.startPhone(["--connect", bench.address], environment: environment)
            try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
            for (number, step) in [400 * 86_400, -400 * 86_400, 0].enumerated() {
                try "\(step)".write(toFile: file, atomically: true, encoding: .utf8)
                let date = try await ChildProgram("/bin/date", ["+%s"], environment: environment)
                _ = try await date.exitStatus()
                let shown = try #require(Double(date.transcript.split(separator: "\n").first ?? ""))
                #expect(abs(shown - Date().timeIntervalSince1970 - Double(step)) < 60, "the clock is set")
                // Longer than silence would be believed in; then a new connection, for which tickets may be too old or not be made yet.
                try await bench.console(each: "sleep 2", "tap Browse", "wait Moods 30", "link reset")
                for _ in 0..<600 where bench.events("car.jsonl").count(where: { $0 == "resumed" }) <= number { try await bench.console("sleep 0.05") }
                #expect(bench.events("car.jsonl").count { $0 == "resumed" } > number)
                try await bench.console(each: "wait Moods 30", "tap Library", "wait \"Recently Played\" 30")
            }
            let phone = bench.events("phone.jsonl")
            #expect(phone.count { $0 == "paired" } == 1 && phone.count { $0 == "connected" } == 1)
            #expect(!phone.contains("disconnected") && !phone.contains("scene-disconnected"))
        }

        /// Machines that were switched on at different times; the head unit then comes back on one that was switched on later.
        @Test(.enabled(if: geteuid() == 0, "a time namespace is for root to make"))
        func theMonotonicClocksAreOfDifferentMachines() async throws {
            func started(_ seconds: Int) -> [String] { ["/usr/bin/unshare", "--time", "--monotonic", "\(seconds)", "--boottime", "\(seconds)"] }
            let bench = try TestBench(), moved: UInt64 = 30_000_000_000_000_000
            try await bench.startHeadUnitDirectly(launcher: started(30_000_000))
            try await bench.startPhone(["--connect", bench.address], launcher: started(1_000))
            try await bench.console(each: "wait \"Rubber Soul\" 30", "link reset")
            _ = try await bench.require(phone: "resumed")
            try await bench.tapOnceConnected("Rubber Soul")
            try await bench.console("wait \"Recently Played\" 30")
            bench.headUnit?.signal(SIGKILL)
            _ = try await bench.headUnit?.exitStatus()
            try await bench.startHeadUnit(["--no-discovery", "--listen", bench.address])
            try await bench.console(each: "wait \"Rubber Soul\" 30", "tap \"Rubber Soul\"", "wait \"Recently Played\" 30")
            let phone = try await bench.events("phone.jsonl") { $0.count { $0 == "connected" } == 2 }
            #expect(phone.count { $0 == "paired" } == 1 && phone.count { $0 == "connected" } == 2)
            let times = bench.records("first-frame", in: "car.jsonl").compactMap { $0["t_ns"] as? UInt64 } // a Double cannot hold them
            #expect((times.max() ?? 0) > moved && (times.last ?? .max) < moved, "the clocks were moved")
        }
    }
}
