"""The window as a whole: looks, endings, a worker that dies, and the pipe itself."""
import json
import os
import signal
import time
import unittest
from unittest import mock

from driver import Refused, WindowTest


class Looks(WindowTest):
    def test_language_changes_every_word_and_comes_back(self):
        app = self.open()
        english = {widget["id"]: widget["text"] for widget in app.widgets() if widget["text"]}
        app.press("Ctrl+L")
        app.wait(lambda s: s["settings"]["language"] == "zh")
        chinese = {widget["id"]: widget["text"] for widget in app.widgets() if widget["text"]}
        for id in ("view.step", "view.measure", "relaunch", "language.next"):
            self.assertNotEqual(chinese[id], english[id], id)
        app.click("language.next")
        app.wait(lambda s: s["settings"]["language"] == "ru")
        app.click("language.next")
        app.wait(lambda s: s["settings"]["language"] == "en")
        self.assertEqual({s["id"]: s["text"] for s in app.widgets() if s["text"]}, english)

    def test_theme_changes_the_ground_and_nothing_of_the_run(self):
        app = self.open()
        before = app.state()
        light = app.picture("figure").at(0, 0)
        app.press("Ctrl+T")
        app.wait(lambda s: s["settings"]["theme"] == "dark")
        dark = app.picture("figure").at(0, 0)
        self.assertGreater(sum(light), 3 * 200)
        self.assertLess(sum(dark), 3 * 80)
        after = app.state()
        self.assertEqual((after["step"], after["choice"]), (before["step"], before["choice"]))

    def test_scale_makes_everything_larger_and_smaller(self):
        app = self.open()
        before = app.widget("step.play")["area"]
        app.press("Ctrl++", "Ctrl++", "Ctrl++")
        self.assertAlmostEqual(app.state()["settings"]["scale"], 1.331, places=2)
        self.assertGreater(app.widget("step.play")["area"][3], before[3] * 1.25)
        app.press("Ctrl+0")
        app.settle()
        self.assertEqual(app.widget("step.play")["area"], before)
        app.click("scale.smaller")
        self.assertLess(app.state()["settings"]["scale"], 1)

    def test_the_scale_buttons_stand_still_under_the_mouse(self):
        for language in ("en", "ru", "zh"):
            app = self.open("--size", "1280x720", "--lang", language)
            app.press("Ctrl+0")
            app.wait(lambda s: s["settings"]["scale"] == 1)
            for button, clicks, grows in (("scale.larger", 2, True), ("scale.smaller", 4, False)):
                area = app.widget(button)["area"]
                app.hover(button)
                for _ in range(clicks):
                    before = app.state()["settings"]["scale"]
                    app._xdotool("click", "1")
                    app.wait(lambda s: (s["settings"]["scale"] > before) == grows and
                             s["settings"]["scale"] != before)
                    for now, then in zip(app.widget(button)["area"], area):
                        self.assertAlmostEqual(now, then, delta=1, msg=f"{language} {before}")
            app.quit()

    def test_a_key_closes_a_tooltip_until_the_mouse_moves(self):
        app = self.open()
        app.press("Home")
        app.hover("theme.next")
        app.press("Right")
        app.wait(lambda s: s["step"]["cursor"] == 1)
        time.sleep(1)  # longer than a tip waits
        plain = app.picture()
        app.hover("theme.next", 0.4)
        app.wait(lambda s: app.picture() != plain)
        app.press("Left", "Right")
        app.wait(lambda s: app.picture() == plain)
        time.sleep(1)
        self.assertEqual(app.picture(), plain)
        app.hover("theme.next", 0.6)
        app.wait(lambda s: app.picture() != plain)

    def test_what_a_tab_is_for_covers_nothing_of_the_view(self):
        app = self.open()
        bar = app.picture("view.measure")
        before = app.picture("/step")
        whole = app.picture()
        app.hover("view.step")
        app.wait(lambda s: app.picture() != whole)
        time.sleep(1)  # longer than a tip waits
        self.assertEqual(app.picture("/step"), before)
        self.assertEqual(app.picture("view.measure"), bar)

    def test_side_by_side_has_a_button_in_a_small_window(self):
        app = self.open("--size", "1600x900", "--scale", "2", "--variant", "span-modulo")
        app.click("toggle.beside")
        app.wait(lambda s: app.find("other"))
        app.click("toggle.beside")
        app.wait(lambda s: not app.find("other"))

    def test_views_change_by_digits_and_by_tabs(self):
        app = self.open()
        for key, view in [("4", "measure"), ("3", "lattice"), ("1", "step")]:
            app.press(key)
            self.assertEqual(app.state()["view"], view)
        for view in ("lattice", "measure", "step"):
            app.click("view." + view)
            self.assertEqual(app.state()["view"], view)

    def test_the_device_badge_opens_a_panel_of_the_devices(self):
        app = self.open()
        shown = lambda: app.state()["over"]["overlay"]
        self.assertIsNone(app.find("view.devices"))
        app.click("status")
        self.assertEqual(shown(), "devices")
        app.wait(lambda s: app.find("copy.intel-opencl-icd"))  # PoCL alone: how to get a GPU's
        app.click("copy.intel-opencl-icd")
        self.assertEqual(shown(), "devices")
        app.click("status")
        self.assertEqual(shown(), "")
        app.click("devices")
        self.assertEqual(shown(), "devices")
        app.press("Escape")
        self.assertEqual(shown(), "")
        app.press("2", "Ctrl+D")
        self.assertEqual((shown(), app.state()["view"]), ("devices", "race"))
        app.click("devices.ask")
        self.assertEqual(shown(), "devices")
        app.press("Ctrl+D")
        self.assertEqual(shown(), "")
        app.press("7")  # six views have digits
        self.assertEqual(app.state()["view"], "race")

    def test_a_device_is_chosen_in_the_panel(self):
        with mock.patch.dict(os.environ, POCL_DEVICES="pthread basic"):
            app = self.open("--show", "devices")
        app.wait(lambda s: s["over"]["overlay"] == "devices" and len(s["devices"]["ids"]) == 2)
        first, second = app.state()["devices"]["ids"]
        app.click("use" + second)
        app.wait(lambda s: s["devices"]["in_use"] == second)
        app.click("use" + first)
        app.wait(lambda s: s["devices"]["in_use"] == first)

    def test_a_badge_of_another_way_shows_it_by_its_words_and_the_panel_by_its_arrow(self):
        app = self.open("--variant", "span-modulo", "--set", "BARRIER=group",
                        "--source", "machine")
        state = app.wait(lambda s: s["witness"], settled=True)
        app.click("devices")
        self.assertEqual(app.state()["over"]["overlay"], "devices")
        app.press("Escape")
        if state["witness"]["verdict"] == "explained":
            app.click("status")
            self.assertEqual(app.state()["over"]["overlay"], "")
            app.wait(lambda s: s["settings"]["machine"]["order"] == "auto")

    def test_what_was_chosen_is_there_at_the_next_start(self):
        app = self.open()
        app.press("Ctrl+T", "4")
        app.settle()
        self.assertEqual(app.quit(), 0)
        state = self.open().state()
        self.assertEqual((state["settings"]["theme"], state["view"]), ("dark", "measure"))


