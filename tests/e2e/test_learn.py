"""The view Learn as a student uses it: every page of the course answered wrong and then right, by the
mouse and by keys; and what is kept of it. What is right is worked out by the app, never written here.
"""
import json
import re
import shutil
import subprocess
import time
import unittest

from driver import BIN, ROOT, WindowTest
from student import Student

WINDOW = ("--size", "1600x900")
COURSE = ROOT / "assets" / "lessons"


class Course(WindowTest):
    """All lessons from the first page to the last."""

    def progress(self, lesson):
        file, = self.folder.glob(f"config/**/lessons/{lesson}.json")
        return json.loads(file.read_text())

    def go_through(self, first, last):
        app = self.open(*WINDOW, "--page", first)
        app.wait(lambda s: s["learn"].get("lesson") == first)
        while True:
            page = app.state()["learn"]
            self.assertIsNone(page["problem"])
            student = Student(self, app, mouse=page["place"] % 3 != 1)
            page = student.do_page()
            if page["kind"] not in ("", "measure"):
                kept = self.progress(page["lesson"])["pages"][page["page"]]
                self.assertTrue(kept["right"])
                self.assertEqual(kept["answer"], page["draft"])
                graded = page["kind"] != "reflect"
                self.assertEqual(len(kept["wrong"]), 1 if graded else 0, page["page"])
            at_end = page["place"] + 1 == page["pages"]
            if at_end:
                entry, = (each for each in page["lessons"] if each["id"] == page["lesson"])
                passed_over = entry["asked"] - entry["answered"]
                self.assertEqual(passed_over, self.measurements(page["lesson"]))
            if at_end and page["lesson"] == last:
                return
            student.go_on(page)
            app.wait(lambda s: (s["learn"]["lesson"], s["learn"]["page"])
                     != (page["lesson"], page["page"]))

    def measurements(self, lesson):
        return len(re.findall(r"^```ask measure", (COURSE / lesson / "lesson.md").read_text(), re.M))

    def test_lesson_00_from_a_loop(self):
        self.go_through("00-from-a-loop", "00-from-a-loop")

    def test_lesson_01_a_tree(self):
        self.go_through("01-a-tree", "01-a-tree")

    def test_lesson_02_the_loop(self):
        self.go_through("02-the-loop", "02-the-loop")

    def test_lesson_03_two_groups(self):
        self.go_through("03-two-groups", "03-two-groups")

    def test_lesson_04_many_groups(self):
        self.go_through("04-many-groups", "04-many-groups")

    def test_lesson_05_local_memory(self):
        self.go_through("05-local-memory", "05-local-memory")

    def test_lesson_06_a_barrier_for_all(self):
        self.go_through("06-a-barrier-for-all", "06-a-barrier-for-all")

    def test_lesson_07_the_ladder(self):
        self.go_through("07-the-ladder", "07-the-ladder")

    def test_lesson_08_to_the_limit(self):
        self.go_through("08-to-the-limit", "08-to-the-limit")

    def test_lesson_09_write_your_own(self):
        self.go_through("09-write-your-own", "09-write-your-own")

    def test_lesson_10_find_the_bug(self):
        self.go_through("10-find-the-bug", "10-find-the-bug")

    def test_lesson_11_beyond_the_sum(self):
        self.go_through("11-beyond-the-sum", "11-beyond-the-sum")

    def test_lesson_12_which_tool(self):
        self.go_through("12-which-tool", "12-which-tool")

    def test_lesson_13_the_scheduler(self):
        self.go_through("13-the-scheduler", "13-the-scheduler")


