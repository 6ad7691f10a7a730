#!/usr/bin/env python3
"""Counts what the house is made of, at each of the revisions given (default: the working tree).

    bench/house.py [REVISION | .]...      for example: bench/house.py 8cdeace5 .

A product file is a .cpp or .h below app/ that is no test. Folders that include each other are pairs
of folders below app/ with an #include in both directions. A twin is a type that says again what
another one says; they are counted as words, tests included.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

TWINS = ("UserKernel", "Variant", "Subject", "Ready", "Prepared", "Reduction", "KernelRun",
         "LearnView", "RaceView", "StepView", "Session")
BARE = re.compile(r"//+ (What|Which|Whether|Who|Of)\b")


def counts(root: pathlib.Path) -> dict[str, str]:
    app = root / "app"
    files = [f for f in app.rglob("*") if f.suffix in (".cpp", ".h")]
    product = [f for f in files if not f.stem.endswith("_test")]
    text = {f: f.read_text() for f in files}
    lines = {f: text[f].splitlines() for f in files}
    edges = collections.defaultdict(set)
    types = collections.defaultdict(set)
    for file in product:
        folder = file.parent.relative_to(app)
        for included in re.findall(r'^#include "([^"]+)"', text[file], re.M):
            if (app / included).exists() and (app / included).parent.relative_to(app) != folder:
                edges[folder].add((app / included).parent.relative_to(app))
        for name in re.findall(r"^\s*(?:struct|enum class|class) (\w+)(?: final)?(?: : [^;(]*)? \{", text[file], re.M):
            types[name].add(file)
    mutual = {frozenset((a, b)) for a in edges for b in edges[a] if a in edges.get(b, ())}
    members = re.compile(r"^(?:class|struct) (\w+)[^;{]*\{(.*?)^\};", re.M | re.S)
    widest = max(((len(re.findall(r"^ {2,4}\S[^;{}]*\)[^;{}]*[;{]", body.split("private:")[0], re.M)), name)
                  for file in product if file.suffix == ".h"
                  for name, body in members.findall(text[file])), default=(0, ""))
    sizes = sorted(len(lines[f]) for f in product)
    return {
        "product files": len(product),
        "product lines": sum(sizes),
        "lines of the median file": sizes[len(sizes) // 2],
        "files of fewer than 40 lines": sum(size < 40 for size in sizes),
        "rooms": sum(f.is_dir() for f in app.iterdir()),
        "folders that include each other": len(mutual),
        "test files": len(files) - len(product),
        "test lines": sum(len(lines[f]) for f in files if f not in product),
        "#include lines": sum(line.startswith("#include") for f in product for line in lines[f]),
        "constants named kMost": len({m for f in product for m in re.findall(r"\bkMost\w+ =", text[f])}),
        "type names with two meanings": sum(len(where) > 1 for where in types.values()),
        "member functions of the widest class": f"{widest[0]} ({widest[1]})",
        "header comments that open with a bare What, Which, Who": sum(
            bool(BARE.search(line)) for f in product if f.suffix == ".h" for line in lines[f]),
        **{f"mentions of {twin}": sum(len(re.findall(rf"\b{twin}\b", text[f])) for f in files)
           for twin in TWINS},
    }


def main() -> None:
    revisions = sys.argv[1:] or ["."]
    root = pathlib.Path(__file__).resolve().parent.parent
    columns = []
    for revision in revisions:
        if revision == ".":
            columns.append(counts(root))
            continue
        with tempfile.TemporaryDirectory() as folder:
            with subprocess.Popen(["git", "-C", root, "archive", revision, "app"],
                                  stdout=subprocess.PIPE) as git:
                with tarfile.open(fileobj=git.stdout, mode="r|") as archive:
                    archive.extractall(folder)
            columns.append(counts(pathlib.Path(folder)))
    width = max(map(len, columns[0]))
    print(f"{'':{width}}", *(f"{revision:>14}" for revision in revisions))
    for name in columns[0]:
        print(f"{name:{width}}", *(f"{column[name]:>14}" for column in columns))


if __name__ == "__main__":
    main()