class Endings(WindowTest):
    def gone(self, process):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "Z"

    def test_closes_in_the_middle_of_a_measurement_and_leaves_no_worker(self):
        app = self.open("--size", "1600x900", "--measure", settled=False)
        state = app.wait(lambda s: s["measure"]["waiting"] and s["workers"]["measure"]["process"])
        workers = [worker["process"] for worker in state["workers"].values() if worker["process"]]
        self.assertEqual(app.quit(), 0)
        for worker in workers:
            self.assertTrue(self.gone(worker), worker)

    def test_closes_in_the_middle_of_a_drag(self):
        app = self.open()
        app.hold("scrubber", 0.5)
        self.assertEqual(app.quit(), 0)

    def test_a_worker_that_dies_at_work_is_said_and_the_picture_stays(self):
        app = self.open()
        figure = app.picture("figure")
        worker = app.state()["workers"]["step"]
        os.kill(worker["process"], signal.SIGSTOP)
        app.press("G")
        app.wait(lambda s: s["step"]["group"] == 8 and s["busy"])  # the run is shown meanwhile
        os.kill(worker["process"], signal.SIGKILL)
        state = app.wait(lambda s: not s["busy"])
        self.assertEqual(state["witness"]["verdict"], "absent")
        self.assertIn("signal 9", json.dumps(state["notices"]["log"]))
        self.assertEqual((state["view"], state["step"]["result"]), ("step", "41"))
        self.assertTrue(app.find("figure"))
        app.press("G")  # the next request has a worker again
        state = app.wait(lambda s: not s["busy"] and s["step"]["group"] == 16)
        self.assertEqual(state["witness"]["verdict"], "same")
        self.assertEqual(state["workers"]["step"]["starts"], worker["starts"] + 1)
        self.assertNotEqual(state["workers"]["step"]["process"], worker["process"])
        self.assertEqual((state["step"]["group"], state["step"]["right"]), (16, True))
        app.press("Ctrl+Z", "Ctrl+Z")
        app.wait(lambda s: not s["busy"] and s["step"]["group"] == 4)
        self.assertEqual(app.picture("figure"), figure)

    def test_a_worker_that_dies_idle_is_there_again_when_needed(self):
        app = self.open()
        worker = app.state()["workers"]["step"]["process"]
        os.kill(worker, signal.SIGKILL)
        app.wait(lambda s: s["workers"]["step"]["process"] != worker)
        app.press("G")
        state = app.wait(lambda s: s["step"]["group"] == 8)
        self.assertIsNone(state["step"]["problem"])

    def test_a_measurements_worker_that_dies_leaves_the_rows_and_the_other_worker(self):
        app = self.open()
        app.press("4")
        app.fill("sizes", "2^10..2^27")
        app.press("R")
        state = app.wait(lambda s: s["measure"]["answered"] and s["measure"]["rows"])
        done = len(state["measure"]["rows"])
        stepper = state["workers"]["step"]["process"]
        os.kill(state["workers"]["measure"]["process"], signal.SIGKILL)
        state = app.wait(lambda s: not s["measure"]["waiting"])
        self.assertIn("signal 9", json.dumps(state["measure"]["problem"]))
        self.assertGreaterEqual(len(state["measure"]["rows"]), done)
        self.assertEqual(state["workers"]["step"]["process"], stepper)


