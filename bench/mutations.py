#!/usr/bin/env python3
"""Breaks each rule of the schedule search, of the race detector and of proofs on purpose, and says which of
the random kernels that CI runs is the first to differ from a search, or a definition, that knows no
such rule.

    bench/mutations.py FOLDER [--count] [outcomes | hazards | by-hand | proofs] [WORD …]

What those kernels do not have, such as CUDA's rules, tests by hand have to notice: they stop, or do
not. mutations.txt says what is broken: in each changed line, M holds for that mutation alone. So all
are built at once, in FOLDER, a copy of the checkout of which a later call builds only what has
changed, and LAB_MUTATION=N picks one of them. With words: only mutations that have one of them.
--count says how many kernels differ, which takes several times as long.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICK = """#ifndef LAB_MUTATION
#define LAB_MUTATION
#include <cstdlib>
inline const int kMutation = std::getenv("LAB_MUTATION") ? std::atoi(std::getenv("LAB_MUTATION")) : 0;
#endif
"""


def mutations():
    """Section, its test, file, what it is, old text and new text of each."""
    section = test = None
    for block in (ROOT / "bench/mutations.txt").read_text().strip().split("\n\n"):
        if block.startswith("# "):
            section, test = block[2:].split()
            continue
        lines = block.split("\n")
        name, what = lines[0].split(" ", 1)
        old, new = ("\n".join(line[2:] for line in lines if line[:1] == sign) for sign in "-+")
        yield section, test, name, what, old, new


def texts():
    """The changed files. One text may be changed by two mutations: the first one then holds it."""
    # These tests alone, and no other program, which would take most of the time to build.
    cmake = ROOT / "app/CMakeLists.txt"
    changed = {cmake: cmake.read_text()
               .replace("add_dependencies(${name}_test reduction-lab-cli)", "")
               .replace(r'"_test\\.cpp$"', r'"/(random_kernels|race_oracle|hazards|outcomes|prove)_test\\.cpp$"')}
    for number, (_, _, name, what, old, new) in enumerate(mutations(), 1):
        [path] = (ROOT / "app").rglob(name)
        text = changed.get(path, PICK + path.read_text())
        if text.count(old) != 1:
            sys.exit(f"{name}: {what}: found {text.count(old)} times")
        changed[path] = text.replace(old, re.sub(r"\bM\b", f"(kMutation == {number})", new))
    return changed


def build(folder):
    """Gives the program of the tests."""
    changed = texts()
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in files.stdout.splitlines():
        source, copy = ROOT / name, folder / name
        if not source.is_file():
            continue
        data = changed[source].encode() if source in changed else source.read_bytes()
        if not copy.exists() or copy.read_bytes() != data:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
            copy.chmod(source.stat().st_mode)
    cache = folder / "third_party/.cache"
    if not cache.exists():
        cache.symlink_to(ROOT / "third_party/.cache")
    for command in (["cmake", "--preset", "release", "-DLAB_TESTS=ON"],
                    ["cmake", "--build", "--preset", "release", "--target", "analysis_test"]):
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    [program] = (folder / "build/release").rglob("analysis_test")
    return program


def differs(program, test, number, count):
    """How many kernels do, or the first one."""
    command = [program, f"--gtest_filter={test}"] + ([] if count else ["--gtest_throw_on_failure"])
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=900,
                             env={**os.environ, "LAB_MUTATION": str(number)})
    except subprocess.TimeoutExpired:
        return "never"
    found = re.search(r"(\d+) differ" if count else r"\bkernel (\d+):", run.stdout)
    return found[1] if found else "none" if run.returncode == 0 else "stops"


def main():
    words = sys.argv[2:]
    count = "--count" in words
    words = [word for word in words if word != "--count"]
    sections = {section: test for section, test, *_ in mutations()}
    only = words.pop(0) if words and words[0] in sections else None
    program = build(pathlib.Path(sys.argv[1]).resolve())
    asked = [(section, test, 0, "nowhere", "") for section, test in sections.items()]
    asked += [(section, test, number, name, what)
              for number, (section, test, name, what, _, _) in enumerate(mutations(), 1)
              if not words or any(word in name + what for word in words)]
    asked = [each for section in sections if only in (None, section)
             for each in asked if each[0] == section]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(lambda each: differs(program, each[1], each[2], count), asked)
        for (section, _, number, name, what), by in zip(asked, found):
            if number == 0:
                print(f"\n{section}\n\n{'differ' if count else ' first'}  where"
                      "                   the line then says")
            print(f"{by:>6}  {name:22}  {what}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
