// swift-tools-version: 6.2
// The fuzz targets under libFuzzer, built by `fascia fuzz`, and programs that replay a corpus, for its coverage. A package of its own
// because everything in it and below is built with sanitizers or counters.
import PackageDescription

let package = Package(
    name: "FasciaFuzz",
    dependencies: [.package(name: "Fascia", path: "../..")],
    targets: [("core", "FuzzCore"), ("system", "FuzzSystem")].flatMap { (name, library) -> [Target] in
        let dependencies: [Target.Dependency] = [.product(name: library, package: "Fascia")]
        return [
            .executableTarget(
                name: "fuzz-\(name)", dependencies: dependencies, path: "Targets/fuzz-\(name)",
                swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
            .executableTarget(name: "replay-\(name)", dependencies: dependencies, path: "Targets/replay-\(name)", swiftSettings: [.swiftLanguageMode(.v6)]),
        ]
    }
)
