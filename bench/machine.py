#!/usr/bin/env python3
"""The machine against Oclgrind, in one run: one launch of the variant local-tree over 262,144
elements in groups of 64, with hazards looked for in both. Whole processes, in turn; medians.

    bench/machine.py [--rounds 7] [-o FILE.json] [--against FILE]

With --against another build's machine_bench runs in turn, times are of the processor, since others may
use the machine, and Oclgrind need not be there.
Oclgrind (Debian's package oclgrind) compiles the kernel with clang and interprets LLVM's code on
all cores; ours compiles it too and runs on one. What Oclgrind takes for its start and its compiler
is measured with one group and said; the ratios are of whole processes all the same.
"""
import argparse
import json
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/release/bin/machine_bench"
N, GROUP = 1 << 18, 64
MACROS = """#define T int
#define COMBINE(a, b) ((a) + (b))
#define IDENTITY ((T)0)
#define ITEMS 1
#define BARRIER_LOAD 1
#define BARRIER_LOOP 1
"""
OURS = [
    ("32 lanes, hazards, full trace", ["trace", "--lanes", "32"], 5),
    ("32 lanes, hazards", ["hazards", "--lanes", "32"], 10),
    ("4 lanes, hazards, full trace", ["trace", "--lanes", "4"], 5),
    ("4 lanes, hazards", ["hazards", "--lanes", "4"], 10),
    ("independent items, hazards, full trace", ["trace", "--lanes", "1"], 5),
    ("independent items, hazards", ["hazards", "--lanes", "1"], 10),
]


def simulation(folder, n):
    """A launch as oclgrind-kernel reads it."""
    (folder / "local_tree.cl").write_text(MACROS + (ROOT / "kernels/local_tree.cl").read_text())
    file = folder / f"{n}.sim"
    file.write_text(
        f"local_tree.cl\nreduce\n{n} 1 1\n{GROUP} 1 1\n\n<size={4 * n} int range=1:1:{n}>\n"
        f"<size=8 ulong>\n{n}\n<size={4 * n // GROUP} fill=0 int>\n<size={4 * GROUP}>\n")
    return file


def seconds(command, folder, of_processor=False):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    took = time.perf_counter() - start
    if of_processor:
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return took, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("-o", "--output")
    parser.add_argument("--against", help="another build's machine_bench")
    options = parser.parse_args()
    oclgrind = shutil.which("oclgrind-kernel")
    if options.against:
        oclgrind = None
    elif oclgrind is None:
        sys.exit("oclgrind-kernel is not installed: apt install oclgrind")
    if not BENCH.exists():
        sys.exit(f"{BENCH} is not built: cmake --build build/release --target machine_bench")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        large, small = simulation(folder, N), simulation(folder, GROUP)
        times = {what: [] for what, _, _ in OURS}
        others = {what: [] for what, _, _ in OURS}
        peer, start = [], []
        for _ in range(options.rounds):
            if oclgrind:
                peer.append(seconds([oclgrind, "--data-races", large.name], folder)[0])
                start.append(seconds([oclgrind, "--data-races", small.name], folder)[0])
            for what, arguments, _ in OURS:
                command = [*arguments, "--n", str(N)]
                against = options.against is not None
                times[what].append(seconds([str(BENCH), *command], folder, against)[0])
                if against:
                    others[what].append(seconds([options.against, *command], folder, True)[0])
    made = {"n": N, "group": GROUP, "oclgrind_s": peer, "oclgrind_start_s": start, "ours": []}
    theirs = statistics.median(peer) if peer else None
    if peer:
        print(f"oclgrind --data-races: {theirs:.3f} s, of which {statistics.median(start):.3f} s is "
              "its start and compiler")
    for what, arguments, wanted in OURS:
        ours = statistics.median(times[what])
        row = {"what": what, "seconds": times[what]}
        text = f"{what:<40} {ours:.3f} s"
        if peer:
            row["ratio"] = theirs / ours
            text += f", {theirs / ours:5.1f} times as fast (wanted: {wanted})"
        if options.against:
            other = statistics.median(others[what])
            row["against"] = {"seconds": others[what], "ratio": ours / other}
            text += f", {other:.3f} s before, x{ours / other:.2f}"
        print(text)
        made["ours"].append(row)
    for mode in ("seek", "copy"):
        for line in seconds([str(BENCH), mode], ROOT)[1].splitlines():
            print(mode, line)
            made.setdefault(mode, []).append(json.loads(line))
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(made, indent=1) + "\n")


main()
