import FasciaAppLink
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AppLinkCarrierTests {
    private enum Kind: CaseIterable { case memory, socket }

    private func pair(_ kind: Kind) throws -> (app: any AppCarrier, phone: any AppCarrier) {
        switch kind {
        case .memory: return InMemoryCarrier.pair()
        case .socket:
            let ends = try SocketCarrier.socketPair()
            return (SocketCarrier(descriptor: ends.0), SocketCarrier(descriptor: ends.1))
        }
    }

    private func events<M: AppLinkMessage, O: AppLinkMessage>(_ connection: AppLinkConnection<M, O>) -> AsyncStream<AppLinkEvent<M>> {
        let (stream, continuation) = AsyncStream.makeStream(of: AppLinkEvent<M>.self)
        connection.start { continuation.yield($0) }
        return stream
    }

    @Test(arguments: Kind.allCases)
    private func messagesBothWaysInOrder(_ kind: Kind) async throws {
        let (app, phone) = try pair(kind)
        let (appSide, phoneSide) = (AppSideConnection(carrier: app), PhoneSideConnection(carrier: phone))
        let (toApp, toPhone) = (events(appSide), events(phoneSide))
        for number in 1 ... 100 {
            try appSide.send(.with { $0.selectionCompleted = .with { $0.selection = UInt64(number) } })
        }
        try phoneSide.send(.with { $0.terminate = .with { $0.reason = "bye" } })
        var received: [UInt64] = []
        for await event in toPhone {
            if case .message(let message) = event { received.append(message.selectionCompleted.selection) }
            if received.count == 100 { break }
        }
        #expect(received == Array(1 ... 100))
        for await case .message(let message) in toApp {
            #expect(message.terminate.reason == "bye")
            break
        }
        appSide.close()
        for await event in toPhone {
            if case .ended(let error) = event {
                #expect(error == nil)
                break
            }
        }
    }

    @Test(arguments: Kind.allCases)
    private func badBytesEndTheLink(_ kind: Kind) async throws {
        let (raw, phone) = try pair(kind)
        let phoneSide = PhoneSideConnection(carrier: phone)
        let stream = events(phoneSide)
        raw.start { _ in }
        raw.send([0, 0, 4, 1, 3, 0, 0, 0, 0, 1, 0xff, 0xff])
        for await event in stream {
            guard case .ended(let error) = event else { continue }
            #expect(error?.code == .malformedMessage)
            break
        }
    }

    @Test(arguments: Kind.allCases)
    private func cutInsideAMessageIsTruncation(_ kind: Kind) async throws {
        let (raw, phone) = try pair(kind)
        let phoneSide = PhoneSideConnection(carrier: phone)
        let stream = events(phoneSide)
        raw.start { _ in }
        raw.send([0, 0, 9, 1])
        raw.drain(seconds: 1)
        raw.close()
        for await event in stream {
            guard case .ended(let error) = event else { continue }
            #expect(error?.code == .truncated)
            break
        }
    }

    @Test func aPeerThatDoesNotReadIsGivenUp() throws {
        let ends = try SocketCarrier.socketPair()
        defer { close(ends.1) }
        let connection = PhoneSideConnection(carrier: SocketCarrier(descriptor: ends.0))
        connection.start { _ in }
        let large = AppToApp.with { $0.terminate = .with { $0.reason = String(repeating: "x", count: 900_000) } }
        var failure: AppLinkError?
        for _ in 0 ..< 30 where failure == nil {
            do { try connection.send(large) } catch { failure = error }
        }
        #expect(failure?.code == .peerNotReading)
    }

    @Test func descriptorsAreClosed() async throws {
        let ends = try SocketCarrier.socketPair()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        do {
            let carrier = SocketCarrier(descriptor: ends.0)
            carrier.start { event in if case .ended = event { continuation.yield() } }
            carrier.close()
        }
        for await _ in stream { break }
        // The other end sees the end of the stream.
        var byte: UInt8 = 0
        #expect(read(ends.1, &byte, 1) == 0)
        close(ends.1)
    }
}
