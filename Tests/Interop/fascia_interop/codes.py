"""Constants of spec/link.md, under the names the specification gives them."""

HEADER_BYTES = 8
DEFAULT_MAX_FRAME_PAYLOAD = 16_384
MIN_MAX_FRAME_PAYLOAD, MAX_MAX_FRAME_PAYLOAD = 1_024, 16_777_215
DEFAULT_MAX_MESSAGE = 16_777_216
MIN_MAX_MESSAGE = 1_048_576
EARLY_MAX_MESSAGE = 1_048_576
DEFAULT_RESOURCE_BUDGET = 33_554_432
RESOURCE_OVERHEAD = 256
MAX_CLOSE_DETAIL = 256
MAX_CREDIT = 2**31 - 1
MAX_NAME, MAX_SOFTWARE = 64, 128
MAX_CAPABILITIES, MAX_CHANNELS, MAX_SCREENS = 64, 64, 8
RESOURCE_HEADER_BYTES = 32

MAX_LAYERS, MAX_DEPTH, MAX_ANIMATIONS = 4_096, 32, 16
MAX_OVERDRAW = 64
MAX_RESOURCE_SIDE = 4_096

# Frame types
MESSAGE, CREDIT, PROBE, CLOSE = 1, 2, 3, 4
FRAME_NAMES = {MESSAGE: "MESSAGE", CREDIT: "CREDIT", PROBE: "PROBE", CLOSE: "CLOSE"}
# Flags
FIRST, LAST = 1, 2
ACK = 1

# Channels
CONTROL, INPUT, VEHICLE, METADATA, SEMANTICS, OWNERSHIP, DISPLAY, AUDIO_OUT, AUDIO_IN = 0, 1, 2, 3, 4, 5, 16, 32, 48
AUDIO_ROUTES = range(AUDIO_OUT, AUDIO_OUT + 6)
SOUND_CHANNELS = [*AUDIO_ROUTES, AUDIO_IN]

# Capabilities
CAPABILITY_CLOCK = 4

# spec/sound.md 9
MAX_LABEL, MAX_FORMATS = 64, 64
AUDIO_HEADER_BYTES = 16

CLOSE_CODES = {
    "GOODBYE": 0x00, "PAIRED": 0x01, "SHUTDOWN": 0x02, "SUPERSEDED": 0x03, "BUSY": 0x04,
    "PROTOCOL_ERROR": 0x10, "FRAME_TOO_LARGE": 0x11, "BAD_FRAGMENT": 0x12, "MESSAGE_TOO_LARGE": 0x13,
    "CREDIT_EXCEEDED": 0x14, "ILLEGAL_MESSAGE": 0x15, "BAD_MESSAGE": 0x16, "BAD_RESOURCE": 0x17,
    "BAD_COMMIT": 0x18, "RESOURCES_EXHAUSTED": 0x19,
    "VERSION_UNSUPPORTED": 0x20, "TIMEOUT": 0x30, "HANDSHAKE_TIMEOUT": 0x31,
    "PAIRING_CLOSED": 0x40, "PAIRING_LOCKED": 0x41, "WRONG_CODE": 0x42, "INTERNAL_ERROR": 0x50,
}
CLOSE_NAMES = {number: name for name, number in CLOSE_CODES.items()}

# Message types
HELLO, WELCOME, PROCEED = 0x0001, 0x0002, 0x0003
PAIR_START, PAIR_REPLY, PAIR_CONFIRM, PAIR_DONE = 0x0010, 0x0011, 0x0012, 0x0013
TOUCH, KNOB, KEY, TOUCHPAD = 0x0101, 0x0102, 0x0103, 0x0104
VEHICLE_STATE = 0x0201
SEMANTICS_UPDATE = 0x0401
OWNERSHIP_REQUEST, OWNERSHIP_STATE = 0x0501, 0x0502
RESOURCE, RELEASE_RESOURCES, COMMIT, PRESENTED = 0x1001, 0x1002, 0x1003, 0x1004
STREAM_START, STREAM_STARTED, AUDIO_PACKET, STREAM_STOP, STREAM_UPDATE, STREAM_STATUS = range(0x2001, 0x2007)

PHONE, HEAD_UNIT = "phone", "headUnit"
SESSION, PAIRING = "session", "pairing"


def initial_credit(channel):
    """Bytes the sender may send on a channel before the first CREDIT; None = not limited."""
    if channel == CONTROL:
        return None
    if channel in (INPUT, VEHICLE, OWNERSHIP) or channel in SOUND_CHANNELS:
        return 65_536
    if channel == SEMANTICS:
        return 262_144
    return 1_048_576


def channel_message_limit(channel):
    """Largest message of a channel, type included, before the negotiated max_message is applied."""
    if channel == CONTROL:
        return 65_536
    if channel in (INPUT, VEHICLE, OWNERSHIP):
        return 4_096
    if channel in SOUND_CHANNELS:
        return 8_192
    if channel == SEMANTICS:
        return 1_048_576
    return 16_777_216


def is_known(channel):
    """Whether version 1 has this channel."""
    return channel in (CONTROL, INPUT, VEHICLE, SEMANTICS, OWNERSHIP) or DISPLAY <= channel < DISPLAY + 16 or channel in SOUND_CHANNELS


def is_grease(number):
    """Message types, capabilities and channel numbers that are never assigned [X-2]."""
    return number & 0x0F0F == 0x0A0A


def clamped_liveness(liveness):
    """(probe interval, suspect after, dead after, grace) in milliseconds, by [L-1]."""
    probe = min(max(liveness.probe_interval_ms or 100, 10), 10_000)
    suspect = min(max(liveness.suspect_after_ms or 300, 2 * probe), 60_000)
    dead = min(max(liveness.dead_after_ms or 1_500, suspect + probe), 120_000)
    return probe, suspect, dead, min(liveness.grace_ms or 10_000, 600_000)


class LinkError(Exception):
    """A violation by the peer; `code` is the name of a close code."""

    def __init__(self, code, detail):
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail
