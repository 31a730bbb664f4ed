"""Values that several vectors share."""
from . import spake2

SESSION_ID = bytes(range(0x10, 0x20))
TOKEN = bytes(range(0xA0, 0xC0))
SHARE_A = spake2.share(True, 0x1234, 0x5678)
SHARE_B = spake2.share(False, 0x1234, 0x9ABC)

HELLO_FIELDS = {
    "version_min": 1, "version_max": 1, "name": "Pixel of Ada", "software": "stranger 1.0", "capabilities": [1, 2, 3],
    "limits": {"max_frame_payload": 16_384, "max_message": 1_048_576},
    "liveness": {"probe_interval_ms": 100, "suspect_after_ms": 300, "dead_after_ms": 1_500, "grace_ms": 10_000},
    "channels": [1, 2, 4, 16],
}
WELCOME_FIELDS = {
    "version": 1, "name": "Fascia", "software": "vector 1.0", "capabilities": [1, 2, 3],
    "limits": {"max_frame_payload": 65_536, "max_message": 16_777_216, "resource_budget": 33_554_432},
    "liveness": {"probe_interval_ms": 100, "suspect_after_ms": 300, "dead_after_ms": 1_500, "grace_ms": 10_000},
    "session_id": SESSION_ID, "resume_token": TOKEN, "channels": [1, 2, 4, 16],
    "screens": [{"channel": 16, "width": 800, "height": 480, "scale": 2, "refresh_mhz": 60_000}],
    "vehicle": {"driver_side": 1}, "input_devices": [1, 2, 4],
}
FIRST_COMMIT = {
    "sequence": 1, "reset": True, "background": 0x101014FF,
    "upsert": [
        {"id": 1, "width": 800, "height": 48, "solid": 0x1C1C1EFF},
        {"id": 2, "parent": 1, "order": 1, "x": 16, "y": 8, "width": 32, "height": 32, "image": {"resource": 1, "tint": 0xFFFFFFFF}},
        {"id": 3, "order": -1, "y": 48, "width": 800, "height": 432, "gradient": {"top": 0x202024FF, "bottom": 0x101014FF}},
    ],
}
SPINNER = {
    "id": 5, "x": 384, "y": 224, "width": 32, "height": 32, "image": {"resource": 2, "tint": 0xFFFFFFFF},
    "animations": [{"id": 1, "property": 4, "from": 0, "to": 360, "duration_ms": 1_000, "curve": 4, "repeats": True}],
}
FULL_LAYER = {
    "id": 6, "parent": 1, "order": 3, "x": 1.5, "y": -2, "width": 100, "height": 50, "transparency": 0.25, "clip": True,
    "scroll_x": 4, "scroll_y": 120, "corner_radius": 8, "rotation": 45, "solid": 0x0A84FF80, "border": {"width": 2, "color": 0xFFFFFFFF},
    "animations": [{"id": 9, "property": 6, "from": 0, "to": 120, "duration_ms": 250, "curve": 3}],
}
SEMANTICS = {
    "reset": True, "sequence": 4,
    "upsert": [
        {"id": 1, "role": 1, "label": "Rubber Soul", "width": 800, "height": 480, "visible": True},
        {"id": 2, "parent": 1, "order": 1, "role": 4, "label": "Норвежский лес", "value": "ノルウェーの森", "y": 48, "width": 800, "height": 88, "enabled": True,
         "focused": True, "busy": True, "visible": True, "identifier": "row.0.0"},
        {"id": 3, "parent": 1, "order": 2, "role": 5, "label": "Albums", "width": 200, "height": 48, "enabled": True, "selected": True, "visible": True,
         "identifier": "tab.0"},
    ],
}
