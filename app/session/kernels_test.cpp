#include "session/kernels.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <regex>
#include <thread>

#include "analysis/machine_run.h"
#include "base/paths.h"
#include "machine/run.h"
#include "session/view.h"
#include "support/all_views.h"
#include "support/example_session.h"
#include "support/example_shapes.h"
#include "support/temporary_folder.h"
#include "views/files/files.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using catalogue::ArgumentRow;
using catalogue::LaunchForm;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kSum =
    "kernel void sum(global int* data) {\n"
    "    if (get_global_id(0) == 0)\n"
    "        for (int i = 1; i < 64; ++i) data[0] += data[i];\n"
    "}\n";

class UserKernelTest : public testing::Test {
  protected:
    UserKernelTest() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        settings_.folder = folder_.path().string();
    }
    std::string file(const std::string& name, const std::string& text) const {
        const fs::path path = folder_.path() / name;
        write_file(path, text);
        return path.string();
    }
    template <typename Until>
    static bool wait(Session& session, Until&& until) {
        for (int i = 0; i < 20000; ++i) {  // no criterion, only an end
            session.poll();
            if (until()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    static void settle(Session& session) {
        EXPECT_TRUE(wait(session, [&] {
            return !session.view<StepView>().simulated.waiting &&
                   !session.kernels.guesser.running();
        }));
    }
    static std::string first_cell(const Session& session) {
        return session.view<StepView>().simulated.run->buffers.at(0).values.at(0);
    }

    TemporaryFolder folder_;
    Settings settings_;
    Session::Options options_ = all_views();
};

TEST_F(UserKernelTest, AFileIsOpenedWithALaunchAndRunsAtOnce) {
    Session session(options_, settings_);
    session.start();
    ASSERT_TRUE(open_file(session, file("sum.cl", kSum)));
    settle(session);
    EXPECT_EQ(first_cell(session), "2080");
    EXPECT_EQ(session.view<StepView>().table.answer->title, "sum.cl");
    EXPECT_FALSE(session.kernels.editor.unsaved());
    EXPECT_TRUE(session.run("undo"));
    EXPECT_FALSE(session.kernels.editor.is_open());
    EXPECT_THAT(session.kernels.editor.opened, testing::SizeIs(1));
}

const char* const kWide =
    "kernel void wide(global int* data) { data[4 * get_global_id(0) + 3] += 1; }\n";

TEST_F(UserKernelTest, TheLaunchOfAFileIsFoundByTryingAndBelongsToItsOpening) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("wide.cl", kWide));
    EXPECT_TRUE(session.kernels.guesser.running());
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel);
    EXPECT_THAT(session.settings().choice.user_kernel->arguments,
                ElementsAre("data:int[256]=ramp"));
    ASSERT_NE(guess_of(session), nullptr);
    EXPECT_THAT(guess_of(session)->changed, ElementsAre("data:int[256]=ramp"));
    EXPECT_FALSE(session.view<StepView>().simulated.run->fault);
    EXPECT_TRUE(session.run("undo"));
    EXPECT_FALSE(session.kernels.editor.is_open());
}

TEST_F(UserKernelTest, ATextInCudaThatAsksForItsWarpHasWarpsOf32) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cu", "__global__ void sum(int* a) { a[threadIdx.x] += 1; }\n"));
    EXPECT_EQ(session.settings().choice.machine.lanes, RunChoice().machine.lanes);
    open_kernel(session, file("warp.cu",
                              "__global__ void w(int* a) {\n  a[threadIdx.x] = "
                              "__shfl_xor_sync(0xffffffff, a[threadIdx.x], 1); }\n"));
    EXPECT_EQ(session.settings().choice.machine.lanes, 32U);
    settle(session);
    EXPECT_FALSE(session.view<StepView>().simulated.run->fault);
}

TEST_F(UserKernelTest, BlocksThatWaitForEachOtherAllRunAtOnce) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("grid.cu",
                              "__global__ void k(int* a) { a[blockIdx.x] = 1;\n"
                              "  cooperative_groups::this_grid().sync(); a[blockIdx.x] += 1; }\n"
                              "int main() { k<<<5, 1>>>(0); }\n"));
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.resident, 0U);
    EXPECT_FALSE(session.view<StepView>().simulated.problem);
    EXPECT_FALSE(session.view<StepView>().simulated.run->fault);
}

// Document B's take sums of floats alone, and what is chosen is another type.
TEST_F(UserKernelTest, AHeaderThatAsksForOtherNumbersHasThem) {
    Session session(options_, settings_);
    session.start();
    for (const char* name : {"many_blocks", "one_block_shared"}) {
        open_kernel(session,
                    fmt::format("{}/assets/lessons/04-many-groups/{}.cu", LAB_SOURCE_DIR, name));
        EXPECT_EQ(session.settings().choice.shape.type, catalogue::Type::float_);
        settle(session);
        EXPECT_FALSE(session.view<StepView>().simulated.problem) << name;
        EXPECT_TRUE(session.view<StepView>().simulated.run->table.right) << name;
    }
}

