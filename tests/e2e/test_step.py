"""The step view, by hand: the 8-element story, stepping, choosing, typing, going wrong."""
import unittest

from driver import ROOT, WindowTest


class Story(WindowTest):
    def cursor(self, app):
        return app.state()["step"]["cursor"]

    def test_opens_with_eight_elements_ready_to_step(self):
        state = self.open().state()
        self.assertEqual(state["view"], "step")
        step = state["step"]
        self.assertEqual((step["variant"], step["n"], step["result"]), ("relaunch", 8, "41"))
        self.assertTrue(step["right"])
        self.assertEqual((step["cursor"], step["last"]), (0, 3))
        self.assertEqual(state["problems"], [])
        self.assertEqual((state["window"]["width"], state["window"]["height"]), (1600, 900))

    def test_steps_by_keys(self):
        app = self.open()
        for key, cursor in [("Right", 1), ("Right", 2), ("Left", 1), ("Home", 0), ("Left", 0),
                            ("Right", 1), ("End", 3), ("Right", 3)]:
            app.press(key)
            self.assertEqual(self.cursor(app), cursor, key)
        app.press("Home")
        self.assertEqual(app.state()["step"]["values"], list("71685671"))

    def test_steps_by_buttons(self):
        app = self.open()
        for button, cursor in [("step.forward", 1), ("step.forward", 2), ("step.back", 1),
                               ("step.first", 0), ("step.last", 3)]:
            app.click(button)
            self.assertEqual(self.cursor(app), cursor, button)
        app.settle()
        self.assertFalse(app.widget("step.forward")["enabled"])
        self.assertTrue(app.widget("step.back")["enabled"])

    def test_shows_another_picture_for_another_pass_and_the_same_for_the_same(self):
        app = self.open()
        start = app.picture("figure")
        app.press("Right")
        after = app.picture("figure")
        self.assertNotEqual(after, start)
        app.press("Left")
        self.assertEqual(app.picture("figure"), start)

    def test_lanes_mark_the_pass_that_is_shown(self):
        app = self.open()
        pictures = []
        for _ in range(4):
            pictures.append(app.picture("side"))
            app.press("Right")
        for i, picture in enumerate(pictures):
            for other in pictures[i + 1:]:
                self.assertNotEqual(picture, other)

    def test_between_actions_the_hosts_line_is_of_the_action_that_was_taken(self):
        app = self.open()
        app.click("grain.action")
        app.press("Home")
        launches = set()
        while True:
            app.press("Right")
            step = app.state()["step"]
            self.assertEqual(step["launch"], step["action_launch"], step["time"])
            launches.add(step["launch"])
            if step["position"] == step["last_position"]:
                break
        self.assertEqual(launches, {1, 2, 3})

    def test_each_kernel_brings_its_own_example_and_reset_brings_it_back(self):
        app = self.open()
        example = app.state()["choice"]
        app.press("G")  # a group of eight
        self.assertNotEqual(app.state()["choice"], example)
        app.press("Ctrl+Backspace")
        self.assertEqual(app.state()["choice"], example)
        app.press("G")
        app.click("variants/local-tree")
        app.wait(lambda s: s["step"]["variant"] == "local-tree")
        app.click("variants/relaunch")
        app.wait(lambda s: s["step"]["variant"] == "relaunch")
        self.assertEqual(app.state()["choice"], example)

    def test_no_kernel_of_the_list_opens_in_an_error(self):
        app = self.open()
        seen = set()
        for _ in (ROOT / "kernels").glob("*.cl"):
            app.press("Down")
            state = app.wait(lambda s: s["step"]["answered"] and not s["step"]["waiting"]
                             and s["step"]["variant"] == s["choice"]["variant"])
            self.assertEqual((state["problems"], state["step"]["fault"]), ([], ""),
                             state["choice"]["variant"])
            seen.add(state["choice"]["variant"])
        self.assertGreater(len(seen), 20)

    def test_the_legend_is_one_click_away_where_there_is_no_room_for_it(self):
        app = self.open("--size", "1440x900")
        app.settle()
        before = app.picture("step")
        app.click("step.show_legend.tip")
        app.settle()
        self.assertNotEqual(app.picture("step"), before)

    def test_plays_to_the_end_and_stops(self):
        app = self.open()
        app.press("S", "S", "S", "Space")  # half a pass a second
        app.wait(lambda s: s["step"]["playing"] and s["step"]["cursor"] < 3)
        app.press("S", "S", "S")  # four
        state = app.wait(lambda s: not s["step"]["playing"])
        self.assertEqual(state["step"]["cursor"], 3)

    def test_pauses_by_its_button(self):
        app = self.open()
        app.press("S", "S", "S")
        app.click("step.play")
        app.wait(lambda s: s["step"]["playing"])
        app.click("step.play", settled=False)
        state = app.wait(lambda s: not s["step"]["playing"])
        self.assertLess(state["step"]["cursor"], 3)

    def test_scrubs_by_dragging(self):
        app = self.open()
        app.drag("scrubber", 1.0, 0.34)
        self.assertEqual(self.cursor(app), 1)
        app.drag("scrubber", 0.34, 0.0)
        self.assertEqual(self.cursor(app), 0)
        app.drag("scrubber", 0.0, 1.0)
        self.assertEqual(self.cursor(app), 3)