class Pipe(WindowTest):
    def test_refuses_what_is_no_request_and_goes_on(self):
        app = self.open()
        for line, id in [("nonsense", 0), ('{"id": 77}', 77), ("[1]", 0)]:
            app.tell_line(line)
            reply = app.reply()
            self.assertEqual(reply["id"], id)
            self.assertIn("no request", reply["problem"]["what"])
        with self.assertRaisesRegex(Refused, "There is no method 'moon'"):
            app.ask("moon")
        with self.assertRaisesRegex(Refused, "needs a file"):
            app.ask("screenshot")
        with self.assertRaisesRegex(Refused, "wrong kind"):
            app.ask("screenshot", file=3)
        with self.assertRaises(Refused):
            app.ask("screenshot", file="/proc/a.png")
        app.tell_line("")  # no answer
        self.assertEqual(app.state()["view"], "step")

    def test_answers_several_requests_in_their_order(self):
        app = self.open()
        for id in range(101, 121):
            method = "settle" if id % 2 else "state"
            app.tell_line(json.dumps({"id": id, "method": method}))
        self.assertEqual([app.reply()["id"] for _ in range(20)], list(range(101, 121)))

    def test_end_of_input_leaves_the_app_running(self):
        app = self.open()
        app.process.stdin.close()
        app.press("Left", "Ctrl+T")
        with self.assertRaises(Exception):
            app.process.wait(1)
        self.assertEqual(app.quit(), 0)

    def test_nobody_who_reads_leaves_the_app_running(self):
        app = self.open()
        for id in range(200, 400):
            app.tell_line(json.dumps({"id": id, "method": "widgets"}))  # more than a pipe holds
        app.process.stdout.close()
        app.press("Left")
        self.assertEqual(app.quit(), 0)

    def test_quits_when_told(self):
        app = self.open()
        app.ask("quit")
        self.assertEqual(app.process.wait(60), 0)

    def test_sleeps_while_nobody_asks(self):
        app = self.open()
        app.settle()
        app.process.stdin.flush()
        time.sleep(1.5)
        before = app.ask("state")["window"]["frames"]
        time.sleep(2)
        after = app.ask("state")["window"]["frames"]
        self.assertLess(after - before, 12)  # those of the two questions


if __name__ == "__main__":
    unittest.main()
