#!/usr/bin/env python3
"""Puts the page for browsers together: static files for any server.

    web/pack.py BUILD OUT [ADDRESS]

BUILD is the build folder of the preset "web"; OUT is made anew. ADDRESS is where it will be served: those
who show a preview of a link ask for the picture by its whole address. All files but the first lie in a
folder that is named by what is in them. What the program reads at run time
(kernels, texts, lessons, shaders, fonts) goes into one file: a line of JSON, {"path": [offset, size]},
then the files' bytes. The fonts keep only the characters that occur in our texts; those of Chinese
are a file of their own, which the page loads when Chinese is chosen. The two large files are
compressed here, since not every server does it.
"""

import gzip
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

from fontTools import subset, ttLib

from scorm import packed

ROOT = Path(__file__).resolve().parent.parent
CJK_FAMILY = "Noto Sans CJK SC"
# Ours, and what others may type: ASCII, Latin-1, Greek, Cyrillic.
ALWAYS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x391, 0x3CA), *range(0x400, 0x460)]
DATA = ["kernels/*.cl", "assets/*.json", "assets/lang/*.json", "assets/lessons/**/*", "assets/glossary/**/*",
        "assets/*.cpp.in", "assets/opencl_c/*", "shaders/*"]


def data_files():
    """The files that the program reads, by their path below its folder of data."""
    for pattern in DATA:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and path.name != "README.md":
                yield str(path.relative_to(ROOT)), path.read_bytes()


def characters(texts):
    """The characters of our texts, and of the strings in our code."""
    found = set(ALWAYS)
    for text in texts:
        found |= {ord(c) for c in text}
    for folder in ("app", "kernels"):
        for path in (ROOT / folder).rglob("*.[chp]*"):
            found |= {ord(c) for c in path.read_text(encoding="utf-8") if ord(c) > 0x7F}
    return found


def is_chinese(character):
    return 0x2E80 <= character <= 0x9FFF or 0xF900 <= character <= 0xFAFF or 0xFF00 <= character <= 0xFFEF


def subset_font(path, wanted, out):
    """Writes the font with these characters alone."""
    number = 0
    if path.suffix == ".ttc":
        fonts = ttLib.TTCollection(path).fonts
        number = next(i for i, font in enumerate(fonts) if font["name"].getDebugName(1) == CJK_FAMILY)
    options = subset.Options(font_number=number, hinting=False, layout_features=[], name_IDs=[1, 2, 4],
                             notdef_outline=True, drop_tables=["DSIG", "BASE", "vhea", "vmtx", "VORG", "GSUB", "GPOS", "GDEF"])
    font = subset.load_font(str(path), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    subset.save_font(font, str(out), options)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    address = sys.argv[3].rstrip("/") + "/" if len(sys.argv) > 3 else ""
    new = out.with_name(out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)

    files = dict(data_files())
    wanted = characters(content.decode("utf-8") for path, content in files.items()
                        if re.search(r"\.(json|md|cl)$", path))
    chinese = {c for c in wanted if is_chinese(c)}
    for link in sorted((build / "share/reduction-lab/fonts").iterdir()):
        font = link.resolve()
        name = link.stem + (".otf" if link.suffix in (".ttc", ".otf") else link.suffix)
        if link.stem == "cjk":  # until Chinese is chosen: the signs that the others lack
            subset_font(font, wanted, new / name)
            (new / "signs.otf").unlink(missing_ok=True)
            subset_font(font, wanted - chinese - set(ALWAYS) | {0x20}, new / "signs.otf")
            files["fonts/" + name] = (new / "signs.otf").read_bytes()
            (new / "signs.otf").unlink()
        else:
            subset_font(font, wanted - chinese, new / name)
            files["fonts/" + name] = (new / name).read_bytes()
            (new / name).unlink()

    (new / "data.bin").write_bytes(gzip.compress(packed(files), 9, mtime=0))
    (new / "program.bin").write_bytes(gzip.compress((build / "bin/reduction-lab.wasm").read_bytes(), 9, mtime=0))
    shutil.copy(build / "bin/reduction-lab.js", new)
    for name in ("page.css", "page.js", "module.js", "scorm.js", "worker.js"):
        shutil.copy(ROOT / "web" / name, new)
    parts = sorted(new.iterdir())
    page = (ROOT / "web/index.html").read_text(encoding="utf-8").replace("ADDRESS", address)
    version = hashlib.sha256(page.encode() + b"".join(part.read_bytes() for part in parts)).hexdigest()[:12]
    (new / version).mkdir()
    for part in parts:
        part.rename(new / version / part.name)
    (new / "index.html").write_text(
        re.sub(r'(href|src)="(page\.css|[a-z-]+\.js)"', rf'\1="{version}/\2"', page), encoding="utf-8")
    shutil.copy(ROOT / "web/manifest.webmanifest", new)
    shutil.copy(ROOT / "assets/icons/128.png", new / "icon.png")
    shutil.copy(ROOT / "assets/icons/512.png", new / "icon-512.png")
    shutil.copy(ROOT / "assets/pictures/race.png", new / "preview.png")
    files = ["index.html", "manifest.webmanifest", "icon.png", *(f"{version}/{part.name}" for part in parts)]
    (new / "sw.js").write_text((ROOT / "web/sw.js").read_text(encoding="utf-8")
                               .replace('"VERSION"', json.dumps(version)).replace("FILES;", json.dumps(files) + ";"))
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)  # whole, or not at all


if __name__ == "__main__":
    main()
