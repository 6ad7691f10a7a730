#!/usr/bin/env python3
"""The page for browsers, used by keys, mouse and touch in headless Chromium.

It is the built page, build/web/site, served from this computer. What is on screen is read as readers of
the screen are told it.
"""

import functools
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

from browser import SKIPPED, Browser, find_chromium

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build/web/site"
sys.path.insert(0, str(ROOT / "web"))
import scorm  # noqa: E402


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    accepts = True

    def verify_request(self, request, client_address):
        return self.accepts


class ServedTest(unittest.TestCase):
    """Browsers that look at a folder."""

    folder = SITE

    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Quiet, directory=str(cls.folder))
        cls.server = Server(("127.0.0.1", 0), handler)
        cls.address = f"http://localhost:{cls.server.server_port}/"
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def browser(self, **look):
        """One that must have no errors on its console, and ask no other host, in the end."""
        browser = Browser(**look)
        self.addCleanup(browser.__exit__)
        self.addCleanup(self.check, browser)
        return browser

    def check(self, browser):
        self.assertEqual([line for line in browser.console if line[0] in ("error", "assert")], [])
        for address in browser.requests:
            self.assertTrue(address.startswith((self.address, "data:", "blob:" + self.address)), address)

    def forget_errors(self, page):
        """Of a failure that is wanted, which the page puts on its console too."""
        while not any(line[0] == "error" for line in page.console):
            page.next_frame()
        page.console.clear()

    def open(self, query="", **look):
        page = self.browser(**look)
        self.go(page, query)
        return page

    def go(self, page, query):
        page.open("about:blank")
        page.open(self.address + query)
        page.wait('typeof labPage !== "undefined" && labPage.shown')


