import FasciaLink
import FasciaWire
import NIOCore

/// An established link with a paired peer. May be used from any thread.
public final class LinkSession: Sendable {
    /// Who is at the other end.
    public let remote: RemotePeer
    /// What the phone said.
    public let hello: Hello
    /// What is in force on this connection.
    public let welcome: Welcome
    /// Phone: whether messages of the first flight were sent and count. `false` when there were none.
    public let speculationCounted: Bool
    /// All events, for one consumer. Who lags behind holds up the peer (credit), not this process's memory.
    public let events: AsyncStream<SessionEvent>
    let core: LinkCore

    init(remote: RemotePeer, hello: Hello, welcome: Welcome, speculationCounted: Bool = false, core: LinkCore) {
        self.remote = remote
        self.hello = hello
        self.welcome = welcome
        self.speculationCounted = speculationCounted
        self.core = core
        events = AsyncStream(unfolding: { await core.nextSessionEvent() })
    }

    /// The next event, if it has come already; `nil` else, and while somebody waits for `events`.
    public func readyEvent() -> SessionEvent? { core.readySessionEvent() }

    /// Queues a message; it leaves at once when priority, credit and the network allow.
    /// - Parameters:
    ///   - channel: an open channel.
    ///   - type: a message type this end may send there.
    ///   - body: kept, not copied.
    @discardableResult
    public func send(channel: UInt16, type: UInt16, body: [UInt8]) -> SendResult {
        core.send(channel: ChannelID(rawValue: channel), type: type, body: body)
    }

    /// Bytes that `send` would still take on a channel.
    public func sendCapacity(channel: UInt16) -> Int { core.sendCapacity(ChannelID(rawValue: channel)) }

    /// Says goodbye and ends the connection within half a second, whatever the peer does.
    public func close(_ code: CloseCode, detail: String) { core.close(code, detail: detail) }

    /// Waits until the connection has ended, goodbye included: what a process does before it exits. At most half a second
    /// after `close` or the `closed` event.
    public func ended() async { await core.waitForTransportEnd() }

    /// Tells the link what is known from elsewhere (network interface, discovery): it is suspect at once.
    public func observe(_ kind: Evidence.Kind, detail: String = "") { core.observe(kind, detail) }

    /// Head unit: whether the phone has shown that it has the Welcome of this connection (it answered something sent with it).
    /// Until then it may offer the resume token before it again (spec 8.7, R-5).
    public var hasPeerAnswered: Bool { core.inspect { $0.hasPeerAnswered } }

    /// Has an attempt to reach the same peer begin the moment this connection is lost, before anybody hears of the loss.
    /// - Parameter attempt: from ``LinkDialer/prepare(to:expecting:pace:greaseSeed:beside:draft:flight:phases:)``; nil: none any more.
    public func onLoss(start attempt: PendingLink?) { 
        guard let attempt else { return core.onLoss(nil) }
        core.onLoss { _ in attempt.start() }
    }

    /// Its event loop.
    var loop: any EventLoop { core.loop }

    /// Counters of this connection.
    public var statistics: LinkStatistics { core.statistics }

    /// Stops all traffic of this connection without a word, as a cut cable does.
    public func simulateCut() { core.cut() }
}
