import FasciaEvents
import FasciaLink
import FasciaScene
import FasciaWire
import FoundationEssentials
import Testing
@testable import FasciaHeadUnit

/// The car's own functions beside a phone: what each end has, what the screen shows, where a finger belongs.
@MainActor
@Suite struct OwnershipTests {
    let directory: TemporaryDirectory
    let unit: HeadUnit
    let link = FakeLink()
    let welcome: Welcome
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/events.jsonl"
        unit = try HeadUnit(options: options(in: directory), surface: HeadlessSurface(), events: EventLog(path: path, narrate: { _ in }))
        unit.start()
        guard case .welcome(let welcome) = unit.phoneArrived(.with { $0.name = anna.name }, anna) else { throw CancellationError() }
        self.welcome = welcome
        unit.phoneConnected(link, sessionID: Array(welcome.sessionID), resumed: false, fields: [:])
    }

    func states(on link: FakeLink) throws -> [OwnershipState] { try link.sent(MessageType.ownershipState).map { try OwnershipState(serializedBytes: $0) } }
    func last() throws -> OwnershipState { try #require(try states(on: link).last) }

    func ask(_ number: UInt64, _ request: OwnershipRequest.OneOf_Request) throws -> OwnershipState {
        let message = OwnershipRequest.with {
            $0.number = number
            $0.request = request
        }
        unit.received(channel: .ownership, type: MessageType.ownershipRequest, body: try message.serializedBytes(), on: link)
        return try last()
    }

    func takeMainAudio(_ priority: OwnershipPriority = .userInitiated, _ constraint: OwnershipConstraint = .anyTime) -> OwnershipRequest.OneOf_Request {
        .take(.with { ($0.resource, $0.priority, $0.takeConstraint, $0.borrowConstraint) = (.mainAudio, priority, constraint, constraint) })
    }

    func picture(_ publisher: inout ScenePublisher, _ frame: SceneFrame = scene()) throws {
        let publication = publisher.publish(frame)
        for (channel, type, body) in try messages(#require(publication)) { unit.received(channel: channel, type: type, body: body, on: link) }
    }

    @Test func theFirstMessageIsTheState() throws {
        let first = try #require(try states(on: link).first)
        #expect(first.screen.owner == .phone && first.mainAudio.owner == Owner.none && first.answers == 0)
        #expect(welcome.channels.contains(5))
    }

    @Test func radioAndPlaybackTakeMainAudioFromEachOther() throws {
        var heard: [CarSoundState] = []
        unit.onSoundState = { heard.append($0) }
        #expect(unit.setRadio(true) == nil)
        #expect(try last().mainAudio.owner == .car && last().mainAudio.reason == "radio")
        #expect(try ask(1, takeMainAudio(.niceToHave)).refusal == .constraint)
        #expect(try ask(2, takeMainAudio()).refusal == .none && !unit.functions.radio)
        #expect(unit.setRadio(true) == nil && unit.setRadio(false) == nil)
        #expect(try last().mainAudio.owner == Owner.none)
        #expect(heard.map(\.radio) == [true, false, true, false] && heard.map(\.phoneMayPlayMain) == [false, true, false, false])
    }

    @Test func aCallLendsMainAudioAndGivesItBack() throws {
        _ = try ask(1, takeMainAudio())
        #expect(unit.carCall(.ring) == nil && unit.soundState == CarSoundState(phoneMayPlayMain: false, radio: false, call: .ringing))
        #expect(try last().mainAudio.owner == .phone && last().mainAudio.borrower == .car && last().carStates.call)
        #expect(try ask(2, takeMainAudio()).refusal == .constraint)
        #expect(try ask(3, .states(.with { $0.call = true })).refusal == .stateTaken)
        #expect(unit.carCall(.start) == nil && unit.carCall(.start) != nil && unit.carCall(.end) == nil && unit.carCall(.end) != nil)
        #expect(try last().mainAudio.holder == .phone && !last().carStates.call && unit.soundState.phoneMayPlayMain)
    }

    @Test func aCallDuringTheRadioIsProtectedAndTheRadioComesBack() throws {
        #expect(unit.setRadio(true) == nil && unit.carCall(.start) == nil)
        #expect(try ask(1, takeMainAudio()).refusal == .constraint && !unit.soundState.radio)
        #expect(unit.setRadio(false) == nil && unit.setRadio(true) == nil && unit.carCall(.end) == nil)
        #expect(unit.soundState.radio && unit.arbiter.mainAudio.takeConstraint == .userInitiated)
        #expect(try ask(2, takeMainAudio()).refusal == .none)
    }

    @Test func aPhonesCallKeepsTheCarOut() throws {
        _ = try ask(1, .states(.with { $0.call = true }))
        #expect(unit.carCall(.start)?.contains("call") == true && unit.functions.call == nil)
        _ = try ask(2, .borrow(.with { ($0.resource, $0.priority, $0.unborrowConstraint, $0.reason) = (.mainAudio, .userInitiated, .never, "call") }))
        #expect(unit.setRadio(true) == nil && !unit.soundState.radio && unit.soundState.phoneMayPlayMain)
        _ = try ask(3, .return(.with { $0.resource = .mainAudio }))
        #expect(unit.soundState.radio && !unit.soundState.phoneMayPlayMain)
    }

    @Test func theCameraTakesTheScreenAndGivesTheNewestPictureBackAtOnce() throws {
        var publisher = ScenePublisher()
        try picture(&publisher)
        #expect(unit.setReverseGear(true) == nil && unit.display.contentName == "reverse-camera")
        #expect(try last().screen.owner == .phone && last().screen.borrower == .car && last().screen.reason == "reverse")
        try picture(&publisher, scene(Color(0, 255, 0), says: "Revolver"))
        #expect(unit.display.contentName == "reverse-camera")
        #expect(try Presented(serializedBytes: #require(link.sent(MessageType.presented).last)).sequence == 2, "the phone goes on")
        #expect(unit.setReverseGear(false) == nil && unit.display.contentName == "phone")
        #expect(SemanticsSearch(nodes: unit.display.semantics).shows("Revolver"))
        let pixel = unit.display.compositor.snapshot()
        #expect(pixel[1] == 255 && pixel[2] == 0, "the picture is there in the same turn")
    }

    @Test func aFingerOnTheCamerasPictureIsNotThePhones() throws {
        var publisher = ScenePublisher()
        try picture(&publisher)
        unit.touch(.began, x: 400, y: 300)
        #expect(unit.setReverseGear(true) == nil)
        unit.touch(.moved, x: 410, y: 300)
        unit.touch(.ended, x: 410, y: 300)
        unit.touch(.began, x: 10, y: 300)
        unit.knob(.press)
        unit.key(.back, pressed: true)
        #expect(unit.setReverseGear(false) == nil)
        unit.touch(.ended, x: 10, y: 300)
        unit.touch(.began, x: 5, y: 300)
        let touches = try link.sent(MessageType.touch).map { try TouchEvent(serializedBytes: $0) }
        #expect(touches.map(\.phase) == [.began, .cancelled, .began])
        #expect(touches[1].x == 400 && link.sent(MessageType.knob).isEmpty && link.sent(MessageType.key).isEmpty)
    }

    @Test func theCallsButtonsAreTheCars() throws {
        var publisher = ScenePublisher()
        try picture(&publisher)
        #expect(unit.carCall(.ring) == nil)
        let search = SemanticsSearch(nodes: unit.display.semantics)
        #expect(search.shows("Incoming call") && search.shows("Rubber Soul"))
        let answer = try #require(search.target("Answer"))
        let x = Double(answer.x + answer.width / 2), y = Double(answer.y + answer.height / 2)
        unit.touch(.began, x: x, y: y)
        unit.touch(.ended, x: x, y: y)
        guard case .talking = unit.functions.call else { throw CancellationError() }
        let name = try #require(SemanticsSearch(nodes: unit.display.semantics).target(CarFunctions.caller))
        unit.touch(.began, x: Double(name.x) + 2, y: Double(name.y) + 2)
        unit.touch(.ended, x: Double(name.x) + 2, y: Double(name.y) + 2)
        #expect(link.sent(MessageType.touch).isEmpty && unit.carCall(.end) == nil)
        #expect(!SemanticsSearch(nodes: unit.display.semantics).shows(CarFunctions.caller))
    }

    @Test func ownershipGoesOnOverACutAndEndsWithTheSession() throws {
        var publisher = ScenePublisher()
        try picture(&publisher)
        _ = try ask(1, takeMainAudio())
        let before = try last()
        unit.phoneLost(link, LinkClosure(code: .transportLost, initiator: .transport, detail: "", evidence: []))
        #expect(unit.setRadio(true) == nil)
        let second = FakeLink()
        guard case .welcome(let again) = unit.phoneArrived(.with {
            $0.resume.sessionID = welcome.sessionID
            $0.resume.token = welcome.resumeToken
        }, anna) else { throw CancellationError() }
        unit.phoneConnected(second, sessionID: Array(again.sessionID), resumed: true, fields: [:])
        let state = try #require(try states(on: second).first)
        #expect(state.answers == 1 && state.refusal == .none && state.mainAudio.owner == .car && state.sequence > before.sequence)
        unit.phoneLost(second, LinkClosure(code: .goodbye, initiator: .remote, detail: "", evidence: []))
        #expect(unit.arbiter.screen.owner == Owner.none && unit.arbiter.mainAudio.owner == .car && unit.session == nil)
    }

    @Test func theLogTellsWhoHasWhatAndWhy() throws {
        _ = try ask(1, takeMainAudio())
        #expect(unit.setReverseGear(true) == nil && unit.carCall(.start) == nil && unit.carCall(.end) == nil)
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let changes = text.split(separator: "\n").compactMap { EventRecord(line: $0) }.filter { $0.event == "ownership" }.map { record in
            ["resource", "owner", "borrower", "reason"].map { record[$0]?.string ?? "" }.joined(separator: " ")
        }
        #expect(changes == ["main-audio phone none ", "screen phone car reverse", "main-audio phone car call", "main-audio phone none "])
    }

    @Test func nonsenseEndsTheSession() {
        unit.received(channel: .ownership, type: MessageType.ownershipRequest, body: [0xFF], on: link)
        #expect(link.closed?.code == .badMessage && unit.session == nil)
    }
}
