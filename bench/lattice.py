#!/usr/bin/env python3
"""What a frame of the lattice view costs while it moves: 65,536 elements, all passes, 1280x720.

It is driven as hands do: closer, along, back to the whole, again and again. Prints the times of the
frames in which it moved as JSON, and frames a second from their median. Needs xdotool and Xvfb.
"""
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from driver import WindowTest  # noqa: E402

KEYS = ["PageUp"] * 6 + ["Shift+Right", "Shift+Down", "PageUp", "PageUp", "PageUp", "Shift+Left",
                         "Backspace", "Shift+End", "Backspace"]
ROUNDS = 2


class Drive(WindowTest):
    painted = True

    def runTest(self):
        app = self.open("--size", "1280x720", "--view", "lattice", *sys.argv[1:])
        app.wait(lambda state: state["lattice"].get("rows", 0) > 0)
        for _ in range(ROUNDS):
            for key in KEYS:
                app.press(key)
                time.sleep(0.45)
        times = app.ask("stats")["frame_times"]["playing"]
        lattice = app.state()["lattice"]
        print(json.dumps({"n": lattice["n"], "rows": lattice["rows"], **times,
                          "frames_per_second": round(1000 / times["wall_ms"]["median"], 1)},
                         indent=2))


if __name__ == "__main__":
    test = Drive()
    test.setUp()
    try:
        test.runTest()
    finally:
        test.doCleanups()
