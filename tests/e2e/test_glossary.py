"""The glossary: a card beside a word, by the mouse and by a key, and the list of all words."""
import unittest

from driver import WindowTest


class Glossary(WindowTest):
    def open_lesson(self, *arguments):
        """A page whose words have some of the glossary's."""
        app = self.open(*(arguments or ("--size", "1600x900")), "--view", "learn")
        app.wait(lambda s: s["view"] == "learn")
        return app

    def marked(self, app):
        """The words with dots below them, in their order."""
        return [w["id"] for w in app.widgets()
                if w["id"].startswith("word.") and w["visible"] and not w["id"][-1].isdigit()]

    def hover_word(self, app, word):
        app.settle()
        app.hover(word)
        return app.wait(lambda s: s["glossary"]["word"] == word.removeprefix("word."))

    def test_a_word_is_explained_while_the_mouse_is_on_it(self):
        app = self.open_lesson()
        words = self.marked(app)
        self.assertTrue(words)
        self.assertEqual(len(words), len(set(words)))  # each once a page
        self.hover_word(app, words[0])
        app._xdotool("mousemove", "--window", app.window, "1", "1")
        app.wait(lambda s: s["glossary"]["word"] == "")

    def test_its_picture_moves_then_rests(self):
        app = self.open_lesson()
        app.press("Alt+W")
        app.wait(lambda s: s["glossary"]["focus"] != "" and s["glossary"]["moving"])
        app.wait(lambda s: s["glossary"]["step"] > 0)
        state = app.wait(lambda s: not s["glossary"]["moving"])
        self.assertEqual(state["glossary"]["step"] + 1, state["glossary"]["moments"])

    def test_a_key_goes_from_word_to_word(self):
        app = self.open_lesson()
        words = [word.removeprefix("word.") for word in self.marked(app)]
        for word in words[:2]:
            app.press("Alt+W")
            app.wait(lambda s, word=word: s["glossary"]["focus"] == word)
            app.wait(lambda s, word=word: s["glossary"]["word"] == word)
        app.press("Escape")
        app.wait(lambda s: s["glossary"]["word"] == "")

    def test_the_list_finds_a_word_by_any_of_its_names(self):
        app = self.open()
        app.press("Ctrl+Shift+G")
        app.wait(lambda s: s["over"]["overlay"] == "glossary" and s["hands"]["typing"])
        app.type("syncthreads")
        app.wait(lambda s: s["glossary"]["word"] == "barrier")
        app.press("Ctrl+A")
        app.type("occupancy")
        app.wait(lambda s: s["glossary"]["word"] == "occupancy")
        app.press("Escape")
        app.wait(lambda s: s["over"]["overlay"] == "" and s["glossary"]["word"] == "")

    def test_a_click_on_a_word_opens_the_list_there(self):
        app = self.open_lesson()
        word = self.marked(app)[0]
        app.click(word)
        app.wait(lambda s: s["over"]["overlay"] == "glossary"
                 and s["glossary"]["word"] == word.removeprefix("word."))

    def test_the_palette_has_the_words(self):
        app = self.open()
        app.press("Ctrl+P")
        app.wait(lambda s: s["hands"]["typing"])
        app.type("coalescing")
        app.settle()
        app.press("Enter")
        app.wait(lambda s: s["over"]["overlay"] == "glossary"
                 and s["glossary"]["word"] == "coalescing")

    def test_words_are_marked_in_three_languages(self):
        app = self.open_lesson()
        for language in ("en", "zh", "ru"):
            app.wait(lambda s: s["settings"]["language"] == language)
            words = self.marked(app)
            self.assertTrue(words, language)
            self.hover_word(app, words[0])
            app._xdotool("mousemove", "--window", app.window, "1", "1")
            if language != "ru":
                app.press("Ctrl+L")

    def test_the_card_never_covers_its_word(self):
        for size in ("1600x900", "900x560", "640x480"):
            app = self.open_lesson("--size", size)
            width, height = map(int, size.split("x"))
            for word in self.marked(app)[:4]:
                self.hover_word(app, word)
                app.settle()
                left, top, wide, high = app.wait(lambda s: s["card"])["card"]
                self.assertGreaterEqual(min(left, top), 0)
                self.assertLessEqual(left + wide, width)
                self.assertLessEqual(top + high, height)
                x, y, w, h = app.widget(word)["area"]
                apart = left + wide <= x or x + w <= left or top + high <= y or y + h <= top
                self.assertTrue(apart, (size, word))
            app.quit()


if __name__ == "__main__":
    unittest.main()
