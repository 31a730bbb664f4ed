import FasciaLink
import Glibc
import NIOCore
import NIOPosix

/// Options of TCP that Linux has and SwiftNIO has no names for (tcp(7)).
enum TransportOptions {
    typealias Option = ChannelOptions.Types.SocketOption

    static let notSentLowWater = Option(level: .tcp, name: .init(rawValue: 25)) // TCP_NOTSENT_LOWAT
    /// Milliseconds without an acknowledgement after which the kernel gives up (ETIMEDOUT).
    static let userTimeout = Option(level: .tcp, name: .init(rawValue: 18)) // TCP_USER_TIMEOUT
    /// Server: connections whose SYN carried data and that were not accepted yet.
    static let fastOpen = Option(level: .tcp, name: .init(rawValue: 23)) // TCP_FASTOPEN
    /// Client: connecting waits for the first bytes when the peer's cookie is known.
    static let fastOpenConnect = Option(level: .tcp, name: .init(rawValue: 30)) // TCP_FASTOPEN_CONNECT

    /// The kernel judges what is not acknowledged as the link judges silence.
    static func limit(_ channel: any Channel, deadAfter nanoseconds: UInt64) {
        let milliseconds = Int(clamping: nanoseconds / 1_000_000)
        channel.setOption(userTimeout, value: milliseconds).whenFailure { _ in } // the link's own timer is there in any case
    }

    /// How far the peer's kernel is.
    struct Progress: Sendable {
        /// It has not answered the SYN.
        var isConnecting: Bool
        /// It has acknowledged all that was sent.
        var isAcknowledged: Bool
        /// It has reset the connection; what it sent before can still be read.
        var isReset = false
    }

    /// What the kernel knows of a connection.
    static func progress(_ channel: any Channel) -> EventLoopFuture<Progress> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(Progress(isConnecting: false, isAcknowledged: false))
        }
        return provider.getTCPInfo().map { Progress(isConnecting: $0.tcpi_state == UInt8(TCP_SYN_SENT), isAcknowledged: $0.tcpi_unacked == 0, isReset: $0.tcpi_state == UInt8(TCP_CLOSE)) }
    }
}
