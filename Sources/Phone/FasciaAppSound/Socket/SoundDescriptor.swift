import Glibc

/// System calls of one end of the socket pair. Whoever holds it closes it once.
struct SoundDescriptor: Sendable {
    let number: Int32

    enum Sent { case sent, full, gone }
    enum Received {
        case datagram([UInt8])
        /// Longer than any datagram may be.
        case tooLarge(Int)
        case none
        /// The other end is closed, or sent a datagram of no bytes, which looks the same.
        case ended
    }

    /// Both ends, the phone's first; close-on-exec. Nil with errno set.
    static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    func send(_ bytes: [UInt8]) -> Sent {
        while true {
            if Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) >= 0 { return .sent }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return .full
            default: return .gone
            }
        }
    }

    func receive() -> Received {
        while true {
            var length = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: SoundLimits.datagram) { buffer, count in
                // MSG_TRUNC gives the length it had, whatever fits.
                length = recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT | MSG_TRUNC))
                count = max(0, min(length, buffer.count))
            }
            if length > SoundLimits.datagram { return .tooLarge(length) }
            if length > 0 { return .datagram(bytes) }
            if length == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .none
            default: return .ended
            }
        }
    }
}
