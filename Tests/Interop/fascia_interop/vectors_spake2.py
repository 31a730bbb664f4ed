"""SPAKE2 vectors: RFC 9382 appendix B, and runs with a pairing code and an exporter (kind `spake2`)."""
from . import spake2

# RFC 9382, appendix B, SPAKE2-P256-SHA256-HKDF-HMAC: identities, w, x, y, then values the run below must give.
RFC = [
    ("server", "client", "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f",
     "43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729", "dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be",
     "0e0672dc86f8e45565d338b0540abe69", "58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0", "d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b"),
    ("", "client", "0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae",
     "403abbe3b1b4b9ba17e3032849759d723939a27a27b9d921c500edde18ed654b", "903023b6598908936ea7c929bd761af6039577a9c3f9581064187c3049d87065",
     "642f05c473c2cd79909f9a841e2f30a7", "47d29e6666af1b7dd450d571233085d7a9866e4d49d2645e2df975489521232b", "3313c5cefc361d27fb16847a91c2a73b766ffa90a4839122a9b70a2f6bd1d6df"),
    ("server", "", "626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254",
     "07adb3db6bc623d3399726bfdbfd3d15a58ea776ab8a308b00392621291f9633", "b6a4fc8dbb629d4ba51d6f91ed1532cf87adec98f25dd153a75accafafedec16",
     "005184ff460da2ce59062c87733c299c", "bc9f9bbe99f26d0b2260e6456e05a86196a3307ec6663a18bf6ac825736533b2", "c2370e1bf813b086dff0d834e74425a06e6390f48f5411900276dcccc5a297ec"),
    ("", "", "7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca",
     "8cef65df64bb2d0f83540c53632de911b5b24b3eab6cc74a97609fd659e95473", "d7a66f64074a84652d8d623a92e20c9675c61cb5b4f6a0063e4648a2fdc02d53",
     "fc6374762ba5cf11f4b2caa08b2cd1b9", "dfb4db8d48ae5a675963ea5e6c19d98d4ea028d8e898dad96ea19a80ade95dca", "d0f0609d1613138d354f7e95f19fb556bf52d751947241e8c7118df5ef0ae175"),
]


def run(identity_a, identity_b, w, x, y, aad):
    share_a, share_b = spake2.share(True, w, x), spake2.share(False, w, y)
    k = spake2.shared_point(True, w, x, share_b)
    assert k == spake2.shared_point(False, w, y, share_a)
    tt = spake2.transcript(identity_a, identity_b, share_a, share_b, k, w)
    values = spake2.keys(tt, aad)
    out = {"w": w.to_bytes(32, "big"), "share_a": share_a, "share_b": share_b, "k": k, "transcript": tt, "Ke": values["Ke"], "Ka": values["Ka"],
           "KcA": values["KcA"], "KcB": values["KcB"], "confirmation_a": values["confirmationA"], "confirmation_b": values["confirmationB"]}
    return {name: value.hex() for name, value in out.items()}


def make(out):
    for index, (a, b, w, x, y, ke, confirmation_a, confirmation_b) in enumerate(RFC, 1):
        expect = run(a.encode(), b.encode(), int(w, 16), int(x, 16), int(y, 16), b"")
        assert (expect["Ke"], expect["confirmation_a"], expect["confirmation_b"]) == (ke, confirmation_a, confirmation_b), index
        out.add(f"spake2/rfc9382-p256-{index}", "spake2", "4.5", ["P-4"], f"RFC 9382 appendix B, P-256, vector {index}",
                input={"identity_a": a.encode().hex(), "identity_b": b.encode().hex(), "w": w, "x": x, "y": y, "aad": ""}, expect=expect)
    for index, (code, salt) in enumerate([("123456", bytes(range(16))), ("000042", bytes(16))], 1):
        identity_a, identity_b, aad = bytes([0xA0 + index]) * 32, bytes([0xB0 + index]) * 32, bytes(range(64, 96))
        x, y = int(RFC[index][3], 16), int(RFC[index][4], 16)
        expect = run(identity_a, identity_b, spake2.password_scalar(code, salt), x, y, aad)
        out.add(f"spake2/pairing-{index}", "spake2", "4.5", ["P-3", "P-4"], f"Fascia pairing with code {code}: scrypt, fingerprints as identities, exporter as AAD",
                input={"identity_a": identity_a.hex(), "identity_b": identity_b.hex(), "code": code, "salt": salt.hex(), "x": f"{x:064x}", "y": f"{y:064x}", "aad": aad.hex()},
                expect=expect)
