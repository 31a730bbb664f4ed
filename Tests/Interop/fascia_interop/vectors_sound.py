"""Golden vectors of sound and ownership: messages, and what one end receives (kinds `message` and `session`)."""
from . import schema
from .codes import *
from .framing import Frame, message_frames, probe
from .samples import *
from .vectors_session import closed, describe, event, whole  # noqa: F401

FORMAT = {"codec": 1, "sample_rate": 48_000, "channels": 2}
OPUS = {"codec": 2, "sample_rate": 48_000, "channels": 2}
VOICE = {"codec": 1, "sample_rate": 16_000, "channels": 1}
CHANNELS = [1, 2, 4, 5, 16, 32, 33, 48]
HELLO_SOUND = HELLO_FIELDS | {"channels": CHANNELS, "audio": {"formats": [FORMAT, OPUS], "microphone": [VOICE]}}
WELCOME_SOUND = WELCOME_FIELDS | {"channels": CHANNELS, "audio": {"formats": [FORMAT, OPUS, FORMAT | {"channels": 1}], "microphone": [VOICE], "sink": "Loudspeakers"}}


def packet(stream, sequence, time_ns, data):
    return stream.to_bytes(4, "big") + sequence.to_bytes(4, "big") + time_ns.to_bytes(8, "big") + data


def make(out):
    messages(out)
    sessions(out)


