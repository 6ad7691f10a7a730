#!/usr/bin/env python3
"""Our hazards against Oclgrind's data races: every variant with every value of its toggles, in
small shapes, each difference put down to a rule that this case's own data bear out.

    bench/hazards.py [VARIANT …] [--cli PROGRAM] [-o FILE.json]

Ours is `reduction-lab-cli hazards`. Oclgrind (Debian's package oclgrind) runs one of
`reduction-lab-cli trials`: the same text, launches and input. It compiles without optimisation, for
a store that two lines share has no line. What is compared is whether there is a race, and all pairs
of lines, with the kind of memory, reading or writing, inside a group or across. A call of a macro
counts as the line where it begins, as it does for clang. Ends with 1 if a difference is left that
no rule explains.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHAPES = [(8, 1), (8, 4), (8, 8), (16, 4), (33, 8), (64, 8)]  # n, work-items a group
LARGE = [(64, 64), (256, 64)]  # for variants that none of those suits
MOST_ROUNDS = 8
MOST_SECONDS = 120  # of one run
UNITS = 8           # that the machine has when all its groups are resident
KINDS = {"RAW": "read-write", "WAR": "read-write", "WAW": "write-write"}
ORDERS = [["--machine", "independent", "--order", f"random:{seed}"] for seed in range(1, 21)]
HANDED_OVER, SAME_VALUE = "ordered by atomics and fences", "same value"

Pair = collections.namedtuple("Pair", "space kind lines across")
# `does`: what the sides are, in Oclgrind's words; `note`: of ours, where it is no race.
Race = collections.namedtuple("Race", "pair items cell does note")
Kernel = collections.namedtuple("Kernel", "id lines line")


class Case:
    """One variant with its toggles set, in one shape, and what either side says of it."""

    def __init__(self, cli, kernel, toggles, n, group):
        self.cli, self.kernel, self.toggles, self.n, self.group = cli, kernel, toggles, n, group
        self.found, self.theirs = [], []
        self.why_not, self.threads, self.in_other_orders = "", 1, None

    def arguments(self):
        made = [self.kernel.id, "--n", str(self.n), "--group", str(self.group), "--json"]
        for toggle in self.toggles.items():
            made += ["--set", "=".join(toggle)]
        return made

    def ours_pairs(self):
        return {race.pair for race in self.found if not race.note}

    def their_pairs(self):
        return {race.pair for race in self.theirs}

    def noted(self, note):
        return {race.pair for race in self.found if race.note == note}

    def other_orders(self):
        """All pairs that are a race of ours when other work-items go first."""
        if self.in_other_orders is None:
            self.in_other_orders = {race.pair for order in ORDERS
                                    for race in ours(self, order)[0] or [] if not race.note}
        return self.in_other_orders


# Rules. Each is asked about one pair that one side alone has; "theirs" is Oclgrind.

def handed_over(case, side, pair):
    """Whether ours notes a hand-over there. An atomic function both reads and writes, so that a pair
    with one may be called read-write or write-write."""
    atomic = any("atomic" in does for race in case.theirs if race.pair == pair
                 for does in race.does)
    kinds = set(KINDS.values()) if atomic else {pair.kind}
    noted = case.noted(HANDED_OVER)
    return side == "theirs" and any(pair._replace(kind=kind) in noted for kind in kinds)


def same_value(case, side, pair):
    return side == "theirs" and pair in case.noted(SAME_VALUE)


def uninitialised(case, side, pair):
    return side == "ours" and pair.kind == "uninitialised"


def first_kept(case, side, pair):
    """Whether Oclgrind names the same work-items at the same cell, one line being another."""
    return side == "ours" and any(
        race.pair._replace(lines=pair.lines) == pair and set(race.pair.lines) & set(pair.lines)
        and race.items == mine.items and race.cell == mine.cell
        for race in case.theirs for mine in case.found if mine.pair == pair and not mine.note)


def other_order(case, side, pair):
    return side == "theirs" and pair in case.other_orders()


RULES = [
    ("handed over by atomics", "Oclgrind knows no hand-over; ours notes one for the same lines",
     handed_over),
    ("same value", "ours notes for the same lines that both write the same", same_value),
    ("uninitialised", "reading what nobody wrote is no race for Oclgrind", uninitialised),
    ("first access kept", "Oclgrind keeps a work-item's first access to a cell only: it names "
     "these two work-items at this cell by another line", first_kept),
    ("another order", "ours keeps the last write of a cell and names these lines too when others "
     "go first", other_order),
]
NOT_RUN = [
    ("not there", "Oclgrind lacks what it needs", "cannot run on this device"),
    ("not resident", "work-items of one group wait for each other, which Oclgrind runs one after "
     "another", "not co-resident"),
]


# Ours.

def command(case, *words):
    return [case.cli, *words[:1], *case.arguments(), *words[1:]]


def run(words):
    environment = dict(os.environ, REDUCTION_LAB_DATA=str(ROOT))
    try:
        return subprocess.run(words, capture_output=True, text=True, env=environment,
                              timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"did not end in {MOST_SECONDS} s")


def ours(case, machine):
    """What the machine finds, or None and why."""
    done = run(command(case, "hazards", *machine))
    if done.returncode not in (0, 1) or not done.stdout:
        return None, done.stderr.strip()
    made = []
    for hazard in json.loads(done.stdout)["hazards"]:
        sides = hazard["sides"]
        lines = tuple(sorted(case.kernel.line[side["line"]] for side in sides))
        kinds = {KINDS.get(kind, kind) for kind in hazard["kinds"] + hazard["could"]}
        for kind in sorted(kinds):
            pair = Pair(hazard["space"], kind, lines, hazard["across_groups"])
            made.append(Race(pair, {side["item"] for side in sides}, hazard["index"],
                             [side["does"] for side in sides], hazard["note"]))
    return made, ""


# Oclgrind's.

def theirs(case):
    """What Oclgrind finds, or None and why."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        done = run(["oclgrind", "--data-races", "--max-errors", "1000000", "--compute-units",
                    str(UNITS), "--num-threads", str(case.threads), "--build-options",
                    "-cl-opt-disable", "--log", str(log),
                    *command(case, "trials", "--count", "1")])
        if done.returncode not in (0, 1) or not done.stdout:
            return None, done.stderr.strip()
        return races_in(log.read_text() if log.exists() else "", case.kernel)


