#include "views/lattice/lattice.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "session/view.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"

namespace lab::session {
namespace {

const LatticeFrame kFrame{1000, 500, 17, 65'536};

// Where a cell's middle and a row's upper edge are in the view.
double x_of(const LatticeFrame& frame, const LatticeCamera& camera, double cell) {
    return left_of(frame, camera) +
           (cell + 0.5) / static_cast<double>(frame.cells) * frame.width * camera.zoom;
}
double y_of(const LatticeFrame& frame, const LatticeCamera& camera, double row) {
    return top_of(frame, camera) + row * row_height(frame, camera.zoom);
}

TEST(LatticeCamera, ShowsTheWholeAtFirst) {
    const LatticeCamera camera = bounded(kFrame, {});
    EXPECT_NEAR(left_of(kFrame, camera), 0, 1e-9);
    EXPECT_NEAR(y_of(kFrame, camera, 0), 0, 1e-9);
    EXPECT_NEAR(y_of(kFrame, camera, 17), 500, 1e-9);
}

TEST(LatticeCamera, KeepsWhatIsUnderTheMouseAsItComesCloser) {
    LatticeCamera camera = bounded(kFrame, {});
    const double cell = 40'000.0;
    const double x = x_of(kFrame, camera, cell);
    const double y = y_of(kFrame, camera, 9);
    while (camera.zoom < most_zoom(kFrame) * 0.99) {
        camera = zoomed(kFrame, camera, 1.25, x, y);
        EXPECT_NEAR(x_of(kFrame, camera, cell), x, 1e-3);
        EXPECT_NEAR(y_of(kFrame, camera, 9), y, 1e-6);
    }
    EXPECT_NEAR(1000 * camera.zoom / 65'536, kClosestCell, 1e-6);
    EXPECT_NEAR(row_height(kFrame, camera.zoom), kTallestRow, 1e-6);
}

TEST(LatticeCamera, GrowsWithoutJumps) {
    LatticeCamera camera = bounded(kFrame, {});
    double before = row_height(kFrame, camera.zoom);
    while (camera.zoom < most_zoom(kFrame)) {
        camera = zoomed(kFrame, camera, 1.01, 500, 250);
        const double now = row_height(kFrame, camera.zoom);
        EXPECT_LT(std::abs(now / before - 1), 0.01);
        before = now;
        if (camera.zoom >= most_zoom(kFrame) * 0.9999) break;
    }
}

TEST(LatticeCamera, NeverLeavesThePicture) {
    LatticeCamera camera = zoomed(kFrame, {}, 1000, 500, 250);
    camera = panned(kFrame, camera, 1e9, 1e9);
    EXPECT_NEAR(left_of(kFrame, camera), 0, 1e-6);
    EXPECT_NEAR(top_of(kFrame, camera), 0, 1e-6);
    camera = panned(kFrame, camera, -1e12, -1e9);
    EXPECT_NEAR(x_of(kFrame, camera, 65'535.5), 1000, 1e-3);
    EXPECT_NEAR(y_of(kFrame, camera, 17), 500, 1e-6);
}

TEST(LatticeCamera, PutsACellInTheMiddleAtTheSizeAtWhichItIsRead) {
    const LatticeCamera camera = on_cell(kFrame, 8, 30'000, 65'536);
    EXPECT_NEAR(x_of(kFrame, camera, 30'000), 500, 1e-3);
    EXPECT_NEAR(kFrame.width * camera.zoom / 65'536, kReadableCell, 1e-6);
    // The only cell of its row is as wide as the view.
    EXPECT_NEAR(on_cell(kFrame, 16, 0, 1).zoom, 1, 1e-9);
}

TEST(LatticeCamera, MovesFromOnePlaceToAnotherWithoutTurningBack) {
    const LatticeCamera from = bounded(kFrame, {});
    const LatticeCamera to = on_cell(kFrame, 12, 50'000, 65'536);
    double distance = std::abs(x_of(kFrame, from, 50'000) - 500);
    for (int i = 1; i <= 100; ++i) {
        const LatticeCamera camera = between(kFrame, from, to, i / 100.0);
        const double now = std::abs(x_of(kFrame, camera, 50'000) - 500);
        EXPECT_LE(now, distance + 1e-3);
        distance = now;
    }
    EXPECT_EQ(between(kFrame, from, to, 1), to);
}

// A session that shows the lattice; no worker is there.
class LatticeSession : public testing::Test {
  protected:
    LatticeSession() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        settings_.view = "lattice";
        settings_.lattice.n = 1024;
        settings_.lattice.group = 64;
    }

    static void settle(Session& session) {
        session.poll();
        for (int i = 0; i < 20000 && session.view<LatticeView>().run.running(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            session.poll();
        }
        EXPECT_FALSE(session.view<LatticeView>().run.running());
    }

    TemporaryFolder folder_;
    Settings settings_;
};

TEST_F(LatticeSession, RunsWhatIsChosenAndRunsAgainWhenThatChanges) {
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    ASSERT_TRUE(session.view<LatticeView>().picture.lattice);
    EXPECT_EQ(session.view<LatticeView>().picture.lattice->rows.size(), 11U);
    EXPECT_EQ(session.view<LatticeView>().picture.version, 1U);
    settle(session);
    EXPECT_EQ(session.view<LatticeView>().picture.version, 1U);
    session.run("n.more");
    EXPECT_EQ(session.settings().lattice.n, 2048U);
    settle(session);
    EXPECT_EQ(session.view<LatticeView>().picture.lattice->rows.size(), 12U);
    session.run("op.next");
    settle(session);
    EXPECT_EQ(session.view<LatticeView>().picture.version, 3U);
    EXPECT_NE(session.view<LatticeView>().picture.lattice->head.op, "add");
}

TEST_F(LatticeSession, DoesNothingWhileAnotherViewIsShown) {
    settings_.view = "measure";
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    EXPECT_FALSE(session.view<LatticeView>().picture.lattice);
}

TEST_F(LatticeSession, KeepsTheLastPictureWhenARunFails) {
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    const auto picture = session.view<LatticeView>().picture.lattice;
    RunChoice choice = session.settings().choice;
    choice.shape.set["NO_SUCH_TOGGLE"] = "1";
    session.choose(choice);
    settle(session);
    EXPECT_TRUE(session.view<LatticeView>().problem.has_value());
    EXPECT_EQ(session.view<LatticeView>().picture.lattice, picture);
    session.undo();
    settle(session);
    EXPECT_FALSE(session.view<LatticeView>().problem.has_value());
}

TEST_F(LatticeSession, ShowsAsManyElementsAsAVariantOfOneGroupTakes) {
    settings_.choice.variant = "block-sequential";
    settings_.lattice.n = 65'536;
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    ASSERT_TRUE(session.view<LatticeView>().picture.lattice);
    EXPECT_EQ(session.view<LatticeView>().picture.lattice->head.n, 2048U);
    EXPECT_EQ(session.view<LatticeView>().picture.lattice->head.group, 1024U);
    EXPECT_TRUE(session.view<LatticeView>().picture.lattice->head.right);
    EXPECT_EQ(session.settings().lattice.n, 65'536U);
}

TEST_F(LatticeSession, GoesFromRaceToRace) {
    settings_.choice.variant = "span-modulo";
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    ASSERT_FALSE(session.view<LatticeView>().picture.lattice->raced.empty());
    EXPECT_TRUE(session.command("lattice.fault").enabled(session));
    const auto first = next_fault(session.view<LatticeView>().picture);
    const auto second = next_fault(session.view<LatticeView>().picture);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(*first == *second);
    const analysis::Lattice& picture = *session.view<LatticeView>().picture.lattice;
    EXPECT_NE(
        picture.rows[first->row].cells[first->cell] & (analysis::kRacedBit | analysis::kStaleBit),
        0);
}

TEST_F(LatticeSession, MovesByCommandsAndComesToRest) {
    Session session(all_views(LAB_BIN_DIR "/reduction-lab-cli", false), settings_);
    settle(session);
    LatticeView& view = session.view<LatticeView>();
    set_frame(view.picture, 800, 400);
    EXPECT_FALSE(session.command("lattice.whole").enabled(session));
    session.run("lattice.closer");
    EXPECT_TRUE(view.picture.moving);
    EXPECT_TRUE(session.next_move().has_value());
    for (int i = 0; i < 300 && view.picture.moving; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        session.poll();
    }
    EXPECT_FALSE(view.picture.moving);
    EXPECT_FALSE(session.shown().next_move().has_value());
    EXPECT_NEAR(camera_of(view.picture).zoom, 2, 1e-9);
    session.run("lattice.whole");
    session.run("lattice.result");
    EXPECT_TRUE(view.picture.moving);
}

TEST_F(LatticeSession, RemembersItsOwnNumbers) {
    settings_.lattice.n = 4096;
    settings_.lattice.group = 32;
    settings_.lattice.input = catalogue::parse_input("ramp");
    Settings read;
    nlohmann::json(settings_).get_to(read);
    EXPECT_EQ(read.lattice.n, 4096U);
    EXPECT_EQ(read.lattice.group, 32U);
    EXPECT_EQ(text_of(read.lattice.input), "ramp");
}

}  // namespace
}  // namespace lab::session
