#!/usr/bin/env python3
"""How far times against n are from flat, then linear: bench/sweep.py RESULTS.json

Fits t = a + n / b to the medians of one variant, by relative errors, and says where it is furthest off;
and the largest rise from one size to the next beside what n alone would give it.
"""
import json
import statistics
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    points = sorted((row["n"], statistics.median(row["device_ms"]) * 1e3) for row in rows)
    if len(points) < 3:
        sys.exit("There are fewer than 3 sizes to look at")
    if not all(row["right"] for row in rows):
        sys.exit("There are wrong results among them")
    # Least squares of (a + c n - t) / t.
    s11 = sum(1 / t**2 for n, t in points)
    s12 = sum(n / t**2 for n, t in points)
    s22 = sum((n / t) ** 2 for n, t in points)
    s1 = sum(1 / t for n, t in points)
    s2 = sum(n / t for n, t in points)
    determinant = s11 * s22 - s12 * s12
    flat = (s1 * s22 - s2 * s12) / determinant
    slope = (s11 * s2 - s12 * s1) / determinant
    bytes_each = rows[0]["bytes"] / rows[0]["n"]
    print(f"{len(points)} sizes, {points[0][0]} to {points[-1][0]}: {flat:.3g} us + n at "
          f"{bytes_each / slope / 1e3:.0f} GB/s")
    n, t = max(points, key=lambda p: abs(p[1] / (flat + slope * p[0]) - 1))
    print(f"furthest from it: {t:.4g} us at n = {n}, {(t / (flat + slope * n) - 1) * 100:+.0f} %")
    rises = [(b[1] / a[1], a, b) for a, b in zip(points, points[1:])]
    rise, before, after = max(rises)
    print(f"largest rise from a size to the next: {(rise - 1) * 100:.0f} %, from n = {before[0]} to {after[0]} "
          f"({(after[0] / before[0] - 1) * 100:.0f} % more), {before[1]:.4g} to {after[1]:.4g} us")


if __name__ == "__main__":
    main()
