#!/usr/bin/env python3
"""manual: writes the manual pages of the programs, one for each command.

    manual.py --programs .build/release --out FOLDER [PROGRAM…]     all programs if none is named

The programs describe their own commands and options (--experimental-dump-help), so a page says
what `--help` says. What holds for a whole program (files, variables, exit codes) stands in this
file. A page's date is $SOURCE_DATE_EPOCH, else today: the same commit gives the same bytes.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys

# The sections of a page beyond its command's help: of a program, in order.
SECTIONS = {
    "intentd": [
        ("ENVIRONMENT", [
            ("INTENTD_SOCKET", "The socket to listen on, for the daemon and its clients."),
            ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_DATA_DIRS, XDG_STATE_HOME, XDG_CACHE_HOME, "
             "XDG_RUNTIME_DIR",
             "The folders below, as the base directory specification has them."),
        ]),
        ("FILES", [
            ("~/.config/intentd/",
             "Yours: config.yaml, widgets/*.yaml and intents/."),
            ("~/.local/share/intentd/, /usr/local/share/intentd/, /usr/share/intentd/",
             "The same, from packages. Of two manifests for one kind yours counts, and a file of "
             "yours below intents/ takes the place of one with the same path."),
            ("~/.local/state/intentd/intentd.sqlite",
             "Widgets, timelines, receipts and the journal."),
            ("$XDG_RUNTIME_DIR/intentd/intentd.sock", "The socket."),
        ]),
        ("EXIT STATUS", [
            ("0", "Stopped."), ("1", "Failed."), ("64", "Wrong usage."),
            ("69", "Another daemon has the socket or the store."),
        ]),
    ],
    "intent-send": [
        ("ENVIRONMENT", [
            ("INTENTD_SOCKET",
             "The daemon's socket; without it $XDG_RUNTIME_DIR/intentd/intentd.sock."),
            ("NO_COLOR", "If it is set to anything, no colours."),
        ]),
        ("EXIT STATUS", [
            ("0", "Done."), ("1", "Failed."), ("3", "No sentence matches."),
            ("4", "The intent asks a question first."), ("64", "Wrong usage."),
            ("69", "No daemon answers."), ("75", "The reload was deferred."),
        ]),
    ],
    "intent-web": [
        ("ENVIRONMENT", [
            ("INTENTD_SOCKET",
             "The daemon's socket; without it $XDG_RUNTIME_DIR/intentd/intentd.sock."),
            ("XDG_STATE_HOME", "The folder of the panels, as below."),
        ]),
        ("FILES", [
            ("$XDG_RUNTIME_DIR/intentd/intentd.sock.web/",
             "The ports, the codes and the browsers that are signed in; gone with the login."),
            ("~/.local/state/intentd/web/devices/", "The panels, with their tokens."),
            ("~/.local/state/intentd/web/logs/", "The last reports of each panel."),
            ("intent-web.socket, intent-web.service",
             "Units of a user's systemd: systemctl --user enable --now intent-web.socket lets "
             "systemd listen on port 8736 of this machine, and start the program when a browser "
             "comes. Without them intent-send web starts it."),
        ]),
        ("EXIT STATUS", [
            ("0", "Stopped."), ("64", "Wrong usage."), ("69", "The port is taken."),
        ]),
    ],
    "intent-fetch": [
        ("ENVIRONMENT", [
            ("XDG_CACHE_HOME", "The folder above the cache, as below."),
            ("CURL_CA_BUNDLE",
             "A file of certificates (PEM) that are trusted in place of the system's."),
            ("https_proxy, http_proxy, all_proxy, no_proxy",
             "Proxies, as curl(1) reads them; not for widgets that were installed."),
        ]),
        ("FILES", [
            ("~/.cache/intentd/.fetch/",
             "A record and a body for each URL, 256 MiB at most; the oldest go first. It may be "
             "removed at any time."),
            ("~/.cache/intentd/.fetch/hosts/, kinds/",
             "Hosts that are left alone for a while: by scripts, and by each program of widgets."),
        ]),
        ("EXIT STATUS", [
            ("0", "Done, also with the copy of a server that cannot be reached."),
            ("1", "The file cannot be written."), ("64", "Wrong usage."),
            ("66", "The server refuses: a status of 400 to 499."),
            ("69", "The server cannot be reached, and there is no copy."),
            ("75", "Try again later: too slow, cut, busy, asked to wait, or a metered network."),
            ("76", "The answer is not acceptable: size, type, redirect, certificate."),
            ("77", "The address is one of this machine or of a private network."),
        ]),
    ],
}


def dump(program):
    """The description that a program gives of itself."""
    output = subprocess.run([program, "--experimental-dump-help"], check=True,
                            stdout=subprocess.PIPE, env={"LC_ALL": "C.UTF-8"}).stdout
    return json.loads(output)["command"]


def escape(text):
    """Text as roff prints it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti").replace('"', "\\(dq")
    return "\n".join("\\&" + line if line.startswith((".", "'", "\\(aq")) else line
                     for line in text.split("\n"))


def name_of(name):
    return ("-" if name["kind"] != "long" else "--") + name["name"]


