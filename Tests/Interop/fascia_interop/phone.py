"""A stranger's phone: pairs, negotiates, shows one picture, waits for Presented, resumes."""
import json
import sys
import time

from . import resource, schema, spake2
from .codes import *
from .connection import Closed, Connection
from .secure import ALPN_PAIRING, ALPN_SESSION, State, TransportEnded, dial

NAME, SOFTWARE = "Stranger", "fascia_peer.py 1"


def report(event, **fields):
    print(json.dumps({"event": event, "t_ns": time.monotonic_ns(), **fields}), flush=True)


def pair(address, state, code):
    """Raises Closed when the code is wrong."""
    secure = dial(address, state, ALPN_PAIRING)
    link = Connection(secure, PHONE, PAIRING)
    salt = spake2.secrets.token_bytes(16)
    party = spake2.Party(True, spake2.password_scalar(code, salt))
    link.send_message(CONTROL, "PairStart", share=party.share, name=NAME, salt=salt)
    reply = link.expect(PAIR_REPLY, 10)
    keys = party.finish(reply.share, state.fingerprint, secure.peer, secure.exporter())
    if not spake2.hmac.compare_digest(keys["confirmationB"], reply.confirmation):
        link.close("WRONG_CODE", "the code is wrong")
        raise Closed({"initiator": "local", "code": "WRONG_CODE", "number": CLOSE_CODES["WRONG_CODE"], "detail": "the code is wrong"})
    link.send_message(CONTROL, "PairConfirm", confirmation=keys["confirmationA"])
    link.expect(PAIR_DONE, 10)
    state.trust(secure.peer, reply.name)
    link.close("PAIRED")
    report("paired", name=reply.name, fingerprint=secure.peer.hex())


def connect(address, state, resume=None):
    """(connection, welcome)"""
    secure = dial(address, state, ALPN_SESSION, trusted=lambda peer: peer.hex() in state.peers)
    link = Connection(secure, PHONE)
    hello = {"version_min": 1, "version_max": 1, "name": NAME, "software": SOFTWARE, "capabilities": [1, 2, 3, 0x2A7A], "channels": [1, 2, 4, 16, 0x4A1A]}
    if resume:
        hello["resume"] = resume
    link.send_message(CONTROL, "Hello", **hello)
    welcome = link.expect(WELCOME)
    link.max_payload = welcome.limits.max_frame_payload or DEFAULT_MAX_FRAME_PAYLOAD
    link.liveness = clamped_liveness(welcome.liveness)
    report("connected", name=welcome.name, software=welcome.software, resumed=welcome.HasField("resumed"), channels=list(welcome.channels))
    return link, welcome


def picture(size):
    """A white disc on a transparent square, A8."""
    middle = (size - 1) / 2
    return bytes(255 if (x - middle) ** 2 + (y - middle) ** 2 < middle ** 2 else 0 for y in range(size) for x in range(size))


def show(link, welcome, first_resource, sequence):
    """One resource, one commit, one semantics update; returns Presented."""
    screen = welcome.screens[0]
    compression = resource.ZSTD if 2 in welcome.capabilities else resource.NONE
    size = min(screen.width, screen.height) // 2
    link.send(screen.channel, RESOURCE, resource.body(first_resource, resource.A8, size, size, picture(size), compression))
    x, y = (screen.width - size) / 2, (screen.height - size) / 2
    link.send_message(screen.channel, "Commit", sequence=sequence, reset=True, background=0x203040FF, upsert=[
        {"id": 1, "width": screen.width, "height": screen.height, "gradient": {"top": 0x203040FF, "bottom": 0x101820FF}},
        {"id": 2, "x": x, "y": y, "width": size, "height": size, "order": 1, "image": {"resource": first_resource, "tint": 0xFFB340FF}}])
    if SEMANTICS in welcome.channels:
        link.send_message(SEMANTICS, "SemanticsUpdate", reset=True, sequence=sequence, upsert=[
            {"id": 1, "role": 1, "label": "Stranger", "width": screen.width, "height": screen.height, "enabled": True, "visible": True},
            {"id": 2, "parent": 1, "role": 3, "label": "Disc", "x": x, "y": y, "width": size, "height": size, "enabled": True, "visible": True}])
    presented = link.expect(PRESENTED)
    while presented.sequence < sequence:
        presented = link.expect(PRESENTED)
    report("presented", sequence=presented.sequence, time_ns=presented.time_ns)
    return presented


def listen(link, seconds):
    """Prints input for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        link.pump(end - time.monotonic())
        while link.messages:
            message = link.messages.popleft()
            report("received", message=message["name"], fields=schema.to_json(schema.decode(message["name"], message["body"])))


def run(address, state_dir, code=None, seconds=1.0, resume=True):
    state = State(state_dir)
    try:
        if code:
            pair(address, state, code)
        started = time.monotonic()
        link, welcome = connect(address, state)
        show(link, welcome, 1, 1)
        report("first-frame", ms=round((time.monotonic() - started) * 1_000, 2))
        listen(link, seconds)
        if resume:
            link.secure.socket.close()  # the cable is pulled: no CLOSE
            link, again = connect(address, state, {"session_id": welcome.session_id, "token": welcome.resume_token, "presented_sequence": 1})
            if not again.HasField("resumed") or again.session_id != welcome.session_id or again.resume_token == welcome.resume_token:
                report("failed", reason="the session was not resumed")
                return 1
            show(link, again, again.resumed.highest_resource + 1, again.resumed.presented_sequence + 1)
        link.close("GOODBYE", "stranger is done")
        return 0
    except (Closed, TransportEnded, TimeoutError, LinkError, OSError) as error:
        report("failed", reason=str(error))
        return 1
