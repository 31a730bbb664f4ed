import FasciaFraming
import FasciaProcesses
import FasciaTLS
import FasciaWire
import Glibc
import SwiftProtobuf

/// What came from the other end.
package enum Arrival: Equatable {
    case message(channel: UInt16, type: UInt16, body: [UInt8])
    case credit(channel: UInt16, bytes: UInt32)
    case probe([UInt8])
    case acknowledgement([UInt8])
    case close(CloseCode, detail: String)
    case unknown(FrameType)
    /// The connection is over, with or without CLOSE before.
    case ended(String)
}

/// A case found something else than the specification wants.
package struct Deviation: Error, CustomStringConvertible {
    package let description: String
    /// When it is a CLOSE that was not expected.
    package let close: CloseCode?
    package init(_ description: String, close: CloseCode? = nil) { (self.description, self.close) = (description, close) }
}

/// One end of a link made by hand: frames as a case wants them, everything that arrives in order.
package final class Peer {
    package let secure: SecureSocket
    private var parser = FrameParser(maxPayload: 0xFF_FFFF)
    private var queue: [Arrival] = []
    private var open: [UInt16: [UInt8]] = [:]
    package private(set) var isOver = false
    /// Every frame header received.
    package private(set) var headers: [FrameHeader] = []
    /// Payload of MESSAGE frames received, by channel.
    package private(set) var received: [UInt16: Int] = [:]
    /// Just before the last bytes were sent that could be sent: the other end has heard from this one no earlier.
    package private(set) var lastSent = ContinuousClock.now
    /// Answers PROBE, as a live end does.
    package var answersProbes = true
    /// Gives back the credit of what arrives at once.
    package var givesCredit = true
    /// Owed while it may not be given: a phone takes none before Welcome (spec C-5).
    private var owed: [UInt16: Int]?
    /// What a phone sent for a session that does not go on has no meaning until its Proceed (spec R-11).
    private var awaitsProceed = false
    /// Channels whose open message began before Proceed.
    private var doomed: Set<UInt16> = []

    package init(_ secure: SecureSocket) { self.secure = secure }

    // MARK: Sending

    package func send(_ bytes: [UInt8]) throws {
        let now = ContinuousClock.now
        do {
            try secure.send(bytes)
            lastSent = now
        } catch let end as PlainSocket.Ended { over("\(end)") }
    }

    package func message(_ channel: UInt16, _ type: UInt16, _ body: [UInt8]) throws {
        try send(Self.frames(channel, type, body))
        if channel == 0, type == MessageType.welcome { releaseCredit() }
    }

    /// Keeps back credit until ``releaseCredit()``, which sending a Welcome calls.
    package func holdCredit() { owed = [:] }

    package func releaseCredit() {
        guard let owed else { return }
        self.owed = nil
        for (channel, bytes) in owed { credit(bytes, channel) }
    }

    private func credit(_ bytes: Int, _ channel: UInt16) {
        var frame: [UInt8] = []
        FrameWriter.credit(UInt32(bytes), channel: channel, into: &frame)
        try? send(frame)
    }

    /// Drops what has come for a session that does not go on, and what comes until Proceed.
    package func awaitProceed() {
        awaitsProceed = true
        doomed = Set(open.keys)
        queue.removeAll { if case .message(let channel, _, _) = $0 { channel != 0 } else { false } }
    }

    package func message(_ channel: UInt16, _ type: UInt16, _ message: some SwiftProtobuf.Message) throws {
        try self.message(channel, type, try message.serializedBytes())
    }

    /// A message cut into frames of the default size.
    package static func frames(_ channel: UInt16, _ type: UInt16, _ body: [UInt8], size: Int = FramingLimits.defaultMaxPayload) -> [UInt8] {
        let content = [UInt8(type >> 8), UInt8(truncatingIfNeeded: type)] + body
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            let end = min(start + size, content.count)
            var flags: FrameFlags = []
            if start == 0 { flags.insert(.first) }
            if end == content.count { flags.insert(.last) }
            FrameWriter.frame(.message, flags: flags, channel: channel, payload: content[start..<end], into: &bytes)
        }
        return bytes
    }

    package func frame(_ type: FrameType, flags: FrameFlags = [], channel: UInt16 = 0, _ payload: [UInt8] = []) throws {
        var bytes: [UInt8] = []
        FrameWriter.frame(type, flags: flags, channel: channel, payload: payload, into: &bytes)
        try send(bytes)
    }

    package func probe(_ opaque: [UInt8]) throws { try frame(.probe, opaque) }

    /// Says CLOSE and ends the connection.
    package func goodbye(_ code: CloseCode = .goodbye) {
        var bytes: [UInt8] = []
        FrameWriter.close(code: code.rawValue, detail: "", into: &bytes)
        try? secure.send(bytes, within: .seconds(1))
        secure.shutdown()
    }

    /// Breaks the connection without a word, as a crash does.
    package func abandon() {
        secure.plain.reset()
        Glibc.shutdown(secure.plain.descriptor, Int32(SHUT_RDWR))
        isOver = true
        queue = []
    }

    // MARK: Receiving

    /// The next arrival, nil when none came in time. After `.ended` there is nothing more.
    package func next(within limit: Duration) throws -> Arrival? { try next(until: .now + limit) }

    package func next(until deadline: ContinuousClock.Instant) throws -> Arrival? {
        while queue.isEmpty {
            if isOver { return nil }
            do {
                let bytes = try secure.receive(until: deadline)
                if bytes.isEmpty { return nil }
                take(bytes)
            } catch let end as PlainSocket.Ended {
                over("\(end)")
            } catch let failure as TLSFailure {
                over(failure.description)
            }
        }
        return queue.removeFirst()
    }

    private func over(_ how: String) {
        guard !isOver else { return }
        isOver = true
        queue.append(.ended(how))
    }

    private func take(_ bytes: [UInt8]) {
        for frame in parser.frames(bytes) {
            headers.append(frame.header)
            switch frame.header.type {
            case .message: fragment(frame)
            case .credit: queue.append(.credit(channel: frame.header.channel, bytes: Self.u32(frame.payload)))
            case .probe where frame.header.flags.contains(.ack): queue.append(.acknowledgement(frame.payload))
            case .probe:
                if answersProbes { try? self.frame(.probe, flags: .ack, frame.payload) }
                queue.append(.probe(frame.payload))
            case .close: queue.append(.close(CloseCode(rawValue: Self.u32(frame.payload)), detail: String(decoding: frame.payload.dropFirst(4), as: UTF8.self)))
            default: queue.append(.unknown(frame.header.type))
            }
        }
        if let failure = parser.failure { over("it sent bytes that are no frames: \(failure)") }
    }

    private func fragment(_ frame: FrameParser.Frame) {
        let channel = frame.header.channel
        received[channel, default: 0] += frame.payload.count
        if givesCredit, channel != 0, !frame.payload.isEmpty {
            if owed != nil { owed?[channel, default: 0] += frame.payload.count } else { credit(frame.payload.count, channel) }
        }
        if awaitsProceed, channel != 0, frame.header.flags.contains(.first) { doomed.insert(channel) }
        open[channel, default: []] += frame.payload
        guard frame.header.flags.contains(.last), let content = open.removeValue(forKey: channel), content.count >= 2 else { return }
        if doomed.remove(channel) != nil { return }
        let type = UInt16(content[0]) << 8 | UInt16(content[1])
        if channel == 0, type == MessageType.proceed { awaitsProceed = false }
        queue.append(.message(channel: channel, type: type, body: Array(content.dropFirst(2))))
    }

    private static func u32(_ bytes: [UInt8]) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

