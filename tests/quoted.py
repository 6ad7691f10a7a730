#!/usr/bin/env python3
"""Every time that a lesson quotes of a device is the median in bench/results, in each language.

    tests/quoted.py        exits with 1 and lists those that are not
"""
import csv
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results"
# What a lesson quotes: the figure, in µs or ms; whose it is; its kernel and n; until the host has the result or not.
QUOTED = {
    "08-to-the-limit": [
        ("0.712", "ms", "h200", "ladder-4-first-add", 28, "median_ms"),
        ("1.51", "ms", "h200", "two-stage", 28, "median_ms"),
        ("0.244", "ms", "h200", "tile", 28, "median_ms"),
        ("175", "ms", "pocl", "ladder-4-first-add", 26, "median_ms"),
        ("212", "ms", "pocl", "two-stage", 26, "median_ms"),
        ("4.4", "ms", "pocl", "tile", 26, "median_ms"),
    ],
    "12-which-tool": [
        ("67.4", "us", "h200", "cpu-serial", 16, "wall_median_ms"),
        ("973", "us", "h200", "cpu-serial", 20, "wall_median_ms"),
        ("19.2", "us", "h200", "tile", 16, "wall_median_ms"),
        ("19.0", "us", "h200", "tile", 20, "wall_median_ms"),
        ("7.8", "us", "h200", "tile", 16, "median_ms"),
        ("19.3", "us", "h200", "cpu-serial", 14, "wall_median_ms"),
        ("19.5", "us", "h200", "tile", 14, "wall_median_ms"),
        ("37.0", "us", "h200", "cpu-serial", 15, "wall_median_ms"),
        ("19.1", "us", "h200", "tile", 15, "wall_median_ms"),
        ("67.4", "us", "pocl", "cpu-serial", 17, "wall_median_ms"),
        ("65.0", "us", "pocl", "tile", 17, "wall_median_ms"),
        ("41.9", "us", "pocl", "cpu-tbb", 17, "wall_median_ms"),
        ("0.244", "ms", "h200", "tile", 28, "median_ms"),
        ("10.4", "ms", "h200", "cpu-openmp", 28, "wall_median_ms"),
        ("1.08", "ms", "h200", "groups-atomic", 20, "median_ms"),
        ("0.00915", "ms", "h200", "tile", 20, "median_ms"),
        ("1.51", "ms", "h200", "two-stage", 28, "median_ms"),
        ("0.247", "ms", "h200-peers/peer-cub", "peer-cub", 28, "median_ms"),
    ],
}


def measured(file, kernel, n, column):
    """The median of sums of floats, in ms."""
    if (RESULTS / f"{file}.json").exists() and not (RESULTS / f"{file}.csv").exists():
        rows = json.loads((RESULTS / f"{file}.json").read_text())["rows"]
        return statistics.median(next(r for r in rows if (r["variant"], r["n"]) == (kernel, n))["device_ms"])
    with open(RESULTS / f"{file}.csv", encoding="utf-8") as table:
        return float(next(r for r in csv.DictReader(table)
                          if (r["variant"], r["n"], r["op"], r["type"]) == (kernel, str(n), "add", "float"))[column])


def main():
    problems = []
    for lesson, figures in QUOTED.items():
        for file in sorted((ROOT / "assets/lessons" / lesson).glob("lesson*.md")):
            text = file.read_text(encoding="utf-8")
            if file.name == "lesson.ru.md":
                text = re.sub(r"(?<=\d),(?=\d)", ".", text)
            for figure, unit, results, kernel, power, column in figures:
                decimals = len(figure.partition(".")[2])
                value = f"{measured(results, kernel, 2 ** power, column) * (1000 if unit == 'us' else 1):.{decimals}f}"
                if value != figure:
                    problems.append(f"{lesson}: {kernel} at 2^{power} took {value} {unit}, not {figure}")
                if not re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d]|\.\d)", text):
                    problems.append(f"{file.relative_to(ROOT)} does not quote {figure} any more")
    print("\n".join(dict.fromkeys(problems)) or f"{sum(map(len, QUOTED.values()))} figures are as measured")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
