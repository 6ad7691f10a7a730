#!/usr/bin/env python3
"""The window's speed, under software GL in a display of its own: how soon it is there, what it
takes while nothing moves, what frames cost while 1024 elements are played, and its memory.

    bench/window.py [--starts 5] [--idle 10] [--rounds 6] [-o FILE.json]

A small table with what each figure is to stay below, then the same as a line of JSON. A frame's
wall time runs from its begin until its picture was handed to the display; its processor time is
that of all threads, since software GL draws on several. On a machine that does other things too,
the processor time is the one to trust. Exits with 1 if a figure misses its target.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/e2e"))
sys.dont_write_bytecode = True
from driver import App, Display  # noqa: E402  (the folder is only now known)

SIZE = ("--size", "1280x720")
PLAYED = (*SIZE, "--view", "step", "--variant", "relaunch", "--input", "ramp", "--n", "1024",
          "--group", "256")


class Bench:
    def __init__(self, options):
        self.options = options
        self.display = Display()
        self.figures = []

    def app(self, *arguments, display=None):
        """With settings of its own."""
        folder = tempfile.TemporaryDirectory()
        app = App(display or self.display, folder.name, arguments)
        app.kept_folder = folder
        return app

    def put(self, name, value, unit, most=None):
        self.figures.append({"name": name, "value": round(value, 3), "unit": unit, "target": most})
        target = "" if most is None else f"below {most:g}"
        sign = "" if most is None else "ok" if value < most else "MISSED"
        print(f"{name:34} {value:10.2f} {unit:5} {target:12} {sign}", flush=True)


def processor_seconds(process):
    """Of a process so far, all its threads."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process, field):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


def first_frame(bench):
    wall, processor = [], []
    for start in range(bench.options.starts + 1):
        app = bench.app(*SIZE)
        if start > 0:  # the first one fills the caches
            stats = app.ask("stats")
            wall.append(stats["first_frame_ms"])
            processor.append(stats["first_frame_cpu_ms"])
        app.close()
    bench.put("first frame, median", statistics.median(wall), "ms", 500)
    bench.put("first frame, processor", statistics.median(processor), "ms")


def idle(bench):
    app = bench.app(*SIZE)
    app.settle()
    time.sleep(2)
    workers = [worker["process"] for worker in app.ask("state")["workers"].values()]
    time.sleep(1)
    processes = [app.process.pid, *(worker for worker in workers if worker)]
    before = sum(map(processor_seconds, processes))
    time.sleep(bench.options.idle)
    share = 100 * (sum(map(processor_seconds, processes)) - before) / bench.options.idle
    bench.put("idle, of one processor", share, "%", 1)
    app.close()


def playing(bench):
    app = bench.app(*PLAYED)
    app.press("S", "S")  # four passes a second
    app.settle()
    app.ask("stats", forget=True)
    for _ in range(bench.options.rounds):
        app.press("Space")
        time.sleep(0.5)
        while app.ask("state")["step"]["playing"]:
            time.sleep(0.5)
    times = app.ask("stats")["frame_times"]["playing"]
    bench.put("playing 1024, frames", times["count"], "")
    bench.put("playing 1024, wall, median", times["wall_ms"]["median"], "ms", 16)
    bench.put("playing 1024, wall, p99", times["wall_ms"]["p99"], "ms", 33)
    bench.put("playing 1024, processor, median", times["cpu_ms"]["median"], "ms")
    bench.put("playing 1024, processor, p99", times["cpu_ms"]["p99"], "ms")
    bench.put("memory, resident", megabytes(app.process.pid, "VmRSS"), "MB", 300)
    bench.put("memory, most so far", megabytes(app.process.pid, "VmHWM"), "MB")
    app.close()


def presenting(bench):
    """The eight-number story, played on a screen of 3840x2160; software GL fills its eight million
    pixels a frame on the processor."""
    display = Display("3840x2160x24")
    try:
        app = bench.app("--present", "--view", "step", "--variant", "relaunch", display=display)
        app.press("S", "S")  # four passes a second
        app.settle()
        app.ask("stats", forget=True)
        for _ in range(bench.options.rounds):
            app.press("Space")
            time.sleep(0.5)
            while app.ask("state")["step"]["playing"]:
                time.sleep(0.5)
        times = app.ask("stats")["frame_times"]["playing"]
        bench.put("presenting 4K, frames", times["count"], "")
        bench.put("presenting 4K, wall, median", times["wall_ms"]["median"], "ms", 16)
        bench.put("presenting 4K, processor, median", times["cpu_ms"]["median"], "ms")
        bench.put("presenting 4K, memory", megabytes(app.process.pid, "VmRSS"), "MB")
        app.close()
    finally:
        display.close()


# Each adds figures by put(); one more view is one more entry.
MEASUREMENTS = [first_frame, idle, playing, presenting]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--idle", type=float, default=10, help="seconds")
    parser.add_argument("--rounds", type=int, default=6, help="how often all passes are played")
    parser.add_argument("--only", choices=[each.__name__ for each in MEASUREMENTS])
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the JSON goes to a file, too")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        for measurement in MEASUREMENTS:
            if options.only in (None, measurement.__name__):
                measurement(bench)
    finally:
        bench.display.close()
    told = {"processors": os.cpu_count(), "load": round(os.getloadavg()[0], 2),
            "figures": bench.figures}
    print(json.dumps(told))
    if options.output:
        options.output.write_text(json.dumps(told, indent=1) + "\n")
    missed = [f for f in bench.figures if f["target"] is not None and f["value"] >= f["target"]]
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