def messages(out):
    def put(document, name, type, section, requirements, meaning, body, channel=None, sender=None, **rest):
        entry = schema.REGISTRY[type]
        out.add(f"message/{name}", "message", section, requirements, meaning, [("type", type.to_bytes(2, "big")), ("body", body)],
                document=document, channel=list(entry.channels)[0] if channel is None else channel, sender=sender or entry.sender, **rest)

    def good(document, name, type, section, requirements, meaning, /, channel=None, sender=None, **fields):
        message = schema.link_class(schema.REGISTRY[type].name)(**fields)
        put(document, name, type, section, requirements, meaning, message.SerializeToString(deterministic=True), channel, sender, canonical=True,
            expect={"message": schema.REGISTRY[type].name, "fields": schema.to_json(message)})

    def bad(document, name, type, section, requirements, meaning, /, body=None, channel=None, sender=None, **fields):
        if body is None:
            body = schema.encode(schema.REGISTRY[type].name, **fields)
        put(document, name, type, section, requirements, meaning, body, channel, sender, expect={"error": {"code": "BAD_MESSAGE", "number": CLOSE_CODES["BAD_MESSAGE"]}})

    def good_packet(name, requirements, meaning, stream, sequence, time_ns, data, **rest):
        put("sound.md", name, AUDIO_PACKET, "4.2", requirements, meaning, packet(stream, sequence, time_ns, data), canonical=True, **rest,
            expect={"message": "AudioPacket", "fields": {"stream": stream, "sequence": sequence, "timeNs": str(time_ns), "data": data.hex()}})

    link, sound, ownership = "link.md", "sound.md", "ownership.md"
    good(link, "hello-audio", HELLO, "9.1", ["H-1", "S-1"], "A phone that sends sound and wants a microphone", **HELLO_SOUND)
    bad(link, "hello-many-formats", HELLO, "9.1", ["S-1"], "65 formats", version_min=1, version_max=1, audio={"formats": [FORMAT] * 65})
    good(link, "hello-unknown-format", HELLO, "9.1", ["S-1", "X-4"], "A codec that version 1 does not have is no error",
         version_min=1, version_max=1, audio={"formats": [{"codec": 99, "sample_rate": 1, "channels": 77}, FORMAT]})
    good(link, "welcome-audio", WELCOME, "9.2", ["W-1", "S-1"], "A head unit with loudspeakers and a microphone", **WELCOME_FIELDS | {"audio": WELCOME_SOUND["audio"]})
    bad(link, "welcome-many-microphones", WELCOME, "9.2", ["S-1"], "65 formats of the microphone", **WELCOME_FIELDS | {"audio": {"microphone": [VOICE] * 65}})
    bad(link, "welcome-long-sink", WELCOME, "9.2", ["S-1"], "A sink's name of 65 bytes", **WELCOME_FIELDS | {"audio": {"sink": "s" * 65}})

    good(sound, "stream-start", STREAM_START, "4.1", ["S-10"], "Music in stereo", stream=1, format=FORMAT, gain_db=-3, label="Srirocka")
    good(sound, "stream-start-duck", STREAM_START, "4.1", ["S-20"], "A prompt that ducks by 15 dB in 200 ms", channel=33, stream=7, format=OPUS, duck={"level_db": -15, "ramp_ms": 200}, label="Prompter")
    good(sound, "stream-start-unknown-format", STREAM_START, "4.1", ["S-3"], "A format nobody has is refused in StreamStarted, not by closing", stream=2,
         format={"codec": 99, "sample_rate": 8, "channels": 9})
    bad(sound, "stream-start-zero", STREAM_START, "4.1", ["S-5"], "Stream 0", format=FORMAT)
    bad(sound, "stream-start-nan", STREAM_START, "4.1", ["S-10"], "A gain that is no number", stream=1, format=FORMAT, gain_db=float("nan"))
    bad(sound, "stream-start-infinite-duck", STREAM_START, "4.1", ["S-10"], "A duck to minus infinity", stream=1, format=FORMAT, duck={"level_db": float("-inf"), "ramp_ms": 1})
    bad(sound, "stream-start-long-label", STREAM_START, "4.1", ["S-10"], "A label of 65 bytes", stream=1, format=FORMAT, label="l" * 65)
    bad(sound, "stream-start-truncated", STREAM_START, "4.1", ["M-1"], "A field longer than the body", body=bytes.fromhex("0801" "127f08"))
    good(sound, "stream-start-loud", STREAM_START, "4.1", ["S-10"], "Gain above 0 and a ramp of an hour are brought into range", stream=3, format=FORMAT, gain_db=40, duck={"level_db": -1000, "ramp_ms": 3_600_000})
    good(sound, "stream-started", STREAM_STARTED, "4.1", ["S-6"], "The stream plays", stream=1)
    good(sound, "stream-refused", STREAM_STARTED, "4.1", ["S-3", "S-6"], "Its format is not taken", stream=2, refusal=1, detail="8 Hz")
    good(sound, "stream-stop", STREAM_STOP, "4.1", ["S-9"], "At once", stream=1)
    good(sound, "stream-stop-drain", STREAM_STOP, "4.1", ["S-9"], "When all is played", channel=33, stream=7, drain=True)
    good(sound, "stream-stop-microphone", STREAM_STOP, "7", ["S-23"], "The head unit ends the microphone's stream, and says why", channel=48, sender=HEAD_UNIT, stream=1, detail="the car is in a call")
    good(sound, "stream-update", STREAM_UPDATE, "4.1", ["S-10"], "Quieter, and no duck any more", stream=1, gain_db=-12.5)
    bad(sound, "stream-update-nan", STREAM_UPDATE, "4.1", ["S-10"], "A gain that is no number", stream=1, gain_db=float("nan"))
    good(sound, "stream-status", STREAM_STATUS, "4.3", ["S-14"], "How a stream does", stream=1, target_us=15_000, buffered_us=20_000, latency_us=31_000, concealed=1, late=2, volume=0.5)
    bad(sound, "stream-status-nan", STREAM_STATUS, "4.3", ["S-14"], "A volume that is no number", stream=1, volume=float("nan"))
    good_packet("audio-packet", ["S-11", "S-12"], "Four frames of stereo PCM", 1, 0, 1_234_567_890_123, bytes(range(16)))
    good_packet("audio-packet-wrapped", ["S-12", "S-13"], "The largest numbers", 2**32 - 1, 2**32 - 1, 2**64 - 1, b"\x00\x80\xff\x7f")
    good_packet("audio-packet-empty", ["S-4", "S-11"], "No sound at all: like a lost packet", 1, 1, 5, b"")
    good_packet("audio-packet-odd", ["S-4"], "Half a sample: like a lost packet", 1, 2, 6, b"\x01\x02\x03")
    good_packet("audio-packet-microphone", ["S-11"], "From the microphone", 1, 9, 77, bytes(8), channel=48, sender=HEAD_UNIT)
    bad(sound, "audio-packet-short", AUDIO_PACKET, "4.2", ["S-11"], "A header of 15 bytes", body=packet(1, 0, 0, b"")[:15])
    bad(sound, "audio-packet-nothing", AUDIO_PACKET, "4.2", ["S-11"], "No body", body=b"")

    good(ownership, "ownership-take", OWNERSHIP_REQUEST, "2.2", ["O-4"], "The phone takes main audio", number=1,
         take={"resource": 2, "priority": 2, "take_constraint": 1, "borrow_constraint": 1, "reason": "Srirocka"})
    good(ownership, "ownership-borrow", OWNERSHIP_REQUEST, "2.2", ["O-4"], "The phone borrows main audio for a call", number=2,
         borrow={"resource": 2, "priority": 2, "unborrow_constraint": 3, "reason": "call"})
    good(ownership, "ownership-return", OWNERSHIP_REQUEST, "2.2", ["O-4"], "It gives it back", number=3, **{"return": {"resource": 2}})
    good(ownership, "ownership-states", OWNERSHIP_REQUEST, "2.2", ["O-11"], "The phone guides and speaks", number=4, states={"speech": 1, "turn_by_turn": True})
    good(ownership, "ownership-nothing", OWNERSHIP_REQUEST, "2.2", ["O-4"], "A number and no request: answered with INVALID", number=5)
    good(ownership, "ownership-unknown", OWNERSHIP_REQUEST, "2.2", ["O-4", "X-4"], "Unknown values: answered with INVALID", number=6,
         take={"resource": 77, "priority": 99, "take_constraint": 9, "borrow_constraint": 9})
    bad(ownership, "ownership-truncated", OWNERSHIP_REQUEST, "2.2", ["M-1"], "A body cut inside the request", body=bytes.fromhex("0801" "127f08"))
    bad(ownership, "ownership-not-utf8", OWNERSHIP_REQUEST, "2.2", ["M-2"], "A reason that is not UTF-8", body=bytes.fromhex("0801" "1204" "2a02c328"))
    holding = {"owner": 1, "take_constraint": 2, "borrow_constraint": 1}
    good(ownership, "ownership-state", OWNERSHIP_STATE, "2.1", ["O-1"], "The first state of a session", sequence=1, screen=holding, main_audio={}, phone_states={}, car_states={})
    good(ownership, "ownership-state-answer", OWNERSHIP_STATE, "2.1", ["O-4"], "Refused: the car is in a call", sequence=9, screen=holding,
         main_audio={"owner": 1, "borrower": 2, "unborrow_constraint": 3, "reason": "call"}, car_states={"call": True}, answers=3, refusal=1)
    good(ownership, "ownership-state-unknown", OWNERSHIP_STATE, "6", ["O-18", "X-4"], "Unknown values are read as the stricter ones", sequence=10,
         screen={"owner": 7, "take_constraint": 9}, main_audio={"owner": 1, "borrower": 1}, car_states={"speech": 9}, refusal=99)
    bad(ownership, "ownership-state-truncated", OWNERSHIP_STATE, "2.1", ["M-1"], "A body cut inside a holding", body=bytes.fromhex("0801" "127f08"))


