"""A running connection: the receiver machine on a TLS socket, with credit, probes and close."""
import collections
import time

from . import schema
from .codes import *
from .framing import Frame, close, message_frames, probe
from .link import LinkReceiver


class Closed(Exception):
    """The connection is over; `event` as the machine reported it."""

    def __init__(self, event):
        super().__init__(f"{event['initiator']} closed: {event['code'] or hex(event['number'])} {event['detail']}")
        self.event = event


class Connection:
    def __init__(self, secure, role, mode=SESSION, channels=(1, 2, 4, 16)):
        self.secure = secure
        self.machine = LinkReceiver(role, mode, channels=channels)
        self.messages = collections.deque()
        self.waiting = collections.deque()
        self.max_payload = DEFAULT_MAX_FRAME_PAYLOAD
        self.liveness = clamped_liveness(schema.link_class("Liveness")()) if mode == SESSION else (1_000, 3_000, 10_000, 1)
        self.heard = self.probed = time.monotonic()
        self.probes = 0
        self.ended = None

    def answer_resume(self, resumed):
        """The head unit's decision about the session Hello offered: what was sent for it speculatively counts or is dropped [R-11]."""
        if resumed and self.machine.refused:
            self.machine.refused = False
            self.messages.extend(self.machine.speculated)
        self.machine.speculated = []

    def send(self, channel, type, body):
        """One message, as far as the credit goes; the rest follows as credit comes."""
        self.waiting.extend(message_frames(channel, type, body, self.max_payload))
        self._flush()

    def send_message(self, channel, kind, /, **fields):
        entry = next(entry for entry in schema.REGISTRY.values() if entry.name == kind)
        self.send(channel, entry.type, schema.encode(kind, **fields))

    def _flush(self):
        while self.waiting:
            frame = self.waiting[0]
            credit = self.machine.send_credit(frame.channel)
            if credit is not None and credit < len(frame.payload):
                return
            self.machine.spend(frame.channel, len(frame.payload))
            self.secure.send(self.waiting.popleft().encode())

    def pump(self, seconds):
        """Reads once, for at most so long, and does what is due. Messages before a CLOSE can be taken first."""
        if self.ended and not self.messages:
            raise Closed(self.ended)
        interval, _, dead, _ = self.liveness
        data = self.secure.receive(min(seconds, interval / 1_000))
        now = time.monotonic()
        if data:
            self.heard = now
            self.machine.feed(data)
        elif now - self.heard > dead / 1_000:
            self.close("TIMEOUT", "no byte in time")
            raise Closed({"initiator": "local", "code": "TIMEOUT", "number": CLOSE_CODES["TIMEOUT"], "detail": "no byte in time"})
        elif now - max(self.heard, self.probed) >= interval / 1_000:
            self.probes, self.probed = self.probes + 1, now
            self.secure.send(probe(self.probes.to_bytes(8, "big")).encode())
        events, self.machine.events = self.machine.events, []
        for event in events:
            if event["event"] == "closed":
                if event["initiator"] == "local":
                    self.close(event["code"], event["detail"])
                else:
                    self.secure.close()
                self.ended = event
                break
            self.messages.append(event)
        replies, self.machine.replies = self.machine.replies, []
        if not self.ended:
            for frame in replies:
                self.secure.send(frame.encode())
            self._flush()
        elif not self.messages:
            raise Closed(self.ended)

    def expect(self, type, seconds=20.0):
        """The next message of this type; others are dropped."""
        end = time.monotonic() + seconds
        while True:
            while self.messages:
                message = self.messages.popleft()
                if message["type"] == type:
                    return schema.decode(message["name"], message["body"])
            if time.monotonic() >= end:
                raise TimeoutError(f"no {schema.REGISTRY[type].name} in {seconds} s")
            self.pump(end - time.monotonic())

    def close(self, code, detail=""):
        if self.ended:
            return
        try:
            self.secure.send(close(code, detail).encode())
        finally:
            self.secure.close()
