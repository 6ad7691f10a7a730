#!/usr/bin/env python3
"""Writes every generated table anew: the kernels by their headers, the results by bench/results, the
rooms of app/ by its CMakeLists.txt, the limits by the comments of their constants.

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
            name = re.sub(r"\[\[([^]|]*).*?\]\]", r"\1", names[f"chapter.{letter}"])
            lines += ["", f"### {letter}. {name}", "",
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


# The folders of app/ in the order of the page; figures and gui have limits of pictures alone, as do panels.
LIMITED = ["machine", "analysis", "lang", "catalogue", "device", "results", "worker", "lessons", "session",
           "views", "cli", "base"]
LIMIT = re.compile(r"\s*(?:(?:inline |static )*constexpr (?:std::|int|unsigned|long double).*?\bk(?:Most|Deepest|"
                   r"Largest|Longest)\w* = |std::uint64_t most_\w+ = [1-9])")
# What a reader meets first comes first: limits that refuse, then those of searches, then all others.
BEYOND = ["refused", "end the run", "INCOMPLETE"]
UNITS = ["elements", "work-items", "lanes", "actions", "instructions", "launches", "accesses", "bytes"]


def place_in(words, text):
    return next((place for place, word in enumerate(words) if word in text.lower() or word in text), len(words))


def limit_value(expression, known):
    """The number that a constant's expression comes to; none for no limit."""
    if "?" in expression:
        return tuple(limit_value(part, known) for part in re.split(r"[?:](?!:)", expression.split("?", 1)[1]))
    if expression == "SIZE_MAX":
        return None
    plain = re.sub(r"std::\w+\{(\d+)\}", r"\1", expression).replace("'", "")
    plain = re.sub(r"\b([\d.e]+)(?:U|L)+\b", r"\1", re.sub(r"k[A-Z]\w*", lambda name: str(known[name[0]]), plain))
    if not re.fullmatch(r"[\d.e*< ]+", plain):
        sys.exit(f"docs/make.py cannot work out the limit {expression}")
    return int(eval(plain))


def number(value, in_bytes):
    if isinstance(value, tuple):
        return f"{number(value[1], in_bytes)}; {number(value[0], in_bytes)} in a browser"
    if value is None:
        return "no limit"
    for power, unit in (30, "GiB"), (20, "MiB"), (10, "KiB"):
        if in_bytes and value >= 4 << power and value % (1 << power) == 0 or in_bytes and value == 1 << power:
            return f"{value >> power} {unit}"
    if value >= 1 << 17 and value & value - 1 == 0:
        return f"2^{value.bit_length() - 1}"
    return f"{value:,}" if value >= 10_000 else str(value)


def limit_comment(lines, at):
    """Behind the constant, or else the last sentence above it."""
    behind = lines[at].partition("//")[2].strip()
    if behind:
        return behind
    first = at
    while lines[first - 1].lstrip().startswith("//"):
        first -= 1
    above = " ".join(line.strip()[2:].strip() for line in lines[first:at])
    return re.split(r"(?<=[.:]) (?=[A-Z])", above)[-1].rstrip(".")


def limits_in(file, known):
    """A row for each constant: value, what it counts, what is beyond, file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    name = file.relative_to(ROOT / "app")
    for at, line in enumerate(lines):
        if not LIMIT.match(line):
            continue
        what, _, beyond = (part.strip() for part in limit_comment(lines, at).partition(";"))
        if not beyond:
            sys.exit(f"app/{name}:{at + 1}: a limit needs a comment, 'what it counts; what is beyond'")
        found = re.findall(r"\b(k(?:Most|Deepest|Largest|Longest)\w*|most_\w+) = ([^,;]+)", line)
        for constant, value in found:
            known[constant] = limit_value(value, known)
        if what.split()[0] in ("of", "per", "for", "at", "that", "with"):  # the name says what
            words = re.sub(r"([A-Z])", r" \1", found[0][0]).replace("_", " ").split()[2:]
            words = found[0][0].split("_")[1:] if "_" in found[0][0] else words
            what = " ".join(words).lower().replace("items", "work-items") + " " + what
        what = what[0].lower() + what[1:]
        values = " and ".join(number(known[constant], "bytes" in what) for constant, _ in found)
        yield values, what, beyond, f"[`{name}`](../app/{name})"


def limits():
    """A table a room, a line a limit."""
    tables = []
    for room in LIMITED:
        rows, known = [], {}
        for file in sorted((ROOT / "app" / room).rglob("*.[hc]*"), key=lambda each: (each.stem, each.suffix != ".h")):
            if not re.search(r"_test\.cpp$|_panels", file.name):
                rows += limits_in(file, known)
        rows.sort(key=lambda row: (place_in(BEYOND, row[2]), place_in(UNITS, row[1])))
        tables += ["", f"### {room}", "", "| at most | of what | beyond | in |", "|---" * 4 + "|"]
        tables += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(tables[1:]) + "\n"


# A page, the table's name in its marks, who makes it, and how.
TABLES = [
    ("../CONTRIBUTING.md", "rooms", "docs/make.py", rooms),
    ("kernels.md", "kernels", "docs/make.py", kernels),
    ("limits.md", "limits", "docs/make.py", limits),
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
