"""Answers pages of the view Learn in the real window; what is right is asked of the app."""
import re


def body(kernel):
    """A kernel's text without its header, as the editor shows it."""
    return kernel[kernel.index("*/") + 2:].lstrip("\n") if kernel.startswith("/*") else kernel


class Student:
    """Answers the page that is open: by the mouse, or by keys alone."""

    def __init__(self, test, app, mouse):
        self.test, self.app, self.mouse = test, app, mouse

    def page(self):
        return self.app.ask("state")["learn"]

    def until(self, holds):
        return self.app.wait(lambda s: not s["learn"]["checking"] and holds(s["learn"]))["learn"]

    def check(self, why="right"):
        """Checks the answer, and says why, where the page asks that."""
        page = self.page()
        if self.mouse:
            self.app.click("learn.check")
        else:
            self.app.press("Alt+Enter")
        if not page["reasons"] or page["done"] or page["spent"]:  # then it goes on
            return
        self.until(lambda p: p["asks_why"])
        place = page["reasons"].index(why) + 1
        if self.mouse:
            if not self.app.find(f"reason.{place}"):
                self.app.reveal(f"reason.{place}", "learn.words")
            self.app.click(f"reason.{place}")
        else:
            self.app.press(str(place))

    @staticmethod
    def tries(page):
        return page["progress"]["tries"] if page["progress"] else 0

    # The kinds of answers.

    def fields(self, values):
        if self.mouse:
            self.app.click("field.1")
            self.app.wait(lambda s: s["hands"]["typing"])
            self.app.press("Ctrl+A")
        # By keys: the field that is to be filled has them already, be it the first or a wrong one.
        else:
            self.app.wait(lambda s: s["hands"]["typing"])
        for place, value in enumerate(values):
            self.app.type(value, 8)
            self.until(lambda p, i=place, v=value: p["draft"]["texts"][i] == v)
            if place + 1 < len(values):
                self.app.press("Tab")
                self.app.settle()
        self.until(lambda p: p["draft"]["texts"] == values)

    def picks(self, wanted, prefix, several):
        page = self.page()
        chosen = page["draft"]["picks"]
        if not several:
            chosen = [pick for pick in chosen if pick in wanted]
        change = sorted(set(chosen) ^ set(wanted))
        if self.mouse:
            names = [f"{prefix}.{pick + (prefix == 'option')}" for pick in change]
            # With the first one what was said of the last answer goes, and the others move.
            for part in (names[:1], names[1:]):
                for name in part:
                    if not self.app.find(name):
                        self.app.reveal(name, "learn.kernel" if prefix == "line" else "learn.words")
                self.app.clicks(*part)
                self.app.settle()
        else:
            choices, place = page["choices"], page["pointed"]
            for pick in change:
                here = self.page()
                if here["pointed"] is None:
                    self.app.keys("Tab")
                    here = self.until(lambda p: p["pointed"] is not None)
                steps = choices.index(pick) - choices.index(here["pointed"])
                self.app.keys(*["Tab"] * (steps % len(choices)))
                self.until(lambda p: p["pointed"] == pick)
                self.app.keys("Delete" if pick in chosen else "Enter")
                self.until(lambda p: (pick in p["draft"]["picks"]) == (pick in wanted))
        self.until(lambda p: sorted(p["draft"]["picks"]) == sorted(wanted))

    def order(self, wanted):
        """Takes back what stands there, and chooses one after the other."""
        for pick in self.page()["draft"]["picks"]:
            self.picks([each for each in self.page()["draft"]["picks"] if each != pick],
                       "option", True)
        for count in range(len(wanted)):
            self.picks(wanted[:count + 1], "option", True)
        self.until(lambda p: p["draft"]["picks"] == wanted)

    def act_out(self, turns):
        """A schedule as "0.0*4 1.0*5", from the start; then the rest in order."""
        self.app.press("Home")
        self.until(lambda p: p["position"] == 0)
        acted = 0
        for warp, count in re.findall(r"(\d+\.\d+)(?:\*(\d+))?", turns):
            for _ in range(int(count or 1)):
                page = self.page()
                if page["race"]["at_end"]:
                    break
                place = page["race"]["ready"].index(warp)
                if self.mouse:
                    self.app.click(f"learn.act_{place + 1}", settled=False)
                else:
                    steps = (place - page["picked"]) % len(page["race"]["ready"])
                    self.app.keys(*["Tab"] * steps, "Enter")
                acted += 1
                self.until(lambda p: p["position"] == acted)
        self.rest()

    def rest(self):
        if not self.page()["race"]["at_end"]:
            if self.mouse:
                self.app.click("learn.rest")
            else:
                self.app.press("End")
        self.until(lambda p: p["race"]["at_end"])

    def text(self, text, typed=False):
        self.app.click("learn.text")
        self.app.wait(lambda s: s["hands"]["typing"])
        if typed:
            self.app.press("Ctrl+A")
            self.app.type(text, 4)
        else:
            self.app.paste(text)
        self.until(lambda p: body(p["draft"]["texts"][0]) == text)

    def sentence(self, text):
        self.app.click("learn.sentence")
        self.app.wait(lambda s: s["hands"]["typing"])
        self.app.type(text, 8)
        self.until(lambda p: p["draft"]["texts"] == [text])

    # Whole pages.

    def answer(self, page, right, wrong, typed=False):
        """Makes an answer, right or wrong; false where no wrong one can be made."""
        kind, answer = page["kind"], right["right"]
        if right["ordered"] and answer["picks"]:
            self.order(answer["picks"][::-1] if wrong else answer["picks"])
        elif kind in ("cells", "number"):
            self.fields([value if not wrong else f"{float(value) * 3 + 7:.0f}"
                         for value in answer["texts"]])
        elif kind == "input":
            row = answer["texts"][0]
            self.fields([row if not wrong else ",".join("0" for _ in row.split(","))])
        elif kind in ("pick", "items", "choose", "results", "line"):
            others = [choice for choice in page["choices"]
                      if choice not in (right["picks"] if kind == "line" else answer["picks"])]
            prefix = {"line": "line", "pick": "pick", "items": "pick"}.get(kind, "option")
            # One of the right ones alone is wrong, too, where each is.
            picks = answer["picks"] if not wrong else others[:1] or answer["picks"][:1]
            self.picks(picks, prefix, kind in ("pick", "items") or right["several"])
        elif kind == "schedule":
            if not wrong:
                self.act_out(answer["texts"][0])
            else:
                self.rest()
        elif kind == "edit":
            if not wrong:  # as it is, it is wrong
                self.text(body(answer["texts"][0]), typed)
        else:
            return False
        return True

    def do_page(self, typed=False):
        page = self.page()
        if page["kind"] == "reflect":
            self.sentence("I do not know yet")
            self.check()
        elif page["kind"] not in ("", "measure"):
            for wrong in (True, False):
                if self.page()["spent"]:  # other numbers, which have another answer
                    self.check()
                    self.until(lambda p, seed=page["seed"]: p["seed"] > seed)
                    self.app.settle()
                right = self.app.ask("learn_answer")
                if self.answer(page, right, wrong, typed):
                    tries = self.tries(self.page())
                    self.check()
                    page_name = f'{page["lesson"]}: {page["page"]}'
                    judged = self.until(lambda p, t=tries: self.tries(p) > t)
                    self.app.settle()  # a wrong field gets the keys, with its text selected
                    self.test.assertEqual(judged["feedback"]["right"], not wrong, page_name)
                    said = judged["feedback"]["reply"] or judged["feedback"]["message"]
                    self.test.assertTrue(said, page_name)
        else:
            return page
        return self.until(lambda p: p["done"])

    def go_on(self, page):
        if page["done"] and page["place"] % 2:
            self.check()
        elif self.mouse:
            self.app.click("learn.next")
        else:
            self.app.press("Alt+Right")
