#include "views/step/step.h"

#include "analysis/machine_run.h"
#include "analysis/step_table.h"
#include "session/kernels.h"
#include "support/session_test.h"
#include "support/shipped_kernels.h"
#include "views/files/files.h"

namespace lab::session {
namespace {

// With the real worker and the first device of the machine. Whether a run goes wrong is chance; but
// what was recorded is what is shown.
class DeviceRecorderTest : public SessionTest {
  protected:
    static DeviceRecorder& recorder(Session& session) { return session.view<StepView>().recorder; }
    static void record(Session& session) {
        ASSERT_TRUE(session.run("step.record"));
        EXPECT_TRUE(recorder(session).recorded.waiting);
        EXPECT_TRUE(session.busy());
        settle(session);
    }
    static void expect_shown(Session& session) {
        const results::Recorded& recorded = *recorder(session).recorded.answer;
        if (recorded.run == 0) {  // none went wrong this time
            EXPECT_TRUE(analysis::recorded_in(session.settings().choice.machine.order).empty());
            return;
        }
        EXPECT_EQ(recorded.difference, "");
        EXPECT_FALSE(recorded.right);
        EXPECT_EQ(analysis::recorded_in(session.settings().choice.machine.order), recorded.order);
        const analysis::StepTable& table = session.view<StepView>().simulated.run->table;
        EXPECT_EQ(table.result, recorded.result);
        EXPECT_FALSE(table.right);
    }
};

TEST_F(DeviceRecorderTest, ARunThatWentWrongIsTheOneThatIsShown) {
    Session session(options(), Settings());
    choose_broken(session, kAutomatic);
    session.show_view<StepView>();
    record(session);
    expect_shown(session);
}

TEST_F(DeviceRecorderTest, TheRaceViewHasItsTurns) {
    Session session(options(), Settings());
    choose_broken(session, kAutomatic);
    session.show_view<RaceView>();
    settle(session);
    record(session);
    expect_shown(session);
    const results::Recorded& recorded = *recorder(session).recorded.answer;
    if (recorded.run == 0) return;
    ASSERT_NE(session.view<RaceView>().race(), nullptr);
    EXPECT_EQ(machine::text_of(session.view<RaceView>().race()->all_turns()), recorded.turns);
}

TEST_F(DeviceRecorderTest, ARequestCanBeTakenBack) {
    Session session(options(), Settings());
    choose_broken(session, kAutomatic);
    session.show_view<StepView>();
    recorder(session).start();
    session.run("cancel");
    EXPECT_FALSE(recorder(session).recorded.waiting);
    EXPECT_FALSE(recorder(session).recorded.answer);
}

TEST_F(DeviceRecorderTest, WhatIsSetMeanwhileStays) {
    Session session(options(), Settings());
    choose_broken(session, kAutomatic);
    session.show_view<StepView>();
    recorder(session).start();
    RunChoice choice = session.settings().choice;
    choice.machine.order = "reversed";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(session.settings().choice.machine, choice.machine);
}

class StepTest : public SessionTest {
  protected:
    static void begin(Session& session, const std::string& id) {
        session.start();
        choose_kernel(session, id);
        settle(session);
        session.show_view<StepView>();
    }
};

TEST_F(StepTest, TheNextRowIsHiddenUntilItsCellsAreUncoveredOrItIsSteppedTo) {
    Session session(options(), Settings());
    begin(session, "relaunch");
    StepView& view = session.view<StepView>();
    view.go_to(1);
    EXPECT_FALSE(view.hides_next());
    EXPECT_FALSE(session.run("step.uncover"));
    EXPECT_TRUE(session.run("step.foretell"));
    EXPECT_TRUE(view.hides_next());
    view.uncover(4);
    view.uncover(4);
    view.uncover(1000);  // there is no such cell
    EXPECT_TRUE(session.run("step.uncover"));
    EXPECT_EQ(view.uncovered, (std::vector<std::size_t>{0, 4}));
    for (int i = 0; i < 6; ++i)
        session.run("step.uncover");
    EXPECT_EQ(view.uncovered.size(), 8U);
    EXPECT_EQ(view.cursor, 1U);
    session.run("step.uncover");  // none is left
    EXPECT_EQ(view.cursor, 2U);
    EXPECT_TRUE(view.uncovered.empty());
    EXPECT_TRUE(view.hides_next());
    view.go_to(view.last_position());
    EXPECT_FALSE(view.hides_next());

    view.go_to(0);
    const fs::path moment = folder_.path() / "a.redlab";
    write_file(moment, saved_json(session).dump());
    Session other(options(), Settings());
    show_saved(other, read_saved(moment, other.options().views), false);
    settle(other);
    EXPECT_TRUE(other.view<StepView>().foretells);
}

TEST_F(StepTest, AKernelWithoutABrokenFormLosesABarrierAndGetsItBack) {
    Session session(options(), Settings());
    begin(session, "ladder-3-sequential");
    StepView& view = session.view<StepView>();
    const RunChoice whole = session.settings().choice;
    const std::size_t opened = session.kernels.editor.opened.size();
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    const RunChoice made = session.settings().choice;
    ASSERT_TRUE(made.opened);
    EXPECT_TRUE(view.broken());
    ASSERT_TRUE(view.missing_barrier());
    EXPECT_EQ(view.missing_barrier()->number, 0U);
    EXPECT_EQ(view.missing_barrier()->all, 2U);
    const std::string& text = made.opened->text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(session.catalogue().find(whole.variant).text.begin(),
                         session.catalogue().find(whole.variant).text.end(), '\n'));
    EXPECT_NE(text.find("/* barrier 1 is left out */;"), std::string::npos);
    EXPECT_NE(text.find("barrier(CLK_LOCAL_MEM_FENCE)"), std::string::npos);  // the other one
    // It matters: a run that goes wrong was looked for and found.
    EXPECT_FALSE(view.table.answer->right);
    ASSERT_TRUE(session.run("toggle.barrier"));
    settle(session);
    EXPECT_EQ(view.missing_barrier()->number, 1U);
    EXPECT_NE(session.settings().choice.opened->text.find("/* barrier 2 is left out */;"),
              std::string::npos);
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    EXPECT_EQ(session.settings().choice, whole);
    EXPECT_EQ(session.kernels.editor.opened.size(), opened);
    EXPECT_TRUE(view.table.answer->right);
}

// A copy with its header, and a plain text with the launch of a form.
TEST_F(StepTest, AKernelOfOnesOwnLosesABarrierAndGetsItBack) {
    for (const bool plain : {false, true}) {
        Session session(options(), Settings());
        begin(session, "ladder-3-sequential");
        const StepView& view = session.view<StepView>();
        copy_variant(session, plain);
        settle(session);
        const RunChoice whole = session.settings().choice;
        EXPECT_FALSE(view.broken());
        ASSERT_TRUE(session.run("toggle.broken"));
        settle(session);
        EXPECT_TRUE(view.broken());
        ASSERT_TRUE(view.missing_barrier());
        EXPECT_EQ(view.missing_barrier()->all, 2U);
        EXPECT_NE(session.kernels.editor.draft.find("/* barrier 1 is left out */;"),
                  std::string::npos);
        EXPECT_FALSE(without_barrier(session.settings().choice, session.catalogue(), 0,
                                     session.kernels.editor.opened));
        ASSERT_TRUE(session.run("toggle.barrier"));
        settle(session);
        EXPECT_EQ(view.missing_barrier()->number, 1U);
        EXPECT_NE(session.kernels.editor.draft.find("/* barrier 2 is left out */;"),
                  std::string::npos);
        ASSERT_TRUE(session.run("toggle.broken"));
        settle(session);
        EXPECT_EQ(session.settings().choice, whole);
        EXPECT_EQ(session.kernels.editor.opened.size(), 1U);
        EXPECT_FALSE(view.broken());
        // What is typed counts at once.
        edit_text(session.kernels.editor, session.kernels.editor.draft + "// mine\n");
        ASSERT_TRUE(session.run("toggle.broken"));
        settle(session);
        EXPECT_TRUE(session.kernels.editor.draft.ends_with("// mine\n"));
        EXPECT_TRUE(view.missing_barrier());
        EXPECT_TRUE(view.broken());
    }
}

TEST_F(StepTest, ACopyIsShownInItsEditorAndNotSideBySide) {
    for (const char* copy : {"user_kernel.copy", "user_kernel.plain"}) {
        Session session(options(), Settings());
        begin(session, "ladder-3-sequential");
        ASSERT_TRUE(session.run("toggle.beside"));
        EXPECT_TRUE(session.view<StepView>().beside);
        ASSERT_TRUE(session.run(copy));
        EXPECT_FALSE(session.view<StepView>().beside);
        settle(session);
    }
}

TEST_F(StepTest, BesideAFormsKernelTheOtherHasItsElements) {
    Session session(options(), Settings());
    begin(session, "ladder-3-sequential");
    copy_variant(session, true);
    settle(session);
    catalogue::LaunchForm form = *session.settings().choice.user_kernel;
    form.arguments.front() = "in:int[16]=ramp";
    set_launch(session, form);
    ASSERT_EQ(session.settings().choice.user_kernel->arguments.front(), "in:int[16]=ramp");
    RunChoice other;
    other.variant = "relaunch";
    session.view<StepView>().compare_with(other);
    const catalogue::Shape& shape = session.view<StepView>().second().shape;
    EXPECT_EQ(shape.n, 16U);
    EXPECT_EQ(shape.input, catalogue::parse_input("ramp"));
    settle(session);
}

TEST_F(StepTest, ATextThatWasEditedIsNoLongerOneWithoutABarrier) {
    const catalogue::Catalogue& kernels = catalogue::shipped();
    RunChoice choice;
    choice.variant = "block-local";
    auto made = without_barrier(choice, kernels, 1);
    ASSERT_TRUE(made);
    EXPECT_EQ(missing_barrier(*made, kernels)->number, 1U);
    EXPECT_FALSE(without_barrier(*made, kernels, 0));  // a file stays as it is
    EXPECT_FALSE(without_barrier(choice, kernels, 2));
    made->opened->text += "\n";
    EXPECT_FALSE(missing_barrier(*made, kernels));
    choice.variant = "one-pass";
    EXPECT_FALSE(without_barrier(choice, kernels, 0));
}

}  // namespace
}  // namespace lab::session
