#!/usr/bin/env python3
"""Makes intentd.d.mts, the types for TypeScript, from the JSDoc of intentd.mjs.

    Clients/node/types.py [tsc]     `tsc` is the compiler's command, "tsc" if left out

It checks the module in strict mode first. It needs TypeScript and @types/node: on Debian,
`apt-get install node-typescript node-undici`. Run it after a change of what intentd.mjs exports.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["--allowJs", "--checkJs", "--strict", "--noUncheckedIndexedAccess", "--skipLibCheck",
         "--target", "es2022", "--lib", "es2022", "--module", "nodenext",
         "--moduleResolution", "nodenext", "--types", "node",
         "--declaration", "--emitDeclarationOnly"]
# A declaration is one line, or ends at the first line with its own indentation and a brace.
INTERNAL = re.compile(
    r"^( *)/\*\*(?:(?!\*/)[\s\S])*@internal(?:(?!\*/)[\s\S])*\*/\n"
    r"(?:\1\S.*;\n|\1\S.*\{\n(?:(?!\1\}).*\n)*\1\}.*\n)", re.MULTILINE)


def main():
    compiler = shlex.split(sys.argv[1]) if len(sys.argv) > 1 else ["tsc"]
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler, *FLAGS, "--outDir", folder, os.path.join(HERE, "intentd.mjs")]
        status = subprocess.run(command).returncode
        if status:
            return status
        with open(os.path.join(folder, "intentd.d.mts"), encoding="utf-8") as file:
            text = file.read()
    text = re.sub(r"^#!.*\n", "// Made from intentd.mjs by types.py.\n", text)
    with open(os.path.join(HERE, "intentd.d.mts"), "w", encoding="utf-8") as file:
        file.write(INTERNAL.sub("", text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
