import FasciaWire

/// What the car's sound needs of a connection to a phone. May be used from any thread.
package protocol SoundLink: AnyObject, Sendable {
    func send(channel: ChannelID, type: UInt16, body: [UInt8])
    func close(_ code: CloseCode, detail: String)
    /// Bytes waiting on a channel that the network has not taken.
    func queuedBytes(_ channel: ChannelID) -> Int
    /// The car's monotonic clock less the phone's, nanoseconds; nil while it is not known.
    var clockOffset: Int64? { get }
    /// Whether the clocks must be compared now and then: while sound plays.
    func setNeedsClock(_ needs: Bool)
}
