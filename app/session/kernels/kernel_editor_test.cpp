#include "session/kernels/kernel_editor.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/paths.h"
#include "session/files/open_file.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/shell/commands.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"

namespace lab::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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
            return !session.view<StepView>().simulated().waiting && !session.kernels().guessing();
        }));
    }
    static std::string first_cell(const Session& session) {
        return session.view<StepView>().simulated().run->buffers.at(0).values.at(0);
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
    EXPECT_EQ(session.view<StepView>().table().answer->title, "sum.cl");
    EXPECT_FALSE(session.kernels().editor().unsaved());
    EXPECT_TRUE(session.run("undo"));
    EXPECT_FALSE(session.kernels().editor().is_open());
    EXPECT_THAT(session.kernels().editor().opened(), testing::SizeIs(1));
}

const char* const kWide =
    "kernel void wide(global int* data) { data[4 * get_global_id(0) + 3] += 1; }\n";

TEST_F(UserKernelTest, TheLaunchOfAFileIsFoundByTryingAndBelongsToItsOpening) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("wide.cl", kWide));
    EXPECT_TRUE(session.kernels().guessing());
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel);
    EXPECT_THAT(session.settings().choice.user_kernel->arguments,
                ElementsAre("data:int[256]=ramp"));
    ASSERT_NE(session.kernels().guess(), nullptr);
    EXPECT_THAT(session.kernels().guess()->changed, ElementsAre("data:int[256]=ramp"));
    EXPECT_FALSE(session.view<StepView>().simulated().run->fault);
    EXPECT_TRUE(session.run("undo"));
    EXPECT_FALSE(session.kernels().editor().is_open());
}

TEST_F(UserKernelTest, AGuessDoesNotReplaceWhatTheUserSetMeanwhile) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("wide.cl", kWide));
    simulation::UserKernel mine = *session.settings().choice.user_kernel;
    mine.global = 32;
    session.kernels().set_launch(mine);
    settle(session);
    EXPECT_EQ(*session.settings().choice.user_kernel, mine);
    EXPECT_EQ(session.kernels().guess(), nullptr);
    // Nor is it made again for a file whose launch is known.
    session.kernels().choose("relaunch");
    session.kernels().open(file("wide.cl", kWide));
    EXPECT_FALSE(session.kernels().guessing());
    EXPECT_EQ(session.settings().choice.user_kernel->global, 32U);
    // It can be asked for, and undone.
    EXPECT_TRUE(session.run("user_kernel.guess"));
    settle(session);
    EXPECT_EQ(session.settings().choice.user_kernel->global, 64U);
    EXPECT_NE(session.kernels().guess(), nullptr);
    EXPECT_TRUE(session.run("undo"));
    EXPECT_EQ(*session.settings().choice.user_kernel, mine);
    EXPECT_EQ(session.kernels().guess(), nullptr);
}

TEST_F(UserKernelTest, AGuessThatLeadsAstrayIsNotTaken) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("before.cl",
                                "kernel void before(global int* data) {\n"
                                "    data[(int)get_global_id(0) - 70] = 1;\n}\n"));
    const simulation::UserKernel first = *session.settings().choice.user_kernel;
    settle(session);
    EXPECT_EQ(*session.settings().choice.user_kernel, first);
    ASSERT_NE(session.kernels().guess(), nullptr);
    EXPECT_FALSE(session.kernels().guess()->in_bounds);
}

TEST_F(UserKernelTest, AMistakeKeepsTheLastGoodPictureAndMendingItRuns) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("sum.cl", kSum));
    settle(session);
    std::string wrong = kSum;
    wrong.replace(wrong.find("+="), 2, "+)");
    session.kernels().edit(wrong);
    EXPECT_TRUE(session.kernels().editor().waits());
    EXPECT_TRUE(session.next_move().has_value());
    EXPECT_TRUE(session.run("user_kernel.run"));
    settle(session);
    ASSERT_FALSE(session.kernels().editor().facts().marks.empty());
    EXPECT_EQ(session.kernels().editor().facts().marks[0].line, 3U);
    EXPECT_TRUE(session.view<StepView>().table().problem.has_value());
    EXPECT_EQ(first_cell(session), "2080");
    EXPECT_EQ(session.view<StepView>().table().answer->title, "sum.cl");
    std::string mended = kSum;
    mended.replace(mended.find("data[i];"), 8, "2 * data[i];");
    session.kernels().edit(mended);
    EXPECT_TRUE(
        wait(session, [&] { return !session.kernels().editor().waits(); }));  // after a pause
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table().problem.has_value());
    EXPECT_EQ(first_cell(session), "4159");
    EXPECT_TRUE(session.kernels().editor().unsaved());
}

