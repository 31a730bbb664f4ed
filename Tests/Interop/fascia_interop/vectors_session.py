"""Golden vectors for one end of a connection (kind `session`)."""
import hashlib

from . import resource, schema
from .codes import *
from .framing import Frame, close, credit, message_frames, probe
from .samples import *
from .vectors_frame import describe

HELLO_FRAMES = message_frames(0, HELLO, schema.encode("Hello", **HELLO_FIELDS))
WELCOME_FRAMES = message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS))
TOUCH_BODY = schema.encode("TouchEvent", phase=1, x=10, y=20, time_ns=99, sequence=1, screen=16)
COMMIT_BODY = schema.encode("Commit", sequence=1, reset=True, background=0x000000FF)
PRESENTED_BODY = schema.encode("Presented", sequence=1, time_ns=5)
START = message_frames(0, PAIR_START, schema.encode("PairStart", share=SHARE_A, name="Ada", salt=bytes(16)))
REPLY = message_frames(0, PAIR_REPLY, schema.encode("PairReply", share=SHARE_B, confirmation=bytes(32), name="Fascia"))
CONFIRM = message_frames(0, PAIR_CONFIRM, schema.encode("PairConfirm", confirmation=bytes(32)))
DONE = message_frames(0, PAIR_DONE, b"")


def event(channel, type, body):
    out = {"event": "message", "channel": channel, "type": type, "name": schema.REGISTRY[type].name}
    if len(body) > 256:
        return out | {"body_length": len(body), "body_sha256": hashlib.sha256(body).hexdigest()}
    return out | {"body": body.hex()}


def whole(frames):
    """The event of a message sent as these frames."""
    data = b"".join(frame.payload for frame in frames)
    return event(frames[0].channel, int.from_bytes(data[:2], "big"), data[2:])


def closed(code, detail="", number=None):
    return {"event": "closed", "initiator": "remote", "code": code, "number": CLOSE_CODES[code] if number is None else number, "detail": detail}


