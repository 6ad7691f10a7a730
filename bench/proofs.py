#!/usr/bin/env python3
"""Lists what `prove` says: of our kernels, and of suites that one names, beside what their authors say.

    bench/proofs.py [FOLDER...] [--cli PROGRAM] [--seconds 60] [--every 1] [--only TEXT] [--list] [-o FILE.md]

Of a suite (suites.py knows which) it asks for a proof of each text at the launch that the text states, for
any arguments and data, and has what is not proved refuted by a run of the simulator. Where its authors call such a
text right, a rule of suites.py says why, which that run's own text and output bear out, or it is a DIFFER. Nothing of
a text is kept. Ends with 1 if a text is proved that its authors call a race, or at a DIFFER.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import suites

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Beside each kernel as it is: the toggles with which it is correct, or races.
TOGGLES = {"span-modulo": ["BARRIER=group"], "span-scatter": ["BARRIER=group"], "span-halving": ["BARRIER=group"],
           "ladder-5-unrolled": ["SYNC=barrier"], "local-tree": ["BARRIER_LOAD=off", "BARRIER_LOOP=off"],
           "local-master": ["BARRIER_LOAD=off"], "single-pass": ["FENCE=none"]}


def proof(options, *words):
    environment = {**os.environ, "REDUCTION_LAB_DATA": str(ROOT)}
    # Its questions to the solver are bounded, so this ends on a machine that is busy, too.
    done = subprocess.run([options.cli, "prove", "--json", *words], capture_output=True, text=True, env=environment)
    if not done.stdout.strip():
        return {"verdict": "does not compile", "why": (re.findall("error: (.*)", done.stderr) or [""])[0]}
    return json.loads(done.stdout)["proofs"][0]


class Case(suites.Case):
    run = ""

    def judge_kernel(self, kernel):
        words = (["--kernel", kernel] if kernel else []) + (self.stated() or [])
        done = self.call("prove", *words) or self.call("prove", *words, "--no-run")
        several = re.search(r"hint: Name one with --kernel: (.*)", done.stderr) if done else None
        if several and not kernel:
            for each in several[1].split(", "):
                self.judge_kernel(each.strip())
        elif done is None:
            self.said.append("unknown")
        elif not done.stdout.strip():
            self.said.append("does not compile")
        else:
            found = json.loads(done.stdout)["proofs"][0]
            self.said.append(found["verdict"])
            if "run" in found:
                self.run = found["run"]
                self.kernels.append(kernel)
                words = (["--kernel", kernel] if kernel else []) + shlex.split(self.run)
                self.read(self.call("hazards", *words), kernel, words)

    def reason(self):
        """Why it is refuted here and right for its authors."""
        return next((why for why, holds in suites.RULES if holds(self)), "DIFFER")

    def says(self):
        """What its authors say: bad by a race, or for some other reason, which may be left open."""
        if self.published == "bad" and re.search(r"//.*(\brace\b|barrier may be reached)", "\n".join(
                self.text.splitlines()[:12]), re.I):
            return "race"
        return {"bad": "fails, no race named", None: "not compared"}.get(self.published, self.published)

    def stated(self):
        flags = dict(re.findall(r"--(\w+)=(\S+)", self.head))
        local = suites.numbers(flags.get("blockDim", flags.get("local_size", "")))
        groups = suites.numbers(flags.get("gridDim", flags.get("num_groups", "")))
        if not groups and local and "global_size" in flags:
            groups = [n // m for n, m in zip(suites.numbers(flags["global_size"]), local)]
        if self.suite == "Faial" and groups:
            local = local or [64]
        if not local or not groups or 0 in groups:
            return None
        local += [1] * (len(groups) - len(local))
        groups += [1] * (len(local) - len(groups))
        return ["--global", "x".join(str(n * m) for n, m in zip(local, groups)),
                "--local", "x".join(map(str, local))]

    def compare(self):
        for verdict in ("refuted", "does not compile", "not of that kind", "unknown"):
            if verdict in self.said:
                return verdict
        return "proved"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("folders", type=pathlib.Path, nargs="*")
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--every", type=int, default=1, help="of the folders' files only each so-manieth")
    options.add_argument("--only", default="", help="texts whose path has this in it")
    options.add_argument("--list", action="store_true")
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options = options.parse_args()
    lines = ["# Proofs for all sizes", "",
             f"What `reduction-lab-cli prove` says, {datetime.date.today()}, by bench/proofs.py.", "",
             "| kernel | verdict | for, or why |", "|---|---|---|"]
    for path in sorted((ROOT / "kernels").glob("*.cl")):
        name = path.stem.replace("_", "-")
        for toggle in [None, *TOGGLES.get(name, [])]:
            found = proof(options, name, *(["--set", toggle] if toggle else []))
            at = " and ".join(dict.fromkeys(str(found[key]) for key in ("line", "other") if key in found))
            why = "; ".join(found["assumptions"]) if found["verdict"] == "proved" else \
                found.get("why", "") + (f", line {at}" if at else "") + \
                (f"; `hazards {found['run']}`" if found.get("run") else "")
            lines.append(f"| `{name}`{' ' + toggle if toggle else ''} | {found['verdict']} | {why} |")
            print(lines[-1], flush=True)
    wrong = []
    files = sorted(p for folder in options.folders for p in folder.resolve().rglob("*") if p.suffix in (".cl", ".cu")
                   and options.only in str(p))
    cases = [case for case in (Case(p, options) for p in files) if case.suite][::options.every]
    counts, refuted = collections.Counter(), collections.defaultdict(list)
    for case in cases:
        case.judge()
        counts[case.suite, case.says(), case.verdict] += 1
        if options.list:
            why = case.reason() if case.verdict == "refuted" and case.says() == "ok" else ""
            print("\t".join([str(case.path), case.says(), case.verdict, case.run, why]), flush=True)
        if case.verdict == "proved" and case.says() == "race":
            wrong.append(case)
        if case.verdict == "refuted" and case.says() not in ("race", "fails, no race named"):
            refuted[case.suite, case.reason()].append(case)
    if cases:
        lines += ["", f"## Suites, {len(cases)} texts", "", f"At most {options.seconds:g} s of the processor for each run.", "",
                  "| suite | its authors say | prove says | texts |", "|---|---|---|---|"]
        lines += [f"| {suite} | {said} | {verdict} | {n} |" for (suite, said, verdict), n in sorted(counts.items())]
        lines += ["", "Proved, though it races for its authors:"] if wrong else []
        lines += [f"- {case.path.parent.name}/{case.path.name}" for case in wrong]
        lines += ["", "Refuted, though its authors do not call it a race:", "", "| suite | why | texts |",
                  "|---|---|---|"] if refuted else []
        lines += [f"| {suite} | {why} | {', '.join(f'{c.path.parent.name}/{c.path.name}' for c in those)} |"
                  for (suite, why), those in sorted(refuted.items())]
    print("\n".join(lines))
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    sys.exit(bool(wrong) or any(why == "DIFFER" for _, why in refuted))


if __name__ == "__main__":
    main()
