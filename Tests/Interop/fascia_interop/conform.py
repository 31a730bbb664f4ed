"""Sends fixtures to a running head unit and compares how it closes: one case a fixture."""
import time

from . import fixtures, schema
from .codes import *
from .framing import message_frames
from .secure import ALPN_PAIRING, ALPN_SESSION, State, TransportEnded, dial


def cases():
    """(entry, ALPN, bytes to send after TLS)"""
    hello = b"".join(frame.encode() for frame in message_frames(
        CONTROL, HELLO, schema.encode("Hello", version_min=1, version_max=1, name="Conformance", capabilities=[1, 2, 3], channels=[1, 2, 4, 16])))
    for entry, data in fixtures.load():
        if entry["kind"] == "session" and entry["receiver"] == HEAD_UNIT:
            local = entry["local"]
            if local["max_frame_payload"] == 16_384 and local["max_message"] == 16_777_216 and local["channels"] == [1, 2, 4, 16] and local["consume"]:
                yield entry, ALPN_PAIRING if entry["mode"] == PAIRING else ALPN_SESSION, data
        elif entry["kind"] == "display":
            yield entry, ALPN_SESSION, hello + data
        elif entry["kind"] == "frame" and "error" in entry["expect"] and entry["limit"] == 16_384:
            yield entry, ALPN_SESSION, data


def outcome(address, state, alpn, data):
    """How the head unit closed: (code name or None, probe answers); code "open" when it did not."""
    secure = dial(address, state, alpn, trusted=lambda peer: alpn == ALPN_PAIRING or peer.hex() in state.peers)
    acks, received = [], b""
    try:
        for at in range(0, len(data), 1_000):
            secure.send(data[at:at + 1_000])
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            piece = secure.receive(0.05)
            received += piece
            codes, acks = _frames(received)
            if codes:
                return codes[0], acks
    except TransportEnded:
        codes, acks = _frames(received)
        return (codes[0] if codes else None), acks
    finally:
        secure.close()
    return "open", acks


def _frames(data):
    """Close codes and probe answers among received bytes."""
    codes, acks, at = [], [], 0
    while at + HEADER_BYTES <= len(data):
        length = int.from_bytes(data[at:at + 3], "big")
        payload = data[at + HEADER_BYTES:at + HEADER_BYTES + length]
        if len(payload) < length:
            break
        if data[at + 3] == CLOSE:
            codes.append(CLOSE_NAMES.get(int.from_bytes(payload[:4], "big"), "unknown"))
        elif data[at + 3] == PROBE and data[at + 4] & ACK:
            acks.append(payload.hex())
        at += HEADER_BYTES + length
    return codes, acks


def run(address, state_dir, only=""):
    state, failed, count = State(state_dir), 0, 0
    for entry, alpn, data in cases():
        if only not in entry["name"]:
            continue
        # Pairing cases spend attempts; a locked head unit cannot show anything else.
        if alpn == ALPN_PAIRING and "error" not in entry["expect"]:
            continue
        expect = entry["expect"]
        wanted = expect["error"]["code"] if "error" in expect else "open"
        if "error" not in expect and any(event.get("event") == "closed" for event in expect.get("events", [])):
            wanted = None  # the fixture itself closes: the head unit ends without CLOSE
        count += 1
        try:
            code, acks = outcome(address, state, alpn, data)
        except (TransportEnded, TimeoutError, OSError) as error:
            code, acks = f"no connection: {error}", []
        good = code == wanted and all(ack in acks for ack in expect.get("probe_acks", []))
        failed += not good
        if not good:
            print(f"FAIL {entry['name']} {entry['requirements']}: {entry['meaning']}: wanted {wanted}, got {code}", flush=True)
    print(f"{count} cases, {failed} failed")
    return 1 if failed else 0
