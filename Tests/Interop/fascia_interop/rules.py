"""Field rules of the control, pairing and input messages: spec/link.md section 9."""
import math

from . import spake2
from .codes import *


def _need(condition, detail):
    if not condition:
        raise LinkError("BAD_MESSAGE", detail)


def _text(value, limit, field):
    _need(len(value.encode()) <= limit, f"{field} longer than {limit} bytes")


def _limits(limits):
    _need(limits.max_frame_payload == 0 or MIN_MAX_FRAME_PAYLOAD <= limits.max_frame_payload <= MAX_MAX_FRAME_PAYLOAD,
          "max_frame_payload")
    _need(limits.max_message == 0 or MIN_MAX_MESSAGE <= limits.max_message, "max_message")


def _common(message):
    _text(message.name, MAX_NAME, "name")
    _text(message.software, MAX_SOFTWARE, "software")
    _need(len(message.capabilities) <= MAX_CAPABILITIES, "too many capabilities")
    _need(len(message.channels) <= MAX_CHANNELS, "too many channels")
    _limits(message.limits)
    _need(max(len(message.audio.formats), len(message.audio.microphone)) <= MAX_FORMATS, "too many formats")
    _text(message.audio.sink, MAX_NAME, "sink")


def hello(message):
    _need(message.version_min <= message.version_max, "version range")
    _common(message)
    if not message.version_min <= 1 <= message.version_max:
        raise LinkError("VERSION_UNSUPPORTED", "speaks 1 to 1")


def welcome(message, offered_channels=None, versions=(1, 1)):
    if not versions[0] <= message.version <= versions[1]:
        raise LinkError("VERSION_UNSUPPORTED", f"speaks {versions[0]} to {versions[1]}")
    _common(message)
    _need(len(message.session_id) == 16, "session_id")
    _need(len(message.resume_token) == 32, "resume_token")
    if offered_channels is not None:
        _need(set(message.channels) - {0} <= set(offered_channels), "channel not offered")
    _need(1 <= len(message.screens) <= MAX_SCREENS, "screens")
    for screen in message.screens:
        _need(16 <= screen.channel <= 31 and screen.channel in message.channels, "screen channel")
        _need(1 <= screen.width <= 16_384 and 1 <= screen.height <= 16_384, "screen size")
        _need(math.isfinite(screen.scale) and 0.5 <= screen.scale <= 8, "screen scale")


def _share(data):
    try:
        spake2.decode_point(data)
    except ValueError as error:
        raise LinkError("BAD_MESSAGE", f"share: {error}")


def pair_start(message):
    _share(message.share)
    _need(len(message.salt) == 16, "salt")
    _text(message.name, MAX_NAME, "name")


def pair_reply(message):
    _share(message.share)
    _need(len(message.confirmation) == 32, "confirmation")
    _text(message.name, MAX_NAME, "name")


def pair_confirm(message):
    _need(len(message.confirmation) == 32, "confirmation")


def touch(message):
    _need(math.isfinite(message.x) and math.isfinite(message.y), "coordinates")


def touchpad(message):
    _need(math.isfinite(message.dx) and math.isfinite(message.dy), "deltas")


def _gain_and_duck(message):
    # What is out of range is brought into it by who plays it [S-10].
    _need(math.isfinite(message.gain_db) and math.isfinite(message.duck.level_db), "a level that is no number")


def stream_start(message):
    _need(message.stream != 0, "stream 0")
    _text(message.label, MAX_LABEL, "label")
    _gain_and_duck(message)


def stream_status(message):
    _need(math.isfinite(message.volume), "volume")


def audio_packet(body):
    """(stream, sequence, time_ns, data) of spec/sound.md 4.2."""
    _need(len(body) >= AUDIO_HEADER_BYTES, "AudioPacket shorter than its header")
    return int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big"), int.from_bytes(body[8:16], "big"), body[16:]


CHECKS = {STREAM_START: stream_start, STREAM_UPDATE: _gain_and_duck, STREAM_STATUS: stream_status, HELLO: hello, WELCOME: welcome, PAIR_START: pair_start, PAIR_REPLY: pair_reply, PAIR_CONFIRM: pair_confirm,
          TOUCH: touch, TOUCHPAD: touchpad}
