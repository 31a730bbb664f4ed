"""App Sound (spec/appsound.md): decoder and vectors (kind `appsound`), one datagram each."""
import struct

from . import schema
from .codes import LinkError

MAX_DATAGRAM, MAX_SOUND, HEADER = 16_384, 8_174, 16
KINDS = {
    "phone": {1: "SoundSession", 2: "SoundStart", 3: None, 4: "SoundStop", 5: "SoundGain", 6: "MicStart", 7: "MicStop"},
    "app": {65: "SoundSessionReply", 66: "SoundInterruption", 67: "SoundRouteChange", 68: "SoundState", 69: "SoundHint", 70: "MicState", 71: None},
}


def decode(receiver, data):
    """What a datagram says, as in `expect`; None when it is to be ignored."""
    if not data:
        raise LinkError("empty", "no kind")
    if len(data) > MAX_DATAGRAM:
        raise LinkError("too-large", f"{len(data)} bytes")
    kind, body = data[0], data[1:]
    if kind not in KINDS[receiver]:
        return None
    name = KINDS[receiver][kind]
    if name is None:
        if len(body) <= HEADER:
            raise LinkError("short-packet", f"{len(body)} bytes")
        if len(body) - HEADER > MAX_SOUND:
            raise LinkError("too-large", f"{len(body) - HEADER} bytes of sound")
        stream, sequence, time = struct.unpack(">IIQ", body[:HEADER])
        return {"kind": kind, "name": "packet", "stream": stream, "sequence": sequence, "time": str(time), "sound": body[HEADER:].hex()}
    try:
        return {"kind": kind, "name": name, "fields": schema.to_json(schema.decode(name, body, schema.app_class))}
    except LinkError as error:
        raise LinkError("malformed", error.detail)


def make(out):
    def add(name, receiver, requirements, meaning, data, error=None):
        said = None if error else decode(receiver, data)
        expect = {"error": {"code": error}} if error else {"datagram": said} if said else {"ignored": True}
        pieces = [("kind", data[:1]), ("body", data[1:])] if len(data) > 1 else [("kind", data)] if data else []
        out.add(f"appsound/{name}", "appsound", "3", requirements, meaning, pieces, receiver=receiver, expect=expect)

    def message(name, **fields):
        for kinds in KINDS.values():
            for kind, known in kinds.items():
                if known == name:
                    return bytes([kind]) + schema.app_class(name)(**fields).SerializeToString(deterministic=True)
        raise KeyError(name)

    def packet(kind, sound):
        return bytes([kind]) + struct.pack(">IIQ", 1, 41, 1_234_567_890_123) + sound

    playback = "AVAudioSessionCategoryPlayback"
    add("session", "phone", ["SD-1"], "A session becomes active", message("SoundSession", request=1, active=True, category=playback, mode="AVAudioSessionModeVoicePrompt", options=2))
    add("start", "phone", ["SD-1"], "A stream begins", message("SoundStart", stream=1, format={"sample_rate": 44_100, "channels": 2}, gain_db=-6, role=1))
    add("packet", "phone", ["SD-3"], "Two frames of stereo", packet(3, bytes.fromhex("0100ffff02000080")))
    add("packet-largest", "phone", ["SD-3"], "As much sound as a packet holds", packet(3, bytes(MAX_SOUND)))
    add("stop", "phone", ["SD-1"], "A stream is over", message("SoundStop", stream=1, drain=True))
    add("mic-start", "phone", ["SD-1"], "The app wants to listen", message("MicStart", stream=2, format={"sample_rate": 16_000, "channels": 1}))
    add("reply", "app", ["SD-1"], "A refused activation", message("SoundSessionReply", request=1, error=560_557_684, detail="cannotInterruptOthers"))
    add("interruption", "app", ["SD-1"], "An interruption ends", message("SoundInterruption", should_resume=True))
    add("route-change", "app", ["SD-1"], "The car is there", message("SoundRouteChange", reason=1, output_port="CarAudio", output_name="Car", sample_rate=48_000))
    add("mic-packet", "app", ["SD-3"], "One frame of the microphone", packet(71, b"\x01\x02"))
    add("unknown-kind", "phone", ["SD-4"], "A kind of a later version", b"\x2a\xff\xff")
    add("other-direction", "phone", ["SD-4"], "A kind of the other direction", message("SoundHint", begin=True))
    add("unknown-field", "phone", ["SD-2"], "A field of a later version", message("SoundStop", stream=1) + bytes.fromhex("ca3e00"))
    add("bad-body", "phone", ["SD-2"], "A body that does not decode", b"\x01\x0a\x7f", error="malformed")
    add("bad-utf8", "app", ["SD-2"], "A name that is not UTF-8", b"\x43\x1a\x02\xfe\xff", error="malformed")
    add("bad-header", "phone", ["SD-3"], "A packet of fifteen bytes", packet(3, b"")[:-1], error="short-packet")
    add("bad-silent", "app", ["SD-3"], "A packet without sound", packet(71, b""), error="short-packet")
    add("bad-long-packet", "phone", ["SD-3"], "A byte more than a packet holds", packet(3, bytes(MAX_SOUND + 1)), error="too-large")
    add("bad-long", "phone", ["SD-1"], "16,385 bytes", b"\x2a" + bytes(MAX_DATAGRAM), error="too-large")
    add("bad-empty", "phone", ["SD-1"], "No kind", b"", error="empty")
