"""Message schemas: spec/proto compiled at run time with protoc, and the message registry (spec/link.md section 7)."""
import pathlib
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.message import DecodeError

from .codes import *

ROOT = pathlib.Path(__file__).resolve().parents[3]


def _load():
    folder = ROOT / "spec" / "proto"
    with tempfile.NamedTemporaryFile(suffix=".desc") as out:
        subprocess.run(["protoc", f"--proto_path={folder}", f"--descriptor_set_out={out.name}",
                        "audio.proto", "resources.proto", "control.proto", "display.proto", "app.proto", "appsound.proto"], cwd=folder, check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(out.name).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        # A file comes behind those it imports.
        pool.Add(file)
    return message_factory.GetMessageClassesForFiles([file.name for file in files.file], pool)


_classes = _load()


def link_class(name):
    return _classes[f"fascia.v1.{name}"]


def app_class(name):
    return _classes[f"fascia.app.v1.{name}"]


class Entry:
    """One row of the registry. `sender`: who may send it; `also`: channels on which the other end may too; `mode`; `states`: receiver
    states in which it is legal."""

    def __init__(self, type, name, channels, sender, mode, states, also=()):
        self.type, self.name, self.channels, self.also = type, name, channels, also
        self.sender, self.mode, self.states = sender, mode, states

    def allows(self, channel, sender):
        return channel in self.channels if sender == self.sender else channel in self.also


_display = range(16, 32)
REGISTRY = {entry.type: entry for entry in [
    Entry(HELLO, "Hello", [CONTROL], PHONE, SESSION, ["awaitHello"]),
    Entry(WELCOME, "Welcome", [CONTROL], HEAD_UNIT, SESSION, ["awaitWelcome"]),
    Entry(PROCEED, "Proceed", [CONTROL], PHONE, SESSION, ["open"]),
    Entry(PAIR_START, "PairStart", [CONTROL], PHONE, PAIRING, ["awaitStart"]),
    Entry(PAIR_REPLY, "PairReply", [CONTROL], HEAD_UNIT, PAIRING, ["awaitReply"]),
    Entry(PAIR_CONFIRM, "PairConfirm", [CONTROL], PHONE, PAIRING, ["awaitConfirm"]),
    Entry(PAIR_DONE, "PairDone", [CONTROL], HEAD_UNIT, PAIRING, ["awaitDone"]),
    Entry(TOUCH, "TouchEvent", [INPUT], HEAD_UNIT, SESSION, ["open"]),
    Entry(KNOB, "KnobEvent", [INPUT], HEAD_UNIT, SESSION, ["open"]),
    Entry(KEY, "KeyEvent", [INPUT], HEAD_UNIT, SESSION, ["open"]),
    Entry(TOUCHPAD, "TouchpadEvent", [INPUT], HEAD_UNIT, SESSION, ["open"]),
    Entry(VEHICLE_STATE, "VehicleState", [VEHICLE], HEAD_UNIT, SESSION, ["open"]),
    Entry(SEMANTICS_UPDATE, "SemanticsUpdate", [SEMANTICS], PHONE, SESSION, ["open"]),
    Entry(OWNERSHIP_REQUEST, "OwnershipRequest", [OWNERSHIP], PHONE, SESSION, ["open"]),
    Entry(OWNERSHIP_STATE, "OwnershipState", [OWNERSHIP], HEAD_UNIT, SESSION, ["open"]),
    Entry(STREAM_START, "StreamStart", SOUND_CHANNELS, PHONE, SESSION, ["open"]),
    Entry(STREAM_STARTED, "StreamStarted", SOUND_CHANNELS, HEAD_UNIT, SESSION, ["open"]),
    Entry(AUDIO_PACKET, "AudioPacket", AUDIO_ROUTES, PHONE, SESSION, ["open"], also=[AUDIO_IN]),
    Entry(STREAM_STOP, "StreamStop", SOUND_CHANNELS, PHONE, SESSION, ["open"], also=[AUDIO_IN]),
    Entry(STREAM_UPDATE, "StreamUpdate", AUDIO_ROUTES, PHONE, SESSION, ["open"]),
    Entry(STREAM_STATUS, "StreamStatus", SOUND_CHANNELS, HEAD_UNIT, SESSION, ["open"]),
    Entry(RESOURCE, "Resource", _display, PHONE, SESSION, ["open"]),
    Entry(RELEASE_RESOURCES, "ReleaseResources", _display, PHONE, SESSION, ["open"]),
    Entry(COMMIT, "Commit", _display, PHONE, SESSION, ["open"]),
    Entry(PRESENTED, "Presented", _display, HEAD_UNIT, SESSION, ["open"]),
]}


def decode(name, body, find=link_class):
    """A body as a message; raises LinkError BAD_MESSAGE."""
    try:
        message = find(name)()
        message.ParseFromString(bytes(body))
        return message
    except (DecodeError, UnicodeDecodeError, ValueError) as error:
        raise LinkError("BAD_MESSAGE", f"{name} does not decode: {error}")


def encode(kind, /, **fields):
    return link_class(kind)(**fields).SerializeToString(deterministic=True)


def to_json(message):
    return json_format.MessageToDict(message)
