#!/usr/bin/env python3
"""Holds the pictures that the command line writes against what other programs make of them.

    pictures.py CLI          of every variant, and every chart of kept measurements

SVG: well-formed, real text, a title and a description, drawn by librsvg in the size that it says.
PNG: two pixels a point. PDF: one page of the same size, its title, text that can be copied, and
every font inside with a map back to Unicode.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/pocl.json"
CHARTS = ["time", "bandwidth", "speedup", "error"]
NEEDED = ["xmllint", "rsvg-convert", "pdfinfo", "pdftotext", "pdffonts"]
SVG = "{http://www.w3.org/2000/svg}"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    out = done.stdout.decode("utf-8", "replace")
    return done.returncode, out, done.stderr.decode("utf-8", "replace")


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path.name} is no PNG"
    return struct.unpack(">II", data[16:24])


def check_svg(path):
    """Returns its size in points, its title and all its text."""
    status, _, errors = run("xmllint", "--noout", path)
    assert status == 0, errors
    root = ElementTree.parse(path).getroot()
    size = (float(root.get("width")), float(root.get("height")))
    title, description = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title and description, f"{path.name} says nothing to a screen reader"
    text = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert len(text) > 5, f"{path.name} has {len(text)} texts"
    drawn = path.with_suffix(".rsvg.png")
    status, _, errors = run("rsvg-convert", path, "-o", drawn)
    assert status == 0, errors
    assert all(abs(a - b) <= 1 for a, b in zip(png_size(drawn), size)), (png_size(drawn), size)
    return size, title, text


def check_png(path, size):
    pixels = png_size(path)
    assert all(abs(a - 2 * b) <= 1 for a, b in zip(pixels, size)), f"{path.name}: {pixels}, {size}"


def check_pdf(path, size, title, text):
    info = run("pdfinfo", path)[1]
    assert re.search(r"^Pages: +1$", info, re.M), info
    page = re.search(r"^Page size: +([\d.]+) x ([\d.]+) pts", info, re.M)
    assert all(abs(float(a) - b) < 0.1 for a, b in zip(page.groups(), size)), f"{info} {size}"
    assert re.search(r"^Title: +(.*)$", info, re.M).group(1).strip() == title.strip(), info
    fonts = run("pdffonts", path)[1].splitlines()[2:]
    assert fonts, f"{path.name} has no fonts"
    for font in fonts:  # the columns "emb", "sub" and "uni"
        assert re.search(r" yes yes yes +\d+ +\d+$", font), f"{path.name}: {font}"
    # Blanks are what the copying program makes of places; the signs must be there.
    signs = "".join(run("pdftotext", "-layout", path, "-")[1].split())
    missing = [words for words in text if "".join(words.split()) not in signs]
    assert len(missing) * 20 <= len(text), f"{path.name} lacks {missing[:5]}"


def check(cli, folder, name, command):
    files = [folder / f"{name}.{suffix}" for suffix in ("svg", "png", "pdf")]
    options = [word for file in files for word in ("-o", file)]
    status, _, errors = run(cli, *command, *options)
    assert status in (0, 1, 4), f"{command} ended with {status}: {errors}"
    for file in files:
        assert file.exists(), f"{command} wrote no {file.name}: {errors}"
    size, title, text = check_svg(files[0])
    check_png(files[1], size)
    check_pdf(files[2], size, title, text)


def cases(cli):
    variants = json.loads(run(cli, "variants", "--json")[1])["variants"]
    for i, variant in enumerate(variants):
        language = ("en", "zh", "ru")[i % 3]
        theme = ("light", "dark", "projector")[i // 3 % 3]
        yield f"{variant['id']}-{language}", [
            "step", variant["id"], "--source", "machine", "--lang", language, "--theme", theme]
    for i, figure in enumerate(["lanes", "banks", "lineage", "schedule"]):
        language = ("ru", "zh", "en", "zh")[i]
        yield f"{figure}-{language}", [
            "step", "ladder-2-strided", "--n", "32", "--figure", figure, "--lang", language]
    for chart in CHARTS:
        for language in ("en", "zh", "ru"):
            yield f"{chart}-{language}", [
                "plot", RESULTS, "--chart", chart, "--lang", language]


def main():
    cli = pathlib.Path(sys.argv[1]).resolve()
    lacking = [program for program in NEEDED if not shutil.which(program)]
    if lacking:
        print(f"Skipped: {', '.join(lacking)} are not installed (third_party/setup.sh tests)")
        sys.exit(77)
    failed = done = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command in cases(cli):
            done += 1
            try:
                check(cli, pathlib.Path(folder), name, command)
            except AssertionError as error:
                failed += 1
                print(f"FAILED {name}: {error}")
    print(f"{done - failed} of {done} pictures are as they should be")
    sys.exit(1 if failed or done == 0 else 0)


if __name__ == "__main__":
    main()
