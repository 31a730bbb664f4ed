"""Starts a head unit program and does everything to it: pairs, shows, resumes, conformance, drawing, wrong codes."""
import json
import pathlib
import subprocess
import tempfile
import time
import zlib

from . import conform, fixtures, phone, schema, spake2
from .codes import *
from .connection import Closed, Connection
from .framing import message_frames
from .secure import ALPN_PAIRING, ALPN_SESSION, State, dial

CODE = "135790"


class HeadUnit:
    """A running `fascia-headunit`, driven over its console."""

    def __init__(self, program, state_dir):
        self.events = pathlib.Path(state_dir) / "events.jsonl"
        self.events.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [program, "--headless", "--listen", "127.0.0.1:0", "--state-dir", f"{state_dir}/car", "--pairing-code", CODE, "--no-discovery", "--events", str(self.events)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = f"127.0.0.1:{self._port()}"

    def _port(self):
        end = time.monotonic() + 20
        while time.monotonic() < end and self.process.poll() is None:
            for line in self.events.read_text().splitlines() if self.events.exists() else []:
                event = json.loads(line)
                if event["event"] == "listening":
                    return event["port"]
            time.sleep(0.05)
        raise TimeoutError("the head unit does not listen")

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(("ok", "error")):
                return line.strip()
        raise TimeoutError("the head unit ended")

    def stop(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(30)


def read_png(path):
    """Rows of (red, green, blue) of an 8-bit RGB or RGBA picture."""
    data, at, body = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if kind == b"IHDR":
            width, channels = int.from_bytes(data[at + 8:at + 12], "big"), {2: 3, 6: 4}[data[at + 17]]
        elif kind == b"IDAT":
            body += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, rows, before, stride = zlib.decompress(body), [], bytes(width * channels), width * channels
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left, up, corner = row[i - channels] if i >= channels else 0, before[i], before[i - channels] if i >= channels else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[kind] & 255
        before = bytes(row)
        rows.append([tuple(row[i:i + 3]) for i in range(0, stride, channels)])
    return rows


def draw(head_unit, state, folder):
    """Every still picture of the `display` fixtures against a screenshot. Failures as text."""
    hello = b"".join(frame.encode() for frame in message_frames(
        CONTROL, HELLO, schema.encode("Hello", version_min=1, version_max=1, name="Drawing", capabilities=[1, 2, 3], channels=[1, 2, 4, 16])))
    failures, count, picture = [], 0, pathlib.Path(folder) / "screen.png"
    for entry, data in fixtures.load():
        if entry["kind"] != "display" or "pixels" not in entry["expect"] or entry["at_ms"]:
            continue
        secure = dial(head_unit.address, state, ALPN_SESSION, trusted=lambda peer: peer.hex() in state.peers)
        link = Connection(secure, PHONE)
        secure.send(hello + data)
        presented = link.expect(PRESENTED)
        while presented.sequence < entry["expect"]["applied"][-1]:
            presented = link.expect(PRESENTED)
        answer = head_unit.ask(f"screenshot {picture}")
        secure.close()
        count += 1
        if not answer.startswith("ok"):
            failures.append(f"{entry['name']}: {answer}")
            continue
        rows, wanted = read_png(picture), bytes.fromhex(entry["expect"]["pixels"])
        width, height = entry["screen"]
        off = [(abs(rows[y][x][2 - c] - wanted[4 * (y * width + x) + c]), x, y) for y in range(height) for x in range(width) for c in range(3)]
        if max(off)[0] > entry["tolerance"]:
            failures.append(f"{entry['name']}: off by {max(off)[0]} at ({max(off)[1]}, {max(off)[2]})")
    return count, failures


def lockout(head_unit, state):
    """Wrong codes and attempts broken off lock pairing, for the right code too."""
    attempt = 0
    while attempt < 5:
        try:
            if attempt % 2:
                link = Connection(dial(head_unit.address, state, ALPN_PAIRING), PHONE, PAIRING)
                link.send_message(CONTROL, "PairStart", share=spake2.Party(True, 5).share, name="Guesser", salt=bytes(16))
                link.expect(PAIR_REPLY)
                link.secure.close()
            else:
                phone.pair(head_unit.address, state, "000000")
            wanted = bool(attempt % 2)
        except Closed as closed:
            if closed.event["code"] == "BUSY":  # the attempt before is still being closed; this one was none
                continue
            wanted = closed.event["code"] == "WRONG_CODE"
        if not wanted:
            return False
        attempt += 1
    while True:
        try:
            phone.pair(head_unit.address, state, CODE)
        except Closed as closed:
            if closed.event["code"] != "BUSY":
                return closed.event["code"] == "PAIRING_LOCKED"
        else:
            return False


def run(program):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        head_unit = HeadUnit(program, folder)
        try:
            results.append(("pair, show, resume", phone.run(head_unit.address, f"{folder}/phone", CODE, 0.2) == 0))
            results.append(("unpaired phone refused", phone.run(head_unit.address, f"{folder}/other", None, 0.2) == 1))
            results.append(("conformance", conform.head_unit(head_unit.address, f"{folder}/phone") == 0))
            count, failures = draw(head_unit, State(f"{folder}/phone"), folder)
            for failure in failures:
                print(f"FAIL {failure}")
            print(f"{count} pictures, {len(failures)} differ")
            results.append(("drawing", not failures))
            head_unit.stop()
            head_unit = HeadUnit(program, folder)
            results.append(("lockout", lockout(head_unit, State(f"{folder}/guesser"))))
        finally:
            head_unit.stop()
    for name, good in results:
        print(f"{'ok  ' if good else 'FAIL'} {name}")
    return 0 if all(good for _, good in results) else 1
