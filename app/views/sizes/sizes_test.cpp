#include "views/sizes/sizes.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/all_views.h"
#include "support/temporary_folder.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using analysis::ShapeVerdict;
using analysis::SyncPoint;

class SizesSession : public testing::Test {
  protected:
    SizesSession() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        settings_.view = "sizes";
        settings_.choice.variant = "span-modulo";
        settings_.choice.shape.input = catalogue::parse_input("1,2,3,4,5,6,7,8");
    }

    // Few cells.
    static SizesView& small_map(Session& session) {
        SizesView& view = session.view<SizesView>();
        view.restore_sides({"groups", "lanes"});
        settle(session);
        return view;
    }
    static void settle(Session& session) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        do {
            session.poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (session.view<SizesView>().busy() && std::chrono::steady_clock::now() < until);
        ASSERT_FALSE(session.view<SizesView>().busy());
    }
    Session begin() { return Session(all_views(LAB_BIN_DIR "/reduction-lab-cli"), settings_); }

    TemporaryFolder folder_;
    Settings settings_;
};

TEST_F(SizesSession, FillsTheMapThatTheCommandGives) {
    Session session = begin();
    session.start();
    const SizesView& view = session.view<SizesView>();
    settle(session);
    ASSERT_TRUE(view.map.answer);
    EXPECT_TRUE(view.map.answer->complete());
    analysis::RunSpec spec = spec_of(session.settings().choice, session.catalogue());
    EXPECT_EQ(view.sides(), analysis::usual_sides(spec.kernel));
    spec.shape.input = {};
    analysis::SizeMapSearch search(spec, analysis::usual_axis(spec.kernel, view.sides().first),
                                   analysis::usual_axis(spec.kernel, view.sides().second));
    while (search.go_on())
        continue;
    EXPECT_EQ(nlohmann::json(*view.map.answer), nlohmann::json(search.map()));
    EXPECT_FALSE(session.next_move().has_value());
}

TEST_F(SizesSession, OpensACellsRunAsOneStepOfUndo) {
    Session session = begin();
    session.start();
    SizesView& view = small_map(session);
    ASSERT_TRUE(view.first_bad());
    const auto [row, column] = *view.first_bad();
    const analysis::ShapeJudgement cell = view.map.answer->at(row, column);
    const RunChoice before = session.settings().choice;
    const std::uint64_t version = view.version;
    ASSERT_TRUE(session.run("sizes.open"));
    EXPECT_TRUE(session.shows<StepView>());
    const RunChoice opened = session.settings().choice;
    EXPECT_EQ(opened.shape.n, cell.n);
    EXPECT_EQ(opened.shape.group, cell.group);
    EXPECT_EQ(std::to_string(opened.machine.lanes), view.map.answer->columns.values[column]);
    analysis::CodeCache codes;
    EXPECT_EQ(judge_shape(spec_of(opened, session.catalogue()), codes).verdict, cell.verdict);
    // The map is of all sizes, and so still of this one.
    session.set_view("sizes");
    session.poll();
    EXPECT_EQ(view.version, version);
    session.undo();
    EXPECT_EQ(session.settings().choice, before);
}

TEST_F(SizesSession, KeepsItsSidesInAMomentAndExchangesThem) {
    Session session = begin();
    session.start();
    SizesView& view = small_map(session);
    const nlohmann::json kept = kSizesView.save(session);
    view.set_rows("lanes");
    EXPECT_EQ(view.asked_sides(), (std::pair<std::string, std::string>("lanes", "groups")));
    kSizesView.read(kept)(session);
    EXPECT_EQ(view.asked_sides(), (std::pair<std::string, std::string>("groups", "lanes")));
    view.restore_sides({"NO_SUCH_TOGGLE", "n"});
    settle(session);
    EXPECT_EQ(view.sides().first, "group");
}

TEST_F(SizesSession, FindsNumbersAndOpensThem) {
    settings_.choice.variant = "span-modulo";
    Session session = begin();
    session.start();
    SizesView& view = small_map(session);
    EXPECT_FALSE(session.command("sizes.numbers").enabled(session));
    ASSERT_TRUE(session.run("sizes.inputs"));
    settle(session);
    ASSERT_TRUE(view.inputs.answer && !view.inputs.answer->found.empty());
    const analysis::FoundNumbers found = view.inputs.answer->found.front();
    ASSERT_TRUE(session.run("sizes.numbers"));
    const RunChoice opened = session.settings().choice;
    EXPECT_EQ(opened.shape.group, found.judgement.group);
    EXPECT_EQ(session.settings().choice.shape.input.kind, catalogue::Input::Kind::values);
    analysis::CodeCache codes;
    EXPECT_EQ(judge_shape(spec_of(opened, session.catalogue()), codes).verdict,
              found.judgement.verdict);
}

TEST_F(SizesSession, JudgesBarriersAndOpensTheRunWithoutOne) {
    settings_.choice.variant = "local-tree";
    Session session = begin();
    session.start();
    SizesView& view = small_map(session);
    ASSERT_TRUE(session.run("sizes.barriers"));
    settle(session);
    ASSERT_TRUE(view.barriers.answer);
    const analysis::SyncPoint needed = view.barriers.answer->points.front();
    EXPECT_EQ(needed.need, SyncPoint::Need::needed);
    EXPECT_EQ(needed.without.verdict, ShapeVerdict::race);
    ASSERT_TRUE(session.run("sizes.without"));
    const RunChoice opened = session.settings().choice;
    ASSERT_TRUE(opened.opened);
    EXPECT_EQ(opened.shape.n, needed.without.n);
    analysis::CodeCache codes;
    EXPECT_EQ(judge_shape(spec_of(opened, session.catalogue()), codes).verdict, ShapeVerdict::race);
    // Of an opened text none is taken out, however needed.
    session.show_view<SizesView>();
    RunChoice own = opened;
    own.opened->text = session.catalogue().find("local-tree").text;
    session.choose(own);
    ASSERT_TRUE(session.run("sizes.barriers"));
    settle(session);
    ASSERT_TRUE(view.barriers.answer);
    EXPECT_EQ(view.barriers.answer->points.front().need, SyncPoint::Need::needed);
    EXPECT_FALSE(session.command("sizes.without").enabled(session));
}

TEST_F(SizesSession, StopsWhenItIsCancelled) {
    Session session = begin();
    session.start();
    session.poll();
    ASSERT_TRUE(session.view<SizesView>().map.waiting);
    session.run("cancel");
    EXPECT_FALSE(session.view<SizesView>().busy());
    EXPECT_TRUE(session.view<SizesView>().map.problem);
}

}  // namespace
}  // namespace lab::session