// MARK: Expecting

extension Peer {
    /// How long what has to come may take where the specification names no time: either end may be on a busy machine.
    package static let patience = Duration.seconds(20)

    /// The next message of that type; others, probes and credit are passed over.
    package func expect(_ type: UInt16, within limit: Duration = Peer.patience) throws -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        while let arrival = try next(until: deadline) {
            switch arrival {
            case .message(_, type, let body): return body
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail)) instead of sending message 0x\(String(type, radix: 16))", close: code)
            case .ended(let how): throw Deviation("the connection ended (\(how)) instead of message 0x\(String(type, radix: 16))")
            default: continue
            }
        }
        throw Deviation("message 0x\(String(type, radix: 16)) did not come within \(limit)")
    }

    package func expect<M: SwiftProtobuf.Message>(_: M.Type, _ type: UInt16, within limit: Duration = Peer.patience) throws -> M {
        try M(serializedBytes: try expect(type, within: limit))
    }

    /// CLOSE with that code.
    package func expectClose(_ wanted: CloseCode..., within limit: Duration = Peer.patience) throws {
        let deadline = ContinuousClock.now + limit
        while let arrival = try next(until: deadline) {
            switch arrival {
            case .close(let code, _) where wanted.contains(code): return
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail)), not \(wanted.map(\.description).joined(separator: " or "))", close: code)
            case .ended(let how): throw Deviation("the connection ended without CLOSE (\(how))")
            default: continue
            }
        }
        throw Deviation("not closed; \(wanted.map(\.description).joined(separator: " or ")) was expected")
    }

    /// The connection's end, after CLOSE or without it.
    package func expectEnd(within limit: Duration = Peer.patience) throws {
        let deadline = ContinuousClock.now + limit
        while let arrival = try next(until: deadline) { if case .ended = arrival { return } }
        throw Deviation("the connection was still open after \(limit)")
    }

    /// A probe is answered: the connection lives.
    package func expectAlive(within limit: Duration = Peer.patience) throws {
        let opaque = (0..<8).map { _ in UInt8.random(in: 0...255) }
        try probe(opaque)
        let deadline = ContinuousClock.now + limit
        while let arrival = try next(until: deadline) {
            switch arrival {
            case .acknowledgement(let bytes) where Array(bytes.prefix(8)) == opaque: return
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail)); it should have gone on")
            case .ended(let how): throw Deviation("the connection ended (\(how)); it should have gone on")
            default: continue
            }
        }
        throw Deviation("a probe was not answered within \(limit)")
    }

    /// Falls silent. A PROBE comes every `interval`, and none sooner, until the other end leaves after `dead`, both milliseconds. Of those that
    /// should have come three in eight are enough: who is stopped himself sends none for the time.
    package func expectProbes(every interval: Int64, until dead: Int64) throws {
        (answersProbes, givesCredit) = (false, false)
        let start = lastSent, deadline = start + .milliseconds(dead) + Peer.patience
        var count: Int64 = 0
        while let arrival = try next(until: deadline) {
            switch arrival {
            case .probe:
                // One may go behind Welcome or what is shown, whatever the interval.
                let took = start.duration(to: .now)
                if took < .milliseconds(interval * count) { throw Deviation("probe number \(count + 1) came after \(took) of silence; the interval is \(interval) ms") }
                count += 1
            case .close, .ended:
                let wanted = dead * 3 / (8 * interval)
                if count < wanted { throw Deviation("\(count) probes in \(dead) ms of silence; the interval is \(interval) ms") }
                return
            default: continue
            }
        }
        throw Deviation("not left after \(dead) ms of silence")
    }

    /// Everything that comes in that time.
    package func collect(for duration: Duration) throws -> [Arrival] {
        let deadline = ContinuousClock.now + duration
        var arrivals: [Arrival] = []
        while let arrival = try next(until: deadline) { arrivals.append(arrival) }
        return arrivals
    }
}
