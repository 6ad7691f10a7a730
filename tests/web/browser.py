"""Headless Chromium, driven over its protocol (Chrome DevTools Protocol) by a pipe."""

import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
PATIENCE = 300  # seconds: that something never comes; machines differ


def find_chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """A browser with one page. Everything that the page says or asks for is kept: `console`, `requests`."""

    def __init__(self, width=1280, height=800, scale=1, touch=False, dark=False, language="en-US"):
        self.profile = tempfile.mkdtemp(prefix="reduction-lab-browser-")
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()

        def keep_pipe():  # the browser reads 3 and writes 4
            os.dup2(to_browser, 200)
            os.dup2(from_browser, 201)
            os.dup2(200, 3)
            os.dup2(201, 4)

        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
             "--disable-default-apps", "--disable-extensions", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--mute-audio", "--hide-scrollbars", f"--lang={language}",
             f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=keep_pipe, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._replies, self._events, self._last = {}, [], 0
        self._arrived = threading.Condition()
        self.console, self.requests, self.downloads = [], [], queue.Queue()
        self._contexts, self._frame = {}, None
        threading.Thread(target=self._read, daemon=True).start()
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self):
        rest = b""
        while part := os.read(self._from, 1 << 16):
            *messages, rest = (rest + part).split(b"\0")
            for message in map(json.loads, messages):
                with self._arrived:
                    if "id" in message:
                        self._replies[message["id"]] = message
                    else:
                        self._note(message["method"], message.get("params", {}))
                    self._arrived.notify_all()

    def _note(self, method, params):
        if method == "Runtime.consoleAPICalled":
            self.console.append((params["type"], " ".join(str(a.get("value", a.get("description")))
                                                          for a in params["args"])))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(("error", details.get("exception", {}).get("description", details["text"])))
        elif method == "Log.entryAdded":
            entry = params["entry"]
            self.console.append((entry["level"], f'{entry["text"]} {entry.get("url", "")}'))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.executionContextCreated" and params["context"]["auxData"]["isDefault"]:
            self._contexts[params["context"]["auxData"]["frameId"]] = params["context"]["id"]

    def call(self, method, **params):
        """What the browser answers; raises where it says no."""
        with self._arrived:
            self._last += 1
            number = self._last
        message = {"id": number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        with self._arrived:
            if not self._arrived.wait_for(lambda: number in self._replies, PATIENCE):
                raise TimeoutError(f"No answer to {method}")
            reply = self._replies.pop(number)
        if "error" in reply:
            raise RuntimeError(f'{method}: {reply["error"]["message"]}')
        return reply["result"]

    def open(self, address):
        self._frame = None
        self.call("Page.navigate", url=address)

    def enter(self, depth):
        """From now on it is about a frame so deep in the page; 0: the page itself."""
        self._frame = None
        tree = self.call("Page.getFrameTree")["frameTree"]
        for _ in range(depth):
            tree = tree["childFrames"][0]
            self._frame = tree["frame"]["id"]

    def value(self, expression):
        """Of JavaScript in the page; promises are waited for."""
        place = {"contextId": self._contexts[self._frame]} if self._frame else {}
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, **place)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description"))
        return result["result"].get("value")

    def wait(self, expression, what=None):
        """Until the expression is true in the page."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if found := self.value(expression):
                    return found
            except RuntimeError:  # the page is being loaded
                pass
            time.sleep(0.05)
        raise TimeoutError(f"{what or expression} never came; on screen:\n{self.words()}")

    def next_frame(self):
        try:
            self.value("new Promise(requestAnimationFrame)")
        except RuntimeError:  # the page was loaded anew
            pass

    def words(self):
        """What the page tells readers of the screen."""
        return self.value('(document.getElementById("words") || document.body).textContent') or ""

    def wait_for(self, words):
        self.wait(f'document.getElementById("words").textContent.includes({json.dumps(words)})', words)

    def key(self, key, code=None, number=0, ctrl=False, alt=False, shift=False, text=None):
        held = [each for each, on in (("Alt", alt), ("Control", ctrl), ("Shift", shift)) if on]
        bits = {"Alt": (1, 18), "Control": (2, 17), "Shift": (8, 16)}
        modifiers = sum(bits[each][0] for each in held)
        for each in held:
            self.call("Input.dispatchKeyEvent", type="rawKeyDown", key=each, code=each + "Left",
                      windowsVirtualKeyCode=bits[each][1], modifiers=modifiers)
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        for each in held:
            self.call("Input.dispatchKeyEvent", type="keyUp", key=each, code=each + "Left",
                      windowsVirtualKeyCode=bits[each][1])
        self.next_frame()

    def letter(self, letter, **held):
        self.key(letter, "Key" + letter.upper(), ord(letter.upper()), text=None if held else letter, **held)

    def type(self, text):
        for letter in text:
            if letter == "\n":
                self.key("Enter", "Enter", 13, text="\r")
            else:
                self.call("Input.insertText", text=letter) if ord(letter) > 126 else \
                    self.call("Input.dispatchKeyEvent", type="char", text=letter, key=letter)
        self.next_frame()

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      buttons=0 if kind == "mouseMoved" else 1, clickCount=1)
            self.next_frame()

    def tap(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.next_frame()
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.next_frame()

    def drag(self, *paths):
        """Fingers that each go along their points, in steps."""
        point = lambda i: [{"x": path[i][0], "y": path[i][1], "id": n} for n, path in enumerate(paths)]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=point(0))
        self.next_frame()
        for i in range(1, len(paths[0])):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=point(i))
            self.next_frame()
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.next_frame()

    def compose(self, *stages, chosen=None):
        """A word that an input method composes, and what is chosen for it in the end."""
        for stage in stages:
            self.call("Input.imeSetComposition", text=stage, selectionStart=len(stage), selectionEnd=len(stage))
            self.next_frame()
        self.call("Input.insertText", text=chosen or stages[-1])
        self.next_frame()

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))
