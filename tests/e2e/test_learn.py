"""The view Learn as a student uses it: every page of the course answered wrong and then right, by the
mouse and by keys; and what is kept of it. What is right is worked out by the app, never written here.
"""
import json
import re
import shutil
import unittest

from driver import ROOT, WindowTest
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
        app.wait(lambda s: s["learn"]["lesson"] == page["lessons"][1]["id"])
        app.press("Alt+PageUp")
        app.wait(lambda s: s["learn"]["lesson"] == page["lesson"])

    def test_another_language_keeps_the_page_and_the_draft(self):
        app = self.open_page("01-a-tree:6")
        app.wait(lambda s: s["hands"]["typing"])
        Student(self, app, mouse=False).fields(["10", "11"])
        english = app.wait(lambda s: s["learn"]["draft"]["texts"] == ["10", "11"])["learn"]
        app.click("language.next")
        app.wait(lambda s: s["settings"]["language"] == "zh")
        page = app.wait(lambda s: s["learn"]["words"] != english["words"])["learn"]
        self.assertEqual((page["page"], page["draft"]), (english["page"], english["draft"]))

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
        right = json.loads(self.progress_file("01-a-tree").read_text())
        app.press("Alt+Backspace")
        app.wait(lambda s: not s["learn"]["done"])
        student = Student(self, app, mouse=False)
        student.answer(student.page(), app.ask("learn_answer"), wrong=True)
        student.check()
        page = student.until(lambda p: p["feedback"] is not None)
        self.assertFalse(page["feedback"]["right"])
        self.assertEqual(json.loads(self.progress_file("01-a-tree").read_text()), right)

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



if __name__ == "__main__":
    unittest.main()
