"""Frames: spec/link.md section 6."""
from dataclasses import dataclass

from .codes import *


@dataclass
class Frame:
    type: int
    flags: int
    channel: int
    payload: bytes = b""
    reserved: int = 0

    def encode(self, length=None):
        """`length` lies about the payload's size, for invalid vectors."""
        size = len(self.payload) if length is None else length
        return (size.to_bytes(3, "big") + bytes([self.type, self.flags, self.reserved])
                + self.channel.to_bytes(2, "big") + self.payload)


def message_frames(channel, type, body, max_payload=DEFAULT_MAX_FRAME_PAYLOAD):
    """One message as frames of at most `max_payload` bytes."""
    whole = type.to_bytes(2, "big") + body
    pieces = [whole[at:at + max_payload] for at in range(0, len(whole), max_payload)]
    last = len(pieces) - 1
    return [Frame(MESSAGE, (FIRST if index == 0 else 0) | (LAST if index == last else 0), channel, piece)
            for index, piece in enumerate(pieces)]


def credit(channel, count):
    return Frame(CREDIT, 0, channel, count.to_bytes(4, "big"))


def probe(data, ack=False):
    return Frame(PROBE, ACK if ack else 0, 0, data)


def close(code, detail=""):
    """`code`: a name or a number."""
    number = CLOSE_CODES[code] if isinstance(code, str) else code
    text = detail.encode() if isinstance(detail, str) else detail
    return Frame(CLOSE, 0, 0, number.to_bytes(4, "big") + text)


def check_header(length, type, flags, reserved, channel, limit):
    """The checks a header alone allows, in the order of [F-5]."""
    if reserved != 0:
        raise LinkError("PROTOCOL_ERROR", "reserved byte is not zero")
    if length > limit:
        raise LinkError("FRAME_TOO_LARGE", f"{length} bytes, limit {limit}")
    if type == MESSAGE:
        if flags & ~(FIRST | LAST):
            raise LinkError("PROTOCOL_ERROR", "undefined flag on MESSAGE")
        if length < (2 if flags & FIRST else 1):
            raise LinkError("BAD_FRAGMENT", "fragment too short")
    elif type in (CREDIT, PROBE, CLOSE):
        if flags & ~(ACK if type == PROBE else 0):
            raise LinkError("PROTOCOL_ERROR", f"undefined flag on {FRAME_NAMES[type]}")
        if channel != 0 and type != CREDIT:
            raise LinkError("PROTOCOL_ERROR", f"{FRAME_NAMES[type]} on channel {channel}")
        fits = length == 4 if type == CREDIT else (length == 8 or flags == ACK and length == 16) if type == PROBE else 4 <= length <= 4 + MAX_CLOSE_DETAIL
        if not fits:
            raise LinkError("PROTOCOL_ERROR", f"{FRAME_NAMES[type]} of {length} bytes")


class FrameParser:
    """Bytes in, frames out. After an error it stays failed."""

    def __init__(self, limit=DEFAULT_MAX_FRAME_PAYLOAD):
        self.limit, self.buffer, self.consumed, self.failed = limit, bytearray(), 0, None

    def feed(self, data):
        self.buffer += data

    def next(self):
        """The next frame, None when more bytes are needed; raises LinkError."""
        if self.failed:
            raise self.failed
        if len(self.buffer) < HEADER_BYTES:
            return None
        length = int.from_bytes(self.buffer[0:3], "big")
        type, flags, reserved = self.buffer[3], self.buffer[4], self.buffer[5]
        channel = int.from_bytes(self.buffer[6:8], "big")
        try:
            check_header(length, type, flags, reserved, channel, self.limit)
        except LinkError as error:
            self.failed = error
            raise
        if len(self.buffer) < HEADER_BYTES + length:
            return None
        payload = bytes(self.buffer[HEADER_BYTES:HEADER_BYTES + length])
        del self.buffer[:HEADER_BYTES + length]
        self.consumed += HEADER_BYTES + length
        return Frame(type, flags, channel, payload)

    @property
    def incomplete(self):
        """Bytes of a frame not yet complete."""
        return len(self.buffer)
