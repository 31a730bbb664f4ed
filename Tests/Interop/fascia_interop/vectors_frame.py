"""Golden vectors for single frames and streams of frames (kind `frame`)."""
import hashlib

from .codes import *
from .framing import Frame, close, credit, message_frames, probe


def _json(frame):
    out = {"name": FRAME_NAMES.get(frame.type), "type": frame.type, "flags": frame.flags, "channel": frame.channel}
    if len(frame.payload) > 64:
        out |= {"payload_length": len(frame.payload), "payload_sha256": hashlib.sha256(frame.payload).hexdigest()}
    else:
        out["payload"] = frame.payload.hex()
    return out


def make(out):
    def good(name, section, requirements, meaning, frames, limit=DEFAULT_MAX_FRAME_PAYLOAD, extra=b"", canonical=True):
        pieces = [(describe(frame), frame.encode()) for frame in frames]
        if extra:
            pieces.append(("incomplete", extra))
        out.add(f"frame/{name}", "frame", section, requirements, meaning, pieces, limit=limit,
                canonical=canonical and not extra, expect={"frames": [_json(frame) for frame in frames], "incomplete": len(extra)})

    def bad(name, section, requirements, meaning, code, data, before=(), limit=DEFAULT_MAX_FRAME_PAYLOAD):
        head = b"".join(frame.encode() for frame in before)
        at = len(head) + HEADER_BYTES
        pieces = [(describe(frame), frame.encode()) for frame in before] + [("the violation", data)]
        out.add(f"frame/{name}", "frame", section, requirements, meaning, pieces, limit=limit,
                expect={"frames": [_json(frame) for frame in before],
                        "error": {"code": code, "number": CLOSE_CODES[code], "within": [at, at]}})

    knob = message_frames(INPUT, KNOB, bytes.fromhex("080118" "64" "2001"))
    good("message-single", "6.2", ["F-1", "F-6"], "A whole message in one frame: KnobEvent on channel 1", knob)
    good("message-empty-body", "6.2", ["F-6"], "A message of only its type: PairDone", message_frames(0, PAIR_DONE, b""))
    good("message-fragments", "6.2", ["F-6", "F-7"], "One message in three fragments", [
        Frame(MESSAGE, FIRST, 16, bytes.fromhex("1003") + b"abc"), Frame(MESSAGE, 0, 16, b"defgh"), Frame(MESSAGE, LAST, 16, b"i")])
    good("message-largest", "6.1", ["F-3"], "A payload exactly as long as the limit",
         [Frame(MESSAGE, FIRST, 16, bytes.fromhex("1001") + bytes(16_382))])
    good("message-negotiated-limit", "6.1", ["F-3", "F-4"], "A longer payload where the receiver's limit is 65,536",
         [Frame(MESSAGE, FIRST, 16, bytes.fromhex("1001") + bytes(65_534))], limit=65_536)
    good("credit", "6.3", ["F-8"], "CREDIT of 65,536 bytes for channel 16", [credit(16, 65_536)])
    good("probe", "6.4", ["F-9"], "PROBE", [probe(b"\x00\x01\x02\x03\x04\x05\x06\x07")])
    good("probe-ack", "6.4", ["F-9"], "The answer to a PROBE", [probe(b"\x00\x01\x02\x03\x04\x05\x06\x07", ack=True)])
    good("close", "6.5", ["F-10"], "CLOSE goodbye without detail", [close("GOODBYE")])
    good("close-detail", "6.5", ["F-10"], "CLOSE shutdown with a detail", [close("SHUTDOWN", "head unit is switched off – bye")])
    good("close-longest-detail", "6.5", ["F-10"], "CLOSE with 256 bytes of detail", [close("PROTOCOL_ERROR", "d" * 256)])
    good("close-detail-not-utf8", "6.5", ["F-11"], "A detail that is not UTF-8 is no framing error", [close("GOODBYE", b"ok\xff\xc3")])
    good("unknown-type", "6.6", ["X-1"], "An unknown frame type is delivered as unknown, then ignored; the next frame is read",
         [Frame(0x7F, 0xFF, 0xABCD, b"whatever"), probe(bytes(8))])
    good("grease-type", "6.6", ["X-1", "X-2"], "A frame type reserved for GREASE, between two others",
         [probe(bytes(8)), Frame(0x1A, 0x55, 0x0000, bytes(32)), probe(bytes(8), ack=True)])
    good("type-zero", "6.6", ["X-1"], "Frame type 0 is unknown, not special", [Frame(0, 0, 0)])
    good("unknown-type-empty", "6.6", ["X-1"], "An unknown frame without payload", [Frame(0xEA, 0, 3), close("GOODBYE")])
    good("interleaved", "6.2", ["F-7"], "Fragments of channel 16 with a message of channel 1 and a PROBE between them", [
        Frame(MESSAGE, FIRST, 16, bytes.fromhex("1003") + b"one"), *knob, probe(b"interlea"), Frame(MESSAGE, LAST, 16, b"two")])
    good("empty-stream", "6.1", ["F-2"], "No bytes at all", [], canonical=False)
    good("truncated-header", "6.1", ["F-2"], "Seven bytes of a header: more is needed", knob, extra=credit(16, 1).encode()[:7])
    good("truncated-payload", "6.1", ["F-2"], "A payload one byte short: more is needed, nothing is delivered", [], extra=probe(bytes(8)).encode()[:15])

    bad("bad-reserved", "6.1", ["F-5"], "Reserved byte set", "PROTOCOL_ERROR", Frame(PROBE, 0, 0, bytes(8), reserved=1).encode())
    bad("bad-reserved-unknown-type", "6.1", ["F-5"], "Reserved byte set on an unknown type", "PROTOCOL_ERROR", Frame(0x2A, 0, 0, b"", reserved=0x80).encode())
    bad("bad-reserved-before-length", "6.1", ["F-5"], "Reserved byte set and too long: the reserved byte is checked first", "PROTOCOL_ERROR",
        Frame(MESSAGE, FIRST, 0, reserved=2).encode(length=0xFFFFFF))
    bad("too-large", "6.1", ["F-3"], "One byte above the limit; seen before any payload arrives", "FRAME_TOO_LARGE",
        Frame(MESSAGE, FIRST | LAST, 16).encode(length=16_385))
    bad("too-large-24-bit", "6.1", ["F-3"], "The largest length that can be written", "FRAME_TOO_LARGE", Frame(MESSAGE, FIRST | LAST, 16).encode(length=0xFFFFFF))
    bad("too-large-unknown-type", "6.6", ["F-3", "X-1"], "The limit holds for unknown types too", "FRAME_TOO_LARGE", Frame(0x3A, 0, 0).encode(length=16_385))
    bad("too-large-before-flags", "6.1", ["F-5"], "Too long with undefined flags: the length is checked first", "FRAME_TOO_LARGE", Frame(MESSAGE, 0xF0, 0).encode(length=20_000))
    bad("too-large-negotiated", "6.1", ["F-4"], "A receiver whose limit is 65,536 accepts no byte more", "FRAME_TOO_LARGE", Frame(MESSAGE, FIRST, 16).encode(length=65_537), limit=65_536)
    bad("message-bad-flags", "6.2", ["F-5"], "Undefined flag on MESSAGE", "PROTOCOL_ERROR", Frame(MESSAGE, FIRST | LAST | 4, 1, b"\x01\x02").encode())
    bad("message-no-type", "6.2", ["F-6"], "A first fragment of one byte: the type is never split", "BAD_FRAGMENT", Frame(MESSAGE, FIRST, 16, b"\x10").encode())
    bad("message-empty-first", "6.2", ["F-6"], "A first fragment without payload", "BAD_FRAGMENT", Frame(MESSAGE, FIRST | LAST, 16).encode())
    bad("message-empty-continuation", "6.2", ["F-6"], "A continuation without payload", "BAD_FRAGMENT", Frame(MESSAGE, 0, 16).encode(),
        before=[Frame(MESSAGE, FIRST, 16, b"\x10\x03x")])
    bad("message-empty-last", "6.2", ["F-6"], "A last fragment without payload", "BAD_FRAGMENT", Frame(MESSAGE, LAST, 16).encode(),
        before=[Frame(MESSAGE, FIRST, 16, b"\x10\x03x")])
    bad("credit-short", "6.3", ["F-8"], "CREDIT of three bytes", "PROTOCOL_ERROR", Frame(CREDIT, 0, 16, bytes(3)).encode())
    bad("credit-long", "6.3", ["F-8"], "CREDIT of five bytes", "PROTOCOL_ERROR", Frame(CREDIT, 0, 16, bytes(5)).encode())
    bad("credit-flags", "6.3", ["F-5"], "CREDIT with a flag", "PROTOCOL_ERROR", Frame(CREDIT, 1, 16, bytes(4)).encode())
    good("probe-ack-clock", "6.4", ["F-9"], "An answer with a clock, as far as frames go", [Frame(PROBE, ACK, 0, bytes(range(16)))])
    bad("probe-clock", "6.4", ["F-9"], "A PROBE of 16 bytes without ACK", "PROTOCOL_ERROR", Frame(PROBE, 0, 0, bytes(16)).encode())
    bad("probe-ack-twelve", "6.4", ["F-9"], "An answer of 12 bytes", "PROTOCOL_ERROR", Frame(PROBE, ACK, 0, bytes(12)).encode())
    bad("probe-short", "6.4", ["F-9"], "PROBE of seven bytes", "PROTOCOL_ERROR", Frame(PROBE, 0, 0, bytes(7)).encode())
    bad("probe-empty", "6.4", ["F-9"], "PROBE without payload", "PROTOCOL_ERROR", Frame(PROBE, 0, 0).encode())
    bad("probe-channel", "6.4", ["F-9"], "PROBE on channel 1", "PROTOCOL_ERROR", Frame(PROBE, 0, 1, bytes(8)).encode())
    bad("probe-flags", "6.4", ["F-5"], "PROBE with an undefined flag", "PROTOCOL_ERROR", Frame(PROBE, 2, 0, bytes(8)).encode())
    bad("close-short", "6.5", ["F-10"], "CLOSE of three bytes", "PROTOCOL_ERROR", Frame(CLOSE, 0, 0, bytes(3)).encode())
    bad("close-long-detail", "6.5", ["F-10"], "CLOSE with 257 bytes of detail", "PROTOCOL_ERROR", close("GOODBYE", "d" * 257).encode())
    bad("close-channel", "6.5", ["F-10"], "CLOSE on channel 16", "PROTOCOL_ERROR", Frame(CLOSE, 0, 16, bytes(4)).encode())
    bad("close-flags", "6.5", ["F-5"], "CLOSE with a flag", "PROTOCOL_ERROR", Frame(CLOSE, 1, 0, bytes(4)).encode())
    bad("garbage-http", "6.1", ["F-5"], "An HTTP request line", "PROTOCOL_ERROR", b"GET / HTTP/1.1\r\n\r\n")
    bad("after-error", "6.1", ["F-12"], "Nothing after a violation is read, however well formed", "PROTOCOL_ERROR",
        Frame(PROBE, 0, 7, bytes(8)).encode() + probe(bytes(8)).encode(), before=[probe(bytes(8))])


def describe(frame):
    name = FRAME_NAMES.get(frame.type, f"type {frame.type:#04x}")
    flags = {MESSAGE: {1: " FIRST", 2: " LAST", 3: " FIRST|LAST"}, PROBE: {1: " ACK"}}.get(frame.type, {}).get(frame.flags, "")
    return f"{name}{flags}, channel {frame.channel}, {len(frame.payload)} bytes"
