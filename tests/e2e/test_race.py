"""The race view, by hand: the class is the scheduler."""
import unittest

from driver import WindowTest


class Race(WindowTest):
    def open_race(self):
        """Two groups of four, in one launch, with a barrier that each has for itself."""
        app = self.open()
        app.click("variants/span-modulo")
        app.choose("BARRIER", "group")
        app.press("2")
        app.wait(lambda s: s["view"] == "race" and "cursor" in s["race"])
        app.press("Home")
        app.wait(lambda s: s["race"]["cursor"] == 0)
        return app

    def act(self, app, group, times):
        """Lets a group act, by the button of its row."""
        for _ in range(times):
            race = app.state()["race"]
            groups = [warp["group"] for warp in race["ready"]]
            self.assertIn(group, groups, race)
            app.click(f"race.act_{groups.index(group) + 1}")
            app.wait(lambda s, before=race["cursor"]: s["race"]["cursor"] == before + 1)

    def test_who_goes_on_takes_little_room_from_the_text(self):
        for size in ("1280x720", "1440x900"):
            app = self.open("--size", size, "--variant", "span-modulo", "--set", "BARRIER=group", "--view", "race")
            app.settle()
            card, source = app.widget("race_text")["area"], app.widget("race_text/source")["area"]
            self.assertGreater(source[2], 0.75 * card[2], size)
            app.close()

    def test_a_schedule_by_clicks_ends_in_33(self):
        app = self.open_race()
        self.act(app, 1, 3)
        self.act(app, 0, 12)
        self.act(app, 1, 6)
        race = app.state()["race"]
        self.assertEqual((race["ending"], race["expected"]), ({"result": "33", "right": False}, "41"))
        app.press("Home", "Right", "End")
        self.assertEqual(app.state()["race"]["ending"]["result"], "33")

    def test_back_is_without_limit_and_forward_goes_the_same_way(self):
        app = self.open_race()
        self.act(app, 1, 2)
        self.act(app, 0, 1)
        self.assertEqual(app.state()["race"]["turns"], "1.0*2 0.0")
        app.press("Left", "Left", "Left", "Left")
        self.assertEqual(app.state()["race"]["cursor"], 0)
        app.press("Right", "Right", "Right")
        self.assertEqual(app.state()["race"]["turns"], "1.0*2 0.0")

    def test_undo_takes_back_one_action_and_the_schedule_that_was_there_before(self):
        app = self.open_race()
        self.act(app, 1, 2)
        self.act(app, 0, 1)
        app.press("Ctrl+T")
        app.press("Ctrl+Z")  # the last change was of the theme
        app.wait(lambda s: s["settings"]["theme"] == "light")
        self.assertEqual(app.state()["race"]["cursor"], 3)
        app.press("Ctrl+Z")
        state = app.wait(lambda s: s["race"]["cursor"] == 2)
        self.assertEqual((state["race"]["turns"], state["settings"]["variant"]),
                         ("1.0*2", "span-modulo"))
        app.press("Ctrl+Shift+Z")
        app.wait(lambda s: s["race"]["turns"] == "1.0*2 0.0")
        # A result that is played leaves what was scheduled by hand to be had again.
        app.wait(lambda s: s["race"]["outcomes"].get("results"))
        app.press("F")
        app.wait(lambda s: s["race"]["found"] is not None and not s["race"]["playing"])
        app.press("Ctrl+Z")
        app.wait(lambda s: s["race"]["turns"] == "1.0*2 0.0" and s["race"]["cursor"] == 3)

    def test_make_it_wrong_finds_a_schedule_and_plays_it(self):
        app = self.open_race()
        app.wait(lambda s: s["race"]["outcomes"].get("results"))
        app.click("race.find")
        state = app.wait(lambda s: s["race"]["found"] is not None and not s["race"]["playing"])
        race = state["race"]
        found = race["outcomes"]["results"][race["found"]]
        self.assertFalse(found["right"])
        self.assertEqual(race["ending"]["result"], found["result"])

    def test_trials_on_the_device_come_in_beside_what_is_foreseen(self):
        app = self.open_race()
        app.press("D")
        state = app.wait(lambda s: s["race"]["trials"].get("counts") and
                         not s["race"]["trials"]["waiting"])
        foreseen = {each["result"] for each in state["race"]["outcomes"]["results"]}
        self.assertLessEqual(set(state["race"]["trials"]["counts"]), foreseen)
        self.assertEqual(state["race"]["trials"]["unforeseen"], [])

    def test_trials_with_delays_are_counted_beside_the_others(self):
        app = self.open_race()
        app.press("Alt+D")
        app.wait(lambda s: s["race"]["trials"]["delays"])
        app.press("D")
        state = app.wait(lambda s: s["race"]["trials"].get("counts") and
                         not s["race"]["trials"]["waiting"])
        trials = state["race"]["trials"]
        foreseen = {each["result"] for each in state["race"]["outcomes"]["results"]}
        self.assertLessEqual(set(trials["counts"]), foreseen)
        self.assertEqual(trials["unforeseen"], [])
        self.assertEqual((trials["count"], sum(trials["counts"].values())), (10000, 10000))
        self.assertEqual(trials["delayed"], sum(trials["delayed_counts"].values()))
        self.assertGreater(trials["delayed"], 0)
        both = app.picture("race_side")
        # Without them there is one bar a result again.
        app.click("race.delays")
        app.wait(lambda s: not s["race"]["trials"]["delays"])
        app.press("D")
        app.wait(lambda s: "seed" not in s["race"]["trials"] and s["race"]["trials"].get("counts")
                 and not s["race"]["trials"]["waiting"])
        self.assertNotEqual(app.picture("race_side"), both)

    def test_the_memory_is_in_sight_where_words_are_long(self):
        app = self.open("--lang", "ru", "--size", "820x900", "--view", "race", "--variant", "span-modulo")
        app.wait(lambda s: app.find("memory data 7"))
        self.assertLess(app.widget("memory data 0")["area"][0], 400)
        left, _, width, _ = app.widget("memory data 7")["area"]
        self.assertLess(left + width, 800)

    def test_the_toggle_mends_it_and_breaks_it_again(self):
        app = self.open_race()
        self.assertTrue(app.state()["broken"])
        app.press("B")
        state = app.wait(lambda s: not s["broken"] and "cursor" in s["race"])
        app.press("End")
        state = app.wait(lambda s: s["race"]["at_end"] and s["race"]["length"])
        self.assertEqual(state["race"]["ending"], {"result": "41", "right": True})
        app.press("B")
        app.wait(lambda s: s["broken"])

    def test_another_kernel_brings_its_own_memory(self):
        app = self.open("--size", "1600x900", "--view", "race", "--variant", "local-tree")
        app.wait(lambda s: "in" in s["race"]["memory"])
        before = app.picture("race/memory")
        app.click("race/variant.list")
        app.settle()
        app.click("variants/relaunch")
        app.wait(lambda s: "data" in s["race"]["memory"])
        self.assertNotEqual(app.picture("race/memory"), before)

    def test_a_race_that_cannot_go_wrong_here_is_called_one(self):
        app = self.open("--size", "1600x900", "--view", "race", "--variant", "local-tree",
                        "--set", "BARRIER_LOOP=off", "--lanes", "4")
        state = app.wait(lambda s: s["race"]["outcomes"]["answered"])
        self.assertEqual(len(state["race"]["outcomes"]["results"]), 1)
        self.assertTrue(state["broken"])
        said = app.picture("race")
        app.press("B")
        app.wait(lambda s: not s["broken"] and s["race"]["outcomes"]["answered"])
        self.assertNotEqual(app.picture("race"), said)


    def test_mending_replays_the_schedule_after_each_edit(self):
        app = self.open("--size", "1600x900", "--variant", "span-modulo", "--set", "BARRIER=group")
        app.press("2")
        app.state()
        app.press("F")  # a wrong result, played
        app.wait(lambda s: s["race"]["outcomes"]["answered"])
        app.press("F", "Space", "End")
        before = app.wait(lambda s: s["race"]["at_end"])["race"]
        self.assertFalse(before["ending"]["right"])
        app.click("race.mend")
        state = app.wait(lambda s: s["own"]["file"] and s["race"]["mending"] and not s["busy"])
        self.assertEqual(state["view"], "race")
        self.assertEqual(state["race"]["turns"], before["turns"])
        self.assertTrue(state["race"]["at_end"])
        app.settle()
        app.click("user_kernel.text", 0.5, 0.5)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+Home")
        app.type("// mine ")
        app.press("Enter")  # the text is still a kernel, and races as before
        app.press("Ctrl+Enter")
        state = app.wait(lambda s: s["own"]["draft"].startswith("// mine") and not s["own"]["waits"]
                         and not s["busy"])
        self.assertEqual(state["race"]["turns"], before["turns"])
        self.assertEqual(state["race"]["ending"], before["ending"])
        self.assertTrue(state["race"]["mending"])


if __name__ == "__main__":
    unittest.main()
