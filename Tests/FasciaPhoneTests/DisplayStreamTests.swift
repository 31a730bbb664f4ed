import FasciaScene
import FasciaWire
import Testing

@testable import FasciaPhone

@Suite struct DisplayStreamTests {
    private func frame(_ x: Float) -> SceneFrame {
        SceneFrame(layers: [SceneLayer(id: 1, x: x, y: 0, width: 4, height: 4, content: .solid(Color(1, 2, 3)))])
    }

    private func connected(resumed: Resumed? = nil) -> DisplayStream {
        var stream = DisplayStream()
        stream.connect(welcome(resumed: resumed), channel: 16)
        return stream
    }

    private func welcome(resumed: Resumed? = nil) -> Welcome {
        Welcome.with { if let resumed { $0.resumed = resumed } }
    }

    private func send(_ frame: SceneFrame, on stream: inout DisplayStream) throws -> [UInt16] {
        try stream.messages(for: frame, causedBy: 0, semanticsWanted: true).map(\.type)
    }

    @Test func onlyAWindowOfStatesIsUnderWay() throws {
        var stream = connected()
        for x in 0..<Int(DisplayStream.window) {
            #expect(stream.isReady)
            #expect(try send(frame(Float(x)), on: &stream).contains(MessageType.commit))
        }
        #expect(!stream.isReady)
        stream.presented(Presented.with { $0.sequence = 1 })
        #expect(stream.isReady)
        #expect(stream.presentedSequence == 1)
    }

    /// The head unit would end the session (spec D-14).
    @Test func moreThanTheDrawingBudgetIsNotSent() throws {
        var stream = DisplayStream()
        stream.connect(Welcome.with { $0.screens = [.with { $0.channel = 16; $0.width = 100; $0.height = 50 }] }, channel: 16)
        func stack(_ count: UInt32) -> SceneFrame {
            SceneFrame(layers: (1...count).map { SceneLayer(id: $0, x: 0, y: 0, width: 400, height: 50, content: .solid(Color(1, 2, 3))) })
        }
        #expect(try send(stack(65), on: &stream).isEmpty)
        #expect(try send(stack(64), on: &stream).contains(MessageType.commit))
    }

    @Test func answersToWhatWasNeverSentAreIgnored() throws {
        var stream = connected()
        _ = try send(frame(1), on: &stream)
        stream.presented(Presented.with { $0.sequence = 500 })
        #expect(stream.presentedSequence == 0)
        stream.presented(Presented.with { $0.sequence = 1 })
        stream.presented(Presented.with { $0.sequence = 0 })
        #expect(stream.presentedSequence == 1)
    }

    @Test func aResumedConnectionIsReadyAtOnceAndSendsTheTreeWhole() throws {
        var stream = connected()
        _ = try send(frame(1), on: &stream)
        _ = try send(frame(2), on: &stream)
        #expect(!stream.isReady)
        stream.connect(welcome(resumed: Resumed.with { $0.presentedSequence = 1 }), channel: 16)
        #expect(stream.isReady)
        let messages = try stream.messages(for: frame(2), causedBy: 0, semanticsWanted: false)
        let commit = try Commit(serializedBytes: try #require(messages.first).body)
        #expect(commit.reset)
        #expect(commit.sequence == 3)
    }

    private func commit(_ messages: [OutboundMessage]) throws -> Commit {
        try Commit(serializedBytes: try #require(messages.first { $0.type == MessageType.commit }).body)
    }

    /// What a race's connections said in advance and what the connection in doubt said meanwhile, in every order of arrival: the head unit
    /// never hears a sequence twice in what counts, and none is missing after the first.
    @Test(arguments: 0..<4, 0...3) func whatWasSaidInAdvanceCountsOnceOrNotAtAll(sentMeanwhile: Int, arrived: Int) throws {
        guard arrived <= sentMeanwhile else { return }
        var stream = connected()
        _ = try send(frame(1), on: &stream)
        stream.presented(Presented.with { $0.sequence = 1 })
        let inAdvance = stream.speculation(frame(2))
        let speculation = try #require(inAdvance)
        #expect(speculation.commit.sequence == 2)
        for x in 0..<sentMeanwhile { _ = try send(frame(Float(10 + x)), on: &stream) }
        let last = UInt32(1 + arrived) // applied by the head unit when it welcomed the new connection
        let isShown = stream.connect(welcome(resumed: Resumed.with { $0.presentedSequence = last }), channel: 16, counting: speculation)
        #expect(isShown == (arrived == 0))
        let next = try commit(try stream.messages(for: frame(20), causedBy: 0, semanticsWanted: false))
        #expect(next.reset != isShown)
        #expect(isShown ? next.sequence == 3 : next.sequence > last)
        let after = try commit(try stream.messages(for: frame(21), causedBy: 0, semanticsWanted: false))
        #expect(after.sequence == next.sequence + 1)
    }

    /// The head unit took a connection's word, and its Welcome was lost.
    @Test func aWelcomeThatWasLostCostsTheTreeAndNothingElse() throws {
        var stream = connected()
        _ = try send(frame(1), on: &stream)
        stream.presented(Presented.with { $0.sequence = 1 })
        let inAdvance = stream.speculation(frame(2))
        let again = try #require(inAdvance)
        let resumed = Resumed.with { $0.presentedSequence = 2 }
        var other = stream
        for counting in [again, nil] {
            let isShown = other.connect(welcome(resumed: resumed), channel: 16, counting: counting)
            #expect(!isShown)
            let next = try commit(other.messages(for: frame(2), causedBy: 0, semanticsWanted: false))
            #expect(next.reset && next.sequence == 3)
            other = stream
        }
    }

    @Test func semanticsGoOnlyToWhoWantsThem() throws {
        var stream = connected()
        let messages = try stream.messages(for: frame(1), causedBy: 4, semanticsWanted: false)
        #expect(messages.map(\.type) == [MessageType.commit])
        #expect(try Commit(serializedBytes: messages[0].body).causedBy == 4)
    }
}
