import FasciaProcesses
import Foundation
import Testing

/// Whatever one side does wrong is told by name, and the others go on.
extension EndToEnd {
    @Suite struct HostileInputTests {
        @Test func garbageNonTLSAndOldTLSClientsAreTurnedAwayWhileThePhoneIsServed() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            let port = try #require(Int(bench.address.split(separator: ":").last ?? ""))
            for bytes in [Data("GET / HTTP/1.0\r\n\r\n".utf8), Data(repeating: 0xFF, count: 100_000), Data([0x16, 3, 1, 0xFF, 0xFF])] {
                try Socket.send(bytes, toLoopbackPort: port)
            }
            let old = try await SystemCommand.run("openssl", ["s_client", "-connect", bench.address, "-tls1_2"])
            #expect(old.status != 0)
            let stranger = try await SystemCommand.run("openssl", ["s_client", "-connect", bench.address, "-alpn", "fascia/1", "-brief"])
            #expect(!stranger.output.contains("Verification: OK"))
            try await bench.console("tap Browse")
            try await bench.console("wait Moods 30")
            _ = try await bench.require(car: "rejected")
        }

        @Test func aWrongCodeIsNamedAndLeavesTheHeadUnitReady() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let wrong = try await bench.startPhone(["--connect", bench.address], code: "000000")
            #expect(try await wrong.exitStatus() == 1)
            #expect(wrong.transcript.contains("code"))
            try await bench.startPhone(["--connect", bench.address])
            try await bench.console("wait \"Rubber Soul\" 30")
        }

        @Test func anUnpairedPhoneWithNobodyToAskSaysWhatToDo() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly()
            let phone = try await bench.startPhone(["--connect", bench.address], code: nil)
            #expect(try await phone.exitStatus() == 1)
            #expect(phone.transcript.contains("--code"))
        }

        @Test func aForgottenCarIsPairedAnewOnlyWithTheCode() async throws {
            let bench = try TestBench()
            try await bench.openAppDirectly()
            bench.phone?.signal(SIGINT)
            #expect(try await bench.phone?.exitStatus() == 0)
            let forget = try await ChildProgram(TestBench.program("fascia-phone"), ["forget", TestBench.carName, "--state-dir", bench.path("phone")])
            #expect(try await forget.exitStatus() == 0)
            let refused = try await bench.startPhone(["--connect", bench.address], code: nil)
            #expect(try await refused.exitStatus() == 1)
            try await bench.startPhone(["--connect", bench.address])
            try await bench.console("wait \"Rubber Soul\" 30")
        }

        @Test func anAppThatCrashesIsNamedOnTheScreenAndTheOthersGoOn() async throws {
            let bench = try TestBench()
            let broken = try bench.makeApp(named: "Broken", script: "kill -SEGV $$")
            try await bench.startHeadUnitDirectly()
            try await bench.startPhone(["--connect", bench.address, "--app", broken])
            try await bench.console("wait Broken 30")
            try await bench.console("tap Broken")
            _ = try await bench.require(phone: "app-exited")
            try await bench.console("wait stopped 30")
            try await bench.console("key home")
            try await bench.console("tap \"Rubber Soul\"")
            try await bench.console("wait \"Recently Played\" 30")
        }

        @Test func anAppThatSendsGarbageIsEndedAndNamed() async throws {
            let bench = try TestBench()
            let broken = try bench.makeApp(named: "Noise", script: "head -c 65536 /dev/urandom >&$FASCIA_APP_FD; sleep 30")
            try await bench.startHeadUnitDirectly()
            try await bench.startPhone(["--connect", bench.address, "--app", broken])
            try await bench.console("wait Noise 30")
            try await bench.console("tap Noise")
            _ = try await bench.require(phone: "app-failed")
            try await bench.console("key home")
            try await bench.console("wait \"Rubber Soul\" 30")
        }
    }
}
