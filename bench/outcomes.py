#!/usr/bin/env python3
"""The search through all schedules, on every kernel: two groups of four, or the smallest shape with two
groups that the kernel takes, in lockstep (4 lanes) and with independent work-items. For each the states,
whether it is COMPLETE, the processor time and the peak memory of the whole process: medians.

    bench/outcomes.py [--rounds 5] [--cli FILE] [-o FILE.json] [--table FILE.txt] [--require SECONDS]

Processor time, since others may use the machine. With --require it fails if a search takes longer.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MACHINES = [("4 lanes", ["--lanes", "4"]), ("independent", ["--lanes", "1"])]
SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)


def run(command):
    """Its output, seconds of processor time, peak bytes. By GNU time, which is small itself: a child of
    ours would begin with our own size as its peak."""
    with tempfile.NamedTemporaryFile("r") as took:
        done = subprocess.run(["/usr/bin/time", "-q", "-f", "%U %S %M", "-o", took.name, *command],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
        user, system, peak = took.read().split()
    return done.stdout, float(user) + float(system), int(peak) * 1024


def groups_in(cli, kernel, n):
    step = json.loads(run([cli, "step", kernel, "--n", str(n), "--source", "machine", "--json"])[0])
    first = next(each for each in step["passes"] if each["global"] > 0)
    return first["global"] // first["local"], first["local"]


def size_of(cli, kernel):
    """The first with two groups; the first of all where there never are two."""
    first = None
    for n in SIZES:
        shape = (n, *groups_in(cli, kernel, n))
        first = first or shape
        if shape[1] >= 2:
            return shape
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("-o", dest="file")
    parser.add_argument("--table")
    parser.add_argument("--require", type=float)
    options = parser.parse_args()

    variants = json.loads(run([options.cli, "variants", "--json"])[0])["variants"]
    rows = []
    for variant in variants:
        kernel = variant["id"]
        n, groups, group = size_of(options.cli, kernel)
        for machine, lanes in MACHINES:
            seconds, peaks = [], []
            for _ in range(options.rounds):
                out, took, peak = run([options.cli, "outcomes", kernel, "--n", str(n), *lanes,
                                         "--json"])
                seconds.append(took)
                peaks.append(peak)
            found = json.loads(out)
            rows.append({
                "kernel": kernel, "n": n, "groups": groups, "group": group, "machine": machine,
                "states": found["states"], "complete": found["complete"],
                "results": len(found["results"]), "search_bytes": found["bytes"],
                "seconds": statistics.median(seconds), "peak_bytes": statistics.median(peaks),
                "samples": seconds})
    lines = [f"{'kernel':<20}{'groups':>7}{'machine':>13}{'states':>9}{'results':>9}{'CPU s':>7}"
             f"{'MiB':>6}"]
    for row in rows:
        lines.append(f"{row['kernel']:<20}{row['groups']:>3} x{row['group']:>3}{row['machine']:>12}"
                     f"{row['states']:>10}{row['results']:>8}{row['seconds']:>8.2f}"
                     f"{row['peak_bytes'] / 2**20:>6.0f}  "
                     f"{'COMPLETE' if row['complete'] else 'INCOMPLETE'}")
    slowest = max(rows, key=lambda row: row["seconds"])
    largest = max(rows, key=lambda row: row["peak_bytes"])
    done = sum(row["complete"] for row in rows)
    lines.append(f"{done} of {len(rows)} COMPLETE; the slowest {slowest['seconds']:.2f} s "
                 f"({slowest['kernel']}, {slowest['machine']}), the largest "
                 f"{largest['peak_bytes'] / 2**20:.0f} MiB ({largest['kernel']}, "
                 f"{largest['machine']})")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.table:
        pathlib.Path(options.table).write_text(text)
    if options.file:
        pathlib.Path(options.file).write_text(
            json.dumps({"schema": 1, "rounds": options.rounds, "rows": rows}, indent=1) + "\n")
    if options.require and slowest["seconds"] > options.require:
        sys.exit(f"{slowest['kernel']} takes {slowest['seconds']:.2f} s")


if __name__ == "__main__":
    main()
