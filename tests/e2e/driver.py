"""Drives the real window as a person would: by keys and the mouse of a display of its own, and
looks at it through the pipe of reduction-lab-driven, which is built with the tests.

    class Story(WindowTest):
        def test_steps_back(self):
            app = self.open("--size", "1600x900")
            app.press("Left")
            app.click("step.back")
            self.assertEqual(app.state()["step"]["cursor"], 1)

Nothing is changed but by keys and the mouse; the pipe is for looking.
"""
import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from picture import Picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("LAB_BIN", ROOT / "build/release/bin"))
LONGEST = 120  # seconds: no criterion, only an end to a test that would wait for ever
SCREEN = "2560x1600x24"

# Names of keys as the command table has them, where the X keyboard calls them otherwise.
KEYSYMS = {"Space": "space", "Enter": "Return", "+": "plus", "-": "minus", "?": "question",
           "PageUp": "Prior", "PageDown": "Next", "Backspace": "BackSpace", "Ctrl": "ctrl",
           "Shift": "shift", "Alt": "alt"}
# Function keys by keycode: with a newer keyboard table xdotool would send Alt+F1 for "F1".
KEYSYMS |= {f"F{i}": str(66 + i) for i in range(1, 11)} | {"F11": "95"}


def keysym(key):
    """"Ctrl+Shift+Z" as xdotool has it: "ctrl+shift+z"."""
    plus = key == "+" or key.endswith("++")
    words = (key[:-1] if plus else key).split("+")
    words = [word for word in words if word] + (["+"] if plus else [])
    return "+".join(KEYSYMS.get(word, word.lower() if len(word) == 1 else word) for word in words)


class Refused(Exception):
    """The app refused what was asked; its `problem` says why."""

    def __init__(self, problem):
        super().__init__(f'{problem["what"]}: {problem.get("why", "")}')
        self.problem = problem


