"""Golden vectors for message bodies (kind `message`)."""
from . import schema
from .codes import *
from .samples import *


def make(out):
    def good(name, type, section, requirements, meaning, /, **fields):
        entry = schema.REGISTRY[type]
        message = schema.link_class(entry.name)(**fields)
        body = message.SerializeToString(deterministic=True)
        out.add(f"message/{name}", "message", section, requirements, meaning, [("type", type.to_bytes(2, "big")), ("body", body)],
                channel=list(entry.channels)[0], sender=entry.sender, canonical=True,
                expect={"message": entry.name, "fields": schema.to_json(message)})

    def lenient(name, type, section, requirements, meaning, body, fields):
        entry = schema.REGISTRY[type]
        out.add(f"message/{name}", "message", section, requirements, meaning, [("type", type.to_bytes(2, "big")), ("body", body)],
                channel=list(entry.channels)[0], sender=entry.sender, canonical=False, expect={"message": entry.name, "fields": fields})

    def bad(name, type, section, requirements, meaning, /, body=None, code="BAD_MESSAGE", **fields):
        entry = schema.REGISTRY[type]
        if body is None:
            body = schema.encode(entry.name, **fields)
        out.add(f"message/{name}", "message", section, requirements, meaning, [("type", type.to_bytes(2, "big")), ("body", body)],
                channel=list(entry.channels)[0], sender=entry.sender, expect={"error": {"code": code, "number": CLOSE_CODES[code]}})

    good("hello", HELLO, "9.1", ["H-1"], "A new session", **HELLO_FIELDS)
    good("hello-minimal", HELLO, "9.1", ["H-1"], "Everything left out that may be", version_min=1, version_max=1)
    good("hello-resume", HELLO, "9.1", ["R-1"], "An offer to resume", **HELLO_FIELDS,
         resume={"session_id": SESSION_ID, "token": TOKEN, "presented_sequence": 41})
    good("hello-grease", HELLO, "9.1", ["X-2"], "GREASE capabilities and channels",
         **HELLO_FIELDS | {"capabilities": [0x0A0A, 1, 2, 0xFA5A, 3], "channels": [1, 2, 4, 16, 0x3A1A]})
    lenient("hello-unknown-field", HELLO, "14.1", ["X-3"], "An unknown field is skipped",
            bytes.fromhex("08011001") + bytes.fromhex("fa3e03abcdef"), {"versionMin": 1, "versionMax": 1})
    good("hello-newer", HELLO, "5", ["V-2"], "A phone that speaks versions 1 to 9", version_min=1, version_max=9)
    bad("hello-version-order", HELLO, "9.1", ["H-2"], "version_min above version_max", version_min=2, version_max=1)
    bad("hello-version-zero", HELLO, "5", ["V-3"], "No versions", code="VERSION_UNSUPPORTED", name="phone")
    bad("hello-too-new", HELLO, "5", ["V-3"], "Only versions from 2 on", code="VERSION_UNSUPPORTED", version_min=2, version_max=9)
    bad("hello-long-name", HELLO, "9.1", ["H-3"], "A name of 65 bytes", version_min=1, version_max=1, name="é" * 32 + "x")
    bad("hello-long-software", HELLO, "9.1", ["H-3"], "129 bytes of software", version_min=1, version_max=1, software="s" * 129)
    bad("hello-many-capabilities", HELLO, "9.1", ["H-3"], "65 capabilities", version_min=1, version_max=1, capabilities=list(range(100, 165)))
    bad("hello-many-channels", HELLO, "9.1", ["H-3"], "65 channels", version_min=1, version_max=1, channels=list(range(100, 165)))
    bad("hello-small-frame-limit", HELLO, "9.1", ["H-4"], "max_frame_payload 1,023", version_min=1, version_max=1, limits={"max_frame_payload": 1_023})
    bad("hello-large-frame-limit", HELLO, "9.1", ["H-4"], "max_frame_payload 16,777,216", version_min=1, version_max=1, limits={"max_frame_payload": 16_777_216})
    bad("hello-small-message-limit", HELLO, "9.1", ["H-4"], "max_message 1,048,575", version_min=1, version_max=1, limits={"max_message": 1_048_575})
    bad("hello-not-utf8", HELLO, "9", ["M-2"], "A name that is not UTF-8", body=bytes.fromhex("08011001" "1a02c328"))
    bad("hello-truncated", HELLO, "9", ["M-1"], "A field longer than the body", body=bytes.fromhex("08011001" "1a7f41"))

    good("welcome", WELCOME, "9.2", ["W-1"], "A new session on an 800x480 screen", **WELCOME_FIELDS)
    good("welcome-resumed", WELCOME, "9.2", ["R-3"], "The session goes on", **WELCOME_FIELDS, resumed={"highest_resource": 17, "presented_sequence": 41})
    good("welcome-resumed-empty", WELCOME, "9.2", ["R-3"], "Resumed with nothing shown yet: present, all fields 0", **WELCOME_FIELDS, resumed={})
    bad("welcome-no-screen", WELCOME, "9.2", ["W-3"], "No screen", **WELCOME_FIELDS | {"screens": []})
    bad("welcome-screen-not-open", WELCOME, "9.2", ["W-3"], "The screen's channel is not open",
        **WELCOME_FIELDS | {"screens": [{"channel": 17, "width": 800, "height": 480, "scale": 2}]})
    bad("welcome-flat-screen", WELCOME, "9.2", ["W-3"], "A screen of no height", **WELCOME_FIELDS | {"screens": [{"channel": 16, "width": 800, "scale": 2}]})
    bad("welcome-short-token", WELCOME, "9.2", ["W-2"], "No resume token", **WELCOME_FIELDS | {"resume_token": b""})
    bad("welcome-short-session", WELCOME, "9.2", ["W-2"], "A session id of 15 bytes", **WELCOME_FIELDS | {"session_id": SESSION_ID[:15]})
    bad("welcome-version", WELCOME, "5", ["V-3"], "A version the phone did not offer", code="VERSION_UNSUPPORTED", **WELCOME_FIELDS | {"version": 2})

    good("pair-start", PAIR_START, "9.3", ["P-6"], "The phone's share", share=SHARE_A, name="Pixel of Ada", salt=bytes(range(16)))
    good("pair-reply", PAIR_REPLY, "9.3", ["P-7"], "The head unit's share and confirmation", share=SHARE_B, confirmation=bytes(range(32)), name="Fascia")
    good("pair-confirm", PAIR_CONFIRM, "9.3", ["P-9"], "The phone's confirmation", confirmation=bytes(range(32, 64)))
    good("pair-done", PAIR_DONE, "9.3", ["P-10"], "Paired")
    bad("pair-start-short-share", PAIR_START, "9.3", ["P-6"], "A compressed share", share=b"\x02" + SHARE_A[1:33], salt=bytes(16))
    bad("pair-start-no-salt", PAIR_START, "9.3", ["P-6"], "No salt", share=SHARE_A)
    bad("pair-start-not-on-curve", PAIR_START, "9.3", ["P-8"], "65 bytes that are no point of P-256", share=b"\x04" + bytes([1]) * 64, salt=bytes(16))
    bad("pair-reply-short-confirmation", PAIR_REPLY, "9.3", ["P-7"], "A confirmation of 31 bytes", share=SHARE_B, confirmation=bytes(31))
    bad("pair-confirm-empty", PAIR_CONFIRM, "9.3", ["P-9"], "No confirmation")

    good("touch-began", TOUCH, "9.4", ["I-1"], "A finger goes down", phase=1, x=400.5, y=239.25, time_ns=1_234_567_890_123, sequence=1, screen=16)
    good("touch-second-finger", TOUCH, "9.4", ["I-1"], "A second finger moves", contact=1, phase=2, x=10, y=20, time_ns=2**63, sequence=2**32 - 1, screen=16)
    bad("touch-nan", TOUCH, "9.4", ["I-2"], "A coordinate that is no number", phase=1, x=float("nan"), y=1, sequence=1, screen=16)
    good("knob-rotate", KNOB, "9.4", ["I-1"], "Two detents counter-clockwise", action=1, detents=-2, time_ns=5, sequence=2)
    good("knob-press", KNOB, "9.4", ["I-1"], "The knob is pressed", action=2, time_ns=6, sequence=3)
    good("key-home", KEY, "9.4", ["I-1"], "The home key goes down", key=1, pressed=True, time_ns=7, sequence=4)
    good("key-bookmark", KEY, "9.4", ["I-1"], "A key for what plays", key=13, pressed=True, time_ns=7, sequence=4)
    lenient("key-unknown", KEY, "9.4", ["X-4"], "An unknown key: the event is ignored, the number kept", bytes.fromhex("0863" "1001" "2005"),
            {"key": 99, "pressed": True, "sequence": 5})
    good("touchpad-moved", TOUCHPAD, "9.4", ["I-1"], "A stroke to the left", phase=2, dx=-0.125, dy=0.5, time_ns=8, sequence=6)
    bad("touchpad-infinite", TOUCHPAD, "9.4", ["I-2"], "An infinite stroke", phase=2, dx=float("inf"))
    good("vehicle-night", VEHICLE_STATE, "9.5", ["I-3"], "Night, right-hand drive, moving", night=True, driver_side=2, limited_ui=True)
    good("vehicle-day", VEHICLE_STATE, "9.5", ["I-3"], "Everything at its default: an empty body")

    good("release", RELEASE_RESOURCES, "10.3", ["D-6"], "Three ids, packed", ids=[1, 2, 300])
    good("commit-first", COMMIT, "10.4", ["D-7"], "The first commit: background, a solid, an image, a gradient", **FIRST_COMMIT)
    good("commit-animation", COMMIT, "10.4", ["D-10"], "A spinner that turns for ever in 12 steps", sequence=2, caused_by=7, upsert=[SPINNER])
    good("commit-remove", COMMIT, "10.4", ["D-7"], "Two layers go", sequence=3, remove=[2, 9])
    good("commit-full-layer", COMMIT, "10.4", ["D-9"], "Every field of a layer", sequence=4, upsert=[FULL_LAYER])
    good("presented", PRESENTED, "10.5", ["D-12"], "Commit 41 was shown", sequence=41, time_ns=98_765_432_101)
    good("semantics", SEMANTICS_UPDATE, "10.6", ["D-13"], "A screen with a list row and a tab", **SEMANTICS)
    bad("commit-wrong-wire-type", COMMIT, "9", ["M-1"], "A body cut inside a layer", body=bytes.fromhex("0801" "1a7f0801"))
    bad("semantics-not-utf8", SEMANTICS_UPDATE, "9", ["M-2"], "A label that is not UTF-8", body=bytes.fromhex("1204" "2a02fffe"))
