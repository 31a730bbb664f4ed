import FasciaProcesses
import Foundation
import FuzzCore

/// What the corpora in the repository reach, by llvm-cov.
struct Coverage {
    private let workshop: Workshop

    init(_ workshop: Workshop) { self.workshop = workshop }

    /// Whose regions a row counts, and which targets' corpora count for it.
    private struct Row {
        let name: String
        /// Folder or file below the package.
        let source: String
        let targets: [String]
        /// Only functions whose mangled name holds one of this: of generated code only what decodes.
        var functions: [String] = []
    }

    private static let messages = ["control", "pairing-messages", "input", "vehicle", "display", "semantics", "audio", "ownership", "resource-header"]

    private static let rows = [
        Row(name: "framing", source: "Sources/Protocol/FasciaFraming", targets: ["frame", "reassembly", "link", "conversation"]),
        Row(name: "link machine", source: "Sources/Protocol/FasciaLink", targets: ["link", "conversation"]),
        Row(name: "message decoding", source: "Sources/Protocol/FasciaWire/Generated", targets: messages, functions: ["decodeMessage"]),
        Row(name: "resource header", source: "Sources/Protocol/FasciaWire/ResourceHeader.swift", targets: ["resource-header"]),
        Row(name: "messages of sound", source: "Sources/Protocol/FasciaWire/Sound", targets: ["audio"]),
        Row(name: "ownership", source: "Sources/Protocol/FasciaResources", targets: ["arbiter"]),
        Row(name: "pairing", source: "Sources/Protocol/FasciaPairing", targets: ["pairing"]),
        Row(name: "App Link frames", source: "Sources/Phone/FasciaAppLink/Codec", targets: ["app-link"]),
        Row(name: "App Link messages", source: "Sources/Phone/FasciaAppLink/Generated", targets: ["from-app", "to-app"], functions: ["decodeMessage"]),
        Row(name: "bundle", source: "Sources/Phone/FasciaAppLink/Bundle", targets: ["bundle"]),
        Row(name: "app's backtraces", source: "Sources/Phone/FasciaAppHost/Report/BacktracePipe.swift", targets: ["app-report"], functions: ["parse"]),
        Row(name: "car messages", source: "Sources/Phone/FasciaPhone/Car/CarMessage.swift", targets: ["car-message"]),
        Row(name: "app sound datagrams", source: "Sources/Phone/FasciaAppSound/Codec", targets: ["sound-datagram", "app-sound"]),
        Row(name: "app sound messages", source: "Sources/Phone/FasciaAppSound/Generated", targets: ["sound-datagram", "app-sound"], functions: ["decodeMessage"]),
        Row(name: "audio sessions", source: "Sources/Phone/FasciaAudioSession", targets: ["audio-policy", "app-sound"]),
        Row(name: "phone's sound", source: "Sources/Phone/FasciaPhone/Sound/SoundHub", targets: ["app-sound"]),
        Row(name: "jitter buffer", source: "Sources/Sound/FasciaSound/Buffering", targets: ["mixer", "car-sound"]),
        Row(name: "mixer", source: "Sources/Sound/FasciaSound/Mixing", targets: ["mixer", "car-sound"]),
        Row(name: "car's sound", source: "Sources/HeadUnit/FasciaHeadUnit/Audio/Sound", targets: ["car-sound"]),
        Row(name: "sound files", source: "Sources/Sound/FasciaSoundFile/SoundFileReader.swift", targets: ["sound-file"]),
        Row(name: "resources", source: "Sources/Display/FasciaCompositor/Resources", targets: ["resource", "scene"]),
        Row(name: "layers", source: "Sources/Display/FasciaCompositor/Layers", targets: ["scene"]),
        Row(name: "drawing", source: "Sources/Display/FasciaCompositor/Drawing", targets: ["scene"]),
        Row(name: "semantics", source: "Sources/HeadUnit/FasciaHeadUnit/Session/SemanticsStore.swift", targets: ["scene"]),
        Row(name: "images", source: "Sources/Display/FasciaPaint/ImageDecoder.swift", targets: ["image"]),
        Row(name: "console", source: "Sources/HeadUnit/FasciaHeadUnit/Console/ConsoleCommand.swift", targets: ["console"]),
        Row(name: "profile", source: "Sources/HeadUnit/FasciaHeadUnit/Profile", targets: ["profile"]),
        Row(name: "trust document", source: "Sources/Transport/FasciaTrust/TrustDocument.swift", targets: ["trust"]),
        Row(name: "TXT record", source: "Sources/Transport/FasciaDiscovery/ServiceText.swift", targets: ["txt"]),
        Row(name: "event file", source: "Sources/Transport/FasciaEvents/EventRecord.swift", targets: ["event"]),
        Row(name: "netlink", source: "Sources/Transport/FasciaEvidence/Netlink/NetlinkMessage.swift", targets: ["netlink"]),
    ]

