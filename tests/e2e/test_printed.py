"""What a kernel prints by printf, beside the steps."""
import unittest

from driver import WindowTest
from picture import Picture

SPEAKS = """kernel void halves(global int* data) {
    const int x = get_global_id(0), y = get_global_id(1);
    data[y * 2 + x] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (x == 0)
        printf("row %d: %d\\n", y, data[y * 2]);
}
"""
SILENT = "kernel void ones(global int* data) { data[get_global_id(0)] = 1; }\n"


class Printed(WindowTest):
    def open_kernel(self, text=SPEAKS):
        file = self.folder / "kernel.cl"
        file.write_text(text)
        return self.open("--size", "1900x1000", str(file))

    def seen(self, app):
        return [each["seen"] for each in app.state()["step"]["prints"]]

    def ringed(self, app, widget):
        x, y, width, height = app.widget(widget)["area"]
        file = self.folder / "around.png"
        app.ask("screenshot", file=str(file), area=[x - 6, y - 6, width + 12, height + 12])
        return Picture(file)

    def test_is_a_tab_that_is_lit_up_to_the_moment(self):
        app = self.open_kernel()
        app.click("side.prints")
        app.wait(lambda s: s["step"]["side"] == "prints")
        app.press("End")
        prints = app.state()["step"]["prints"]
        self.assertTrue(prints)
        for each in prints:
            x, y = each["item"].strip("()").split(",")
            self.assertEqual((x, each["line"]), ("0", 6))
            self.assertTrue(each["text"].startswith(f"row {y}: "), each)
        self.assertTrue(all(self.seen(app)))
        lit = app.picture("prints/print 0")
        app.press("Home")
        self.assertFalse(any(self.seen(app)))
        app.hover("status")
        self.assertNotEqual(app.picture("prints/print 0"), lit)
        # Action by action, one after the other comes, and none of them goes again.
        app.click("grain.action")
        app.press("Home")
        before = 0
        while not all(self.seen(app)):
            app.press("Right")
            now = sum(self.seen(app))
            self.assertGreaterEqual(now, before)
            before = now

    def test_what_is_pointed_at_lights_its_work_item_and_line(self):
        app = self.open_kernel()
        app.click("side.prints")
        app.click("grain.action")
        app.press("End")
        app.hover("status")
        app.wait(lambda s: s["pointed"] == "", settled=True)
        before = {each: self.ringed(app, each) for each in ("line 6", "line 3", "item 0")}
        app.hover("prints/print 0", 0.02)
        app.wait(lambda s: s["pointed"] == "print 0", settled=True)
        self.assertNotEqual(self.ringed(app, "line 6"), before["line 6"])
        self.assertNotEqual(self.ringed(app, "item 0"), before["item 0"])
        self.assertEqual(self.ringed(app, "line 3"), before["line 3"])

    def test_is_no_tab_of_a_kernel_that_does_not_call_printf(self):
        app = self.open_kernel()
        app.click("side.prints")
        app.settle()
        self.assertTrue(app.find("prints/print 0"))
        (self.folder / "kernel.cl").write_text(SILENT)
        app.wait(lambda s: "ones" in s["own"]["draft"] and not s["busy"])
        app.settle()
        self.assertIsNone(app.find("side.prints"))
        self.assertTrue(app.find("side.lanes"))

    def test_is_a_panel_of_a_lessons_page(self):
        folder = self.folder / "course" / "speaking"
        folder.mkdir(parents=True)
        (folder / "speaks.cl").write_text(SPEAKS)
        (folder / "lesson.md").write_text("""---
title: Speaking
---

## What it prints
Two rows of two.

```show
kernel: speaks.cl
global: 2x2
local: 2x2
arg: data:int[4]=ramp
panel: prints
at: end
```
""")
        app = self.open("--size", "1600x1000", str(folder.parent))
        app.wait(lambda s: s["learn"].get("lesson") == "speaking" and not s["busy"])
        self.assertEqual(app.state()["learn"]["problems"], [])
        self.assertTrue(app.find("prints/print 1"))
        self.assertIsNone(app.find("prints/print 2"))


if __name__ == "__main__":
    unittest.main()
