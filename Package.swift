// swift-tools-version: 6.2
import PackageDescription

/// Every own target: Swift 6 language mode, warnings are errors.
let core: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
let sansIO: [SwiftSetting] = core + [.strictMemorySafety()]
/// Sample apps build as real app code does.
let appCode: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

/// A library target under `Sources/<folder>/<name>` and its tests under `Tests/<name>Tests`.
func module(_ folder: String, _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = core,
            exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + dependencies, exclude: exclude, swiftSettings: core)
}

func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let systemLibraries: [Target] = [
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    system("CAvahi", apt: "libavahi-client-dev"), // no pkgConfig: avahi's flags are not allowed by SwiftPM
    system("CPango", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
    system("CPixbuf", pkgConfig: "gdk-pixbuf-2.0", apt: "libgdk-pixbuf-2.0-dev"),
    system("CPixman", pkgConfig: "pixman-1", apt: "libpixman-1-dev"),
    system("CSDL2", pkgConfig: "sdl2", apt: "libsdl2-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
]

let protocolModules: [Target] = [
    module("Protocol", "FasciaFraming", settings: sansIO),
    module("Protocol", "FasciaWire", [protobuf]),
    module("Protocol", "FasciaLink", ["FasciaFraming", "FasciaWire", protobuf], settings: sansIO),
    module("Protocol", "FasciaPairing", ["FasciaWire", "COpenSSL", protobuf]),
    tests("FasciaFraming", ["FixtureSupport"]), tests("FasciaWire", ["FasciaFraming", "FixtureSupport", protobuf]),
    tests("FasciaLink", ["FasciaFraming", "FasciaWire", "FixtureSupport", "FuzzBodies"]), tests("FasciaPairing", ["FasciaWire"]),
]

let testSupport: [Target] = [
    .target(name: "FixtureSupport", path: "Tests/FixtureSupport", swiftSettings: core),
    .target(name: "FuzzBodies", dependencies: ["FasciaFraming", "FasciaLink", "FasciaWire"], path: "Tests/Fuzz/Bodies", swiftSettings: sansIO),
]

let transportModules: [Target] = [
    module("Transport", "FasciaTLS", nio + ["COpenSSL"]),
    module("Transport", "FasciaTrust", ["FasciaTLS", "COpenSSL"]),
    module("Transport", "FasciaDiscovery", ["CAvahi", logging]),
    module("Transport", "FasciaCarrier", nio + ["FasciaLink", "FasciaPairing", "FasciaTLS", "FasciaTrust", "FasciaWire", logging]),
    module("Transport", "FasciaEvents"),
    tests("FasciaTLS", nio), tests("FasciaTrust", ["FasciaTLS"]), tests("FasciaDiscovery"), tests("FasciaCarrier", nio + ["FasciaLink", "FasciaPairing", "FasciaTLS", "FasciaTrust", "FasciaWire", logging]), tests("FasciaEvents"),
]

let displayModules: [Target] = [
    module("Display", "FasciaScene", ["FasciaWire", "COpenSSL", "CZstd"]),
    module("Display", "FasciaPaint", ["FasciaScene", "CPango", "CPixbuf"]),
    module("Display", "FasciaCompositor", ["FasciaScene", "FasciaWire", "CPixman", "CZstd"]),
    tests("FasciaScene", ["FasciaWire"]), tests("FasciaPaint", ["FasciaScene"]), tests("FasciaCompositor", ["FasciaScene", "FasciaWire"]),
]

let phoneModules: [Target] = [
    module("Phone", "FasciaAppLink", ["FasciaFraming", protobuf]),
    module("Phone", "FasciaTemplateUI", ["FasciaAppLink", "FasciaPaint", "FasciaScene", "FasciaWire"]),
    .target(name: "CAppSpawn", path: "Sources/Phone/CAppSpawn"),
    module("Phone", "FasciaAppHost", ["FasciaAppLink", "CAppSpawn", logging]),
    module("Phone", "FasciaPhone",
           ["FasciaAppHost", "FasciaAppLink", "FasciaCarrier", "FasciaDiscovery", "FasciaEvents", "FasciaLink", "FasciaPaint", "FasciaScene", "FasciaTLS", "FasciaTemplateUI", "FasciaTrust",
            "FasciaWire", logging, protobuf]),
    .executableTarget(name: "fascia-phone", dependencies: ["FasciaPhone", argumentParser], path: "Sources/Phone/fascia-phone", swiftSettings: core),
    tests("FasciaAppLink", ["FixtureSupport", protobuf]), tests("FasciaTemplateUI", ["FasciaAppLink", "FasciaCompositor", "FasciaPaint", "FasciaScene", "FasciaWire"]),
    tests("FasciaAppHost", ["FasciaAppLink", "RubberSoul", logging]), tests("FasciaPhone"),
]

let headUnitModules: [Target] = [
    module("HeadUnit", "FasciaHeadUnit",
           ["FasciaCarrier", "FasciaCompositor", "FasciaDiscovery", "FasciaEvents", "FasciaLink", "FasciaPaint", "FasciaPairing", "FasciaScene", "FasciaTLS", "FasciaTrust",
            "FasciaWire", "CSDL2", logging]),
    .executableTarget(name: "fascia-headunit", dependencies: ["FasciaHeadUnit", argumentParser], path: "Sources/HeadUnit/fascia-headunit", swiftSettings: core),
    tests("FasciaHeadUnit", ["FasciaScene", "FasciaWire"]),
]

let carPlayModules: [Target] = [
    .target(name: "CAppRuntime", path: "Sources/CarPlay/CAppRuntime"),
    module("CarPlay", "FasciaAppRuntime", ["FasciaAppLink", "CAppRuntime"]),
    module("CarPlay", "UIKit", ["FasciaAppRuntime", "CPixbuf"]),
    module("CarPlay", "_Testing_UIKit", ["UIKit"]),
    module("CarPlay", "CoreLocation"),
    module("CarPlay", "MapKit", ["CoreLocation", "UIKit"]),
    module("CarPlay", "MediaPlayer", ["UIKit", "FasciaAppRuntime"]),
    module("CarPlay", "CarPlay", ["FasciaAppRuntime", "MapKit", "MediaPlayer", "UIKit"]),
    .executableTarget(name: "RubberSoul", dependencies: ["CarPlay", "MediaPlayer", "UIKit"], path: "Sources/Samples/RubberSoul",
                      resources: [.copy("RubberSoul.app")], swiftSettings: appCode),
    tests("CarPlay", ["FasciaAppLink", "FasciaAppRuntime", "MediaPlayer", "UIKit", "_Testing_UIKit"]),
]

let tools: [Target] = [
    .target(name: "CAllocationCounter", path: "Sources/Tools/CAllocationCounter"),
    module("Tools", "FasciaTools",
           nio + ["CAllocationCounter", "FasciaCarrier", "FasciaDiscovery", "FasciaEvents", "FasciaFraming", "FasciaLink", "FasciaTLS", "FasciaTrust",
                  "FasciaWire", "COpenSSL", argumentParser, logging, .product(name: "NIOEmbedded", package: "swift-nio")]),
    tests("FasciaTools", ["FasciaEvents"]),
    .executableTarget(name: "fascia", dependencies: ["FasciaTools", argumentParser], path: "Sources/Tools/fascia", swiftSettings: core),
    .testTarget(name: "EndToEndTests",
                dependencies: ["fascia", "fascia-phone", "fascia-headunit", "RubberSoul", "FasciaEvents"],
                swiftSettings: core),
]

let package = Package(
    name: "Fascia",
    products: [
        .executable(name: "fascia", targets: ["fascia"]),
        .executable(name: "fascia-phone", targets: ["fascia-phone"]),
        .executable(name: "fascia-headunit", targets: ["fascia-headunit"]),
        .executable(name: "RubberSoul", targets: ["RubberSoul"]),
        .library(name: "FuzzBodies", targets: ["FuzzBodies"]), // for the package in Tests/Fuzz
        .library(name: "CarPlay", targets: ["CarPlay", "UIKit", "MapKit", "MediaPlayer", "CoreLocation", "_Testing_UIKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: systemLibraries + protocolModules + transportModules + displayModules + phoneModules + headUnitModules + carPlayModules + tools + testSupport
)
