#!/usr/bin/env python3
"""Says in one line how far ninja is and how long it will still take.

    cmake --build FOLDER … | progress.py FOLDER PLAN

PLAN is what ninja says that it would do (ninja -n). Its steps count by what they took the last time
(FOLDER/.ninja_log), or by their kind where they are new. On a terminal the line is rewritten; elsewhere
there is a line for each tenth, and one a minute.
"""
import os
import pathlib
import re
import sys
import time

STEP = re.compile(r"^\[(\d+)/(\d+)\] (.*)")
FILE = re.compile(r"(?:Building|Linking) \S+ .*?(\S+)$")
COMPILING, LINKING, OTHER = 10.0, 1.0, 0.5  # seconds of a step that was never done here
KNOWN_AFTER = 0.04  # of the work; before that nobody knows how long it takes


def usual_times(folder):
    """Seconds that each output took when it was last made."""
    times = {}
    try:
        for line in (folder / ".ninja_log").read_text().splitlines()[1:]:
            start, end, _, output = line.split("\t")[:4]
            times[output] = max(int(end) - int(start), 1) / 1000
    except (OSError, ValueError):
        pass
    return times


def weight(step, times):
    file = FILE.match(step)
    if file and file[1] in times:
        return times[file[1]]
    return COMPILING if step.startswith("Building") else LINKING if file else OTHER


def left(seconds):
    if seconds < 5:
        return "a moment left"
    if seconds < 50:
        return f"about {max(round(seconds / 10), 1) * 10} s left"
    return f"about {max(round(seconds / 60), 1)} min left"


class Line:
    """What is said, and when: at once on a terminal, now and then in a log."""

    def __init__(self, out):
        self.out, self.watched = out, out.isatty()
        self.next_tenth, self.next_time = 0.1, time.monotonic() + 60

    def show(self, text, done):
        if self.watched:
            self.out.write(f"\r\033[K  {text}")
        elif done >= self.next_tenth or time.monotonic() >= self.next_time:
            self.out.write(f"  {text}\n")
            self.next_tenth = int(done * 10 + 1) / 10
            self.next_time = time.monotonic() + 60
        self.out.flush()

    def close(self):
        if self.watched:
            self.out.write("\r\033[K")
            self.out.flush()


def main():
    folder, plan = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    times = usual_times(folder)
    planned = [step[3] for step in map(STEP.match, plan.read_text().splitlines()) if step]
    total = sum(weight(step, times) for step in planned)
    start, done = time.monotonic(), 0.0
    line = Line(sys.stdout)
    if planned:
        line.show(f"Building 0 of {len(planned)}", 0)
    for text in sys.stdin:
        step = STEP.match(text)
        if not step:
            continue
        done += weight(step[3], times)
        # A plan that is too short was made before CMake ran once more.
        planned_well = len(planned) * 2 > int(step[2])
        part = min(done / total, 1.0) if planned_well else int(step[1]) / int(step[2])
        spent = time.monotonic() - start
        guess = f", {left(spent * (1 - part) / part)}" if part > KNOWN_AFTER and spent > 5 else ""
        line.show(f"Building {step[1]} of {step[2]}{guess}", part)
    line.close()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(130)
