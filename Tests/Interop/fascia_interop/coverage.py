"""Which fixture shows which requirement: writes Fixtures/requirements.md and checks that specification and fixtures agree."""
import re

from .fixtures import FOLDER
from .schema import ROOT

DOCUMENTS = ["link.md", "applink.md"]


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
        own = [entry for entry in entries if (entry["kind"] == "applink") == (document == "applink.md")]
        problems += [f"{entry['name']}: no section {entry['section']} in {document}" for entry in own if entry["section"] not in sections]
    problems += [f"{entry['name']}: unknown requirement {id}" for entry in entries for id in entry["requirements"] if id not in known]
    (FOLDER / "requirements.md").write_text("\n".join(lines))
    return problems
