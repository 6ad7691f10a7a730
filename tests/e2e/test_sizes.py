"""Sizes of the window and scales: the diagram is the largest thing, whatever they are."""
import unittest

from driver import ROOT, Display, WindowTest

LANGUAGES = ("en", "ru", "zh")
SCALES = ("1", "1.5", "2", "3")
STORY = ("--variant", "relaunch", "--view", "step")


def contains(outer, inner, slack=1.0):
    """Areas as left, top, width, height; `slack`: in pixels."""
    return all(inner[i] >= outer[i] - slack and
               inner[i] + inner[i + 2] <= outer[i] + outer[i + 2] + slack for i in (0, 1))


def overlap(a, b, slack=1.0):
    return all(min(a[i] + a[i + 2], b[i] + b[i + 2]) - max(a[i], b[i]) > slack for i in (0, 1))


class Sizes(WindowTest):
    def areas(self, app):
        app.settle()
        return {widget["id"]: widget["area"] for widget in app.widgets() if widget["visible"]}

    def opened_at_the_end(self, *arguments):
        app = self.open(*STORY, *arguments)
        app.press("End")
        app.wait(lambda s: s["step"]["cursor"] == s["step"]["last"] > 0)
        return app

    def uncut(self, row, where):
        """Areas end where they are cut off: eight cells that are all there are wide and low."""
        self.assertGreater(row[2] / row[3], 12, where)
        self.assertLess(row[2] / row[3], 34, where)

    def story(self, size):
        """At each scale the current row is in sight, and larger than at the scale below."""
        for language in LANGUAGES:
            before = 0
            for scale in SCALES:
                where = f"{size}, {language}, scale {scale}"
                app = self.opened_at_the_end("--size", size, "--scale", scale, "--lang", language)
                areas = self.areas(app)
                card, diagram, row = areas["step"], areas["diagram"], areas["row"]
                self.assertTrue(contains(card, row), where)
                self.uncut(row, where)
                self.assertGreaterEqual(diagram[3], 0.5 * card[3], where)
                self.assertGreaterEqual(row[2], before - 1, where)
                before = row[2]
                app.close()

    def test_the_story_at_1280x720(self):
        self.story("1280x720")

    def test_the_story_at_1440x900(self):
        self.story("1440x900")

    def test_the_story_at_1920x1080(self):
        self.story("1920x1080")

    def test_the_story_at_3840x2160(self):
        self.story("3840x2160")

    def presented(self, size):
        """Presented, the story fills the screen, and all of its last row can be read."""
        display = Display(f"{size}x24")
        self.addCleanup(display.close)
        self.display.close()
        self.display = display
        width, height = (int(number) for number in size.split("x"))
        for language in LANGUAGES:
            for scale in SCALES:
                where = f"{size}, {language}, scale {scale}"
                app = self.opened_at_the_end("--present", "--scale", scale, "--lang", language)
                areas = self.areas(app)
                diagram, row = areas["diagram"], areas["row"]
                self.assertTrue(contains((0, 0, width, height), diagram), where)
                self.uncut(row, where)
                self.assertGreaterEqual(row[2] / 8, 0.045 * height, where)  # a cell
                self.assertGreaterEqual(diagram[3], 0.3 * height, where)
                app.close()

    def test_presented_at_1280x720(self):
        self.presented("1280x720")

    def test_presented_at_1920x1080(self):
        self.presented("1920x1080")

    def test_presented_at_3840x2160(self):
        self.presented("3840x2160")


