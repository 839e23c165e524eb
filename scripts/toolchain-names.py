#!/usr/bin/env python3
"""Writes the names that Swift's toolchain offers into Sources/WidgetPackages.

  scripts/toolchain-names.py

`intent-send new widget --from` lists the names of an extension that are offered nowhere. Those of
the toolchain come from the symbol graphs of its modules, and those of the SDK from its sources.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import textwrap

MODULES = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "Dispatch", "_Concurrency", "_StringProcessing", "Observation",
    "Synchronization",
]
TYPES = {"struct", "class", "enum", "protocol", "typealias", "associatedtype", "actor", "macro"}
ROOT = pathlib.Path(__file__).resolve().parent.parent / "Sources/WidgetPackages"


def graphs():
    """Yields the symbols of each module and of its extensions to others."""
    information = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
    paths = information["paths"]["runtimeLibraryImportPaths"]
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            command = ["swift-symbolgraph-extract", "-module-name", module, "-output-dir", folder]
            command += ["-target", information["target"]["triple"]]
            command += [argument for path in paths for argument in ("-I", path)]
            subprocess.run(command, check=True)
        for file in pathlib.Path(folder).glob("*.symbols.json"):
            yield from json.loads(file.read_text())["symbols"]


def write(name, summary, words):
    text = textwrap.fill(
        " ".join(sorted(words)), width=96, initial_indent="    ", subsequent_indent="    ")
    (ROOT / f"ToolchainNames+{name.capitalize()}.swift").write_text(
        f"""// Written by scripts/toolchain-names.py; write it anew for another version of Swift.
// swift-format-ignore-file

extension ToolchainNames {{
  /// {summary}
  static let {name}: Set<Substring> = Set(
    \"\"\"
{text}
    \"\"\".split {{ $0 == " " || $0 == "\\n" }})
}}
""")


def main():
    types, members = set(), set()
    for symbol in graphs():
        word = re.match(r"[A-Za-z]\w+", symbol["pathComponents"][-1])
        if not word or symbol.get("accessLevel") not in ("public", "open"):
            continue
        kind = symbol["kind"]["identifier"].removeprefix("swift.")
        if kind not in TYPES:
            if word[0][0].islower():
                members.add(word[0])
        elif word[0][0].isupper():
            types.add(word[0])
    write("types", "The types of Swift, Foundation and Dispatch on Linux.", types)
    write("members", "The functions, properties and cases of the same modules.", members)


main()
