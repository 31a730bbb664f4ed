import FasciaCompositor
import FasciaLink
import FasciaScene
import FasciaWire
import Testing

@testable import FasciaHeadUnit

/// New pictures in a flight that leaves before the head unit has agreed (spec, R-15): whatever of it, of flights before it and of the
/// connection in doubt arrives, in whatever order the parties learn of it, nothing is a fault and the right picture is shown.
@MainActor
@Suite struct AdvanceTests {
    typealias Message = (type: UInt16, body: [UInt8])

    /// A phone's screen and the car's, and a connection between them that may break anywhere.
    @MainActor
    final class World {
        var random: SeededGenerator
        var publisher: ScenePublisher
        let session: PhoneSession
        let compositor: Compositor
        private var lastColor: UInt8 = 0
        private(set) var frame = SceneFrame()
        /// What `frame` shows, by place.
        private var colors = [UInt8](repeating: 1, count: places)
        private(set) var counted = 0
        private(set) var overtaken = 0
        private(set) var silent = 0
        /// Sent and not yet received.
        var wire: [Message] = []
        static let places = 4

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            publisher = ScenePublisher(resourceBudget: 200 * (64 + 256))
            var limits = DisplayLimits(screenWidth: 8 * Self.places, screenHeight: 8)
            limits.resourceBytes = 200 * (64 + 256)
            session = PhoneSession(id: [], peer: anna, limits: limits)
            compositor = Compositor(width: 8 * Self.places, height: 8, scenes: [session.scene])
        }

        /// Another state: some places get a picture that was never there, some one that was.
        func change() throws {
            for place in 0..<Self.places where Bool.random(using: &random) {
                lastColor = lastColor == 250 ? 1 : lastColor + 1
                colors[place] = Bool.random(using: &random) ? lastColor : UInt8.random(in: 1...5, using: &random)
            }
            frame = SceneFrame(layers: try colors.enumerated().map { try layer($0, $1) })
        }

        private func layer(_ place: Int, _ color: UInt8) throws -> SceneLayer {
            let pixels: [UInt8] = Array(repeating: [color, 255 - color, 0, 255], count: 64).flatMap { $0 }
            let image = try #require(RasterImage(format: .bgra8, width: 8, height: 8, pixels: pixels))
            return SceneLayer(id: UInt32(place + 1), x: Float(8 * place), y: 0, width: 8, height: 8, content: .image(image, tint: Color(255, 255, 255)))
        }

        func publish() throws {
            guard let publication = publisher.publish(frame) else { return }
            wire += publication.resources.map { (MessageType.resource, $0) }
            wire.append((MessageType.commit, try publication.commit.serializedBytes()))
            if !publication.released.isEmpty { wire.append((MessageType.releaseResources, try ReleaseResources.with { $0.ids = publication.released }.serializedBytes())) }
        }

        /// The car gets the next `count` messages and may tell what it shows.
        func deliver(_ count: Int) throws {
            for message in wire.prefix(count) { _ = try session.receive(channel: .mainDisplay, type: message.type, body: message.body) }
            wire.removeFirst(min(count, wire.count))
            if Bool.random(using: &random), let presented = session.framePresented(at: 0) { publisher.presented(presented.sequence) }
        }

        /// The connection is in doubt, the phone tries others, one of them is welcomed.
        func reconnect() throws {
            for attempt in 0... {
                try change()
                guard let flight = publisher.speculation(frame, bringingPictures: true) else {
                    // There is no room for it.
                    wire = []
                    session.resume(speculative: false)
                    publisher.resume(highestResource: session.scene.resources.highestIdentifier, presented: session.scene.sequence)
                    return silent += 1
                }
                let said: [Message] = try flight.resources.map { (MessageType.resource, $0) } + [(MessageType.commit, flight.commit.serializedBytes())]
                // The old one goes on a little; the car hears nothing of it once another has been there.
                if Bool.random(using: &random) {
                    try change()
                    try publish()
                    if attempt == 0 { try deliver(Int.random(in: 0...wire.count, using: &random)) }
                }
                for _ in 0...2 {
                    wire = []
                    session.resume(speculative: true)
                    let (highest, presented) = (session.scene.resources.highestIdentifier, session.scene.sequence)
                    let arrived = Int.random(in: 0...said.count, using: &random)
                    wire = said
                    try deliverSilently(arrived)
                    if Int.random(in: 0..<3, using: &random) == 0 { continue } // the Welcome is lost, and the same said again
                    if publisher.resume(highestResource: highest, presented: presented, showing: flight) { counted += 1 } else { overtaken += 1 }
                    return
                }
                wire = []
                // Given up: the next attempt has another flight.
            }
        }

        private func deliverSilently(_ count: Int) throws {
            for message in wire.prefix(count) { _ = try session.receive(channel: .mainDisplay, type: message.type, body: message.body) }
            wire.removeFirst(min(count, wire.count))
        }