TEST_F(UserKernelTest, ATextInCudaHasItsTermsUnlessOthersAreChosen) {
    Session session(options_, settings_);
    session.start();
    session.set_view("step");
    const auto term = [&] {
        session.poll();
        return session.words()("figure.group", fmt::arg("n", 1));
    };
    EXPECT_EQ(term(), "group 1");
    open_kernel(session, file("sum.cu", "__global__ void sum(int* a) { a[threadIdx.x] += 1; }\n"));
    EXPECT_EQ(term(), "block 1");
    session.set_language("zh");
    EXPECT_EQ(term(), "线程块 1");
    session.set_language("en");
    session.set_view("measure");  // to which the kernel is taken along
    EXPECT_EQ(term(), "block 1");
    session.set_view("race");
    EXPECT_EQ(term(), "block 1");
    choose_kernel(session, "relaunch");
    EXPECT_EQ(term(), "group 1");
    EXPECT_TRUE(session.run("terms.next"));  // OpenCL's, then CUDA's
    EXPECT_EQ(term(), "group 1");
    EXPECT_TRUE(session.run("terms.next"));
    EXPECT_EQ(term(), "block 1");
    EXPECT_TRUE(session.run("undo"));
    EXPECT_EQ(term(), "group 1");
    open_kernel(session, file("marked.cl", "//! cuda\n__global__ void f(int* a) { a[0] = 1; }\n"));
    EXPECT_EQ(term(), "group 1");  // as chosen
    session.set_terms(kAutomatic);
    EXPECT_EQ(term(), "block 1");
}

TEST_F(UserKernelTest, AGuessDoesNotReplaceWhatTheUserSetMeanwhile) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("wide.cl", kWide));
    catalogue::LaunchForm mine = *session.settings().choice.user_kernel;
    mine.global = 32;
    set_launch(session, mine);
    settle(session);
    EXPECT_EQ(*session.settings().choice.user_kernel, mine);
    EXPECT_EQ(guess_of(session), nullptr);
    // Nor is it made again for a file whose launch is known.
    choose_kernel(session, "relaunch");
    open_kernel(session, file("wide.cl", kWide));
    EXPECT_FALSE(session.kernels.guesser.running());
    EXPECT_EQ(session.settings().choice.user_kernel->global, 32U);
    // It can be asked for, and undone.
    EXPECT_TRUE(session.run("user_kernel.guess"));
    settle(session);
    EXPECT_EQ(session.settings().choice.user_kernel->global, 64U);
    EXPECT_NE(guess_of(session), nullptr);
    EXPECT_TRUE(session.run("undo"));
    EXPECT_EQ(*session.settings().choice.user_kernel, mine);
    EXPECT_EQ(guess_of(session), nullptr);
}

TEST_F(UserKernelTest, AGuessThatLeadsAstrayIsNotTaken) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("before.cl",
                              "kernel void before(global int* data) {\n"
                              "    data[(int)get_global_id(0) - 70] = 1;\n}\n"));
    const catalogue::LaunchForm first = *session.settings().choice.user_kernel;
    settle(session);
    EXPECT_EQ(*session.settings().choice.user_kernel, first);
    ASSERT_NE(guess_of(session), nullptr);
    EXPECT_FALSE(guess_of(session)->in_bounds);
}

TEST_F(UserKernelTest, AMistakeKeepsTheLastGoodPictureAndMendingItRuns) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cl", kSum));
    settle(session);
    std::string wrong = kSum;
    wrong.replace(wrong.find("+="), 2, "+)");
    edit_text(session.kernels.editor, wrong);
    EXPECT_TRUE(session.kernels.editor.due.has_value());
    EXPECT_TRUE(session.next_move().has_value());
    EXPECT_TRUE(session.run("user_kernel.run"));
    settle(session);
    ASSERT_FALSE(session.kernels.editor.facts.marks.empty());
    EXPECT_EQ(session.kernels.editor.facts.marks[0].line, 3U);
    EXPECT_TRUE(session.view<StepView>().table.problem.has_value());
    EXPECT_EQ(first_cell(session), "2080");
    EXPECT_EQ(session.view<StepView>().table.answer->title, "sum.cl");
    std::string mended = kSum;
    mended.replace(mended.find("data[i];"), 8, "2 * data[i];");
    edit_text(session.kernels.editor, mended);
    EXPECT_TRUE(
        wait(session, [&] { return !session.kernels.editor.due.has_value(); }));  // after a pause
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table.problem.has_value());
    EXPECT_EQ(first_cell(session), "4159");
    EXPECT_TRUE(session.kernels.editor.unsaved());
}

