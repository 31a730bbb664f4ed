// swift-tools-version: 6.2
// Fuzzers of the protocol core, run by `scripts/fuzz`. A package of its own because every file in it is built for libFuzzer.
import PackageDescription

let package = Package(
    name: "FasciaFuzz",
    dependencies: [.package(name: "Fascia", path: "../..")],
    targets: ["framing", "link", "resource"].map { name in
        .executableTarget(
            name: "fuzz-\(name)", dependencies: [.product(name: "FuzzBodies", package: "Fascia")], path: "Targets/fuzz-\(name)",
            swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])])
    }
)
