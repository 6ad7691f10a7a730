#!/usr/bin/env python3
"""Maps of sizes: 32 groups by 64 sizes, 2048 shapes, of shipped kernels and of a file without a header. For each
the shapes that could be launched, those that stayed unknown, and the processor time of the whole process: medians.

    bench/sizes.py [--rounds 5] [--cli FILE] [-o FILE.json] [--require SECONDS] [KERNEL…]

Processor time, since others may use the machine. With --require it fails if a map takes longer.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ["span-modulo", "chunk-tree", "local-tree", "groups-atomic", "tile"]
# A student's tree: the right half is added to the left one, in local memory.
TREE = """kernel void tree(global const int* in, global int* out, local int* t, uint n)
{
    const uint me = get_local_id(0), i = get_global_id(0);
    t[me] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (me < width)
            t[me] += t[me + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        out[get_group_id(0)] = t[0];
}
"""


def timed(cli, kernel):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([cli, "sizes", kernel, "--n", "1..64", "--group", "1..32", "--json"],
                          capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"sizes {kernel} failed:\n{done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("-o", dest="file")
    parser.add_argument("--require", type=float)
    options = parser.parse_args()
    rows, slow = [], []
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree.cl"
        tree.write_text(TREE)
        kernels = options.kernels or [str(tree), *KERNELS]
        seconds = {each: [] for each in kernels}
        maps = {}
        for _ in range(options.rounds):  # in turn, so that what else runs meets all of them
            for each in kernels:
                maps[each], took = timed(options.cli, each)
                seconds[each].append(took)
        for each in kernels:
            counts = maps[each]["counts"]
            row = {"kernel": pathlib.Path(each).stem, "seconds": statistics.median(seconds[each]),
                   "shapes": len(maps[each]["cells"]), "counts": counts,
                   "launched": len(maps[each]["cells"]) - counts.get("not_launched", 0)}
            rows.append(row)
            print(f"{row['kernel']:<16}{row['seconds']:>8.3f} s  {row['launched']:>5} of {row['shapes']} shapes  "
                  + ", ".join(f"{name} {count}" for name, count in counts.items()))
            if options.require and row["seconds"] > options.require:
                slow.append(row["kernel"])
    if options.file:
        pathlib.Path(options.file).write_text(json.dumps(rows, indent=2) + "\n")
    if slow:
        sys.exit(f"slower than {options.require} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