TEST_F(UserKernelTest, ARaceStaysOnScreenWhileTheTextHasAMistake) {
    settings_.view = "race";
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cl", kSum));
    settle(session);
    ASSERT_TRUE(session.view<RaceView>().race());
    edit_text(session.kernels.editor, "kernel void sum(global int* data) { data[0] = ; }");
    run_edits(session);
    EXPECT_TRUE(session.view<RaceView>().problem.has_value());
    EXPECT_TRUE(session.view<RaceView>().race());
}

TEST_F(UserKernelTest, AnEditOutsideIsTakenInUnlessItWouldCostEditsHere) {
    Session session(options_, settings_);
    session.start();
    const std::string path = file("sum.cl", kSum);
    open_kernel(session, path);
    settle(session);
    std::string other = kSum;
    other.replace(other.find("i = 1"), 5, "i = 2");
    file("sum.cl", other);
    EXPECT_TRUE(wait(session, [&] { return session.kernels.editor.draft == other; }));
    settle(session);
    EXPECT_EQ(first_cell(session), "2078");
    EXPECT_FALSE(session.kernels.editor.unsaved());

    edit_text(session.kernels.editor, std::string(kSum) + "// mine\n");
    run_edits(session);
    file("sum.cl", std::string(kSum) + "// theirs\n");
    EXPECT_TRUE(wait(session, [&] { return session.kernels.editor.outside.has_value(); }));
    EXPECT_THAT(session.kernels.editor.draft, HasSubstr("mine"));
    EXPECT_TRUE(session.run("user_kernel.take"));
    EXPECT_THAT(session.kernels.editor.draft, HasSubstr("theirs"));
    EXPECT_FALSE(session.kernels.editor.outside.has_value());

    edit_text(session.kernels.editor, std::string(kSum) + "// mine again\n");
    EXPECT_TRUE(session.run("user_kernel.save"));
    EXPECT_THAT(read_file(path), HasSubstr("mine again"));
    EXPECT_FALSE(session.kernels.editor.unsaved());
    fs::remove(path);
    EXPECT_TRUE(wait(session, [&] { return session.kernels.editor.gone; }));
    EXPECT_THAT(session.kernels.editor.draft, HasSubstr("mine again"));
}

TEST_F(UserKernelTest, WhatKeptAFileFromBeingReadIsForgottenOnceItIsRead) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cl", kSum));
    settle(session);
    file("sum.cl", "\xff\xfe");
    EXPECT_TRUE(wait(session, [&] { return session.kernels.editor.problem.has_value(); }));
    EXPECT_EQ(session.kernels.editor.draft, kSum);
    file("sum.cl", kSum);
    EXPECT_TRUE(wait(session, [&] { return !session.kernels.editor.problem; }));
}

TEST_F(UserKernelTest, ACopyHasTheElementsOfItsVariantThoughAnotherRunIsStillOnScreen) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cl", kSum));  // of 64 elements
    ASSERT_TRUE(wait(session, [&] { return !session.busy(); }));
    choose_kernel(session, "local-tree");  // with the eight numbers that are typed in
    EXPECT_TRUE(session.run("user_kernel.plain"));
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel);
    EXPECT_FALSE(session.view<StepView>().simulated.problem);
    EXPECT_EQ(session.settings().choice.user_kernel->arguments.at(0).find("[64]"),
              std::string::npos);
}

TEST_F(UserKernelTest, AKernelThatCountsUpInOneCellWithoutEndIsShownUntilWhereItWasStopped) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("endless.cl",
                              "kernel void endless(global int* x) { while (1) x[0] += 1; }\n"));
    settle(session);
    ASSERT_TRUE(session.view<StepView>().simulated.run);
    EXPECT_TRUE(session.view<StepView>().simulated.run->fault.has_value());
    EXPECT_FALSE(session.view<StepView>().simulated.run->timeline.stale_known);
}

TEST_F(UserKernelTest, WhatCannotBeOpenedIsSaidAndAllStaysAsItWas) {
    Session session(options_, settings_);
    session.start();
    const std::string variant = session.settings().choice.variant;
    const std::string large(kMostKernelText + 1, ' ');
    const std::vector<std::string> bad{
        (folder_.path() / "missing.cl").string(), folder_.path().string(), file("large.cl", large),
        file("bytes.cl", "kernel \xff\xfe"), file("zero.cl", std::string("a\0b", 3))};
    for (const std::string& path : bad) {
        try {
            open_kernel(session, path);
            ADD_FAILURE() << path;
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty()) << path;
            EXPECT_THAT(problem.text(), HasSubstr(fs::path(path).filename().string()));
        }
    }
    EXPECT_EQ(session.settings().choice.variant, variant);
    EXPECT_FALSE(session.kernels.editor.is_open());
}

