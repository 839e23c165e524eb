#!/bin/sh
# Compiles widget.swift if it has changed, then becomes the program that was built.
set -eu
folder=${INTENTD_CACHE:-${TMPDIR:-/tmp}}
program=$folder/widget
if [ ! -x "$program" ] || [ widget.swift -nt "$program" ]; then
    command -v swiftc >/dev/null || {
        echo "swiftc is not in PATH; install Swift: https://www.swift.org/install/linux/" >&2
        exit 69
    }
    swiftc widget.swift -o "$program.$$" >&2
    mv "$program.$$" "$program"
fi
exec "$program"
