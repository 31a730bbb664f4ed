import FasciaTLS
import Glibc
import NIOCore
import NIOPosix

extension CarrierError {
    /// What an error of the network means.
    static func connection(_ error: any Error, to address: CarrierAddress? = nil) -> CarrierError {
        let place = address.map { " \($0)" } ?? ""
        switch error {
        case let error as CarrierError:
            return error
        case let error as TLSError:
            return .tls(error)
        case let error as NIOConnectionError:
            return connection(error, place)
        case ChannelError.connectTimeout:
            return CarrierError(.unreachable, .network, "no answer from\(place); is it switched on and in the same network?", cause: error)
        case let error as SocketAddressError:
            return CarrierError(.unknownHost, .user, "the address\(place) is unknown", cause: error)
        case let error as IOError:
            return socket(error, place)
        default:
            return CarrierError(.connectionLost, .network, "the connection\(place) failed: \(error)", cause: error)
        }
    }

    private static func connection(_ error: NIOConnectionError, _ place: String) -> CarrierError {
        // One attempt for each address the name has: the last one tells as much as any.
        if let last = error.connectionErrors.last?.error as? IOError { return socket(last, place) }
        if let last = error.connectionErrors.last?.error { return connection(last) }
        return CarrierError(.unknownHost, .user, "the name of\(place) is unknown", cause: error)
    }

    private static func socket(_ error: IOError, _ place: String) -> CarrierError {
        switch error.errnoCode {
        case ECONNREFUSED:
            return CarrierError(.refused, .remote, "nobody listens at\(place); is the head unit running?", cause: error)
        case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN:
            return CarrierError(.unreachable, .network, "no way to\(place); is it switched on and in the same network?", cause: error)
        default:
            return CarrierError(.connectionLost, .network, "the connection\(place) failed: \(String(cString: strerror(error.errnoCode)))", cause: error)
        }
    }

    /// What an error of binding a listener means.
    static func listening(_ error: any Error, at address: CarrierAddress) -> CarrierError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return CarrierError(
                .portInUse, .user,
                "port \(address.port) is in use by another program; choose another one (--listen \(CarrierAddress(host: address.host, port: 0)) takes a free one) or end that program",
                cause: error)
        case EADDRNOTAVAIL:
            return CarrierError(.addressUnavailable, .user, "\(address.host) is not an address of this machine", cause: error)
        case EACCES:
            return CarrierError(.addressUnavailable, .user, "port \(address.port) may not be used; ports below 1024 need privileges", cause: error)
        default:
            return CarrierError(.addressUnavailable, .local, "cannot listen at \(address): \(error)", cause: error)
        }
    }
}
