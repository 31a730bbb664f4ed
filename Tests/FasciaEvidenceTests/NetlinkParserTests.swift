import CNetlink
@testable import FasciaEvidence
import Glibc
import Testing

/// Builds what the kernel sends.
enum Netlink {
    static func message(_ type: Int, sequence: UInt32 = 0, flags: UInt16 = 0, _ payload: [UInt8]) -> [UInt8] {
        let length = UInt32(16 + payload.count)
        return padded(native(length) + native(UInt16(type)) + native(flags) + native(sequence) + native(UInt32(0)) + payload)
    }

    static func link(_ index: Int32, _ name: String, flags: UInt32) -> [UInt8] {
        message(Int(RTM_NEWLINK), linkHead(index, flags: flags) + attribute(UInt16(IFLA_IFNAME), Array(name.utf8) + [0]))
    }

    static func linkHead(_ index: Int32, flags: UInt32 = 0) -> [UInt8] { [0, 0] + native(UInt16(1)) + native(index) + native(flags) + native(UInt32(0)) }

    static func address(_ type: Int, _ index: UInt32, local: [UInt8], peer: [UInt8]? = nil) -> [UInt8] {
        let family = UInt8(local.count == 4 ? AF_INET : AF_INET6)
        return message(type, [family, 24, 0, 0] + native(index) + attribute(UInt16(IFA_ADDRESS), peer ?? local) + attribute(UInt16(IFA_LOCAL), local))
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] { padded(native(UInt16(4 + value.count)) + native(type) + value) }
    static func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
    static func native(_ value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
    static let up = fascia_if_up | fascia_if_running
}

@Suite struct NetlinkParserTests {
    @Test func linksAndAddressesAreRead() {
        let datagram = Netlink.link(7, "wlan0", flags: Netlink.up) + Netlink.link(8, "eth0", flags: fascia_if_up)
            + Netlink.address(Int(RTM_NEWADDR), 7, local: [10, 0, 0, 2], peer: [10, 0, 0, 1]) + Netlink.message(Int(RTM_DELLINK), Netlink.linkHead(8))
            + Netlink.message(Int(NLMSG_DONE), sequence: 2, Netlink.native(Int32(0)))
        #expect(NetlinkParser.messages(datagram) == [
            .link(index: 7, name: "wlan0", isUp: true), .link(index: 8, name: "eth0", isUp: false), .address(index: 7, bytes: [10, 0, 0, 2]),
            .linkGone(index: 8), .done(sequence: 2),
        ])
    }

    @Test func lossIsTold() {
        #expect(NetlinkParser.messages(Netlink.message(Int(NLMSG_ERROR), sequence: 1, Netlink.native(-EBUSY))) == [.failed(sequence: 1, errno: EBUSY)])
        #expect(NetlinkParser.messages(Netlink.message(Int(NLMSG_ERROR), sequence: 1, Netlink.native(Int32(0)))) == [])
        #expect(NetlinkParser.messages(Netlink.message(Int(NLMSG_DONE), sequence: 1, flags: UInt16(NLM_F_DUMP_INTR), [])) == [.interrupted, .done(sequence: 1)])
    }

    /// No cut and no flipped byte reads outside the datagram (the array's bounds would trap).
    @Test func brokenDatagramsEndQuietly() {
        let datagram = Netlink.link(7, "wlan0", flags: Netlink.up) + Netlink.address(Int(RTM_NEWADDR), 7, local: [UInt8](repeating: 1, count: 16))
        for cut in 0...datagram.count { _ = NetlinkParser.messages(Array(datagram[..<cut])) }
        for position in datagram.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var broken = datagram
                broken[position] = value
                #expect(NetlinkParser.messages(broken).count <= 4)
            }
        }
        #expect(NetlinkParser.messages(Array(datagram[..<20])) == [])
    }
}

@Suite struct InterfaceTableTests {
    private func table(_ messages: NetlinkMessage...) -> InterfaceTable {
        var table = InterfaceTable()
        for message in messages { _ = table.apply(message) }
        return table
    }

    @Test func onlyChangesAreTold() {
        var table = InterfaceTable()
        #expect(table.apply(.link(index: 1, name: "lo", isUp: true)) == [.carrierBack(interface: "lo")])
        #expect(table.apply(.link(index: 1, name: "lo", isUp: true)) == [])
        #expect(table.apply(.address(index: 1, bytes: [127, 0, 0, 1])) == [.addressAdded(address: "127.0.0.1", interface: "lo")])
        #expect(table.apply(.address(index: 1, bytes: [127, 0, 0, 1])) == [])
        #expect(table.apply(.link(index: 1, name: "lo", isUp: false)) == [.carrierLost(interface: "lo")])
        #expect(table.apply(.addressGone(index: 1, bytes: [127, 0, 0, 1])) == [.addressLost(address: "127.0.0.1", interface: "lo")])
        #expect(table.apply(.addressGone(index: 1, bytes: [127, 0, 0, 1])) == [])
        #expect(table.apply(.linkGone(index: 1)) == []) // it was down before
        #expect(table.apply(.address(index: 9, bytes: [1, 2, 3, 4])) == [])
    }

    @Test func whatIsMissingFromAListIsGone() {
        var table = table(.link(index: 1, name: "lo", isUp: true), .link(index: 2, name: "wlan0", isUp: true), .link(index: 3, name: "usb0", isUp: true),
                          .address(index: 2, bytes: [10, 0, 0, 2]), .address(index: 2, bytes: [10, 0, 0, 3]))
        table.beginDump()
        #expect(table.apply(.link(index: 1, name: "lo", isUp: true)) == [])
        #expect(table.apply(.link(index: 2, name: "wlan0", isUp: false)) == [.carrierLost(interface: "wlan0")])
        #expect(table.apply(.address(index: 2, bytes: [10, 0, 0, 3])) == [])
        #expect(table.endDump() == [.addressLost(address: "10.0.0.2", interface: "wlan0"), .carrierLost(interface: "usb0")])
        #expect(table.endDump() == [])
    }

    @Test func onlyTheInterfaceOfTheLinkCounts() {
        let path = LinkPath(interface: "wlan0", address: "10.0.0.2")
        #expect(path.isHurt(by: .carrierLost(interface: "wlan0")))
        #expect(!path.isHurt(by: .carrierLost(interface: "eth0")))
        #expect(path.isHurt(by: .addressLost(address: "10.0.0.2", interface: "wlan0")))
        #expect(!path.isHurt(by: .addressLost(address: "10.0.0.3", interface: "wlan0")))
        #expect(!path.isHurt(by: .carrierBack(interface: "wlan0")))
        #expect(!path.isHurt(by: .clockStepped(by: 5)))
    }

    @Test func theWayToAPeerIsTheKernels() {
        #expect(LinkPath(to: "127.0.0.1") == LinkPath(interface: "lo", address: "127.0.0.1"))
        #expect(LinkPath(to: "127.8.8.8")?.interface == "lo")
        #expect(LinkPath(to: "no such host") == nil)
    }
}

@Suite struct PowerHintTests {
    @Test func linesAreReadInAnyPieces() {
        let text = Array("charging\n discharging \r\n\nCHARGING\nbattery 50%\n\(String(repeating: "x", count: 500))\n".utf8)
        var whole = PowerHint()
        let expected: [PowerHint.Line] = [.charging, .discharging, .charging, .unknown("battery 50%"), .unknown(String(repeating: "x", count: 80) + "…")]
        #expect(whole.read(text) == expected)
        var single = PowerHint()
        #expect(text.flatMap { single.read([$0]) } == expected)
    }
}
