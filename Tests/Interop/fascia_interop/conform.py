"""Plays fixtures to a running program and compares how it closes: one case a fixture, named like it."""
import time

from . import fixtures, schema
from .car import listen
from .codes import *
from .framing import message_frames
from .secure import ALPN_PAIRING, ALPN_SESSION, SecureSocket, State, TransportEnded, dial

USUAL = {"max_frame_payload": 16_384, "max_message": 16_777_216, "channels": [1, 2, 4, 16], "consume": True}
SILENCE = 1.0
# What has to come may take so long on a busy machine.
PATIENCE = 20.0
# A live sender waits: for credit, and with Proceed for the Welcome. Played at once these come out either way.
PATIENT = {"session/beyond-initial-credit", "session/speculation-refused", "session/speculation-unfinished"}


def cases(receiver):
    """(entry, ALPN, bytes to send after TLS, wanted close code)

    Wanted is "open" for a connection that goes on, None for one that the fixture itself closes.
    """
    hello = b"".join(frame.encode() for frame in message_frames(
        CONTROL, HELLO, schema.encode("Hello", version_min=1, version_max=1, name="Conformance", capabilities=[1, 2, 3], channels=[1, 2, 4, 16])))
    for entry, data in fixtures.load():
        expect, alpn = entry["expect"], ALPN_SESSION
        wanted = expect["error"]["code"] if "error" in expect else "open"
        if entry["name"] in PATIENT:
            continue
        if entry["kind"] == "session" and entry["receiver"] == receiver and entry["local"] == USUAL:
            if any(event["event"] == "closed" for event in expect["events"]):
                wanted = None
            if entry["mode"] == PAIRING:
                alpn = ALPN_PAIRING
                # The others spend attempts, and a phone pairs only when a person says so.
                if wanted == "open" or wanted is None or receiver == PHONE or entry["name"] == "session/pairing-start-twice":
                    continue
            yield entry, alpn, data, wanted
        elif entry["kind"] == "display" and receiver == HEAD_UNIT:
            yield entry, alpn, hello + data, wanted
        elif entry["kind"] == "frame" and "error" in expect and entry["limit"] == DEFAULT_MAX_FRAME_PAYLOAD and not expect["frames"]:
            yield entry, alpn, data, wanted


def outcome(secure, data, closes, answers):
    """How the peer closed: (close code, "open", or None when it ended without CLOSE; probe answers).

    closes: whether it should; answers: those that should come.
    """
    received = b""
    try:
        for at in range(0, len(data), 1_000):
            secure.send(data[at:at + 1_000])
        begin, acks = time.monotonic(), []
        while time.monotonic() < begin + (PATIENCE if closes or any(answer not in acks for answer in answers) else SILENCE):
            received += secure.receive(0.05)
            codes, acks = _frames(received)
            if codes:
                return codes[0], acks
        return "open", acks
    except TransportEnded:
        try:
            received += secure.receive(0.05)
        except TransportEnded:
            pass
        codes, acks = _frames(received)
        return codes[0] if codes else None, acks
    finally:
        secure.close()


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


def _play(receiver, only, open_connection):
    count = failed = 0
    # Pairing first: a head unit that shows a phone may not pair meanwhile.
    for entry, alpn, data, wanted in sorted(cases(receiver), key=lambda case: case[1] != ALPN_PAIRING):
        if only not in entry["name"]:
            continue
        count += 1
        answers, end = entry["expect"].get("probe_acks", []), time.monotonic() + PATIENCE
        while True:
            try:
                code, acks = outcome(open_connection(alpn), data, wanted != "open", answers)
            except (TransportEnded, TimeoutError, OSError) as error:
                code, acks = f"no connection: {error}", []
            # It may need a moment to see that the phone before is gone, or the attempt before over.
            if code not in ("PAIRING_CLOSED", "BUSY") or code == wanted or time.monotonic() > end:
                break
        if code != wanted or any(ack not in acks for ack in answers):
            failed += 1
            print(f"FAIL {entry['name']} {entry['requirements']}: {entry['meaning']}: wanted {wanted}, got {code}", flush=True)
    print(f"{count} cases, {failed} failed")
    return 1 if failed else 0


def head_unit(address, state_dir, only=""):
    """The head unit at `address`, paired before with this state."""
    state = State(state_dir)
    return _play(HEAD_UNIT, only, lambda alpn: dial(address, state, alpn, trusted=lambda peer: alpn == ALPN_PAIRING or peer.hex() in state.peers))


def phone(address, state_dir, only=""):
    """A phone that was paired with this state and connects again and again."""
    state = State(state_dir)
    with listen(address) as listener:
        listener.settimeout(30)

        def accept(_):
            sock, _ = listener.accept()
            secure = SecureSocket(sock, state, [ALPN_SESSION], server=True, trusted=lambda peer: peer.hex() in state.peers)
            received = b""
            while len(received) < HEADER_BYTES + int.from_bytes(received[:3], "big"):  # Hello
                received += secure.receive(5)
            return secure

        return _play(PHONE, only, accept)
