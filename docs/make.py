#!/usr/bin/env python3
"""Writes every generated table anew: the kernels by their headers, the results by bench/results, the
rooms of app/ by its CMakeLists.txt.

    docs/make.py            writes them
    docs/make.py --check    writes nothing; exits with 1 if one is not what it should be
"""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import marks  # noqa: E402
import ratios  # noqa: E402
import table as results  # noqa: E402


def header_of(file):
    """The header's keys, each with the list of its values: some keys may be repeated."""
    comment = file.read_text(encoding="utf-8").split("*/")[0]
    keys, last = {}, None
    for line in comment.splitlines():
        found = re.match(r"[ /]\* (\w+): +(.*)", line)
        if found:
            last = keys.setdefault(found[1], [])
            last.append(found[2])
        elif last and line.startswith(" *  "):
            last[-1] += " " + line[2:].strip()
    return keys


def expected(header):
    text = header["expect"][0]
    if text == "partial":
        text = "partial sums"
    elif text.startswith("races when "):
        text = "correct; " + text
    needs = header.get("needs", ["atomics"])[0]
    return text if needs == "atomics" else f"{text}; needs {needs}"


def kernels():
    """A table a chapter, a line a kernel."""
    names = json.loads((ROOT / "assets/lang/en.json").read_text(encoding="utf-8"))
    found = []
    for file in (ROOT / "kernels").glob("*.cl"):
        header = header_of(file)
        letter, place = header["chapter"][0].split()
        found.append((letter, int(place), file, header))
    lines, chapter = [], ""
    for letter, _, file, header in sorted(found, key=lambda entry: entry[:2]):
        if letter != chapter:
            chapter = letter
            lines += ["", f"### {letter}. {names[f'chapter.{letter}']}", "",
                      "| kernel | what it shows | origin | toggles, default first | result |",
                      "|---" * 5 + "|"]
        toggles = "<br>".join(f"`{toggle}`" for toggle in header.get("toggle", []))
        cells = [f"[`{file.stem.replace('_', '-')}`](../kernels/{file.name})", header["teaches"][0],
                 header["origin"][0], toggles, expected(header)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines[1:]) + "\n"


def cub():
    return ratios.short_table(ratios.rows_in(ROOT / "bench/results/h100-cub"), "tile", "peer-cub")


def processor():
    return ratios.processor_table(ratios.rows_in(ROOT / "bench/results/pocl-cpu"), "tile")


def rooms():
    """The rooms of app/, floor by floor from the top: a room stands on what it knows."""
    text = (ROOT / "app/CMakeLists.txt").read_text(encoding="utf-8")
    purpose, knows, floor = {}, {}, {}
    for name, sentence, words in re.findall(r"^ *# (\w+): (.+)\n *lab_module\(\w+([^)]*)\)", text, re.M):
        known = re.search(r"KNOWS((?: +(?!LINKS|DESKTOP)\w+)*)", words)
        purpose[name], knows[name] = sentence, known[1].split() if known else []
        floor[name] = 1 + max((floor[each] for each in knows[name]), default=-1)
    lines = ["```"]
    for level in range(max(floor.values()), -1, -1):
        for name in floor:
            if floor[name] == level:
                lines.append(f"{level}  {name:<11}{purpose[name]}")
                if knows[name]:
                    lines.append(f"{'':<14}on {', '.join(knows[name])}")
    return "\n".join(lines + ["```"])


# A page, the table's name in its marks, who makes it, and how.
TABLES = [
    ("../CONTRIBUTING.md", "rooms", "docs/make.py", rooms),
    ("kernels.md", "kernels", "docs/make.py", kernels),
    ("speed.md", "results", "bench/table.py", results.table),
    ("speed.md", "ratios", "bench/ratios.py", cub),
    ("speed.md", "processor ratios", "bench/ratios.py", processor),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table is old")
    check = parser.parse_args().check
    old = 0
    for page, name, maker, make in TABLES:
        if not check:
            marks.write(page, name, maker, make())
            continue
        is_now, should_be = marks.with_table(page, name, maker, make())
        if is_now != should_be:
            old += 1
            print(f"docs/{page}: the table '{name}' is not what its sources say; docs/make.py writes it anew")
    return min(old, 1)


if __name__ == "__main__":
    sys.exit(main())
