#!/usr/bin/env python3
"""What is found once a barrier is gone: each barrier of each kernel that a suite says is right is deleted in turn.

    bench/deleted.py FOLDER... [--cli PROGRAM] [--seconds 10] [--every N] [--list] [-o FILE.txt]

Suites and launches are those of bench/suites.py; only kernels without a race as they are count. The text without the
barrier goes through `hazards` in the same launch, and what `barriers` says of it, in launches that it guesses, stands
beside. A barrier without which no schedule races orders nothing in this launch. Nothing of a text is kept.
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import sys
import tempfile

from suites import ROOT, SHIM, Case

BARRIER = re.compile(r"\b(?:__syncthreads|barrier|work_group_barrier|\w+\.sync)\s*\(")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def barriers_of(text):
    """Where calls of barriers are, from their name to their bracket's end; none of comments and declarations."""
    blank = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    found = []
    for call in BARRIER.finditer(blank):
        depth, end = 1, call.end()
        while end < len(blank) and depth > 0:
            depth += {"(": 1, ")": -1}.get(blank[end], 0)
            end += 1
        if blank[end:].lstrip().startswith(";") and not blank[:call.start()].rstrip().endswith(("void", "define")):
            found.append((call.start(), end))
    return found


class Launched(Case):
    """Of whose kernels the launches are known that `hazards` was asked for."""

    def read(self, done, kernel, words):
        self.launches = getattr(self, "launches", []) + [(kernel, words)]
        super().read(done, kernel, words)

    def verdict_of(self, text, words):
        """What `hazards` finds in another text, launched so."""
        with tempfile.TemporaryDirectory() as folder:
            self.file = pathlib.Path(folder) / self.path.name
            self.file.write_text(text)
            done = self.call("hazards", *words)
        if done is None:
            return "time"
        if not done.stdout.strip():
            return "fault"
        found = json.loads(done.stdout)
        if any(h["severity"] == "race" for h in found["hazards"]):
            return "race"
        return "fault" if found.get("problem") else "none for these numbers" if found["for_these_numbers"] \
            else "none in any schedule" if found["all_schedules"] else "none in those run"

    def needs(self, kernel):
        """Line -> what `barriers` says of the barrier there, in launches that it guesses."""
        with tempfile.TemporaryDirectory() as folder:
            self.file = pathlib.Path(folder) / self.path.name
            self.file.write_text(self.whole)
            done = self.call("barriers", *(["--kernel", kernel] if kernel else []))
        try:
            return {p["line"]: p["need"] for p in json.loads(done.stdout)["points"]} if done else {}
        except (json.JSONDecodeError, KeyError):
            return {}

    def deletions(self):
        """(line, what `hazards` finds without it in any kernel, what `barriers` says), for each barrier."""
        shim = self.suite.startswith("GPUVerify") or self.suite == "Faial"
        self.whole = (SHIM if shim else "") + self.text
        rows, needs = [], {}
        for kernel, _ in self.launches:
            needs.update(self.needs(kernel))
        for begin, end in barriers_of(self.whole):
            line = self.whole.count("\n", 0, begin) + 1
            gone = self.whole[:begin] + re.sub(r"[^\n]", " ", self.whole[begin:end]) + self.whole[end:]
            found = {self.verdict_of(gone, words) for _, words in self.launches}
            rows.append((line - self.whole.count("\n") + self.text.count("\n"),
                         next(each for each in ("race", "fault", "time", *sorted(found)) if each in found),
                         needs.get(line, "not asked: no launch is guessed")))
        return rows


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("folders", type=pathlib.Path, nargs="+")
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("--seconds", type=int, default=10, help="of the processor, for each call")
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options.add_argument("--list", action="store_true")
    options.add_argument("--every", type=int, default=1, help="of each suite's files only each so-manieth")
    options = options.parse_args()
    options.outcomes = False
    files = sorted(p for folder in options.folders for p in folder.resolve().rglob("*") if p.suffix in (".cl", ".cu"))
    cases = [case for case in (Launched(p, options) for p in files) if case.suite and case.published == "ok"
             and barriers_of(case.text)][::options.every]
    if not cases:
        sys.exit("no suite that is known here has a barrier")
    counted, left = collections.defaultdict(collections.Counter), collections.Counter()
    for case in cases:
        case.judge()
        if case.ours:
            left[case.suite] += 1
            continue
        for line, found, need in case.deletions():
            counted[case.suite][found, need] += 1
            if options.list:
                print("\t".join([case.suite, str(case.path), str(line), found, need]), flush=True)
    lines = [f"{datetime.date.today()}, {len(cases)} texts with barriers that are published as right"
             + (f", one in {options.every}" if options.every > 1 else "")
             + f", at most {options.seconds} s of the processor per call"]
    for suite in sorted(set(counted) | set(left)):
        found = counted[suite]
        lines += ["", f"{suite}: {sum(found.values())} barriers deleted; {left[suite]} texts are left out, "
                      "which do not compile or have a finding as they are",
                  "       without it              `barriers` says"]
        lines += [f"{n:5}  {what:22}  {need}" for (what, need), n in found.most_common()]
    print("\n".join(lines))
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
