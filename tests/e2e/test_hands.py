"""The hands of the app: palette, menu, help, undo, files, what is said."""
import json
import unittest

from driver import ROOT, WindowTest
from picture import Picture


class Hands(WindowTest):
    def setUp(self):
        super().setUp()
        self.documents = self.folder / "Documents"
        self.documents.mkdir()
        config = self.folder / "config"
        config.mkdir()
        (config / "user-dirs.dirs").write_text(f'XDG_DOCUMENTS_DIR="{self.documents}"\n')

    def files(self):
        return sorted(file.name for file in self.documents.iterdir())

    def test_palette_finds_a_command_by_letters_and_runs_it(self):
        app = self.open()
        before = app.state()["settings"]
        app.press("Ctrl+P")
        app.type("theme")  # at once: none of it is a key, and none is lost
        app.press("Enter")
        state = app.wait(lambda s: s["over"]["overlay"] == "")
        self.assertEqual(state["settings"]["theme"], "dark")
        self.assertEqual(state["settings"]["shape"], before["shape"])
        app.press("Ctrl+Z")
        self.assertEqual(app.state()["settings"]["theme"], "light")

    def test_palette_goes_by_arrows_and_closes_by_escape_or_a_click_elsewhere(self):
        app = self.open()
        for close in (lambda: app.press("Escape"), lambda: app.click("transport/step.play")):
            app.press("Ctrl+P", "Down", "Down")
            self.assertEqual(app.state()["over"]["overlay"], "palette")
            close()
            app.wait(lambda s: s["over"]["overlay"] == "")
        self.assertEqual(app.state()["settings"]["variant"], "relaunch")  # Down was the list's

    def test_palette_finds_a_kernel_and_chooses_it(self):
        app = self.open()
        app.press("Ctrl+P")
        app.type("span-modulo")
        app.press("Enter")
        app.wait(lambda s: s["over"]["overlay"] == "" and s["step"]["variant"] == "span-modulo")

    def test_menu_does_commands(self):
        app = self.open()
        for close in (True, False):
            app.click("menu")
            app.settle()
            app.hover("popup/app")
            app.wait(lambda s: app.find("theme.next") and app.find("quit"))
            if close:
                app.press("Escape")
                app.wait(lambda s: s["over"]["overlay"] == "")
        app.click("popup/theme.next")
        app.wait(lambda s: s["settings"]["theme"] == "dark" and s["over"]["overlay"] == "")

    def test_help_is_there_at_a_question_mark_and_keys_still_work(self):
        app = self.open()
        app.press("?")
        app.wait(lambda s: s["over"]["overlay"] == "help")
        cursor = app.state()["step"]["cursor"]
        app.press("Right")
        self.assertEqual(app.state()["step"]["cursor"], cursor + 1)
        app.press("F1")
        app.wait(lambda s: s["over"]["overlay"] == "")

    def test_a_moment_is_saved_sent_and_opened(self):
        app = self.open()
        app.press("Ctrl+T", "End", "Left", "Ctrl+S")
        state = app.wait(lambda s: self.files())
        name, = self.files()
        self.assertTrue(any(name in words for words in app.state()["notices"]["toasts"]))
        app.press("Ctrl+T", "Ctrl+L", "Home", "Down", "Ctrl+O")
        app.wait(lambda s: s["over"]["overlay"] == "open")
        app.settle()
        app.type(name[:8])
        app.press("Enter")
        state = app.wait(lambda s: s["settings"]["variant"] == "relaunch" and not s["busy"])
        self.assertEqual(app.state()["step"]["cursor"], 2)
        # Whoever opens it keeps what they chose for their own eyes.
        self.assertEqual(state["settings"]["theme"], "projector")
        self.assertEqual(state["settings"]["language"], "zh")
        app.press("Ctrl+Z")
        app.wait(lambda s: s["settings"]["variant"] != "relaunch")

    def test_a_moment_opens_at_the_start(self):
        file = self.documents / "a.redlab"
        file.write_text(json.dumps({
            "schema": "reduction-lab-moment", "version": 1,
            "settings": {"variant": "span-modulo", "theme": "dark", "scale": 2, "source": "machine"},
            "parts": {"step": {"cursor": 1}}}))
        state = self.open("--size", "1600x900", "--state", str(file)).state()
        settings = state["settings"]
        self.assertEqual((settings["variant"], settings["theme"], settings["scale"]),
                         ("span-modulo", "light", 1))
        self.assertEqual(state["step"]["cursor"], 1)

    def test_a_damaged_file_is_said_and_nothing_is_lost(self):
        file = self.documents / "bad.redlab"
        file.write_text('{"schema": "reduction-lab-moment", "version')
        app = self.open("--size", "1600x900", str(file))
        state = app.state()
        self.assertEqual(len(state["problems"]), 1)
        self.assertEqual(state["problems"][0]["where"], str(file))
        self.assertEqual(state["step"]["result"], "41")
        app.press("Ctrl+J")
        self.assertTrue(app.state()["over"]["log"])
        self.assertEqual([entry["where"] for entry in app.state()["notices"]["log"]], ["file"])
        app.click("problem.forget")
        self.assertEqual(app.state()["problems"], [])

    def test_export_asks_once_and_then_repeats(self):
        app = self.open()
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Enter")
        app.wait(lambda s: self.files() == ["relaunch.svg"])
        self.assertIn("<svg", (self.documents / "relaunch.svg").read_text())
        app.press("Ctrl+E")
        app.wait(lambda s: self.files() == ["relaunch-2.svg", "relaunch.svg"])
        app.settle()
        app.click("also.png")  # another format is one click away
        app.wait(lambda s: "relaunch.png" in self.files())
        app.press("Ctrl+Shift+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.click("export.pdf")
        app.click("save")
        app.wait(lambda s: "relaunch.pdf" in self.files())
        self.assertTrue((self.documents / "relaunch.pdf").read_bytes().startswith(b"%PDF"))

    def test_the_host_program_is_shown_and_saved_with_its_kernel(self):
        app = self.open()
        before = app.picture("side")
        app.press("Shift+H")
        self.assertNotEqual(app.picture("side"), before)
        app.click("host.save")
        app.wait(lambda s: self.files() == ["relaunch"])
        folder = self.documents / "relaunch"
        program = (folder / "relaunch.cpp").read_text()
        self.assertIn("std::vector<T> input = {7, 1, 6, 8, 5, 6, 7, 1};", program)
        self.assertEqual((folder / "relaunch.cl").read_text(),
                         (ROOT / "kernels/relaunch.cl").read_text())
        app.press("G")  # twice the group: another program, in a folder of its own
        app.press("Shift+S")
        app.wait(lambda s: self.files() == ["relaunch", "relaunch-2"])
        self.assertNotEqual((self.documents / "relaunch-2/relaunch.cpp").read_text(), program)

    def test_all_steps_are_exported_as_one_moving_picture_or_one_each(self):
        app = self.open()
        app.press("Right", "Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.click("export.animation")
        app.click("save")
        app.wait(lambda s: self.files() == ["relaunch.gif"])
        gif = (self.documents / "relaunch.gif").read_bytes()
        self.assertEqual((gif[:6], gif[-1:], gif.count(b"!\xf9\x04")), (b"GIF89a", b";", 4))
        self.assertEqual(gif[6:10], (1280).to_bytes(2, "little") + (720).to_bytes(2, "little"))
        app.press("Ctrl+Shift+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.click("export.animation")
        app.click("export.svg")
        app.fill("first", "1")
        app.click("save")
        app.wait(lambda s: self.files() == ["relaunch.gif", "relaunch.svg"])
        moving = (self.documents / "relaunch.svg").read_text()
        self.assertEqual(moving.count("<animate "), 3)  # passes 1 to 3
        self.assertIn(">step 3 of 3<", moving)
        self.assertEqual(app.state()["step"]["cursor"], 1)
        app.press("Ctrl+Shift+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.click("export.each_step")
        app.click("export.png")
        app.fill("first", "1")
        app.click("save")
        app.wait(lambda s: "relaunch-03.png" in self.files())
        self.assertEqual([name for name in self.files() if name.endswith("png")],
                         ["relaunch-01.png", "relaunch-02.png", "relaunch-03.png"])
        pictures = [(self.documents / f"relaunch-0{step}.png").read_bytes() for step in (1, 2, 3)]
        self.assertEqual(len(set(pictures)), 3)

    def test_the_turns_of_a_race_are_exported(self):
        app = self.open("--size", "1600x900", "--view", "race", "--variant", "span-modulo")
        app.wait(lambda s: s["race"].get("length"))
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Enter")
        app.wait(lambda s: self.files() == ["span-modulo-turns.svg"])
        self.assertIn("<svg", (self.documents / "span-modulo-turns.svg").read_text())

    def test_the_lattice_is_exported_as_it_is_seen(self):
        app = self.open("--size", "1600x900", "--view", "lattice", "--n", "4096", "--group", "64",
                        "--variant", "span-modulo")
        app.wait(lambda s: s["lattice"].get("rows"))
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Enter")
        first = self.documents / "span-modulo-lattice.png"
        app.wait(lambda s: first.exists())
        whole = Picture(first)
        self.assertTrue(self.within(whole, app.picture("cells")))
        # Words of its own above and below, where a file has no window around it.
        ground = whole.rows[0][0]
        written = [any(pixel != ground for pixel in row) for row in whole.rows]
        self.assertTrue(any(written[10:40]) and all(written[-30:-12]))
        app.press("PageUp", "PageUp")
        app.wait(lambda s: s["lattice"]["zoom"] == 4)
        app.press("Ctrl+E")
        second = self.documents / "span-modulo-lattice-2.png"
        app.wait(lambda s: second.exists())
        closer = Picture(second)
        self.assertNotEqual(whole, closer)
        self.assertTrue(self.within(closer, app.picture("cells")))

    def within(self, picture, part):
        """Whether the part is in the picture, by its right edge, whatever stands above and below."""
        def differ(mine, at):
            # The edge of a cell may fall between two pixels, across and down.
            return min(sum(a != b for a, b in zip(mine, its))
                       for its in part.rows[max(at - 1, 0):at + 2])

        middle = part.height // 2
        for top in range(picture.height - part.height):
            for across in range(8, 14):
                left = picture.width - across - part.width
                rows = [row[left:left + part.width] for row in picture.rows[top:top + part.height]]
                if differ(rows[middle], middle) > part.width / 20:
                    continue
                if sum(map(differ, rows, range(part.height))) < part.width * part.height / 1000:
                    return True
        return False

    def test_one_action_is_exported_as_it_is_seen(self):
        app = self.open("--size", "1600x900", "--variant", "relaunch")
        app.press("A", "A")
        app.wait(lambda s: s["step"]["grain"] == "action")
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Enter")
        app.wait(lambda s: self.files() == ["relaunch-moment.svg"])
        picture = (self.documents / "relaunch-moment.svg").read_text()
        self.assertIn("just written", picture)
        self.assertNotIn("pass 2", picture)

    def test_both_kernels_are_exported_side_by_side(self):
        app = self.open("--size", "1600x900", "--variant", "span-modulo", "--set", "BARRIER=group")
        app.press("C")
        app.settle()
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Enter")
        app.wait(lambda s: self.files() == ["span-modulo.svg"])
        picture = (self.documents / "span-modulo.svg").read_text()
        self.assertIn("All passes in one launch", picture)
        self.assertIn("One launch per pass", picture)

    def test_a_map_of_sizes_is_exported_as_rows_and_as_data(self):
        app = self.open("--view", "sizes", "--variant", "span-modulo")
        app.wait(lambda s: not s["busy"], settled=True)
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.click("export.csv")
        app.click("save")
        app.wait(lambda s: self.files() == ["span-modulo-sizes.csv"])
        rows = (self.documents / "span-modulo-sizes.csv").read_text().splitlines()
        self.assertIn("verdict", rows[0])
        app.press("Ctrl+Shift+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.click("export.json")
        app.click("save")
        app.wait(lambda s: "span-modulo-sizes.json" in self.files())
        data = json.loads((self.documents / "span-modulo-sizes.json").read_text())
        self.assertEqual((data["variant"], len(data["cells"])), ("span-modulo", len(rows) - 1))

    def test_a_refused_export_leaves_the_keys_in_its_field(self):
        app = self.open()
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Ctrl+A")
        app.type("nowhere.xyz")
        app.press("Enter")
        app.wait(lambda s: s["notices"]["log"])
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+A")
        app.type(str(self.documents / "here.svg"))
        app.press("Enter")
        app.wait(lambda s: self.files() == ["here.svg"])

    def test_a_toast_covers_nothing(self):
        app = self.open()
        app.press("Ctrl+S")
        app.wait(lambda s: s["notices"]["toasts"], settled=False)
        found = app.find("toast.forget")
        _, top, _, height = app.widget("/side")["area"]
        self.assertIsNotNone(found)
        self.assertGreaterEqual(found["area"][1], top + height)

    def test_a_toast_covers_no_button_of_a_page_on_a_phone(self):
        app = self.open("--size", "420x860", "--page", "01-a-tree")
        app.wait(lambda s: s["learn"].get("page"))
        app.press("Alt+L", "Escape")
        app.wait(lambda s: s["notices"]["toasts"], settled=False)
        _, toast, _, height = app.find("toast.forget")["area"]
        for button in ("learn.next", "learn.back"):
            _, top, _, high = app.widget(button)["area"]
            self.assertTrue(toast + height < top or toast > top + high, button)

    def test_a_toast_covers_no_sentence_of_a_class(self):
        app = self.open("--size", "1280x720", "--present")
        app.press("Alt+L", "Escape")
        app.wait(lambda s: s["notices"]["toasts"], settled=False)
        _, toast, *_ = app.find("toast.forget")["area"]
        _, top, _, height = app.widget("present")["area"]  # of the line of keys
        self.assertGreaterEqual(toast, top - height / 4)

    def test_a_hint_covers_nothing(self):
        app = self.open()
        _, top, _, height = app.widget("/side")["area"]
        _, hint, *_ = app.widget("hint.forget")["area"]
        self.assertGreaterEqual(hint, top + height)
        app.press("3")
        app.wait(lambda s: s["view"] == "lattice")
        _, top, _, height = app.widget("/lattice")["area"]
        _, hint, *_ = app.widget("hint.forget")["area"]
        self.assertGreaterEqual(hint, top + height)

    def test_hints_go_on_when_they_are_done(self):
        app = self.open()
        self.assertEqual(app.state()["notices"]["hint"], "step")
        app.press("Right")
        self.assertEqual(app.state()["notices"]["hint"], "toggle")
        app.click("hint.forget")
        self.assertEqual(app.state()["notices"]["hint"], "variant")

    def test_results_of_another_machine_are_added_and_taken_out(self):
        file = self.documents / "other.json"
        app = self.open("--size", "1600x900", "--view", "measure")
        app.fill("###sizes" if app.find("###sizes") else "sizes", "2^10")
        app.press("R")
        app.wait(lambda s: s["measure"]["answered"] and s["measure"].get("complete"))
        app.press("Ctrl+E")
        app.wait(lambda s: s["over"]["overlay"] == "export")
        app.settle()
        app.press("Ctrl+A")
        app.type(str(file))
        app.press("Enter")
        app.wait(lambda s: file.exists())
        app.press("Ctrl+O")
        app.wait(lambda s: s["over"]["overlay"] == "open")
        app.settle()
        app.type(str(file))
        app.press("Enter")
        state = app.wait(lambda s: s["measure"]["added"])
        self.assertTrue(state["measure"]["added"][0]["drawn"])
        app.click("added/remove")
        app.wait(lambda s: not s["measure"]["added"])


if __name__ == "__main__":
    unittest.main()
