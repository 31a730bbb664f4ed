import CNetlink

/// What a route netlink message says about interfaces and addresses (rtnetlink(7)); all else is left out.
package enum NetlinkMessage: Equatable, Sendable {
    /// Interface `index` exists under this name; `isUp` when it is administratively up and has a carrier.
    case link(index: Int32, name: String, isUp: Bool)
    case linkGone(index: Int32)
    /// An address in network byte order, 4 or 16 bytes.
    case address(index: Int32, bytes: [UInt8])
    case addressGone(index: Int32, bytes: [UInt8])
    /// A dump ends here.
    case done(sequence: UInt32)
    /// A request was refused, as errno; or the kernel itself lost messages.
    case failed(sequence: UInt32, errno: Int32)
    /// What came before this in a dump may be inconsistent: it changed meanwhile.
    case interrupted
}

/// Takes one datagram apart. Lengths are checked against what is there at each step; a message that is cut or too short for its
/// type ends the datagram, which is all that can be done: there is no way to find the next one.
package struct NetlinkParser {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ datagram: [UInt8]) { bytes = datagram }

    /// Everything a datagram says, in order.
    package static func messages(_ datagram: [UInt8]) -> [NetlinkMessage] {
        var parser = NetlinkParser(datagram)
        var messages: [NetlinkMessage] = []
        while parser.next(into: &messages) {}
        return messages
    }

    ///     0       4    6     8        12     16
    ///     | length|type|flags|sequence| port | payload, then padding to 4
    private mutating func next(into messages: inout [NetlinkMessage]) -> Bool {
        guard let header: nlmsghdr = load(at: offset, end: bytes.count) else { return false }
        let length = Int(header.nlmsg_len)
        guard length >= Int(fascia_netlink_header), length <= bytes.count - offset else { return false }
        let payload = (offset + Int(fascia_netlink_header))..<(offset + length)
        offset += min(aligned(length), bytes.count - offset)
        if header.nlmsg_flags & UInt16(NLM_F_DUMP_INTR) != 0 { messages.append(.interrupted) }
        switch Int32(header.nlmsg_type) {
        case NLMSG_DONE: messages.append(.done(sequence: header.nlmsg_seq))
        case NLMSG_ERROR:
            guard let code: Int32 = load(at: payload.lowerBound, end: payload.upperBound), code != 0 else { break }
            messages.append(.failed(sequence: header.nlmsg_seq, errno: code == .min ? .max : abs(code)))
        case NLMSG_OVERRUN: messages.append(.failed(sequence: header.nlmsg_seq, errno: 0))
        case Int32(RTM_NEWLINK), Int32(RTM_DELLINK):
            link(payload, gone: header.nlmsg_type == RTM_DELLINK).map { messages.append($0) }
        case Int32(RTM_NEWADDR), Int32(RTM_DELADDR):
            address(payload, gone: header.nlmsg_type == RTM_DELADDR).map { messages.append($0) }
        default: break
        }
        return true
    }

    private func link(_ payload: Range<Int>, gone: Bool) -> NetlinkMessage? {
        guard let info: ifinfomsg = load(at: payload.lowerBound, end: payload.upperBound), info.ifi_family == UInt8(AF_UNSPEC) else { return nil }
        if gone { return .linkGone(index: info.ifi_index) }
        guard let name = attributes(after: MemoryLayout<ifinfomsg>.size, in: payload).first(where: { $0.type == UInt16(IFLA_IFNAME) }) else { return nil }
        let text = String(decoding: bytes[name.value].prefix { $0 != 0 }.prefix(Int(IF_NAMESIZE)), as: UTF8.self)
        let wanted = fascia_if_up | fascia_if_running
        return .link(index: info.ifi_index, name: text, isUp: info.ifi_flags & wanted == wanted)
    }

    private func address(_ payload: Range<Int>, gone: Bool) -> NetlinkMessage? {
        guard let info: ifaddrmsg = load(at: payload.lowerBound, end: payload.upperBound), info.ifa_index <= UInt32(Int32.max) else { return nil }
        let size: Int
        switch Int32(info.ifa_family) {
        case AF_INET: size = 4
        case AF_INET6: size = 16
        default: return nil
        }
        // On a point-to-point interface IFA_ADDRESS is the other end; IFA_LOCAL, where there is one, is ours.
        let all = attributes(after: MemoryLayout<ifaddrmsg>.size, in: payload).filter { $0.value.count == size }
        guard let ours = all.first(where: { $0.type == UInt16(IFA_LOCAL) }) ?? all.first(where: { $0.type == UInt16(IFA_ADDRESS) })
        else { return nil }
        let index = Int32(info.ifa_index)
        return gone ? .addressGone(index: index, bytes: Array(bytes[ours.value])) : .address(index: index, bytes: Array(bytes[ours.value]))
    }

    ///     0      2    4
    ///     |length|type| value, then padding to 4
    private func attributes(after fixed: Int, in payload: Range<Int>) -> [(type: UInt16, value: Range<Int>)] {
        var found: [(type: UInt16, value: Range<Int>)] = []
        var position = payload.lowerBound + aligned(fixed)
        while position < payload.upperBound, let head: rtattr = load(at: position, end: payload.upperBound) {
            let length = Int(head.rta_len)
            guard length >= MemoryLayout<rtattr>.size, length <= payload.upperBound - position else { break }
            found.append((head.rta_type & 0x3FFF, (position + MemoryLayout<rtattr>.size)..<(position + length)))
            position += aligned(length)
        }
        return found
    }

    private func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    /// Native byte order: netlink does not leave the machine.
    private func load<Value: BitwiseCopyable>(at position: Int, end: Int) -> Value? {
        guard position >= 0, position <= end, end - position >= MemoryLayout<Value>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Value.self) }
    }
}
