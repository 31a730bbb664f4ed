import FasciaWire

extension CloseCode {
    /// The session waits for its phone after such an end; after any other it is over (spec, Close codes).
    var keepsSession: Bool { [.timeout, .superseded, .transportLost].contains(self) }
}
