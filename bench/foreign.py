#!/usr/bin/env python3
"""Kernels from anywhere: how many of a folder's .cl files compile, how many run at once, and why the
others do not.

    bench/foreign.py FOLDER [--cli PROGRAM] [--seconds 10] [--jobs 2] [-o FILE.json] [--list]

FOLDER holds one folder a source, such as OWNER+NAME of a repository. Nothing is fetched and nothing
of a text is kept: the results have names of sources, counts and reasons. Each kernel of each file is
one `reduction-lab-cli step FILE --kernel NAME`, which guesses its launch. A text that needs macros
of its host gets those that the program's own hint names, and counts as such. What a file includes is
looked for in the folders above it, up to its source's. `--list` also says what each file came to.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What an error in a text is about; the first that fits.
ERRORS = [
    ("images and samplers", r"'(image\w+|sampler_t)' is not supported|read_image|write_image|"
                            r"get_image|'CLK_(NORM|ADDR|FILT)|'sampler|'read_only"),
    ("C++, not C", r"'(class|template|namespace|public|using|operator)' is no type|found '::'|"
                   r"'&' (in|after)|found '&'"),
    ("no OpenCL C: a template or a test of errors", r"closing '\"'|found '[@\\%$]|expected .* found "
                                                    r"'[@\\%]|is no directive|"
                                                    r"expected an expression, found '\{'"),
    ("too large once its functions are inlined", r"once its functions are inlined"),
    ("inline assembly", r"inline assembly"),
    ("a file that it includes is missing", r"#include .* is not found|#include .* cannot be"),
    ("it says #error", r"#error"),
    ("no kernel in it", r"there is no kernel"),
    ("functions and types of one vendor", r"intel_|amd_|_amd|cl_khr|belongs to one compiler|qcom|"
                                          r"'__builtin|nvidia|cles_|'clock_read|arm_"),
    ("half in arithmetic", r"\bhalf\d*\b"),
    ("device-side queues and pipes", r"'(queue_t|ndrange_t|clk_event_t|pipe|reserve_id_t)'|"
                                     r"enqueue_kernel|\^"),
    ("recursion, goto, pointers to functions or arrays, any number of arguments",
     r"recurs|goto|pointers to (arrays|functions)|any number of arguments|bit-field"),
    ("a function that its host adds", r"is declared but has no body"),
    ("address spaces", r"private memory|must be constant|address space|where a .*\* is needed|"
                       r"points to private"),
    ("a name or macro of its host that no guess fits", r"is not declared|is no type|no function|"
                                                       r"has no member"),
]
FAULTS = [
    ("a launch of more than one dimension", r"dimension|wants groups of"),
    ("an index out of bounds as guessed", r"does not exist"),
    ("a pointer to nothing", r"pointer to nothing|pointer to \w+ memory"),
    ("a vector that does not lie at its size", r"at byte"),
    ("not all work-items reach the barrier or the copy as guessed",
     r"barrier|reach|wait|Not all|other arguments"),
    ("division by zero as guessed", r"divi"),
    ("it does not end as guessed", r"budget|instructions|end|spin"),
]
TIME = "it takes longer than the bound"
CRASH = "the program ended without a word"


def reason(message, groups, other):
    for name, pattern in groups:
        if re.search(pattern, message):
            return name
    return f"{other}: " + re.sub(r"'[^']*'", "'…'", message)


class File:
    def __init__(self, path, folder, options):
        self.path, self.options = path, options
        self.source = path.relative_to(folder).parts[0]
        self.text = path.read_text(errors="replace")
        self.includes = []
        for parent in path.parents[1:]:
            if parent == folder:
                break
            self.includes += ["--include", str(parent)]
        self.macros = []
        self.kernels = {}  # name -> (state, reason); states: ran, faulted, failed
        self.more_dimensions = bool(re.search(
            r"get_(global|local)_id\s*\(\s*[12]\s*\)|get_group_id\s*\(\s*[12]\s*\)", self.text))

    def step(self, *words):
        command = [self.options.cli, "step", str(self.path), "--json", *self.includes, *words]
        for macro in self.macros:
            command += ["--set", macro]
        environment = dict(os.environ, REDUCTION_LAB_DATA=str(ROOT))
        try:
            return subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  env=environment, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return None

    def run(self):
        self.judge("")
        return self

    def judge(self, kernel):
        done = self.step(*(["--kernel", kernel] if kernel else []))
        name = kernel or "the only one"
        if done is None:
            self.kernels[name] = ("faulted", TIME)
            return
        needed = re.search(r"hint: Write (--set .*), with the values", done.stderr)
        if needed and not self.macros:
            words = shlex.split(needed[1])
            self.macros = [word for word in words if word != "--set"]
            return self.judge(kernel)
        several = re.search(r"hint: Name one with --kernel: (.*)", done.stderr)
        if several and not kernel:
            for each in several[1].split(", "):
                self.judge(each)
        elif done.returncode == 0:
            self.kernels[name] = ("ran", "")
        elif done.stdout.strip():
            fault = json.loads(done.stdout).get("problem", {}).get("what", "")
            self.kernels[name] = ("faulted", reason(fault, FAULTS, "a fault"))
        else:
            error = re.search(r": error: (.*)", done.stderr) or re.search(r"error: (.*)", done.stderr)
            message = error[1] if error else ""
            launch = not re.search(r": error: ", done.stderr) and error
            self.kernels[name] = (("faulted", reason(message, FAULTS, "a launch"))
                                  if launch else
                                  ("failed", reason(message, ERRORS, "an error") if message
                                   else CRASH))

    def states(self):
        return {state for state, _ in self.kernels.values()}

    def compiles(self):
        return "failed" not in self.states()

    def runs(self):
        return self.states() == {"ran"}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--list", action="store_true")
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options = options.parse_args()
    folder = options.folder.resolve()
    paths = [path for path in sorted(folder.rglob("*.cl"))
             if path.is_file() and path.parent != folder]
    if not paths:
        sys.exit(f"no .cl file in a folder of {options.folder}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        files = list(pool.map(File.run, (File(path, folder, options) for path in paths)))

    if options.list:
        for file in files:
            for name, (state, why) in file.kernels.items():
                print(f"{file.path.relative_to(folder)}\t{name}\t{state}\t{why}\t"
                      f"{' '.join(file.macros)}")
    result = summary(files)
    text = table(result)
    print(text, end="")
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")
        options.output.with_suffix(".txt").write_text(text)


def counts(files):
    kernels = [kernel for file in files for kernel in file.kernels.values()]
    return {"files": len(files),
            "compile": sum(file.compiles() for file in files),
            "run": sum(file.runs() for file in files),
            "with_macros": sum(file.compiles() and bool(file.macros) for file in files),
            "kernels": len(kernels),
            "kernels_compile": sum(state != "failed" for state, _ in kernels),
            "kernels_run": sum(state == "ran" for state, _ in kernels)}


def summary(files):
    by_source = collections.defaultdict(list)
    for file in files:
        by_source[file.source].append(file)
    failed, faulted = collections.Counter(), collections.Counter()
    for file in files:
        failed.update({why for state, why in file.kernels.values() if state == "failed"})
        faulted.update(why for state, why in file.kernels.values() if state == "faulted")
    return {"schema": 1, "all": counts(files),
            "more_dimensions": {"files": sum(file.more_dimensions for file in files),
                                "run_in_one": sum(file.more_dimensions and file.runs()
                                                  for file in files)},
            "sources": {name: counts(each) for name, each in sorted(by_source.items())},
            "not_compiled": dict(failed.most_common()),
            "not_run": dict(faulted.most_common())}


def table(result):
    width = max(map(len, result["sources"]))
    lines = [f"{'source':{width}}  files  compile  run   kernels  compile  run"]
    for name, each in [*result["sources"].items(), ("all", result["all"])]:
        lines.append(f"{name:{width}}  {each['files']:5}  {each['compile']:7}  {each['run']:3}   "
                     f"{each['kernels']:7}  {each['kernels_compile']:7}  {each['kernels_run']:3}")
    lines += ["", f"{result['all']['with_macros']} of those that compile need macros of their host, "
                  "which are guessed.",
              f"{result['more_dimensions']['files']} files ask for a second dimension; "
              f"{result['more_dimensions']['run_in_one']} of them run in one.",
              "", "files that do not compile, by reason:"]
    lines += [f"{count:5}  {why}" for why, count in result["not_compiled"].items()]
    lines += ["", "kernels that compile and do not run as guessed, by reason:"]
    lines += [f"{count:5}  {why}" for why, count in result["not_run"].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
