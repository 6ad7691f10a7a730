#!/usr/bin/env python3
"""Breaks each rule of the schedule search and of the race detector on purpose, and counts how many
random kernels of the tests then differ from a search, or a definition, that knows no such rule.

    bench/mutations.py BUILD [outcomes | hazards] [WORD …]

BUILD is a build folder with tests. mutations.txt says what is broken: in each changed line, M holds
for that mutation alone. So all are built at once, in the checkout, whose files are then put back,
and LAB_MUTATION=N picks one of them. With words: only mutations that have one of them.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICK = """#ifndef LAB_MUTATION
#define LAB_MUTATION
#include <cstdlib>
inline const int kMutation = std::getenv("LAB_MUTATION") ? std::atoi(std::getenv("LAB_MUTATION")) : 0;
#endif
"""


def mutations():
    """Section, its test, file, what it is, old text and new text of each."""
    section = test = None
    for block in (ROOT / "bench/mutations.txt").read_text().strip().split("\n\n"):
        if block.startswith("# "):
            section, test = block[2:].split()
            continue
        lines = block.split("\n")
        name, what = lines[0].split(" ", 1)
        old, new = ("\n".join(line[2:] for line in lines if line[:1] == sign) for sign in "-+")
        yield section, test, name, what, old, new


def texts():
    """The changed files. One text may be changed by two mutations: the first one then holds it."""
    changed = {}
    for number, (_, _, name, what, old, new) in enumerate(mutations(), 1):
        [path] = (ROOT / "app").rglob(name)
        text = changed.get(path, PICK + path.read_text())
        if text.count(old) != 1:
            sys.exit(f"{name}: {what}: found {text.count(old)} times")
        changed[path] = text.replace(old, re.sub(r"\bM\b", f"(kMutation == {number})", new))
    return changed


def differ(test, number, binary):
    try:
        run = subprocess.run([binary, f"--gtest_filter={test}"], capture_output=True, text=True,
                             timeout=1800, env={**os.environ, "LAB_MUTATION": str(number)})
    except subprocess.TimeoutExpired:
        return "never"
    found = re.search(r"(\d+) differ", run.stdout)
    return found[1] if found else "stops"


def main():
    build, words = pathlib.Path(sys.argv[1]), sys.argv[2:]
    only = words.pop(0) if words and words[0] in ("outcomes", "hazards") else None
    before = {path: path.read_text() for path in texts()}
    try:
        for path, text in texts().items():
            path.write_text(text)
        subprocess.run(["ninja", "-C", build, "analysis_test"], check=True, stdout=sys.stderr)
    finally:
        for path, text in before.items():
            path.write_text(text)
    shown = None
    for number, (section, test, name, what, _, _) in enumerate(mutations(), 1):
        if (only not in (None, section)) or (words and not any(w in name + what for w in words)):
            continue
        if section != shown:
            print(f"\n{section}\n\ndiffer  where                   the line then says")
            print(f"{differ(test, 0, build / 'bin/analysis_test'):>6}  nowhere")
        shown = section
        print(f"{differ(test, number, build / 'bin/analysis_test'):>6}  {name:22}  {what}", flush=True)


if __name__ == "__main__":
    main()
