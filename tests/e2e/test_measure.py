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
