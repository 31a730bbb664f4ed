import FasciaWire

/// The close codes a head unit uses (spec, Close codes).
enum SessionCloseCode {
    static let shutdown = CloseCode(rawValue: 2)
    static let superseded = CloseCode(rawValue: 3)
    static let busy = CloseCode(rawValue: 4)
    static let badMessage = CloseCode(rawValue: 0x16)
    static let badResource = CloseCode(rawValue: 0x17)
    static let badCommit = CloseCode(rawValue: 0x18)
    static let resourcesExhausted = CloseCode(rawValue: 0x19)
    static let timeout = CloseCode(rawValue: 0x30)
    static let transportLost = CloseCode(rawValue: 0xFFFF_0001)

    /// The session waits for its phone after such an end; after any other it is over.
    static func keepsSession(_ code: CloseCode) -> Bool { code == timeout || code == superseded || code == transportLost }
}
