#!/usr/bin/env python3
"""pages: puts pages of the documentation into a tree that has some of the files that they name.

    pages.py --out FOLDER FILE…     run in the folder of the source; FILE is a path in it
    pages.py --check FOLDER…        prints the links of pages that lead to nothing; 1 if there are any

The pages keep their paths, so they link each other. Where a file that a page links is not among the
files, the link's words stay as plain words: such a file is in a clone of the source.
"""
import argparse
import os
import re
import shutil
import sys

LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]*)(#[^)\s]*)?\)")


def is_elsewhere(target):
    """Whether a link leads within the page or to the web."""
    return not target or "://" in target or target.startswith("mailto:")


def copy(files, out):
    """Copies the files; in pages, links to what is not among them become words."""
    files = [os.path.normpath(file) for file in files]
    folders = {os.path.dirname(file) for file in files}

    def keep(page):
        def replace(link):
            target = os.path.normpath(os.path.join(os.path.dirname(page), link[2]))
            is_there = is_elsewhere(link[2]) or target in files or target in folders
            return link[0] if is_there else link[1]
        return replace

    for file in files:
        place = os.path.join(out, file)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if not file.endswith(".md"):
            shutil.copyfile(file, place)
            continue
        with open(file, encoding="utf-8") as page, open(place, "w", encoding="utf-8") as copied:
            copied.write(LINK.sub(keep(file), page.read()))


def dead_links(folder):
    """The links that lead to nothing, as (page, target)."""
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(parent, name)
            # A link to a page of another package is checked where the page is.
            if not name.endswith(".md") or os.path.islink(path):
                continue
            with open(path, encoding="utf-8") as page:
                for link in LINK.finditer(page.read()):
                    if not is_elsewhere(link[2]) and not os.path.exists(os.path.join(parent, link[2])):
                        yield path, link[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", help="the folder for the pages")
    parser.add_argument("--check", action="store_true", help="look for links that lead to nothing")
    parser.add_argument("paths", nargs="+", help="files; with --check folders")
    options = parser.parse_args()
    if bool(options.out) == options.check:
        parser.error("give --out FOLDER, or --check")
    if options.out:
        copy(options.paths, options.out)
        return 0
    dead = [link for folder in options.paths for link in dead_links(folder)]
    for page, target in dead:
        print(f"{page}: there is no {target}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
