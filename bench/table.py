#!/usr/bin/env python3
"""Writes the table of results into docs/speed.md, between its two marks, from bench/results/*.json."""
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))
import marks  # noqa: E402

COLUMNS = [("pocl", 2**20), ("pocl", 2**26), ("h200", 2**20), ("h200", 2**28)]


def load(name):
    results = json.loads((ROOT / f"bench/results/{name}.json").read_text())
    for peer in sorted((ROOT / f"bench/results/{name}-peers").glob("*.json")):
        results["rows"] += json.loads(peer.read_text())["rows"]
    return results


def device(results):
    """Its name; of PoCL, which gives the processor's kind, the processor's own."""
    if results["device"]["platform"] != "Portable Computing Language":
        return results["device"]["name"]
    host = results["host"]
    version = results["device"]["driver"].split("+")[0]
    return f"PoCL {version} on {host['processors']} x {host['processor'].split(' @')[0]}"


def cell(row):
    if row is None:
        return ""
    samples = row["device_ms"] or row["wall_ms"]
    ms = statistics.median(samples)
    text = f"{ms:.3g} ms" if ms < 100 else f"{ms:.0f} ms"
    text += f" · {row['bytes'] / ms * 1e-6:.3g}" if row["bytes"] / ms * 1e-6 < 1000 else (
        f" · {row['bytes'] / ms * 1e-6:.0f}")
    if not row["right"]:
        return f"~~{text}~~ wrong"
    return text + (" (a part)" if row["expect"] == "partial" else
                   " (races)" if row["expect"] == "races" else "")


def table():
    results = {name: load(name) for name in {name for name, _ in COLUMNS}}
    names = []
    for name, _ in COLUMNS:
        for row in results[name]["rows"]:
            if row["variant"] not in names:
                names.append(row["variant"])
    first = [n for n in names if n == "read-ceiling"]
    references = [n for n in names if n.startswith(("cpu-", "peer-"))]
    names = first + [n for n in names if n not in first + references] + references
    heads = [f"{device(results[name])}, 2^{n.bit_length() - 1}" for name, n in COLUMNS]
    lines = ["| sum of floats, ms · GB/s | " + " | ".join(heads) + " |", "|---" * 5 + "|"]
    for variant in names:
        cells = []
        for name, n in COLUMNS:
            found = [r for r in results[name]["rows"] if r["variant"] == variant and r["n"] == n]
            cells.append(cell(found[0] if found else None))
        if any(cells):
            lines.append(f"| `{variant}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    marks.write("speed.md", "results", "bench/table.py", table())
