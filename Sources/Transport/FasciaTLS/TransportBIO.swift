import COpenSSL
import NIOCore

/// The bytes between OpenSSL and the transport, as an OpenSSL BIO: one copy in, one copy out.
///
/// Used by one thread at a time, as the `SSL` object it belongs to.
final class TransportBIO {
    /// Received from the peer and not yet taken by OpenSSL.
    private(set) var inbound = ByteBuffer()
    /// Written by OpenSSL and not yet taken by the transport.
    private(set) var outbound = ByteBuffer()
    private var bio: OpaquePointer?

    /// A BIO over a new instance. OpenSSL owns the BIO, the caller the instance, which must live until ``detach()``.
    static func make() -> (state: TransportBIO, bio: OpaquePointer)? {
        guard let method, let bio = BIO_new(method.pointer) else { return nil }
        let state = TransportBIO()
        BIO_set_data(bio, Unmanaged.passUnretained(state).toOpaque())
        BIO_set_init(bio, 1)
        state.bio = bio
        return (state, bio)
    }

    /// After this OpenSSL reads and writes nothing more here.
    func detach() {
        if let bio { BIO_set_data(bio, nil) }
        bio = nil
    }

    func receive(_ bytes: ByteBuffer) {
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.writeImmutableBuffer(bytes)
        }
    }

    func takeOutbound() -> ByteBuffer? {
        guard outbound.readableBytes > 0 else { return nil }
        defer { outbound = ByteBuffer() }
        return outbound
    }

    fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, inbound.readableBytes)
        guard count > 0 else { return 0 }
        inbound.readWithUnsafeReadableBytes { source in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
            return count
        }
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
        return count
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) { outbound.writeBytes(bytes) }

    private struct Method: @unchecked Sendable { let pointer: OpaquePointer } // never changed after it was made

    private static let method: Method? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "fascia transport"),
              BIO_meth_set_read(method, bioRead) == 1, BIO_meth_set_write(method, bioWrite) == 1, BIO_meth_set_ctrl(method, bioControl) == 1
        else { return nil }
        return Method(pointer: method)
    }()
}

private func transport(_ bio: OpaquePointer?) -> TransportBIO? {
    BIO_get_data(bio).map { Unmanaged<TransportBIO>.fromOpaque($0).takeUnretainedValue() }
}

private func bioRead(_ bio: OpaquePointer?, _ target: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
    fascia_BIO_clear_retry_flags(bio)
    guard let transport = transport(bio), let target, count > 0 else { return -1 }
    let read = transport.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
    guard read > 0 else { fascia_BIO_set_retry_read(bio); return -1 }
    return Int32(read)
}

private func bioWrite(_ bio: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
    fascia_BIO_clear_retry_flags(bio)
    guard let transport = transport(bio), let source, count > 0 else { return -1 }
    transport.write(UnsafeRawBufferPointer(start: source, count: Int(count)))
    return count
}

private func bioControl(_: OpaquePointer?, _ command: Int32, _: Int, _: UnsafeMutableRawPointer?) -> Int {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
