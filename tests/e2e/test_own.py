"""A kernel of one's own: opened, broken, mended, changed from outside, launched otherwise."""
import unittest

from driver import WindowTest

SUM = """kernel void total(global int* data, const uint n) {
    if (get_global_id(0) == 0)
        for (uint i = 1; i < n; ++i) data[0] += data[i];
}
"""
# Of which nothing is known but the text.
PRODUCT = """__kernel void matmul(__global const float* A, __global const float* B,
                     __global float* C, const int N)
{
    int row = get_global_id(1);
    int col = get_global_id(0);
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
"""
PREFIX = """// Each work-item brings two numbers (Blelloch).
__kernel void prefix_sum(__global float* out, __global const float* in, __local float* temp)
{
    int lid = get_local_id(0), n = 2 * get_local_size(0), offset = 1;
    int first = get_group_id(0) * n;
    temp[2 * lid] = in[first + 2 * lid];
    temp[2 * lid + 1] = in[first + 2 * lid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int a = offset * (2 * lid + 1) - 1, b = offset * (2 * lid + 2) - 1;
            temp[b] += temp[a];
        }
        offset <<= 1;
    }
    if (lid == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d <<= 1) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int a = offset * (2 * lid + 1) - 1, b = offset * (2 * lid + 2) - 1;
            float t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + 2 * lid] = temp[2 * lid];
    out[first + 2 * lid + 1] = temp[2 * lid + 1];
}
"""
IN_CUDA = """__global__ void sum(const int* in, int* out) {
    __shared__ int part[8];
    part[threadIdx.x] = in[threadIdx.x];
    for (int s = 4; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s];
    }
    if (threadIdx.x == 0)
        out[0] = part[0];
}
"""