    func report(_ targets: [FuzzTarget]) async throws {
        let wanted = Set(targets.map(\.name))
        let core = Set(FuzzTarget.core.map(\.name))
        let unmeasured = wanted.subtracting(Self.rows.flatMap(\.targets))
        if !unmeasured.isEmpty { throw ToolError("no row of the table counts for \(unmeasured.sorted().joined(separator: ", "))") }
        say("\("".padding(toLength: 20, withPad: " ", startingAt: 0))regions  reached       %")
        for isCore in [true, false] {
            let rows = Self.rows.filter { core.contains($0.targets[0]) == isCore && !wanted.isDisjoint(with: $0.targets) }
            if rows.isEmpty { continue }
            let product = isCore ? "replay-core" : "replay-system"
            let (program, failure) = try await workshop.build(product, scratch: "coverage", flags: ["-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping"])
            if let failure { throw ToolError(failure) }
            for row in rows { say(try await line(row, program)) }
        }
    }

    private func line(_ row: Row, _ program: String) async throws -> String {
        var raws: [String] = []
        for name in row.targets {
            guard let target = FuzzTarget.core.first(where: { $0.name == name }) else {
                raws.append(try await replay(name, program))
                continue
            }
            raws.append(try await replay(target.name, program))
        }
        let profile = "\(workshop.folder)/\(row.name.map { $0.isLetter ? String($0) : "-" }.joined()).profdata"
        try await run(Self.tool("llvm-profdata"), ["merge", "-sparse"] + raws + ["-o", profile])
        let export = "\(workshop.folder)/coverage.json"
        try await run("sh", ["-c", "'\(Self.tool("llvm-cov"))' export '\(program)' -instr-profile='\(profile)' '\(workshop.package)/\(row.source)' > '\(export)'"])
        let document = try JSONDecoder().decode(Export.self, from: Data(contentsOf: URL(fileURLWithPath: export)))
        let (all, reached, missed) = document.regions(in: "\(workshop.package)/\(row.source)", functions: row.functions)
        let share = all == 0 ? 0 : 100 * Double(reached) / Double(all)
        let places = missed.prefix(ProcessInfo.processInfo.environment["FASCIA_COVERAGE_PLACES"].flatMap { Int($0) } ?? 0).map { "\n      \($0)" }.joined()
        return row.name.padding(toLength: 20, withPad: " ", startingAt: 0) + String(format: "%7d  %7d  %6.1f", all, reached, share) + places
    }

    /// The toolchain's own, beside `swift`: another LLVM's may not read its profiles.
    private static func tool(_ name: String) -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/swift") {
            let beside = URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
            if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        }
        return name
    }

    private func replay(_ target: String, _ program: String) async throws -> String {
        let raw = "\(workshop.folder)/\(target).profraw"
        let child = try await ChildProgram(
            program, ["\(workshop.package)/Fixtures/fuzz/\(target)"], environment: ["LLVM_PROFILE_FILE": raw, FuzzTarget.environmentKey: target, "SWIFT_BACKTRACE": "enable=no"])
        guard try await child.exitStatus(within: .seconds(600)) == 0 else { throw ToolError("\(target): \(child.transcript)") }
        return raw
    }

    private func run(_ program: String, _ arguments: [String]) async throws {
        let (status, output) = try await SystemCommand.run(program, arguments)
        if status != 0 { throw ToolError("\(program): \(output)") }
    }
}

/// What `llvm-cov export` writes, as far as it is needed here.
private struct Export: Decodable {
    struct Function: Decodable {
        let name: String
        let filenames: [String]
        /// Each: line, column, end line, end column, count, file, expanded file, kind (0 is code).
        let regions: [[UInt64]]
    }
    struct Unit: Decodable { let functions: [Function] }
    let data: [Unit]

    /// A region counts once, however often its function was specialised.
    func regions(in source: String, functions wanted: [String]) -> (all: Int, reached: Int, missed: [String]) {
        var counts: [String: UInt64] = [:]
        for function in data.flatMap(\.functions) {
            guard wanted.isEmpty || wanted.contains(where: function.name.contains) else { continue }
            for region in function.regions where region.count >= 8 && region[7] == 0 && region[5] < function.filenames.count {
                let file = function.filenames[Int(region[5])]
                guard file.hasPrefix(source) else { continue }
                let key = "\(file.split(separator: "/").last ?? ""):\(region[0]):\(region[1])-\(region[2]):\(region[3])"
                counts[key] = max(counts[key] ?? 0, region[4])
            }
        }
        let missed = counts.filter { $0.value == 0 }.map(\.key).sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        return (counts.count, counts.count - missed.count, missed)
    }
}
