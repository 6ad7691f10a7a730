#!/usr/bin/env python3
"""What `barriers` says of each barrier and fence of our kernels, beside a brute search: the text without it goes
through `hazards` and `step` in every small shape, and in the shape that `barriers` names.

    bench/barriers.py [--cli FILE] [--n 12] [-o FILE.md] [KERNEL…]

A barrier is found to be needed where some shape races, faults or gives a wrong result without it and does not with
it. The last column says where the two differ. Barriers with no rival here are left as they are: atomics, `volatile`.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def without(text, line, column):
    """The text without the call that begins there, its lines where they were."""
    lines = text.splitlines(keepends=True)
    begin = sum(map(len, lines[:line - 1])) + column - 1
    depth, end = 0, text.index("(", begin)
    while True:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
        if depth == 0:
            break
    return text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]


def verdict(cli, kernel, n, group):
    """"race", "fault" or "wrong" as the two commands have it, "right", or None where it cannot be launched."""
    shape = ["--n", str(n), "--group", str(group)]
    hazards = subprocess.run([cli, "hazards", kernel, *shape, "--json"], capture_output=True, text=True, check=False)
    try:
        found = json.loads(hazards.stdout)
    except json.JSONDecodeError:
        return None
    if found["races"]:
        return "race"
    step = subprocess.run([cli, "step", kernel, *shape, "--json"], capture_output=True, text=True, check=False)
    run = json.loads(step.stdout)
    if run.get("fault"):
        return "fault"
    return "right" if run.get("right", True) else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("--n", type=int, default=12)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    shapes = [(n, group) for group in (1, 2, 4, 8) for n in range(1, options.n + 1)]
    files = [ROOT / "kernels" / (name.replace("-", "_") + ".cl") for name in options.kernels]
    rows, differing = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files or sorted((ROOT / "kernels").glob("*.cl")):
            name, text = file.stem.replace("_", "-"), file.read_text()
            said = json.loads(subprocess.run([options.cli, "barriers", name, "--json"], capture_output=True,
                                             text=True, check=False).stdout)
            as_it_is = {shape: verdict(options.cli, name, *shape) for shape in shapes}
            for point in said["points"]:
                if point["kind"] not in ("barrier", "fence"):
                    continue
                changed = pathlib.Path(folder) / file.name
                changed.write_text(without(text, point["line"], point["column"]))
                tried = list(shapes)
                if "without" in point:
                    tried.append((point["without"]["n"], point["without"]["group"]))
                    as_it_is.setdefault(tried[-1], verdict(options.cli, name, *tried[-1]))
                worse = next(((shape, found) for shape in tried if as_it_is[shape] == "right" and
                              (found := verdict(options.cli, str(changed), *shape)) not in ("right", None)), None)
                brute = f"{worse[1]} at n = {worse[0][0]} in groups of {worse[0][1]}" if worse else "none is worse"
                differs = (point["need"] == "needed") != bool(worse) and point["need"] != "unknown"
                differing += differs
                rows.append(f"| `{name}` | {point['line']} | {point['kind']} | {point['need']} | {brute} | "
                            f"{'yes' if differs else ''} |")
                print(rows[-1], flush=True)
    table = "\n".join([
        f"Made by bench/barriers.py --n {options.n}: {len(rows)} barriers and fences, {differing} differ.\n",
        "| kernel | line | kind | `barriers` says | without it, found one shape after another | differs |",
        "|---|---|---|---|---|---|", *rows, ""])
    if options.output:
        options.output.write_text(table)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
