"""A stranger's head unit: pairs with a code, welcomes one phone after another, applies what it sends, answers Presented."""
import secrets
import socket
import time

from . import display, spake2
from .codes import *
from .connection import Closed, Connection
from .phone import report
from .secure import ALPN_PAIRING, ALPN_SESSION, SecureSocket, State, TransportEnded

NAME = "Stranger's car"


class Car:
    def __init__(self, state_dir, code, size=(800, 480)):
        self.state, self.code, self.size = State(state_dir), code, size
        self.session = None

    def serve(self, listener, connections):
        """Serves so many connections, one after another."""
        for _ in range(connections):
            sock, _ = listener.accept()
            with sock:
                self.serve_one(sock)

    def serve_one(self, sock):
        try:
            secure = SecureSocket(sock, self.state, [ALPN_SESSION, ALPN_PAIRING], server=True, trusted=lambda peer: peer.hex() in self.state.peers)
            self.pair(secure) if secure.alpn == ALPN_PAIRING else self.run(secure)
        except (Closed, TransportEnded, TimeoutError, LinkError, OSError) as error:
            report("ended", reason=str(error))

    def pair(self, secure):
        link = Connection(secure, HEAD_UNIT, PAIRING)
        start = link.expect(PAIR_START, 120)
        party = spake2.Party(False, spake2.password_scalar(self.code, start.salt))
        keys = party.finish(start.share, secure.peer, self.state.fingerprint, secure.exporter())
        link.send_message(CONTROL, "PairReply", share=party.share, confirmation=keys["confirmationB"], name=NAME)
        confirm = link.expect(PAIR_CONFIRM, 10)
        if not spake2.hmac.compare_digest(keys["confirmationA"], confirm.confirmation):
            link.close("WRONG_CODE")
            return
        self.state.trust(secure.peer, start.name)
        link.send_message(CONTROL, "PairDone")
        report("paired", name=start.name)
        try:
            link.expect(PAIR_DONE, 0.5)  # never comes: the phone closes
        except TimeoutError:
            link.close("PAIRED")

    def run(self, secure):
        link = Connection(secure, HEAD_UNIT)
        hello = link.expect(HELLO)
        resumed = self._resumes(hello, secure.peer)
        link.answer_resume(resumed)
        if not resumed:
            self.session = {"id": secrets.token_bytes(16), "peer": secure.peer, "display": display.Display()}
        self.session["token"] = secrets.token_bytes(32)
        shown = self.session["display"]
        width, height = self.size
        fields = {"version": 1, "name": NAME, "software": "fascia_peer.py 1", "capabilities": [1, 2, 3], "session_id": self.session["id"], "resume_token": self.session["token"],
                  "channels": [number for number in hello.channels if number in (1, 2, 4, 16)], "input_devices": [1],
                  "screens": [{"channel": 16, "width": width, "height": height, "scale": 2, "refresh_mhz": 60_000}]}
        if resumed:
            fields["resumed"] = {"highest_resource": shown.highest_resource, "presented_sequence": shown.sequence}
            shown.resumed(hello.resume.speculative)
        link.max_payload = hello.limits.max_frame_payload or DEFAULT_MAX_FRAME_PAYLOAD
        link.send_message(CONTROL, "Welcome", **fields)
        report("connected", name=hello.name, resumed=resumed)
        while True:
            while link.messages:
                self.receive(link, shown, link.messages.popleft())
            link.pump(1)

    def _resumes(self, hello, peer):
        session = self.session
        return bool(session and session["peer"] == peer and hello.resume.session_id == session["id"]
                    and secrets.compare_digest(hello.resume.token, session["token"]))

    def receive(self, link, shown, message):
        if message["channel"] != 16:
            return
        try:
            counts = shown.receive(message["type"], message["body"])
        except LinkError as error:
            link.close(error.code, error.detail)
            raise
        if message["type"] == COMMIT and counts:
            report("commit", sequence=shown.sequence, layers=len(shown.layers), resources=len(shown.resources))
            link.send_message(16, "Presented", sequence=shown.sequence, time_ns=time.monotonic_ns())


def listen(address):
    host, _, port = address.rpartition(":")
    return socket.create_server((host, int(port)))