        var isRight: Bool {
            _ = compositor.compose(at: 0)
            let pixels = compositor.snapshot()
            return (0..<Self.places).allSatisfy { pixels[(3 * 8 * Self.places + 8 * $0 + 4) * 4] == colors[$0] }
        }
    }

    @Test(arguments: 1...40) func whateverArrivesTheRightPictureIsShown(seed: UInt64) throws {
        let world = World(seed: seed)
        try world.change()
        try world.publish()
        try world.deliver(.max)
        for round in 0..<60 {
            for _ in 0..<Int.random(in: 0...3, using: &world.random) {
                try world.change()
                try world.publish()
                try world.deliver(Int.random(in: 0...world.wire.count, using: &world.random))
            }
            try world.reconnect()
            if Bool.random(using: &world.random) { try world.change() }
            try world.publish()
            if round % 5 == 4 { // calm for once
                try world.deliver(.max)
                #expect(world.isRight, "round \(round)")
            }
        }
        try world.deliver(.max)
        try world.change()
        try world.publish()
        try world.deliver(.max)
        #expect(world.isRight && world.counted > 10 && world.overtaken > 3 && world.silent < 20)
        #expect(world.session.scene.resources.count <= 160, "pictures that nobody uses are let go")
    }

    /// A square that cannot be packed.
    private func noise(_ side: Int) throws -> SceneFrame {
        var random = SeededGenerator(seed: UInt64(side))
        let image = try #require(RasterImage(format: .a8, width: side, height: side, pixels: (0..<side * side).map { _ in UInt8.random(in: 0...255, using: &random) }))
        return SceneFrame(layers: [SceneLayer(id: 1, x: 0, y: 0, width: Float(side), height: Float(side), content: .image(image, tint: Color(0, 0, 0)))])
    }

    /// What does not fit the first packets waits for the Welcome.
    @Test func largePicturesDoNotGoInAdvance() throws {
        var publisher = ScenePublisher()
        _ = publisher.publish(SceneFrame())
        publisher.presented(1)
        #expect(publisher.speculation(try noise(80), bringingPictures: true)?.resources.count == 1)
        #expect(publisher.speculation(try noise(100), bringingPictures: true) == nil)
        #expect(publisher.speculation(try noise(20), bringingPictures: false) == nil)
    }

    /// What was too large to be said in advance puts nothing in doubt that was sent after it.
    @Test func whatDidNotGoIsNotMissed() throws {
        var publisher = ScenePublisher()
        _ = publisher.publish(SceneFrame())
        publisher.presented(1)
        let isSaid = try publisher.speculation(noise(100), bringingPictures: true) != nil
        #expect(!isSaid)
        let small = try noise(20)
        let sent = try #require(publisher.publish(small)?.resources.first)
        publisher.resume(highestResource: try ResourceHeader(decoding: sent).id, presented: 1)
        #expect(publisher.publish(small)?.resources.isEmpty == true, "the picture came, only its commit was lost")
    }

    /// A phone that names what was passed over is told so by the next rule, once its first commit counts.
    @Test func afterTheFirstCommitTheRulesAreStrictAgain() throws {
        let session = PhoneSession(id: [], peer: anna, limits: DisplayLimits(screenWidth: 8, screenHeight: 8))
        func resource(_ id: UInt32) throws -> [UInt8] {
            try #require(RasterImage(format: .a8, width: 1, height: 1, pixels: [UInt8(truncatingIfNeeded: id)])).resourceBody(id: id, compress: false)
        }
        func commit(_ sequence: UInt32, naming id: UInt32) throws -> [UInt8] {
            try Commit.with { $0.sequence = sequence; $0.reset = true; $0.upsert = [.with { $0.id = 1; $0.image.resource = id }] }.serializedBytes()
        }
        _ = try session.receive(channel: .mainDisplay, type: MessageType.resource, body: resource(5))
        _ = try session.receive(channel: .mainDisplay, type: MessageType.commit, body: commit(1, naming: 5))
        session.resume(speculative: true)
        #expect(try session.receive(channel: .mainDisplay, type: MessageType.resource, body: resource(4)) == .nothing)
        #expect(try session.receive(channel: .mainDisplay, type: MessageType.commit, body: commit(2, naming: 4)) == .nothing)
        #expect(try session.receive(channel: .mainDisplay, type: MessageType.commit, body: commit(2, naming: 5)) == .commit)
        #expect(throws: PhoneSession.Violation.self) { try session.receive(channel: .mainDisplay, type: MessageType.resource, body: resource(4)) }
        #expect(throws: PhoneSession.Violation.self) { try session.receive(channel: .mainDisplay, type: MessageType.commit, body: commit(3, naming: 4)) }
    }

    /// What is passed over is remembered until a commit counts: not without end.
    @Test func resourcesThatWereGivenUpAreBounded() throws {
        let session = PhoneSession(id: [], peer: anna, limits: DisplayLimits(screenWidth: 8, screenHeight: 8))
        func say(_ id: UInt32) throws {
            let body = try #require(RasterImage(format: .a8, width: 1, height: 1, pixels: [1])).resourceBody(id: id, compress: false)
            #expect(try session.receive(channel: .mainDisplay, type: MessageType.resource, body: body) == .nothing)
        }
        try say(100_000)
        session.resume(speculative: true)
        for _ in 0..<2 { for id in 1...4_096 { try say(UInt32(id)) } } // the same again costs nothing
        #expect(throws: PhoneSession.Violation.self) { try say(4_097) }
    }
}