def races_in(log, kernel):
    blocks = [block for block in re.split(r"\n(?=\S)", log) if block.strip()]
    strange = [block for block in blocks if " data race at " not in block]
    if strange:
        return None, strange[0].strip()
    places = re.findall(r"At line (\d+) \(column \d+\) of input.cl:\n(.*)", log)
    before = macro_lines({(int(line), text.strip()) for line, text in places}, kernel)
    if before is None:
        return None, "the lines that Oclgrind names are not to be found in the kernel file"
    return [race_in(block, before, kernel) for block in blocks], ""


def macro_lines(places, kernel):
    """How many lines of macros stood before the text: the places must agree on it."""
    numbers = None
    for line, text in places:
        fitting = {line - number for number, other in enumerate(kernel.lines, 1)
                   if other.strip() == text}
        numbers = fitting if numbers is None else numbers & fitting
    return 0 if numbers is None else numbers.pop() if len(numbers) == 1 else None


def race_in(block, before, kernel):
    kind, space, address = re.search(r"(\S+) data race at (\S+) memory address 0x(\w+)",
                                     block).groups()
    lines = tuple(sorted(kernel.line[int(line) - before]
                         for line in re.findall(r"At line (\d+) ", block)))
    across = len(set(re.findall(r"Group\((\d+),", block))) > 1
    items = {int(item) for item in re.findall(r"Global\((\d+),", block)}
    does = [text.strip() for text in re.findall(r"entity:.*\n(.*)", block)]
    offset = int(address, 16) & ((1 << 48) - 1)  # above is the buffer's number
    return Race(Pair(space, kind.lower(), lines, across), items, offset // 4, does, "")


# Cases.

def first_lines(text):
    """Of each line, the line where the macro call that it belongs to begins, else itself."""
    made = {number: number for number in range(1, text.count("\n") + 2)}
    end = 0
    for call in re.finditer(r"\b[A-Z][A-Z0-9_]*\(", text):
        if call.start() < end:
            continue
        depth, end = 1, call.end()
        while depth > 0 and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        first = text.count("\n", 0, call.start()) + 1
        for number in range(first, text.count("\n", 0, end) + 2):
            made[number] = first
    return made


def settings(variant):
    toggles = variant["toggles"]
    values = [[value for value in toggle["values"]
               if toggle["name"] != "ROUNDS" or int(value) <= MOST_ROUNDS] for toggle in toggles]
    names = [toggle["name"] for toggle in toggles]
    for chosen in itertools.product(*values):
        # Inline assembly is nothing that either side can run. Of many toggles one is varied at a time.
        others = sum(value != of["values"][0] for value, of in zip(chosen, toggles))
        if "ptx" not in chosen and (len(toggles) < 4 or others < 2):
            yield dict(zip(names, chosen))


def shapes(variant, toggles):
    """More elements an item leave fewer groups: such settings get a larger n as well."""
    numbers = [int(value) for value in toggles.values() if value.isdigit()]
    more = [(32 * max(numbers), 4)] if numbers and variant["plan"] != "iterate" else []
    return sorted(set(SHAPES + more), key=lambda shape: (shape[1], shape[0]))


def examined(cli, kernel, toggles, n, group):
    """The case, or None if the variant cannot have that shape."""
    case = Case(cli, kernel, toggles, n, group)
    case.found, why = ours(case, ["--resident", "all"])
    if case.found is None:
        if "cannot reduce" in why:
            return None
        sys.exit(f"{kernel.id} at n = {n}, group {group}: {why}")
    case.theirs, case.why_not = theirs(case)
    # Groups that wait for each other need a thread each.
    waiting = re.search(r"(\d+) groups of \d+ are not co-resident", case.why_not)
    if waiting and int(waiting[1]) > 1 and "Not even one" not in case.why_not:
        case.threads = int(waiting[1])
        case.theirs, case.why_not = theirs(case)
    return case


def cases(cli, variant):
    text = (ROOT / "kernels" / variant["file"]).read_text()
    kernel = Kernel(variant["id"], text.splitlines(), first_lines(text))
    for toggles in settings(variant):
        made = False
        for n, group in shapes(variant, toggles):
            case = examined(cli, kernel, toggles, n, group)
            made = made or case is not None
            if case:
                yield case
        for n, group in [] if made else LARGE:
            case = examined(cli, kernel, toggles, n, group)
            if case:
                yield case


# What comes out.

def text_of(pair):
    return (f"{'-'.join(map(str, pair.lines))} {pair.space} {pair.kind}"
            f"{' across groups' if pair.across else ''}")


def differences(case):
    """(side, pair, name of the rule) for each pair that only one side has."""
    mine, other = case.ours_pairs(), case.their_pairs()
    for side, pairs in (("ours", mine - other), ("theirs", other - mine)):
        for pair in sorted(pairs):
            yield side, pair, next((name for name, _, holds in RULES if holds(case, side, pair)),
                                   "UNEXPLAINED")


def judged(case):
    """The case as the result file has it."""
    made = {"variant": case.kernel.id, "set": case.toggles, "n": case.n, "group": case.group,
            "ours": sorted(map(text_of, case.ours_pairs()))}
    if case.theirs is None:
        rule = next((name for name, _, words in NOT_RUN if words in case.why_not), "UNEXPLAINED")
        return made | {"oclgrind": None, "agree": None, "rules": [rule],
                       "differences": [{"what": case.why_not.split("\n")[0], "rule": rule}]}
    found = [{"only": side, "what": text_of(pair), "rule": rule}
             for side, pair, rule in differences(case)]
    return made | {"oclgrind": sorted(map(text_of, case.their_pairs())), "threads": case.threads,
                   "agree": bool(case.ours_pairs()) == bool(case.their_pairs()),
                   "rules": sorted({each["rule"] for each in found}), "differences": found}


def row(of):
    toggles = " ".join(f"{name}={value}" for name, value in of["set"].items())
    verdicts = ["not run" if pairs is None else f"{len(pairs)} race{'s' * (len(pairs) != 1)}"
                if pairs else "none" for pairs in (of["ours"], of["oclgrind"])]
    agree = {True: "yes", False: "NO", None: "-"}[of["agree"]]
    return (f"{of['variant']:<19} {toggles:<42} {of['n']:>4} {of['group']:>3}  {verdicts[0]:<8} "
            f"{verdicts[1]:<8} {agree:<4} {', '.join(of['rules'])}")


def outcome(of):
    if of["agree"] is None:
        return "not compared"
    if not of["agree"]:
        return "verdict differs"
    return "verdict agrees, lines differ" if of["differences"] else "all agrees"


def print_totals(made):
    says = {name: text for name, text, _ in RULES + NOT_RUN}
    counts = collections.Counter((outcome(of), rule) for of in made for rule in of["rules"] or [""])
    print(f"\n{len(made)} cases; "
          f"{'; '.join(f'{what}: {count}' for what, count in totals(made).items())}")
    for (what, rule), count in sorted(counts.items()):
        reason = f": {rule}" if rule else ""
        print(f"{count:>4}  {what}{reason}{f' ({says[rule]})' if rule in says else ''}")


def totals(made):
    return dict(sorted(collections.Counter(map(outcome, made)).items()))


def print_unexplained(of):
    for each in of["differences"]:
        if each["rule"] == "UNEXPLAINED":
            print(f"    UNEXPLAINED {each.get('only', '')} {each['what']}")


def program(given):
    if shutil.which("oclgrind") is None:
        sys.exit("oclgrind is not installed: apt install oclgrind")
    path = pathlib.Path(given)
    if not path.is_file():
        sys.exit(f"{path} is not built: cmake --build build/release --target reduction-lab-cli")
    return str(path.resolve())


def variants(cli, chosen):
    done = run([cli, "variants", "--json"])
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"{cli} cannot list its variants: {done.stderr.strip()}")
    known = json.loads(done.stdout)["variants"]
    for name in chosen:
        if name not in [variant["id"] for variant in known]:
            sys.exit(f"There is no variant '{name}': {cli} variants lists them")
    return [variant for variant in known if not chosen or variant["id"] in chosen]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("variant", nargs="*", help="only these [all]")
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    cli = program(options.cli)
    made, chosen = [], variants(cli, options.variant)
    print(f"{'variant':<19} {'toggles':<42} {'n':>4} {'grp':>3}  {'ours':<8} {'Oclgrind':<8} "
          "same explained by")
    for variant in chosen:
        for case in cases(cli, variant):
            made.append(judged(case))
            print(row(made[-1]), flush=True)
            print_unexplained(made[-1])
    print_totals(made)
    if options.output:
        version = re.search(r"Oclgrind [\d.]+", run(["oclgrind", "--version"]).stdout)[0]
        written = {"oclgrind": version, "totals": totals(made),
                   "rules": {name: text for name, text, _ in RULES + NOT_RUN}, "cases": made}
        pathlib.Path(options.output).write_text(json.dumps(written, indent=1) + "\n")
    sys.exit(any("UNEXPLAINED" in of["rules"] for of in made))


main()