TEST_F(UserKernelTest, ARaceStaysOnScreenWhileTheTextHasAMistake) {
    settings_.view = "race";
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("sum.cl", kSum));
    settle(session);
    ASSERT_TRUE(session.view<RaceView>().race());
    session.kernels().edit("kernel void sum(global int* data) { data[0] = ; }");
    session.kernels().run_edits();
    EXPECT_TRUE(session.view<RaceView>().problem().has_value());
    EXPECT_TRUE(session.view<RaceView>().race());
}

TEST_F(UserKernelTest, AnEditOutsideIsTakenInUnlessItWouldCostEditsHere) {
    Session session(options_, settings_);
    session.start();
    const std::string path = file("sum.cl", kSum);
    session.kernels().open(path);
    settle(session);
    std::string other = kSum;
    other.replace(other.find("i = 1"), 5, "i = 2");
    file("sum.cl", other);
    EXPECT_TRUE(wait(session, [&] { return session.kernels().editor().draft() == other; }));
    settle(session);
    EXPECT_EQ(first_cell(session), "2078");
    EXPECT_FALSE(session.kernels().editor().unsaved());

    session.kernels().edit(std::string(kSum) + "// mine\n");
    session.kernels().run_edits();
    file("sum.cl", std::string(kSum) + "// theirs\n");
    EXPECT_TRUE(wait(session, [&] { return session.kernels().editor().differs(); }));
    EXPECT_THAT(session.kernels().editor().draft(), HasSubstr("mine"));
    EXPECT_TRUE(session.run("user_kernel.take"));
    EXPECT_THAT(session.kernels().editor().draft(), HasSubstr("theirs"));
    EXPECT_FALSE(session.kernels().editor().differs());

    session.kernels().edit(std::string(kSum) + "// mine again\n");
    EXPECT_TRUE(session.run("user_kernel.save"));
    EXPECT_THAT(read_file(path), HasSubstr("mine again"));
    EXPECT_FALSE(session.kernels().editor().unsaved());
    fs::remove(path);
    EXPECT_TRUE(wait(session, [&] { return session.kernels().editor().gone(); }));
    EXPECT_THAT(session.kernels().editor().draft(), HasSubstr("mine again"));
}

TEST_F(UserKernelTest, WhatKeptAFileFromBeingReadIsForgottenOnceItIsRead) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("sum.cl", kSum));
    settle(session);
    file("sum.cl", "\xff\xfe");
    EXPECT_TRUE(wait(session, [&] { return session.kernels().editor().problem().has_value(); }));
    EXPECT_EQ(session.kernels().editor().draft(), kSum);
    file("sum.cl", kSum);
    EXPECT_TRUE(wait(session, [&] { return !session.kernels().editor().problem(); }));
}

TEST_F(UserKernelTest, ACopyHasTheElementsOfItsVariantThoughAnotherRunIsStillOnScreen) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("sum.cl", kSum));  // of 64 elements
    ASSERT_TRUE(wait(session, [&] { return !session.busy(); }));
    session.kernels().choose("local-tree");  // with the eight numbers that are typed in
    EXPECT_TRUE(session.run("user_kernel.plain"));
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel);
    EXPECT_FALSE(session.view<StepView>().simulated().problem);
    EXPECT_EQ(session.settings().choice.user_kernel->arguments.at(0).find("[64]"),
              std::string::npos);
}

TEST_F(UserKernelTest, AKernelThatCountsUpInOneCellWithoutEndIsShownUntilWhereItWasStopped) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(
        file("endless.cl", "kernel void endless(global int* x) { while (1) x[0] += 1; }\n"));
    settle(session);
    ASSERT_TRUE(session.view<StepView>().simulated().run);
    EXPECT_TRUE(session.view<StepView>().simulated().run->fault.has_value());
    EXPECT_FALSE(session.view<StepView>().simulated().run->timeline.stale_known);
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
            session.kernels().open(path);
            ADD_FAILURE() << path;
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty()) << path;
            EXPECT_THAT(problem.text(), HasSubstr(fs::path(path).filename().string()));
        }
    }
    EXPECT_EQ(session.settings().choice.variant, variant);
    EXPECT_FALSE(session.kernels().editor().is_open());
}

