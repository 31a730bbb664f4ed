"""Which fixture shows which requirement: writes Fixtures/requirements.md and checks that specification and fixtures agree."""
import re

from .fixtures import FOLDER, parse
from .schema import ROOT

DOCUMENTS = ["link.md", "ownership.md", "sound.md", "applink.md", "appsound.md"]


def annotated_session():
    """The bytes of link.md's example session: {direction: bytes}; the semantics update is left out there."""
    text = (ROOT / "spec" / "link.md").read_text()
    block = text.split("### 3.2")[1].split("```")[1]
    out, direction = {">": b"", "<": b""}, ">"
    for line in block.splitlines():
        if line[:1] in out:
            direction = line[0]
        if "\u2026" in line:
            continue
        out[direction] += bytes.fromhex(re.split(r" {2,}", line[1:].strip())[0])
    return out


def check_example():
    """The example must be the bytes of the fixtures."""
    said = annotated_session()
    for direction, name in ((">", "session/annotated-phone"), ("<", "session/annotated-head-unit")):
        data = parse((FOLDER / f"{name}.hex").read_text())
        frames, at = [], 0
        while at < len(data):
            end = at + 8 + int.from_bytes(data[at:at + 3], "big")
            if data[at + 8:at + 10] != b"\x04\x01" or data[at + 3] != 1:
                frames.append(data[at:end])
            at = end
        if b"".join(frames) != said[direction]:
            return [f"the example in link.md differs from {name}"]
    return []


def write(entries):
    """Problems found, as text."""
    problems, lines = [], []
    lines += ["# Requirements and their vectors", "", "Made by `scripts/generate-fixtures` from the ids in [../spec](../spec/README.md) and `manifest.json`. "
              "\"-\": bytes alone cannot show it; it is for tests of programs, or an allowance.", ""]
    known = set()
    for document in DOCUMENTS:
        text = (ROOT / "spec" / document).read_text()
        sections = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", text, re.M))
        lines += [f"## {document}", "", "| id | section | close code or error | vectors |", "|---|---|---|---|"]
        section = ""
        for line in text.splitlines():
            if heading := re.match(r"#+ (\d+(?:\.\d+)?)", line):
                section = heading[1]
            for id in re.findall(r"\*\*\[([A-Z]+-\d+)\]\*\*", line):
                if id in known:
                    problems.append(f"{id} is defined twice")
                known.add(id)
                using = [entry for entry in entries if id in entry["requirements"]]
                codes = sorted({entry["expect"]["error"]["code"] for entry in using if "error" in entry["expect"]})
                names = ", ".join(f"`{entry['name']}`" for entry in using) or "-"
                lines.append(f"| {id} | {section} | {', '.join(codes) or '-'} | {names} |")
        lines.append("")
        own = [entry for entry in entries if entry.get("document", f"{entry['kind']}.md" if entry["kind"] in ("applink", "appsound") else "link.md") == document]
        problems += [f"{entry['name']}: no section {entry['section']} in {document}" for entry in own if entry["section"] not in sections]
    problems += [f"{entry['name']}: unknown requirement {id}" for entry in entries for id in entry["requirements"] if id not in known]
    problems += check_example()
    (FOLDER / "requirements.md").write_text("\n".join(lines))
    return problems
