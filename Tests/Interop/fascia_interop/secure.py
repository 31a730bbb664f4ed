"""Identity, TLS 1.3 and pins: spec/link.md sections 4.2 and 4.3, with pyOpenSSL (Python's own ssl has no exporter)."""
import datetime
import hashlib
import json
import pathlib
import select
import socket

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from OpenSSL import SSL, crypto

ALPN_SESSION, ALPN_PAIRING = b"fascia/1", b"fascia-pair/1"
EXPORTER_LABEL = b"EXPORTER-fascia-pairing"
TLS_TIMEOUT = 20.0


class TransportEnded(Exception):
    """The connection ended without CLOSE."""


def fingerprint(certificate):
    """SHA-256 over the SubjectPublicKeyInfo of a pyOpenSSL certificate."""
    key = certificate.to_cryptography().public_key()
    return hashlib.sha256(key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).digest()


class State:
    """A folder with this end's key and the peers it trusts."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.key_file, self.peers_file = self.folder / "identity.pem", self.folder / "peers.json"
        if not self.key_file.exists():
            self._create()
        data = self.key_file.read_bytes()
        self.key = crypto.load_privatekey(crypto.FILETYPE_PEM, data)
        self.certificate = crypto.load_certificate(crypto.FILETYPE_PEM, data)
        self.fingerprint = fingerprint(self.certificate)
        self.peers = json.loads(self.peers_file.read_text()) if self.peers_file.exists() else {}

    def _create(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stranger")])
        start = datetime.datetime(2020, 1, 1)
        certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
                       .serial_number(x509.random_serial_number()).not_valid_before(start)
                       .not_valid_after(start.replace(year=2120)).sign(key, hashes.SHA256()))
        data = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.key_file.touch(mode=0o600)
        self.key_file.write_bytes(data + certificate.public_bytes(serialization.Encoding.PEM))

    def trust(self, peer, name):
        self.peers[peer.hex()] = name
        self.peers_file.write_text(json.dumps(self.peers, indent=1))


class SecureSocket:
    """A TLS 1.3 connection. `trusted`: asked for the peer's fingerprint during the handshake; None accepts any."""

    def __init__(self, sock, state, alpn, server=False, trusted=None):
        context = SSL.Context(SSL.TLS_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        context.use_certificate(state.certificate)
        context.use_privatekey(state.key)
        context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, self._verify)
        if server:
            context.set_alpn_select_callback(lambda _, offered: next((one for one in alpn if one in offered), SSL.NO_OVERLAPPING_PROTOCOLS))
        else:
            context.set_alpn_protos(alpn)
        self.trusted = trusted
        self.socket = sock
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tls = SSL.Connection(context, sock)
        sock.setblocking(False)
        self.tls.set_accept_state() if server else self.tls.set_connect_state()
        self._retry(self.tls.do_handshake, TLS_TIMEOUT)
        self.alpn = self.tls.get_alpn_proto_negotiated()
        if self.alpn not in alpn:
            raise TransportEnded("no application protocol")
        self.peer = fingerprint(self.tls.get_peer_certificate())

    def _verify(self, connection, certificate, *_):
        pairing = connection.get_alpn_proto_negotiated() == ALPN_PAIRING
        return self.trusted is None or pairing or self.trusted(fingerprint(certificate))

    def exporter(self):
        return self.tls.export_keying_material(EXPORTER_LABEL, 32)

    def _retry(self, call, timeout):
        while True:
            try:
                return call()
            except SSL.WantReadError:
                if not select.select([self.socket], [], [], timeout)[0]:
                    raise TimeoutError("nothing arrived")
            except SSL.WantWriteError:
                if not select.select([], [self.socket], [], timeout)[1]:
                    raise TimeoutError("nothing could be written")
            except (SSL.Error, OSError) as error:
                raise TransportEnded(str(error) or type(error).__name__)

    def send(self, data):
        while data:
            sent = self._retry(lambda: self.tls.send(data[:65_536]), 20.0)
            data = data[sent:]

    def receive(self, timeout):
        """Some bytes; b"" when none came in time."""
        try:
            return self._retry(lambda: self.tls.recv(65_536), timeout)
        except TimeoutError:
            return b""

    def close(self):
        try:
            self.tls.shutdown()
        except SSL.Error:
            pass
        self.socket.close()


def dial(address, state, alpn, trusted=None):
    host, _, port = address.rpartition(":")
    sock = socket.create_connection((host.strip("[]"), int(port)), timeout=TLS_TIMEOUT)
    return SecureSocket(sock, state, [alpn], trusted=trusted)
