#!/usr/bin/env python3
"""Holds the manual pages against the programs.

    manual.py BIN            the folder of the programs, beside share/man with the pages

groff, man and mandoc read each page without a complaint; every command and every option that --help
knows is in what man makes of it; and the window's page has no option that --help does not have.
"""
import gzip
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

OPTION = re.compile(r"^  ((?:-\w, )?--[a-z-]+(?:, --[a-z-]+)*)(?: (\S.*?))?(?:  .*)?$")
COMMAND = re.compile(r"^  ([a-z]+)  +\S")


def run(*command, folder=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, cwd=folder,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "200"})
    return done.returncode, done.stdout, done.stderr


def clean(*command):
    """Runs a formatter, which may complain of nothing; what it printed, without overstrikes."""
    status, out, errors = run(*command)
    assert status == 0 and not errors, f"{' '.join(map(str, command))}:\n{out}{errors}"
    return re.sub(".\b", "", out)


def help_of(program, *command):
    status, out, errors = run(program, *command, "--help")
    assert status == 0 and not errors, f"{program.name} {' '.join(command)} --help: {errors}"
    for line in out.splitlines():
        assert len(line) <= 100, f"{program.name} {' '.join(command)} --help: too long: {line}"
    return out


def section_of(help_text, heading):
    found = re.search(rf"^{heading}:\n((?:  .*\n)+)", help_text, re.M)
    return found[1].splitlines() if found else []


def options_in(help_text):
    found = [OPTION.match(line) for line in section_of(help_text, "Options")]
    return [(match[1].split(", "), match[2] or "") for match in found if match]


def check(program, folder):
    page = folder / f"{program.name}.1"
    packed = program.parents[1] / "share/man/man1" / f"{page.name}.gz"
    page.write_bytes(gzip.decompress(packed.read_bytes()))
    _, complaints, _ = run("mandoc", "-T", "lint", "-W", "warning", page)
    complaints = [line for line in complaints.splitlines()
                  if "cannot parse date" not in line]  # help2man writes a month and a year
    assert not complaints, complaints
    clean("groff", "-K", "utf8", "-ww", "-b", "-man", "-T", "utf8", "-z", page)
    shown = clean("man", "--warnings", "--encoding", "UTF-8", "--local-file", page)
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT",
                    "EXAMPLES", "SEE ALSO"]:
        assert re.search(rf"^{heading}$", shown, re.M), f"{page.name} has no {heading}"

    whole = help_of(program)
    commands = [COMMAND.match(line)[1] for line in section_of(whole, "Commands")]
    known = 0
    for command in [None, *commands]:
        text = help_of(program, command) if command else whole
        part = shown
        if command:
            found = re.search(rf"^   {command}:$(.*?)^(?:   \S|\S)", shown, re.M | re.S)
            assert found, f"{page.name} has no command {command}"
            part = found[1]
        options = options_in(text)
        assert options, f"no options of {command} were found in --help"
        for names, value in options:
            # Described somewhere; and, but for --help, named where its command is.
            term = ", ".join(names) + (f" {value}" if value else "")
            assert re.search(rf"^ +{re.escape(term)}( .*)?$", shown, re.M), f"{page.name} lacks {term}"
            assert names[-1] in part or names[-1] == "--help", (
                f"{page.name} does not say that {command} has {names[-1]}")
            known += 1
    # Examples do what they say, as far as they need no file, no display and no minutes.
    examples = re.findall(r"^ +(reduction-lab-cli (?:step|hazards|outcomes) (?!my).*)$", shown, re.M)
    for example in examples:
        status, _, errors = run(program, *shlex.split(example)[1:], folder=folder)
        assert status in (0, 1), f"{example}: {errors}"
    assert bool(examples) == bool(commands), f"no examples were found in {page.name}"

    print(f"{page.name}: {len(commands)} commands, {known} options")
    return len(commands)


def main():
    lacking = [tool for tool in ("groff", "man", "mandoc") if not shutil.which(tool)]
    if lacking:
        print(f"Skipped: {', '.join(lacking)} are not installed (third_party/setup.sh tests)")
        sys.exit(77)
    binaries = pathlib.Path(sys.argv[1]).resolve()
    if not (binaries.parent / "share/man/man1/reduction-lab.1.gz").exists():
        print("Skipped: there was no help2man when it was built (third_party/setup.sh tests)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        assert check(binaries / "reduction-lab", pathlib.Path(folder)) == 0
        assert check(binaries / "reduction-lab-cli", pathlib.Path(folder)) > 9


if __name__ == "__main__":
    main()
