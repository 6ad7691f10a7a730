#!/usr/bin/env python3
"""Packs a lesson for a learning platform, as SCORM 1.2: a zip of the page for browsers that reports its score.

    web/scorm.py LESSON [-o FILE.zip] [--pass SCORE] [--site FOLDER]

LESSON is the name of a lesson that the page has, or the folder of your own. The page is build/web/site, as
./web.sh --build leaves it, or a copy of that folder; nothing else of the sources is read. web/scorm.js is the
part that reports.
"""

import argparse
import gzip
import hashlib
import html
import json
import os
import re
import sys
import zipfile
from pathlib import Path

SITE = Path(__file__).resolve().parent.parent / "build/web/site"
LESSONS = "assets/lessons/"
UNCHECKED = ("reflect", "measure")  # no grader can check them: see app/lessons/grade.cpp

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="reduction-lab-{name}" version="1.2"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>{title}</title>
      <item identifier="lesson" identifierref="page">
        <title>{title}</title>{mastery}
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="index.html">
{files}
    </resource>
  </resources>
</manifest>
"""


def packed(files):
    """What the program reads, {path: bytes}, in one: a line of JSON, {path: [offset, size]}, then the bytes."""
    index, offset = {}, 0
    for path, content in files.items():
        index[path] = [offset, len(content)]
        offset += len(content)
    return json.dumps(index, separators=(",", ":")).encode() + b"\n" + b"".join(files.values())


def unpacked(data):
    index, content = data.split(b"\n", 1)
    return {path: content[offset:offset + size] for path, (offset, size) in json.loads(index).items()}


def checked_pages(lesson):
    """The names of a lesson's pages whose answers are checked, as app/lessons/lesson.cpp reads lesson.md."""
    pages, page, fence = [], "", ""
    for line in lesson.splitlines():
        if fence:
            if re.fullmatch(rf" {{0,3}}{fence}{fence[0]}*\s*", line):
                fence = ""
        elif block := re.match(r" {0,3}(`{3,}|~{3,})\s*(\S*)\s*(\S*)", line):
            fence, what, kind = block.groups()
            if what == "ask" and kind not in UNCHECKED:
                pages.append(page)
        elif heading := re.match(r" {0,3}##\s+(.*)", line):
            named = re.search(r" \{#(.*)\}\s*$", heading[1])  # "Fix it {#mend-it}"
            page = re.sub(r"[^a-z0-9]+", "-", (named or heading)[1].lower()).strip("-")
    return pages


def package(site, lesson, mastery=None):
    """The files of the package, {name: bytes}. Ends the program where there is no page or no such lesson."""
    # A platform that is out of reach cannot take a score, so nothing is kept for use without a network.
    files = {path.relative_to(site).as_posix(): path.read_bytes()
             for path in sorted(site.rglob("*")) if path.is_file() and path.name != "sw.js"}
    data = next((name for name in files if name.endswith("/data.bin")), None)
    if data is None or "index.html" not in files:
        sys.exit(f"There is no page for browsers in {site}. ./web.sh --build makes it in build/web/site")

    read = unpacked(gzip.decompress(files[data]))
    folder, name = Path(lesson).resolve(), lesson
    if (folder / "lesson.md").is_file():
        name = folder.name
        own = {f"{LESSONS}{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
               for path in sorted(folder.rglob("*")) if path.is_file()}
    else:
        own = {path: content for path, content in read.items() if path.startswith(f"{LESSONS}{name}/")}
    text = own.get(f"{LESSONS}{name}/lesson.md")
    if text is None:
        known = sorted(path.split("/")[2] for path in read if re.fullmatch(LESSONS + r"[^/]+/lesson\.md", path))
        sys.exit(f"There is no lesson '{lesson}': no folder with a file lesson.md, and none of the page's: {', '.join(known)}")
    text = text.decode("utf-8")
    pages = checked_pages(text)
    if not pages:
        sys.exit(f"The lesson '{name}' asks nothing that can be checked, so it has no score to report")
    title = re.search(r"^title:\s*(.+?)\s*$", text, re.MULTILINE)

    # The lesson alone: answers to others would be reported nowhere.
    read = {path: content for path, content in read.items() if not path.startswith(LESSONS)}
    read.update(own)
    files[data] = gzip.compress(packed(read), 9, mtime=0)
    course = html.escape(json.dumps({"lesson": name, "pages": pages}))
    page = files["index.html"].decode("utf-8").replace("<head>", f'<head>\n  <meta name="scorm" content="{course}">')
    old = data.split("/")[0]
    new = hashlib.sha256(page.encode() + files[data]).hexdigest()[:12]  # named by what is in it, as web/pack.py does
    files["index.html"] = page.replace(f'"{old}/', f'"{new}/').encode()
    files = {re.sub(rf"^{old}/", f"{new}/", path): content for path, content in files.items()}
    manifest = MANIFEST.format(
        name=re.sub(r"[^\w.-]", "-", name, flags=re.ASCII), title=html.escape(title[1] if title else name),
        mastery=f"\n        <adlcp:masteryscore>{mastery}</adlcp:masteryscore>" if mastery is not None else "",
        files="\n".join(f'      <file href="{html.escape(path)}"/>' for path in files))
    return {"imsmanifest.xml": manifest.encode(), **files}


def write(files, out):
    """Writes the zip whole, or not at all; the same files give the same bytes."""
    part = out.with_name(out.name + ".part")
    try:
        try:
            with zipfile.ZipFile(part, "w") as archive:
                for name, content in files.items():
                    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            os.replace(part, out)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        sys.exit(f"{out} cannot be written: {error.strerror}")


def score(text):
    if not re.fullmatch(r"\d{1,3}", text) or int(text) > 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no score from 0 to 100")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description="Packs a lesson for a learning platform, as SCORM 1.2.")
    parser.add_argument("lesson", metavar="LESSON", help="the name of a lesson of the page, or the folder of your own")
    parser.add_argument("-o", "--output", metavar="FILE.zip", type=Path, help="what to write [LESSON.zip]")
    parser.add_argument("--pass", dest="mastery", metavar="SCORE", type=score,
                        help="from which score in percent the lesson is passed, and not only completed")
    parser.add_argument("--site", metavar="FOLDER", type=Path, default=SITE, help="the page [build/web/site]")
    options = parser.parse_args()
    files = package(options.site, options.lesson, options.mastery)
    out = options.output or Path(Path(options.lesson).resolve().name + ".zip")
    write(files, out)
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