class Choices(WindowTest):
    def test_a_variant_is_chosen_from_the_list(self):
        app = self.open()
        app.click("variants/span-modulo")
        state = app.wait(lambda s: s["step"]["variant"] == "span-modulo")
        self.assertEqual(state["choice"]["variant"], "span-modulo")
        app.press("Up", "Down")
        self.assertEqual(app.state()["step"]["variant"], "span-modulo")

    def test_a_variant_far_below_is_reached_by_the_wheel(self):
        app = self.open()
        self.assertFalse(app.find("variants/tile"))
        app.reveal("variants/tile", "variants")
        app.click("variants/tile")
        app.wait(lambda s: s["step"]["variant"] == "tile" and s["step"]["right"])

    def test_the_list_goes_to_a_variant_that_was_chosen_elsewhere(self):
        app = self.open("--variant", "tile", "--size", "1600x900")
        self.assertTrue(app.find("variants/tile"))
        self.assertFalse(app.find("variants/span-modulo"))
        app.press("Down")  # round to the first one
        app.settle()
        self.assertEqual(app.state()["choice"]["variant"], "one-pass")
        self.assertTrue(app.find("variants/one-pass"))

    def test_a_toggle_and_a_schedule_make_the_sum_wrong(self):
        app = self.open()
        app.press("End")
        right = app.picture("figure")
        app.click("variants/span-modulo")
        app.choose("BARRIER", "group")
        app.choose("order", "in order")
        state = app.state()
        self.assertEqual(state["choice"]["shape"]["set"], {"BARRIER": "group"})
        self.assertEqual((state["step"]["result"], state["step"]["expected"]), ("27", "41"))
        self.assertFalse(state["step"]["right"])
        app.press("End")
        race = (0xb8, 0x47, 0x00)  # of the light theme: seen where it is wrong, and only there
        self.assertGreater(app.picture("figure").count(race), right.count(race) + 50)

    def test_every_toggle_key_changes_its_choice(self):
        app = self.open()
        before = app.state()["choice"]
        app.press("G", "T", "O", "L", "Shift+O")
        after = app.state()["choice"]
        self.assertEqual(after["shape"]["group"], 8)
        self.assertNotEqual(after["shape"]["type"], before["shape"]["type"])
        self.assertNotEqual(after["shape"]["op"], before["shape"]["op"])
        self.assertEqual((after["machine"]["lanes"], after["machine"]["order"]), (8, "in-order"))
        app.press("M")
        self.assertEqual(app.state()["choice"]["machine"]["order"], "auto")

    def test_typing_into_a_field_is_no_command(self):
        app = self.open()
        before = app.state()
        app.click("text")
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+A")
        app.type("5,4,1,2,3,4,5,6 rgmtl")
        state = app.state()
        self.assertTrue(state["hands"]["typing"])
        self.assertEqual((state["choice"], state["view"], state["measure"]["waiting"]),
                         (before["choice"], "step", False))
        app.press("Escape")
        self.assertFalse(app.state()["hands"]["typing"])
        app.press("Right")
        self.assertEqual(app.state()["step"]["cursor"], 1)

    def test_numbers_of_ones_own(self):
        app = self.open()
        app.fill("text", "1,2,3,4")
        state = app.wait(lambda s: s["step"]["n"] == 4)
        self.assertEqual((state["step"]["result"], state["step"]["right"]), ("10", True))

    def test_bad_input_is_said_and_the_last_picture_stays(self):
        app = self.open()
        app.fill("text", "1,2,three")
        state = app.wait(lambda s: s["step"]["problem"])
        self.assertIn("three", state["step"]["problem"]["what"])
        self.assertEqual((state["step"]["result"], state["step"]["n"]), ("41", 8))
        self.assertEqual(app.state()["hands"]["typing"], False)
        self.assertTrue(app.find("figure"))
        app.press("Right")  # what is still there can be stepped
        self.assertEqual(app.state()["step"]["cursor"], 1)
        app.fill("text", "1,2,3")
        app.wait(lambda s: not s["step"]["problem"] and s["step"]["result"] == "6")

    def test_undo_and_redo(self):
        app = self.open()
        app.click("variants/span-modulo")
        app.fill("text", "9,9")
        app.wait(lambda s: s["step"]["n"] == 2)
        app.press("Ctrl+Z")
        app.wait(lambda s: s["step"]["n"] == 8 and s["step"]["variant"] == "span-modulo")
        app.press("Ctrl+Z")
        state = app.wait(lambda s: s["step"]["variant"] == "relaunch")
        self.assertEqual(state["undo"], {"can_undo": False, "can_redo": True})
        app.press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
        state = app.wait(lambda s: s["step"]["n"] == 2)
        self.assertEqual(state["step"]["variant"], "span-modulo")
        self.assertFalse(state["undo"]["can_redo"])


if __name__ == "__main__":
    unittest.main()