class Folded(WindowTest):
    """Where there is little room, what gives way is one click or key away."""

    def test_the_catalogue_is_behind_a_button(self):
        app = self.open("--size", "1280x720")
        app.settle()
        self.assertIsNone(app.find("list/relaunch"))
        app.press("V")
        app.wait(lambda s: s["over"]["overlay"] != "")
        app.settle()
        app.click("span-modulo")
        app.wait(lambda s: s["settings"]["variant"] == "span-modulo")

    def test_the_controls_are_behind_a_button(self):
        app = self.open("--size", "1280x720")
        app.settle()
        self.assertIsNone(app.find("group"))
        app.click("step.show_controls.tip")
        app.settle()
        self.assertIsNotNone(app.find("group"))
        app.click("step.show_controls.tip")
        app.settle()
        self.assertIsNone(app.find("group"))

    def test_text_and_side_take_turns_with_the_figure_in_a_narrow_window(self):
        app = self.open("--size", "800x600")
        app.settle()
        self.assertIsNotNone(app.find("diagram"))
        app.click("step.part_text")
        app.settle()
        self.assertIsNone(app.find("diagram"))
        app.click("step.part_figure")
        app.settle()
        self.assertIsNotNone(app.find("diagram"))

    def test_a_low_window_still_steps(self):
        app = self.open("--size", "640x360")
        for cursor in (1, 2, 3):
            app.press("Right")
            app.wait(lambda s: s["step"]["cursor"] == cursor)
        app.settle()
        self.assertIsNotNone(app.find("diagram"))

    def test_the_title_stands_beside_the_tabs_or_above_the_buttons(self):
        for size in ("640x400", "700x560", "900x560", "320x240"):
            for language in LANGUAGES:
                app = self.open("--size", size, "--lang", language)
                app.settle()
                if not app.find("variant.list"):  # a very low window opens at its picture
                    app.hover("step.show_legend.tip")
                    app._xdotool("click", "--repeat", 10, "--delay", "30", 4)
                    app.settle()
                left, top, width, height = app.widget("variant.list")["area"]
                tab = app.widget("step.part_figure")["area"]
                self.assertTrue(left + width <= tab[0] or top + height <= tab[1], f"{size} {language}")
                app.close()

    def test_no_view_is_cut_off_on_a_phone(self):
        for size in ("320x568", "360x640", "412x800"):
            for language in LANGUAGES:
                app = self.open("--size", size, "--lang", language)
                ways = [w for w in app.widgets()
                        if w["id"] == "views" or w["id"].startswith("view.")]
                self.assertIn(len(ways), (1, 6), (size, language))
                for way in ways:
                    self.assertTrue(way["visible"], (size, language, way))
                    self.assertGreater(way["area"][2], way["whole"][0] - 0.6, (size, language, way))
                for name in ("step.show_legend.tip", "toggle.beside", "toggle.broken"):
                    found = app.widget(name)
                    self.assertGreater(found["area"][2], found["whole"][0] - 0.6,
                                       (size, language, name))
                app.close()
        app = self.open("--size", "320x568", "--lang", "en")
        app.choose("views", "Measure")
        app.wait(lambda s: s["view"] == "measure")

    def test_nothing_of_a_page_covers_another_in_a_low_window(self):
        for size in ("640x400", "320x240"):
            app = self.open("--size", size, "--page", "01-a-tree:1")
            app.settle()
            app.hover("learn.page", 0.01)  # beside the picture, which scrolls by itself
            app._xdotool("click", "--repeat", 30, "--delay", "30", 5)
            app.settle()
            widgets = [w for w in app.widgets() if w["visible"] and w["id"] in
                       ("learn.check", "learn.hint", "learn.back", "learn.next", "learn.words")]
            self.assertIn("learn.next", [w["id"] for w in widgets])
            for first in widgets:
                for second in widgets:
                    if first["id"] < second["id"]:
                        self.assertFalse(overlap(first["area"], second["area"]), (size, first, second))
            app.close()

    def test_no_button_of_a_race_covers_another(self):
        own = str(ROOT / "tests/kernels/sync_flags_watch_kept.cl")  # has no broken version to switch to
        for kernel in (("--variant", "span-modulo"), (own,)):
            for language in LANGUAGES:
                app = self.open("--size", "1280x720", "--lang", language, *kernel)
                app.press("2")
                app.settle()
                widgets = [w for w in app.widgets() if w["visible"] and
                           w["id"].split("###")[-1].startswith(("race", "step.first", "step.back", "variant.list"))
                           and w["panel"] == app.widget("race.random")["panel"]]
                self.assertIn("race.mend", [w["id"] for w in widgets])
                for first in widgets:
                    for second in widgets:
                        if first["id"] < second["id"]:
                            self.assertFalse(overlap(first["area"], second["area"]), (kernel, language, first, second))
                app.close()


if __name__ == "__main__":
    unittest.main()