TEST_F(UserKernelTest, AFileWithoutAKernelOpensToBeMended) {
    Session session(options_, settings_);
    session.start();
    EXPECT_TRUE(open_file(session, file("none.cl", "int f() { return 1; }\n")));
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.problem.has_value());
    ASSERT_FALSE(session.kernels.editor.facts.marks.empty());
    EXPECT_FALSE(session.kernels.editor.facts.marks[0].hint.empty());
}

TEST_F(UserKernelTest, AFileWithAHeaderIsAVariantWithShapeAndToggles) {
    Session session(options_, settings_);
    session.start();
    std::string text = read_file(fs::path(LAB_SOURCE_DIR) / "kernels" / "relaunch.cl");
    ASSERT_TRUE(open_file(session, file("my_sum.cl", text)));
    settle(session);
    ASSERT_NE(session.variant(), nullptr);
    EXPECT_EQ(session.variant()->id, "my-sum");
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    EXPECT_TRUE(session.run("n.more"));
    settle(session);
    EXPECT_EQ(session.view<StepView>().table.answer->n, 16U);
    // The device is given the text, too.
    EXPECT_TRUE(wait(session, [&] { return !session.busy(); }));
    ASSERT_TRUE(session.view<StepView>().witness.answer);
    if (!session.devices.answer->devices.empty()) {
        EXPECT_EQ(session.view<StepView>().witness.answer->verdict,
                  analysis::DeviceComparison::Verdict::same);
    }
    // A mistake in the header stands at its line.
    text.replace(text.find("chapter:"), 8, "chaptre:");
    edit_text(session.kernels.editor, text);
    run_edits(session);
    settle(session);
    ASSERT_EQ(session.kernels.editor.facts.marks.size(), 1U);
    EXPECT_EQ(session.kernels.editor.facts.marks[0].line, 2U);
    choose_kernel(session, "span-modulo");
    EXPECT_FALSE(session.kernels.editor.is_open());
    choose_kernel(session, "my-sum");
    EXPECT_TRUE(session.kernels.editor.is_open());
}

TEST_F(UserKernelTest, ACopyOfAVariantKeepsItsControlsAndIsSavedToAFreeName) {
    Session session(options_, settings_);
    session.start();
    settle(session);
    EXPECT_TRUE(session.run("user_kernel.copy"));
    settle(session);
    EXPECT_TRUE(session.kernels.editor.is_open());
    EXPECT_EQ(session.kernels.editor.file, "relaunch-copy.cl");
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    file("relaunch-copy.cl", "somebody else's");
    EXPECT_TRUE(session.run("user_kernel.save"));
    EXPECT_FALSE(session.kernels.editor.problem.has_value());
    EXPECT_EQ(session.kernels.editor.file, (folder_.path() / "relaunch-copy-2.cl").string());
    EXPECT_EQ(read_file(folder_.path() / "relaunch-copy.cl"), "somebody else's");
    choose_kernel(session, "relaunch");
    EXPECT_TRUE(session.run("user_kernel.plain"));
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel.has_value());
    EXPECT_THAT(session.settings().choice.user_kernel->arguments,
                ElementsAre("data:int[8]=7,1,6,8,5,6,7,1", "n=8", "span=2"));
    EXPECT_FALSE(session.view<StepView>().table.problem.has_value());
}

TEST_F(UserKernelTest, AFaultIsKeptWithItsLineAndTheRowsUntilThen) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session,
                file("far.cl", "kernel void far(global int* data) {\n    data[1 << 20] = 1;\n}\n"));
    settle(session);
    ASSERT_NE(session.view<StepView>().simulated.run->run, nullptr);
    ASSERT_TRUE(session.view<StepView>().simulated.run->run->fault().has_value());
    EXPECT_EQ(session.view<StepView>().simulated.run->run->fault()->place.line, 2U);
    EXPECT_FALSE(session.view<StepView>().table.answer->rows.empty());
}

TEST_F(UserKernelTest, ItsTextAndLaunchTravelInTheSettings) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("sum.cl", kSum));
    catalogue::LaunchForm kernel = *session.settings().choice.user_kernel;
    kernel.global = 32;
    set_launch(session, kernel);
    session.save_settings();
    std::optional<Problem> problem;
    const Settings read = load_settings(problem);
    EXPECT_FALSE(problem.has_value());
    EXPECT_TRUE(read.choice == session.settings().choice);
    Session again(options_, read);
    again.start();
    settle(again);
    EXPECT_EQ(first_cell(again), "2080");
}

