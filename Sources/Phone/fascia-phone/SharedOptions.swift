import ArgumentParser
import FasciaCarrier
import FasciaDiscovery
import FasciaPhone
import FasciaTrust
import Foundation

struct StateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the phone's key and the trusted cars are kept. Default: $XDG_STATE_HOME/fascia/phone, else ~/.local/state/fascia/phone.", valueName: "directory"))
    var stateDir: String?

    func open() throws -> StateDirectory { try StateDirectory.resolve(flag: stateDir, program: "phone") }
}

struct CarOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The car, by the name it announces (see: fascia-phone cars).", valueName: "name"))
    var car: String?

    @Option(help: ArgumentHelp("The car's address, without discovery. IPv6 in brackets.", valueName: "host:port"))
    var connect: String?

    func validate() throws {
        guard (car == nil) != (connect == nil) else { throw ValidationError("Give either --car NAME or --connect HOST:PORT.") }
        if let connect, CarrierAddress(connect) == nil {
            throw ValidationError("--connect takes HOST:PORT, for example 192.168.7.1:5740 or [fe80::1%wlan0]:5740; “\(connect)” is neither.")
        }
    }

    var target: PhoneConfiguration.Car {
        if let connect, let address = CarrierAddress(connect) { return .address(address) }
        return .named(car ?? "")
    }
}

struct CodeOption: ParsableArguments {
    @Option(help: ArgumentHelp("The 6-digit code the head unit shows; asked for on the terminal when it is needed and not given.", valueName: "code"))
    var code: String?

    func validate() throws {
        if let code, code.count != 6 || !code.allSatisfy({ $0.isASCII && $0.isNumber }) {
            throw ValidationError("--code takes the six digits the head unit shows, for example 042137.")
        }
    }

    /// Nil when there is neither a code nor somebody to ask.
    var provider: (@Sendable () async -> String?)? {
        if let code { return { code } }
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        return { await CodePrompt.ask() }
    }
}

enum CodePrompt {
    /// Asks on the terminal, off the main thread; nil at end of input.
    static func ask() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while true {
                    FileHandle.standardError.write(Data("Code shown by the head unit (6 digits): ".utf8))
                    guard let line = readLine() else { return continuation.resume(returning: nil) }
                    let digits = line.filter { !$0.isWhitespace }
                    if digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }) { return continuation.resume(returning: digits) }
                }
            }
        }
    }
}

struct NameOption: ParsableArguments {
    /// Longest name Hello carries, in bytes (spec "Hello").
    private static let longest = 64

    @Option(help: ArgumentHelp("This phone's name, as the car shows it.", valueName: "name"))
    var name: String = NameOption.hostName

    func validate() throws {
        guard !name.allSatisfy(\.isWhitespace), name.utf8.count <= Self.longest,
              !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValidationError("--name takes 1 to \(Self.longest) bytes of text without control characters.")
        }
    }

    private static var hostName: String {
        let host = ProcessInfo.processInfo.hostName
        return host.isEmpty ? "Phone" : String(host.prefix(longest / 4))
    }
}
