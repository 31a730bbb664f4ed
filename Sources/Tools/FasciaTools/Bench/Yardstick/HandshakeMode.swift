import ArgumentParser

/// How much of TLS 1.3 a connection can leave out because the two ends know each other.
enum HandshakeMode: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Both certificates, signed and checked.
    case full
    /// Shortened by a session ticket.
    case ticket
    /// And the first flight of data goes with the first message.
    case earlyData = "early-data"
}
