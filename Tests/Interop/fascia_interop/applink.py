"""The App Link (spec/applink.md): decoder and vectors (kind `applink`)."""
from . import schema
from .codes import FIRST, HEADER_BYTES, LAST, MESSAGE, LinkError
from .framing import Frame, message_frames, probe
from .vectors_frame import describe

FROM_APP, TO_APP = 1, 2
MAX_FRAME_PAYLOAD = 16_384
MAX_FROM_APP, MAX_TO_APP = 17 * 1_048_576, 1_048_576


class AppLinkReceiver:
    def __init__(self, receiver):
        self.own = (FROM_APP, "FromApp", MAX_FROM_APP) if receiver == "phone" else (TO_APP, "ToApp", MAX_TO_APP)
        self.buffer, self.partial, self.messages, self.error = bytearray(), None, [], None

    def feed(self, data):
        if self.error:
            return
        self.buffer += data
        try:
            while self._frame():
                pass
        except LinkError as error:
            self.error = error

    def _frame(self):
        if len(self.buffer) < HEADER_BYTES:
            return False
        length, type, flags = int.from_bytes(self.buffer[:3], "big"), self.buffer[3], self.buffer[4]
        if self.buffer[5] != 0 or length > MAX_FRAME_PAYLOAD:
            raise LinkError("framing", "header")
        if type == MESSAGE and (flags & ~(FIRST | LAST) or self.buffer[6:8] != b"\0\0" or length < (2 if flags & FIRST else 1)):
            raise LinkError("framing", "message header")
        if len(self.buffer) < HEADER_BYTES + length:
            return False
        payload = bytes(self.buffer[HEADER_BYTES:HEADER_BYTES + length])
        del self.buffer[:HEADER_BYTES + length]
        if type != MESSAGE:
            return True
        if (flags & FIRST != 0) == (self.partial is not None):
            raise LinkError("framing", "fragment order")
        self.partial = (self.partial or b"") + payload
        number, name, limit = self.own
        if len(self.partial) > limit:
            raise LinkError("message-too-large", name)
        if flags & LAST:
            whole, self.partial = self.partial, None
            if int.from_bytes(whole[:2], "big") == number:
                try:
                    message = schema.decode(name, whole[2:], schema.app_class)
                except LinkError as error:
                    raise LinkError("malformed-message", error.detail)
                self.messages.append({"type": number, "name": name, "fields": schema.to_json(message)})
        return True

    def end(self):
        """The stream ended."""
        if not self.error and (self.buffer or self.partial is not None):
            self.error = LinkError("truncated", "the stream ended inside a message")


