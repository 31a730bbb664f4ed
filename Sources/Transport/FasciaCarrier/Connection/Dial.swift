import FasciaLink
import FasciaTLS
import FasciaTrust
import FasciaWire
import NIOCore
import NIOPosix
import Synchronization

/// One attempt of the phone to connect, from TCP to the moment its owner takes over.
final class Dial<Value: Sendable>: Sendable {
    let address: CarrierAddress
    let timeouts: CarrierTimeouts
    let outcome = OneShot<Value>()
    private let channel = Mutex<(any Channel)?>(nil)

    init(_ address: CarrierAddress, _ timeouts: CarrierTimeouts) {
        self.address = address
        self.timeouts = timeouts
    }

    /// Connects; `outcome` is set by the owner that `makeOwner` returns, or here when it does not come to that.
    func start(_ makeEngine: @escaping @Sendable () throws -> TLSEngine, _ makeOwner: @escaping @Sendable () -> any LinkOwner) {
        let timeout = timeouts.handshake
        let bootstrap = ChannelSetup.client(ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton))
            .connectTimeout(timeouts.connect)
            .channelInitializer { channel in
                self.channel.withLock { $0 = channel }
                return channel.eventLoop.makeCompletedFuture {
                    try ChannelSetup.install(on: channel, engine: makeEngine(), owner: makeOwner(), handshakeTimeout: timeout)
                }
            }
        let connected = switch Result(catching: { try numericAddress() }) {
        case .success(let numeric?): bootstrap.connect(to: numeric)
        default: bootstrap.connect(host: address.host, port: address.port)
        }
        connected.whenFailure { self.outcome.set(.failure(.connection($0, to: self.address))) }
    }

    /// `nil` for a name, which is looked up without holding up the event loop.
    private func numericAddress() throws -> SocketAddress? {
        if let address = try? SocketAddress(ipAddress: address.host, port: address.port) { return address }
        // A scope (%eth0) is understood by the resolver only, which does not ask the network about a numeric address.
        return address.host.contains("%") ? try SocketAddress.makeAddressResolvingHost(address.host, port: address.port) : nil
    }

    /// The outcome; the connection does not outlive a cancelled task.
    func value() async throws(CarrierError) -> Value {
        do {
            return try await withTaskCancellationHandler {
                try await outcome.value()
            } onCancel: {
                guard outcome.set(.failure(CarrierError(.cancelled, .user, "connecting to \(address) was given up"))) else { return }
                channel.withLock { $0 }?.close(promise: nil)
            }
        } catch {
            throw error as? CarrierError ?? CarrierError(.internalError, .local, "\(error)", cause: error)
        }
    }
}
