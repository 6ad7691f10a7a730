// With the real worker and the first device of the machine. Whether a run goes wrong is chance; but
// what was recorded is what is shown.
#include "views/step/step.h"
#include "analysis/machine_run.h"
#include "analysis/step_table.h"
#include "support/session_test.h"

namespace lab::session {
namespace {

class DeviceRecorderTest : public SessionTest {
  protected:
    static DeviceRecorder& recorder(Session& session) {
        return session.view<StepView>().recorder();
    }
    static void record(Session& session) {
        ASSERT_TRUE(session.run("step.record"));
        EXPECT_TRUE(recorder(session).recorded().waiting);
        EXPECT_TRUE(session.busy());
        settle(session);
    }
    static void expect_shown(Session& session) {
        const results::Recorded& recorded = *recorder(session).recorded().answer;
        if (recorded.run == 0) {  // none went wrong this time
            EXPECT_TRUE(analysis::recorded_in(session.settings().choice.machine.order).empty());
            return;
        }
        EXPECT_EQ(recorded.difference, "");
        EXPECT_FALSE(recorded.right);
        EXPECT_EQ(analysis::recorded_in(session.settings().choice.machine.order), recorded.order);
        const analysis::StepTable& table = session.view<StepView>().simulated().run->table;
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
    const results::Recorded& recorded = *recorder(session).recorded().answer;
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
    EXPECT_FALSE(recorder(session).recorded().waiting);
    EXPECT_FALSE(recorder(session).recorded().answer);
}

}  // namespace
}  // namespace lab::session
