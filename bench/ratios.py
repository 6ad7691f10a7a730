#!/usr/bin/env python3
"""Lays result files of ours and of a peer side by side: medians over all processes, and their ratio.

    bench/ratios.py FOLDER               every figure
    bench/ratios.py FOLDER --readme      a short table into README.md, between its two marks

FOLDER has what bench/gpu.sh or bench/cpu.sh wrote. A ratio above 1 says how many times as fast ours is.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys


def rows_in(folder):
    """(op, type, n, batch, who) -> {'device': samples, 'wall': samples} over all files."""
    found = collections.defaultdict(lambda: {"device": [], "wall": [], "bytes": 0, "right": True})
    for file in sorted(folder.glob("*.json")):
        if file.name == "search.json":
            continue
        results = json.loads(file.read_text())
        for row in results.get("rows", []):
            key = (results["op"], results["type"], row["n"], min(row.get("batch", 1), 2), row["variant"])
            of = found[key]
            of["device"] += row["device_ms"]
            of["wall"] += row["wall_ms"]
            of["bytes"] = row["bytes"]
            of["right"] &= row["right"]
    return found


def size(n):
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power else str(n)


def microseconds(samples):
    return f"{statistics.median(samples) * 1e3:.4g}" if samples else ""


def compared(found, ours, peers):
    """Lines of cells: what, then for each clock ours, theirs, and the ratio."""
    lines = []
    for op, kind, n, batch, who in sorted(found):
        if who != ours:
            continue
        mine = found[op, kind, n, batch, who]
        for peer in peers:
            theirs = found.get((op, kind, n, batch, peer))
            if not theirs:
                continue
            cells = [f"{op} {kind}", size(n), "batch" if batch > 1 else "single", peer]
            for clock in ("device", "wall"):
                a = mine[clock]
                b = theirs[clock] or theirs["wall"]
                ratio = statistics.median(b) / statistics.median(a) if a and b else None
                cells += [microseconds(a), microseconds(b), f"{ratio:.3f}" if ratio else ""]
            gigabytes = mine["bytes"] / statistics.median(mine["device"]) * 1e-6
            cells += [f"{gigabytes:.0f}", "" if mine["right"] and theirs["right"] else "WRONG"]
            lines.append(cells)
    return lines


HEAD = ["reduction", "n", "calls", "peer", "ours us", "peer us", "ratio", "wall ours", "wall peer", "ratio",
        "GB/s", ""]


def ratio_of(mine, theirs, clock):
    a, b = mine[clock], theirs[clock] or theirs["wall"]
    ratio = statistics.median(b) / statistics.median(a)
    text = f"{microseconds(a)} · {microseconds(b)} · {ratio:.3f}"
    return text if ratio >= 1 else f"**{text}**"


def short_table(found, ours, peer):
    """A line a reduction and size: single calls, batches, wall time."""
    lines = [f"| {ours} · {peer} · times as fast | single call, us | in a batch, us | single, with read-back, us | "
             f"{ours}, GB/s |", "|---" * 5 + "|"]
    for op, kind, n in sorted({key[:3] for key in found}, key=lambda key: (key[:2] != ("add", "float"), key)):
        cells = []
        for batch, clock in ((1, "device"), (2, "device"), (1, "wall")):
            mine = found.get((op, kind, n, batch, ours))
            theirs = found.get((op, kind, n, batch, peer))
            cells.append(ratio_of(mine, theirs, clock) if mine and theirs else "")
        single = found[op, kind, n, 1, ours]
        gigabytes = single["bytes"] / statistics.median(single["device"]) * 1e-6
        lines.append(f"| {op} of {kind}, {size(n)} | " + " | ".join(cells) + f" | {gigabytes:.0f} |")
    return "\n".join(lines)


def write_readme(table):
    readme = pathlib.Path(__file__).resolve().parent.parent / "README.md"
    text = readme.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"README.md has not both marks: {BEGIN} and {END}")
    readme.write_text(f"{text.split(BEGIN)[0]}{BEGIN}\n{table}\n{END}{text.split(END)[1]}")


BEGIN, END = "<!-- ratios: made by bench/ratios.py -->", "<!-- end of ratios -->"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", default="tile")
    parser.add_argument("--readme", action="store_true", help="write a short table into README.md")
    arguments = parser.parse_args()
    found = rows_in(arguments.folder)
    peers = sorted({key[4] for key in found} - {arguments.ours})
    lines = compared(found, arguments.ours, peers)
    if not lines:
        parser.error(f"{arguments.folder} holds no rows of both {arguments.ours} and a peer")
    if arguments.readme:
        write_readme(short_table(found, arguments.ours, peers[0]))
        return
    widths = [max(len(line[i]) for line in [HEAD, *lines]) for i in range(len(HEAD))]
    for line in [HEAD, *lines]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    main()