class PageTest(ServedTest):
    def open_race(self):
        """The kernel that is broken across two groups of four, in the race view."""
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("b")
        page.key("2", "Digit2", 50, text="2")
        return page

    def test_the_first_picture_and_a_step(self):
        page = self.open()
        page.wait_for("8 numbers, 2 groups of 4")
        page.key("ArrowRight", number=39)
        page.wait_for("Items 0, 2, 4 and 6 each added two cells")
        self.assertIn("8 1 14 8 11 6 8 1", page.words())
        page.key("End", number=35)
        page.wait_for("41")

    def test_zero_frames_while_nothing_moves(self):
        page = self.open()
        page.wait_for("8 numbers")
        count = ("(async () => { let frames = 0; const draw = labPage.frame; labPage.frame = () => "
                 "{ ++frames; draw(); }; await new Promise(done => setTimeout(done, 3000)); "
                 "labPage.frame = draw; return frames; })()")
        page.value(count)  # it settles
        self.assertEqual(page.value(count), 0)

    def test_the_race_to_33_by_choosing_who_goes_first(self):
        page = self.open_race()
        page.wait_for("group 1")
        page.key("Home", number=36)
        for group, times in ((2, 3), (1, 12), (1, 6)):
            for _ in range(times):
                page.key(str(group), f"Digit{group}", 48 + group, alt=True)
        page.wait_for("33")
        self.assertIn("instead of 41", page.words())

    def test_all_results_come_from_a_worker(self):
        page = self.open_race()
        page.wait_for("result ?")
        self.assertGreater(page.value("labPage.workers.size"), 0)
        page.letter("h")
        for result in ("result 27", "result 33", "result 41"):
            page.wait_for(result)

    def test_a_map_of_sizes_is_filled_by_a_worker(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("b")  # the kernel that is broken across two groups
        page.key("6", "Digit6", 54, text="6")
        page.wait_for("576 of 2048 shapes: right. 1472 of 2048 shapes: race.")
        self.assertGreater(page.value("labPage.workers.size"), 0)

    def test_a_lesson_page_is_answered(self):
        page = self.open("?lesson=01-a-tree&page=1&view=learn")
        page.wait_for("How many additions")
        page.type("7")
        page.key("Enter", "Enter", 13, text="\r")
        page.wait_for("Not in a line")
        page.letter("a", ctrl=True)
        page.type("99")
        page.key("Enter", "Enter", 13, text="\r")
        page.wait_for("A device with thousands of work-items is no faster")

    def test_a_kernel_is_edited(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("k", shift=True)  # a copy without a header: any kernel
        page.wait_for("relaunch-plain.cl")
        page.click(1000, 250)  # into the text
        page.letter("a", ctrl=True)
        page.type("kernel void twice(global int* data) { size_t i = get_global_id(0); data[i] = 2 * data[i]; }")
        page.wait_for("8 of 8 items step")
        page.click(400, 600)  # out of it
        page.key("End", number=35)
        page.wait_for("14 2 12 16 10 12 14 2")

    def test_a_kernel_in_cuda_is_dropped_stepped_and_shown_in_opencl(self):
        page = self.open()
        page.wait_for("8 numbers")
        text = ("__global__ void sum(const int* in, int* out) {\n    __shared__ int part[8];\n"
                "    part[threadIdx.x] = in[threadIdx.x];\n    for (int s = 4; s > 0; s /= 2) {\n"
                "        __syncthreads();\n        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];\n"
                "    }\n    if (threadIdx.x == 0) out[0] = part[0];\n}\n")
        page.value("(() => { const data = new DataTransfer(); "
                   f"data.items.add(new File([{json.dumps(text)}], 'sum.cu')); "
                   "dispatchEvent(new DragEvent('drop', {dataTransfer: data})); return 0; })()")
        page.wait_for("sum.cu")
        page.wait_for("1 block of 8")  # in CUDA's words
        page.key("End", number=35)
        page.wait_for("36")
        page.letter("t", shift=True)
        page.wait_for("kernel void sum(")

    def test_a_long_run_does_not_hold_the_page(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.value("window.frames_drawn = 0; const draw = labPage.frame; "
                   "labPage.frame = () => { ++frames_drawn; draw(); }; 0")
        page.letter("k", shift=True)  # a copy without a header: any kernel
        page.wait_for("relaunch-plain.cl")
        page.click(1000, 250)  # into the text
        page.letter("a", ctrl=True)
        page.type("kernel void spin(global int* data) { while (1) data[get_global_id(0)] += 1; }")
        page.value("frames_drawn = 0")
        page.wait_for("more passes:")  # it was ended
        # Some milliseconds of its hundred thousands of actions lie between two frames.
        self.assertGreater(page.value("frames_drawn"), 20)

    def test_the_link_of_a_lesson_page(self):
        page = self.open("?lesson=01-a-tree&page=1&view=learn")
        page.wait_for("How many additions")
        first = page.words()
        page.key("PageDown", number=34, alt=True)  # lesson 2
        page.wait(f"labPage.words() !== {json.dumps(first)}")
        for _ in range(2):
            before = page.words()
            page.key("ArrowRight", number=39, alt=True)
            page.wait(f"labPage.words() !== {json.dumps(before)}")
        page.letter("l", alt=True)
        page.wait("location.hash.length > 20", "a link")
        for address in (page.value("location.hash"), "?lesson=02-the-loop&page=3"):
            other = self.open(address)
            other.wait_for(page.words().strip().split("\n")[0])
            self.assertEqual(other.words(), page.words())

    def test_a_key_is_held_on_while_a_field_gets_the_keyboard(self):
        page = self.open("?lesson=01-a-tree&page=1&view=learn")
        page.wait_for("How many additions")
        first = page.words()
        page.value("""addEventListener("keydown", event => {
          if (event.key === "Alt") for (const wanted of [false, true, false, true]) labPage.wantsText(wanted);
        })""")  # behind the app's own
        page.key("PageDown", number=34, alt=True)  # lesson 2
        page.wait(f"labPage.words() !== {json.dumps(first)}")

    def test_loading_again_keeps_what_came_after_a_link(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("l", alt=True)
        page.wait("location.hash.length > 20", "a link")
        before = page.words()
        page.letter("b")  # work goes on
        page.wait("location.hash === ''")
        page.wait_for("All passes in one launch")
        words = page.words()
        self.assertNotEqual(before, words)
        page.value("dispatchEvent(new Event('pagehide'))")
        page.call("Page.reload")
        page.wait('typeof labPage !== "undefined" && labPage.shown')
        page.wait_for("All passes in one launch")

    def test_text_is_typed_once(self):
        """By keys after a touch, and by an input method."""
        for touch in (True, False):
            page = self.open("?lesson=01-a-tree&page=1&view=learn", width=1000, height=760, touch=touch)
            page.wait_for("How many additions")
            page.wait("document.activeElement.id === 'keyboard'", "the field's focus")
            page.key("9", "Digit9", 57, text="9")
            page.key("9", "Digit9", 57, text="9")
            page.compose("1", "12", chosen="12")
            page.key("Backspace", "Backspace", 8)
            page.letter("a", ctrl=True)
            page.letter("c", ctrl=True)
            self.assertEqual(page.wait("labPage.pasted"), "991")

    def test_a_finger_scrolls_and_two_zoom(self):
        up, closer = [(250, 560 - 20 * i) for i in range(12)], [(150 - 4 * i, 240) for i in range(12)]
        wider = [(200 + 4 * i, 240) for i in range(12)]
        for address, words, fingers in (("?n=1024&group=64", "1024 numbers", [[(x, y - 260) for x, y in up]]),
                                        ("?n=1024&group=64", "1024 numbers", [closer, wider]),
                                        ("?lesson=01-a-tree&page=2&view=learn", "Which values", [up])):
            page = self.open(address, width=360, height=740, touch=True)
            page.wait_for(words)
            looked = lambda: page.call("Page.captureScreenshot", format="png")["data"]
            before = looked()
            page.drag(*fingers)
            self.assertNotEqual(before, looked(), (address, len(fingers)))

    def test_without_storage_it_starts_and_says_that_nothing_is_kept(self):
        page = self.browser()
        page.call("Page.addScriptToEvaluateOnNewDocument", source=
                  "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('refused'); }})")
        self.go(page, "")
        page.wait_for("8 numbers")
        page.letter("b")
        page.wait("null !== document.getElementById('note-not_kept')")

    def test_another_tab_is_not_written_over(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.value("dispatchEvent(new StorageEvent('storage', {key: 'reduction-lab:/home/web_user/.config/x'}))")
        page.wait("null !== document.getElementById('note-other_tab')")
        kept = page.value("JSON.stringify(localStorage)")
        page.letter("b")
        page.value("dispatchEvent(new Event('pagehide'))")
        self.assertEqual(page.value("JSON.stringify(localStorage)"), kept)

    def test_keys_of_the_browser_do_nothing_here(self):
        page = self.open()
        page.wait_for("8 numbers")
        words = page.words()
        for letter in "ltf":
            page.letter(letter, ctrl=True)
        page.key("=", "Equal", 187, ctrl=True)
        self.assertEqual((page.words(), page.value("document.documentElement.lang")), (words, "en"))
        taken = ("(() => { const event = new KeyboardEvent('keydown', {key: '%s', code: '%s', ctrlKey: true, "
                 "cancelable: true, bubbles: true}); labPage.canvas.dispatchEvent(event); return event.defaultPrevented; })()")
        for key, code, expected in (("с", "KeyC", False), ("к", "KeyR", False), ("з", "KeyP", True), ("p", "KeyP", True)):
            self.assertEqual(page.value(taken % (key, code)), expected, key)

    def test_what_can_be_done_is_there_as_buttons(self):
        page = self.open()
        page.wait_for("8 numbers")
        button = "document.querySelector('#actions [data-id=\"%s\"]')"
        self.assertEqual(page.value(f"{button % 'step.forward'}.textContent"), "Forward")
        self.assertEqual(page.value(f"{button % 'step.back'}"), None)  # there is none before the start
        # Only lines that differ are written anew, so only those are said.
        said = ("window.again = []; new MutationObserver(all => { for (const {removedNodes: [old], addedNodes: [now]} of all) "
                "if (old && now && old.textContent === now.textContent) again.push(now.textContent); })"
                ".observe(document.getElementById('words'), {subtree: true, childList: true}); true")
        page.value(said)
        page.value(f"{button % 'step.forward'}.click()")
        page.wait_for("Items 0, 2, 4 and 6 each added two cells")
        page.wait(f"{button % 'step.back'} !== null")
        self.assertEqual(page.value("again"), [])
        self.assertGreater(page.value("document.querySelectorAll('#words p').length"), 2)
        page.value(f"{button % 'view.measure'}.click()")
        page.wait("document.title.startsWith('Measure')")

    def test_back_and_forward_lead_through_the_views(self):
        page = self.open()
        page.wait_for("8 numbers")
        for key, code, title in (("2", 50, "Race"), ("4", 52, "Measure")):
            page.key(key, f"Digit{key}", code)
            page.wait(f"document.title.startsWith('{title}')")
        left = ("(() => { const event = new KeyboardEvent('keydown', {key: 'ArrowLeft', code: 'ArrowLeft', altKey: true, "
                "cancelable: true, bubbles: true}); labPage.canvas.dispatchEvent(event); return event.defaultPrevented; })()")
        self.assertFalse(page.value(left))  # but in a lesson, where it leads to the page before
        for step, title in ((-1, "Race"), (-1, "Step"), (1, "Race"), (1, "Measure")):
            page.value(f"history.go({step})")
            page.wait(f"document.title.startsWith('{title}')")
        self.assertEqual(page.value("performance.getEntriesByType('navigation')[0].type"), "navigate")

    def test_the_list_of_what_can_be_done_is_seen_while_one_is_in_it(self):
        page = self.open()
        page.wait_for("8 numbers")
        width = "document.getElementById('actions').getBoundingClientRect().width"
        self.assertEqual(page.value(width), 1)
        page.value("document.querySelector('#actions [data-id=\"step.forward\"]').focus()")
        self.assertGreater(page.value(width), 200)
        page.key("Enter", "Enter", 13, text="\r")
        page.wait_for("Items 0, 2, 4 and 6 each added two cells")

    def test_without_a_network_it_starts_again(self):
        page = Browser()  # whether it logs what it could not reach is the browser's affair
        self.addCleanup(page.__exit__)
        self.go(page, "")
        page.wait_for("8 numbers")
        page.wait("navigator.serviceWorker.ready.then(ready => ready.active && ready.active.state === 'activated')")
        self.server.accepts = False
        self.addCleanup(setattr, self.server, "accepts", True)
        self.go(page, "?n=16")
        page.wait_for("16 numbers")

    def test_embedded_it_leaves_the_page_around_it_alone(self):
        page = self.browser(width=800, height=500)
        self.go(page, "?embed&n=16")
        page.wait_for("16 numbers")
        self.assertNotEqual(page.value("document.activeElement.id"), "canvas")
        free = ("(() => { const event = new %s; labPage.canvas.dispatchEvent(event); return !event.defaultPrevented; })()")
        wheel = free % "WheelEvent('wheel', {deltaY: 100, cancelable: true, bubbles: true})"
        tab = free % "KeyboardEvent('keydown', {key: 'Tab', code: 'Tab', cancelable: true, bubbles: true})"
        self.assertTrue(page.value(wheel))
        page.click(400, 200)
        self.assertFalse(page.value(wheel))
        self.assertTrue(page.value(tab))
        page.key("ArrowRight", number=39)
        page.wait_for("each added two cells")
        page.value("dispatchEvent(new Event('pagehide'))")
        self.assertEqual(page.value("localStorage.length"), 0)
        self.assertEqual(page.value("document.getElementById('whole').getAttribute('href')"), self.address + "?n=16")

    def test_its_parts_are_named_by_what_is_in_them(self):
        page = self.open()
        page.wait_for("8 numbers")
        for address in page.requests:
            if address.startswith(self.address) and address.endswith((".js", ".css", ".bin")):
                self.assertRegex(address[len(self.address):], r"^([0-9a-f]{12}/[a-z.-]+|sw\.js)$")
        self.assertIn("preview.png", page.value("document.querySelector('meta[property=\"og:image\"]').content"))

    def test_lost_graphics_are_said(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.value("labPage.canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
        page.wait("null !== document.querySelector('#loading.failed button')")
        self.forget_errors(page)

    def test_an_address_that_asks_for_nothing_known_says_what_and_leads_on(self):
        page = self.browser()
        page.open(self.address + "?lang=de")
        page.wait("null !== document.querySelector('#loading.failed a')")
        self.assertIn("de", page.value("document.getElementById('loading').textContent"))
        self.forget_errors(page)

    def test_a_link_is_a_moment(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("b")
        page.wait_for("All passes in one launch")
        page.key("End", number=35)
        page.letter("l", alt=True)
        page.wait("location.hash.length > 20", "a link")
        link = page.value("location.href")
        self.assertEqual(page.value("labPage.pasted"), link.replace("", ""))
        words = page.words()
        other = self.open("#" + link.split("#")[1])
        other.wait_for(words.strip().split("\n")[0])
        self.assertEqual(other.words().split("item")[0], words.split("item")[0])

    def test_hostile_links_show_a_problem_and_change_nothing(self):
        page = self.browser()
        for fragment in ("m=", "m=AAAA", "m=%3Cscript%3E", "m=" + "A" * 50000, "m=eJwDAAAAAAE"):
            with self.subTest(fragment=fragment[:20]):
                self.go(page, "#" + fragment)
                page.wait_for("The link could not be read; everything is as it was")
                page.wait_for("group 0")  # the run is there
                page.key("Home", number=36)
                page.key("ArrowRight", number=39)
                page.wait_for("Items 0, 2, 4 and 6")

    def test_what_was_chosen_is_there_at_the_next_visit(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.letter("o")  # the operator
        page.wait('JSON.stringify(localStorage).includes("reduction-lab")')
        before = page.value('JSON.parse(localStorage["reduction-lab:/home/web_user/.config/reduction-lab/'
                            'settings.json"]).shape.op')
        self.assertNotEqual(before, "add")
        self.go(page, "")
        self.assertEqual(page.value('JSON.parse(localStorage["reduction-lab:/home/web_user/.config/'
                                    'reduction-lab/settings.json"]).shape.op'), before)

    def test_languages(self):
        page = self.open()
        page.wait_for("8 numbers")
        page.click(1017, 26)  # the button with the language's name
        # Its signs come with the page that is then loaded anew.
        page.wait('performance.getEntriesByType("resource").some(each => each.name.endsWith("cjk.otf"))')
        page.wait_for("8 个数")
        self.go(page, "?lang=ru")
        page.wait_for("8 чисел")

    def test_touch(self):
        page = self.open(width=360, height=740, scale=3, touch=True)
        page.wait_for("8 numbers")
        page.tap(163, 654)  # one step forward
        page.wait_for("Items 0, 2, 4 and 6")

    def test_dark_by_the_system(self):
        page = self.open(dark=True)
        settings = page.wait('localStorage["reduction-lab:/home/web_user/.config/reduction-lab/settings.json"]')
        self.assertEqual(json.loads(settings)["theme"], "dark")

    def test_what_needs_a_device_is_explained_once(self):
        page = self.open("?view=measure")
        page.letter("d", ctrl=True)
        page.wait_for("A browser has no OpenCL")


LESSON = """---
title: Two & <three>
---
## One
How many numbers are there?
```show
kernel: span-modulo
group: 4
```
```ask number
value: n
```
```after
Eight it is.
```
## Two {#groups}
```text
## no page
```
How many groups are there?
```ask number
value: groups
```
## Three
What do you think?
```ask reflect
```
"""

# A learning platform as a page sees it: strict where Moodle's is.
PLATFORM = """<!doctype html><link rel="icon" href="data:,"><title>Platform</title><iframe width="1200" height="760"></iframe>
<script>
const form = {"cmi.core.lesson_status": /^(passed|completed|failed|incomplete|browsed)$/, "cmi.core.exit": /^(time-out|suspend|logout|)$/,
  "cmi.core.score.raw": /^(100|[0-9]{1,2})$/, "cmi.core.score.min": /^0$/, "cmi.core.score.max": /^100$/,
  "cmi.core.session_time": /^([0-9]{2,4}):([0-9]{2}):([0-9]{2})$/, "cmi.core.lesson_location": /^[!-~]{0,255}$/,
  "cmi.suspend_data": /^[ -~]{0,4096}$/};
let running = false, refuses = /^$/;
let values = {"cmi.core.student_id": "ada", "cmi.core.lesson_status": "not attempted"}, committed = {}, calls = [];
function answer(name, is_right) {
  calls.push(name);
  return String(is_right && !refuses.test(name));
}
var API = {
  LMSInitialize: none => answer("LMSInitialize", !running && none === "" && (running = true)),
  LMSFinish: none => answer("LMSFinish", running && none === "" && (committed = {...values}) && !(running = false)),
  LMSCommit: none => answer("LMSCommit", running && none === "" && (committed = {...values})),
  LMSGetValue: name => running && values[name] || "",
  LMSSetValue: (name, value) => {
    const taken = answer(name, running && name in form && form[name].test(value));
    if (taken === "true") values[name] = value;
    return taken;
  },
  LMSGetLastError: () => "101", LMSGetErrorString: () => "General exception",
};
</script>"""
PART = '<!doctype html><iframe src="lesson/index.html" width="1100" height="700"></iframe>'


class PlatformTest(ServedTest):
    """A lesson's SCORM package, in a frame of a frame of a learning platform."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "two").mkdir()
        (cls.folder / "two/lesson.md").write_text(LESSON)
        (cls.folder / "platform.html").write_text(PLATFORM)
        (cls.folder / "part.html").write_text(PART)
        subprocess.run([sys.executable, ROOT / "web/scorm.py", cls.folder / "two", "-o", cls.folder / "two.zip"],
                       check=True, stdout=subprocess.DEVNULL)
        zipfile.ZipFile(cls.folder / "two.zip").extractall(cls.folder / "lesson")
        super().setUpClass()

    def open_platform(self, before="0"):
        page = self.browser()
        page.open(self.address + "platform.html")
        page.wait("document.title === 'Platform'")
        page.value(before)
        self.begin(page)
        return page

    def begin(self, page):
        page.enter(0)
        page.value("document.querySelector('iframe').src = 'part.html'; 0")
        page.wait("frames[0].length && null !== frames[0][0].document.getElementById('words')")
        page.enter(2)
        page.wait('typeof labPage !== "undefined" && labPage.shown')

    def end(self, page):
        page.enter(0)
        page.value("document.querySelector('iframe').src = 'about:blank'; 0")
        page.wait("frames[0].location.href === 'about:blank'")

    def platform(self, page, expression):
        page.enter(0)
        try:
            return page.value(expression)
        finally:
            page.enter(2)

    def wait_for_values(self, page, **expected):
        """What the platform has kept of cmi.core."""
        page.enter(0)
        for name, value in expected.items():
            key = "cmi.core." + ("score.raw" if name == "raw" else name)
            page.wait(f"(committed['{key}'] || '') === '{value}'", f"{key} {value}")
        page.enter(2)

    def reply(self, page, text):
        page.wait("document.activeElement.id === 'keyboard'", "the field's focus")
        page.letter("a", ctrl=True)
        page.type(text + "\n")

    def turn(self, page, way):
        """To the next page, or back."""
        page.wait("document.activeElement.id === 'canvas' && labPage.place === 'view.learn'", "the picture's focus")
        page.key("Arrow" + way, number={"Left": 37, "Right": 39}[way], alt=True)

    def test_what_is_answered_is_reported(self):
        page = self.open_platform()
        page.wait_for("How many numbers are there?")
        self.wait_for_values(page, lesson_status="incomplete", raw="")
        self.reply(page, "5")
        self.wait_for_values(page, lesson_status="incomplete", raw="0")
        self.reply(page, "8")
        self.wait_for_values(page, lesson_status="incomplete", raw="50", lesson_location="one", exit="suspend")
        self.turn(page, "Right")
        page.wait_for("How many groups are there?")
        page.letter("g", alt=True)  # shown, so not right
        self.wait_for_values(page, lesson_status="completed", raw="50")
        self.turn(page, "Right")
        page.wait_for("What do you think?")
        self.end(page)
        self.assertEqual(page.wait("calls.includes('LMSFinish') && calls.filter(call => /^LMS/.test(call)).join(' ')"),
                         "LMSInitialize LMSCommit LMSCommit LMSCommit LMSCommit LMSFinish")
        self.assertRegex(page.value("committed['cmi.core.session_time']"), r"^\d\d:\d\d:\d\d$")
        self.assertEqual(page.value("committed['cmi.core.lesson_location']"), "three")

        # Another computer has the answers from the platform; another student and attempt begin from nothing.
        page.value("localStorage.clear()")
        self.begin(page)
        page.wait_for("What do you think?")
        self.turn(page, "Left")
        self.turn(page, "Left")
        page.wait_for("Eight it is.")
        self.wait_for_values(page, lesson_status="completed", raw="50")
        self.end(page)
        for before in ("committed = {}; values = {'cmi.core.student_id': 'bob'}", "committed = {}; values = {'cmi.core.student_id': 'ada'}"):
            page.value(before)
            self.begin(page)
            page.wait_for("How many numbers are there?")
            self.assertNotIn("Eight it is.", page.words())
            self.wait_for_values(page, lesson_status="incomplete", raw="")
            self.end(page)

    def test_with_a_mastery_score_it_is_passed_or_failed(self):
        for mastery, status in (("50", "passed"), ("51", "failed")):
            page = self.open_platform(f"values['cmi.student_data.mastery_score'] = '{mastery}'")
            page.wait_for("How many numbers are there?")
            self.reply(page, "8")
            page.wait_for("Eight it is.")
            self.wait_for_values(page, lesson_status="incomplete", raw="")
            self.turn(page, "Right")
            page.wait_for("How many groups are there?")
            page.letter("g", alt=True)
            self.wait_for_values(page, lesson_status=status, raw="50")

    def test_what_a_platform_refuses_is_said_once_and_sent_later(self):
        page = self.open_platform("refuses = /LMS/; 0")
        page.enter(2)
        page.wait("null !== document.getElementById('note-not_reported')")
        self.end(page)
        page.value("refuses = /^$/; running = false")
        self.begin(page)
        self.assertIsNone(page.value("document.getElementById('note-not_reported')"))
        self.platform(page, "refuses = /cmi/; 0")
        self.reply(page, "8")
        page.wait_for("Eight it is.")
        page.wait("null !== document.getElementById('note-not_reported')")
        page.value("document.querySelector('#note-not_reported button').click()")
        self.turn(page, "Right")
        page.wait_for("How many groups are there?")
        self.assertIsNone(page.value("document.getElementById('note-not_reported')"))
        self.end(page)
        self.assertEqual(page.value("committed['cmi.core.score.raw'] || ''"), "")
        page.value("refuses = /^$/; values['cmi.core.student_id'] = 'bob'")
        self.begin(page)
        page.wait_for("How many numbers are there?")  # whoever uses this browser next has given no answer
        self.assertNotIn("Eight it is.", page.words())
        self.end(page)
        page.value("values = {'cmi.core.student_id': 'ada'}")
        self.begin(page)
        self.wait_for_values(page, lesson_status="incomplete", raw="50")
        self.platform(page, "refuses = /LMSCommit/; 0")
        self.reply(page, "2")
        page.wait("null !== document.getElementById('note-not_reported')")

    def test_a_teacher_who_looks_changes_nothing(self):
        page = self.open_platform("values['cmi.core.lesson_mode'] = 'review'")
        page.wait_for("How many numbers are there?")
        self.reply(page, "8")
        page.wait_for("Eight it is.")
        self.end(page)
        self.assertEqual(page.wait("calls.includes('LMSFinish') && calls.join(' ')"), "LMSInitialize LMSFinish")

    def test_long_answers_keep_their_marks(self):
        page = self.open_platform()
        pages = {"one": {"right": True, "tries": 2, "seed": 0, "wrong": [{"texts": ["5"]}], "answer": {"texts": ["8"], "picks": [0]}},
                 "groups": {"given_up": True, "answer": {"texts": ["é" * 10]}}}
        shortened = lambda: page.value(f"labPlatform.shortened({json.dumps({'pages': pages})})")
        self.assertEqual(json.loads(shortened()["text"]), json.loads(
            '{"pages": {"one": {"right": true, "tries": 2, "wrong": [{"texts": ["5"]}], "answer": {"texts": ["8"], "picks": [0]}},'
            ' "groups": {"given_up": true, "answer": {"texts": ["%s"]}}}}' % ("é" * 10)))
        self.assertTrue(shortened()["whole"])
        pages["one"]["wrong"][0]["texts"][0] = "x" * 4096
        self.assertEqual(json.loads(shortened()["text"])["pages"]["one"],
                         {"right": True, "tries": 2, "answer": {"texts": ["8"], "picks": [0]}})
        pages["groups"]["answer"]["texts"][0] = "é" * 700  # of six signs each
        self.assertEqual(json.loads(shortened()["text"])["pages"],
                         {"one": {"right": True, "tries": 2, "answer": {"picks": [0]}}, "groups": {"given_up": True, "answer": {}}})
        self.assertFalse(shortened()["whole"])

    def test_the_platform_may_be_the_window_that_opened_it(self):
        page = self.browser()
        page.open(self.address + "platform.html")
        page.wait("document.title === 'Platform'")
        page.call("Runtime.evaluate", expression="window.open('lesson/index.html')", userGesture=True)
        page.wait("committed['cmi.core.lesson_status'] === 'incomplete'")

    def test_without_a_platform_it_says_so_and_is_as_always(self):
        page = self.open("lesson/index.html")
        page.wait_for("How many numbers are there?")
        page.wait("null !== document.getElementById('note-no_platform')")
        self.reply(page, "8")
        page.wait_for("Eight it is.")
        self.assertTrue(json.loads(page.value(
            "localStorage['reduction-lab:/home/web_user/.config/reduction-lab/lessons/two.json']"))["pages"]["one"]["right"])
        page.value("labPage.call('lab_run', ['string'], ['learn.previous_lesson']); labPage.wake()")
        self.turn(page, "Right")
        page.wait_for("How many groups are there?")  # there is no other lesson


class PackageTest(unittest.TestCase):
    """What web/scorm.py writes."""

    IMS, ADL = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}", "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.own = self.folder / "two & three"
        self.own.mkdir()
        (self.own / "lesson.md").write_text(LESSON)

    def run_it(self, *words):
        return subprocess.run([sys.executable, ROOT / "web/scorm.py", *words], cwd=self.folder, text=True, capture_output=True)

    def test_its_manifest_names_every_file(self):
        for lesson, title, mastery in (("01-a-tree", "A tree instead of a line", None), (self.own, "Two & <three>", "60")):
            done = self.run_it(lesson, "-o", "out.zip", *(["--pass", mastery] if mastery else []))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "wrote out.zip\n", ""))
            archive = zipfile.ZipFile(self.folder / "out.zip")
            self.assertIsNone(archive.testzip())
            manifest = xml.fromstring(archive.read("imsmanifest.xml"))
            self.assertRegex(manifest.get("identifier"), r"^[A-Za-z_][\w.-]*$")
            resource = manifest.find(f".//{self.IMS}resource")
            self.assertEqual(sorted([*(file.get("href") for file in resource), "imsmanifest.xml"]), sorted(archive.namelist()))
            self.assertEqual((resource.get("href"), resource.get(self.ADL + "scormtype")), ("index.html", "sco"))
            item = manifest.find(f".//{self.IMS}item")
            self.assertEqual(item.get("identifierref"), resource.get("identifier"))
            self.assertEqual(item.find(self.IMS + "title").text, title)
            self.assertEqual(item.findtext(self.ADL + "masteryscore"), mastery)
            page = archive.read("index.html").decode()
            for part in ("page.js", "scorm.js", "page.css"):
                self.assertRegex(page, rf'"[0-9a-f]{{12}}/{part}"')
            self.assertLessEqual(set(re.findall(r'"([0-9a-f]{12}/[^"]+)"', page)), set(archive.namelist()))

    def test_its_pages_are_those_that_are_graded(self):
        self.assertEqual(scorm.checked_pages(LESSON), ["one", "groups"])
        cli = ROOT / "build/release/bin/reduction-lab-cli"
        if not cli.exists():
            self.skipTest("there is no reduction-lab-cli to compare with")
        lessons = json.loads(subprocess.run([cli, "lesson", "check", ROOT / "assets/lessons", "--json"],
                                            check=True, capture_output=True).stdout)["lessons"]
        self.assertGreater(len(lessons), 10)
        for lesson in lessons:
            self.assertEqual(scorm.checked_pages((ROOT / "assets/lessons" / lesson["id"] / "lesson.md").read_text()),
                             [page["id"] for page in lesson["pages"] if page.get("kind") not in ("", None, "reflect", "measure")])

    def test_bad_input_is_named(self):
        (self.folder / "words").mkdir()
        (self.folder / "words/lesson.md").write_text("---\ntitle: Words\n---\n## One\nNothing is asked.\n")
        for words, said in ((["99-none"], "There is no lesson '99-none'"), (["."], "There is no lesson '.'"),
                            (["words"], "asks nothing that can be checked"),
                            (["01-a-tree", "--site", "."], "There is no page for browsers in ."),
                            (["01-a-tree", "--pass", "101"], "'101' is no score from 0 to 100"),
                            (["01-a-tree", "-o", "none/x.zip"], "none/x.zip cannot be written: No such file"),
                            (["01-a-tree", "-o", self.own / "lesson.md/x.zip"], "x.zip cannot be written: Not a directory")):
            done = self.run_it(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["two & three", "words"])

    def test_it_is_written_whole_or_not_at_all(self):
        out = self.folder / "out.zip"
        out.write_text("of before")
        write = zipfile.ZipFile.writestr

        def fill_disk(archive, entry, *rest):
            if entry.filename == "second":
                raise OSError(28, "No space left on device")
            write(archive, entry, *rest)

        files = {"first": b"1", "second": b"2"}
        with unittest.mock.patch.object(zipfile.ZipFile, "writestr", fill_disk), self.assertRaises(SystemExit) as ended:
            scorm.write(files, out)
        self.assertEqual(str(ended.exception), f"{out} cannot be written: No space left on device")
        self.assertEqual(out.read_text(), "of before")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.zip", "two & three"])
        scorm.write(files, out)
        self.assertEqual(zipfile.ZipFile(out).read("second"), b"2")


if __name__ == "__main__":
    if find_chromium() is None or not SITE.is_dir():
        print("Skipped: there is no Chromium, or no page: ./web.sh --build makes it")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
