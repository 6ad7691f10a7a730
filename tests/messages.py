#!/usr/bin/env python3
"""What a Problem or an error in a kernel's text says has a line in assets/lang/messages.json.

Reads the sources: each text between the brackets of Problem( … ), error( … ) and the like, with its
gaps filled, must fit a sentence of the table.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where a person at the window can see them. Those of the command line stay English.
ROOMS = ["base", "lang", "machine", "catalogue", "results", "analysis", "device", "worker", "session",
         "views", "gui"]
# The options of a command, files that are read by programs, and what is wrong with an installation.
ENGLISH = ["base/child_process.cpp", "base/help.cpp", "base/paths.cpp", "base/platform.cpp",
           "catalogue/expression.cpp", "catalogue/kernel.cpp", "catalogue/shape.cpp",
           "gui/keys.cpp", "views/shell/options.cpp", "gui/window.cpp", "lang/compile.cpp",
           "results/request.cpp", "machine/job.cpp",
           "worker/protocol.cpp", "worker/process.cpp"]
# Put together from pieces, or none of a sentence: what comes of them is tested where it arises.
PIECES = ["at least ", "'{}' takes {} argument{}, but {} {} given", "'{}' stands in no {}",
          "The kernel '{}' takes {}, but {} {} given", "this cannot be {}",
          "{} cannot be {}", "local or global", "Their schema is ", ", this program reads ", "--global, --local",
          "The kernel's text has {}", "The driver refused", "NVIDIA's error -9999",
          " -cl-opt-disable", "A spin gave up", "They are not co-resident, so a spin gave up",
          "was silent for too long during", "ended during", "The worker process {} '{}'"]
CALL = re.compile(r"\b(?:(?:Problem(?: \w+)?|error|warning|fail|syntax_error|stop|bad_argument|"
                  r"wrong_argument|refuse|broken|missing|LAB_ERROR|guarded)\s*\(|(?:Problem|Known)\s*\{|return \{(?=\"|fmt))")
TOKEN = re.compile(r'//[^\n]*|\'(?:[^\'\\]|\\.)\'|"((?:[^"\\\n]|\\.)*)"|[(){}]', re.S)


def texts_of(source):
    """The texts between the brackets of each call, neighbours joined as the compiler does."""
    for call in CALL.finditer(source):
        depth, parts, end = 1, [], None
        for token in TOKEN.finditer(source, call.end()):
            if token.group(0) in "(){}":
                depth += 1 if token.group(0) in "({" else -1
                if depth == 0:
                    break
            elif token.group(0).startswith('"'):
                joined = end is not None and not source[end:token.start()].strip()
                if joined:
                    parts[-1] += token.group(1)
                else:
                    parts.append(token.group(1))
                end = token.end()
        line = source.count("\n", 0, call.start()) + 1
        for part in parts:
            yield line, part.encode().decode("unicode_escape").encode("latin-1").decode()


def is_sentence(text):
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(r"{[^}]*}", "", text))) >= 2 and " " in text


def pattern(english):
    parts = re.split(r"{[a-z_0-9]+}", english)
    return re.compile(".*".join(re.escape(part) for part in parts), re.S)


def main():
    table = json.loads((ROOT / "assets/lang/messages.json").read_text())
    known = [pattern(english) for english in table]
    missing = []
    for room in ROOMS:
        for path in sorted((ROOT / "app" / room).rglob("*.cpp")):
            name = str(path.relative_to(ROOT / "app"))
            if name.endswith("_test.cpp") or name in ENGLISH:
                continue
            for line, text in texts_of(path.read_text()):
                filled = re.sub(r"{[^}\s']*}", "1", text.replace("{{", "\0").replace("}}", "\1"))
                filled = filled.replace("\0", "{").replace("\1", "}")
                if not is_sentence(text) or text in PIECES:
                    continue
                if not any(each.fullmatch(filled) for each in known):
                    missing.append(f"app/{name}:{line}: {text}")
    # A window has fields, and no options.
    options = [f"{english}: {language}" for english, texts in table.items() if re.search("--[a-z]", english)
               for language in ("en", "zh", "ru") if re.search("--[a-z]", texts.get(language, "--none"))]
    for each in missing + options:
        print(each)
    if options:
        sys.exit(f"{len(options)} texts that name an option of the command line in a window")
    if missing:
        sys.exit(f"{len(missing)} texts that assets/lang/messages.json lacks")


if __name__ == "__main__":
    main()