TEST_F(UserKernelTest, AFileWithoutAKernelOpensToBeMended) {
    Session session(options_, settings_);
    session.start();
    EXPECT_TRUE(open_file(session, file("none.cl", "int f() { return 1; }\n")));
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table().problem.has_value());
    ASSERT_FALSE(session.kernels().editor().facts().marks.empty());
    EXPECT_FALSE(session.kernels().editor().facts().marks[0].hint.empty());
}

TEST_F(UserKernelTest, AFileWithAHeaderIsAVariantWithShapeAndToggles) {
    Session session(options_, settings_);
    session.start();
    std::string text = read_file(fs::path(LAB_SOURCE_DIR) / "kernels" / "relaunch.cl");
    ASSERT_TRUE(open_file(session, file("my_sum.cl", text)));
    settle(session);
    ASSERT_NE(session.variant(), nullptr);
    EXPECT_EQ(session.variant()->id, "my-sum");
    EXPECT_EQ(session.view<StepView>().table().answer->result, "41");
    EXPECT_TRUE(session.run("n.more"));
    settle(session);
    EXPECT_EQ(session.view<StepView>().table().answer->n, 16U);
    // The device is given the text, too.
    EXPECT_TRUE(wait(session, [&] { return !session.busy(); }));
    ASSERT_TRUE(session.view<StepView>().witness().answer);
    if (!session.devices().answer->devices.empty()) {
        EXPECT_EQ(session.view<StepView>().witness().answer->verdict,
                  analysis::Witness::Verdict::same);
    }
    // A mistake in the header stands at its line.
    text.replace(text.find("chapter:"), 8, "chaptre:");
    session.kernels().edit(text);
    session.kernels().run_edits();
    settle(session);
    ASSERT_EQ(session.kernels().editor().facts().marks.size(), 1U);
    EXPECT_EQ(session.kernels().editor().facts().marks[0].line, 2U);
    session.kernels().choose("span-modulo");
    EXPECT_FALSE(session.kernels().editor().is_open());
    session.kernels().choose("my-sum");
    EXPECT_TRUE(session.kernels().editor().is_open());
}

TEST_F(UserKernelTest, ACopyOfAVariantKeepsItsControlsAndIsSavedToAFreeName) {
    Session session(options_, settings_);
    session.start();
    settle(session);
    EXPECT_TRUE(session.run("user_kernel.copy"));
    settle(session);
    EXPECT_TRUE(session.kernels().editor().is_open());
    EXPECT_EQ(session.kernels().editor().file(), "relaunch-copy.cl");
    EXPECT_EQ(session.view<StepView>().table().answer->result, "41");
    file("relaunch-copy.cl", "somebody else's");
    EXPECT_TRUE(session.run("user_kernel.save"));
    EXPECT_FALSE(session.kernels().editor().problem().has_value());
    EXPECT_EQ(session.kernels().editor().file(), (folder_.path() / "relaunch-copy-2.cl").string());
    EXPECT_EQ(read_file(folder_.path() / "relaunch-copy.cl"), "somebody else's");
    session.kernels().choose("relaunch");
    EXPECT_TRUE(session.run("user_kernel.plain"));
    settle(session);
    ASSERT_TRUE(session.settings().choice.user_kernel.has_value());
    EXPECT_THAT(session.settings().choice.user_kernel->arguments,
                ElementsAre("data:int[8]=7,1,6,8,5,6,7,1", "n=8", "span=2"));
    EXPECT_FALSE(session.view<StepView>().table().problem.has_value());
}

TEST_F(UserKernelTest, AFaultIsKeptWithItsLineAndTheRowsUntilThen) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(
        file("far.cl", "kernel void far(global int* data) {\n    data[1 << 20] = 1;\n}\n"));
    settle(session);
    ASSERT_NE(session.view<StepView>().simulated().run->run, nullptr);
    ASSERT_TRUE(session.view<StepView>().simulated().run->run->fault().has_value());
    EXPECT_EQ(session.view<StepView>().simulated().run->run->fault()->place.line, 2U);
    EXPECT_FALSE(session.view<StepView>().table().answer->rows.empty());
}

TEST_F(UserKernelTest, ItsTextAndLaunchTravelInTheSettings) {
    Session session(options_, settings_);
    session.start();
    session.kernels().open(file("sum.cl", kSum));
    simulation::UserKernel kernel = *session.settings().choice.user_kernel;
    kernel.global = 32;
    session.kernels().set_launch(kernel);
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
    session.kernels().open(file("none.cl", "kernel void f(int n) { local int a; a = n; }\n"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table().problem.has_value());
    EXPECT_EQ(session.walk().last_position(), 0U);
}

}  // namespace
}  // namespace lab::session