class OwnKernel(WindowTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "total.cl"
        self.file.write_text(SUM)

    def open_file(self):
        return self.open("--size", "1600x900", str(self.file))

    def test_opens_with_a_launch_and_runs_at_once(self):
        state = self.open_file().state()
        self.assertEqual(state["own"]["file"], str(self.file))
        self.assertTrue(state["own"]["compiles"])
        self.assertEqual(state["choice"]["own"]["arguments"], ["data:int[64]=ramp", "n=64"])
        self.assertIsNone(state["step"]["problem"])

    def test_a_mistake_is_told_at_its_line_and_mending_it_runs(self):
        app = self.open_file()
        version = app.state()["step"]["version"]
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+End")
        app.type("int wrong = ;")
        app.press("Ctrl+Enter")
        state = app.wait(lambda s: s["own"]["marks"] and not s["own"]["waits"])
        self.assertEqual([mark["line"] for mark in state["own"]["marks"]], [5])
        self.assertTrue(state["own"]["unsaved"])
        self.assertTrue(app.state()["step"]["answered"])
        for _ in "int wrong = ;":
            app.press("Backspace")
        app.type("// right")
        app.wait(lambda s: s["own"]["compiles"] and not s["own"]["waits"])
        state = app.wait(lambda s: s["step"]["version"] > version and not s["busy"])
        self.assertIsNone(state["step"]["problem"])
        app.press("Ctrl+Shift+S")
        app.wait(lambda s: not s["own"]["unsaved"])
        self.assertEqual(self.file.read_text(), SUM + "// right")

    def test_finds_what_is_selected_and_what_is_typed(self):
        app = self.open_file()
        search = lambda s: s["own"]["search"]
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+Home", "Ctrl+Shift+Right", "Ctrl+F")
        state = app.wait(lambda s: search(s)["open"] and search(s)["count"], settled=True)
        self.assertEqual(search(state)["sought"].strip(), "kernel")
        app.press("Ctrl+A")
        app.type("DATA")
        app.wait(lambda s: search(s)["count"] == 3)
        for key, number in (("Enter", 2), ("F3", 3), ("Enter", 1), ("Shift+Enter", 3),
                            ("Shift+F3", 2)):
            app.press(key)
            app.wait(lambda s: search(s)["number"] == number)
        app.press("Escape")
        app.wait(lambda s: not search(s)["open"] and s["hands"]["typing"], settled=True)
        app.type("mine")  # in place of the match
        app.wait(lambda s: s["own"]["draft"] == SUM.replace(") data[0]", ") mine[0]"))
        # In the text, too, F3 goes on, and is gone by Escape when nothing is typed.
        app.press("F3")
        app.wait(lambda s: search(s)["open"] and search(s)["count"] == 2)
        app.type("yours")
        app.wait(lambda s: s["own"]["draft"].count("data") == 1)
        app.press("Escape")
        app.wait(lambda s: not search(s)["open"])

    def test_what_was_typed_can_be_undone_after_another_field(self):
        app = self.open_file()
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+End")
        app.type("// one")
        app.wait(lambda s: s["own"]["draft"] == SUM + "// one")
        app.press("Ctrl+F")
        app.wait(lambda s: s["own"]["search"]["open"], settled=True)
        app.type("data")
        app.wait(lambda s: s["own"]["search"]["count"] == 3)
        app.press("Escape")
        app.wait(lambda s: not s["own"]["search"]["open"] and s["hands"]["typing"], settled=True)
        for _ in "// one":
            app.press("Ctrl+Z")
        app.wait(lambda s: s["own"]["draft"] == SUM)
        app.press("Ctrl+Y", "Ctrl+Y")
        app.wait(lambda s: s["own"]["draft"] == SUM + "//")
        # A click puts the caret where it is, and what was undone can still be done.
        app.fill("user_kernel.local", "4")
        app.wait(lambda s: s["choice"]["own"]["local"] == 4, settled=True)
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"], settled=True)
        app.press("Ctrl+Y")
        app.wait(lambda s: s["own"]["draft"] == SUM + "// ")

    def test_an_edit_outside_is_taken_in(self):
        app = self.open_file()
        self.file.write_text(SUM.replace("+=", "*="))
        state = app.wait(lambda s: "*=" in s["own"]["draft"] and not s["busy"])
        self.assertFalse(state["own"]["unsaved"])

    def test_the_form_changes_the_launch(self):
        app = self.open_file()
        app.fill("count.data", "8")
        state = app.wait(lambda s: s["choice"]["own"]["arguments"][0] == "data:int[8]=ramp")
        self.assertEqual(state["choice"]["own"]["arguments"][1], "n=8")
        app.fill("user_kernel.local", "4")
        app.wait(lambda s: s["choice"]["own"]["local"] == 4)
        app.press("Ctrl+Z", "Ctrl+Z")
        app.wait(lambda s: s["choice"]["own"]["arguments"][1] == "n=64")

    def test_is_launched_in_two_dimensions(self):
        self.file.write_text("""kernel void fill(global int* out, int width) {
    out[get_global_id(1) * width + get_global_id(0)] = get_local_id(1);
}
""")
        app = self.open_file()
        own = app.state()["choice"]["own"]
        self.assertEqual((own["global"], own["local"]), ([8, 8], [4, 4]))
        app.fill("user_kernel.global", "4x8")
        state = app.wait(lambda s: s["choice"]["own"]["global"] == [4, 8] and not s["busy"])
        self.assertIsNone(state["step"]["problem"])
        app.fill("user_kernel.offset", "4x0")
        state = app.wait(lambda s: s["choice"]["own"]["offset"] == [4, 0] and not s["busy"])
        self.assertIsNone(state["step"]["problem"])
        app.fill("user_kernel.local", "8")
        app.wait(lambda s: s["choice"]["own"]["global"] == 64)

    def test_is_timed_as_its_form_says_and_kept_beside_other_runs(self):
        app = self.open_file()
        app.press("4")
        app.choose("runs", "3")
        app.click("measure.chosen")
        ended = lambda s: s["measure"]["answered"] and not s["measure"]["waiting"]
        rows = app.wait(ended)["measure"]["rows"]
        self.assertEqual([(row["variant"], row["n"], row["samples"]) for row in rows],
                         [("total.cl", 64, 3)])
        self.assertEqual(app.state()["settings"]["measure"]["shown"], "bandwidth")
        self.assertTrue(app.find("chart"))
        # What cannot be run is a problem, and the run before is one step of undo away.
        app.press("1")
        app.fill("user_kernel.local", "7")
        app.wait(lambda s: s["choice"]["own"]["local"] == 7)
        app.press("Alt+R")
        app.wait(lambda s: s["view"] == "measure" and s["measure"]["problem"]
                 and not s["measure"]["waiting"])
        app.press("Ctrl+Z")
        state = app.wait(lambda s: s["measure"].get("rows"))
        self.assertEqual(state["measure"]["rows"][0]["variant"], "total.cl")

    def test_the_text_that_ran_has_counts_at_its_lines(self):
        app = self.open_file()
        area = "user_kernel.text"
        before = app.picture(area)
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+End")
        app.type("int wrong = ;")
        app.press("Ctrl+Enter")
        app.wait(lambda s: s["own"]["marks"] and not s["own"]["waits"])
        # Beside the loop, whose line is the same in both.
        self.assertNotEqual(self.margin(before), self.margin(app.picture(area)))

    def margin(self, picture):
        return [row[-60:] for row in picture.rows[:picture.height // 3]]

    def open_two(self):
        """The app, with the other file on screen, and that file."""
        other = self.folder / "other.cl"
        other.write_text(SUM.replace("total", "other"))
        app = self.open("--size", "1600x900", str(self.file), str(other))
        app.wait(lambda s: s["own"]["file"] == str(other))
        return app, other

    def test_a_file_is_chosen_by_a_tap(self):
        app, other = self.open_two()
        app.tap("file.total.cl")
        app.wait(lambda s: s["own"]["file"] == str(self.file))
        app.tap("close.total.cl")
        app.wait(lambda s: app.find("file.total.cl") is None)

    def test_all_files_are_there_at_the_next_start_with_their_edits(self):
        app, other = self.open_two()
        app.click("file.total.cl")
        app.wait(lambda s: s["own"]["file"] == str(self.file))
        app.click("user_kernel.text", 0.5, 0.9)
        app.wait(lambda s: s["hands"]["typing"])
        app.press("Ctrl+End")
        app.type("// mine")
        app.press("Escape")
        app.wait(lambda s: not s["hands"]["typing"])
        app.click("file.other.cl")
        app.wait(lambda s: s["own"]["file"] == str(other))
        self.assertEqual(app.quit(), 0)
        app = self.open("--size", "1600x900")
        self.assertEqual(app.state()["own"]["file"], str(other))
        app.click("file.total.cl")
        state = app.wait(lambda s: s["own"]["file"] == str(self.file))
        self.assertTrue(state["own"]["draft"].endswith("// mine"))
        self.assertTrue(state["own"]["unsaved"])
        self.assertEqual(self.file.read_text(), SUM)
        app.click("close.other.cl")
        app.wait(lambda s: app.find("file.other.cl") is None)

    def test_what_stops_a_run_is_said_in_the_users_language(self):
        self.file.write_text("kernel void f(global int* data) { data[(int)get_global_id(0) - 7] = 1; }\n")
        app = self.open("--size", "1600x900", "--lang", "ru", "--view", "race", str(self.file))
        state = app.wait(lambda s: s["race"].get("fault"))
        self.assertIn("does not exist", state["race"]["fault"]["what"])
        self.assertIn("такой ячейки нет", state["race"]["fault_words"])

    def open_foreign(self, text, *more):
        self.file.write_text(text)
        app = self.open("--size", "1600x900", *more, str(self.file))
        return app, app.wait(lambda s: not s["busy"] and s["own"].get("guess"))

    def test_a_matrix_product_runs_as_it_is_opened(self):
        app, state = self.open_foreign(PRODUCT)
        own = state["choice"]["own"]
        self.assertEqual((own["global"], own["local"]), ([8, 8], [4, 4]))
        self.assertTrue(state["own"]["guess"]["ended"])
        self.assertIsNone(state["step"]["problem"])
        self.assertEqual(state["machine"]["fault"], "")
        # What was there before is one step of undo away.
        app.press("Ctrl+Z")
        app.wait(lambda s: not s["own"]["file"])

    def test_a_prefix_sum_with_local_memory_runs_as_it_is_opened(self):
        app, state = self.open_foreign(PREFIX)
        guess = state["own"]["guess"]
        self.assertTrue(guess["ended"])
        self.assertGreater(guess["runs"], 1)
        self.assertTrue(guess["changed"])
        self.assertEqual(state["machine"]["fault"], "")

    def test_is_tried_and_recorded_on_the_device(self):
        self.file.write_text("""kernel void count(global int* sum)
{
    sum[0] = sum[0] + 1 + get_global_id(0) + 10 * get_global_id(1);
}
""")
        app = self.open("--size", "1600x900", str(self.file))
        app.wait(lambda s: not s["busy"] and s["own"]["file"])
        app.press("2")
        app.wait(lambda s: s["view"] == "race" and s["race"]["outcomes"].get("results"))
        app.press("D")
        state = app.wait(lambda s: s["race"]["trials"].get("counts") and not s["race"]["trials"]["waiting"])
        self.assertEqual(sum(state["race"]["trials"]["counts"].values()), 10000)
        # A device does one item after another, the simulator lets warps and groups meet: another sum.
        usual = state["race"]["ending"]["result"]
        app.press("Shift+D")
        state = app.wait(lambda s: "recorded on " in s["machine"].get("order", "")
                         and s["race"].get("ending"))
        self.assertEqual(state["machine"]["fault"], "")
        self.assertNotEqual(state["race"]["ending"]["result"], usual)

    def test_a_launch_that_was_set_by_hand_is_kept(self):
        app, _ = self.open_foreign(PREFIX)
        app.fill("user_kernel.local", "8")
        state = app.wait(lambda s: s["choice"]["own"]["local"] == 8 and not s["busy"])
        self.assertNotIn("guess", state["own"])
        self.assertEqual(app.quit(), 0)
        app = self.open("--size", "1600x900", str(self.file))
        state = app.state()
        self.assertEqual(state["choice"]["own"]["local"], 8)
        self.assertNotIn("guess", state["own"])
        app.press("Ctrl+G")
        state = app.wait(lambda s: s["own"].get("guess") and not s["busy"])
        self.assertEqual(state["choice"]["own"]["local"], 16)
        app.press("Ctrl+Z")
        app.wait(lambda s: s["choice"]["own"]["local"] == 8)

    def open_in_cuda(self):
        """A kernel in CUDA, with its OpenCL text beside the steps."""
        file = self.folder / "sum.cu"
        file.write_text(IN_CUDA)
        app = self.open("--size", "1900x1000", str(file))
        app.press("Shift+T")
        app.wait(lambda s: s["step"]["side"] == "opencl", settled=True)
        return app

    def test_lines_in_cuda_and_in_opencl_light_up_together(self):
        app = self.open_in_cuda()
        for pointed, lit in (("opencl/line 3", "kernel/line 3"), ("kernel/line 3", "opencl/line 3")):
            app.hover("status")
            app.wait(lambda s: s["pointed"] == "", settled=True)
            dark = lit.replace("3", "1")
            before, other = app.picture(lit), app.picture(dark)
            app.hover(pointed, 0.2, 0.2)
            app.wait(lambda s: s["pointed"] == "line 3", settled=True)
            self.assertNotEqual(app.picture(lit), before, f"{pointed} lights up {lit}")
            self.assertEqual(app.picture(dark), other, f"{pointed} leaves {dark}")

    def test_the_line_that_is_run_lights_up_in_cuda_and_in_opencl(self):
        app = self.open_in_cuda()
        app.hover("status")
        app.press("A", "A")
        app.wait(lambda s: s["step"]["grain"] == "action", settled=True)
        lines = ["kernel/line 3", "opencl/line 3"]
        app.press("Home")
        app.wait(lambda s: s["step"]["time"] == 0, settled=True)
        before = [app.picture(line) for line in lines]
        app.press("Right")
        app.wait(lambda s: s["step"]["time"] == 1, settled=True)
        for line, picture in zip(lines, before):
            self.assertNotEqual(app.picture(line), picture, line)
        # At the end another one does, which is scrolled to.
        app.press("End")
        app.wait(lambda s: s["step"]["time"] > 1, settled=True)
        self.assertEqual(app.picture(lines[0]), before[0])
        app.widget("opencl/line 10")

    def test_a_macro_of_the_command_line_is_the_files(self):
        file = self.folder / "sum.cu"
        file.write_text(IN_CUDA.replace("[8]", "[BLOCK]").replace("s = 4", "s = BLOCK / 2"))
        app = self.open(str(file), "--size", "1600x900", "--set", "BLOCK=4")
        state = app.wait(lambda s: s["own"]["compiles"] and not s["busy"], settled=True)
        self.assertEqual(state["choice"]["own"]["defines"], ["BLOCK=4"])
        self.assertEqual(state["choice"]["own"]["local"], 4)
        self.assertEqual(state["machine"]["fault"], "")

    def test_a_kernel_in_opencl_has_no_second_text(self):
        app = self.open_file()
        app.press("Shift+T")
        app.settle()
        self.assertNotEqual(app.state()["step"]["side"], "opencl")
        self.assertIsNone(app.find("side.opencl"))

    def test_a_copy_of_a_kernel_is_edited(self):
        app = self.open()
        app.click("user_kernel.copy")
        state = app.wait(lambda s: s["own"]["file"] == "relaunch-copy.cl" and not s["busy"])
        self.assertEqual(state["step"]["result"], "41")


if __name__ == "__main__":
    unittest.main()
