import FasciaEvents
import FasciaLink
import FasciaPaint
import FasciaScene
import FasciaWire
import FoundationEssentials
import Testing
@testable import FasciaHeadUnit

/// The head unit without a network: who gets the screen, what it shows, what it answers.
@MainActor
@Suite struct HeadUnitTests {
    let directory: TemporaryDirectory
    let unit: HeadUnit
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/events.jsonl"
        unit = try HeadUnit(options: options(in: directory), surface: HeadlessSurface(), events: EventLog(path: path, narrate: { _ in }))
        unit.model.pairingCode = "482913"
        unit.start()
    }

    var events: [String] {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").compactMap { EventRecord(line: $0)?.event }
    }
    func shows(_ text: String) -> Bool { SemanticsSearch(nodes: unit.display.semantics).shows(text) }

    func arrive(_ peer: PhonePeer = anna, resume: Welcome? = nil, speculative: Bool = false, early: [EarlyFrame.Message] = []) -> HeadUnit.Arrival {
        unit.phoneArrived(.with {
            $0.name = peer.name
            $0.capabilities = [UInt32(Capability.zstd.rawValue)]
            if let resume {
                $0.resume.sessionID = resume.sessionID
                $0.resume.token = resume.resumeToken
                $0.resume.speculative = speculative
            }
        }, peer, early: { early })
    }

    /// Arrives and connects.
    func connect(_ peer: PhonePeer = anna, resume: Welcome? = nil, speculative: Bool = false) throws -> (FakeLink, Welcome) {
        guard case .welcome(let welcome) = arrive(peer, resume: resume, speculative: speculative) else { throw CancellationError() }
        let link = FakeLink()
        unit.phoneConnected(link, sessionID: Array(welcome.sessionID), resumed: welcome.hasResumed, fields: [:])
        return (link, welcome)
    }

    func show(_ frame: SceneFrame, _ publisher: inout ScenePublisher, on link: FakeLink) throws {
        let publication = publisher.publish(frame)
        for (channel, type, body) in try messages(#require(publication)) { unit.received(channel: channel, type: type, body: body, on: link) }
    }

    func lose(_ link: FakeLink) {
        unit.phoneLost(link, LinkClosure(code: .transportLost, initiator: .transport, detail: "", evidence: [Evidence(.reset, at: 0)]))
    }

    @Test func homeShowsCarClockAndCode() {
        for text in ["Test Car", "Waiting for phone", "482913", ":"] { #expect(shows(text), "\(text)") }
        #expect(unit.display.contentName == "home")
    }

    @Test func aPhoneIsWelcomedAndItsPictureAcknowledged() throws {
        let (link, welcome) = try connect()
        #expect(welcome.screens[0].width == 800 && welcome.sessionID.count == 16 && welcome.resumeToken.count == 32 && !welcome.hasResumed)
        #expect(shows("Connecting") && shows(anna.name) && !shows("482913"))
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        #expect(unit.display.contentName == "phone" && shows("Rubber Soul") && !shows("Connecting"))
        let presented = try Presented(serializedBytes: #require(link.sent(MessageType.presented).last))
        #expect(presented.sequence == 1)
        #expect(events == ["connected", "first-frame"])
    }

    @Test func aLostPhoneLeavesItsPictureDimmedAndResumes() throws {
        let (link, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        let bright = unit.display.compositor.snapshot()[2]
        lose(link)
        #expect(unit.display.contentName == "connection-lost" && shows("Connection lost") && shows(anna.name) && !shows("Rubber Soul"))
        let dimmed = unit.display.compositor.snapshot()[2]
        #expect(dimmed < bright && dimmed > 20)

        let (second, again) = try connect(resume: welcome)
        #expect(again.hasResumed && again.sessionID == welcome.sessionID && again.resumeToken != welcome.resumeToken && again.resumed.presentedSequence == 1)
        #expect(unit.display.contentName == "phone" && shows("Rubber Soul"))
        #expect(unit.display.compositor.snapshot()[2] == bright)
        publisher.resume(highestResource: again.resumed.highestResource)
        try show(scene(says: "Revolver"), &publisher, on: second)
        #expect(shows("Revolver"))
        #expect(events == ["connected", "first-frame", "suspended", "resumed", "first-frame"])
    }

    @Test func aTokenIsGoodUntilThePhoneIsHeardAgain() async throws {
        let (link, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        lose(link)
        let (second, _) = try connect(resume: welcome)
        // Another connection with the same token waits, for the phone may have the Welcome of the second.
        guard case .later(let time) = arrive(resume: welcome) else {
            Issue.record("two connections were welcomed with one token at a time")
            return
        }
        #expect(second.closed == nil)
        while MonotonicClock.now() < time { try await Task.sleep(for: .milliseconds(10)) }
        // That Welcome was lost: the first token still opens the session, and takes it over.
        let (third, again) = try connect(resume: welcome)
        #expect(again.hasResumed)
        #expect(second.closed?.code == CloseCode.superseded)
        publisher.resume(highestResource: 0)
        try show(scene(says: "Help!"), &publisher, on: third)
        third.answer()
        guard case .refuse(.superseded, _) = arrive(resume: welcome) else {
            Issue.record("a token was taken twice")
            return
        }
        #expect(third.closed == nil && shows("Help!"))
        let (_, afresh) = try connect()
        #expect(!afresh.hasResumed && afresh.sessionID != welcome.sessionID)
    }

    @Test func aSecondPhoneIsRefusedWhileOneIsConnected() throws {
        let (link, _) = try connect()
        guard case .refuse(let code, let detail) = arrive(boris) else {
            Issue.record("taken")
            return
        }
        #expect(code == CloseCode.busy && detail.contains(anna.name))
        #expect(link.closed == nil)
        #expect(events.last == "refused")
    }

    @Test func aSessionInItsGraceGivesWay() throws {
        let (link, _) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        lose(link)
        _ = try connect(boris)
        #expect(shows(boris.name))
        #expect(events.suffix(2) == ["disconnected", "connected"])
    }

    @Test func goodbyeBringsHomeAtOnce() throws {
        let (link, _) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        unit.phoneLost(link, LinkClosure(code: .goodbye, initiator: .remote, detail: "", evidence: [Evidence(.goodbye, at: 0)]))
        #expect(unit.display.contentName == "home" && shows("Waiting for phone") && shows("482913"))
        #expect(events.last == "disconnected")
    }

    @Test func graceEndsBySelf() async throws {
        var impatient = try options(in: directory)
        impatient.liveness.graceMs = 20
        let unit = try HeadUnit(options: impatient, surface: HeadlessSurface(), events: EventLog(path: nil, narrate: { _ in }))
        unit.start()
        guard case .welcome(let welcome) = unit.phoneArrived(.with { $0.name = anna.name }, anna) else { throw CancellationError() }
        let link = FakeLink()
        unit.phoneConnected(link, sessionID: Array(welcome.sessionID), resumed: false, fields: [:])
        var publisher = ScenePublisher()
        let publication = publisher.publish(scene())
        for (channel, type, body) in try messages(#require(publication)) { unit.received(channel: channel, type: type, body: body, on: link) }
        unit.phoneLost(link, LinkClosure(code: .transportLost, initiator: .transport, detail: "", evidence: [Evidence(.reset, at: 0)]))
        #expect(unit.display.contentName == "connection-lost")
        let answer = await ConsoleRunner(unit: unit) { _ in }.run(.wait(text: "Waiting for phone", seconds: 5))
        #expect(answer.line.hasPrefix("ok"))
    }

    @Test func anotherConnectionTakesOverWithoutAnybodySeeingIt() throws {
        let (link, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        guard case .welcome(let again) = arrive(resume: welcome) else { throw CancellationError() }
        #expect(unit.display.contentName == "phone" && shows("Rubber Soul"), "while the new connection is on its way")
        #expect(link.closed?.code == .superseded)
        unit.phoneLost(link, LinkClosure(code: .superseded, initiator: .local, detail: "", evidence: []))
        #expect(unit.display.contentName == "phone")
        unit.phoneConnected(FakeLink(), sessionID: Array(again.sessionID), resumed: true, fields: [:])
        #expect(unit.display.contentName == "phone")
        #expect(events == ["connected", "first-frame", "resumed"])
    }

    @Test func aForgottenPhoneIsGoneAtOnce() throws {
        let (link, _) = try connect()
        unit.phoneForgotten()
        #expect(link.closed?.code == .goodbye && unit.session == nil)
        #expect(events.last == "disconnected")
        unit.phoneForgotten()
    }

    @Test func inputWhileThePhoneIsGoneIsDropped() throws {
        let (link, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        lose(link)
        unit.touch(.began, x: 1, y: 1)
        unit.knob(.press)
        let (second, _) = try connect(resume: welcome)
        #expect(second.sent(MessageType.touch).isEmpty && link.sent(MessageType.touch).isEmpty)
    }

    @Test func garbageEndsTheSessionWithItsCode() throws {
        for (type, body, code) in [
            (MessageType.commit, [0xFF], CloseCode.badMessage), (MessageType.resource, [1, 2, 3], CloseCode.badResource),
            (MessageType.commit, try Commit.with { $0.sequence = 9 }.serializedBytes() as [UInt8], CloseCode.badCommit),
        ] as [(UInt16, [UInt8], CloseCode)] {
            let (link, _) = try connect()
            unit.received(channel: .mainDisplay, type: type, body: body, on: link)
            #expect(link.closed?.code == code)
            #expect(unit.display.contentName == "home" && unit.session == nil)
        }
    }

    @Test func tapFindsTextAndSendsNumberedTouches() async throws {
        let runner = ConsoleRunner(unit: unit) { _ in }
        #expect(await runner.run(.tapText("Rubber")).line == "error no phone is connected")
        let (link, _) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        #expect(await runner.run(.tapText("Rubber")) == .ok("tapped Rubber Soul"))
        let touches = try link.sent(MessageType.touch).map { try TouchEvent(serializedBytes: $0) }
        #expect(touches.map(\.phase) == [.began, .ended] && touches.map(\.sequence) == [1, 2] && touches[0].x == 200 && touches[0].y == 130)
        let miss = await runner.run(.tapText("Rubbish")).line
        #expect(miss.hasPrefix("error") && miss.contains("Rubber Soul"))
        #expect(await runner.run(.tapPoint(x: 900, y: 0)).line.hasPrefix("error"))
        _ = await runner.run(.drag(fromX: 0, fromY: 0, toX: 100, toY: 0, milliseconds: 60))
        let drag = try link.sent(MessageType.touch).dropFirst(2).map { try TouchEvent(serializedBytes: $0) }
        #expect(drag.count == 8 && drag.last?.phase == .ended && drag.last?.x == 100 && drag[drag.startIndex + 3].x == 50)
    }

    @Test func aKnobOnlyCarHasNoTouch() async throws {
        var profile = ScreenProfile.standard
        profile.inputs = [.knob]
        let unit = try HeadUnit(options: options(in: directory, profile: profile), surface: HeadlessSurface(), events: EventLog(path: nil, narrate: { _ in }))
        let answer = await ConsoleRunner(unit: unit) { _ in }.run(.tapText("x")).line
        #expect(answer.contains("no touch"))
    }

    @Test func nightAndSideReachThePhone() async throws {
        let (link, _) = try connect()
        let runner = ConsoleRunner(unit: unit) { _ in }
        _ = await runner.run(.night(false))
        _ = await runner.run(.driver(.right))
        let states = try link.sent(MessageType.vehicleState).map { try VehicleState(serializedBytes: $0) }
        #expect(states.map(\.night) == [false, false] && states.map(\.driverSide) == [.left, .right])
    }

    @Test func screenshotsAndReportsAreAnswered() async throws {
        let runner = ConsoleRunner(unit: unit) { _ in }
        let file = directory.path + "/shot.png"
        #expect(await runner.run(.screenshot(file)).line.hasPrefix("ok"))
        #expect(FileManager.default.contents(atPath: file)?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        let refused = await runner.run(.screenshot(directory.path + "/none/shot.png")).line
        #expect(refused.contains("No such file"))
        for command in [ConsoleCommand.tree, .stats] {
            let line = await runner.run(command).line
            #expect(line.hasPrefix("ok {") && !line.contains("\n"))
        }
        #expect(await runner.run(.wait(text: "Nowhere", seconds: 0.01)).line.contains("Waiting for phone"))
    }

    @Test func latencyIsMeasuredOncePerInput() async throws {
        let (link, _) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: link)
        unit.touch(.began, x: 1, y: 1)
        let publication = publisher.publish(scene(Color(0, 0, 255)), causedBy: 1)
        for (channel, type, body) in try messages(#require(publication)) { unit.received(channel: channel, type: type, body: body, on: link) }
        let repeated = publisher.publish(scene(Color(0, 255, 255)), causedBy: 1)
        for (channel, type, body) in try messages(#require(repeated)) { unit.received(channel: channel, type: type, body: body, on: link) }
        #expect(unit.statistics.tapToFrame.count == 1)
    }
}
