"""Checks every fixture with the Python implementation, whole and in pieces of several sizes."""
import hashlib

from . import applink, appsound, display, fixtures, resource, rules, schema, spake2
from .codes import *
from .framing import FrameParser
from .link import LinkReceiver
from .vectors_frame import _json as frame_json

CHUNKS = [1, 2, 3, 7, 13, 64, 1_000, None]


def chunked(data, size):
    size = size or max(len(data), 1)
    for at in range(0, len(data), size):
        yield data[at:at + size]


def failure(error, fed=None):
    out = {"code": error.code}
    if error.code in CLOSE_CODES:
        out["number"] = CLOSE_CODES[error.code]
    return out


def same_error(expected, error, fed, size):
    """`fed`: bytes fed when the error showed."""
    if expected is None or error is None:
        return (expected is None) == (error is None)
    if expected["code"] != error.code:
        return False
    first, last = expected["within"]
    step = size or fed
    return first <= fed and fed - step < last


def frame(entry, data, size):
    parser, frames, fed, error = FrameParser(entry["limit"]), [], 0, None
    for piece in chunked(data, size):
        parser.feed(piece)
        fed += len(piece)
        try:
            while (one := parser.next()) is not None:
                frames.append(frame_json(one))
        except LinkError as caught:
            error = caught
            break
    expect = entry["expect"]
    assert frames == expect["frames"], frames
    assert same_error(expect.get("error"), error, fed, size), (error, fed)
    if error is None:
        assert parser.incomplete == expect["incomplete"]


def session(entry, data, size):
    local = entry["local"]
    machine = LinkReceiver(entry["receiver"], entry["mode"], {k: local[k] for k in ("max_frame_payload", "max_message")}, local["channels"], local["consume"],
                           capabilities=local.get("capabilities", (1, 2, 3)))
    fed = 0
    for piece in chunked(data, size):
        machine.feed(piece)
        fed += len(piece)
        if machine.state == "closed":
            break
    events, error = [], None
    for event in machine.events:
        if event["event"] == "closed" and event["initiator"] == "local":
            error = LinkError(event["code"], event["detail"])
            continue
        event = dict(event)
        body = event.pop("body", None)
        if body is not None:
            event |= {"body": body.hex()} if len(body) <= 256 else {"body_length": len(body), "body_sha256": hashlib.sha256(body).hexdigest()}
        events.append(event)
    expect = entry["expect"]
    assert events == expect["events"], events
    assert [reply.payload[:8].hex() for reply in machine.replies if reply.type == PROBE] == expect["probe_acks"]
    assert same_error(expect.get("error"), error, fed, size), (error, fed, expect.get("error"))


def message(entry, data, size):
    type = int.from_bytes(data[:2], "big")
    name, expect, error = schema.REGISTRY[type].name, entry["expect"], None
    if type == AUDIO_PACKET:
        return audio_packet(expect, data[2:])
    try:
        decoded = schema.decode(name, data[2:])
        rules.CHECKS.get(type, lambda _: None)(decoded)
    except LinkError as caught:
        error = caught
    if "error" in expect:
        assert error and failure(error) == expect["error"], error
        return
    assert error is None, error
    assert schema.to_json(decoded) == expect["fields"], schema.to_json(decoded)
    if entry["canonical"]:
        assert decoded.SerializeToString(deterministic=True) == data[2:]


def audio_packet(expect, body):
    try:
        stream, sequence, time_ns, sound = rules.audio_packet(body)
    except LinkError as error:
        assert "error" in expect and failure(error) == expect["error"], error
        return
    assert {"stream": stream, "sequence": sequence, "timeNs": str(time_ns), "data": sound.hex()} == expect["fields"]


def resource_(entry, data, size):
    expect, error = entry["expect"], None
    try:
        header, pixels = resource.decode(data, entry["zstd"])
    except LinkError as caught:
        error = caught
    if "error" in expect:
        assert error and failure(error) == expect["error"], error
        return
    assert error is None, error
    assert {k: getattr(header, k) for k in expect["header"] if k != "content_hash"} | {"content_hash": header.content_hash.hex()} == expect["header"]
    assert pixels.hex() == expect["pixels"] if "pixels" in expect else hashlib.sha256(pixels).hexdigest() == expect["pixels_sha256"]


def display_(entry, data, size):
    parser, state, applied, error, partial = FrameParser(), display.Display(entry["zstd"], entry["animations"], screen=entry["screen"]), [], None, b""
    parser.feed(data)
    try:
        while (one := parser.next()) is not None:
            partial = (b"" if one.flags & FIRST else partial) + one.payload
            if one.flags & LAST:
                state.receive(int.from_bytes(partial[:2], "big"), partial[2:])
                if partial[:2] == COMMIT.to_bytes(2, "big"):
                    applied.append(state.sequence)
    except LinkError as caught:
        error = caught
    expect = entry["expect"]
    assert applied == expect["applied"], applied
    if "error" in expect:
        assert error and error.code == expect["error"]["code"], error
        return
    assert error is None, error
    assert [layer.id for layer in state.in_order()] == expect["layers"]
    assert sorted(state.resources) == expect["resources"]
    if "pixels" in expect:
        assert state.draw(*entry["screen"], entry["at_ms"]).hex() == expect["pixels"]


def spake2_(entry, data, size):
    from .vectors_spake2 import run
    given = entry["input"]
    w = int(given["w"], 16) if "w" in given else spake2.password_scalar(given["code"], bytes.fromhex(given["salt"]))
    got = run(bytes.fromhex(given["identity_a"]), bytes.fromhex(given["identity_b"]), w, int(given["x"], 16), int(given["y"], 16), bytes.fromhex(given["aad"]))
    assert got == entry["expect"]


def applink_(entry, data, size):
    receiver, fed = applink.AppLinkReceiver(entry["receiver"]), 0
    for piece in chunked(data, size):
        receiver.feed(piece)
        fed += len(piece)
        if receiver.error:
            break
    if entry["stream_ends"]:
        receiver.end()
    assert receiver.messages == entry["expect"]["messages"]
    assert same_error(entry["expect"].get("error"), receiver.error, fed, size), (receiver.error, fed)


def appsound_(entry, data, size):
    try:
        said = appsound.decode(entry["receiver"], data)
        got = {"datagram": said} if said else {"ignored": True}
    except LinkError as error:
        got = {"error": {"code": error.code}}
    assert got == entry["expect"], got


CHECKS = {"frame": frame, "session": session, "message": message, "resource": resource_, "display": display_, "spake2": spake2_, "applink": applink_, "appsound": appsound_}
STREAMS = {"frame", "session", "applink"}


def run():
    """(checked, [failures])"""
    failures, checked = [], 0
    for entry, data in fixtures.load():
        sizes = CHUNKS if entry["kind"] in STREAMS else [None]
        if data is not None and len(data) > 100_000:
            sizes = [1_000, None]
        for size in sizes:
            checked += 1
            try:
                CHECKS[entry["kind"]](entry, data, size)
            except AssertionError as wrong:
                failures.append(f"{entry['name']}, pieces of {size or 'all'}: {str(wrong)[:400]}")
    return checked, failures
