#!/usr/bin/env python3
"""The search through all schedules, on every kernel: two groups of four, or the smallest shape with two
groups that the kernel takes, in lockstep (4 lanes) and with independent work-items. For each the states,
whether it is COMPLETE, the processor time and the peak memory of the whole process: medians.

    bench/outcomes.py [--rounds 5] [--cli FILE] [-o FILE.json] [--table FILE.txt] [--require SECONDS]
                      [--against FILE]

Processor time, since others may use the machine. With --require it fails if a search takes longer. With
--against another build runs in turn with this one, in the same rounds; each kernel has the ratio of the
medians. Each build reads the kernels that it came with, or both those of --kernels.
"""
import argparse
import json
import resource
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MACHINES = [("4 lanes", ["--lanes", "4"]), ("independent", ["--lanes", "1"])]
SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)


def run(command):
    """Its output, seconds of processor time, peak bytes. These by GNU time, which is small itself: a
    child of ours would begin with our own size as its peak."""
    with tempfile.NamedTemporaryFile("r") as took:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["/usr/bin/time", "-q", "-f", "%M", "-o", took.name, *command],
                              capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
        peak = int(took.read())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds, peak * 1024


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


def beside(row):
    """What the other build took, and found if that is something else."""
    if "against" not in row:
        return ""
    other = row["against"]
    text = f"{other['seconds']:>8.3f} s before, x{other['ratio']:.2f}"
    for what in ("states", "results", "complete"):
        if other[what] != row[what]:
            text += f", {what} {other[what]}"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("-o", dest="file")
    parser.add_argument("--table")
    parser.add_argument("--require", type=float)
    parser.add_argument("--against", help="another build's reduction-lab-cli")
    parser.add_argument("--kernels", type=pathlib.Path,
                        help="a folder: both builds read kernels from there")
    options = parser.parse_args()

    variants = json.loads(run([options.cli, "variants", "--json"])[0])["variants"]
    rows = []
    for variant in variants:
        kernel = variant["id"]
        if options.kernels:
            kernel = str(options.kernels / pathlib.Path(variant["file"]).name)
        n, groups, group = size_of(options.cli, kernel)
        for machine, lanes in MACHINES:
            asked = ["outcomes", kernel, "--n", str(n), *lanes, "--json"]
            seconds, peaks, others = [], [], []
            for _ in range(options.rounds):
                out, took, peak = run([options.cli, *asked])
                seconds.append(took)
                peaks.append(peak)
                if options.against:
                    other, took, _ = run([options.against, *asked])
                    others.append(took)
            found = json.loads(out)
            rows.append({
                "kernel": variant["id"], "n": n, "groups": groups, "group": group, "machine": machine,
                "states": found["states"], "complete": found["complete"],
                "results": len(found["results"]), "search_bytes": found["bytes"],
                "seconds": statistics.median(seconds), "peak_bytes": statistics.median(peaks),
                "samples": seconds})
            if options.against:
                other = json.loads(other)
                rows[-1]["against"] = {
                    "states": other["states"], "complete": other["complete"],
                    "results": len(other["results"]), "seconds": statistics.median(others),
                    "samples": others, "ratio": statistics.median(seconds) / statistics.median(others)}
    lines = [f"{'kernel':<20}{'groups':>7}{'machine':>13}{'states':>9}{'results':>9}{'CPU s':>7}"
             f"{'MiB':>6}"]
    for row in rows:
        lines.append(f"{row['kernel']:<20}{row['groups']:>3} x{row['group']:>3}{row['machine']:>12}"
                     f"{row['states']:>10}{row['results']:>8}{row['seconds']:>8.2f}"
                     f"{row['peak_bytes'] / 2**20:>6.0f}  "
                     f"{'COMPLETE' if row['complete'] else 'INCOMPLETE'}" + beside(row))
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