class Learn(WindowTest):
    def open_page(self, page, *more):
        app = self.open(*WINDOW, "--page", page, *more)
        app.wait(lambda s: s["learn"].get("page"))
        return app

    def progress_file(self, lesson):
        file, = self.folder.glob(f"config/**/lessons/{lesson}.json")
        return file

    def answer_first(self, app):
        """The page that is open, right at once."""
        student = Student(self, app, mouse=False)
        student.answer(student.page(), app.ask("learn_answer"), wrong=False)
        student.check()
        return student.until(lambda p: p["done"])

    def test_hint_answer_and_pages_by_keys_while_a_field_has_them(self):
        app = self.open_page("01-a-tree:1")
        app.wait(lambda s: s["hands"]["typing"])
        app.type("12")
        app.press("Alt+H")
        page = app.wait(lambda s: s["learn"]["hints_shown"] == 1)["learn"]
        self.assertEqual(page["draft"]["texts"], ["12"])
        app.press("Alt+G")
        page = app.wait(lambda s: s["learn"]["done"])["learn"]
        self.assertTrue(page["feedback"]["given_up"])
        self.assertFalse(page["progress"]["right"])
        self.assertEqual(page["draft"], app.ask("learn_answer")["right"])
        app.press("Alt+Right")
        app.wait(lambda s: s["learn"]["place"] == 1)
        app.press("Alt+Left")
        app.wait(lambda s: s["learn"]["place"] == 0)
        app.press("Alt+Backspace")
        page = app.wait(lambda s: not s["learn"]["done"])["learn"]
        self.assertEqual(page["draft"]["texts"], [""])
        app.press("Alt+PageDown")
        app.wait(lambda s: s["learn"]["lesson"] == "02-the-loop")
        app.press("Alt+PageUp")
        app.wait(lambda s: s["learn"]["lesson"] == page["lesson"])

    def test_a_reason_is_given_by_a_digit_and_answered(self):
        app = self.open_page("03-two-groups:8")
        app.wait(lambda s: s["hands"]["typing"])
        app.type("3")
        app.press("Alt+Enter")  # the field would keep the keys
        page = app.wait(lambda s: s["learn"]["asks_why"] and not s["hands"]["typing"])["learn"]
        self.assertIsNone(page["progress"])
        self.assertEqual(page["reasons"][0], "more-barriers-help")
        app.press("1")
        page = app.wait(lambda s: s["learn"]["done"])["learn"]
        self.assertTrue(page["feedback"]["right"])
        self.assertIn("27", page["feedback"]["reason_reply"])
        self.assertEqual(page["progress"]["answer"]["reason"], "more-barriers-help")
        app.wait(lambda s: s["learn"]["position"] > 0)  # the run is seen again
        app.press("Alt+Backspace")
        page = app.wait(lambda s: not s["learn"]["done"])["learn"]
        app.type("3")
        app.press("Enter")
        app.wait(lambda s: s["learn"]["asks_why"])
        app.keys("Tab", "Tab", "Tab", "Enter")  # the third of them
        page = app.wait(lambda s: s["learn"]["done"])["learn"]
        self.assertEqual((page["draft"]["reason"], page["feedback"]["reason_reply"]), ("right", ""))

    def test_another_language_keeps_the_page_and_the_draft(self):
        app = self.open_page("01-a-tree:7")
        app.wait(lambda s: s["hands"]["typing"])
        Student(self, app, mouse=False).fields(["10", "11"])
        english = app.wait(lambda s: s["learn"]["draft"]["texts"] == ["10", "11"])["learn"]
        app.click("language.next")
        app.wait(lambda s: s["settings"]["language"] == "zh")
        page = app.wait(lambda s: s["learn"]["words"] != english["words"])["learn"]
        self.assertEqual((page["page"], page["draft"]), (english["page"], english["draft"]))

    def test_a_long_sentence_is_broken_into_lines(self):
        app = self.open_page("01-a-tree:10")
        app.click("learn.sentence")
        app.wait(lambda s: s["hands"]["typing"])
        words = "Neither is wrong, since each addition of floats rounds, and the two round in another order."
        app.type(words, 8)
        page = app.wait(lambda s: s["learn"]["draft"]["texts"][0].endswith("order."))["learn"]
        text = page["draft"]["texts"][0]
        self.assertIn("\n", text)
        self.assertEqual(text.replace("\n", " "), words)

    def test_the_picture_of_a_wrong_run_says_so_while_its_line_is_asked_for(self):
        page = self.open_page("03-two-groups:5").state()["learn"]
        self.assertFalse(page["done"])
        self.assertFalse(page["picture"]["right"])

    def test_after_a_right_answer_the_run_is_seen_to_its_end(self):
        app = self.open_page("03-two-groups:8")
        self.assertEqual(app.state()["learn"]["position"], 0)
        self.assertGreater(self.answer_first(app)["position"], 0)

    def test_the_picture_is_of_the_kernel_that_was_mended(self):
        app = self.open_page("02-the-loop:1")
        before = app.state()["learn"]["picture"]
        after = self.answer_first(app)["picture"]
        self.assertFalse(before["right"])
        self.assertTrue(after["right"])
        self.assertNotEqual(before["result"], after["result"])

    def own_lesson(self):
        folder = self.folder / "course" / "my-lesson"
        folder.parent.mkdir()
        shutil.copytree(COURSE / "02-the-loop", folder)
        return folder

    def test_a_lesson_is_read_again_at_every_save(self):
        folder = self.own_lesson()
        app = self.open(*WINDOW, str(folder.parent))
        page = app.wait(lambda s: s["learn"].get("lesson") == "my-lesson")["learn"]
        lesson = folder / "lesson.md"
        text = lesson.read_text()
        lesson.write_text(text.replace("## " + page["title"], "## " + page["title"] + "?"))
        app.wait(lambda s: s["learn"]["title"] == page["title"] + "?")
        # The file of a kernel, too.
        while app.state()["learn"]["kind"] != "edit":
            place = app.state()["learn"]["place"]
            app.press("Alt+Right")
            app.wait(lambda s: s["learn"]["place"] == place + 1)
        kernel = app.state()["learn"]["kernel"]
        file, = (file for file in folder.glob("*.cl") if file.read_text() == kernel)
        file.write_text(kernel + "// changed\n")
        page = app.wait(lambda s: s["learn"]["kernel"].endswith("// changed\n"))["learn"]
        self.assertTrue(page["draft"]["texts"][0].endswith("// changed\n"))
        # A mistake is said, and gone when it is.
        lesson.write_text("no lesson\n")
        app.wait(lambda s: s["learn"]["problems"])
        lesson.write_text(text)
        app.wait(lambda s: s["learn"].get("lesson") == "my-lesson" and not s["learn"]["problems"])

    def test_the_lessons_of_a_folder_are_opened_by_the_first_entry_of_the_panel(self):
        folder = self.own_lesson()
        app = self.open(*WINDOW)
        app.press("Ctrl+O")
        app.wait(lambda s: s["over"]["overlay"] == "open")
        app.settle()
        app.type(str(folder))
        app.press("Enter")  # shows the folder
        app.wait(lambda s: s["over"]["overlay"] == "open")
        app.settle()
        app.press("Enter")
        page = app.wait(lambda s: s["learn"].get("lesson") == "my-lesson")["learn"]
        self.assertEqual([each["id"] for each in page["lessons"]], ["my-lesson"])

    def test_a_wrong_try_after_the_right_one_is_not_handed_in(self):
        app = self.open_page("01-a-tree:1")
        self.answer_first(app)
        right = json.loads(self.progress_file("01-a-tree").read_text())["pages"]
        app.press("Alt+Backspace")
        app.wait(lambda s: not s["learn"]["done"])
        student = Student(self, app, mouse=False)
        student.answer(student.page(), app.ask("learn_answer"), wrong=True)
        student.check()
        page = student.until(lambda p: p["feedback"] is not None)
        self.assertFalse(page["feedback"]["right"])
        self.assertEqual(json.loads(self.progress_file("01-a-tree").read_text())["pages"], right)

    def test_a_lesson_that_cannot_be_read_is_said_beside_the_others(self):
        folder = self.own_lesson()
        broken = folder.parent / "broken"
        broken.mkdir()
        (broken / "lesson.md").write_text("---\ntitle: Broken\n---\n\n## A page\n```show\ncolour: red\n```\n")
        app = self.open(*WINDOW, str(folder.parent))
        page = app.wait(lambda s: s["learn"]["lessons"])["learn"]
        self.assertTrue(page["problems"])
        self.assertTrue(all("broken/lesson.md" in each["where"] for each in page["problems"]))
        self.assertIn("my-lesson", [each["id"] for each in page["lessons"]])

    def test_damaged_answers_are_kept_aside_and_said(self):
        app = self.open_page("01-a-tree:1")
        self.answer_first(app)
        file = self.progress_file("01-a-tree")
        self.assertEqual(app.quit(), 0)
        file.write_text(file.read_text()[:-9])
        damaged = file.read_text()
        app = self.open(*WINDOW, "--page", "01-a-tree:1")
        state = app.wait(lambda s: s["notices"]["log"] and s["learn"].get("page"))
        self.assertTrue(any(entry["where"] == "learn" for entry in state["notices"]["log"]))
        self.assertFalse(state["learn"]["done"])
        self.assertEqual((file.parent / (file.name + ".damaged")).read_text(), damaged)

    def test_what_was_answered_is_there_after_a_restart_and_in_the_file_that_is_handed_in(self):
        app = self.open_page("01-a-tree:1")
        student = Student(self, app, mouse=False)
        first = student.do_page()
        student.go_on(first)
        app.wait(lambda s: s["learn"]["place"] == 1)
        second = self.answer_first(app)
        self.assertEqual(app.quit(), 0)
        app = self.open(*WINDOW, "--view", "learn")
        page = app.wait(lambda s: s["learn"].get("page"))["learn"]
        self.assertEqual(page["page"], second["page"])
        self.assertTrue(page["done"] and page["progress"]["right"])
        self.assertEqual(page["draft"], second["draft"])
        app.press("Alt+Left")
        page = app.wait(lambda s: s["learn"]["page"] == first["page"])["learn"]
        self.assertEqual((page["draft"], page["progress"]), (first["draft"], first["progress"]))
        answers = self.folder / "ada.json"
        app.press("Alt+I")
        app.wait(lambda s: s["hands"]["typing"])
        app.type("Ada")
        app.fill("hand_in.path", str(answers))
        app.wait(lambda s: answers.exists())
        table = subprocess.run([BIN / "reduction-lab-cli", "lesson", "grade", answers],
                               capture_output=True, text=True, check=True).stdout
        self.assertRegex(table, r"(?m)^Ada +\S+ +2 of \d+ right, \d+ at the first try, 0 shown, \d+ tries, "
                                r"\d of \d reasons +ada.json$")
        wrong, = first["progress"]["wrong"]
        self.assertIn(f'1 × {wrong["texts"][0]}', table)

    def test_a_page_that_measures(self):
        app = self.open_page("03-two-groups:7")
        page = app.state()["learn"]
        self.assertEqual((page["kind"], page["measured"]), ("measure", "share"))
        app.click("option.2")
        app.wait(lambda s: s["learn"]["draft"]["picks"] == [1])
        app.press("Alt+Enter")
        page = app.wait(lambda s: s["learn"]["feedback"] and not s["learn"]["checking"])["learn"]
        self.assertTrue(page["feedback"]["message"])
        kept = self.progress_file("03-two-groups")
        kept = json.loads(kept.read_text())["pages"][page["page"]]
        self.assertEqual((kept["tries"], kept["answer"]["picks"]), (1, [1]))
        self.assertEqual(kept["right"], page["feedback"]["right"])

    def test_shift_and_tab_goes_back_through_the_fields(self):
        app = self.open_page("01-a-tree:2")
        app.wait(lambda s: s["hands"]["typing"])
        for place, text in enumerate("123"):
            app.type(text)
            app.wait(lambda s, i=place, t=text: s["learn"]["draft"]["texts"][i] == t)
            app.press("Tab")
            app.settle()
        for _ in range(2):
            app.press("Shift+Tab")
            app.settle()
        app.press("Ctrl+A")
        app.type("7")
        app.wait(lambda s: s["learn"]["draft"]["texts"][:3] == ["1", "7", "3"])
        app.press("Shift+Tab")
        app.settle()
        app.press("Ctrl+A")
        app.type("8")
        app.wait(lambda s: s["learn"]["draft"]["texts"][:3] == ["8", "7", "3"])

    def test_the_buttons_of_a_schedule_keep_their_places(self):
        app = self.open_page("00-from-a-loop:2")

        def places():
            return [app.widget(name)["area"] for name in ("learn.rest", "learn.undo")]

        before = places()
        app.click("learn.rest")
        app.wait(lambda s: s["learn"]["race"]["at_end"])
        self.assertEqual(places(), before)
        position = app.state()["learn"]["position"]
        app.click("learn.rest")  # there is nothing left, and nothing is taken back
        app.settle()
        self.assertEqual(app.state()["learn"]["position"], position)
        app.click("learn.undo")
        app.wait(lambda s: s["learn"]["position"] == position - 1)
        self.assertEqual(places(), before)

    def test_no_frames_while_a_field_has_the_keys(self):
        for page, field in (("01-a-tree:1", "field.1"), ("02-the-loop:1", "learn.text")):
            app = self.open_page(page)
            app.click(field)
            app.wait(lambda s: s["hands"]["typing"])
            app.settle()
            time.sleep(1.5)
            before = app.ask("state")["window"]["frames"]
            time.sleep(2)
            # What asks wakes the window for a frame, and three in which things settle.
            self.assertLessEqual(app.ask("state")["window"]["frames"] - before, 4, page)
            app.close()

    def test_the_start_row_stays_in_sight_however_large_things_are(self):
        for size, scale in (("1920x1080", "2"), ("1280x720", "2"), ("1920x1080", "1")):
            app = self.open("--size", size, "--scale", scale, "--page", "01-a-tree:1")
            app.wait(lambda s: s["learn"].get("page"))
            for key in ("Home", "End"):
                app.press("Escape", key)
                app.settle()
                areas = {widget["id"]: widget["area"] for widget in app.widgets() if widget["visible"]}
                start = areas.get("start_row", areas["diagram"])
                self.assertGreaterEqual(start[1], areas["learn.picture"][1], (size, scale, key))
                self.assertLess(start[3], areas["learn.picture"][3] * 0.8 if "start_row" in areas
                                else areas["learn.picture"][3], (size, scale, key))
            app.close()

