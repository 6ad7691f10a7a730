#!/usr/bin/env python3
"""Our verdicts beside those that the authors of other tools' suites publish: races, faults, assertions.

    bench/suites.py FOLDER... [--cli PROGRAM] [--seconds 10] [--list] [--outcomes] [-o FILE.txt]

A suite is known by its layout: GPUVerify's tests and GPUVerifyBenchmarks (`//pass`, `//xfail:` and the launch
in the first lines), ESBMC-GPU's (main.cu beside test.desc), Faial's (racy-NAME.cu, drf-NAME.cu), Indigo as in
HiRace's artifact (the bug in the name), ScoR's micro-benchmarks (race_, norace_), and NVIDIA's samples of
reductions, scans and histograms, which shall be right. Ours is what `hazards` says of the same text, in a small
launch of the stated shape; arguments are guessed. A difference is put down to a rule which that case's own
text and output bear out, or is a DIFFER. Nothing of a text is kept. Ends with 1 if there is a DIFFER.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_ITEMS = 256
# What GPUVerify's clang defines: annotations, which mean nothing to a run.
ANNOTATIONS = ["requires", "ensures", "invariant", "assert", "assume", "global_assert", "candidate_invariant",
               "function_wide_invariant", "function_wide_candidate_invariant", "candidate_assert",
               "global_requires", "global_ensures", "same_for_all", "barrier_invariant",
               "barrier_invariant_1", "barrier_invariant_2", "reads_from", "writes_to", "read_from",
               "non_temporal", "requires_fresh_array", "barrier_invariant_3", "barrier_invariant_13", "read", "write",
               "no_read", "no_write", "read_offset_bytes", "write_offset_bytes", "other_int", "array_snapshot",
               "enabled", "atomic_has_taken_value", "implies", "mod_pow2"]
SHIM = "".join(f"#define __{name}(...) 1\n" for name in ANNOTATIONS) + "#define DECLARE_UF_BINARY(...)\n"
# Eight vertices; the first and the last have no neighbours, others have smaller and larger ones at either end.
GRAPH = {"nindex": "int[9]=0,0,3,6,8,11,13,16,16", "nlist": "int[16]=3,0,2,4,5,6,6,7,7,2,5,1,6,4,3,7",
         "data1": "int[16]=0,5,2,7,1,6,3,4,0,5,2,7,1,6,3,4", "data2": "int[16]=0,9,14,3,11,6,8,13,2,7,12,1,5,10,4,15"}


def numbers(text):
    return [int(n) for n in re.findall(r"\d+", text)]


def suite_of(path, head):
    """(suite, group, what is published: ok, bad, race, bounds, or None) of a file, by its place and first lines."""
    parts, name = path.parts, path.stem
    if (path.parent / "test.desc").exists():
        ok = "SUCCESSFUL" in (path.parent / "test.desc").read_text(errors="replace")
        group = "/".join(parts[parts.index("cuda") + 1:-2]) if "cuda" in parts else ""
        said = "race" if "data-racer" in parts else "bounds" if "array-bounds" in parts else "bad"
        return "ESBMC-GPU", group, "ok" if ok else said
    if "indigo_sources" in parts:
        return "Indigo (HiRace)", path.parent.name, "bounds" if "boundsBug" in name and not re.search(
            "(atomic|guard|race|sync)Bug", name) else "bad" if "Bug" in name else "ok"
    if "microbenchmarks" in parts and re.match("(no)?race_", name):
        return "ScoR", "microbenchmarks", "ok" if name.startswith("no") else "race"
    if re.match("drf-|racy-", name):
        return "Faial", path.parent.name, "ok" if name.startswith("drf") else "race"
    first = re.search(r"//\s*(pass|xfail:\w+)", head, re.I)
    if first:
        suite = "Faial" if (path.parent / "dune").exists() else "GPUVerifyBenchmarks" \
            if "GPUVerifyBenchmarks" in parts else "GPUVerify's tests"
        said = first[1].lower()
        said = "ok" if said == "pass" else "bad" if "not_all_verified" in said else None
        return suite, "OpenCL" if path.suffix == ".cl" else "CUDA", said
    if "Samples" in parts and path.parent.name in ("reduction", "threadFenceReduction", "scan", "histogram",
                                                   "reductionMultiBlockCG", "scalarProd", "shfl_scan",
                                                   "warpAggregatedAtomicsCG"):
        return "NVIDIA's samples", path.parent.name, "ok"
    return None


class Case:
    def __init__(self, path, options):
        self.path, self.options = path, options
        self.text = path.read_text(errors="replace")
        self.head = "\n".join(self.text.splitlines()[:6])
        found = suite_of(path, self.head)
        self.suite, self.group, self.published = found or (None, None, None)
        self.verdict, self.ours, self.said, self.kernels, self.results = "", set(), [], [], ""
        self.macros = [w for m in re.findall(r"\s-D(\w+(?:=\S+)?)", self.head)
                       for w in ("--set", m if "=" in m else m + "=1")]
        desc = path.parent / "test.desc"
        self.flags = desc.read_text(errors="replace") if desc.exists() else ""
        self.shrunk, self.scalars = False, None
        self.given = []  # numbers among the arguments of ESBMC's call
        self.hazards, self.for_these, self.message = [], False, ""

    def call(self, command, *words):
        program = [self.options.cli, command, str(self.file), "--json", *self.includes, *self.macros, *words]
        environment = {"REDUCTION_LAB_DATA": str(ROOT), **os.environ}
        done = subprocess.run(program, capture_output=True, text=True, errors="replace", env=environment,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (self.options.seconds,) * 2))
        return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done

    def shape(self):
        """Global and local size as stated, with fewer groups where that is much; None if nothing is stated."""
        flags = dict(re.findall(r"--(\w+)=(\S+)", self.head))
        local = numbers(flags.get("blockDim", flags.get("local_size", "")))
        groups = numbers(flags.get("gridDim", flags.get("num_groups", "")))
        if not groups and local and "global_size" in flags:
            groups = [max(1, n // m) for n, m in zip(numbers(flags["global_size"]), local)]
        called = re.search(r"(?<!//)ESBMC_verify_kernel\w*\(\s*\w+\s*,\s*(\w+)\s*,\s*(\w+)\s*,?([^;]*)\);", self.text)
        if called and self.suite == "ESBMC-GPU":
            groups, local = self.value(called[1]), self.value(called[2])
            self.given = [(self.value(each.strip()) or [None])[0] for each in called[3].split(",")]
        if self.suite == "Faial":
            local, groups = local or [64], groups or [2]
        if "Indigo" in self.suite:
            local, groups = ([64], [2]) if re.search("_(block|warp)", self.group) else ([8], [2])
        if not local or not groups:
            return None
        groups += [1] * (len(local) - len(groups))
        local += [1] * (len(groups) - len(local))
        stated = (list(local), list(groups))
        while eval("*".join(map(str, local))) > 1024:
            local[local.index(max(local))] = max(local) // 2
        most = max(2, MOST_ITEMS // max(1, eval("*".join(map(str, local)))))
        while eval("*".join(map(str, groups))) > most and max(groups) > 2:
            groups[groups.index(max(groups))] = max(2, max(groups) // 2)
        self.shrunk = stated != (local, groups)
        return [n * m for n, m in zip(local, groups)], local

    def value(self, name):
        """The numbers that a name of ESBMC's host code stands for: a literal, a macro, a constant or a dim3."""
        for _ in range(4):
            if re.fullmatch(r"\d+", name):
                return [int(name)]
            for pattern in (rf"#define\s+{re.escape(name)}\s+(\w+)", rf"const\s+\w+\s+{re.escape(name)}\s*=\s*(\w+)"):
                found = re.search(pattern, self.text)
                if found:
                    name = found[1]
            dim3 = re.search(rf"dim3\s+{re.escape(name)}\s*\(([^)]*)\)", self.text)
            if dim3:
                parts = [self.value(each.strip()) for each in dim3[1].split(",")]
                return [each[0] for each in parts] if all(parts) else []
        return []

    def arguments(self, guessed, total, longer):
        """The guessed arguments with buffers for the whole launch, and what the text asks for."""
        made, wanted = [], dict(re.findall(r"__(?:requires|assume)\(\s*(\w+)\s*==\s*(\d+)\s*\)", self.text))
        for at, each in enumerate(guessed):
            name = re.match(r"\w+", each)[0] if re.match(r"\w+", each) else ""
            fill = "" if "local" in each else "=ramp"
            array = re.match(r"(\w+:(?:local )?[\w ]+)\[(\d+)\](.*)$", each)
            scalar = re.match(r"(\w+)=(-?\d+)$", each)
            if "Indigo" in self.suite and name in GRAPH:
                made.append(f"{name}:{GRAPH[name]}")
            elif "Indigo" in self.suite and name == "numv":
                made.append("numv=8")
            elif array and "," not in array[3]:
                made.append(f"{array[1]}[{max(int(array[2]), total) * (16 if longer else 1)}]{array[3] or fill}")
            elif scalar and name in wanted:
                made.append(f"{name}={wanted[name]}")
            elif scalar and self.scalars is not None:
                made.append(f"{name}={self.scalars}")
            elif scalar and at < len(self.given) and self.given[at] is not None:
                made.append(f"{name}={self.given[at]}")
            else:
                made.append(each)
        return [word for each in made for word in ("--arg", each)]

    def judge_kernel(self, kernel):
        words = ["--kernel", kernel] if kernel else []
        done = self.call("hazards", *words)
        note = re.search(r"launch is guessed: (.*)", done.stderr) if done else None
        macros = re.search(r"hint: Write (--set .*), with the values", done.stderr) if done else None
        if macros and not self.macros:
            self.macros = shlex.split(macros[1])
            self.judge_kernel(kernel)
            return
        several = re.search(r"hint: Name one with --kernel: (.*)", done.stderr) if done else None
        if several and not kernel:
            for each in re.split(", (?![^<]*>)", several[1]):
                self.judge_kernel(each.strip())
            return
        self.kernels.append(kernel)
        shape = self.shape()
        if done and note and shape:
            guessed = shlex.split(note[1])
            guessed = [guessed[i + 1] for i, word in enumerate(guessed) if word == "--arg"]
            total = eval("*".join(map(str, shape[0])))
            tries = [(False, None), (True, None)] + [(False, n) for n in ("0", "1", "3") if self.published == "bad"]
            for longer, self.scalars in tries:
                words = [*words[:2 if kernel else 0], "--global", "x".join(map(str, shape[0])), "--local",
                         "x".join(map(str, shape[1])), *self.arguments(guessed, total, longer)]
                if "warp-sync" in self.head:
                    words += ["--lanes", "32"]
                done = self.call("hazards", *words)
                if not done or "Indigo" in self.suite or "does not exist" not in done.stdout + done.stderr and (
                        self.finds(done) or self.published != "bad"):
                    break
        self.read(done, kernel, words)

    @staticmethod
    def finds(done):
        """Whether it is more than a read of what nobody has written."""
        if not done.stdout.strip():
            return done.returncode != 0
        found = json.loads(done.stdout)
        return bool(found.get("problem") or any(h["severity"] == "race" and h["kinds"] != ["uninitialised"]
                                                for h in found["hazards"]))

    def read(self, done, kernel, words):
        if done is None:
            self.ours.add("time")
            return
        error = re.search(r"error: (.*)", done.stderr)
        inner = re.findall(r":\d+:\d+: error: (.*)", done.stderr)
        if done.stdout.strip():
            found = json.loads(done.stdout)
            self.hazards += [h for h in found["hazards"] if h["severity"] == "race" and h["kinds"] != ["uninitialised"]]
            self.for_these |= found["for_these_numbers"]
            self.said += [h["note"] or h["what"] for h in self.hazards]
            self.ours |= {"race"} if self.hazards else set()
            self.ours |= {"ended early"} if found["ended_before_barrier"] else set()
            problem = found.get("problem")
            if found["unfinished"] and not problem:
                self.ours.add("never ends")
            if problem:
                self.ours.add("fault")
                self.said.append(problem["what"])
            if not self.hazards and not problem and self.options.outcomes and len(self.kernels) == 1:
                self.search(words, found)
        elif re.search(r"kernel's text has|no kernel|--kernel|#include|cannot be read", done.stderr) \
                or inner and "has" in (error[1] if error else ""):
            self.ours.add("not compiled")
            self.message = (inner or [error[1] if error else "no word"])[0]
        elif re.search(r"--arg|--global|--local|groups of", done.stderr) and not re.search(
                r"does not exist|barrier", done.stderr):
            self.ours.add("not launched")
            self.message = error[1] if error else "no word"
        else:
            self.ours.add("fault")
            self.said.append(error[1] if error else f"it ended with {done.returncode}: {done.stderr[-200:]}")

    def search(self, words, found):
        done = self.call("outcomes", *words, "--states", "5000", "--samples", "50")
        if done is None or not done.stdout.strip():
            self.results = "no answer"
            return
        searched = json.loads(done.stdout)
        many = len(searched["results"]) > 1
        self.results = ("several results" if many else "one result") + \
            ("" if searched["complete"] else " so far") + \
            (", no race in any schedule" if found["all_schedules"] else ", none in those run")

    def judge(self):
        with tempfile.TemporaryDirectory() as folder:
            self.includes = [w for p in list(self.path.parents)[:4] for w in ("--include", str(p))]
            self.includes += [w for p in self.path.parents for name in ("indigo_include", "Common", "common/include")
                              if (p / name).is_dir() for w in ("--include", str(p / name))]
            self.file = self.path
            if self.suite.startswith("GPUVerify") or self.suite == "Faial":
                self.file = pathlib.Path(folder) / self.path.name
                self.file.write_text(SHIM + self.text)
            self.judge_kernel("")
        self.verdict = self.compare()
        return self

    def compare(self):
        if self.published is None:
            return "not compared: it tests that tool's own errors"
        if self.ours & {"not compiled", "not launched"} and not self.ours & {"race", "fault"}:
            return "does not compile" if "not compiled" in self.ours else "not launched"
        bad = self.ours & {"race", "fault", "never ends"}
        if self.published == "ok" and not self.ours or self.published in ("bad", "race", "bounds") and bad and (
                self.published == "bad" or {"race": "race", "bounds": "fault"}[self.published] in bad):
            return "agree"
        for says, holds in RULES:
            if holds(self):
                return "by rule: " + says
        return "DIFFER"


