import FasciaAppSound
import FuzzCore

/// Input: direction (1 byte), then a datagram.
@Sendable func checkSoundDatagram(_ input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let bytes = Array(input.dropFirst())
    return first & 1 == 0 ? roundTrip(bytes, SoundFromApp.self) : roundTrip(bytes, SoundToApp.self)
}

/// What decodes encodes; that decodes and encodes to the same bytes.
private func roundTrip<Datagram: SoundDatagram>(_ bytes: [UInt8], _: Datagram.Type) -> String? {
    let decoded: Datagram?
    do { decoded = try Datagram.decode(bytes) } catch { return nil }
    guard let decoded else { return nil }
    guard let encoded = try? decoded.encoded() else {
        // Packed fields may take more room when they are written than they took.
        return bytes.count * 12 < 16_384 ? "decodes but does not encode" : nil
    }
    guard let again = try? Datagram.decode(encoded) else { return "encodes to what does not decode" }
    guard let twice = try? again.encoded(), twice == encoded else { return "encodes differently each time" }
    if case .packet = decoded.content, encoded != bytes { return "a packet encodes to other bytes" }
    return nil
}