def make(out):
    def add(name, receiver, section, requirements, meaning, frames, messages=(), error=None, extra=b"", ends=False):
        number, kind = (FROM_APP, "FromApp") if receiver == "phone" else (TO_APP, "ToApp")
        pieces = [(describe(frame), frame.encode()) for frame in frames] + ([("incomplete", extra)] if extra else [])
        expect = {"messages": [{"type": number, "name": kind, "fields": schema.to_json(message)} for message in messages]}
        if error:
            end = sum(len(data) for _, data in pieces)
            expect["error"] = {"code": error, "within": [end, end] if ends else [end - len(pieces[-1][1]) + HEADER_BYTES, end]}
        out.add(f"applink/{name}", "applink", section, requirements, meaning, pieces, receiver=receiver, stream_ends=ends, expect=expect)

    def frames(message):
        type = FROM_APP if message.DESCRIPTOR.name == "FromApp" else TO_APP
        return message_frames(0, type, message.SerializeToString(deterministic=True))

    hello = schema.app_class("FromApp")(hello={"version": 1, "bundle_identifier": "com.example.RubberSoul", "process_id": 4_242})
    listing = schema.app_class("FromApp")(upsert_template={"id": 7, "tab_title": "Albums", "tab_system_item": -1, "list": {"title": "Albums", "sections": [
        {"header": "1965", "items": [{"element": 11, "text": "Rubber Soul", "detail": "The Beatles", "has_detail": True, "enabled": True, "selectable": True, "accessory": 1}]}]}})
    push = schema.app_class("FromApp")(stack_operation={"operation": 1, "kind": 1, "template": 7})
    image = schema.app_class("FromApp")(image={"id": 3, "encoded": bytes(range(256)) + bytes(65_280), "scale": 2})
    connect = schema.app_class("ToApp")(scene_connect={"scene": 1, "session_identifier": "7f3a", "traits": {
        "width": 400, "height": 240, "scale": 2, "dark": True, "touch": True, "knob": True, "maximum_list_items": 500, "maximum_list_sections": 10}})
    tap = schema.app_class("ToApp")(element_activated={"template": 7, "element": 11, "selection": 1})
    result = schema.app_class("ToApp")(stack_result={"operation": 1, "success": True})
    empty = schema.app_class("FromApp")()

    add("from-app", "phone", "4", ["AM-1"], "Hello, a template, and its push", frames(hello) + frames(listing) + frames(push), [hello, listing, push])
    add("to-app", "app", "4", ["AM-1"], "A scene connects, an operation is answered, a row is tapped", frames(connect) + frames(result) + frames(tap), [connect, result, tap])
    add("image-fragments", "phone", "3", ["AF-2"], "An image in five fragments", frames(image), [image])
    add("unknown-frame-type", "phone", "3", ["AF-4"], "Other frame types are ignored", [probe(bytes(8)), Frame(0x2A, 0xFF, 9, b"x"), *frames(hello)], [hello])
    add("unknown-message-type", "app", "4", ["AM-2"], "An unknown message type is ignored", message_frames(0, 9, b"\xff") + frames(tap), [tap])
    add("other-direction", "app", "4", ["AM-2"], "The other direction's type is ignored", frames(hello) + frames(tap), [tap])
    add("unknown-oneof", "phone", "4", ["AM-3"], "A FromApp whose content is not known: nothing set", message_frames(0, FROM_APP, bytes.fromhex("ca3e00")), [empty])
    add("bad-reserved", "phone", "3", ["AF-1"], "Reserved byte set", [Frame(MESSAGE, 3, 0, b"\0\1", reserved=1)], error="framing")
    add("bad-channel", "phone", "3", ["AF-3"], "A message on channel 1", message_frames(1, FROM_APP, b""), error="framing")
    add("bad-flags", "phone", "3", ["AF-1"], "An undefined flag", [Frame(MESSAGE, 7, 0, b"\0\1")], error="framing")
    add("bad-continuation", "app", "3", ["AF-2"], "A continuation without a first fragment", [Frame(MESSAGE, LAST, 0, b"abc")], error="framing")
    add("bad-first-inside", "app", "3", ["AF-2"], "FIRST inside an open message", [Frame(MESSAGE, FIRST, 0, b"\0\2a"), *frames(tap)], error="framing")
    add("bad-too-long", "phone", "3", ["AF-1"], "A frame of 16,385 bytes", [Frame(MESSAGE, 3, 0, b"\0\1" + bytes(16_383))], error="framing")
    add("bad-body", "phone", "4", ["AM-1"], "A body that does not decode", message_frames(0, FROM_APP, b"\x0a\x7f"), error="malformed-message")
    add("bad-utf8", "phone", "4", ["AM-1"], "A title that is not UTF-8", message_frames(0, FROM_APP, bytes.fromhex("0a04" "1202fffe")), error="malformed-message")
    add("bad-too-large-to-app", "app", "3", ["AF-5"], "A ToApp message of more than 1 MiB", [Frame(MESSAGE, FIRST, 0, b"\0\2" + bytes(16_382))]
        + [Frame(MESSAGE, 0, 0, bytes(16_384))] * 63 + [Frame(MESSAGE, LAST, 0, b"\0")], error="message-too-large")
    add("bad-truncated-frame", "phone", "5", ["AE-2"], "The stream ends inside a frame", frames(hello), [hello], error="truncated", extra=frames(push)[0].encode()[:-1], ends=True)
    add("bad-truncated-message", "app", "5", ["AE-2"], "The stream ends between two fragments", [Frame(MESSAGE, FIRST, 0, b"\0\2abc")], error="truncated", ends=True)
    add("clean-end", "app", "5", ["AE-1"], "The stream ends between two messages", frames(tap), [tap], ends=True)