TEST_F(UserKernelTest, AKernelWithoutBuffersHasAPictureToo) {
    Session session(options_, settings_);
    session.start();
    open_kernel(session, file("none.cl", "kernel void f(int n) { local int a; a = n; }\n"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table.problem.has_value());
    EXPECT_EQ(session.walk().last_position(), 0U);
}

// The launch as a form.
catalogue::LaunchForm fitted(const std::string& text, catalogue::LaunchForm kernel = {}) {
    kernel.file = "own.cl";
    kernel.text = text;
    fit_launch(kernel, catalogue::facts_of(kernel));
    return kernel;
}

struct Guess {
    const char* what;
    const char* text;
    std::vector<std::string> arguments;
    Extent global = 64, local = 16;
};

// Each runs as guessed, without a fault.
const Guess kGuesses[] = {
    {"in place",
     "kernel void f(global int* data, const uint n) {\n"
     "  uint i = get_global_id(0); if (i + 1 < n && i % 2 == 0) data[i] += data[i + 1]; }",
     {"data:int[64]=ramp", "n=64"}},
    {"const in, partial sums out, local memory",
     "kernel void f(global const float* in, global float* out, local float* part, int n) {\n"
     "  size_t l = get_local_id(0), i = get_global_id(0);\n"
     "  part[l] = i < n ? in[i] : 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (size_t s = 8; s > 0; s /= 2) {\n"
     "    if (l < s) part[l] += part[l + s];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "  if (l == 0) out[get_group_id(0)] = part[0]; }",
     {"in:float[64]=ramp", "out:float[64]", "part:local float[16]", "n=64"}},
    {"an atomic accumulator",
     "kernel void f(global const int* in, volatile global int* sum) {\n"
     "  atomic_add(sum, in[get_global_id(0)]); }",
     {"in:int[64]=ramp", "sum:int[64]=0"}},
    {"an accumulator that is only added to",
     "kernel void f(global const int* in, global int* sum) {\n"
     "  if (get_global_id(0) == 0) for (int i = 0; i < 64; ++i) sum[ 0 ] += in[i]; }",
     {"in:int[64]=ramp", "sum:int[64]=0"}},
    {"vectors",
     "kernel void f(global const float4* in, global float* out, float4 weights) {\n"
     "  out[get_global_id(0)] = dot(in[get_global_id(0)], weights); }",
     {"in:float4[64]=ramp", "out:float[64]", "weights=1,1,1,1"}},
    {"a structure",
     "typedef struct { int key; float value; } Item;\n"
     "kernel void f(global Item* items, int count) {\n"
     "  int i = get_global_id(0); if (i < count) items[i].key = i; }",
     {"items:uchar[512]=0", "count=64"}},
    {"a structure by value",
     "typedef struct { int a; float b; } Pair;\n"
     "kernel void f(global int* out, Pair p) { out[get_global_id(0)] = p.a + (int)p.b; }",
     {"out:int[64]=ramp", "p=1,1"}},
    {"scalars of several kinds",
     "kernel void f(global long* data, uint offset, uint stride, float scale, uint numItems) {\n"
     "  uint i = get_global_id(0) * stride + offset; if (i < numItems) data[i] *= scale; }",
     {"data:long[64]=ramp", "offset=0", "stride=1", "scale=1", "numItems=64"}},
    {"a lone integer is the count",
     "kernel void f(global double* x, ulong limit) { if (get_global_id(0) < limit) x[0] = 1; }",
     {"x:double[64]=ramp", "limit=64"}},
    {"a required group",
     "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))\n"
     "void f(__global int* a, __local int* b) { b[get_local_id(0)] = 1; a[get_global_id(0)] = "
     "b[get_local_id(0)]; }",
     {"a:int[64]=ramp", "b:local int[32]"},
     64,
     32},
    {"a second dimension",
     "kernel void f(global const float* in, global float* out, int width, int height) {\n"
     "  local float tile[16][17]; int lx = get_local_id(0), ly = get_local_id(1);\n"
     "  int x = get_global_id(0), y = get_global_id(1);\n"
     "  tile[ly][lx] = in[y * width + x]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[x * height + y] = tile[ly][lx]; }",
     {"in:float[64]=ramp", "out:float[64]", "width=8", "height=8"},
     {8, 8},
     {4, 4}},
    {"a matrix product in a helper",
     "float dot_of(global const float* a, global const float* b, int n) {\n"
     "  float sum = 0; for (int i = 0; i < n; ++i)\n"
     "    sum += a[get_global_id(1) * n + i] * b[i * n + get_global_id(0)];\n"
     "  return sum; }\n"
     "kernel void f(global const float* a, global const float* b, global float* c, int n) {\n"
     "  c[get_global_id(1) * n + get_global_id(0)] = dot_of(a, b, n); }",
     {"a:float[64]=ramp", "b:float[64]=ramp", "c:float[64]", "n=8"},
     {8, 8},
     {4, 4}},
    {"a third dimension",
     "kernel void f(global int* out, int w, int h) {\n"
     "  out[(get_global_id(2) * h + get_global_id(1)) * w + get_global_id(0)] = 1; }",
     {"out:int[64]=ramp", "w=4", "h=4"},
     {4, 4, 4},
     {2, 2, 2}},
    {"a required group of two dimensions",
     "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
     "void f(global int* a, local int* b) { b[get_local_id(0)] = 1; a[get_global_id(0)] = 1; }",
     {"a:int[64]=ramp", "b:local int[16]"},
     {8, 8},
     {8, 2}},
    {"bytes",
     "kernel void f(global const uchar* in, global uint* histogram) {\n"
     "  atomic_inc(&histogram[in[get_global_id(0)] % 64]); }",
     {"in:uchar[64]=0", "histogram:uint[64]=0"}},
    {"no parameters", "kernel void f() { local int a; a = 1; }", {}},
    {"constant data and a comment that is no code",
     "// sum[0] += nothing\n"
     "kernel void f(constant int* table, global int* sum) {\n"
     "  sum[get_global_id(0)] = table[get_local_id(0)]; }",
     {"table:int[64]=ramp", "sum:int[64]"}},
};

