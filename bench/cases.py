#!/usr/bin/env python3
"""What hazards and outcomes say of kernels whose faults others have reported, beside what they reported.

    bench/cases.py FOLDER [--cli FILE] [-o FILE.md]

FOLDER has NN_name.cl files and an INDEX.md: a table (number, name, source, launch, verdict in a word, results
possible) and a section "### NN name" for each, whose lines "Launch: `--global 4 …`" (or "Launch A: …") tell how
it is launched. A row is as reported if each pair of lines is in a race, each fault in its line, "clean" and "no
race" without a race, and as many results and hangs found as were reported. Where it is not, RULES says why.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
LINES = re.compile(r"(\d+)/(\d+)")
FAULTS = re.compile(r"out of bounds|barrier (?:in a branch|left by some)|two different barriers|"
                    r"collective not reached")
# Why a case is not as reported, by its number.
RULES = {
    "20": "a run that never ends is a fault and ends the search for races: with --lanes 1 it is 12/12",
}


def kernel_parameters(text):
    inside = re.search(r"__kernel\s+void\s+\w+\s*\(([^)]*)\)", text).group(1)
    return [re.search(r"(\w+)\s*$", each).group(1) for each in inside.split(",")]


class Case:
    def __init__(self, folder, number, name, verdict, results):
        self.number, self.name, self.verdict, self.results = number, name, verdict, results
        self.file = next(folder.glob(f"{number}_*.cl"))
        self.launches = []  # (letter, arguments)


def expanded(argument, folder):
    """Lists with an ellipsis, "0,1,2,…,65535", go through a file: an argument cannot be that long."""
    found = re.fullmatch(r"(.*=)(-?\d+),(-?\d+),.*…,(-?\d+)", argument)
    if not found:
        return argument
    first, second, last = (int(each) for each in found.groups()[1:])
    file = pathlib.Path(folder) / "numbers.txt"
    file.write_text(",".join(str(each) for each in range(first, last + 1, second - first)))
    return f"{found.group(1)}@{file}"


def with_names(arguments, parameters):
    """The arguments of another case's launch have the names of that case's parameters."""
    place, named = 0, []
    for previous, argument in zip([""] + arguments, arguments):
        if previous == "--arg":
            if ":" in argument and place < len(parameters):
                argument = parameters[place] + argument[argument.index(":"):]
            place += 1
        named.append(argument)
    return named


def changed(base, more, how, parameters):
    """A launch told by another one: "the same with …", "as 24 with …", "as 15, with … last"."""
    arguments = list(base)
    extra = shlex.split(more)
    if extra and not extra[0].startswith("--"):
        extra = ["--arg", *extra]
    for option, value in zip(extra[::2], extra[1::2]):
        if option != "--arg" and option in arguments:
            arguments[arguments.index(option) + 1] = value
            continue
        name = value.split(":")[0]
        at = [i for i, each in enumerate(arguments) if each.split(":")[0] == name]
        if at:
            arguments[at[0]] = value
        elif "last" in how and arguments.count("--arg") >= len(parameters):
            arguments[-1] = value
        else:
            arguments += [option, value]
    return with_names(arguments, parameters)


def cases_of(folder):
    text = (folder / "INDEX.md").read_text()
    cases = {}
    for row in re.findall(r"^\| (\d\d) \|(.*)\|$", text, re.M):
        cells = [each.strip() for each in row[1].split("|")]
        cases[row[0]] = Case(folder, row[0], cells[0], cells[3], cells[4])
    for section in re.split(r"^### ", text, flags=re.M)[1:]:
        number = section[:2]
        if number not in cases:
            continue
        case = cases[number]
        parameters = kernel_parameters(case.file.read_text())
        for letter, how, told, rest in re.findall(
                r"^Launch ?([A-Z]?): ([^`\n]*)`([^`]*)`([^\n]*)", section, re.M):
            if not how:
                arguments = shlex.split(told)
            else:
                # One that is not in the folder had the launch of the case before it.
                of = re.search(r"as (\d\d)", how)
                known = [each for each in cases if not of or each <= of.group(1)]
                base = case.launches[0][1] if not of else cases[known[-1]].launches[0][1]
                arguments = changed(base, told, how + rest, parameters)
            case.launches.append((letter, arguments))
    return cases.values()


def asked(cli, command, case, arguments):
    done = subprocess.run([cli, command, str(case.file), *arguments, "--json"], capture_output=True,
                          text=True, timeout=600)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {}
    return done.returncode, answer, done.stderr


def fault_of(error):
    found = re.search(r"error: [^\n]*?:(\d+):\d+: ([^\n]*)", error)
    return (int(found.group(1)), found.group(2)) if found else None


def hazards_text(answer, error):
    numbers = " for these numbers" if answer.get("for_these_numbers") else ""
    pairs = []
    for each in answer.get("hazards", []):
        lines = sorted(side["line"] for side in each["sides"])
        if each["severity"] != "note":
            pairs.append(f"unwritten {lines[0]}" if len(lines) == 1 else f"{lines[0]}/{lines[1]}")
    found = f"race {', '.join(dict.fromkeys(pairs))}{numbers}"
    if fault := fault_of(error):
        return f"fault, line {fault[0]}: {fault[1]}" + (f"; {found}" if pairs else "")
    return found if pairs else ("no race in any schedule" if answer["all_schedules"] else
                                "no race") + numbers


def outcomes_text(answer):
    if not answer:
        return "fault"
    results = [each for each in answer["results"] if not each["fault"] and not each["never_ends"]]
    parts = []
    if results:
        parts.append(f"{'' if answer['complete'] else 'at least '}{len(results)} "
                     f"result{'' if len(results) == 1 else 's'}")
        if len(results) == 1 and len(results[0]["result"]) <= 40:
            parts[-1] += f" ({results[0]['result']})"
    if any(each["never_ends"] for each in answer["results"]):
        parts.append("never ends")
    if answer["needs_progress"]:
        parts.append("ends only if everyone gets a turn")
    if any(each["fault"] for each in answer["results"]):
        parts.append("faults")
    if answer.get("unwritten"):
        parts.append("unwritten memory is read")
    if answer.get("for_these_numbers"):
        parts[-1] += ", for these numbers"
    other = answer.get("independent")
    if other and other["lanes"] == 1:
        parts.append("independent items: " + ("the same" if other["same"] else
                                              f"{other['results']}"))
    return "; ".join(parts)


def reported_results(text):
    """How many, or None where the index gives no number."""
    text = re.sub(r"\(.*?\)", "", text).replace("*", "")
    text = re.split(r" for | without ", text)[0].replace(" or stuck", "").strip()
    if found := re.search(r"(\d+) (?:of them|permutations)", text):
        return int(found.group(1))
    if found := re.search(r" and (\w+) others", text):
        return 1 + WORDS[found.group(1)]
    if not re.search(r"\d", text) or "rubbish" in text:
        return None
    return len(re.split(r"; " if ";" in text else r", ", text))


def is_as_reported(case, hazards, outcomes):
    status, answer, error = hazards
    fault = fault_of(error)
    faults = FAULTS.findall(case.verdict)
    races = LINES.findall(case.verdict)
    ends = not (fault and "has not ended" in fault[1])
    if fault and ends:
        lines = [int(each) for each in re.findall(r"\b\d+\b", case.verdict)]
        return bool(faults) and (fault[0] in lines or "out of bounds" in case.verdict)
    if faults and not races:
        return False
    found = set()
    for each in answer["hazards"]:
        lines = sorted(side["line"] for side in each["sides"])
        if each["severity"] == "race":
            found.add((lines[0], lines[-1]))
    if any(tuple(sorted(int(each) for each in pair)) not in found for pair in races):
        return False
    if ("clean" in case.verdict or "no race" in case.verdict) and found:
        return False
    all_of = outcomes[1]
    if not all_of:
        return False
    hangs = any(each["never_ends"] for each in all_of["results"]) or all_of["needs_progress"]
    if ("never ends" in case.verdict or "stuck" in case.results) and not hangs:
        return False
    if "always ends" in case.verdict and hangs:
        return False
    wanted = 1 if "one result" in case.verdict else reported_results(case.results)
    count = sum(not each["fault"] and not each["never_ends"] for each in all_of["results"])
    return wanted is None or hangs or not all_of["complete"] or count == wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    parser.add_argument("-o", dest="file")
    options = parser.parse_args()
    lines = ["| case | reported | results reported | hazards | outcomes | |",
             "|---|---|---|---|---|---|"]
    same = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases_of(options.folder):
            for letter, told in case.launches:
                arguments = [expanded(each, folder) for each in told]
                hazards = asked(options.cli, "hazards", case, arguments)
                outcomes = asked(options.cli, "outcomes", case, arguments)
                if hazards[0] == 2 or outcomes[0] == 2:
                    sys.exit(f"{case.number}: {hazards[2] or outcomes[2]}")
                as_reported = is_as_reported(case, hazards, outcomes)
                rows += 1
                same += as_reported
                why = "as reported" if as_reported else RULES.get(case.number, "DIFFERS")
                lines.append(f"| {case.number}{' ' + letter if letter else ''} {case.name} | "
                             f"{case.verdict} | {case.results} | {hazards_text(*hazards[1:])} | "
                             f"{outcomes_text(outcomes[1])} | {why} |")
                print(lines[-1], flush=True)
    text = "\n".join(lines) + f"\n\n{same} of {rows} as reported.\n"
    if options.file:
        pathlib.Path(options.file).write_text(text)
    print(f"{same} of {rows} as reported")


if __name__ == "__main__":
    main()
