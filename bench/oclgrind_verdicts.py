#!/usr/bin/env python3
"""Our verdicts beside those that Oclgrind's own tests expect: races, accesses out of bounds, divergent
barriers and copies, uninitialised values.

    bench/oclgrind_verdicts.py FOLDER [--cli PROGRAM] [-o FILE.json] [--list]

FOLDER is tests/kernels of Oclgrind's sources: NAME.cl, NAME.sim (how it is launched) and NAME.ref (what
is expected) for each. Ours is what `hazards` and `step` of reduction-lab-cli say of the same text,
launch and data. What is compared is which kinds of mistakes there are; a difference is put down to a
rule which that case's own data bear out, or is left. Ends with 1 if one is left. Nothing of a text is
kept.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_SECONDS = 60

THEIRS = [
    ("race", r"data race"),
    ("bounds", r"Invalid (read|write) of size|exceeds static array"),
    ("divergence", r"Work-group divergence"),
    ("uninitialised", r"Uninitialized (value|address)"),
    ("host's flags", r"Invalid (write to read-only|read from write-only)"),
    ("copy", r"without waiting for events|[Ii]nvalid .*event|event"),
    ("alignment", r"[Uu]naligned|not aligned"),
]
OURS = [
    ("alignment", r"at byte"),
    ("bounds", r"does not exist|pointer to nothing"),
    ("divergence", r"[Nn]ot all|with other arguments|barrier"),
    ("copy", r"wait|event"),
]


def kind_of(text, table):
    return next((name for name, pattern in table if re.search(pattern, text)), None)


class Case:
    def __init__(self, path, folder, cli):
        self.path, self.cli = path, cli
        self.name = str(path.relative_to(folder).with_suffix(""))
        lines = path.read_text().splitlines()
        self.flags = " ".join(re.findall(r"# ARGS: (.*)", "\n".join(lines)))
        words = [line for line in lines if line.strip() and not line.startswith("#")]
        self.file = path.parent / words[0].strip()
        self.kernel = words[1].strip()
        self.global_size = [int(n) for n in words[2].split()]
        self.local_size = [int(n) for n in words[3].split()]
        self.given = words[4:]
        self.text = self.file.read_text()
        reference = path.with_suffix(".ref")
        expected = reference.read_text() if reference.exists() else ""
        self.theirs = {kind_of(line, THEIRS) or "other: " + line
                       for line in re.findall(r"^ERROR (.*)", expected, re.M)}
        self.why_not, self.ours, self.notes, self.said = "", set(), set(), []

    def run(self, command, *words):
        environment = dict(os.environ, REDUCTION_LAB_DATA=str(ROOT))
        done = subprocess.run([self.cli, command, str(self.file), "--kernel", self.kernel, "--json",
                               *words], capture_output=True, text=True, env=environment,
                              timeout=MOST_SECONDS)
        return done

    def arguments(self, guessed):
        """--arg for each, of the types that the guessed launch has and the sizes and data of .sim."""
        made, at = [], 0
        for parameter in guessed:
            array = re.match(r"(\w+):(local )?([a-z]+)(\d*)\[", parameter)
            header = re.match(r"\s*<(.*)>", self.given[at])
            options = dict(re.findall(r"(\w+)=(\S+)", header[1])) if header else {}
            bare = header[1].split() if header else []
            at += header is not None
            values, wanted = [], 1
            if array and "size" in options:
                wanted = int(options["size"]) // SIZES[array[3]]
            elif not array:
                wanted = parameter.split("=")[1].count(",") + 1
            told = not header or not ({"fill", "range", "noinit", "null"} & {*options, *bare}
                                      or array and array[2])
            while told and len(values) < wanted and at < len(self.given) \
                    and not self.given[at].lstrip().startswith("<"):
                values += self.given[at].split()
                at += 1
            values = [str(int(value, 16)) if "hex" in bare else value for value in values]
            if "range" in options:
                first, step, last = (float(n) for n in options["range"].split(":"))
                values = [f"{first + i * step:g}" for i in range(int((last - first) / step) + 1)]
            if "null" in bare:
                made.append("null")
            elif not array and header and "char" in bare and wanted > 1:
                self.why_not = "a structure by value, given byte by byte"
            elif not array:
                values = values or [options.get("fill", "0")] * wanted
                made.append(f"{parameter.split('=')[0]}={','.join(values)}")
            else:
                lanes = {"": 1, "3": 4}.get(array[4]) or int(array[4])
                count = max(1, wanted // lanes)
                fill = ",".join((values + ["0"] * wanted)[:wanted]) if values \
                    else options.get("fill", "")
                made.append(f"{array[1]}:{array[2] or ''}{array[3]}{array[4]}[{count}]"
                            + (f"={fill}" if fill else ""))
        return [word for each in made for word in ("--arg", each)]

    def judge(self):
        if "-i" in self.flags.split():
            self.why_not = "it tests Oclgrind's interactive debugger"
            return
        if any(all % group != 0 for all, group in zip(self.global_size, self.local_size)):
            self.why_not = "groups of different sizes, which OpenCL C 1.2 has not"
            return
        guess = self.run("step")
        launch = json.loads(guess.stdout).get("launch", "") if guess.stdout.strip() else ""
        if not launch:
            self.why_not = "it does not compile: " + " ".join(
                re.findall(r": error: (.*)", guess.stderr)[:1])
            return
        words = shlex.split(launch)
        guessed = [words[i + 1] for i, word in enumerate(words) if word == "--arg"]
        dimensions = max(i + 1 for i in range(3) if i == 0 or self.global_size[i] > 1)
        shape = ["--global", "x".join(map(str, self.global_size[:dimensions])),
                 "--local", "x".join(map(str, self.local_size[:dimensions])),
                 "--machine", "independent", *self.arguments(guessed)]
        if self.why_not:
            return
        step = self.run("step", *shape)
        if not step.stdout.strip():
            self.why_not = "its launch cannot be told: " + step.stderr.splitlines()[0]
            return
        ran = json.loads(step.stdout)
        for note in ran["notes"]:
            self.said.append(note["what"])
            self.ours.add("uninitialised")
        if "problem" in ran:
            self.said.append(ran["problem"]["what"])
            self.ours.add(kind_of(ran["problem"]["what"], OURS) or "other: " + ran["problem"]["what"])
        hazards = self.run("hazards", *shape)
        if hazards.stdout.strip():
            for hazard in json.loads(hazards.stdout)["hazards"]:
                if hazard["note"]:
                    self.notes.add(hazard["note"])
                elif "uninitialised" in hazard["kinds"] + hazard["could"]:
                    self.ours.add("uninitialised")
                else:
                    self.ours.add("race")


SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
         "float": 4, "double": 8, "half": 2, "bool": 1}

# (name, what it says, whether it explains the kinds that one side alone has).
RULES = [
    ("flags", "read-only and write-only are flags of the host's buffers, which a text has not",
     lambda case, theirs, ours: theirs == {"host's flags"} and not ours),
    ("stops", "a fault ends our run: what would come after it is not judged",
     lambda case, theirs, ours: not ours and bool(case.ours & {"bounds", "divergence", "copy",
                                                               "alignment"})),
    ("goes on", "Oclgrind goes on with 0 where nobody wrote; we hold 0xa5 there, which leads this index "
     "out of bounds, too", lambda case, theirs, ours: not theirs and ours == {"bounds"}
     and "uninitialised" in case.ours and "-1515870811" in " ".join(case.said)),
    ("in part", "a vector counts as assigned for us once one of its components is",
     lambda case, theirs, ours: theirs == {"uninitialised"} and not ours and any(
         re.search(rf"\b{name}\.\w+\s*=", case.text)
         for name in re.findall(r"\b[a-z]+(?:2|3|4|8|16)\s+(\w+)\s*;", case.text))),
    ("handed over", "ours notes that atomics and fences order the pair",
     lambda case, theirs, ours: theirs == {"race"} and not ours
     and "ordered by atomics and fences" in case.notes),
    ("same value", "ours notes that both write the same value",
     lambda case, theirs, ours: theirs == {"race"} and not ours and "same value" in case.notes),
]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options.add_argument("--list", action="store_true")
    options = options.parse_args()
    folder = options.folder.resolve()
    cases = [Case(path, folder, options.cli) for path in sorted(folder.rglob("*.sim"))]
    if not cases:
        sys.exit(f"no .sim file in {options.folder}")
    tally, rows, left = collections.Counter(), [], []
    for case in cases:
        case.judge()
        theirs, ours = case.theirs - case.ours, case.ours - case.theirs
        if case.why_not:
            verdict = "not compared: " + case.why_not
        elif not theirs and not ours:
            verdict = "equal" + (": no mistake" if not case.ours else "")
        else:
            verdict = next((f"explained: {says}" for _, says, holds in RULES
                            if holds(case, theirs, ours)), "left")
        if verdict == "left":
            left.append(case)
        tally[verdict] += 1
        rows.append({"test": case.name, "theirs": sorted(case.theirs), "ours": sorted(case.ours),
                     "verdict": verdict})
        if options.list:
            print(f"{case.name}\t{sorted(case.theirs)}\t{sorted(case.ours)}\t{verdict}\t{case.said}")
    lines = [f"{len(cases)} tests of Oclgrind's"]
    lines += [f"{count:5}  {verdict}" for verdict, count in tally.most_common()]
    print("\n".join(lines))
    for case in left:
        print(f"left: {case.name}: theirs {sorted(case.theirs)}, ours {sorted(case.ours)}")
    if options.output:
        options.output.write_text(json.dumps({"schema": 1, "tests": rows}, indent=1) + "\n")
        options.output.with_suffix(".txt").write_text("\n".join(lines) + "\n")
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