def unsupported(folder):
    """The texts that Faial's own tests leave out."""
    tests = folder / "test.ml"
    return re.findall(r'"([\w-]+\.cu)"', tests.read_text().partition("let unsupported")[2]) if tests.exists() else []


ok, bad = (lambda c: c.published == "ok"), (lambda c: c.published != "ok")
RULES = [
    ("it takes longer than the bound", lambda c: "time" in c.ours),
    ("two stores of the same value: a race here, benign to them",
     lambda c: ok(c) and c.ours == {"race"} and any("same value" in h["note"] for h in c.hazards) and all(
         "same value" in h["note"] or len({side["value"] for side in h["sides"]}) == 1 for h in c.hazards)),
    ("they look within one group only, the race is across groups",
     lambda c: ok(c) and "race" in c.ours and all(h["across_groups"] for h in c.hazards)
     and c.ours <= ({"race", "fault"} if any("has not ended" in s for s in c.said) else {"race"})
     and ("intra-group" in c.head or c.suite == "Faial")),
    ("its example is about bank conflicts, not races", lambda c: ok(c) and c.suite == "Faial"
     and c.path.parent.name == "bc"),
    ("that tool itself does not check it", lambda c: c.suite == "Faial" and c.path.name in unsupported(c.path.parent)),
    ("a race that its authors call benign", lambda c: ok(c) and c.ours == {"race"} and "benign" in str(c.path)),
    ("what is wrong is in a function that no kernel calls",
     lambda c: bad(c) and not c.ours and "does not invoke" in c.text),
    ("its own text says that it does not happen", lambda c: bad(c) and not c.ours and "didn't happen" in c.text),
    ("an assertion about arguments, which are guessed",
     lambda c: ok(c) and c.ours == {"fault"} and any(re.search(r"comes to assert\(", s) for s in c.said)),
    ("a template's number is guessed, and its block is another", lambda c: c.suite == "NVIDIA's samples"
     and "race" not in c.ours and any("its mask does not name it" in s for s in c.said)),
    ("contents of buffers, which are guessed, decide where it writes",
     lambda c: c.suite == "NVIDIA's samples" and c.ours == {"race"} and c.for_these
     and all(h["kinds"] == ["WAW"] and "came last" in (h["note"] or h["what"]) for h in c.hazards)),
    ("they look for divergent barriers only", lambda c: "only-divergence" in c.head and c.ours <= {"race"}),
    ("their run checks assertions and pointers, not races",
     lambda c: ok(c) and c.flags and c.ours <= {"race", "time"} and "data-races-check" not in c.flags),
    ("a bound of a buffer of the host's, whose size is guessed", lambda c: c.published == "bounds" and not c.ours
     and c.suite == "ESBMC-GPU"),
    ("a fault by guessed sizes, contents or numbers; they check no bounds unless asked",
     lambda c: ok(c) and c.ours & {"fault"} and not c.hazards and any(
         re.search("does not exist|pointer to nothing|divides an integer", s) for s in c.said)),
    ("it fails by an annotation of its own (assert, ensures, invariant), which a run does not have",
     lambda c: bad(c) and not c.ours and re.search(r"__(assert|global_[aeir]|ensures|invariant|requires|candidate|"
                                                   r"function_wide|barrier_inv)|\bassert\s*\(", c.text)),
    ("a copy is done for each who waits for it; they want a barrier as well",
     lambda c: bad(c) and not c.ours and "wait_group_events" in c.text and "barrier(" not in c.text),
    ("they let the host change what the text gives a constant",
     lambda c: bad(c) and not c.ours and "__constant__" in c.text),
    ("free of races by what it assumes of arguments and ids, which the guessed launch has not",
     lambda c: ok(c) and "race" in c.ours and re.search(r"__(axiom|requires|global_requires|assume)\b", c.text)),
    ("their warps go in lockstep; all races are said to be hidden by it",
     lambda c: ok(c) and "warp-sync" in c.head and c.ours <= {"race"} and all(h["hidden"] for h in c.hazards)),
    ("only the arrays that its flags name are checked", lambda c: ok(c) and "--check" in c.head and "race" in c.ours
     and "check-array-bounds" not in c.head),
    ("its flags leave races out, or choose the arguments", lambda c: ok(c) and re.search(
        "--(only-log|kernel-args|vcgen-opt)", c.head)),
    ("a pointer that the host would set is null, and the fault ends our run", lambda c: c.published == "race"
     and "fault" in c.ours and any("pointer to nothing" in s for s in c.said)),
    ("it ends after more steps than we go", lambda c: ok(c) and not c.hazards and any(
        re.search("has not ended|has come to no load", s) for s in c.said)),
    ("a barrier whose flags differ from thread to thread is a fault here", lambda c: ok(c) and not c.hazards and any(
        "with other arguments" in s for s in c.said) and re.search(r"barrier\([a-z]", c.text)),
    ("no race for these numbers: data or arguments decide", lambda c: bad(c) and not c.ours and c.for_these),
    ("the launch is smaller than stated", lambda c: bad(c) and not c.ours and c.shrunk
     and re.search("global_id|blockIdx|group_id", c.text)),
    ("threads end before a barrier, which is said", lambda c: c.ours == {"ended early"}),
    ("nothing is acquired after the look at the flag: a relaxed atomic orders nothing, volatile is a plain access",
     lambda c: ok(c) and "race" in c.ours and (c.group == "threadFenceReduction" or c.suite == "ScoR" and re.search(
         r"while\s*\([^;{]*atomic\w+\([^;{]*\)\s*(\{\}|;)\s*(?!__threadfence)\w", c.text))),
    ("never ends in some schedule: a wait without promised progress", lambda c: ok(c) and c.ours == {"never ends"}),
]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("folders", type=pathlib.Path, nargs="+")
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("--seconds", type=int, default=10, help="of the processor, for each call")
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options.add_argument("--list", action="store_true")
    options.add_argument("--outcomes", action="store_true")
    options.add_argument("--every", type=int, default=1, help="of each suite's files only each so-manieth")
    options.add_argument("--only", default="", help="files whose path has this in it")
    options = options.parse_args()
    files = sorted(p for folder in options.folders for p in folder.resolve().rglob("*")
                   if p.suffix in (".cl", ".cu") and options.only in str(p))
    cases = [case for case in (Case(p, options) for p in files) if case.suite][::options.every]
    if not cases:
        sys.exit("no suite that is known here")
    for case in cases:
        case.judge()
        if options.list:
            print("\t".join([case.suite, str(case.path), str(case.published), "+".join(sorted(case.ours)) or "none",
                             case.verdict, case.results, (case.message or " | ".join(case.said))[:300]]), flush=True)
    lines = [f"{datetime.date.today()}, {len(cases)} texts" + (f", one in {options.every}" if options.every > 1 else "")
             + f", at most {options.seconds} s of the processor per call"]
    for suite in sorted({case.suite for case in cases}):
        those = [case for case in cases if case.suite == suite]
        lines += ["", f"{suite}: {len(those)} texts"]
        lines += [f"{n:5}  {v}" for v, n in collections.Counter(c.verdict for c in those).most_common()]
        found = collections.Counter(c.results for c in those if c.results)
        lines += [f"       {n} of those without a race: {r}" for r, n in found.most_common()]
    left = collections.Counter(re.sub(r"'[^']*'", "'…'", c.message) for c in cases
                               if c.verdict in ("does not compile", "not launched"))
    lines += ["", "why texts do not compile, or are not launched"] + [f"{n:5}  {m}" for m, n in left.most_common(30)]
    print("\n".join(lines))
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    sys.exit(any(case.verdict == "DIFFER" for case in cases))


if __name__ == "__main__":
    main()
