import FasciaCarrier
import FasciaCompositor
import FasciaEvents
import FasciaScene
import FasciaTrust
import FasciaWire
import FoundationEssentials
import Glibc
import Synchronization
import Testing
@testable import FasciaHeadUnit

/// A connection that keeps what was sent.
final class FakeLink: PhoneLink {
    struct Sent: Sendable {
        var channel: ChannelID
        var type: UInt16
        var body: [UInt8]
    }
    private let state = Mutex((sent: [Sent](), closed: (code: CloseCode, detail: String)?.none))

    func send(channel: ChannelID, type: UInt16, body: [UInt8]) { state.withLock { $0.sent.append(Sent(channel: channel, type: type, body: body)) } }
    func close(_ code: CloseCode, detail: String) { state.withLock { $0.closed = $0.closed ?? (code, detail) } }
    /// A phone that asked for every channel.
    func opens(_ channel: ChannelID) -> Bool { true }
    var figures: LinkFigures { LinkFigures() }
    private let heard = Atomic(false)
    var hasPeerAnswered: Bool { heard.load(ordering: .relaxed) }
    func answer() { heard.store(true, ordering: .relaxed) }
    var closed: (code: CloseCode, detail: String)? { state.withLock { $0.closed } }
    func sent(_ type: UInt16) -> [[UInt8]] { state.withLock { $0.sent.filter { $0.type == type }.map(\.body) } }
}

/// A directory that goes with the test.
final class TemporaryDirectory {
    let path: String
    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/fascia-headunit-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

func options(in directory: TemporaryDirectory, profile: ScreenProfile = .standard, code: String? = "482913") throws -> HeadUnitOptions {
    var options = try HeadUnitOptions(name: "Test Car", host: "127.0.0.1", port: 0, profile: profile, headless: true, state: StateDirectory(path: directory.path),
                                      pairingCode: code, discovery: false, script: nil)
    options.lossNoticeDelay = 0
    return options
}

let anna = PhonePeer(name: "Anna’s phone", fingerprint: [UInt8](repeating: 1, count: 32), address: "127.0.0.1:1")
let boris = PhonePeer(name: "Борис", fingerprint: [UInt8](repeating: 2, count: 32), address: "127.0.0.1:2")

/// One full-screen red layer and what it says.
func scene(_ color: Color = Color(255, 0, 0), says label: String = "Rubber Soul") -> SceneFrame {
    SceneFrame(background: Color(0, 0, 0), layers: [SceneLayer(id: 1, x: 0, y: 0, width: 800, height: 480, content: .solid(color))], semantics: [
        .with {
            $0.id = 1
            $0.role = .row
            $0.label = label
            $0.x = 100
            $0.y = 100
            $0.width = 200
            $0.height = 60
            $0.enabled = true
            $0.visible = true
        },
    ])
}

/// What a phone sends to show a scene, in order: channel, type, body.
func messages(_ publication: Publication) throws -> [(ChannelID, UInt16, [UInt8])] {
    var all: [(ChannelID, UInt16, [UInt8])] = publication.resources.map { (.mainDisplay, MessageType.resource, $0) }
    if let semantics = publication.semantics { all.append((.semantics, MessageType.semanticsUpdate, try semantics.serializedBytes())) }
    all.append((.mainDisplay, MessageType.commit, try publication.commit.serializedBytes()))
    return all
}
