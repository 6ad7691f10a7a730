#!/usr/bin/env python3
"""How large the page for browsers is, and how fast: bench/web.py [-o FILE.json]

Of build/web/site, as ./web.sh --build leaves it, in headless Chromium with WebGL in software: the time from
the address to the first picture; and while 64 elements play, the frames a second that the app asks for (none
where nothing moves), and how many there could be, asked for without a pause. Medians of five visits.
"""

import argparse
import functools
import http.server
import json
import statistics
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/web"))
from browser import Browser  # noqa: E402

SITE = ROOT / "build/web/site"
VISITS = 5
# Frames in three seconds as the app asks for them, then without a pause; the longest and the mean time
# that one took to draw, in ms.
FRAMES = """(async () => {
  const times = [], draw = labPage.frame;
  let without_pause = false;
  labPage.frame = () => {
    const from = performance.now();
    draw();
    times.push(performance.now() - from);
    if (without_pause) labPage.wake();
  };
  await new Promise(done => setTimeout(done, 3000));
  const asked = times.splice(0);
  without_pause = true;
  labPage.wake();
  await new Promise(done => setTimeout(done, 3000));
  labPage.frame = draw;
  return {per_second: asked.length / 3, most_per_second: times.length / 3,
          mean_ms: asked.reduce((a, b) => a + b, 0) / asked.length, longest_ms: Math.max(...asked)};
})()"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def visit(address):
    with Browser() as page:
        page.open(address + "?n=64&group=16&input=ramp")
        page.wait('typeof labPage !== "undefined" && labPage.shown')
        first = page.value("labPage.firstPicture")
        page.wait_for("64 numbers")
        page.key(" ", "Space", 32, text=" ")
        return {"first_picture_ms": first, **page.value(FRAMES)}


def sizes_of(site):
    """Bytes of each file of a site, as they are served; pages of other programs carry the pictures."""
    return {path.name: path.stat().st_size for path in sorted(site.rglob("*"))
            if path.is_file() and path.name not in ("preview.png", "icon-512.png")}


def growth(old, new):
    """A table of the files of two sites, the largest difference first."""
    before, now = sizes_of(old), sizes_of(new)
    names = sorted({*before, *now}, key=lambda name: -abs(now.get(name, 0) - before.get(name, 0)))
    rows = [("file", "before", "now", "more")]
    rows += [(name, before.get(name, 0), now.get(name, 0), now.get(name, 0) - before.get(name, 0)) for name in names]
    rows.append(("all", sum(before.values()), sum(now.values()), sum(now.values()) - sum(before.values())))
    return "\n".join(f"{row[0]:20} {row[1]:>9} {row[2]:>9} {row[3]:>9}" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", metavar="FILE.json", help="where to write it, too")
    parser.add_argument("--against", type=Path, metavar="SITE", help="only say how much larger it is than that site")
    parser.add_argument("--site", type=Path, default=SITE, help="with --against: the site [build/web/site]")
    arguments = parser.parse_args()
    if arguments.against:
        return print(growth(arguments.against, arguments.site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    visits = [visit(f"http://localhost:{server.server_port}/") for _ in range(VISITS)]
    sizes = sizes_of(SITE)
    result = {
        "bytes": sizes,
        "bytes_for_english": sum(size for name, size in sizes.items() if name != "cjk.otf"),
        "playing_64": {key: round(statistics.median(each[key] for each in visits), 1)
                       for key in ("per_second", "most_per_second", "mean_ms", "longest_ms")},
        "first_picture_ms": round(statistics.median(each["first_picture_ms"] for each in visits)),
        "visits": visits,
    }
    text = json.dumps(result, indent=2) + "\n"
    if arguments.o:
        Path(arguments.o).write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
