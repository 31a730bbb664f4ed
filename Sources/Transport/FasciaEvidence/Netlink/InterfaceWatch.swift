import CNetlink
import Glibc

/// A route netlink socket and the table it keeps current. Whatever it loses (the kernel drops messages when nobody reads, and says
/// so by ENOBUFS) it gets back by having everything listed anew. Confined to its caller's queue.
package final class InterfaceWatch {
    private enum Dump: UInt32 { case links = 1, addresses = 2 }

    /// To be polled for reading.
    package let descriptor: Int32
    private var table = InterfaceTable()
    /// The dump under way, nil between dumps.
    private var dump: Dump?
    /// Something was lost while a dump was under way: it must be done again.
    private var again = false
    /// Refusals in a row; a kernel that always refuses is not asked for ever.
    private var refusals = 0
    private static let maximumRefusals = 3
    /// The first list says what is there, not what has changed.
    private var isFirst = true
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Nil when the system has no route netlink or no descriptors left.
    package init?() {
        descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = fascia_netlink_groups
        let bound = withUnsafeBytes(of: &address) { raw in
            raw.baseAddress.map { bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count)) } ?? -1
        }
        guard bound == 0 else {
            close(descriptor)
            return nil
        }
        resync()
        _ = read() // the kernel answers while it is asked: from here on every change is news
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads all there is.
    package func read() -> [EvidenceEvent.Kind] {
        var changes: [EvidenceEvent.Kind] = []
        while true {
            var sender = sockaddr_nl()
            var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let count = withUnsafeMutableBytes(of: &sender) { raw in
                recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_TRUNC), raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == ENOBUFS { resync(); continue }
                return changes
            }
            // Any process may send here; only the kernel is port 0.
            guard sender.nl_pid == 0 else { continue }
            guard count <= buffer.count else { resync(); continue }
            for message in NetlinkParser.messages(Array(buffer[..<count])) { changes += take(message) }
        }
    }

    private func take(_ message: NetlinkMessage) -> [EvidenceEvent.Kind] {
        switch message {
        case .interrupted: again = true
        case .failed(let sequence, _):
            // A refused dump (EBUSY) ends like an interrupted one; a failure of nothing that was asked for is news lost.
            if dump != nil, Dump(rawValue: sequence) == dump {
                dump = nil
                refusals += 1
            }
            if refusals < Self.maximumRefusals { resync() }
        case .done(let sequence):
            guard let current = dump, Dump(rawValue: sequence) == current else { break }
            dump = nil
            refusals = 0
            if again { resync() } else if current == .links { request(.addresses) } else {
                let gone = table.endDump()
                defer { isFirst = false }
                return isFirst ? [] : gone
            }
        default:
            let changes = table.apply(message)
            return isFirst ? [] : changes
        }
        return []
    }

    private func resync() {
        guard dump == nil else {
            again = true
            return
        }
        again = false
        table.beginDump()
        request(.links)
    }

    private func request(_ kind: Dump) {
        var message = [UInt8](repeating: 0, count: Int(fascia_netlink_header) + MemoryLayout<ifinfomsg>.size)
        let header = nlmsghdr(nlmsg_len: UInt32(message.count), nlmsg_type: UInt16(kind == .links ? RTM_GETLINK : RTM_GETADDR),
                              nlmsg_flags: fascia_netlink_dump_flags, nlmsg_seq: kind.rawValue, nlmsg_pid: 0)
        message.withUnsafeMutableBytes { $0.storeBytes(of: header, as: nlmsghdr.self) } // family AF_UNSPEC: all zero
        dump = send(descriptor, message, message.count, 0) == message.count ? kind : nil
    }
}
