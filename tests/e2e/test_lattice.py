"""The lattice view, by hand: a whole run, coming closer, going to a cell, other runs."""
import time
import unittest

from driver import WindowTest

KERNEL = """kernel void sum(global const int* in, global int* out, local int* part)
{
    const uint lid = get_local_id(0);
    part[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[get_group_id(0)] = part[0] + part[1];
}
"""


class Lattice(WindowTest):
    def lattice(self, app, settled=True):
        return app.state(settled=settled)["lattice"]

    def double_click(self, app, x, y):
        """The state once the picture has moved. A machine that is held up takes the two clicks for
        single ones: they are done again while nothing has come of them."""
        for _ in range(20):
            app.click("cells", x, y, times=2, settled=False)
            for _ in range(50):
                if self.lattice(app, settled=False)["zoom"] != 1:
                    return app.wait(lambda s: not s["lattice"]["moving"])
                time.sleep(0.1)
        self.fail("twenty double clicks have moved nothing")

    def open_lattice(self, *arguments):
        return self.open("--size", "1600x900", "--view", "lattice", "--n", "4096", "--group", "64",
                         *arguments)

    def test_shows_the_whole_run_after_its_key(self):
        app = self.open()
        app.press("3")
        state = app.wait(lambda s: s["lattice"].get("rows") == 17)
        self.assertEqual(state["view"], "lattice")
        self.assertEqual((state["lattice"]["n"], state["lattice"]["zoom"]), (65536, 1))
        self.assertTrue(state["lattice"]["right"])

    def test_comes_closer_by_wheel_and_goes_back_by_key(self):
        app = self.open_lattice()
        app.hover("view.lattice")
        whole = app.picture("cells")
        app.scroll("cells", -5)
        closer = self.lattice(app)
        self.assertGreater(closer["zoom"], 2)
        self.assertNotEqual(app.picture("cells"), whole)
        app.press("Backspace")
        app.wait(lambda s: not s["lattice"]["moving"] and s["lattice"]["zoom"] == 1)
        app.hover("view.lattice")
        self.assertEqual(app.picture("cells"), whole)

    def test_comes_closer_and_moves_by_buttons_and_keys(self):
        app = self.open_lattice()
        app.click("lattice.closer")
        app.wait(lambda s: not s["lattice"]["moving"] and abs(s["lattice"]["zoom"] - 2) < 1e-6)
        before = self.lattice(app)["x"]
        app.press("Shift+Right")
        app.wait(lambda s: not s["lattice"]["moving"] and s["lattice"]["x"] > before)
        app.press("PageUp", "PageDown", "PageDown")
        app.wait(lambda s: not s["lattice"]["moving"] and s["lattice"]["zoom"] == 1)

    def test_a_double_click_goes_to_a_cell_and_a_drag_takes_the_picture_along(self):
        app = self.open_lattice()
        state = self.double_click(app, 0.5, 0.5)
        self.assertGreater(state["lattice"]["zoom"], 100)
        x = state["lattice"]["x"]
        app.drag("cells", 0.7, 0.3)
        self.assertGreater(self.lattice(app)["x"], x)

    def test_a_cell_leads_to_the_step_view_at_that_cell(self):
        app = self.open("--size", "1600x900", "--view", "lattice", "--variant", "relaunch")
        for _ in range(6):
            app.press("-")
        app.wait(lambda s: s["lattice"].get("n") == 1024)
        self.assertGreater(self.double_click(app, 0.01, 0.5)["lattice"]["zoom"], 10)
        app.settle()
        app.press("Shift+Enter")
        state = app.wait(lambda s: s["view"] == "step" and s["step"]["n"] == 1024)
        self.assertGreater(state["step"]["cursor"], 0)
        self.assertEqual(state["step"]["traced"].split()[:2], ["cell", str(state["step"]["cursor"])])
        self.assertEqual(state["step"]["side"], "lineage")

    def test_each_kernel_keeps_its_own_zoom(self):
        app = self.open_lattice()
        app.press("PageUp")
        app.wait(lambda s: not s["lattice"]["moving"] and abs(s["lattice"]["zoom"] - 2) < 1e-6)
        app.press("Down")
        app.wait(lambda s: s["lattice"]["variant"] != "relaunch" and s["lattice"]["zoom"] == 1)
        app.settle()
        app.press("Up")
        app.wait(lambda s: s["lattice"]["variant"] == "relaunch" and
                 abs(s["lattice"]["zoom"] - 2) < 1e-6)

    def test_a_kernel_of_ones_own_has_no_fields_that_do_nothing(self):
        file = self.folder / "sum.cl"
        file.write_text(KERNEL)
        app = self.open("--size", "1600x900", str(file))
        app.press("3")
        app.wait(lambda s: s["view"] == "lattice")
        app.settle()
        self.assertIsNone(app.find("lattice/op"))
        self.assertIsNone(app.find("lattice/n"))
        self.assertIsNotNone(app.find("lattice/lanes"))

    def test_runs_again_for_another_size_and_another_variant(self):
        app = self.open_lattice()
        self.assertEqual(self.lattice(app)["rows"], 13)
        app.press("-")
        app.wait(lambda s: s["lattice"]["n"] == 2048 and s["lattice"]["rows"] == 12)
        app.press("Down")
        state = app.wait(lambda s: s["lattice"]["variant"] != "relaunch")
        self.assertEqual(state["settings"]["variant"], state["lattice"]["variant"])

    def test_finds_a_race_among_thousands(self):
        app = self.open_lattice("--variant", "span-modulo", "--set", "BARRIER=group")
        lattice = self.lattice(app)
        self.assertFalse(lattice["right"])
        self.assertGreater(lattice["raced"], 0)
        app.press("X")
        app.wait(lambda s: not s["lattice"]["moving"] and s["lattice"]["zoom"] > 100)


if __name__ == "__main__":
    unittest.main()
