#include "support/driver/state_json.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "session/view.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"

namespace lab::session {
namespace {

class StateJson : public testing::Test {
  protected:
    StateJson() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    }
    static void settle(Session& session) {
        for (int i = 0; i < 20000 && session.busy(); ++i) {
            session.poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ASSERT_FALSE(session.busy());
    }

    TemporaryFolder folder_;
    Session session_{all_views(LAB_BIN_DIR "/reduction-lab-cli", false), {}};
};

TEST_F(StateJson, HasEveryPartBeforeAnythingWasAnswered) {
    const nlohmann::json state = state_json(session_);
    std::set<std::string> names;
    for (const StatePart& part : state_parts()) {
        EXPECT_TRUE(names.insert(part.name).second) << part.name;
        EXPECT_TRUE(state.contains(part.name)) << part.name;
    }
    EXPECT_EQ(state["step"]["answered"], false);
    EXPECT_EQ(state["workers"]["step"]["process"], 0);
}

TEST_F(StateJson, FollowsWhatIsDone) {
    session_.start();
    settle(session_);
    session_.run("step.back");
    session_.run("theme.next");
    const nlohmann::json state = state_json(session_);
    EXPECT_EQ(state["step"]["cursor"], 2);
    EXPECT_EQ(state["step"]["result"], "41");
    EXPECT_EQ(state["step"]["values"].size(), 8U);
    EXPECT_EQ(state["settings"]["theme"], "dark");
    EXPECT_EQ(state["devices"]["in_use"], device_in_use(session_));
    EXPECT_GT(state["workers"]["step"]["process"], 0);
    EXPECT_THAT(state["commands"], testing::Contains("step.forward"));
    EXPECT_THAT(state["commands"], testing::Not(testing::Contains("cancel")));
}

TEST_F(StateJson, TellsAProblemAndKeepsTheLastGoodRun) {
    session_.start();
    settle(session_);
    RunChoice choice = session_.settings().choice;
    choice.shape.input = catalogue::parse_input("1,2,three");
    session_.choose(choice);
    settle(session_);
    const nlohmann::json state = state_json(session_);
    EXPECT_THAT(state["step"]["problem"]["what"].get<std::string>(), testing::HasSubstr("three"));
    EXPECT_EQ(state["step"]["result"], "41");
    EXPECT_EQ(state["undo"]["can_undo"], true);
}

}  // namespace
}  // namespace lab::session
