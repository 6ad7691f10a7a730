// What takes a worker long: measurements and searches, cancelled, and a worker that is killed.
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX

#include <fstream>
#include <set>

#include "support/session_test.h"

namespace lab::session {
namespace {

using testing::HasSubstr;

// One variant, the read ceiling and three loops of the host.
constexpr std::size_t kRowsASize = 5;

TEST_F(SessionTest, MeasuresAndShowsRowsAsTheyCome) {
    Settings settings;
    settings.measure.sizes = "2^10..2^12";
    settings.measure.repeat = 2;
    Session session(options(), settings);
    session.run("measure.run");
    EXPECT_EQ(session.settings().view, "measure");
    settle(session);
    ASSERT_TRUE(session.view<MeasureView>().state().results.answer.has_value());
    EXPECT_EQ(session.view<MeasureView>().state().results.answer->rows.size(), 3 * kRowsASize);
    EXPECT_EQ(session.view<MeasureView>().state().progress.done, 3 * kRowsASize);
    EXPECT_TRUE(session.view<MeasureView>().state().results.answer->complete);
}

TEST_F(SessionTest, MeasuresSeveralGroupSizes) {
    Settings settings;
    settings.measure.sizes = "2^12";
    settings.measure.groups = "32,64";
    settings.measure.repeat = 2;
    Session session(options(), settings);
    session.run("measure.run");
    settle(session);
    ASSERT_TRUE(session.view<MeasureView>().state().results.answer.has_value());
    std::set<std::uint64_t> groups;
    for (const results::Row& row : session.view<MeasureView>().state().results.answer->rows)
        if (row.kind == "variant") groups.insert(row.group);
    EXPECT_EQ(groups, (std::set<std::uint64_t>{32, 64}));
    // What is no size is told, and nothing runs.
    MeasureChoice choice = session.settings().measure;
    choice.groups = "many";
    session.view<MeasureView>().set(choice);
    session.run("measure.run");
    EXPECT_TRUE(session.view<MeasureView>().state().results.problem.has_value());
    EXPECT_FALSE(session.busy());
}

TEST_F(SessionTest, ASearchForResultsIsCancelledAndAskedForAgain) {
    Settings settings;
    settings.view = "race";
    settings.choice.variant = "grid-barrier";
    settings.choice.shape.input = catalogue::parse_input("ramp");
    settings.choice.shape.n = 1024;
    settings.choice.shape.group = 1;
    Session session(options(), settings);
    session.start();
    ASSERT_TRUE(wait(session, [&] { return session.view<RaceView>().states() > 0; }));
    EXPECT_TRUE(session.run("cancel"));
    EXPECT_FALSE(session.view<RaceView>().outcomes().waiting);
    EXPECT_TRUE(session.view<RaceView>().outcomes().problem);
    EXPECT_TRUE(session.view<RaceView>().race());
    EXPECT_TRUE(session.run("devices.ask"));
    EXPECT_TRUE(session.view<RaceView>().outcomes().waiting);
    EXPECT_FALSE(session.view<RaceView>().outcomes().problem);
}

TEST_F(SessionTest, CancelKeepsTheRowsThatAreDone) {
    Settings settings;
    settings.measure.sizes = "2^10,2^11,2^26";
    settings.measure.repeat = 100;
    Session session(options(), settings);
    session.run("measure.run");
    EXPECT_TRUE(wait(session, [&] {
        return session.view<MeasureView>().state().progress.done >= 2 * kRowsASize;
    }));
    EXPECT_TRUE(session.run("cancel"));
    EXPECT_FALSE(session.busy());
    EXPECT_GE(session.view<MeasureView>().state().results.answer->rows.size(), 2 * kRowsASize);
    EXPECT_FALSE(session.view<MeasureView>().state().results.answer->complete);
    // And again, with a fresh worker.
    MeasureChoice choice = session.settings().measure;
    choice.sizes = "2^10";
    choice.repeat = 1;
    session.view<MeasureView>().set(choice);
    session.run("measure.run");
    settle(session);
    EXPECT_EQ(session.view<MeasureView>().state().results.answer->rows.size(), kRowsASize);
}

// The worker processes of this one, by the kernel's own list.
std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
        std::ifstream list(task.path() / "children");
        for (pid_t child = 0; list >> child;)
            found.push_back(child);
    }
    return found;
}

TEST_F(SessionTest, CarriesOnAfterTheWorkerWasKilledInTheMiddleOfARun) {
    Settings settings;
    settings.measure.sizes = "2^10,2^26";
    settings.measure.repeat = 1000;
    Session session(options(), settings);
    session.run("measure.run");
    EXPECT_TRUE(wait(
        session, [&] { return session.view<MeasureView>().state().progress.done >= kRowsASize; }));
    ASSERT_FALSE(children().empty());
    for (const pid_t child : children())
        kill(child, SIGKILL);
    settle(session);
    ASSERT_TRUE(session.view<MeasureView>().state().results.problem.has_value());
    EXPECT_THAT(session.view<MeasureView>().state().results.problem->why, HasSubstr("signal 9"));
    EXPECT_GE(session.view<MeasureView>().state().results.answer->rows.size(), kRowsASize);
    session.start();
    settle(session);
    EXPECT_EQ(session.view<StepView>().table().answer->result, "41");
    MeasureChoice choice = session.settings().measure;
    choice.sizes = "2^10";
    choice.repeat = 1;
    session.view<MeasureView>().set(choice);
    session.run("measure.run");
    settle(session);
    EXPECT_FALSE(session.view<MeasureView>().state().results.problem.has_value());
    EXPECT_EQ(session.view<MeasureView>().state().results.answer->rows.size(), kRowsASize);
}

}  // namespace
}  // namespace lab::session
