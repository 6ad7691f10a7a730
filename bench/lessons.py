#!/usr/bin/env python3
"""How long a lesson lets its student wait: to show a page after Enter, and to check an answer.

    bench/lessons.py [--rounds 5] [-o FILE.json]

Each page of the course starts with nothing known of its runs. Wanted: under 100 ms to show one, under
300 ms to check an answer, as medians over the course; pages that edit a kernel or measure on the
device are apart. What the device takes is not counted.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/release/bin/lesson_bench"
TIMES = [("show_ms", 100), ("right_ms", 300), ("wrong_ms", 300)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    if not BENCH.exists():
        sys.exit(f"{BENCH} is not built: cmake --build build/release --target lesson_bench")
    done = subprocess.run([str(BENCH), str(ROOT / "kernels"), str(ROOT / "assets/lessons"), str(options.rounds)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    result = {"rounds": options.rounds, "medians": {}, "pages": pages}
    kinds = [("questions", lambda kind: kind not in ("edit", "measure")),
             ("edit", lambda kind: kind == "edit"), ("measure", lambda kind: kind == "measure")]
    for name, wanted in kinds:
        some = [page for page in pages if wanted(page["kind"])]
        result["medians"][name] = {}
        for time, most in TIMES:
            values = [page[time] for page in some if time in page]
            if not values:
                continue
            median = statistics.median(values)
            result["medians"][name][time] = {"median": median, "most": max(values), "pages": len(values)}
            print(f"{name:<10} {time:<9} median {median:8.1f} ms, most {max(values):8.1f} ms, "
                  f"{len(values)} pages (wanted: {most})")
    for page in pages:
        for time, most in TIMES:
            if page.get(time, 0) > most:
                print(f"slow: {page['lesson']}/{page['page']} ({page['kind']}) {time} {page[time]:.0f}")
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(result, indent=1) + "\n")


main()
