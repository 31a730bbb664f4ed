import FasciaTLS
import FoundationEssentials

/// `trust.json`, version 1:
/// `{"version": 1, "peers": [{"name": …, "fingerprint": 64 hex digits, "lastAddress": …?, "pairedAt": seconds}]}`.
package struct TrustDocument {
    static let version = 1
    package var peers: [TrustedPeer]

    private struct File: Codable {
        struct Peer: Codable {
            var name: String
            var fingerprint: String
            var lastAddress: String?
            var pairedAt: Int64
        }
        var version: Int
        var peers: [Peer]
    }

    private struct Header: Codable { var version: Int }

    package struct Corrupt: Error { package let reason: String }

    init(peers: [TrustedPeer]) { self.peers = peers }

    package init(json: [UInt8]) throws(Corrupt) {
        let data = Data(json)
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw Corrupt(reason: "is damaged (no valid JSON of the expected form)")
        }
        guard header.version == Self.version else {
            throw Corrupt(reason: "has version \(header.version), this program knows version \(Self.version) only")
        }
        guard let file = try? JSONDecoder().decode(File.self, from: data) else {
            throw Corrupt(reason: "is damaged (a peer has missing or wrong fields)")
        }
        peers = []
        for peer in file.peers {
            guard let fingerprint = Fingerprint(hex: peer.fingerprint) else {
                throw Corrupt(reason: "is damaged (the fingerprint of “\(peer.name)” is not 64 hexadecimal digits)")
            }
            guard !peers.contains(where: { $0.fingerprint == fingerprint }) else {
                throw Corrupt(reason: "is damaged (“\(peer.name)” is there twice)")
            }
            peers.append(TrustedPeer(name: peer.name, fingerprint: fingerprint, lastAddress: peer.lastAddress, pairedAt: peer.pairedAt))
        }
    }

    /// `nil` only when memory runs out.
    package var json: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = File(version: Self.version, peers: peers.map {
            .init(name: $0.name, fingerprint: $0.fingerprint.hex, lastAddress: $0.lastAddress, pairedAt: $0.pairedAt)
        })
        return (try? encoder.encode(file)).map { Array($0) + [UInt8(ascii: "\n")] }
    }
}
