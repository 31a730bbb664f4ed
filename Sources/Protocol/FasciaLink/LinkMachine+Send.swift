import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// Queues a message; `transmit` sends it when priority and credit allow.
    /// - Parameters:
    ///   - channel: an open channel; a phone may use display and semantics channels of its Hello before Welcome.
    ///   - type: a type this end may send there, or an unknown one.
    ///   - body: kept, not copied, until it has been transmitted.
    public mutating func send(channel: ChannelID, type: UInt16, body: [UInt8], now: LinkInstant) -> SendResult {
        clock = max(clock, now)
        if isClosed { return .refused(.closed) }
        guard let slot = slot(channel.rawValue), channels[slot].outbound == .open else { return .refused(.channelNotOpen) }
        let kind = channels[slot].kind
        if let rule = MessageRule.of(type) {
            if !rule.allows(kind, from: configuration.end) || rule.phase == .negotiation { return .refused(.illegalMessage) }
            if rule.phase == .pairing {
                guard case .pairing(let progress) = state, progress.maySend(type) else { return .refused(.illegalMessage) }
            }
        }
        let size = FramingLimits.messageTypeSize + body.count
        let limit = channels[slot].sendLimit
        if size > limit { return .refused(.messageTooLarge(limit: limit)) }
        let queued = channels[slot].queue.bytes
        let most = configuration.sendQueueLimit(kind)
        // A message that is alone always fits, however small the limit.
        if queued > 0 && queued + size > most { return .refused(.queueFull(queued: queued, limit: most)) }
        if case .pairing(var progress) = state, progress.maySend(type) {
            progress.send()
            state = .pairing(progress)
        }
        channels[slot].queue.append(type: type, body: body)
        return .queued
    }

    /// `send` for any sequence of bytes.
    public mutating func send(channel: ChannelID, type: UInt16, body: some Sequence<UInt8>, now: LinkInstant) -> SendResult {
        send(channel: channel, type: type, body: Array(body), now: now)
    }

    /// Bytes that `send` would still take on a channel, message type included.
    public func sendCapacity(_ channel: ChannelID) -> Int {
        guard !isClosed, let slot = slot(channel.rawValue), channels[slot].outbound == .open else { return 0 }
        return max(0, configuration.sendQueueLimit(channels[slot].kind) - channels[slot].queue.bytes)
    }

    /// Bytes of messages waiting on a channel, message types included; 0 when it is not open.
    public func queuedBytes(_ channel: ChannelID) -> Int { slot(channel.rawValue).map { channels[$0].queue.bytes } ?? 0 }

    /// Hello and Welcome.
    mutating func queueControl(_ type: UInt16, _ body: [UInt8]?) {
        guard let body, body.count + FramingLimits.messageTypeSize <= ChannelKind.control.maxMessage else {
            end(.internalError, .local, "\(MessageType.name(type) ?? "") cannot be encoded", Evidence(.local, at: clock), sendClose: true)
            return
        }
        channels[0].queue.append(type: type, body: body)
    }
}
