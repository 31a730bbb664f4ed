"""SPAKE2 on P-256 (RFC 9382) as Fascia uses it: spec/link.md section 4.5. Plain integers; not constant time, for tests only."""
import hashlib
import hmac
import secrets

P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff
N_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b
G = (0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
     0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5)
M_COMPRESSED = "02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f"
N_COMPRESSED = "03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49"


def _on_curve(point):
    x, y = point
    return 0 <= x < P and 0 <= y < P and (y * y - (x * x * x - 3 * x + B)) % P == 0


def add(one, other):
    """None is the point at infinity."""
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        if (y1 + y2) % P == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x3 = (slope * slope - x1 - x2) % P
    return x3, (slope * (x1 - x3) - y1) % P


def multiply(scalar, point):
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def negate(point):
    return None if point is None else (point[0], -point[1] % P)


def decompress(text):
    data = bytes.fromhex(text)
    x = int.from_bytes(data[1:], "big")
    y = pow((x * x * x - 3 * x + B) % P, (P + 1) // 4, P)
    return x, y if y & 1 == data[0] & 1 else P - y


M, N = decompress(M_COMPRESSED), decompress(N_COMPRESSED)


def encode_point(point):
    return b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def decode_point(data):
    """Raises ValueError for anything but an uncompressed point of the curve."""
    if len(data) != 65 or data[0] != 4:
        raise ValueError("not an uncompressed P-256 point")
    point = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
    if not _on_curve(point):
        raise ValueError("not on the curve")
    return point


def password_scalar(code, salt):
    """w from the pairing code."""
    digest = hashlib.scrypt(code.encode("ascii"), salt=salt, n=16_384, r=8, p=1, dklen=40)
    return int.from_bytes(digest, "big") % N_ORDER


def share(is_a, w, secret):
    return encode_point(add(multiply(secret, G), multiply(w, M if is_a else N)))


def shared_point(is_a, w, secret, peer_share):
    point = add(decode_point(peer_share), negate(multiply(w, N if is_a else M)))
    point = multiply(secret, point)
    if point is None:
        raise ValueError("the shared point is the identity")
    return encode_point(point)


def transcript(identity_a, identity_b, share_a, share_b, k, w):
    parts = [identity_a, identity_b, share_a, share_b, k, w.to_bytes(32, "big")]
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)


def hkdf(key, info, length):
    extracted = hmac.digest(bytes(32), key, "sha256")
    out, block, counter = b"", b"", 1
    while len(out) < length:
        block = hmac.digest(extracted, block + info + bytes([counter]), "sha256")
        out += block
        counter += 1
    return out[:length]


def keys(tt, aad=b""):
    """Every value of the key schedule."""
    digest = hashlib.sha256(tt).digest()
    ke, ka = digest[:16], digest[16:]
    confirmation = hkdf(ka, b"ConfirmationKeys" + aad, 32)
    kca, kcb = confirmation[:16], confirmation[16:]
    return {"Ke": ke, "Ka": ka, "KcA": kca, "KcB": kcb,
            "confirmationA": hmac.digest(kca, tt, "sha256"), "confirmationB": hmac.digest(kcb, tt, "sha256")}


class Party:
    """One end. `is_a`: the phone."""

    def __init__(self, is_a, w, secret=None):
        self.is_a, self.w = is_a, w
        self.secret = secret or secrets.randbelow(N_ORDER - 1) + 1
        self.share = share(is_a, w, self.secret)

    def finish(self, peer_share, identity_a, identity_b, aad):
        k = shared_point(self.is_a, self.w, self.secret, peer_share)
        share_a, share_b = (self.share, peer_share) if self.is_a else (peer_share, self.share)
        return keys(transcript(identity_a, identity_b, share_a, share_b, k, self.w), aad)
