"""Fixture files: writing and reading Fixtures/ (format: Fixtures/README.md)."""
import json
import re

from .schema import ROOT

FOLDER = ROOT / "Fixtures"


class Collection:
    """Gathers fixtures, then writes every file and the manifest."""

    def __init__(self):
        self.entries, self.files = [], {}

    def add(self, name, kind, section, requirements, meaning, pieces=None, **rest):
        """`pieces`: list of (comment, bytes)."""
        entry = {"name": name, "kind": kind, "section": section, "requirements": requirements, "meaning": meaning}
        if pieces is not None:
            entry["file"] = f"{name}.hex"
            entry["bytes"] = sum(len(data) for _, data in pieces)
            self.files[entry["file"]] = render(meaning, pieces)
        assert all(other["name"] != name for other in self.entries), name
        entry.update(rest)
        self.entries.append(entry)

    def write(self):
        for path in FOLDER.rglob("*.hex"):
            path.unlink()
        for name, text in self.files.items():
            path = FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        text = json.dumps({"schema": 1, "fixtures": self.entries}, indent=1, ensure_ascii=False)
        (FOLDER / "manifest.json").write_text(text + "\n")


def render(meaning, pieces):
    lines = [f"# {meaning}"]
    for comment, data in pieces:
        if comment:
            lines.append(f"# {comment}")
        at = 0
        while at < len(data):
            run = re.match(rb"(?s)(.)\1*", data[at:]).end()
            if run >= 64:
                lines.append(f"{run} * {data[at]:02x}")
                at += run
                continue
            end = min(at + 16, len(data))
            for next in range(at + 1, end):
                if data[next:next + 64] == data[next:next + 1] * 64:
                    end = next
                    break
            lines.append(data[at:end].hex(" "))
            at = end
    return "\n".join(lines) + "\n"


def parse(text):
    """Bytes of a hex file."""
    out = bytearray()
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        repeated = re.fullmatch(r"(\d+) \* ([0-9a-fA-F]{2})", line)
        out += bytes.fromhex(repeated[2]) * int(repeated[1]) if repeated else bytes.fromhex(line)
    return bytes(out)


def load():
    """[(entry, bytes or None)]"""
    manifest = json.loads((FOLDER / "manifest.json").read_text())
    return [(entry, parse((FOLDER / entry["file"]).read_text()) if "file" in entry else None) for entry in manifest["fixtures"]]