def value_of(argument):
    return "\\fI" + escape(argument.get("valueName", "value")) + "\\fR"


def synopsis_part(argument):
    """An argument as the synopsis has it."""
    if argument["kind"] == "positional":
        part = value_of(argument)
    else:
        part = "\\fB" + escape(name_of(argument["preferredName"])) + "\\fR"
        if argument["kind"] == "option":
            part += "\\ " + value_of(argument)
    if argument.get("isRepeating"):
        part += "\\ ..."
    return f"[{part}]" if argument.get("isOptional") else part


def tag(argument):
    """An argument with all its names, as the list of options has it."""
    if argument["kind"] == "positional":
        return value_of(argument)
    names = ", ".join(f"\\fB{escape(name_of(name))}\\fR" for name in argument["names"])
    return names + (" " + value_of(argument) if argument["kind"] == "option" else "")


def explain(argument):
    """The words beside an argument: its help, its values, its default."""
    words = " ".join((argument.get("abstract", ""), argument.get("discussion", ""))).strip()
    values = argument.get("allValues") or []
    if values and not all(value in words for value in values):
        words += f" One of {', '.join(values)}."
    default = argument.get("defaultValue")
    if default and argument["kind"] == "option":
        words += f" Without it: {default}."
    return escape(words.strip() or "See above.")


def paragraphs(text):
    """The paragraphs of a discussion: (whether it is examples, its lines)."""
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        yield lines[0].startswith(tuple(SECTIONS)), lines


def page(command, path, program, version, date):
    """A page's name and its text."""
    name = "-".join(path)
    spoken = " ".join(path)
    abstract = command.get("abstract", "").rstrip(".")
    lines = [f'.TH "{escape(name.upper())}" "1" "{date}" "intentd {escape(version)}" "intentd"',
             ".SH NAME", f"{escape(name)} \\- {escape(abstract[:1].lower() + abstract[1:])}",
             ".SH SYNOPSIS"]
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    subcommands = list(subcommands_of(command))
    parts = [synopsis_part(argument) for argument in shown]
    if subcommands:
        parts += ["\\fIcommand\\fR", "[\\fIargument\\fR\\ ...]"]
    lines.append(".nh")
    if path == ["intent-send"]:
        lines += ["\\fBintent\\-send\\fR \\(dq\\fIsentence\\fR\\(dq", ".br"]
    lines += [f"\\fB{escape(spoken)}\\fR " + " ".join(parts), ".hy"]

    prose, examples = [], []
    for is_example, text in paragraphs(command.get("discussion", "")):
        if is_example:
            examples += [".PP"] if examples else []
            examples += [".nf", ".RS 2", escape("\n".join(text)), ".RE", ".fi"]
        else:
            prose += [".PP", escape("\n".join(line.strip() for line in text))]
    lines += [".SH DESCRIPTION", escape(command.get("abstract", ""))] + prose

    sections = {}
    for argument in shown:
        sections.setdefault(argument.get("sectionTitle") or "options", []).append(argument)
    for title, arguments in sections.items():
        lines.append(f".SH {escape(title.upper())}")
        for argument in arguments:
            lines += [".TP", tag(argument), explain(argument)]
    if subcommands:
        lines.append(".SH COMMANDS")
        for sub in subcommands:
            lines += [".TP", f"\\fB{escape(name + '-' + sub['commandName'])}\\fR(1)",
                      escape(sub.get("abstract", ""))]
    if examples:
        lines += [".SH EXAMPLES"] + examples
    if len(path) == 1:
        for title, entries in SECTIONS[program]:
            lines.append(f".SH {title}")
            for term, words in entries:
                lines += [".TP", f"\\fB{escape(term)}\\fR", escape(words)]
    others = [other for other in SECTIONS if other != name]
    if len(path) > 1:
        others = [program]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{escape(other)}\\fR(1)" for other in others),
              ".PP", "The manual is in", "\\fI/usr/share/doc/intentd\\fR,", "where the package",
              "intentd is installed."]
    return name, "\n".join(lines) + "\n"


def pages(command, path, program, version, date):
    yield page(command, path, program, version, date)
    for sub in subcommands_of(command):
        yield from pages(sub, path + [sub["commandName"]], program, version, date)


def subcommands_of(command):
    """The commands that have a page: `help` explains itself."""
    return (sub for sub in command.get("subcommands", [])
            if sub["shouldDisplay"] and sub["commandName"] != "help")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    parser.add_argument("--out", required=True, help="the folder for the pages")
    parser.add_argument("of", metavar="PROGRAM", nargs="*",
                        help="a program; all if none is named")
    options = parser.parse_args()
    moment = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.datetime.now().timestamp())
    date = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%d")
    os.makedirs(options.out, exist_ok=True)
    count = 0
    for program in options.of or SECTIONS:
        path = os.path.join(options.programs, program)
        version = subprocess.run([path, "--version"], check=True, stdout=subprocess.PIPE, text=True
                                 ).stdout.split()[-1]
        for name, text in pages(dump(path), [program], program, version, date):
            with open(os.path.join(options.out, name + ".1"), "w", encoding="utf-8") as file:
                file.write(text)
            count += 1
    print(f"manual: {count} pages in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