TEST(UserKernelForm, AFirstGuessRunsMostKernelsAtOnce) {
    for (const Guess& guess : kGuesses) {
        SCOPED_TRACE(guess.what);
        const catalogue::LaunchForm kernel = fitted(guess.text);
        EXPECT_EQ(kernel.arguments, guess.arguments);
        EXPECT_EQ(kernel.global, guess.global);
        EXPECT_EQ(kernel.local, guess.local);
        const analysis::SimulatorOptions& options = analysis::kClassroom;
        const machine::Run run(analysis::job_of(kernel), options.order);
        EXPECT_FALSE(run.fault()) << run.fault()->what << run.fault()->why;
    }
}

TEST(UserKernelForm, RowsTellWhatArgumentsSayAndSayItAgain) {
    for (const Guess& guess : kGuesses) {
        SCOPED_TRACE(guess.what);
        const catalogue::LaunchForm kernel = fitted(guess.text);
        std::vector<std::string> again;
        for (const catalogue::ArgumentRow& row : rows_of(catalogue::facts_of(kernel), kernel))
            again.push_back(argument_of(row));
        EXPECT_EQ(again, kernel.arguments);
    }
}

TEST(UserKernelForm, WhatWasSetStaysWhileTheParameterStays) {
    const std::string text = "kernel void f(global int* data, uint n) { data[0] = n; }";
    catalogue::LaunchForm kernel = fitted(text);
    kernel.arguments = {"data:int[8]=7,1,6,8,5,6,7,1", "n=8"};
    kernel.global = 8;
    kernel.local = 4;
    kernel =
        fitted("kernel void f(uint n, local int* tmp, global int* data) { data[0] = n; }", kernel);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("n=8", "tmp:local int[4]", "data:int[8]=7,1,6,8,5,6,7,1"));
    EXPECT_EQ(kernel.global, 8U);
    kernel = fitted("kernel void f(global float* data) { data[0] = 1; }", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("data:float[64]=ramp"));
}

TEST(UserKernelForm, ATextWithErrorsLeavesTheLaunchAlone) {
    catalogue::LaunchForm kernel =
        fitted("kernel void f(global int* data, uint n) { data[0] = n; }");
    kernel.arguments[1] = "n=7";
    const catalogue::LaunchForm before = kernel;
    kernel = fitted("kernel void f(global int* data, uint n) { data[0] = n }", kernel);
    EXPECT_EQ(kernel.arguments, before.arguments);
    const catalogue::TextFacts facts = catalogue::facts_of(kernel);
    EXPECT_FALSE(facts.compiles);
    ASSERT_EQ(facts.marks.size(), 1U);
    EXPECT_EQ(facts.marks[0].line, 1U);
    EXPECT_THAT(facts.marks[0].message, HasSubstr("';'"));
}

TEST(UserKernelForm, OfSeveralKernelsTheFirstIsChosenUntilOneIsNamed) {
    const std::string text =
        "kernel void one(global int* a) { a[0] = 1; }\n"
        "kernel void two(global float* b, float by) { b[0] = by; }";
    catalogue::LaunchForm kernel = fitted(text);
    EXPECT_EQ(kernel.kernel, "one");
    EXPECT_THAT(catalogue::facts_of(kernel).kernels, ElementsAre("one", "two"));
    kernel.kernel = "two";
    kernel = fitted(text, kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("b:float[64]=ramp", "by=1"));
    kernel = fitted("kernel void one(global int* a) { a[0] = 1; }", kernel);
    EXPECT_EQ(kernel.kernel, "");
    EXPECT_THAT(kernel.arguments, ElementsAre("a:int[64]=ramp"));
}

