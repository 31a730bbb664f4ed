import FasciaCarrier
import FasciaEvents
import FasciaWire

/// A `LinkSession` as the head unit sees it.
final class CarrierPhoneLink: PhoneLink {
    let session: LinkSession
    /// Takes its sound.
    let sound: SoundFeed
    init(_ session: LinkSession, sound: SoundFeed) {
        self.session = session
        self.sound = sound
    }

    func send(channel: ChannelID, type: UInt16, body: [UInt8]) {
        let result = session.send(channel: channel.rawValue, type: type, body: body)
        // A phone that asks and does not read the answers: none may be left out, and they may not pile up.
        if channel == .ownership, case .refused(.queueFull) = result { session.close(.resourcesExhausted, detail: "the phone does not read who owns what") }
    }
    func opens(_ channel: ChannelID) -> Bool { session.welcome.channels.contains(UInt32(channel.rawValue)) }
    func close(_ code: CloseCode, detail: String) { session.close(code, detail: detail) }

    var hasPeerAnswered: Bool { session.hasPeerAnswered }

    var figures: LinkFigures {
        let statistics = session.statistics
        return LinkFigures(bytesIn: statistics.bytesIn, bytesOut: statistics.bytesOut, roundTrip: statistics.roundTrip)
    }
}

extension CarrierPhoneLink: SoundLink {
    func queuedBytes(_ channel: ChannelID) -> Int { session.queuedBytes(channel: channel.rawValue) }

    var clockOffset: Int64? {
        guard let clock = session.clock else { return nil }
        let now = MonotonicClock.now()
        return Int64(bitPattern: now &- clock.peerTime(now))
    }

    func setNeedsClock(_ needs: Bool) { session.setNeedsClock(needs) }
}

extension PhonePeer {
    init(_ peer: RemotePeer) { self.init(name: peer.name, fingerprint: peer.fingerprint.bytes, address: peer.address.description) }
}
