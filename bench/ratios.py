#!/usr/bin/env python3
"""Lays result files of ours and of a peer side by side: medians over all processes, and their ratio.

    bench/ratios.py FOLDER               every figure
    bench/ratios.py FOLDER --docs        a short table into docs/speed.md, between its two marks

FOLDER has what bench/gpu.sh or bench/cpu.sh wrote. A ratio above 1 says how many times as fast ours is:
of what took turns in one process the median of the rounds' ratios, else the ratio of the medians.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import marks  # noqa: E402


def rows_in(folder):
    """(op, type, n, batch, who) -> {'device': samples, 'wall': samples} over all files."""
    found = collections.defaultdict(
        lambda: {"device": [], "wall": [], "bytes": 0, "right": True, "files": []})
    for file in sorted(folder.glob("*.json")):
        if file.name == "search.json":
            continue
        results = json.loads(file.read_text())
        for row in results.get("rows", []):
            who = row["variant"] + (" alone" if file.name.startswith("alone-") else "")
            key = (results["op"], results["type"], row["n"], min(row.get("batch", 1), 2), who)
            of = found[key]
            of["files"].append(file.name)
            of["device"] += row["device_ms"]
            of["wall"] += row["wall_ms"]
            of["bytes"] = row["bytes"]
            of["right"] &= row["right"]
    return found


def size(n):
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power else str(n)


def microseconds(samples):
    if not samples:
        return ""
    value = statistics.median(samples) * 1e3
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def ratio(mine, theirs, clock):
    """How many times as fast mine is; None if one of them lacks samples."""
    a, b = mine[clock], theirs[clock] or theirs["wall"]
    if not a or not b:
        return None
    if mine["files"] == theirs["files"] and len(a) == len(b):  # in turns, a round after the other
        return statistics.median(y / x for x, y in zip(a, b))
    return statistics.median(b) / statistics.median(a)


def compared(found, ours, peers):
    """Lines of cells: what, then for each clock ours, theirs, and the ratio."""
    lines = []
    for op, kind, n, batch, who in sorted(found):
        if who != ours:
            continue
        for peer in peers:
            alone = found.get((op, kind, n, batch, f"{ours} alone"))
            mine = alone if alone and peer.startswith("peer-") else found[op, kind, n, batch, ours]
            theirs = found.get((op, kind, n, batch, peer))
            if not theirs:
                continue
            cells = [f"{op} {kind}", size(n), "batch" if batch > 1 else "single", peer]
            for clock in ("device", "wall"):
                a = mine[clock]
                b = theirs[clock] or theirs["wall"]
                times = ratio(mine, theirs, clock)
                cells += [microseconds(a), microseconds(b), f"{times:.3f}" if times else ""]
            gigabytes = mine["bytes"] / statistics.median(mine["device"]) * 1e-6
            cells += [f"{gigabytes:.0f}", "" if mine["right"] and theirs["right"] else "WRONG"]
            lines.append(cells)
    return lines


HEAD = ["reduction", "n", "calls", "peer", "ours us", "peer us", "ratio", "wall ours", "wall peer", "ratio",
        "GB/s", ""]


def ratio_of(mine, theirs, clock):
    a, b = mine[clock], theirs[clock] or theirs["wall"]
    times = ratio(mine, theirs, clock)
    text = f"{microseconds(a)} · {microseconds(b)} · {times:.3f}"
    return text if times >= 1 else f"**{text}**"


def bold_below(times, least):
    return f"{times:.3f}" if times >= least else f"**{times:.3f}**"


def processor_table(found, ours):
    """A line a size: what took turns on the processor."""
    lines = [f"| n | {ours}, us | with launch and read-back | OpenMP SIMD, us | TBB, us | times as fast as the better "
             "| … with launch and read-back | of the read ceiling | GB/s |", "|---" * 9 + "|"]
    for op, kind, n in sorted({key[:3] for key in found if key[4] == ours}):
        mine, openmp, tbb, ceiling = (found[op, kind, n, 1, who]
                                      for who in (ours, "cpu-openmp", "cpu-tbb", "read-ceiling"))
        better = [min(ratio(mine, peer, clock) for peer in (openmp, tbb)) for clock in ("device", "wall")]
        gigabytes = mine["bytes"] / statistics.median(mine["device"]) * 1e-6
        lines.append(f"| {size(n)} | " + " | ".join([
            microseconds(mine["device"]), microseconds(mine["wall"]), microseconds(openmp["wall"]),
            microseconds(tbb["wall"]), bold_below(better[0], 1), bold_below(better[1], 1),
            bold_below(ratio(mine, ceiling, "device"), 0.95), f"{gigabytes:.0f}"]) + " |")
    return "\n".join(lines)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", default="tile")
    parser.add_argument("--docs", action="store_true", help="write a short table into docs/speed.md")
    arguments = parser.parse_args()
    found = rows_in(arguments.folder)
    peers = sorted({key[4] for key in found} - {arguments.ours, f"{arguments.ours} alone"})
    lines = compared(found, arguments.ours, peers)
    if not lines:
        parser.error(f"{arguments.folder} holds no rows of both {arguments.ours} and a peer")
    if arguments.docs:
        if "cpu-openmp" in peers:
            name, table = "processor ratios", processor_table(found, arguments.ours)
        else:
            name, table = "ratios", short_table(found, arguments.ours, peers[0])
        marks.write("speed.md", name, "bench/ratios.py", table)
        return
    widths = [max(len(line[i]) for line in [HEAD, *lines]) for i in range(len(HEAD))]
    for line in [HEAD, *lines]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    main()
