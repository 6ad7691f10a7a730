#!/usr/bin/env python3
"""Every view in every theme, language and size, for people to look at.

    tests/e2e/screenshots.py FOLDER [--size 1280x720]… [--scale 2]… [--theme T]… [--lang L]…
                               [--view V]…

Writes FOLDER/VIEW-THEME-LANG-SIZE.png, and -xSCALE behind it where that is not 1. With
ImageMagick's montage there is a sheet of each view, too. Of the race view a wrong ending is shown, of
the step view the broken kernel beside the mended one and single actions as well, of the measure view
a short run, of the lessons a page that is answered and one whose kernel is written.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import driver  # noqa: E402

STORY = ["--variant", "span-modulo", "--set", "BARRIER=group", "--order", "in-order"]
KERNEL = """// A sum by each group.
kernel void sum(global const int* in, global int* out, local int* part)
{
    const uint lid = get_local_id(0);
    part[lid] = in[get_global_id(0)];
    for (uint s = 8; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            part[lid] += part[lid + s];
    }
    if (lid == 0)
        out[get_group_id(0)] = part[0];
}
"""


def race(app):
    app.press("2")
    app.state()
    app.press("F", "Space", "End")


def trials(app):
    race(app)
    app.press("D")
    app.wait(lambda state: not state["race"]["trials"]["waiting"])


def measure(app):
    app.press("4", "R")
    app.wait(lambda state: state["measure"]["answered"] and not state["measure"]["waiting"])


# Each view: what the app is started with, and what is done in it.
VIEWS = {
    "first": ([], lambda app: None),
    "step": (STORY, lambda app: None),
    "action": (STORY, lambda app: app.press("A", "A", "Left", "Left", "Left", "Left", "Left")),
    "beside": (STORY, lambda app: app.press("C", "End")),
    "race": (STORY, race),
    "trials": (STORY, trials),
    "lattice": (["--variant", "span-modulo", "--set", "BARRIER=group"],
                lambda app: app.press("3")),
    "measure": ([], measure),
    "devices": ([], lambda app: app.press("Ctrl+D")),
    "learn": (["--page", "03-two-groups:4"], lambda app: None),
    "edit": (["--page", "09-write-your-own:3"], lambda app: None),
    "present": (STORY, lambda app: app.press("End", "F11")),
    "presentrace": (STORY, lambda app: (race(app), app.press("F11"))),
    "presentpage": (["--page", "03-two-groups:4", "--present"], lambda app: None),
    "own": (["KERNEL"], lambda app: None),
    "help": ([], lambda app: app.press("F1")),
    "palette": ([], lambda app: app.press("Ctrl+P")),
}


def shot(display, view, theme, lang, size, scale, file):
    arguments, act = VIEWS[view]
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "sum.cl"
        kernel.write_text(KERNEL)
        arguments = [str(kernel) if a == "KERNEL" else a for a in arguments]
        app = driver.App(display, folder,
                         [*arguments, "--theme", theme, "--lang", lang, "--size", size,
                          "--scale", scale])
        app.settle()
        act(app)
        app.settle()
        app.ask("screenshot", file=str(file))
        app.close()


def main():
    options = argparse.ArgumentParser(description="Screenshots of every view, to be looked at")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--size", action="append")
    options.add_argument("--scale", action="append")
    options.add_argument("--theme", action="append")
    options.add_argument("--lang", action="append")
    options.add_argument("--view", action="append", choices=list(VIEWS))
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    display = driver.Display()
    for view in given.view or VIEWS:
        files = []
        for size in given.size or ["1280x720", "1920x1080"]:
            for scale in given.scale or ["1"]:
                for theme in given.theme or ["light", "dark", "projector"]:
                    for lang in given.lang or ["en", "zh", "ru"]:
                        name = f"{view}-{theme}-{lang}-{size}{'' if scale == '1' else '-x' + scale}"
                        file = given.folder / (name + ".png")
                        shot(display, view, theme, lang, size, scale, file)
                        files.append(str(file))
                        print(file)
        if shutil.which("montage"):
            subprocess.run(["montage", *files, "-tile", "3x", "-geometry", "960x+6+6",
                            str(given.folder / f"sheet-{view}.png")], check=True)
    display.close()


if __name__ == "__main__":
    main()