class Kept(WindowTest):
    """What was typed is not lost, whatever key was hit."""

    def open_page(self, page):
        app = self.open(*WINDOW, "--page", page)
        app.wait(lambda s: s["learn"].get("page"))
        return app

    def typed(self, app):
        return app.ask("state")["learn"]["draft"]["texts"][0]

    def write(self, app, text):
        app.click("learn.text")
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+Home")
        app.type(text)
        app.wait(lambda s: text in s["learn"]["draft"]["texts"][0])

    def test_a_kernel_that_was_not_checked_stays_on_its_page(self):
        app = self.open_page("04-many-groups:7")
        self.write(app, "// mine")
        app.press("Escape", "Alt+Right")
        app.wait(lambda s: s["learn"]["place"] == 7)
        app.press("Alt+Left")
        app.wait(lambda s: s["learn"]["place"] == 6)
        self.assertIn("// mine", self.typed(app))
        self.assertEqual(app.quit(), 0)
        app = self.open_page("04-many-groups:7")
        self.assertIn("// mine", self.typed(app))

    def test_alt_and_backspace_takes_away_no_text(self):
        app = self.open_page("04-many-groups:7")
        self.write(app, "// half an hour of work")
        app.press("Alt+Backspace")
        app.settle()
        self.assertIn("// half an hour of ", self.typed(app))

    def test_what_gave_way_comes_back(self):
        app = self.open_page("04-many-groups:7")
        self.write(app, "// mine")
        mine = self.typed(app)
        for key in ("Alt+Backspace", "Alt+G"):
            app.press("Escape")
            app.wait(lambda s: not s["hands"]["typing"])
            app.press(key)
            app.wait(lambda s: "// mine" not in s["learn"]["draft"]["texts"][0])
            app.settle()
            app.press("Ctrl+Z")
            app.wait(lambda s: s["learn"]["draft"]["texts"][0] == mine)
        self.assertTrue(app.state()["learn"]["progress"]["given_up"])

    def test_digits_go_into_the_cell_that_was_clicked(self):
        app = self.open_page("01-a-tree:2")
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Escape")
        app.wait(lambda s: not s["hands"]["typing"])
        app.press("1", "2", "3", "4", "5")
        app.settle()
        self.assertEqual(app.state()["view"], "learn")
        app.click("diagram", 0.36, 0.71)  # the fourth cell of the row that is asked for
        app.wait(lambda s: s["hands"]["typing"])
        app.type("14")
        app.wait(lambda s: s["learn"]["draft"]["texts"][3] == "14")

    def test_a_field_keeps_the_keys_where_there_is_nothing_to_check(self):
        app = self.open_page("00-from-a-loop:1")
        app.wait(lambda s: s["hands"]["typing"])

        def enter(text, draft):
            app.settle()
            app.type(text)
            app.wait(lambda s: s["learn"]["draft"]["texts"] == draft)
            app.press("Enter")

        app.press("Enter")
        enter("six", ["six", ""])  # on to the field that is empty
        enter("4", ["six", "4"])
        app.wait(lambda s: s["learn"]["feedback"])
        app.settle()
        app.type("5")
        page = app.wait(lambda s: s["learn"]["draft"]["texts"] == ["5", "4"])["learn"]
        self.assertIsNone(page["feedback"])

    def test_a_digit_chooses_an_option(self):
        app = self.open_page("01-a-tree:9")
        kind = app.state()["learn"]["kind"]
        self.assertEqual(kind, "choose")
        app.press("2")
        app.wait(lambda s: s["learn"]["draft"]["picks"] == [1])
        self.assertEqual(app.state()["view"], "learn")