class Display:
    """An X server of its own."""

    def __init__(self, screen=SCREEN):
        reads, writes = os.pipe()
        self.server = subprocess.Popen(
            # No key that a busy machine lets go late is typed twice (-r).
            ["Xvfb", "-displayfd", str(writes), "-screen", "0", screen, "-r", "-nolisten", "tcp"],
            pass_fds=[writes], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(writes)
        with os.fdopen(reads) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        self.name = f":{number}"

    def close(self):
        self.server.terminate()
        self.server.wait()


class App:
    """A running reduction-lab."""

    def __init__(self, display, folder, arguments, painted=True):
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, DISPLAY=display.name, WAYLAND_DISPLAY="",
                                XDG_CONFIG_HOME=str(self.folder / "config"))
        if not painted:
            self.environment["LAB_UNPAINTED"] = "1"
        self.errors = open(self.folder / "stderr", "ab+")
        self.process = subprocess.Popen(
            [str(BIN / "reduction-lab-driven"), *arguments], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.unread, self.asked, self.shots = b"", 0, 0
        self.ask("state")  # there is a window
        words = self._xdotool("search", "--sync", "--onlyvisible", "--name", "Reduction Lab")
        self.window = words.split()[0]
        self._xdotool("windowfocus", "--sync", self.window)
        self._xdotool("mousemove", "--window", self.window, "1", "1")

    # Looking.

    def ask(self, method, **parameters):
        """One request through the pipe, and its result."""
        self.asked += 1
        self.tell_line(json.dumps({"id": self.asked, "method": method, "parameters": parameters}))
        reply = self.reply()
        assert reply["id"] == self.asked, reply
        if "problem" in reply:
            raise Refused(reply["problem"])
        return reply["result"]

    def tell_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def reply(self):
        """The next line that the app answers."""
        end = time.monotonic() + LONGEST
        while b"\n" not in self.unread:
            ready, _, _ = select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))
            piece = os.read(self.process.stdout.fileno(), 1 << 20) if ready else b""
            if not piece:
                raise AssertionError(f"the app {'ended' if ready else 'does not answer'}:\n"
                                     + self.error_text())
            self.unread += piece
        line, self.unread = self.unread.split(b"\n", 1)
        return json.loads(line)

    def error_text(self):
        return (self.folder / "stderr").read_text(errors="replace")

    def settle(self):
        """Until nothing is under way and what was done is on screen."""
        self.ask("settle")

    def state(self, settled=True):
        """What the app says of itself, once nothing is under way (else at once)."""
        if settled:
            self.settle()
        return self.ask("state")

    def wait(self, until, settled=False):
        """The first state for which `until(state)` holds."""
        end = time.monotonic() + LONGEST
        while True:
            state = self.state(settled)
            if until(state):
                if settled:
                    self.settle()  # it may have come since, and not be on screen yet
                return state
            assert time.monotonic() < end, "this never came:\n" + json.dumps(state, indent=1)
            time.sleep(0.03)

    def widgets(self):
        return self.ask("widgets")

    def find(self, widget):
        """A widget by its id, or by "panel/id"; nothing if there is none in sight."""
        panel, _, name = widget.rpartition("/")
        for candidate in self.widgets():
            if candidate["id"] == name and panel in ("", candidate["panel"]) and \
                    candidate["visible"]:
                return candidate
        return None

    def widget(self, widget):
        found = self.find(widget)
        assert found, f"{widget} is not in sight; there are " + \
            ", ".join(sorted({s["panel"] + "/" + s["id"] for s in self.widgets() if s["visible"]}))
        return found

    def place(self, widget, x=0.5, y=0.5):
        left, top, width, height = self.widget(widget)["area"]
        return round(left + min(x * width, width - 1)), round(top + min(y * height, height - 1))

    def picture(self, widget=None, settled=True):
        """The window as it is, or what is within a widget."""
        if settled:
            self.settle()
        self.shots += 1
        file = self.folder / f"shot{self.shots}.png"
        area = {"area": self.widget(widget)["area"]} if widget else {}
        self.ask("screenshot", file=str(file), **area)
        return Picture(file)

    # Doing.

    def _xdotool(self, *words):
        done = subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True,
                              capture_output=True, text=True, timeout=LONGEST)
        return done.stdout

    def press(self, *keys):
        """Keys one after the other, as "Right", "Ctrl+Z", "+"."""
        for key in keys:
            *held, last = keysym(key).split("+")
            # As a hand does it, which holds Ctrl a while before it presses the letter.
            for modifier in held:
                self._xdotool("keydown", modifier)
                self._seen()
            self._xdotool("key", last)
            for modifier in reversed(held):
                self._seen()
                self._xdotool("keyup", modifier)

    def _seen(self):
        """Some frames later."""
        for _ in range(2):
            if self.process.stdin.closed or self.process.stdout.closed:
                time.sleep(0.1)
            else:
                self.ask("state")

    def type(self, text, delay=15):
        self._xdotool("type", "--delay", delay, "--", text)

    def paste(self, text):
        """Into the field that has the keys, from the clipboard."""
        self.ask("clipboard", text=text)
        self.press("Ctrl+A", "Ctrl+V")

    def keys(self, *keys):
        """Keys at a typist's pace, in one go; for many of them."""
        if keys:
            self._xdotool("key", "--delay", "15", *map(keysym, keys))

    def clicks(self, *widgets):
        """One after the other, in one go: none of them moves another."""
        words = []
        for widget in widgets:
            words += ["mousemove", "--window", self.window, *self.place(widget), "click", 1,
                      "sleep", 0.04]
        if words:
            self._xdotool(*words)

    def hover(self, widget, x=0.5, y=0.5):
        self._xdotool("mousemove", "--window", self.window, *self.place(widget, x, y))

    def click(self, widget, x=0.5, y=0.5, button=1, times=1, settled=True):
        if settled:
            self.settle()  # where things lie does not change any more
        self.hover(widget, x, y)
        self._xdotool("click", "--repeat", times, "--delay", "60", button)

    def tap(self, widget):
        """As a finger does it, which is nowhere before it presses."""
        self.settle()
        self._xdotool("mousemove", "--window", self.window, *self.place(widget), "click", 1)

    def choose(self, widget, text):
        """The entry of a list that opens, by what it says."""
        self.click(widget)
        self.wait(lambda state: state["hands"]["list_open"])
        self.settle()
        entries = {entry["text"]: entry for entry in self.widgets() if entry["panel"] == "popup"}
        assert text in entries, f"{widget} offers {sorted(entries)}"
        self.click("popup/" + entries[text]["id"])
        self.wait(lambda state: not state["hands"]["list_open"])

    def fill(self, widget, text, end="Enter"):
        """A field's text, in place of the one that was there."""
        self.click(widget)
        self.wait(lambda state: state["hands"]["typing"])
        self.press("Ctrl+A")
        self.type(text)
        if end:
            self.press(end)
            # A key that comes before the field has let go is still typed into it.
            self.wait(lambda state: not state["hands"]["typing"])

    def drag(self, widget, start, to, y=0.5, steps=8):
        """Along a widget, from one part of its width to another."""
        self.settle()
        self.hold(widget, start, y)
        for step in range(1, steps + 1):
            self.hover(widget, start + (to - start) * step / steps, y)
            time.sleep(0.02)
        self._xdotool("mouseup", 1)

    def hold(self, widget, x=0.5, y=0.5):
        """The mouse's button goes down there, and stays so."""
        self.hover(widget, x, y)
        self._xdotool("mousedown", 1)

    def scroll(self, widget, clicks):
        """The wheel over a widget: down, or up where `clicks` is below 0."""
        self.hover(widget)
        self._xdotool("click", "--repeat", abs(clicks), "--delay", "30", 5 if clicks > 0 else 4)

    def reveal(self, widget, within):
        """Scrolls a panel until the widget is in sight, at the wheel's pace."""
        for clicks in (-40, *[2] * 40):
            self.scroll(within, clicks)
            self.settle()
            found = self.find(widget)
            if found and found["area"][3] > 12:
                return
        self.widget(widget)  # says what there is

    def quit(self):
        """By its key; returns the exit status."""
        self._xdotool("key", "ctrl+q")
        return self.process.wait(LONGEST)

    def close(self):
        if self.process.poll() is None:
            with contextlib.suppress(BrokenPipeError, AssertionError, Refused):
                self.ask("quit")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


class WindowTest(unittest.TestCase):
    """Each test has a display and settings of its own; what ImGui complains of fails it."""

    painted = False  # but for the pictures it asks for: painting is most of what a frame costs here

    def setUp(self):
        lacking = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
        if lacking:
            self.skipTest(f"{' and '.join(lacking)}: not installed (third_party/setup.sh tests)")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.display = Display()
        self.addCleanup(self.display.close)

    def open(self, *arguments, settled=True):
        """Starts the app; of its settings the ones of an earlier start of the same test hold."""
        app = App(self.display, self.folder, arguments or ("--size", "1600x900"),
                  self.painted)
        self.addCleanup(self._end, app)
        if settled:
            app.settle()
        return app

    def _end(self, app):
        app.close()
        self.assertNotIn("imgui-error", app.error_text())
        self.assertEqual(app.process.returncode, 0, app.error_text())
