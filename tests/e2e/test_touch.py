"""Fingers, pens and touchpads: what is large enough to be hit, and what can be dragged and pinched."""
import unittest

from driver import WindowTest

TOUCH = 32  # points, and pixels at scale 1
# Not controls, but places in pictures and texts that can be pointed at.
SHOWN = ("cell ", "worker ", "item ", "memory ", "line ", "action ", "group ", "next ", "race ",
         "shape ",  # of the map of sizes
         "word.")  # of the glossary: within a sentence, as a link is
PICTURES = ("row", "diagram", "lanes", "cells")


class Touch(WindowTest):
    def low(self, app):
        """Controls that a finger would miss."""
        app.settle()
        return {(w["panel"], w["id"], round(w["whole"][1], 1)) for w in app.widgets()
                if w["visible"] and w["whole"][1] < TOUCH - 0.6
                and not w["id"].startswith(SHOWN) and w["id"] not in PICTURES}

    def controls(self, size):
        for view in ("step", "race", "lattice", "measure", "learn", "sizes", "devices"):
            app = self.open("--size", size, "--view", view)
            self.assertEqual(self.low(app), set(), view)
            for key, overlay in (("F10", "menu"), ("Ctrl+K", "palette"), ("Ctrl+E", "export"),
                                 ("Ctrl+O", "open"), ("F1", "help")):
                app.press(key)
                state = app.state()
                if state["over"]["overlay"] == "":
                    continue  # not in this view
                self.assertEqual(self.low(app), set(), f"{view}, {overlay}")
                app.press("Escape")
                app.wait(lambda s: s["over"]["overlay"] == "")
            app.close()

    def test_controls_can_be_hit_at_1900x1000(self):
        self.controls("1900x1000")

    def test_controls_can_be_hit_at_1280x720(self):
        self.controls("1280x720")

    def wheel(self, app, place, clicks):
        app._xdotool("keydown", "ctrl")
        app._seen()
        app.scroll(place, clicks)
        app._seen()
        app._xdotool("keyup", "ctrl")
        app.settle()

    def test_the_diagram_is_pinched_and_dragged(self):
        app = self.open("--size", "1280x720", "--variant", "relaunch")
        app.press("End")
        app.wait(lambda s: s["step"]["cursor"] == s["step"]["last"])
        app.settle()
        whole = app.widget("figure/diagram")["whole"]
        self.wheel(app, "figure/cell 2 2", -4)
        closer = app.widget("figure/diagram")["whole"]
        self.assertGreater(closer[0], 2 * whole[0])
        cell = app.widget("figure/cell 2 2")["area"]  # what the mouse was on is still there
        x, y = app.place("figure/cell 2 2")
        app._xdotool("mousemove", "--window", app.window, x, y, "mousedown", 1)
        for step in range(1, 9):
            app._xdotool("mousemove", "--window", app.window, x - 10 * step, y - 5 * step)
            app._seen()
        app._xdotool("mouseup", 1)
        app.settle()
        moved = app.widget("figure/cell 2 2")["area"]
        self.assertLess(moved[0], cell[0] - 40)
        self.assertLess(moved[1], cell[1] - 15)
        self.wheel(app, "figure/cell 2 2", 8)
        self.assertEqual(app.widget("figure/diagram")["whole"], whole)

    def test_the_lattice_is_pinched_and_dragged(self):
        app = self.open("--size", "1280x720", "--view", "lattice", "--n", "4096", "--group", "64",
                        "--variant", "span-modulo")
        app.wait(lambda s: s["lattice"].get("rows"))
        self.wheel(app, "cells", -6)
        state = app.wait(lambda s: s["lattice"]["zoom"] > 3, settled=True)
        app.drag("cells", 0.3, 0.7)
        app.wait(lambda s: s["lattice"]["x"] < state["lattice"]["x"])


if __name__ == "__main__":
    unittest.main()
