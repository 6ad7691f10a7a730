"""What is pointed at lights up wherever it is shown: diagram, text, tabs, and the race view."""
import unittest

from driver import WindowTest
from picture import Picture


class Pointed(WindowTest):
    def around(self, app, widget):
        """With the ring that it may have."""
        app.settle()
        x, y, width, height = app.widget(widget)["area"]
        file = self.folder / "around.png"
        app.ask("screenshot", file=str(file), area=[x - 6, y - 6, width + 12, height + 12])
        return Picture(file)

    def lights(self, app, place, lit, dark=(), at=0.2):
        """Pointing at a place changes how these look, and not the others."""
        app.hover("status")
        app.wait(lambda s: s["pointed"] == "", settled=True)
        before = {each: self.around(app, each) for each in lit}
        before |= {each: app.picture(each) for each in dark}
        app.hover(place, at, 0.2)  # the tip covers what lies to the right below
        app.wait(lambda s: s["pointed"] == place.rpartition("/")[2], settled=True)
        for each in lit:
            self.assertNotEqual(self.around(app, each), before[each], f"{place} lights up {each}")
        for each in dark:
            self.assertEqual(app.picture(each), before[each], f"{place} leaves {each}")

    def open_steps(self, *tabs):
        app = self.open("--size", "1900x1000", "--variant", "relaunch")
        for cursor in (1, 2):
            app.press("Right")
            app.wait(lambda s, at=cursor: s["step"]["cursor"] == at)
        for tab in tabs:
            app.click(tab)
        return app

    def test_a_cell_of_the_diagram(self):
        self.lights(self.open_steps(), "figure/cell 1 0",
                    ["figure/worker 1 0", "side_figure/worker 1 0", "source/line 23"],
                    ["figure/worker 1 2", "side_figure/worker 1 2", "source/line 22"])

    def test_a_work_item_of_the_diagram(self):
        self.lights(self.open_steps(), "figure/worker 1 2",
                    ["figure/cell 1 2", "figure/cell 0 3", "side_figure/worker 1 2",
                     "source/line 23"],
                    ["figure/cell 1 0", "side_figure/worker 2 0"])

    def test_a_work_item_in_lanes(self):
        self.lights(self.open_steps(), "side_figure/worker 1 2",
                    ["figure/worker 1 2", "figure/cell 1 2", "source/line 23"],
                    ["figure/worker 1 0", "source/line 22"])

    def test_a_line_of_the_text(self):
        self.lights(self.open_steps(), "source/line 23",
                    ["figure/cell 1 2", "figure/worker 1 2", "side_figure/worker 2 0"],
                    ["figure/worker 1 1", "side_figure/worker 3 5"])

    def test_an_input_in_lineage(self):
        self.lights(self.open_steps("side.lineage"), "side_figure/cell 0 3",
                    ["figure/cell 0 3", "figure/worker 1 2"],
                    ["figure/cell 0 1", "figure/worker 1 0"])

    def test_a_race(self):
        app = self.open("--size", "1900x1000", "--variant", "span-modulo")
        app.choose("BARRIER", "group")
        app.choose("order", "in order")
        app.press("End")
        app.click("side.races")
        self.lights(app, "part/race 0", ["figure/cell 2 4", "source/line 25"],
                    ["figure/cell 1 6", "source/line 28"])
        self.lights(app, "source/line 25", ["part/race 0"])

    def test_a_work_item_and_a_cell_between_actions(self):
        app = self.open_steps("grain.action")
        app.wait(lambda s: s["step"]["grain"] == "action")
        self.lights(app, "state/memory data 4", ["state/item 4", "source/line 23"],
                    ["state/item 5", "state/memory data 1"])
        self.lights(app, "state/item 4", ["state/memory data 4"], ["state/memory data 0"])

    def open_race(self):
        app = self.open("--size", "1900x1000", "--variant", "span-modulo")
        app.choose("BARRIER", "group")
        app.press("2")
        app.wait(lambda s: s["view"] == "race" and "cursor" in s["race"])
        app.press("Home")
        app.wait(lambda s: s["race"]["cursor"] == 0)
        for count in range(1, 6):
            app.click("race.act_1")
            app.wait(lambda s, count=count: s["race"]["cursor"] == count)
        app.click("race.tab_text")
        app.settle()
        return app

    def test_a_tile_of_the_schedule(self):
        self.lights(self.open_race(), "actors/action 1",
                    ["memory/memory data 1", "source/line 25", "actors/group 0"],
                    ["memory/memory data 4", "actors/next 1 0", "source/line 28"])

    def test_a_memory_cell(self):
        self.lights(self.open_race(), "memory/memory data 4", ["actors/next 1 0"],
                    ["actors/action 0", "actors/next 0 0"])

    def test_a_line_in_the_race_view(self):
        self.lights(self.open_race(), "source/line 28", ["actors/action 3"],
                    ["actors/action 1", "memory/memory data 0"])

    def test_a_group(self):
        self.lights(self.open_race(), "actors/group 0", ["actors/action 0", "actors/next 0 0"],
                    ["actors/next 1 0", "memory/memory data 4"], at=0.97)


if __name__ == "__main__":
    unittest.main()
