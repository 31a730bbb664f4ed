import COpenSSL

// What OpenSSL asks during a handshake. Each runs inside a call made by the engine it finds, on the engine's thread.

private func engine(of ssl: OpaquePointer?) -> TLSEngine? {
    ssl.flatMap { SSL_get_ex_data($0, TLSEngine.exDataIndex) }.map { Unmanaged<TLSEngine>.fromOpaque($0).takeUnretainedValue() }
}

/// In place of a certificate chain's verification: only the pin counts.
func tlsVerifyPeer(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let store, let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
          let engine = engine(of: OpaquePointer(ssl)), let certificate = X509_STORE_CTX_get0_cert(store),
          let fingerprint = Fingerprint(certificate: certificate), engine.admits(fingerprint)
    else {
        // Becomes the alert bad_certificate (spec 4.3, T-7).
        if let store { X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED) }
        return 0
    }
    return 1
}

/// Before anything is negotiated: a client without TLS 1.3 or without ALPN gets the alert that says so.
func tlsClientHello(_ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let engine = engine(of: ssl), let alert else { return SSL_CLIENT_HELLO_ERROR }
    guard offersTLS13(ssl) else {
        engine.refuse(TLSError(.versionUnsupported, .remote, "the peer speaks TLS 1.2 or older; TLS 1.3 is needed"))
        alert.pointee = SSL_AD_PROTOCOL_VERSION
        return SSL_CLIENT_HELLO_ERROR
    }
    var data: UnsafePointer<UInt8>?
    var length = 0
    guard SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation), &data, &length) == 1 else {
        engine.refuse(engine.noCommonProtocol)
        alert.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
        return SSL_CLIENT_HELLO_ERROR
    }
    // RFC 7301, 3.1: the names after the length of the list in two bytes.
    if let data, length > 2 { engine.offersLink = alpn(UnsafeBufferPointer(start: data + 2, count: length - 2), contains: .link) }
    return SSL_CLIENT_HELLO_SUCCESS
}

/// supported_versions (RFC 8446, 4.2.1): a list of two-byte versions after its length in one byte.
private func offersTLS13(_ ssl: OpaquePointer?) -> Bool {
    var data: UnsafePointer<UInt8>?
    var length = 0
    guard SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_supported_versions), &data, &length) == 1, let data else { return false }
    let versions = UnsafeBufferPointer(start: data, count: length).dropFirst()
    return zip(versions, versions.dropFirst()).enumerated().contains { $0.offset % 2 == 0 && $0.element == (0x03, 0x04) }
}

private func alpn(_ list: UnsafeBufferPointer<UInt8>, contains wanted: ApplicationProtocol) -> Bool {
    var index = 0
    while index < list.count {
        let name = list[(index + 1)...].prefix(Int(list[index]))
        if name.elementsEqual(wanted.name.utf8) { return true }
        index += 1 + Int(list[index])
    }
    return false
}

func tlsSelectProtocol(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ selectedLength: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let engine = engine(of: ssl), let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    for candidate in engine.protocols {
        var index = 0
        while index < list.count {
            let name = list[(index + 1)...].prefix(Int(list[index]))
            if name.elementsEqual(candidate.name.utf8) {
                selected?.pointee = offered + index + 1
                selectedLength?.pointee = list[index]
                if candidate == .pairing { SSL_set_num_tickets(ssl, 0) } // nothing to resume
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + Int(list[index])
        }
    }
    engine.refuse(engine.noCommonProtocol)
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// A phone offers a ticket: it is taken away whatever comes of it, and is as good as the pin of the peer it was issued to. With a
/// forgotten peer's ticket a full handshake follows, in which its certificate is refused. Asked before early data is looked at.
func tlsTicketOffered(
    _ ssl: OpaquePointer?, _ id: UnsafePointer<UInt8>?, _ length: Int32, _ copies: UnsafeMutablePointer<Int32>?
) -> OpaquePointer? {
    guard let engine = engine(of: ssl), let id, length > 0,
          let (ticket, peer) = engine.context.issued.take(UnsafeBufferPointer(start: id, count: Int(length))),
          engine.offersLink, engine.accepts(.link, peer), SSL_SESSION_up_ref(ticket.session) == 1
    else { return nil }
    copies?.pointee = 0 // the reference is OpenSSL's
    engine.ticketPeer = peer
    return ticket.session
}

/// A head unit made a ticket. Returns 1 when it takes over the reference to `session`.
func tlsTicketIssued(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let session, let engine = engine(of: ssl), engine.negotiatedProtocol == .link,
          let certificate = SSL_SESSION_get0_peer(session), let fingerprint = Fingerprint(certificate: certificate)
    else { return 0 }
    for ticket in engine.context.issued.store(.init(adopting: session), for: fingerprint) {
        SSL_CTX_remove_session(engine.context.pointer, ticket.session) // else OpenSSL keeps it, peer's certificate and all, for its week
    }
    return 1
}

/// Returns 1 when it takes over the reference to `session`.
func tlsTicketReceived(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let session, let engine = engine(of: ssl), engine.negotiatedProtocol == .link,
          let certificate = SSL_SESSION_get0_peer(session), let fingerprint = Fingerprint(certificate: certificate)
    else { return 0 }
    engine.context.tickets.store(.init(adopting: session), for: fingerprint)
    return 1
}