TEST(UserKernelForm, OfNoKernelItIsSaidWhatOneBeginsWith) {
    for (const char* text : {"", "int f(int a) { return a; }", "not OpenCL at all"}) {
        const catalogue::TextFacts facts = catalogue::facts_of({"own.cl", text, ""}, "");
        EXPECT_FALSE(facts.compiles) << text;
        EXPECT_FALSE(facts.marks.empty()) << text;
        EXPECT_THAT(facts.parameters, IsEmpty());
    }
    EXPECT_THAT(catalogue::facts_of({"own.cl", "", ""}, "").marks[0].hint,
                HasSubstr("kernel void"));
}

TEST(UserKernelForm, ACountTakesTheKernelsNWithItAndAGroupItsLocalArrays) {
    catalogue::LaunchForm kernel = fitted(
        "kernel void f(global const int* in, local int* part, int n, int span) {\n"
        "  part[0] = in[0] + n + span; }");
    set_count(kernel, rows_of(catalogue::facts_of(kernel), kernel), 0, 8);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[8]=ramp", "part:local int[16]", "n=8", "span=1"));
    set_local(kernel, rows_of(catalogue::facts_of(kernel), kernel), 4);
    EXPECT_EQ(kernel.local, 4U);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[8]=ramp", "part:local int[4]", "n=8", "span=1"));
    set_fill(kernel, rows_of(catalogue::facts_of(kernel), kernel), 0, "3,1,2");
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[3]=3,1,2", "part:local int[4]", "n=3", "span=1"));
}

TEST(UserKernelForm, ASizeOfOtherDimensionsTakesTheOthersWithIt) {
    const std::string text = "kernel void f(global int* a, local int* b) { a[0] = b[0] = 1; }";
    catalogue::LaunchForm kernel = fitted(text);
    kernel.offset = 4;
    const auto rows = [&] { return rows_of(catalogue::facts_of(kernel), kernel); };
    set_global(kernel, rows(), {12, 6});
    EXPECT_EQ(kernel.global, Extent(12, 6));
    EXPECT_EQ(kernel.local, Extent(4, 2));
    EXPECT_FALSE(kernel.offset.given());
    EXPECT_THAT(kernel.arguments, ElementsAre("a:int[64]=ramp", "b:local int[8]"));
    set_local(kernel, rows(), {2, 3});
    EXPECT_EQ(kernel.global, Extent(12, 6));
    set_local(kernel, rows(), {2, 2, 2});
    EXPECT_EQ(kernel.global, Extent(4, 4, 4));
    set_local(kernel, rows(), 8);
    EXPECT_EQ(kernel.global, Extent(64));
    set_global(kernel, rows(), 32);
    EXPECT_EQ(kernel.local, Extent(8));
}

TEST(UserKernelForm, WhatTheCommandLineGivesWithoutNamesIsReadByItsPlace) {
    catalogue::LaunchForm kernel;
    kernel.arguments = {"7", "null", "a:int[4]"};
    kernel.global = kernel.local = 4;
    kernel = fitted("kernel void f(int x, global int* none, global int* a) { a[0] = x; }", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("x=7", "null", "a:int[4]"));
}

TEST(UserKernelForm, MacrosCountAsMuchAsTheText) {
    catalogue::LaunchForm kernel;
    kernel.defines = {"T=float", "WIDE"};
    kernel =
        fitted("#ifdef WIDE\nkernel void f(global T* a, uint n) { a[0] = n; }\n#endif\n", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("a:float[64]=ramp", "n=64"));
}

std::string without_comments(const std::string& text) {
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

TEST(UserKernelCopy, OfEveryVariantRunsAsPlainOpenCl) {
    for (const catalogue::Kernel& variant : analysis::shipped().variants) {
        SCOPED_TRACE(variant.id);
        catalogue::Shape shape = analysis::shape_of("ramp", 0);
        catalogue::LaunchForm kernel;
        try {
            kernel = plain_copy(variant, shape, 16);
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty());
            continue;
        }
        const catalogue::TextFacts facts = catalogue::facts_of(kernel);
        EXPECT_TRUE(facts.compiles) << kernel.text;
        EXPECT_THAT(without_comments(kernel.text), testing::Not(HasSubstr("COMBINE")));
        EXPECT_THAT(kernel.text, testing::Not(HasSubstr("teaches:")));
        catalogue::LaunchForm again = kernel;
        fit_launch(again, facts);
        EXPECT_EQ(again.arguments, kernel.arguments);
        EXPECT_NO_THROW(analysis::job_of(kernel));
    }
}

