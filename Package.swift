// swift-tools-version: 6.2
import PackageDescription

/// Every own target: Swift 6 language mode, warnings are errors.
let core: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
/// Cores without sockets, clock and Foundation.
let sansIO: [SwiftSetting] = core + [.strictMemorySafety()]
/// Sample apps build as real app code does.
let appCode: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")

// Each list below is one folder of Sources/ with its tests. A target names every module it imports, so the lists are the layering:
// arrows point from Tools, Phone and HeadUnit to Display and Transport, and from there to Protocol. CarPlay reaches the phone's
// side only through FasciaAppLink.

/// A library, `Sources/<folder>/<name>`.
func module(_ folder: String, _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = core) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: settings)
}

/// A command, `Sources/<folder>/<name>`.
func program(_ folder: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: exclude, swiftSettings: core)
}

/// The tests of one module, `Tests/<name>Tests`; the module itself is added.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + dependencies, swiftSettings: core)
}

/// A C library of the system, `Sources/System/<name>`.
func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let systemLibraries: [Target] = [
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    system("CAvahi", apt: "libavahi-client-dev"), // no pkgConfig: avahi's flags are not allowed by SwiftPM
    system("CEspeak", pkgConfig: "espeak-ng", apt: "libespeak-ng-dev"),
    system("CMalloc", apt: "libc6-dev"),
    system("CScheduling", apt: "libc6-dev"),
    system("CNetlink", apt: "linux-libc-dev"),
    system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
    system("CPango", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
    system("CPixbuf", pkgConfig: "gdk-pixbuf-2.0", apt: "libgdk-pixbuf-2.0-dev"),
    system("CPixman", pkgConfig: "pixman-1", apt: "libpixman-1-dev"),
    system("CResolver", apt: "libc6-dev"),
    system("CSamplerate", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
    system("CSDL2", pkgConfig: "sdl2", apt: "libsdl2-dev"),
    system("CSndfile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
]

let protocolModules: [Target] = [
    module("Protocol", "FasciaFraming", settings: sansIO),
    module("Protocol", "FasciaWire", [protobuf]),
    module("Protocol", "FasciaLink", ["FasciaFraming", "FasciaWire", deque], settings: sansIO),
    module("Protocol", "FasciaSession", ["FasciaLink", "FasciaWire"], settings: sansIO),
    module("Protocol", "FasciaResources", ["FasciaWire"], settings: sansIO),
    module("Protocol", "FasciaPairing", ["FasciaWire", "COpenSSL", protobuf]),
    tests("FasciaFraming", ["FixtureSupport"]),
    tests("FasciaWire", ["FixtureSupport", protobuf]),
    tests("FasciaLink", ["FasciaFraming", "FasciaWire", "FixtureSupport"]),
    tests("FasciaSession", ["FasciaLink", "FasciaWire"]),
    tests("FasciaResources", ["FasciaWire"]),
    tests("FasciaPairing", ["FasciaWire", protobuf]),
]

let transportModules: [Target] = [
    module("Transport", "FasciaTLS", ["COpenSSL", nioCore]),
    module("Transport", "FasciaTrust", ["FasciaTLS"]),
    module("Transport", "FasciaDiscovery", ["FasciaEvidence", "CAvahi", "CNetlink", "CResolver", logging]),
    module("Transport", "FasciaCarrier",
           ["FasciaLink", "FasciaPairing", "FasciaTLS", "FasciaThreads", "FasciaTrust", "FasciaWire", logging, nioCore, nioPosix]),
    module("Transport", "FasciaEvents"),
    module("Transport", "FasciaThreads", ["CScheduling"]),
    module("Transport", "FasciaService", ["FasciaEvents", "CMalloc"]),
    module("Transport", "FasciaEvidence", ["FasciaEvents", "CNetlink", logging]),
    tests("FasciaTLS", ["COpenSSL", nioCore, nioEmbedded]),
    tests("FasciaTrust", ["FasciaTLS"]),
    tests("FasciaDiscovery", ["CResolver"]),
    tests("FasciaCarrier", ["FasciaLink", "FasciaPairing", "FasciaTLS", "FasciaTrust", "FasciaWire", logging, nioCore, nioEmbedded, nioPosix]),
    tests("FasciaEvents", ["CMalloc"]),
    tests("FasciaService", ["FasciaEvents"]),
    tests("FasciaEvidence", ["FasciaEvents", "CNetlink", logging]),
]

let displayModules: [Target] = [
    module("Display", "FasciaScene", ["FasciaWire", "COpenSSL", "CZstd"]),
    module("Display", "FasciaPaint", ["FasciaScene", "CPango", "CPixbuf"]),
    module("Display", "FasciaCompositor", ["FasciaScene", "FasciaWire", "CPixman", "CZstd"]),
    tests("FasciaScene", ["FasciaWire"]),
    tests("FasciaPaint", ["FasciaScene"]),
    tests("FasciaCompositor", ["FasciaScene", "FasciaWire", "CZstd"]),
]

let soundModules: [Target] = [
    module("Sound", "FasciaSound", ["COpus", "CSamplerate"]), // no device, no clock, no thread
    module("Sound", "FasciaSoundFile", ["CSndfile"]), // apart from devices: apps read files too, and need no SDL
    module("Sound", "FasciaSoundIO", ["FasciaEvents", "FasciaSound", "FasciaSoundFile", "FasciaThreads", "CSDL2"]),
    tests("FasciaSound", ["FasciaLink", "FasciaSoundSimulation"]),
    tests("FasciaSoundIO", ["FasciaLink", "FasciaSound", "FasciaSoundFile", "CSDL2"]),
]

let phoneModules: [Target] = [
    module("Phone", "FasciaAppLink", ["FasciaFraming", protobuf]),
    module("Phone", "FasciaAppSound", [protobuf]),
    module("Phone", "FasciaAudioSession", ["FasciaSound"]),
    module("Phone", "FasciaTemplateUI", ["FasciaAppLink", "FasciaPaint", "FasciaScene", "FasciaWire"]),
    .target(name: "CAppSpawn", path: "Sources/Phone/CAppSpawn"),
    module("Phone", "FasciaAppHost", ["FasciaAppLink", "FasciaAppSound", "FasciaEvents", "CAppSpawn", logging]),
    module("Phone", "FasciaSymbols", ["FasciaAppHost"]), // alone with Swift's Runtime module: apps need not load it
    module("Phone", "FasciaPhone",
           ["FasciaAppHost", "FasciaAppLink", "FasciaAppSound", "FasciaAudioSession", "FasciaCarrier", "FasciaDiscovery", "FasciaEvents", "FasciaEvidence",
            "FasciaLink", "FasciaPaint", "FasciaResources", "FasciaScene", "FasciaSession", "FasciaSound", "FasciaTLS", "FasciaTemplateUI", "FasciaThreads",
            "FasciaTrust", "FasciaWire", logging, protobuf]),
    program("Phone", "fascia-phone",
            ["FasciaAppHost", "FasciaAppLink", "FasciaCarrier", "FasciaDiscovery", "FasciaEvents", "FasciaPhone", "FasciaService", "FasciaSymbols", "FasciaTLS",
             "FasciaTrust", argumentParser, logging], exclude: ["fascia-phone.service"]),
    tests("FasciaAppLink", ["FixtureSupport", protobuf]),
    tests("FasciaAppSound", ["FixtureSupport", protobuf]),
    tests("FasciaAudioSession"),
    tests("FasciaTemplateUI", ["FasciaAppLink", "FasciaCompositor", "FasciaPaint", "FasciaScene", "FasciaWire", protobuf]),
    tests("FasciaAppHost", ["FasciaAppLink", "FasciaSymbols", "RubberSoul", "WaywardApp", "fascia-phone", logging]), // programs: started, not imported
    tests("FasciaPhone", ["FasciaAppSound", "FasciaAudioSession", "FasciaSound", "FasciaCarrier", "FasciaEvents", "FasciaResources", "FasciaScene", "FasciaTLS", "FasciaTrust", "FasciaWire"]),
]

let headUnitModules: [Target] = [
    module("HeadUnit", "FasciaHeadUnit",
           ["FasciaCarrier", "FasciaCompositor", "FasciaDiscovery", "FasciaEvents", "FasciaEvidence", "FasciaLink", "FasciaPaint", "FasciaPairing",
            "FasciaResources", "FasciaScene", "FasciaSession", "FasciaSound", "FasciaSoundIO", "FasciaTLS", "FasciaTrust", "FasciaWire", "CSDL2", histogram,
            logging, protobuf]),
    program("HeadUnit", "fascia-headunit", ["FasciaCarrier", "FasciaEvents", "FasciaEvidence", "FasciaHeadUnit", "FasciaService", "FasciaTLS", "FasciaTrust", "FasciaWire", argumentParser, logging],
            exclude: ["fascia-headunit.service"]),
    tests("FasciaHeadUnit",
          ["FasciaCarrier", "FasciaCompositor", "FasciaEvents", "FasciaLink", "FasciaPaint", "FasciaScene", "FasciaSound", "FasciaSoundIO",
           "FasciaSoundSimulation", "FasciaTLS", "FasciaTrust", "FasciaWire", logging]),
]

/// What apps import; the names without "Fascia" are Apple's.
let carPlayModules: [Target] = [
    .target(name: "CAppRuntime", path: "Sources/CarPlay/CAppRuntime"),
    module("CarPlay", "FasciaAppRuntime", ["FasciaAppLink", "CAppRuntime"]),
    module("CarPlay", "UIKit", ["FasciaAppLink", "FasciaAppRuntime", "CPixbuf"]),
    module("CarPlay", "_Testing_UIKit", ["UIKit"]), // Swift Testing asks for it wherever Testing and UIKit are both imported
    module("CarPlay", "CoreLocation"),
    module("CarPlay", "MapKit", ["CoreLocation", "UIKit"]),
    module("CarPlay", "MediaPlayer", ["FasciaAppLink", "FasciaAppRuntime", "UIKit"]),
    module("CarPlay", "AVFoundation", ["FasciaAppLink", "FasciaAppRuntime", "FasciaAppSound", "FasciaSound", "FasciaSoundFile", "FasciaThreads"]),
    module("CarPlay", "AudioToolbox", ["AVFoundation", "FasciaAppRuntime"]),
    program("CarPlay", "fascia-speech", ["CEspeak"]), // alone with espeak-ng, which is under the GPL: apps only talk to it
    module("CarPlay", "CarPlay", ["FasciaAppLink", "FasciaAppRuntime", "MapKit", "UIKit"]),
    .executableTarget(name: "RubberSoul", dependencies: ["CarPlay", "MediaPlayer", "UIKit"], path: "Sources/Samples/RubberSoul",
                      resources: [.copy("RubberSoul.app")], swiftSettings: appCode),
    // The app that `fascia chaos` makes misbehave.
    .executableTarget(name: "ChaosApp", dependencies: ["CarPlay", "UIKit"], path: "Sources/Samples/ChaosApp",
                      resources: [.copy("ChaosApp.app")], swiftSettings: appCode),
    .executableTarget(name: "Ticker", dependencies: ["CarPlay", "UIKit"], path: "Sources/Samples/Ticker", resources: [.copy("Ticker.app")], swiftSettings: appCode),
    // The app whose sound `fascia bench audio` measures.
    .executableTarget(name: "ToneApp", dependencies: ["AVFoundation", "CarPlay", "UIKit"], path: "Sources/Samples/ToneApp",
                      resources: [.copy("ToneApp.app")], swiftSettings: appCode),
    .executableTarget(name: "Srirocka", dependencies: ["AVFoundation", "CarPlay", "MediaPlayer", "UIKit"], path: "Sources/Samples/Srirocka",
                      resources: [.copy("Srirocka.app")], swiftSettings: appCode),
    .executableTarget(name: "Prompter", dependencies: ["AVFoundation", "CarPlay", "UIKit"], path: "Sources/Samples/Prompter",
                      resources: [.copy("Prompter.app")], swiftSettings: appCode),
    tests("CarPlay", ["FasciaAppLink", "FasciaAppRuntime", "MediaPlayer", "_Testing_UIKit"]),
    tests("AVFoundation", ["AudioToolbox", "FasciaAppLink", "FasciaAppRuntime", "FasciaAppSound", "FasciaSoundFile", "fascia-speech"]),
]

let tools: [Target] = [
    .target(name: "CAllocationCounter", path: "Sources/Tools/CAllocationCounter"),
    module("Tools", "FasciaProcesses", ["FasciaEvents", argumentParser, subprocess, .product(name: "SystemPackage", package: "swift-system")]),
    .target(name: "CLabSystem", path: "Sources/Tools/CLabSystem"),
    module("Tools", "FasciaLab", ["FasciaLink", "CLabSystem", .product(name: "HeapModule", package: "swift-collections")]),
    tests("FasciaLab"),
    module("Tools", "FasciaSimulation", ["FasciaLink", "FasciaSession", "FasciaWire"]),
    module("Tools", "FasciaSoundSimulation", ["FasciaLink", "FasciaSound", "FasciaSoundIO"]),
    module("Tools", "FixtureSupport"),
    module("Tools", "FasciaRawPeer",
           ["FasciaFraming", "FasciaPairing", "FasciaProcesses", "FasciaTLS", "FasciaWire", "FixtureSupport", "COpenSSL", protobuf]),
    module("Tools", "FasciaConform",
           ["FasciaCompositor", "FasciaFraming", "FasciaPairing", "FasciaProcesses", "FasciaRawPeer", "FasciaTLS", "FasciaWire", "FixtureSupport",
            "COpenSSL", protobuf]),
    module("Tools", "FasciaAttack",
           ["FasciaFraming", "FasciaPairing", "FasciaProcesses", "FasciaRawPeer", "FasciaTLS", "FasciaWire", "FixtureSupport", "COpenSSL", protobuf]),
    module("Tools", "FasciaTools",
           ["FasciaAttack", "FasciaConform", "FasciaDiscovery", "FasciaEvents", "FasciaFraming", "FasciaLab", "FasciaLink", "FasciaPairing",
            "FasciaProcesses", "FasciaRawPeer", "FasciaSession", "FasciaSimulation", "FasciaSound", "FasciaSoundFile", "FasciaSoundSimulation",
            "FasciaTLS", "FasciaTrust", "FasciaWire",
            "CAllocationCounter", "COpenSSL", argumentParser, histogram, logging, nioCore, nioEmbedded]),
    program("Tools", "fascia", ["FasciaFuzz", "FasciaTools", argumentParser]),
    tests("FasciaProcesses", ["FasciaEvents"]),
    tests("FasciaTools", ["FasciaEvents"]),
    tests("FasciaSimulation"),
]

let fuzzing: [Target] = [
    // What is fuzzed, apart from the command so that the sanitizer build of the core stays small.
    module("Tools", "FuzzCore", ["FasciaFraming", "FasciaLink", "FasciaWire", protobuf], settings: sansIO),
    module("Tools", "FuzzSystem",
           ["FuzzCore", "FasciaAppHost", "FasciaAppLink", "FasciaAppSound", "FasciaAudioSession", "FasciaCompositor", "FasciaDiscovery", "FasciaEvents", "FasciaEvidence",
            "FasciaHeadUnit", "FasciaPaint", "FasciaPairing", "FasciaPhone", "FasciaResources", "FasciaScene", "FasciaSound", "FasciaSoundFile", "FasciaSoundIO",
            "FasciaSoundSimulation", "FasciaTrust", "FasciaWire", "UIKit", protobuf]),
    module("Tools", "FasciaFuzz", ["FuzzCore", "FuzzSystem", "FasciaEvents", "FasciaLink", "FasciaProcesses", argumentParser]),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzCore", "FuzzSystem", "FixtureSupport"], swiftSettings: core),
]

let wholeSystem: [Target] = [
    .executableTarget(name: "HumApp", dependencies: ["AVFoundation", "CarPlay", "MediaPlayer"], path: "Tests/HumApp", swiftSettings: appCode),
    .executableTarget(name: "WaywardApp", dependencies: ["CarPlay", "MediaPlayer"], path: "Tests/WaywardApp", swiftSettings: appCode),
    // The programs are started, not imported.
    .testTarget(name: "EndToEndTests", dependencies: ["fascia", "fascia-phone", "fascia-headunit", "RubberSoul", "ChaosApp", "WaywardApp", "HumApp", "Ticker", "Srirocka", "Prompter", "fascia-speech", "FasciaLab", "FasciaSoundFile", "FasciaPaint", "FasciaPairing", "FasciaProcesses", "FasciaRawPeer", "FasciaScene", "FasciaSound", "FasciaWire", "ToneApp"], swiftSettings: core),
]

let package = Package(
    name: "Fascia",
    products: [
        .executable(name: "fascia", targets: ["fascia"]),
        .executable(name: "fascia-phone", targets: ["fascia-phone"]),
        .executable(name: "fascia-headunit", targets: ["fascia-headunit"]),
        .executable(name: "RubberSoul", targets: ["RubberSoul"]),
        .executable(name: "ChaosApp", targets: ["ChaosApp"]),
        .executable(name: "fascia-speech", targets: ["fascia-speech"]),
        .executable(name: "Ticker", targets: ["Ticker"]),
        .executable(name: "ToneApp", targets: ["ToneApp"]),
        .executable(name: "Srirocka", targets: ["Srirocka"]),
        .executable(name: "Prompter", targets: ["Prompter"]),
        .library(name: "CarPlay", targets: ["CarPlay", "UIKit", "MapKit", "MediaPlayer", "AVFoundation", "AudioToolbox", "CoreLocation", "_Testing_UIKit"]),
        .library(name: "FuzzCore", targets: ["FuzzCore"]), // this and the next for the package in Tests/Fuzz
        .library(name: "FuzzSystem", targets: ["FuzzSystem"]),
    ],
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: systemLibraries + protocolModules + transportModules + displayModules + soundModules + phoneModules + headUnitModules + carPlayModules + tools
        + fuzzing + wholeSystem
)
