#!/usr/bin/env python3
"""How much processor time a build takes, for one or several commits in turn.

  bench/build.py COMMIT… [-o FILE]          a COMMIT can be called NAME=COMMIT

Each commit is cloned into a folder of its own and built from nothing: the app, then all that
test.sh builds. The unit is the processor time of compiling Dear ImGui's imgui.cpp once with -O2,
taken again before and after each build, so that a machine that is slow at the moment is slow for
both. Then one header of a middle room is touched, and the app is built and asked for its version:
seconds by the clock. With --debug that is measured with the preset debug, too, which is there for
working on a few files; with --app the app is built and nothing else. The packages that setup.sh
installs must be there.
"""
import argparse, json, os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOUCHED = ("insight/hazards.h", "analysis/hazards.h", "draw/scene.h", "figures/scene.h")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command, **options):
    """Runs a command; its seconds of processor time and by the clock."""
    before, start = processor_seconds(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed in {options.get('cwd')}:\n{done.stderr}")
    return processor_seconds() - before, time.monotonic() - start


def imgui_seconds(repeats=3):
    source = max((ROOT / "third_party/.cache").glob("imgui-*"))
    command = ["c++", "-O2", "-c", f"-I{source}", source / "imgui.cpp", "-o", "/dev/null"]
    return statistics.median(timed(command)[0] for _ in range(repeats))


def measure(commit, folder, app_only, with_debug):
    checkout = pathlib.Path(folder) / "checkout"
    timed(["git", "clone", "-q", ROOT, checkout])
    timed(["git", "checkout", "-q", commit], cwd=checkout)
    shutil.copytree(ROOT / "third_party/.cache", checkout / "third_party/.cache")

    def stage(*commands):
        unit = imgui_seconds()
        used = [timed(command, cwd=checkout) for command in commands]
        unit = (unit + imgui_seconds()) / 2
        processor, clock = (sum(column) for column in zip(*used))
        return {"processor_s": round(processor, 1), "clock_s": round(clock, 1),
                "imgui_s": round(unit, 2), "units": round(processor / unit, 1)}

    def programs(preset):
        return ["cmake", "--build", f"build/{preset}", "--target", "reduction-lab",
                "reduction-lab-cli"]

    def touched(preset):
        started = {}
        for header in TOUCHED:
            if (checkout / "app" / header).exists():
                (checkout / "app" / header).touch()
                version = [checkout / f"build/{preset}/bin/reduction-lab", "--version"]
                used = [timed(command, cwd=checkout) for command in (programs(preset), version)]
                started[f"{header}, {preset}"] = round(sum(clock for _, clock in used), 1)
        return started

    row = {"commit": subprocess.check_output(["git", "rev-parse", "--short", commit], cwd=checkout,
                                             text=True).strip()}
    row["app"] = stage(["cmake", "--preset", "release"], programs("release"))
    if app_only:
        return row
    row["tests"] = stage(["cmake", "--build", "build/release"])
    row["touched"] = touched("release")
    if with_debug:
        timed(["cmake", "--preset", "debug", "-DLAB_TESTS=OFF"], cwd=checkout)
        timed(programs("debug"), cwd=checkout)
        row["touched"] |= touched("debug")
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", nargs="+", metavar="COMMIT")
    parser.add_argument("--app", action="store_true", help="build the app alone")
    parser.add_argument("--debug", action="store_true", help="touch headers with that preset, too")
    parser.add_argument("-o", metavar="FILE", help="write the rows there as JSON")
    arguments = parser.parse_args()
    rows = []
    for name, _, commit in (text.rpartition("=") for text in arguments.commits):
        with tempfile.TemporaryDirectory(prefix="lab-build-") as folder:
            rows.append({"name": name or commit} | measure(commit, folder, arguments.app, arguments.debug))
        row = rows[-1]
        text = ", ".join(f"{stage} {row[stage]['units']} units, {row[stage]['clock_s']:.0f} s"
                         for stage in ("app", "tests") if stage in row)
        for header, clock in row.get("touched", {}).items():
            text += f", after touching {header} {clock:.0f} s"
        print(f"{row['name']} ({row['commit']}): {text}", flush=True)
        if arguments.o:
            pathlib.Path(arguments.o).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
