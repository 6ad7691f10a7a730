"""The measure view, by hand."""
import os
import pathlib
import unittest
from unittest import mock

from driver import ROOT, WindowTest


class Measure(WindowTest):
    def open_measure(self, sizes):
        app = self.open()
        app.press("4")
        app.fill("sizes", sizes)
        app.wait(lambda s: s["settings"]["measure"]["sizes"] == sizes)
        return app

    def test_runs_by_its_key_and_fills_with_rows(self):
        app = self.open_measure("2^10,2^12")
        app.press("R")
        state = app.wait(lambda s: not s["measure"]["waiting"] and s["measure"]["answered"])
        rows = [row for row in state["measure"]["rows"] if row["kind"] == "variant"]
        self.assertEqual({row["n"] for row in rows}, {1 << 10, 1 << 12})
        self.assertTrue(all(row["right"] and row["samples"] for row in rows))
        self.assertTrue(state["measure"]["complete"])
        app.settle()
        self.assertGreater(len(app.picture("chart").colours()), 20)

    def test_escape_cancels_and_keeps_the_rows(self):
        app = self.open_measure("2^10..2^27")
        app.press("R")
        state = app.wait(lambda s: s["measure"]["rows"] if s["measure"]["answered"] else False)
        self.assertTrue(state["measure"]["waiting"])
        self.assertGreater(state["measure"]["total"], 10)
        done = len(state["measure"]["rows"])
        app.press("Escape")
        state = app.wait(lambda s: not s["measure"]["waiting"])
        self.assertFalse(state["measure"]["complete"])
        self.assertGreaterEqual(len(state["measure"]["rows"]), done)
        self.assertLess(len(state["measure"]["rows"]), state["measure"]["total"])
        app.press("1", "Right")  # all else goes on
        self.assertEqual(app.state()["step"]["cursor"], 1)

    def measured(self, app):
        """The ids and n of what was measured, once it is done."""
        state = app.wait(lambda s: not s["measure"]["waiting"] and s["measure"]["answered"])
        return {(row["variant"], row["n"]) for row in state["measure"]["rows"]
                if row["kind"] == "variant"}

    def test_a_run_that_was_cancelled_leaves_the_results_before_within_reach(self):
        app = self.open_measure("2^10")
        app.press("R")
        before = self.measured(app)
        app.fill("sizes", "2^11..2^27")
        app.wait(lambda s: s["settings"]["measure"]["sizes"] == "2^11..2^27")
        app.press("R")
        app.wait(lambda s: s["measure"]["waiting"])
        app.press("Escape")
        app.wait(lambda s: not s["measure"]["waiting"])
        app.press("Ctrl+Z")
        self.assertEqual(self.measured(app), before)
        self.assertEqual(app.state()["settings"]["measure"]["sizes"], "2^11..2^27")
        app.press("Ctrl+Shift+Z")
        app.wait(lambda s: s["measure"]["shown_run"] == 1)
        app.press("Ctrl+Z")
        app.wait(lambda s: s["measure"]["shown_run"] == 0)
        app.press("Ctrl+Z")  # nothing of the runs is left to take back: a setting is
        app.wait(lambda s: s["settings"]["measure"]["sizes"] == "2^10")

    def test_each_run_is_a_line_that_shows_it_again(self):
        app = self.open_measure("2^10")
        app.press("R")
        self.measured(app)
        self.assertIsNone(app.find("history"))
        app.fill("sizes", "2^11")
        app.wait(lambda s: s["settings"]["measure"]["sizes"] == "2^11")
        app.press("R")
        self.assertEqual({n for _, n in self.measured(app)}, {1 << 11})
        app.settle()
        app.click("history")
        app.wait(lambda s: s["hands"]["list_open"])
        app.settle()
        lines = [line for line in app.widgets() if line["panel"] == "popup"]
        self.assertEqual(len(lines), 2)
        app.click("popup/" + lines[0]["id"])
        app.wait(lambda s: s["measure"]["shown_run"] == 0)
        self.assertEqual({n for _, n in self.measured(app)}, {1 << 10})

    def test_the_ladder_by_one_button(self):
        app = self.open_measure("2^12")
        app.choose("runs", "3")
        app.click("measure.ladder")
        measured = {variant for variant, _ in self.measured(app)}
        self.assertGreaterEqual(len(measured), 7)
        self.assertIn("ladder-2-strided", measured)
        settings = app.state()["settings"]["measure"]
        self.assertEqual(settings["shown"], "ladder")
        self.assertLessEqual(measured, set(settings["variants"]))

    def test_this_kernel_by_one_button(self):
        app = self.open("--variant", "span-modulo", "--size", "1600x900")
        app.press("4")
        app.fill("sizes", "2^12")
        app.choose("runs", "3")
        app.click("measure.chosen")
        self.assertEqual(self.measured(app), {("span-modulo", 1 << 12)})

    def test_charts_tell_their_points_and_the_chosen_one_is_remembered(self):
        app = self.open_measure("2^10,2^12")
        app.press("R")
        self.measured(app)
        app.settle()
        before = app.picture("chart")
        # Somewhere there is a point, and its tooltip: how high depends on how fast this machine is.
        places = ((x / 64, y / 20) for y in range(3, 16) for x in (2, 3, 24, 45, 46))
        for x, y in places:
            app.hover("chart", x, y)
            if app.picture("chart") != before:
                break
        else:
            self.fail("no point has a tooltip")
        app.click("shown.speedup")
        app.wait(lambda s: s["settings"]["measure"]["shown"] == "speedup")
        app.quit()
        app = self.open()
        self.assertEqual(app.state()["settings"]["measure"]["shown"], "speedup")

    def test_a_chapter_is_ticked_by_its_heading(self):
        app = self.open_measure("2^10")
        app.reveal("list/chapter.E", "list")
        app.click("list/chapter.E")
        state = app.wait(lambda s: len(s["settings"]["measure"]["variants"]) > 5)
        self.assertIn("ladder-1-modulo", state["settings"]["measure"]["variants"])
        app.click("list/chapter.E")
        app.wait(lambda s: s["settings"]["measure"]["variants"] == ["local-tree"])

    def test_its_buttons_are_in_sight_at_any_size_and_scale(self):
        for size, scale in (("1280x720", "1"), ("1280x720", "2"), ("800x480", "1"),
                            ("1920x1080", "3")):
            app = self.open("--size", size, "--scale", scale, "--view", "measure")
            app.press("4")
            app.state()
            for button in ("measure.ladder", "measure.chosen", "measure.run"):
                self.assertTrue(app.find(button), f"{button} at {size}, scale {scale}")
                left, top, width, height = app.find(button)["area"]
                shown = app.state()["window"]
                self.assertLessEqual(top + height, shown["height"], f"{button} at {size}")
            app.close()

    def test_runs_and_cancels_by_its_button(self):
        app = self.open_measure("2^10..2^27")
        app.click("measure.run")
        app.wait(lambda s: s["measure"]["waiting"])
        app.click("cancel", settled=False)
        app.wait(lambda s: not s["measure"]["waiting"])

    def test_the_ladder_of_results_that_were_opened(self):
        results = str(ROOT / "bench" / "results" / "ladder-pocl.json")
        app = self.open("--variant", "ladder-2-strided", "--size", "1920x1080", results)
        app.click("shown.ladder")
        app.wait(lambda s: s["settings"]["measure"]["shown"] == "ladder")
        app.settle()
        self.assertGreater(len(app.picture("chart").colours()), 20)
        app.press("1")  # the kernel's text tells the gain, as predicted and as measured
        app.wait(lambda s: s["settings"]["view"] == "step")
        app.settle()

    def test_sizes_that_are_none_are_said(self):
        app = self.open_measure("2^x")
        app.press("R")
        state = app.wait(lambda s: s["measure"]["problem"])
        self.assertFalse(state["measure"]["waiting"])

    def test_searches_for_a_launch_shape_and_keeps_it(self):
        cache = self.folder / "cache"
        pocl = os.environ.get("POCL_CACHE_DIR") or str(pathlib.Path.home() / ".cache/pocl/kcache")
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=str(cache), POCL_CACHE_DIR=pocl):
            app = self.open_measure("2^14")
        app.reveal("list/tile", "list")
        app.click("list/tile")
        app.choose("shapes", "search now")

        def chosen_by():
            app.press("R")
            state = app.wait(lambda s: not s["measure"]["waiting"] and s["measure"]["answered"])
            rows = {row["variant"]: row for row in state["measure"]["rows"]}
            self.assertEqual(rows["local-tree"]["chosen_by"], "")  # its header knows no shapes
            return rows["tile"]["chosen_by"]

        self.assertEqual(chosen_by(), "search")
        self.assertTrue((cache / "reduction-lab" / "launch-shapes.json").exists())
        app.choose("shapes", "best known")
        self.assertEqual(chosen_by(), "kept")
        app.choose("shapes", "kernel's table")
        self.assertEqual(chosen_by(), "table")

    def test_all_devices_share_one_reduction(self):
        with mock.patch.dict(os.environ, POCL_DEVICES="pthread pthread"):
            app = self.open_measure("2^17")
        app.wait(lambda s: len(s["devices"]["ids"]) == 2)
        app.choose("mdevice", "All devices (2)")
        app.press("R")
        state = app.wait(lambda s: not s["measure"]["waiting"] and s["measure"]["answered"])
        rows = [row for row in state["measure"]["rows"] if row["kind"] == "variant"]
        self.assertTrue(rows and all(row["right"] and row["devices"] == 2 for row in rows))
        self.assertTrue(state["step"]["right"])  # which stays on one device
        app.click("mdevice")
        app.wait(lambda s: s["hands"]["list_open"])
        app.settle()
        app.click("popup/" + next(of["id"] for of in app.widgets()
                                  if of["panel"] == "popup" and of["text"].startswith("0:1")))
        app.wait(lambda s: s["devices"]["in_use"] == "0:1")
        self.assertEqual(app.state()["settings"]["measure"]["shape"]["device"], "")


if __name__ == "__main__":
    unittest.main()