def make(out):
    def add(name, receiver, section, requirements, meaning, frames, events, error=None, mode=SESSION, acks=(), local=None, frames_at_fault=1):
        """With `error`, the last frame is the violation."""
        data = [frame.encode() for frame in frames]
        expect = {"events": events, "probe_acks": [ack.hex() for ack in acks]}
        if error:
            end = sum(len(piece) for piece in data)
            expect["error"] = {"code": error, "number": CLOSE_CODES[error], "within": [end - sum(map(len, data[-frames_at_fault:])) + HEADER_BYTES, end]}
        defaults = {"max_frame_payload": 16_384, "max_message": 16_777_216, "channels": [1, 2, 4, 16], "consume": True}
        out.add(f"session/{name}", "session", section, requirements, meaning, [(describe(f), piece) for f, piece in zip(frames, data)],
                receiver=receiver, mode=mode, local=defaults | (local or {}), expect=expect)

    def to_head_unit(name, section, requirements, meaning, frames, events, error=None, **rest):
        add(name, HEAD_UNIT, section, requirements, meaning, HELLO_FRAMES + frames, [whole(HELLO_FRAMES)] + events, error, **rest)

    def to_phone(name, section, requirements, meaning, frames, events, error=None, **rest):
        add(name, PHONE, section, requirements, meaning, WELCOME_FRAMES + frames, [whole(WELCOME_FRAMES)] + events, error, **rest)

    commit = message_frames(16, COMMIT, COMMIT_BODY)
    touch = message_frames(1, TOUCH, TOUCH_BODY)
    presented = message_frames(16, PRESENTED, PRESENTED_BODY)
    picture = message_frames(16, RESOURCE, resource.body(1, resource.A8, 200, 200, bytes(range(200)) + bytes(39_800)))
    vehicle = message_frames(2, VEHICLE_STATE, schema.encode("VehicleState", night=True, driver_side=1))
    semantics = message_frames(4, SEMANTICS_UPDATE, schema.encode("SemanticsUpdate", **SEMANTICS))

    mask = message_frames(16, RESOURCE, resource.body(1, resource.A8, 4, 4, bytes([0, 64, 128, 255] * 4)))
    shown = message_frames(16, COMMIT, schema.encode("Commit", sequence=1, reset=True, background=0x101014FF, upsert=[
        {"id": 1, "x": 398, "y": 238, "width": 4, "height": 4, "image": {"resource": 1, "tint": 0xFFFFFFFF}}]))
    to_head_unit("annotated-phone", "3.2", ["M-3"], "The example session, bytes of the phone",
                 mask + shown + semantics + [probe(b"\0\0\0\0\0\0\0\1", ack=True), close("GOODBYE", "driver chose end")],
                 [whole(mask), whole(shown), whole(semantics), closed("GOODBYE", "driver chose end")])
    to_phone("annotated-head-unit", "3.2", ["M-3"], "The example session, bytes of the head unit",
             vehicle + touch + presented + [credit(16, 94), probe(b"\0\0\0\0\0\0\0\1")],
             [whole(vehicle), whole(touch), whole(presented)], acks=[b"\0\0\0\0\0\0\0\1"])
    to_head_unit("interleaved", "6.2", ["F-7"], "A resource in pieces, with semantics and a probe between them",
                 [picture[0], *semantics, picture[1], probe(b"between!"), picture[2]], [whole(semantics), whole(picture)], acks=[b"between!"])
    add("probe-first", HEAD_UNIT, "8.5", ["L-3"], "A probe before Hello is answered", [probe(b"hi there")] + HELLO_FRAMES, [whole(HELLO_FRAMES)], acks=[b"hi there"])
    to_phone("unexpected-ack", "8.5", ["L-4"], "An answer to no probe is ignored", [probe(bytes(8), ack=True), *touch], [whole(touch)])
    grease = [Frame(0x4A, 0xFF, 0, bytes(7)), *message_frames(0, 0x1A5A, b"grease"), Frame(0xFA, 0, 0x0A0A, b"")]
    add("grease", HEAD_UNIT, "14.2", ["X-1", "X-2"], "GREASE before and after Hello", grease + HELLO_FRAMES + grease + commit, [whole(HELLO_FRAMES), whole(commit)])
    to_head_unit("unknown-type", "7.1", ["X-5"], "An unknown message type on an open channel is ignored", message_frames(16, 0x1055, bytes(40_000)) + commit, [whole(commit)])
    to_phone("unknown-type-input", "7.1", ["X-5"], "An unknown input message is ignored", message_frames(1, 0x0177, b"??") + touch, [whole(touch)])
    to_head_unit("close-unknown-code", "8.8", ["E-3"], "A close code that version 1 does not know", [close(0x7777, "future")], [closed("GOODBYE", "future", 0x7777) | {"code": None}])
    to_head_unit("close-not-utf8", "6.5", ["F-11"], "Bad bytes of the detail become U+FFFD", [close("SHUTDOWN", b"a\xffb")], [closed("SHUTDOWN", "a\ufffdb")])
    to_head_unit("after-close", "6.5", ["F-13"], "Bytes after CLOSE are ignored, even garbage", [close("GOODBYE"), Frame(9, 9, 9, b"x", reserved=9)], [closed("GOODBYE")])
    to_phone("close-inside-message", "6.5", ["F-13"], "CLOSE inside a message: the message is not delivered", [Frame(MESSAGE, FIRST, 1, bytes.fromhex("0101") + TOUCH_BODY[:3]), close("SUPERSEDED")],
             [closed("SUPERSEDED")])
    add("channel-offered-not-opened", HEAD_UNIT, "8.3", ["C-6"], "The phone sends on a channel the head unit did not open: discarded", HELLO_FRAMES + semantics + commit,
        [whole(HELLO_FRAMES), whole(commit)], local={"channels": [1, 2, 16]})
    big = message_frames(16, RESOURCE, resource.body(1, resource.A8, 1_024, 1_400, bytes(1_433_600)))
    to_head_unit("beyond-initial-credit", "8.4", ["C-3"], "A message longer than the initial credit: credit comes back for its fragments", big, [whole(big)])

    one = Frame(MESSAGE, FIRST, 16, bytes.fromhex("1003") + COMMIT_BODY[:2])
    to_head_unit("continuation-first", "6.2", ["F-7"], "A continuation on a channel with no message open", [Frame(MESSAGE, 0, 16, b"abc")], [], "BAD_FRAGMENT")
    to_head_unit("fragment-after-last", "6.2", ["F-7"], "A continuation after LAST", [*commit, Frame(MESSAGE, LAST, 16, b"abc")], [whole(commit)], "BAD_FRAGMENT")
    to_head_unit("first-inside-message", "6.2", ["F-7"], "FIRST inside an open message of the channel", [one, *commit], [], "BAD_FRAGMENT")
    to_head_unit("continuation-other-channel", "6.2", ["F-7"], "A continuation of channel 16's message sent on channel 4", [one, Frame(MESSAGE, LAST, 4, b"abc")], [], "BAD_FRAGMENT")
    five = [Frame(MESSAGE, FIRST, 0, bytes.fromhex("0999") + bytes(16_382))] + [Frame(MESSAGE, 0, 0, bytes(16_384))] * 3 + [Frame(MESSAGE, LAST, 0, b"\0")]
    to_head_unit("message-too-large-control", "7.2", ["M-4"], "65,537 bytes on channel 0, of an unknown type", five, [], "MESSAGE_TOO_LARGE")
    to_phone("message-too-large-input", "7.2", ["M-4"], "4,097 bytes on channel 1 in one frame", message_frames(1, TOUCH, bytes(4_095)), [], "MESSAGE_TOO_LARGE")
    to_phone("message-largest-input", "7.2", ["M-4"], "4,096 bytes on channel 1, of an unknown type, are in order", message_frames(1, 0x0155, bytes(4_094)) + touch, [whole(touch)])
    small = [Frame(MESSAGE, FIRST, 16, bytes.fromhex("1001") + bytes(16_382))] + [Frame(MESSAGE, 0, 16, bytes(16_384))] * 63 + [Frame(MESSAGE, LAST, 16, b"\0")]
    to_head_unit("message-too-large-negotiated", "7.2", ["M-4"], "One byte above the max_message of 1,048,576 the head unit stated", small, [], "MESSAGE_TOO_LARGE", local={"max_message": 1_048_576})
    to_phone("credit-exceeded", "8.4", ["C-2"], "One frame longer than the whole initial credit of channel 1", [Frame(MESSAGE, FIRST, 1, bytes.fromhex("0101") + bytes(65_535))], [], "CREDIT_EXCEEDED",
             local={"max_frame_payload": 131_072})
    update = message_frames(4, SEMANTICS_UPDATE, schema.encode("SemanticsUpdate", upsert=[{"id": 1, "label": "x" * 16_000}]))
    to_head_unit("credit-used-up", "8.4", ["C-2"], "Messages on channel 4 that nobody consumes, until one is beyond the credit of 262,144", update * 17, [whole(update)] * 16,
                 "CREDIT_EXCEEDED", local={"consume": False})
    to_phone("credit-zero", "6.3", ["C-4"], "CREDIT of 0 bytes", [credit(16, 0)], [], "CREDIT_EXCEEDED")
    to_phone("credit-control", "6.3", ["C-4"], "CREDIT for channel 0", [credit(0, 1)], [], "CREDIT_EXCEEDED")
    to_phone("credit-overflow", "6.3", ["C-4"], "Credit above 2^31-1 in sum", [credit(16, 2**31 - 1)], [], "CREDIT_EXCEEDED")
    to_phone("credit-largest", "6.3", ["C-4"], "Credit of exactly 2^31-1 in sum", [credit(16, 2**31 - 1 - 1_048_576), *touch], [whole(touch)])
    add("credit-before-welcome", PHONE, "8.4", ["C-5"], "CREDIT before Welcome", [credit(16, 1)], [], "ILLEGAL_MESSAGE")

    resume = {"session_id": SESSION_ID, "token": TOKEN, "presented_sequence": 4}
    speculative = message_frames(0, HELLO, schema.encode("Hello", **HELLO_FIELDS | {"resume": resume | {"speculative": True}}))
    patient = message_frames(0, HELLO, schema.encode("Hello", **HELLO_FIELDS | {"resume": resume}))
    proceed = message_frames(0, PROCEED, b"")
    add("speculation-refused", HEAD_UNIT, "8.7", ["R-8", "R-11"], "Messages for a session that does not go on are dropped until Proceed",
        speculative + commit + semantics + proceed + commit, [whole(speculative), whole(commit)])
    add("speculation-unfinished", HEAD_UNIT, "8.7", ["R-11"], "A message begun before Proceed is dropped, though it ends after it",
        speculative + [picture[0], picture[1], *proceed, picture[2], *commit], [whole(speculative), whole(commit)])
    add("speculation-no-proceed", HEAD_UNIT, "8.7", ["R-11"], "Without Proceed nothing is shown", speculative + commit + semantics, [whole(speculative)])
    add("proceed-twice", HEAD_UNIT, "8.7", ["R-12"], "Proceed twice", speculative + proceed + proceed, [whole(speculative)], "ILLEGAL_MESSAGE")
    add("proceed-unasked", HEAD_UNIT, "8.7", ["R-12"], "Proceed of a phone that sent nothing speculatively", patient + proceed, [whole(patient)], "ILLEGAL_MESSAGE")
    add("proceed-first", HEAD_UNIT, "8.7", ["R-12"], "Proceed before Hello", proceed, [], "ILLEGAL_MESSAGE")
    to_phone("proceed-to-phone", "8.7", ["R-12"], "Proceed sent by the head unit", proceed, [], "ILLEGAL_MESSAGE")

    add("no-hello", HEAD_UNIT, "7.3", ["M-5"], "A commit before Hello", commit, [], "ILLEGAL_MESSAGE")
    add("welcome-to-head-unit", HEAD_UNIT, "7.3", ["M-5"], "Welcome sent by the phone", WELCOME_FRAMES, [], "ILLEGAL_MESSAGE")
    to_head_unit("second-hello", "7.3", ["M-5"], "Hello twice", HELLO_FRAMES, [], "ILLEGAL_MESSAGE")
    to_phone("second-welcome", "7.3", ["M-5"], "Welcome twice", WELCOME_FRAMES, [], "ILLEGAL_MESSAGE")
    add("before-welcome", PHONE, "7.3", ["M-5"], "The head unit sends input before Welcome", touch, [], "ILLEGAL_MESSAGE")
    to_head_unit("wrong-direction", "7.3", ["M-5"], "The phone sends a touch", touch, [], "ILLEGAL_MESSAGE")
    to_phone("wrong-direction-phone", "7.3", ["M-5"], "The head unit sends a commit", commit, [], "ILLEGAL_MESSAGE")
    to_head_unit("wrong-channel", "7.3", ["M-5"], "A commit on channel 4", message_frames(4, COMMIT, COMMIT_BODY), [], "ILLEGAL_MESSAGE")
    to_head_unit("channel-not-offered", "8.3", ["C-1"], "A commit on display channel 17, which was not offered", message_frames(17, COMMIT, COMMIT_BODY), [], "ILLEGAL_MESSAGE")
    to_head_unit("continuation-unknown-channel", "8.3", ["C-1", "F-7"], "A continuation on a channel that is not open: the channel is checked first", [Frame(MESSAGE, 0, 777, b"abc")], [], "ILLEGAL_MESSAGE")
    to_phone("credit-unknown-channel", "8.4", ["C-5"], "CREDIT for a channel that was not offered", [credit(17, 100)], [], "ILLEGAL_MESSAGE")
    to_head_unit("channel-unknown", "8.3", ["C-1"], "An unknown message on a channel number that means nothing", message_frames(777, 0x0955, b""), [], "ILLEGAL_MESSAGE")
    to_head_unit("pairing-in-session", "7.3", ["M-5"], "PairStart on a connection of fascia/1", START, [], "ILLEGAL_MESSAGE")
    to_head_unit("illegal-fragmented", "7.3", ["M-6"], "An illegal message in two fragments: refused at the first or at the last",
                 [Frame(MESSAGE, FIRST, 16, bytes.fromhex("1004") + b"\x08"), Frame(MESSAGE, LAST, 16, b"\x01")], [], "ILLEGAL_MESSAGE", frames_at_fault=2)

    add("hello-malformed", HEAD_UNIT, "9", ["M-1"], "A Hello that does not decode", message_frames(0, HELLO, bytes.fromhex("0801ff")), [], "BAD_MESSAGE")
    add("hello-not-utf8", HEAD_UNIT, "9", ["M-2"], "A Hello with a name that is not UTF-8", message_frames(0, HELLO, bytes.fromhex("080110011a02c328")), [], "BAD_MESSAGE")
    add("version-unsupported", HEAD_UNIT, "5", ["V-3"], "A phone that speaks versions 2 to 3", message_frames(0, HELLO, schema.encode("Hello", version_min=2, version_max=3)), [], "VERSION_UNSUPPORTED")
    add("version-none", HEAD_UNIT, "5", ["V-3"], "A Hello without versions", message_frames(0, HELLO, b""), [], "VERSION_UNSUPPORTED")
    add("welcome-version", PHONE, "5", ["V-3"], "A head unit that chooses version 7", message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS | {"version": 7})), [], "VERSION_UNSUPPORTED")
    add("welcome-channel-not-offered", PHONE, "9.2", ["W-4"], "A Welcome that opens a channel not offered",
        message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS | {"channels": [1, 2, 4, 16, 17]})), [], "BAD_MESSAGE")
    add("welcome-malformed", PHONE, "9", ["M-1"], "A Welcome that does not decode", message_frames(0, WELCOME, b"\x3a\x10\x01"), [], "BAD_MESSAGE")

    add("pairing-phone", HEAD_UNIT, "9.3", ["P-5"], "Pairing, bytes of the phone", START + CONFIRM + [close("PAIRED")], [whole(START), whole(CONFIRM), closed("PAIRED")], mode=PAIRING)
    add("pairing-head-unit", PHONE, "9.3", ["P-5"], "Pairing, bytes of the head unit", REPLY + DONE + [close("PAIRED")], [whole(REPLY), whole(DONE), closed("PAIRED")], mode=PAIRING)
    add("pairing-wrong-code", HEAD_UNIT, "9.3", ["P-9"], "The phone finds the code wrong", START + [close("WRONG_CODE")], [whole(START), closed("WRONG_CODE")], mode=PAIRING)
    add("pairing-confirm-first", HEAD_UNIT, "9.3", ["P-5"], "PairConfirm before PairStart", CONFIRM, [], "ILLEGAL_MESSAGE", mode=PAIRING)
    add("pairing-start-twice", HEAD_UNIT, "9.3", ["P-5"], "A second PairStart on one connection", START + START, [whole(START)], "ILLEGAL_MESSAGE", mode=PAIRING)
    add("pairing-done-early", PHONE, "9.3", ["P-5"], "PairDone before PairReply", DONE, [], "ILLEGAL_MESSAGE", mode=PAIRING)
    add("pairing-hello", HEAD_UNIT, "9.3", ["P-5"], "Hello on a connection of fascia-pair/1", HELLO_FRAMES, [], "ILLEGAL_MESSAGE", mode=PAIRING)
    add("pairing-unknown-type", HEAD_UNIT, "9.3", ["X-5"], "An unknown message while pairing is ignored", message_frames(0, 0x0055, b"") + START, [whole(START)], mode=PAIRING)
    add("pairing-credit", HEAD_UNIT, "8.4", ["C-5"], "CREDIT while pairing", [credit(16, 1)], [], "ILLEGAL_MESSAGE", mode=PAIRING)