class Shown(WindowTest):
    """What a page shows beside its words: panels, the lattice, the chart; and in front of a class."""

    def open_page(self, page, *more):
        app = self.open(*WINDOW, "--page", page, *more)
        app.wait(lambda s: s["learn"].get("page"))
        return app

    def test_a_panel_stands_beside_the_kernel_and_can_be_closed(self):
        app = self.open_page("04-many-groups:3")
        self.assertEqual(app.state()["learn"]["panel"], "lanes")
        self.assertTrue(app.find("side_figure"))
        wide = app.widget("learn.text/learn.kernel")["area"][2]
        app.click("learn.close_panel")
        app.wait(lambda s: not s["learn"]["panel_wanted"])
        self.assertFalse(app.find("side_figure"))
        self.assertGreater(app.widget("learn.text/learn.kernel")["area"][2], wide)
        app.press("Alt+P")
        app.wait(lambda s: s["learn"]["panel_wanted"])
        self.assertTrue(app.find("side_figure"))

    def test_in_a_narrow_window_kernel_and_panel_take_turns(self):
        app = self.open("--size", "960x700", "--page", "04-many-groups:3")
        app.wait(lambda s: s["learn"].get("panel") == "lanes")
        self.assertTrue(app.find("side_figure"))
        app.click("learn.tab_kernel")
        app.wait(lambda s: not s["learn"]["panel_wanted"])
        self.assertFalse(app.find("side_figure"))
        app.click("learn.tab_panel")
        app.wait(lambda s: s["learn"]["panel_wanted"])

    def test_a_panel_that_tells_the_answer_comes_with_it(self):
        app = self.open_page("05-local-memory:4")
        self.assertEqual(app.state()["learn"]["panel"], "")
        app.press("Alt+G")
        app.wait(lambda s: s["learn"]["panel"] == "races")

    def test_a_cell_of_the_picture_tells_what_it_is_made_of(self):
        app = self.open_page("01-a-tree:6")
        self.assertEqual(app.state()["learn"]["panel"], "lineage")
        for part in range(60, 100, 2):  # down the first column
            app.hover("diagram", 0.09, part / 100)
            if app.state()["learn"]["traced"]:
                break
        self.assertRegex(app.state()["learn"]["traced"], "^cell [0-9] 0$")

    def test_a_lattice_comes_closer_by_wheel_and_keys(self):
        app = self.open("--size", "1100x720", "--page", "09-write-your-own:11")
        app.wait(lambda s: s["learn"].get("lattice"), settled=True)
        app.press("PageUp")
        app.wait(lambda s: s["learn"]["lattice"]["zoom"] > 1.01, settled=True)
        app.press("Backspace")
        app.wait(lambda s: s["learn"]["lattice"]["zoom"] == 1, settled=True)
        app.scroll("cells", -2)
        app.wait(lambda s: s["learn"]["lattice"]["zoom"] > 1.01)

    def test_what_a_page_measures_is_drawn_as_it_comes(self):
        app = self.open_page("04-many-groups:5")
        self.assertEqual(app.state()["learn"]["rows"], 0)
        app.wait(lambda s: s["hands"]["typing"])
        app.type("1")
        app.press("Enter")
        app.wait(lambda s: s["learn"]["done"] or s["learn"]["feedback"])
        self.assertEqual(app.state()["learn"]["rows"], 2)
        tries = app.state()["learn"]["progress"]["tries"]
        if app.state()["learn"]["done"]:
            app.press("Alt+M")
            app.wait(lambda s: not s["learn"]["checking"] and s["learn"]["rows"] == 2)
            self.assertEqual(app.state()["learn"]["progress"]["tries"], tries)

    def test_a_class_is_asked_for_hands_before_the_answer_is_revealed(self):
        app = self.open_page("03-two-groups:4")
        app.press("F11")
        app.press("PageDown")
        app.wait(lambda s: s["learn"]["stage"] == 1 and s["hands"]["typing"])
        app.type("12")
        app.press("Tab")
        app.wait(lambda s: s["learn"]["poll"]["place"] == 1 and s["hands"]["typing"])
        app.press("Shift+Tab")
        app.wait(lambda s: s["learn"]["poll"]["place"] == 0 and s["hands"]["typing"])
        app.press("Down")
        app.wait(lambda s: s["learn"]["poll"]["place"] == 1 and s["hands"]["typing"])
        app.settle()
        app.type("5")
        state = app.wait(lambda s: s["learn"]["poll"]["choices"][1]["hands"] == 5)
        self.assertEqual(state["view"], "learn")
        self.assertEqual(state["learn"]["poll"]["choices"][0]["hands"], 12)
        self.assertFalse(state["learn"]["told"])
        app.press("Down")
        app.wait(lambda s: s["learn"]["poll"]["place"] == 2)
        app.press("PageUp")
        app.wait(lambda s: s["learn"]["stage"] == 0)
        app.press("PageDown", "PageDown")
        state = app.wait(lambda s: s["learn"]["stage"] == 2 and s["hands"]["typing"])
        reasons = state["learn"]["reasons"]
        self.assertEqual(len(state["learn"]["poll"]["choices"]), len(reasons))
        self.assertFalse(state["learn"]["told"])
        app.settle()
        app.type("9")
        state = app.wait(lambda s: s["learn"]["poll"]["choices"][0]["hands"] == 9)
        self.assertEqual([each["right"] for each in state["learn"]["poll"]["choices"]],
                         [each == "right" for each in reasons])
        app.press("PageDown")
        state = app.wait(lambda s: s["learn"]["told"] and not s["hands"]["typing"])
        self.assertEqual(state["learn"]["poll"]["choices"][0]["hands"], 12)
        self.assertIsNone(state["learn"]["progress"])
        app.press("PageDown")
        app.wait(lambda s: s["learn"]["place"] == 4 and s["learn"]["stage"] == 0)
        app.press("F11")
        self.assertFalse(app.state()["learn"]["told"])

    def test_values_that_a_class_says_are_counted(self):
        app = self.open_page("01-a-tree:1")
        app.press("F11")
        app.press("PageDown")
        app.wait(lambda s: s["learn"]["stage"] == 1 and s["hands"]["typing"])
        app.type("98")
        app.press("Enter")
        app.wait(lambda s: s["learn"]["poll"]["choices"] and s["hands"]["typing"])
        app.settle()
        app.type("7")
        state = app.wait(lambda s: s["learn"]["poll"]["choices"][0]["hands"] == 7)
        self.assertEqual(state["learn"]["poll"]["choices"][0]["text"], "98")
        self.assertEqual(state["view"], "learn")
        app.press("Enter")  # on to another value
        app.wait(lambda s: s["learn"]["poll"]["place"] == 1 and s["hands"]["typing"])
        app.settle()
        app.type("99")
        app.press("Enter")
        app.wait(lambda s: [each["text"] for each in s["learn"]["poll"]["choices"]] == ["98", "99"])
        app.press("Escape")
        app.wait(lambda s: s["learn"]["stage"] == 0)


if __name__ == "__main__":
    unittest.main()
