#!/usr/bin/env python3
"""Draws the gallery anew: the pictures and README.md of this folder.

    assets/gallery/make.py build/release/bin/reduction-lab-cli

Each picture is what the command under it writes. Runs are on the machine, so that they are the same
everywhere; charts are of the measurements kept in bench/results.
"""
import json
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STORY = "--input 7,1,6,8,5,6,7,1 --group 4 --type int"
RESULTS = "bench/results/pocl.json"
H200 = "bench/results/h200.json"

# bench/ladder.sh made these, each on its device; those that are there share one chart.
LADDER = " ".join(file for file in ("bench/results/ladder-pocl.json", "bench/results/ladder-h200.json")
                  if (ROOT / file).exists())

# A section: its title, and pictures as (name, arguments, what to see).
SECTIONS = [
    ("One kernel, three outcomes", [
        ("story-right", f"step relaunch {STORY} --source machine",
         "A launch a pass. The orange line runs across all groups: each waits for every other."),
        ("story-wrong", f"step span-modulo {STORY} --set BARRIER=group --order tests/orders/document_a_33.txt",
         "The same sum in one launch. A barrier ends at its group's edge; the thick arrow starts at "
         "the value that was read, the dashed one at the right one."),
        ("story-lucky", f"step span-modulo {STORY} --set BARRIER=group --order round-robin --lanes 4",
         "The same text again, and a right result. The framed cell says that this was luck."),
    ]),
    ("Inside a run", [
        ("lanes", "step ladder-1-modulo --n 32 --group 16 --lanes 8 --figure lanes",
         "Who works in which pass, and what was paid for it."),
        ("banks", "step ladder-2-strided --n 256 --group 128 --lanes 32 --figure banks",
         "The dearest request to memory: which banks it keeps busy."),
        ("lineage", f"step span-modulo {STORY} --set BARRIER=group --order tests/orders/document_a_33.txt --figure lineage",
         "What the wrong result is made of, and what is missing from it."),
        ("schedule", f"step span-modulo {STORY} --set BARRIER=group --order tests/orders/document_a_33.txt --figure schedule",
         "The order in which it happened."),
    ]),
    ("From 8 elements to thousands", [
        ("local-16", "step local-tree --n 16 --group 4 --source machine",
         "Local memory beside global memory: a frame a group, into which nobody else sees."),
        ("relaunch-64", "step relaunch --n 64 --group 16 --source machine", "Up to 64 cells in full."),
        ("race-300", "step span-modulo --n 300 --group 32 --lanes 4",
         "Longer rows: a mark for several cells, each colour as high as its share."),
        ("relaunch-4096", "step relaunch --n 4096 --group 256 --source machine", "The longest."),
    ]),
    ("Measured", [
        ("time", f"plot {RESULTS} --chart time", "Time against n."),
        ("bandwidth", f"plot {RESULTS} --chart bandwidth", "Effective bandwidth, and its ceiling."),
        ("speedup", f"plot {RESULTS} --chart speedup", "What each step gained."),
        ("ladder", f"plot {LADDER} --chart ladder",
         "What each step gains over the one before it; diamonds are where counting had put it."),
        ("error", f"plot {RESULTS} --chart error", "How far from the right sum."),
        ("two-devices", f"plot {RESULTS} {H200} --chart bandwidth "
         "--variants ladder-1-modulo,two-stage,single-pass,tile",
         "Result files of two machines in one chart."),
    ]),
    ("Three languages, three themes", [
        ("story-zh", f"step relaunch {STORY} --source machine --lang zh --theme dark", ""),
        ("story-ru", f"step relaunch {STORY} --source machine --lang ru --theme projector", ""),
        ("bandwidth-zh", f"plot {RESULTS} --chart bandwidth --lang zh --theme dark", ""),
        ("speedup-ru", f"plot {RESULTS} --chart speedup --lang ru --theme projector", ""),
    ]),
]


def variants(cli):
    listed = json.loads(subprocess.run([cli, "variants", "--json"], check=True,
                                       capture_output=True).stdout)["variants"]
    return [(variant["id"], f"step {variant['id']} --source machine", variant["title"])
            for variant in listed]


def draw(cli, name, arguments):
    file = HERE / f"{name}.svg"
    file.unlink(missing_ok=True)
    done = subprocess.run([cli, *shlex.split(arguments), "-o", str(file)], cwd=ROOT,
                          capture_output=True, check=False)
    if not file.exists():
        sys.exit(f"{arguments}: {done.stderr.decode()}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    cli = str(pathlib.Path(sys.argv[1]).resolve())
    page = ["# What it draws", "",
            "Every picture of the app can be saved as SVG, PNG or PDF. Those below were made by the",
            "commands under them; `assets/gallery/make.py` draws them all anew.", ""]
    drawn = set()
    for title, pictures in [*SECTIONS, ("Every variant", variants(cli))]:
        page += [f"## {title}", ""]
        for name, arguments, caption in pictures:
            draw(cli, name, arguments)
            drawn.add(f"{name}.svg")
            page += [f"![{caption or name}]({name}.svg)", "", *([caption, ""] if caption else []),
                     f"    reduction-lab-cli {arguments} -o {name}.svg", ""]
    for file in HERE.glob("*.svg"):
        if file.name not in drawn:
            file.unlink()
    (HERE / "README.md").write_text("\n".join(page))
    print(f"{len(drawn)} pictures in {HERE}")


if __name__ == "__main__":
    main()
