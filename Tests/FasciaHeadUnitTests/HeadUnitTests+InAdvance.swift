import FasciaEvents
import FasciaScene
import FasciaWire
import Testing
@testable import FasciaHeadUnit

/// What a phone says before it has its Welcome.
extension HeadUnitTests {
    private func say(_ speculation: Speculation, on link: FakeLink) throws {
        unit.received(channel: .mainDisplay, type: MessageType.commit, body: try speculation.commit.serializedBytes(), on: link)
        unit.received(channel: .semantics, type: MessageType.semanticsUpdate, body: try speculation.semantics.serializedBytes(), on: link)
    }

    /// The connection in doubt went on while the new one was under way (spec, R-14).
    @Test func whatWasSaidInAdvanceMayBeOvertaken() throws {
        let (first, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: first)
        let old = publisher.speculation(scene(says: "Old"))
        let speculation = try #require(old)
        try show(scene(says: "New"), &publisher, on: first)
        let (second, again) = try connect(resume: welcome, speculative: true)
        #expect(again.resumed.presentedSequence == 2)
        try say(speculation, on: second)
        #expect(unit.session != nil && shows("New") && !shows("Old"))
        let counts = publisher.resume(highestResource: 0, presented: 2, showing: speculation)
        #expect(!counts)
        try show(scene(says: "Newest"), &publisher, on: second)
        #expect(shows("Newest"))
        try say(speculation, on: second)
        #expect(unit.session == nil, "a sequence that goes back later is a fault")
    }

    /// Nor may an update stay in the way whose commit was lost with the old connection.
    @Test func whatWasSaidInAdvanceCountsAndWhatWasLostIsForgotten() throws {
        let (first, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: first)
        let inAdvance = publisher.speculation(scene(says: "In advance"))
        let speculation = try #require(inAdvance)
        _ = publisher.publish(scene(says: "Lost"))
        let lost = try #require(publisher.publish(scene(says: "Lost too"))?.semantics)
        unit.received(channel: .semantics, type: MessageType.semanticsUpdate, body: try lost.serializedBytes(), on: first)
        let (second, again) = try connect(resume: welcome, speculative: true)
        #expect(again.resumed.presentedSequence == 1)
        try say(speculation, on: second)
        #expect(shows("In advance"))
        let counts = publisher.resume(highestResource: 0, presented: 1, showing: speculation)
        #expect(counts)
        try show(scene(says: "After"), &publisher, on: second)
        #expect(shows("After") && unit.session != nil)
    }

    /// The picture comes first: before the Welcome is made, and long before the connection is up.
    @Test(arguments: [false, true]) func whatWasSaidInAdvanceIsShownAtOnce(noticeIsUp: Bool) throws {
        let (first, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: first)
        let inAdvance = publisher.speculation(scene(Color(0, 255, 0), says: "At once"))
        let speculation = try #require(inAdvance)
        let commit: [UInt8] = try speculation.commit.serializedBytes()
        if noticeIsUp { lose(first) } // the loss notice has no delay in these tests
        let arrival = arrive(resume: welcome, speculative: true, early: [(MessageType.commit, commit)])
        #expect((unit.display.compositor.snapshot()[1] == 255) == !noticeIsUp)
        let shown = MonotonicClock.now()
        guard case .welcome(let again) = arrival else { throw CancellationError() }
        #expect(again.resumed.presentedSequence == 1, "what the phone is told is from before")
        let second = FakeLink()
        unit.phoneConnected(second, sessionID: Array(again.sessionID), resumed: true, fields: [:])
        let presented = try second.sent(MessageType.presented).map { try Presented(serializedBytes: $0) }
        #expect(presented.map(\.sequence) == [2] && (presented[0].timeNs < shown) == !noticeIsUp)
        #expect(unit.display.compositor.snapshot()[1] == 255)
        #expect(events.filter { $0 == "first-frame" }.count == 2)
    }

    @Test func whatIsWrongInAdvanceEndsTheSessionOnceItCanBeSaid() throws {
        let (first, welcome) = try connect()
        var publisher = ScenePublisher()
        try show(scene(), &publisher, on: first)
        let bad: [UInt8] = try Commit.with { $0.sequence = 2; $0.upsert = [.with { $0.id = 1; $0.image.resource = 99 }] }.serializedBytes()
        guard case .welcome(let again) = arrive(resume: welcome, speculative: true, early: [(MessageType.commit, bad)]) else { throw CancellationError() }
        #expect(unit.session != nil && shows("Rubber Soul"))
        let second = FakeLink()
        unit.phoneConnected(second, sessionID: Array(again.sessionID), resumed: true, fields: [:])
        #expect(second.closed?.code == .badCommit && unit.session == nil)
    }
}
