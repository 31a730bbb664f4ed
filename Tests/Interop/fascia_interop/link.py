"""The receiving half of a connection as a machine without I/O: spec/link.md sections 7 and 8, appendix B."""
import time

from . import rules, schema
from .codes import *
from .framing import Frame, FrameParser, credit


class LinkReceiver:
    """Feed bytes, read `events` (dictionaries) and `replies` (frames to send)."""

    def __init__(self, role, mode=SESSION, limits=None, channels=(1, 2, 4, 16), consume=True, resumes=False, capabilities=(1, 2, 3)):
        """`resumes`: whether a head unit goes on with the session a Hello offers. `capabilities`: of this end."""
        self.role, self.mode, self.consume = role, mode, consume
        self.limits = {"max_frame_payload": DEFAULT_MAX_FRAME_PAYLOAD, "max_message": DEFAULT_MAX_MESSAGE, **(limits or {})}
        self.local_channels = list(channels)
        self.open_channels = {0}
        self.capabilities, self.clock = set(capabilities), False
        self.peer_clocks = []
        # Offered in Hello, also when Welcome did not open them.
        self.known_channels = {0} | (set(channels) if role == PHONE else set())
        first = {(HEAD_UNIT, SESSION): "awaitHello", (PHONE, SESSION): "awaitWelcome",
                 (HEAD_UNIT, PAIRING): "awaitStart", (PHONE, PAIRING): "awaitReply"}
        self.state = first[role, mode]
        # A larger own limit holds from the own Hello or Welcome on [F-4].
        own_sent = role == PHONE and mode == SESSION
        self.own_limit = max(self.limits["max_frame_payload"], DEFAULT_MAX_FRAME_PAYLOAD)
        self.parser = FrameParser(self.own_limit if own_sent else DEFAULT_MAX_FRAME_PAYLOAD)
        self.partial = {}
        # The session that is resumed, if any, as Hello offered it.
        self.resumes = resumes
        self.refused = False
        self.dropping = set()
        self.speculated = []
        self.window = {}
        self.owed = {}
        self.events, self.replies = [], []

    def feed(self, data):
        if self.state == "closed":
            return
        self.parser.feed(data)
        try:
            while self.state != "closed":
                frame = self.parser.next()
                if frame is None:
                    return
                self._frame(frame)
        except LinkError as error:
            self._closed("local", error.code, CLOSE_CODES[error.code], error.detail)

    def _closed(self, initiator, code, number, detail):
        self.state = "closed"
        self.events.append({"event": "closed", "initiator": initiator, "code": code, "number": number, "detail": detail})

    def _frame(self, frame):
        if frame.type == MESSAGE:
            self._message_frame(frame)
        elif frame.type == CREDIT:
            amount = int.from_bytes(frame.payload, "big")
            if self.state != "open":
                raise LinkError("ILLEGAL_MESSAGE", f"CREDIT in state {self.state}")
            if frame.channel not in self.known_channels:
                raise LinkError("ILLEGAL_MESSAGE", f"CREDIT for channel {frame.channel}, which is not open")
            if frame.channel == CONTROL or amount == 0:
                raise LinkError("CREDIT_EXCEEDED", "credit for the control channel, or of nothing")
            window = self.window.get(("out", frame.channel), initial_credit(frame.channel)) + amount
            if window > MAX_CREDIT:
                raise LinkError("CREDIT_EXCEEDED", "window overflows")
            self.window["out", frame.channel] = window
        elif frame.type == PROBE:
            if not frame.flags & ACK:
                clock = time.monotonic_ns().to_bytes(8, "big") if self.clock else b""
                self.replies.append(Frame(PROBE, ACK, 0, frame.payload + clock))
            elif len(frame.payload) == 16:
                if not self.clock:
                    raise LinkError("PROTOCOL_ERROR", "a clock without the capability")
                self.peer_clocks.append(int.from_bytes(frame.payload[8:], "big"))
        elif frame.type == CLOSE:
            number = int.from_bytes(frame.payload[:4], "big")
            self._closed("remote", CLOSE_NAMES.get(number), number, frame.payload[4:].decode("utf-8", "replace"))

    def _message_frame(self, frame):
        channel = frame.channel
        partial = self.partial.get(channel)
        if channel not in (self.known_channels if self.role == HEAD_UNIT else self.open_channels):
            raise LinkError("ILLEGAL_MESSAGE", f"channel {channel} is not open")
        size = len(frame.payload)
        if channel != CONTROL:
            window = self.window.get(channel, initial_credit(channel)) - size
            if window < 0:
                raise LinkError("CREDIT_EXCEEDED", f"channel {channel}")
            self.window[channel] = window
        if (frame.flags & FIRST != 0) == (partial is not None):
            raise LinkError("BAD_FRAGMENT", "FIRST inside a message" if partial is not None else "no message is open")
        if len(partial or b"") + size > min(channel_message_limit(channel), self.limits["max_message"]):
            raise LinkError("MESSAGE_TOO_LARGE", f"channel {channel}")
        if partial is None:
            partial = self.partial[channel] = bytearray()
            self._check_legal(channel, int.from_bytes(frame.payload[:2], "big"))
            if self.refused and channel != CONTROL:
                self.dropping.add(channel)
        partial += frame.payload
        last = frame.flags & LAST
        if self.consume or not last:
            self._consumed(channel, size)
        if last:
            del self.partial[channel]
            if channel in self.dropping:
                self.dropping.discard(channel)
                if not self.consume:
                    self._consumed(channel, size)
                entry = schema.REGISTRY.get(int.from_bytes(partial[:2], "big"))
                if entry and self.refused and not self._discarded(channel):
                    # The head unit may still decide to go on with the session.
                    self.speculated.append({"event": "message", "channel": channel, "type": entry.type, "name": entry.name, "body": bytes(partial[2:])})
                return
            self._message(channel, int.from_bytes(partial[:2], "big"), bytes(partial[2:]))

    def _consumed(self, channel, size):
        """Owes credit, and returns it when a quarter of the initial credit is owed [C-3]."""
        if channel == CONTROL or self._discarded(channel):
            return
        self.owed[channel] = self.owed.get(channel, 0) + size
        if self.owed[channel] * 4 >= initial_credit(channel):
            self.replies.append(credit(channel, self.owed[channel]))
            self.window[channel] += self.owed.pop(channel)

    def send_credit(self, channel):
        """Bytes that may be sent on a channel now; None: not limited."""
        return None if channel == CONTROL else self.window.get(("out", channel), initial_credit(channel))

    def spend(self, channel, size):
        if channel != CONTROL:
            self.window["out", channel] = self.send_credit(channel) - size

    def _discarded(self, channel):
        """Offered, not opened: the phone may have sent before it knew."""
        return channel not in self.open_channels

    def _check_legal(self, channel, type):
        entry = schema.REGISTRY.get(type)
        if entry is None:
            return
        sender = PHONE if self.role == HEAD_UNIT else HEAD_UNIT
        if (not entry.allows(channel, sender) or entry.mode != self.mode
                or self.state not in entry.states or type == PROCEED and not self.refused):
            raise LinkError("ILLEGAL_MESSAGE", f"{entry.name} in state {self.state}, channel {channel}")

    def _message(self, channel, type, body):
        entry = schema.REGISTRY.get(type)
        if entry is None or self._discarded(channel):
            return
        if type in (HELLO, WELCOME, PROCEED, PAIR_START, PAIR_REPLY, PAIR_CONFIRM, PAIR_DONE):
            message = schema.decode(entry.name, body)
            if type == WELCOME:
                rules.welcome(message, self.local_channels)
            elif type in rules.CHECKS:
                rules.CHECKS[type](message)
            self._advance(type, message)
            if type == PROCEED:
                return  # what it changes is the machine's own business
        self.events.append({"event": "message", "channel": channel, "type": type, "name": entry.name, "body": body})

    def _advance(self, type, message):
        if type == HELLO:
            # The head unit answers at once with the channels both want.
            wanted = set(message.channels) & set(self.local_channels)
            self.open_channels |= wanted if message.audio.formats else wanted - set(AUDIO_ROUTES)
            self.known_channels |= {number for number in message.channels if is_known(number)}
            self.clock = CAPABILITY_CLOCK in self.capabilities & set(message.capabilities)
            self.parser.limit = self.own_limit
            self.state = "open"
            self.refused = message.HasField("resume") and message.resume.speculative and not self.resumes
        elif type == PROCEED:
            self.refused = False
        elif type == WELCOME:
            self.open_channels |= set(message.channels)
            self.clock = CAPABILITY_CLOCK in self.capabilities & set(message.capabilities)
            self.state = "open"
        else:
            self.state = {PAIR_START: "awaitConfirm", PAIR_REPLY: "awaitDone", PAIR_CONFIRM: "paired", PAIR_DONE: "paired"}[type]
