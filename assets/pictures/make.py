#!/usr/bin/env python3
"""Makes the README's pictures anew: step.png, race.png, and race.gif, a class that makes a sum wrong.

    assets/pictures/make.py [BIN]        BIN: build/release/bin; needs ImageMagick's convert
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
if len(sys.argv) > 1:
    os.environ["LAB_BIN"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(ROOT / "tests/e2e"))
import driver  # noqa: E402

STORY = ["--variant", "span-modulo", "--set", "BARRIER=group"]
# Group 1 comes to its second sum, but group 0 reads the cell before it is written: 33.
TURNS = ["Alt+1"] * 4 + ["Alt+2"] * 4 + ["Alt+1"] * 3 + ["Alt+2"] * 2 + ["Alt+1"] * 3
SLOW, SLOWER = 70, 260  # hundredths of a second


def main():
    display = driver.Display()
    with tempfile.TemporaryDirectory() as folder:
        app = driver.App(display, folder, [*STORY, "--order", "in-order", "--size", "1440x900"])
        app.settle()
        for hint in range(8):  # no notices in pictures
            app.settle()
            if app.find("hint.forget"):
                app.click("hint.forget", settled=False)
        app.press("End")
        app.settle()
        app.ask("screenshot", file=str(HERE / "step.png"))
        app.close()

        app = driver.App(display, folder, [*STORY, "--size", "1200x700", "--view", "race"])
        app.settle()
        for hint in range(8):
            app.settle()
            if app.find("hint.forget"):
                app.click("hint.forget", settled=False)
        app._xdotool("mousemove", "--window", app.window, "1", "1")
        frames = []

        def frame(delay):
            app.settle()
            file = pathlib.Path(folder) / f"frame{len(frames):03}.png"
            app.ask("screenshot", file=str(file))
            frames.append((delay, file))

        frame(SLOWER)
        for turn in TURNS:
            app.press(turn)
            frame(SLOW)
        app.press("End")
        frame(SLOWER)
        app.press("D")
        app.wait(lambda state: not state["race"]["trials"]["waiting"])
        frame(SLOWER)
        app.ask("screenshot", file=str(HERE / "race.png"))
        ending = app.state()["race"]["ending"]["result"]
        app.close()
        words = [word for delay, file in frames for word in ("-delay", str(delay), str(file))]
        subprocess.run(["convert", *words, "-layers", "OptimizeFrame", "-colors", "64", "-loop",
                        "0", str(HERE / "race.gif")], check=True)
        print(f"the moving picture ends in {ending}, {(HERE / 'race.gif').stat().st_size} bytes")
    display.close()


if __name__ == "__main__":
    main()