// What is remembered between two starts.
constexpr const char* kOne = "kernel void one(global int* a) { a[get_global_id(0)] = 1; }\n";
constexpr const char* kTwo = "kernel void two(global int* b) { b[get_global_id(0)] = 2; }\n";

// Two files are open, and the first one, which is not shown, was edited.
struct TwoFiles {
    ExampleSession first;
    fs::path one = first.folder.path() / "one.cl", two = first.folder.path() / "two.cl";

    TwoFiles() {
        write_file(one, kOne);
        write_file(two, kTwo);
        first.session.start();
        open_kernel(first.session, one);
        edit_text(first.session.kernels.editor, std::string(kOne) + "// mine\n");
        open_kernel(first.session, two);
        first.session.save_settings();
    }
    // The next start.
    std::unique_ptr<Session> again() {
        std::optional<Problem> problem;
        auto result = std::make_unique<Session>(first.options(), load_settings(problem));
        EXPECT_FALSE(problem);
        result->start();
        return result;
    }
};

const RunChoice& of_file(const Session& session, const fs::path& file) {
    for (const RunChoice& choice : session.kernels.editor.opened)
        if (file_of(choice) == file.string()) return choice;
    throw std::runtime_error("not open: " + file.string());
}

TEST(UserKernelMemory, AllOpenedKernelsAreThereAgainWithTheirEdits) {
    TwoFiles files;
    const auto session = files.again();
    ASSERT_THAT(session->kernels.editor.opened, SizeIs(2));
    EXPECT_EQ(session->kernels.editor.file, files.two.string());
    EXPECT_TRUE(session->kernels.editor.edited(files.one.string()));
    EXPECT_FALSE(session->kernels.editor.edited(files.two.string()));
    choose_opened(*session, of_file(*session, files.one));
    EXPECT_EQ(session->kernels.editor.draft, std::string(kOne) + "// mine\n");
    EXPECT_TRUE(session->kernels.editor.unsaved());
    EXPECT_EQ(read_file(files.one), kOne);
}

TEST(UserKernelMemory, AFileWithoutEditsIsReadAnewAndLeftOutWhereItIsGone) {
    TwoFiles files;
    choose_opened(files.first.session, of_file(files.first.session, files.one));
    files.first.session.save_settings();
    write_file(files.two, std::string(kTwo) + "// theirs\n");
    {
        const auto session = files.again();
        EXPECT_THAT(text_of(of_file(*session, files.two)), HasSubstr("theirs"));
    }
    fs::remove(files.two);
    EXPECT_THAT(files.again()->kernels.editor.opened, SizeIs(1));
}

TEST(UserKernelMemory, WhatIsClosedIsGoneUntilThatIsUndone) {
    TwoFiles files;
    Session& session = files.first.session;
    close_opened(session, of_file(session, files.one));
    EXPECT_THAT(session.kernels.editor.opened, SizeIs(1));
    EXPECT_FALSE(session.kernels.editor.edited(files.one.string()));
    session.save_settings();
    EXPECT_THAT(files.again()->kernels.editor.opened, SizeIs(1));
    session.undo();
    EXPECT_EQ(session.kernels.editor.file, files.one.string());
    EXPECT_THAT(session.kernels.editor.draft, HasSubstr("// mine"));
}

TEST(UserKernelMemory, ADamagedOneIsKeptAsideAndSaid) {
    TwoFiles files;
    write_file(kernels_file(), "{\"kernels\": [{\"edited\": 7}]}");
    std::optional<Problem> problem;
    EXPECT_THAT(load_opened(problem), SizeIs(0));
    ASSERT_TRUE(problem);
    EXPECT_TRUE(fs::exists(kernels_file().string() + ".damaged"));
}

TEST(UserKernelMemory, HoldsTheLastOnesUpToItsBounds) {
    std::vector<OpenedKernel> many(40);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].edited = true;
        many[i].choice.user_kernel.emplace();
        many[i].choice.user_kernel->file = std::to_string(i) + ".cl";
        many[i].choice.user_kernel->text = "//";
    }
    const auto back = opened_of_memory(memory_text(many));
    ASSERT_THAT(back, SizeIs(kMostRemembered));
    EXPECT_EQ(file_of(back.back().choice), "39.cl");
    for (OpenedKernel& kernel : many)
        kernel.choice.user_kernel->text.assign(100'000, 'x');
    EXPECT_THAT(opened_of_memory(memory_text(many)), SizeIs(kMostRememberedText / 100'000));
}

}  // namespace
}  // namespace lab::session
