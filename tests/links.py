#!/usr/bin/env python3
"""Every relative link and picture in our *.md files leads to a file, and every #anchor to a heading.

    tests/links.py [ROOT]        exits with 1 and lists those that do not
"""
import pathlib
import re
import sys
import urllib.parse

SKIPPED = {"build", "out", "node_modules"}  # and folders whose names begin with a dot
LINK = re.compile(r"\]\(\s*<?([^)<>\s]+)>?(?:\s+[\"'][^)]*)?\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?([^>\s]+)", re.MULTILINE)
ATTRIBUTE = re.compile(r"<(?:a|img|source|video)\b[^>]*?\b(?:href|src)\s*=\s*[\"']([^\"']+)[\"']", re.IGNORECASE)
ANCHOR = re.compile(r"<a\b[^>]*?\b(?:id|name)\s*=\s*[\"']([^\"']+)[\"']", re.IGNORECASE)


def pages(root):
    for path in sorted(root.rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        if not any(folder in SKIPPED or folder.startswith(".") for folder in folders):
            yield path


def prose(text):
    """The lines without code: none of fenced or indented blocks, nothing between backticks."""
    lines, fence, blank = [], "", True
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            line = ""
        elif mark:
            fence, line = mark[1], ""
        elif re.match(r" {4}|\t", line) and blank:
            line = "    "  # an indented block; it lasts until a line that is not indented
        blank = not line.strip()
        lines.append(line)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", lambda code: "`" * len(code[0]), "\n".join(lines))


def anchors(text):
    """As GitHub makes them of headings: small letters, no punctuation, hyphens for blanks."""
    made, seen = set(ANCHOR.findall(text)), {}
    fenced = ""
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fenced = "" if fenced and mark[1].startswith(fenced) else fenced or mark[1]
        heading = None if fenced else re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        made.add(f"{name}-{count}" if count else name)
    return made


def broken(root):
    """Lines of text, one for each link that leads nowhere."""
    known = {}
    for page in pages(root):
        text = prose(page.read_text(encoding="utf-8"))
        for pattern in (LINK, REFERENCE, ATTRIBUTE):
            for found in pattern.finditer(text):
                link = found[1]
                if re.match(r"[a-z][a-z0-9+.\-]*:|//", link, re.IGNORECASE):
                    continue
                path, _, anchor = (urllib.parse.unquote(part) for part in link.partition("#"))
                target = root / path.lstrip("/") if path.startswith("/") else page.parent / path
                target = target.resolve() if path else page
                where = f"{page.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}: {link}"
                if not target.exists():
                    yield f"{where}: no such file"
                elif root not in target.parents and target != root:
                    yield f"{where}: outside of the repository"
                elif anchor and target.suffix == ".md":
                    if target not in known:
                        known[target] = anchors(target.read_text(encoding="utf-8"))
                    if anchor not in known[target]:
                        yield f"{where}: no such heading"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    found = list(broken(root))
    print("\n".join(found) if found else f"every link in {len(list(pages(root)))} pages leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