def sessions(out):
    def add(name, receiver, document, section, requirements, meaning, frames, events, error=None, acks=(), **local):
        data = [frame.encode() for frame in frames]
        expect = {"events": events, "probe_acks": [ack.hex() for ack in acks]}
        if error:
            end = sum(len(piece) for piece in data)
            expect["error"] = {"code": error, "number": CLOSE_CODES[error], "within": [end - len(data[-1]) + HEADER_BYTES, end]}
        defaults = {"max_frame_payload": 16_384, "max_message": 16_777_216, "channels": CHANNELS, "consume": True}
        out.add(f"session/{name}", "session", section, requirements, meaning, [(describe(f), piece) for f, piece in zip(frames, data)],
                document=document, receiver=receiver, mode=SESSION, local=defaults | local, expect=expect)

    hello = message_frames(0, HELLO, schema.encode("Hello", **HELLO_SOUND))
    welcome = message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_SOUND))

    def to_head_unit(name, document, section, requirements, meaning, frames, events, error=None, **rest):
        add(name, HEAD_UNIT, document, section, requirements, meaning, hello + frames, [whole(hello)] + events, error, **rest)

    def to_phone(name, document, section, requirements, meaning, frames, events, error=None, **rest):
        add(name, PHONE, document, section, requirements, meaning, welcome + frames, [whole(welcome)] + events, error, **rest)

    def message(channel, kind, /, **fields):
        type = next(entry.type for entry in schema.REGISTRY.values() if entry.name == kind)
        return message_frames(channel, type, schema.encode(kind, **fields))

    def sound_packet(channel, sequence, size, stream=1):
        return message_frames(channel, AUDIO_PACKET, packet(stream, sequence, 10_000_000 * sequence, bytes(size)))

    link, sound, ownership = "link.md", "sound.md", "ownership.md"
    start = message(32, "StreamStart", stream=1, format=FORMAT, label="Srirocka")
    prompt = message(33, "StreamStart", stream=1, format=FORMAT, duck={"level_db": -15, "ramp_ms": 200})
    update, stop = message(33, "StreamUpdate", stream=1, gain_db=-6), message(33, "StreamStop", stream=1, drain=True)
    packets = [sound_packet(32, 0, 1_920), sound_packet(33, 0, 1_920), sound_packet(32, 1, 1_920)]
    started, status = message(32, "StreamStarted", stream=1), message(32, "StreamStatus", stream=1, target_us=15_000, volume=1)
    voice, end = sound_packet(48, 0, 320), message(48, "StreamStop", stream=1)
    mic = message(48, "StreamStart", stream=1, format=VOICE)
    request = message(5, "OwnershipRequest", number=1, take={"resource": 2, "priority": 2, "take_constraint": 1, "borrow_constraint": 1})
    state = message(5, "OwnershipState", sequence=1, screen={"owner": 1}, main_audio={}, phone_states={}, car_states={})
    illegal = "ILLEGAL_MESSAGE"

    to_head_unit("sound", sound, "4.1", ["S-6", "S-12"], "Music, and a prompt over it", [*start, *packets[0], *prompt, *packets[1], *update, *packets[2], *stop],
                 [whole(one) for one in (start, packets[0], prompt, packets[1], update, packets[2], stop)])
    to_phone("sound-answers", sound, "4.1", ["S-6", "S-14"], "What the head unit says to a stream", [*started, *status], [whole(started), whole(status)])
    to_head_unit("microphone-asked", sound, "7", ["S-22"], "The phone asks for the microphone, and ends it", [*mic, *end], [whole(mic), whole(end)])
    to_phone("microphone", sound, "7", ["S-22", "S-23"], "Sound of the microphone, until the head unit ends it", [*message(48, "StreamStarted", stream=1), *voice, *end],
             [whole(message(48, "StreamStarted", stream=1)), whole(voice), whole(end)])
    to_head_unit("sound-unknown-stream", sound, "4.1", ["S-7"], "Packets, update and stop of a stream that never began", [*sound_packet(32, 5, 8, stream=9), *message(32, "StreamUpdate", stream=9), *message(32, "StreamStop", stream=9)],
                 [whole(sound_packet(32, 5, 8, stream=9)), whole(message(32, "StreamUpdate", stream=9)), whole(message(32, "StreamStop", stream=9))])
    to_head_unit("sound-unknown-type", link, "7.1", ["X-5"], "An unknown message on a channel of sound is ignored", [*message_frames(32, 0x2055, b"?"), *start], [whole(start)])

    to_phone("packet-to-phone", link, "7.3", ["M-5"], "A packet of the head unit on a route's channel", packets[1], [], illegal)
    to_head_unit("packet-on-microphone", link, "7.3", ["M-5"], "A packet of the phone on the microphone's channel", voice, [], illegal)
    to_phone("start-to-phone", link, "7.3", ["M-5"], "StreamStart sent by the head unit", start, [], illegal)
    to_head_unit("started-to-head-unit", link, "7.3", ["M-5"], "StreamStarted sent by the phone", started, [], illegal)
    to_head_unit("status-to-head-unit", link, "7.3", ["M-5"], "StreamStatus sent by the phone", status, [], illegal)
    to_phone("stop-to-phone", link, "7.3", ["M-5"], "StreamStop of the head unit on a route's channel", stop, [], illegal)
    to_head_unit("update-on-microphone", link, "7.3", ["M-5"], "StreamUpdate on the microphone's channel", message(48, "StreamUpdate", stream=1), [], illegal)
    to_head_unit("packet-on-display", link, "7.3", ["M-5"], "A packet on channel 16", sound_packet(16, 0, 8), [], illegal)
    add("sound-before-hello", HEAD_UNIT, link, "7.3", ["M-5"], "StreamStart before Hello", start, [], illegal)
    add("sound-before-welcome", PHONE, link, "7.3", ["M-5"], "StreamStarted before Welcome", started, [], illegal)
    to_head_unit("sound-channel-38", link, "8.3", ["C-1"], "A packet on channel 38, which is no route", sound_packet(38, 0, 8), [], illegal)
    silent = message_frames(0, HELLO, schema.encode("Hello", **HELLO_FIELDS | {"channels": CHANNELS}))
    add("sound-not-offered", HEAD_UNIT, sound, "2", ["S-2"], "A Hello that lists routes and no format: they are not opened, what comes on them is dropped", silent + start, [whole(silent)])
    to_head_unit("sound-too-large", link, "7.2", ["M-4"], "8,193 bytes on channel 32", message_frames(32, AUDIO_PACKET, bytes(8_191)), [], "MESSAGE_TOO_LARGE")
    to_head_unit("sound-largest", link, "7.2", ["M-4"], "8,192 bytes on channel 32, of an unknown type, are in order", message_frames(32, 0x2055, bytes(8_190)) + start, [whole(start)])
    full = sound_packet(32, 0, 8_000)
    to_head_unit("sound-credit-used-up", link, "8.4", ["C-2"], "Packets that nobody consumes, until one is beyond the credit of 65,536", full * 9, [whole(full)] * 8, "CREDIT_EXCEEDED", consume=False)

    to_head_unit("ownership-asked", ownership, "2", ["O-4"], "A request", request, [whole(request)])
    to_phone("ownership-told", ownership, "2", ["O-1"], "A state", state, [whole(state)])
    to_phone("ownership-request-to-phone", link, "7.3", ["M-5"], "OwnershipRequest sent by the head unit", request, [], illegal)
    to_head_unit("ownership-state-to-head-unit", link, "7.3", ["M-5"], "OwnershipState sent by the phone", state, [], illegal)
    to_head_unit("ownership-wrong-channel", link, "7.3", ["M-5"], "OwnershipRequest on channel 4", [Frame(MESSAGE, FIRST | LAST, 4, request[0].payload)], [], illegal)
    add("ownership-before-hello", HEAD_UNIT, link, "7.3", ["M-5"], "OwnershipRequest before Hello", request, [], illegal)
    add("ownership-before-welcome", PHONE, link, "7.3", ["M-5"], "OwnershipState before Welcome", state, [], illegal)
    to_head_unit("ownership-too-large", link, "7.2", ["M-4"], "4,097 bytes on channel 5", message_frames(5, OWNERSHIP_REQUEST, bytes(4_095)), [], "MESSAGE_TOO_LARGE")

    clock = {"capabilities": [1, 2, 3, 4]}
    ticking = message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS | clock))
    listed = {"channels": [1, 2, 4, 16], **clock}
    answer = Frame(PROBE, ACK, 0, bytes(7) + b"\1" + b"\xff" * 8)
    touch = message(1, "TouchEvent", phase=1, x=1, y=2, sequence=1, screen=16)
    add("clock", PHONE, link, "8.9", ["K-1", "K-2", "K-4"], "Answers with a clock of any value, and one without; a probe is answered with one",
        ticking + [answer, Frame(PROBE, ACK, 0, bytes(16)), probe(bytes(8), ack=True), probe(b"what now"), *touch], [whole(ticking), whole(touch)], acks=[b"what now"], **listed)
    add("clock-not-in-force", PHONE, link, "8.9", ["K-2"], "A clock where the head unit did not list the capability",
        message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS)) + [answer], [whole(message_frames(0, WELCOME, schema.encode("Welcome", **WELCOME_FIELDS)))], "PROTOCOL_ERROR", **listed)
    add("clock-before-welcome", PHONE, link, "8.9", ["K-2"], "A clock before Welcome", [answer], [], "PROTOCOL_ERROR", **listed)
    asking = message_frames(0, HELLO, schema.encode("Hello", **HELLO_FIELDS | clock))
    add("clock-to-head-unit", HEAD_UNIT, link, "8.9", ["K-1"], "The head unit answers with its clock once both have the capability", asking + [probe(b"and now?"), answer], [whole(asking)], acks=[b"and now?"], **listed)
