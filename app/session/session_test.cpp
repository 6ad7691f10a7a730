#include <fstream>
#include <map>
#include <set>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <nlohmann/json.hpp>

#include "session/app_commands.h"
#include "support/session_test.h"
#include "support/translated_texts.h"
#include "views/lattice/lattice.h"

namespace lab::session {
namespace {

using testing::HasSubstr;

TEST_F(SessionTest, BeginsWithTheStoryAtItsEnd) {
    Session session(options(), {});
    session.start();
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.answer.has_value());
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    EXPECT_EQ(session.view<StepView>().cursor, 3U);
    ASSERT_TRUE(session.devices.answer.has_value());
    EXPECT_FALSE(session.devices.answer->devices.empty());
}

TEST_F(SessionTest, StepsByCommands) {
    Session session(options(), {});
    session.start();
    settle(session);
    EXPECT_FALSE(session.run("step.forward"));  // at the end
    EXPECT_TRUE(session.run("step.back"));
    EXPECT_EQ(session.view<StepView>().cursor, 2U);
    EXPECT_TRUE(session.run("step.first"));
    EXPECT_FALSE(session.run("step.back"));
    EXPECT_TRUE(session.run("step.last"));
    EXPECT_EQ(session.view<StepView>().cursor, 3U);
}

TEST_F(SessionTest, PlaysFromTheStartToTheEndAndStops) {
    Session session(options(), {});
    session.start();
    settle(session);
    session.view<StepView>().passes_per_second = 100;
    session.run("step.play");
    EXPECT_TRUE(session.walk().playing());
    EXPECT_EQ(session.view<StepView>().cursor, 0U);
    EXPECT_TRUE(session.next_move().has_value());
    EXPECT_TRUE(wait(session, [&] { return !session.walk().playing(); }));
    EXPECT_EQ(session.view<StepView>().cursor, 3U);
    EXPECT_FALSE(session.next_move().has_value());
}

TEST_F(SessionTest, AProblemKeepsTheLastGoodPassesAndUndoBringsThemBack) {
    Session session(options(), {});
    session.start();
    settle(session);
    RunChoice choice = session.settings().choice;
    choice.shape.input = catalogue::parse_input("1,2,three");
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.problem.has_value());
    EXPECT_THAT(session.view<StepView>().table.problem->what_happened, HasSubstr("three"));
    ASSERT_TRUE(session.view<StepView>().table.answer.has_value());
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    EXPECT_TRUE(session.run("undo"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table.problem.has_value());
    EXPECT_TRUE(session.run("redo"));
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.problem.has_value());
}

TEST_F(SessionTest, TheMachineShowsWhatAScheduleMakesOfARace) {
    Session session(options(), {});
    session.start();
    settle(session);
    choose_broken(session, "in-order");
    ASSERT_TRUE(session.view<StepView>().table.answer);
    EXPECT_EQ(session.view<StepView>().table.answer->source, "machine");
    EXPECT_EQ(session.view<StepView>().table.answer->result, "27");
    EXPECT_EQ(session.view<StepView>().table.answer->rows.back().stale.size(), 1U);
    session.run("order.next");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, "round-robin");
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    session.run("undo");
    settle(session);
    EXPECT_EQ(session.view<StepView>().table.answer->result, "27");
    session.run("order.device");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);
    EXPECT_FALSE(session.command("order.device").enabled(session));
    EXPECT_FALSE(session.view<StepView>().table.answer->right);
}

TEST_F(SessionTest, AScheduleByHandComesBackWithItsKernel) {
    Session session(options(), {});
    session.start();
    RunChoice choice = session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set = {{"BARRIER", "group"}};
    session.choose(choice);
    choice = session.settings().choice;
    choice.machine.order = "turns:0.0*12";
    session.choose(choice);
    session.view<StepView>().toggle_broken();
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);
    EXPECT_TRUE(session.notices.toasts().empty());
    session.view<StepView>().toggle_broken();
    EXPECT_EQ(session.settings().choice, choice);
}

// From any kernel and any toggles: exactly back, or a word that there is no broken form.
TEST_F(SessionTest, TheToggleLeadsExactlyBackOrSaysThatThereIsNone) {
    Session session(options(), {});
    session.start();
    const auto choose = [&](const char* variant, std::map<std::string, std::string> set) {
        RunChoice choice = session.settings().choice;
        choice.variant = variant;
        choice.shape.set = std::move(set);
        session.choose(choice);
    };
    for (const auto& [variant, set] :
         std::vector<std::pair<const char*, std::map<std::string, std::string>>>{
             {"span-scatter", {{"BARRIER", "group"}}},
             {"local-tree", {{"BARRIER_LOAD", "off"}}},
             {"local-tree", {{"ITEMS", "2"}}},
             {"local-master", {}}}) {
        choose(variant, set);
        settle(session);
        session.walk().go_to(1);
        const RunChoice before = session.settings().choice;
        const bool broken = session.view<StepView>().broken();
        ASSERT_TRUE(session.run("toggle.broken")) << variant;
        settle(session);
        EXPECT_NE(session.view<StepView>().broken(), broken) << variant;
        ASSERT_TRUE(session.run("toggle.broken")) << variant;
        settle(session);
        EXPECT_EQ(session.settings().choice, before) << variant;
        EXPECT_EQ(session.walk().position(), 1U) << variant;
    }
    // Of one that races between its groups the other is itself in one group.
    RunChoice groups = session.settings().choice;
    groups.variant = "span-halving";
    groups.shape.set = {{"BARRIER", "group"}};
    groups.shape.input = {};
    groups.shape.n = 16;
    groups.shape.group = 4;
    session.choose(groups);
    settle(session);
    EXPECT_TRUE(session.view<StepView>().broken());
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    EXPECT_EQ(session.settings().choice.variant, "span-halving");
    EXPECT_EQ(session.settings().choice.shape.group, 8U);
    EXPECT_TRUE(session.view<StepView>().table.answer->right);
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    EXPECT_EQ(session.settings().choice, groups);
    choose("one-pass", {});
    const RunChoice before = session.settings().choice;
    EXPECT_FALSE(session.run("toggle.broken"));
    EXPECT_EQ(session.settings().choice, before);
    ASSERT_FALSE(session.notices.toasts().empty());
    EXPECT_EQ(session.notices.toasts().back().words,
              "This kernel has no broken form, and no barrier to leave out");
    EXPECT_TRUE(session.run("toggle.beside"));  // another schedule of it
    settle(session);
    EXPECT_TRUE(session.view<StepView>().other.run);
    EXPECT_EQ(session.view<StepView>().second().machine.order, "in-order");
    EXPECT_EQ(session.view<StepView>().second().variant, "one-pass");
}

TEST_F(SessionTest, AnyTwoStandSideBySideWithTheSameInput) {
    Session session(options(), {});
    session.start();
    settle(session);
    StepView& view = session.view<StepView>();
    RunChoice choice = session.settings().choice;
    choice.variant = "ladder-3-sequential";
    choice.shape.input = catalogue::parse_input("1,2,3,4,5,6,7,8");
    session.choose(choice);
    RunChoice second;
    second.variant = "span-modulo";
    second.shape.set = {{"BARRIER", "group"}};
    view.compare_with(second);
    settle(session);
    ASSERT_TRUE(view.beside && view.other.run);
    EXPECT_EQ(view.other.run->table.variant, "span-modulo");
    EXPECT_EQ(view.other.run->table.rows.front().cells.size(), 8U);
    EXPECT_EQ(view.other.run->spec.shape.set.at("BARRIER"), "group");
    // It stays beside another kernel, and is no second picture of its own.
    choose_kernel(session, "local-tree");
    settle(session);
    EXPECT_EQ(view.other.run->table.variant, "span-modulo");
    RunChoice same = session.settings().choice;
    same.variant = "span-modulo";
    same.shape.set = second.shape.set;
    session.choose(same);
    settle(session);
    EXPECT_FALSE(view.second() == session.settings().choice);
}

TEST_F(SessionTest, FindingBeginsWithTheChallengesResult) {
    Session session(options(), {});
    session.start();
    choose_broken(session, "in-order");
    session.show_view<RaceView>();
    RaceView& view = session.view<RaceView>();
    ASSERT_TRUE(wait(session, [&] { return view.now.outcomes.answer && !session.busy(); }));
    ASSERT_TRUE(session.run("race.find"));
    ASSERT_TRUE(view.now.found);
    EXPECT_EQ(*view.now.found, view.challenge().place);
    EXPECT_EQ(view.race()->ending()->result, "33");
    ASSERT_TRUE(session.run("race.find"));
    EXPECT_EQ(view.race()->ending()->result, "27");
}

TEST_F(SessionTest, WhatIsToBePredictedIsHiddenUntilItIsShownOrDone) {
    Session session(options(), {});
    session.start();
    choose_broken(session, "in-order");
    session.show_view<RaceView>();
    settle(session);
    RaceView& view = session.view<RaceView>();
    ASSERT_EQ(view.race()->ready().size(), 2U);
    EXPECT_FALSE(view.hides(*view.race()->ready()[0]));
    ASSERT_TRUE(session.run("race.predict"));
    EXPECT_TRUE(view.hides(*view.race()->ready()[0]));
    view.reveal(*view.race()->ready()[0]);
    EXPECT_FALSE(view.hides(*view.race()->ready()[0]));
    EXPECT_TRUE(view.hides(*view.race()->ready()[1]));
    view.act_nth(0);
    EXPECT_TRUE(view.hides(*view.race()->ready()[0]));
}

TEST_F(SessionTest, ARecordedRunSaysSoAndItsMachineGoesWithIt) {
    Session session(options(), {});
    session.start();
    choose_broken(session, "in-order");
    session.show_view<RaceView>();
    settle(session);
    RaceView& view = session.view<RaceView>();
    EXPECT_EQ(view.recorded(), "");
    const RunChoice before = session.settings().choice;
    RunChoice choice = before;
    choice.machine.lanes = 1;
    choice.machine.resident = 0;
    const Race items(spec_of(choice, session.catalogue()));
    choice.machine.order = "turns:# recorded on X, run 3\n" + machine::text_of(items.all_turns());
    session.before_recording = before.machine;
    session.choose(choice);
    settle(session);
    EXPECT_EQ(view.recorded(), "recorded on X, run 3");
    const machine::ScheduleSlice first = items.all_turns().front();
    for (std::size_t i = 0; i < view.race()->ready().size(); ++i)
        if (view.race()->ready()[i]->group != first.group) {
            view.act_nth(i);
            break;
        }
    EXPECT_EQ(view.recorded(), "");  // another schedule
    choose_kernel(session, "ladder-3-sequential");
    EXPECT_EQ(session.settings().choice.machine, before.machine);
}

TEST_F(SessionTest, TheToggleComesBackToTheScheduleInRace) {
    Session session(options(), {});
    session.start();
    choose_broken(session, "in-order");
    session.show_view<RaceView>();
    RaceView& view = session.view<RaceView>();
    EXPECT_TRUE(wait(session, [&] { return view.now.outcomes.answer && !session.busy(); }));
    view.act(1, 0);
    view.act(0, 0);
    const std::string turns = in_a_line(view.race()->turns());
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    EXPECT_EQ(view.position(), 0U);
    ASSERT_TRUE(session.run("toggle.broken"));
    settle(session);
    EXPECT_EQ(in_a_line(view.race()->turns()), turns);
    EXPECT_TRUE(view.now.outcomes.answer);
}

// Where no schedule helps there is no challenge, and why is said as the command line says it.
TEST_F(SessionTest, ARunThatCannotEndIsNoChallenge) {
    Settings settings;
    settings.choice.variant = "sync-leaders";
    settings.choice.shape.set = {{"ROUNDS", "1"}};
    settings.choice.machine = {{4, 1}, "round-robin"};
    Session session(options(), settings);
    session.start();
    settle(session);
    const auto& table = *session.view<StepView>().table.answer;
    EXPECT_TRUE(table.never_ends);
    std::string why;
    for (const Phrase& line : table.fault_phrases.why) {
        const std::string said = translated(line, session.words());
        why += said + "\n";
        std::string on_command_line = line.text;
        if (line.text.starts_with("Work-item")) on_command_line.replace(0, 9, "Item");
        if (!line.key.empty()) {
            EXPECT_EQ(said, on_command_line);
        }
    }
    EXPECT_THAT(why, HasSubstr("Item 0 (group 0) spins in line"));
    EXPECT_THAT(why, HasSubstr("it keeps reading come[0], which stays 1"));
    EXPECT_THAT(why, HasSubstr("1 of 2 groups have not begun"));
    ASSERT_TRUE(session.view<StepView>().witness.answer);
    EXPECT_NE(session.view<StepView>().witness.answer->verdict,
              analysis::DeviceComparison::Verdict::same);
    session.show_view<RaceView>();
    const RaceView& view = session.view<RaceView>();
    EXPECT_TRUE(wait(session, [&] { return view.now.outcomes.answer && !session.busy(); }));
    EXPECT_TRUE(view.cannot_end());
    EXPECT_EQ(view.challenge().kind, Challenge::Kind::none);
}

// What the last start left is no reason for a start without a picture.
TEST_F(SessionTest, WhatCannotRunGivesWayToTheExampleAndUndoBringsItBack) {
    Settings left;
    left.choice.variant = "sync-leaders";
    left.choice.shape.op = catalogue::Op::min;
    Session::Options options = this->options();
    options.recalled = true;
    Session session(options, left);
    session.start();
    ASSERT_TRUE(wait(session, [&] { return !session.notices.toasts().empty(); }));
    EXPECT_THAT(session.notices.toasts().back().words, HasSubstr("example"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table.problem);
    ASSERT_TRUE(session.view<StepView>().table.answer);
    EXPECT_EQ(session.view<StepView>().table.answer->variant, "sync-leaders");
    session.run("undo");
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.problem);
}

TEST_F(SessionTest, AScheduleThatDoesNotFitIsDroppedAndNeverInTheLatticesWay) {
    Settings left;
    left.choice.variant = "span-modulo";
    left.choice.shape.set = {{"BARRIER", "group"}};
    left.choice.machine.order = "turns:9.0*4";
    Session session(options(), left);
    session.start();
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.answer);
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);

    RunChoice choice = session.settings().choice;
    choice.machine.order = "turns:0.0*4 1.0*4";
    session.choose(choice);
    settle(session);
    session.set_view("lattice");
    EXPECT_TRUE(wait(session, [&] {
        const auto& toasts = session.notices.toasts();
        return !toasts.empty() && toasts.back().words.find("usual order") != std::string::npos;
    }));
    settle(session);
    EXPECT_TRUE(session.view<LatticeView>().picture.lattice);
    EXPECT_FALSE(session.view<LatticeView>().problem);
    EXPECT_EQ(session.settings().choice.machine.order, choice.machine.order);
}

TEST_F(SessionTest, WhatAKernelDoesNotTakeIsNotOffered) {
    Session session(options(), {});
    session.start();
    RunChoice choice = session.settings().choice;
    choice.variant = "sync-leaders";
    session.choose(choice);
    settle(session);
    EXPECT_THAT(ops_taken(session), testing::ElementsAre(catalogue::Op::add));
    EXPECT_FALSE(session.run("op.next"));
    EXPECT_THAT(session.notices.toasts().back().words, HasSubstr("no other operator"));
    EXPECT_FALSE(session.run("input.next"));
    choice.variant = "subgroup";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(ops_taken(session).size(), 3U);
    choice.shape.op = catalogue::Op::product;
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.problem);
    EXPECT_EQ(session.view<StepView>().table.problem->what_happened,
              "subgroup cannot reduce by product");
}

TEST_F(SessionTest, ThePaletteFindsOpenKernelsOfTheUsersOwn) {
    Session session(options(), {});
    session.start();
    write_file(folder_.path() / "mysum.cl",
               "kernel void f(global int* x) { x[get_global_id(0)] += 1; }\n");
    open_kernel(session, folder_.path() / "mysum.cl");
    const auto found = find(session, "mysum", session.words());
    ASSERT_FALSE(found.empty());
    ASSERT_NE(found.front().opened, nullptr);
    EXPECT_EQ(opened_name(*found.front().opened), "mysum.cl");
}

TEST_F(SessionTest, WhyNothingIsExportedIsSaid) {
    Session session(options(), {});
    session.start();
    settle(session);
    for (const auto& [view, words] :
         std::map<const char*, const char*>{{"learn", "lesson"}, {"measure", "timed"}}) {
        session.set_view(view);
        EXPECT_FALSE(session.run("export"));
        ASSERT_FALSE(session.notices.toasts().empty()) << view;
        EXPECT_THAT(session.notices.toasts().back().words, HasSubstr(words));
    }
}

// Whatever the device did: the picture is one run, and what is said of the device is of that run.
TEST_F(SessionTest, TheBrokenFormGoesWrongAtOnceAndSaysWhetherTheDeviceDid) {
    Session session(options(), {});
    session.start();
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.answer->right);
    session.view<StepView>().toggle_broken();
    settle(session);
    const analysis::StepTable& shown = *session.view<StepView>().table.answer;
    EXPECT_FALSE(shown.right);
    EXPECT_EQ(shown.result, session.view<StepView>().simulated.run->table.result);
    EXPECT_EQ(
        shown.rows.back().stale.size() + shown.rows[1].stale.size() + shown.rows[2].stale.size() >
            0,
        true);
    ASSERT_TRUE(session.view<StepView>().witness.answer);
    const analysis::DeviceComparison& witness = *session.view<StepView>().witness.answer;
    if (session.devices.answer->devices.empty()) {
        EXPECT_EQ(witness.verdict, analysis::DeviceComparison::Verdict::absent);
        EXPECT_EQ(witness.origin, analysis::DeviceComparison::Origin::goes_wrong);
    } else if (witness.right) {
        EXPECT_EQ(witness.verdict, analysis::DeviceComparison::Verdict::lucky);
        EXPECT_EQ(shown.machine->order, analysis::kGoesWrong);
    } else {
        EXPECT_EQ(witness.verdict, analysis::DeviceComparison::Verdict::same);
        EXPECT_EQ(witness.origin, analysis::DeviceComparison::Origin::device);
        EXPECT_EQ(witness.result, shown.result);
    }
}

TEST_F(SessionTest, AnotherScheduleThanTheDevicesIsSaidAndOneKeyShowsThat) {
    Session session(options(), {});
    session.start();
    settle(session);
    choose_broken(session, "round-robin");
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
    ASSERT_TRUE(session.view<StepView>().witness.answer);
    if (session.devices.answer->devices.empty()) return;
    if (session.view<StepView>().witness.answer->result == "41") return;  // it was lucky
    EXPECT_EQ(session.view<StepView>().witness.answer->verdict,
              analysis::DeviceComparison::Verdict::explained);
    EXPECT_TRUE(session.run("order.device"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().table.answer->right);
}

TEST_F(SessionTest, TurnsThatWereChosenByHandGoWithTheKernelTheyWereChosenFor) {
    Session session(options(), {});
    session.start();
    settle(session);
    RunChoice choice = session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set = {{"BARRIER", "group"}};
    session.choose(choice);
    choice.machine.order = "turns:0.0*12";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(session.view<StepView>().table.answer->result, "27");
    choose_kernel(session, "local-tree");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);
    EXPECT_FALSE(session.view<StepView>().table.problem);
    EXPECT_TRUE(session.view<StepView>().table.answer->right);
    ASSERT_FALSE(session.notices.toasts().empty());
    EXPECT_EQ(session.notices.toasts().back().words, session.words()("toast.turns_dropped"));
}

TEST_F(SessionTest, AfterAnErrorThereIsNoPictureOfAnotherKernel) {
    Session session(options(), {});
    session.start();
    settle(session);
    RunChoice choice = session.settings().choice;
    choice.variant = "local-tree";
    choice.shape.group = 4;
    choice.shape.set = {{"ITEMS", "3"}};  // there is no such value
    session.choose(choice);
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.problem);
    EXPECT_FALSE(session.view<StepView>().table.answer);
    EXPECT_EQ(session.view<StepView>().simulated.run, nullptr);
    choice.shape.set.clear();
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.answer);
    choice.shape.set = {{"ITEMS", "3"}};
    session.choose(choice);
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.problem);
    EXPECT_EQ(session.view<StepView>().table.answer->variant,
              "local-tree");  // its own last good one
}

TEST_F(SessionTest, AFaultOfTheKernelKeepsTheRowsBeforeIt) {
    Session session(options(), {});
    RunChoice choice;
    choice.variant = "sync-leaders";  // its groups wait for each other, and not all are there
    choice.shape.group = 4;
    choice.shape.n = 16;
    choice.machine.resident = 2;
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().table.answer)
        << session.view<StepView>().table.problem->text();
    EXPECT_FALSE(session.view<StepView>().table.answer->fault.empty());
    EXPECT_FALSE(session.view<StepView>().table.answer->rows.empty());
}

TEST_F(SessionTest, LanesGroupsAndSchedulesGoRound) {
    Session session(options(), {});
    std::set<std::uint32_t> lanes, groups;
    std::set<std::string> orders;
    for (int i = 0; i < 12; ++i) {
        session.run("lanes.next");
        session.run("resident.next");
        session.run("order.next");
        lanes.insert(session.settings().choice.machine.lanes);
        groups.insert(session.settings().choice.machine.resident);
        orders.insert(session.settings().choice.machine.order);
    }
    EXPECT_EQ(lanes, (std::set<std::uint32_t>{1, 2, 4, 8, 32, 64}));
    EXPECT_EQ(groups, (std::set<std::uint32_t>{0, 1, 2, 4, 8}));
    EXPECT_TRUE(orders.contains("in-order") && orders.contains("random:9"));
}

TEST_F(SessionTest, ManyChangesEndInTheLastOne) {
    Session session(options(), {});
    session.start();
    for (int i = 0; i < 20; ++i)
        session.run("n.more");
    settle(session);
    EXPECT_EQ(session.view<StepView>().table.answer->n, 1024U);
}

TEST_F(SessionTest, EveryCommandCanBeRunAtAnyTime) {
    Settings settings;
    settings.measure.sizes = "2^10";
    settings.measure.repeat = 1;
    Session session(options(), settings);
    session.start();
    for (int round = 0; round < 2; ++round)
        for (const Command& command : session.commands().all()) {
            session.run(command);
            session.poll();
        }
    settle(session);
}

TEST_F(SessionTest, AVariantThatCannotHaveTheGroupHasItsOwn) {
    Session session(options(), {});
    session.start();
    settle(session);
    EXPECT_EQ(session.settings().choice.shape.group, 4U);
    RunChoice choice = session.settings().choice;
    choice.variant = "ladder-5-unrolled";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(session.settings().choice.shape.group, 256U);
    EXPECT_FALSE(session.view<StepView>().table.problem.has_value());
}

// What was typed lives until another kernel is chosen, or Reset.
TEST_F(SessionTest, AKernelOfTheCatalogueComesWithItsOwnExample) {
    Session session(options(), {});
    session.start();
    settle(session);
    const RunChoice example = session.settings().choice;
    choose_kernel(session, "ladder-5-unrolled");
    settle(session);
    EXPECT_EQ(session.settings().choice.shape.group, 64U);
    choose_kernel(session, "relaunch");
    settle(session);
    EXPECT_EQ(session.settings().choice, example);

    RunChoice typed = example;
    typed.shape.n = 32;
    typed.shape.group = 2;
    typed.shape.input = catalogue::parse_input("ramp");
    typed.shape.op = catalogue::Op::max;
    typed.machine.lanes = 1;
    session.choose(typed);
    settle(session);
    session.walk().go_to(2);
    session.run("reset");
    settle(session);
    EXPECT_EQ(session.settings().choice, example);
    EXPECT_EQ(session.walk().position(), 0U);
    session.undo();
    EXPECT_EQ(session.settings().choice, typed);

    typed.shape.op = catalogue::Op::min;
    session.choose(typed);
    choose_kernel(session, "local-tree");
    settle(session);
    EXPECT_EQ(session.settings().choice.shape.group, 4U);
    EXPECT_EQ(session.settings().choice.shape.n, 32U);
    EXPECT_EQ(session.settings().choice.shape.op, catalogue::Op::min);  // it is not the kernel's
}

TEST_F(SessionTest, AnExampleHasTwoGroupsWhereGroupsMatterAndTheLadderOneNumber) {
    Session session(options(), {});
    const std::set<std::string> of_one_group{"block-interleaved", "block-sequential", "block-local",
                                             "chunk-tree", "ladder-5-unrolled"};
    for (const catalogue::Kernel& kernel : session.catalogue().variants) {
        const catalogue::Shape shape = example_of(session, kernel.id);
        const std::uint64_t n = shape.n.value_or(8);
        const catalogue::Job job =
            plan_job(kernel, shape, n, analysis::target_of({session.settings().choice.machine}));
        const NDRange& range = job.launches.front().range;
        EXPECT_EQ(range.global[0] > range.local[0], !of_one_group.contains(kernel.id)) << kernel.id;
        if (kernel.id.starts_with("ladder-")) {
            EXPECT_EQ(n, 8U) << kernel.id;
        }
    }
}

TEST_F(SessionTest, ANewUserBeginsBeforeTheFirstStepAndLaterWhereTheyWere) {
    Session session(options(), {});
    session.view<StepView>().begin_at = session.settings().step;
    session.start();
    settle(session);
    EXPECT_EQ(session.walk().position(), 0U);
    session.walk().go_to(2);
    session.set_step(session.view<StepView>().cursor);
    Session again(options(), session.settings());
    again.view<StepView>().begin_at = again.settings().step;
    again.start();
    settle(again);
    EXPECT_EQ(again.walk().position(), 2U);
}

// The picture needs none; what the device would have to say is missing, and the log says why.
TEST_F(SessionTest, WithoutAWorkerThePictureStandsAndTheProblemIsInView) {
    Session session(options("/nowhere/reduction-lab-cli"), {});
    session.start();
    settle(session);
    EXPECT_TRUE(session.view<StepView>().table.answer.has_value());
    ASSERT_TRUE(session.view<StepView>().witness.answer);
    EXPECT_EQ(session.view<StepView>().witness.answer->verdict,
              analysis::DeviceComparison::Verdict::absent);
    EXPECT_FALSE(session.view<StepView>().witness.answer->why.empty());
    EXPECT_TRUE(session.devices.problem.has_value());
}

}  // namespace

// What is kept from one start to the next, and the words of commands, menus and variants.
namespace {

TEST_F(SessionTest, SettingsOfAnotherVersionKeepWhatTheyTell) {
    const auto read =
        nlohmann::json::parse(R"({"theme": "dark", "source": "moon", "machine": {"lanes": 8}})")
            .get<Settings>();
    EXPECT_EQ(read.theme, "dark");
    EXPECT_EQ(read.choice.machine.lanes, 8U);
    EXPECT_EQ(read.choice.machine.order, kAutomatic);
    // As 0.1 wrote it: the device's states were shown, and the order was the machine's.
    const auto of_device =
        nlohmann::json::parse(R"({"source": "device", "machine": {"order": "in-order"}})")
            .get<Settings>();
    EXPECT_EQ(of_device.choice.machine.order, kAutomatic);
    const auto of_machine =
        nlohmann::json::parse(R"({"source": "machine", "machine": {"order": "in-order"}})")
            .get<Settings>();
    EXPECT_EQ(of_machine.choice.machine.order, "in-order");
}

TEST_F(SessionTest, SettingsSurvive) {
    {
        Session session(options(), {});
        session.set_language("ru");
        session.set_theme("dark");
        session.set_scale(1.5F);
        RunChoice choice = session.settings().choice;
        choice.shape.group = 2;
        choice.shape.set["ITEMS"] = "2";
        session.choose(choice);
        MeasureChoice measure = session.settings().measure;
        measure.shown = "error";
        session.view<MeasureView>().set(measure);
        session.save_settings();
    }
    std::optional<Problem> problem;
    const Settings again = load_settings(problem);
    EXPECT_FALSE(problem.has_value());
    EXPECT_EQ(again.language, "ru");
    EXPECT_EQ(again.theme, "dark");
    EXPECT_EQ(again.measure.shown, "error");
    EXPECT_FLOAT_EQ(again.scale, 1.5F);
    EXPECT_EQ(again.choice.shape.group, 2U);
    EXPECT_EQ(again.choice.shape.set.at("ITEMS"), "2");
}

TEST_F(SessionTest, DamagedSettingsAreKeptBeside) {
    for (const char* damaged : {"{\"theme\": ", "[1, 2]", "{\"scale\": \"large\"}",
                                "{\"shape\": {\"op\": \"plus\"}}", "\xff\xfe"}) {
        fs::create_directories(settings_file().parent_path());
        std::ofstream(settings_file()) << damaged;
        std::optional<Problem> problem;
        const Settings standard = load_settings(problem);
        EXPECT_TRUE(problem.has_value()) << damaged;
        EXPECT_EQ(standard.theme, "light");
        EXPECT_EQ(read_file(settings_file().string() + ".damaged"), damaged);
    }
}

TEST_F(SessionTest, AForeignThemeOrLanguageInTheSettingsDoesNoHarm) {
    fs::create_directories(settings_file().parent_path());
    std::ofstream(settings_file()) << R"({"theme": "pink", "language": "xx", "view": "moon"})";
    std::optional<Problem> problem;
    const Session session(options(), load_settings(problem), problem);
    EXPECT_EQ(session.settings().theme, "light");
    EXPECT_EQ(session.settings().language, "en");
    EXPECT_EQ(session.settings().view, "step");
    EXPECT_TRUE(session.shows<StepView>());
}

TEST_F(SessionTest, SettingsWithTheViewOfTheDevicesBeginWithTheFirstView) {
    fs::create_directories(settings_file().parent_path());
    std::ofstream(settings_file()) << R"({"theme": "dark", "view": "devices"})";
    std::optional<Problem> problem;
    const Session session(options(), load_settings(problem), problem);
    EXPECT_FALSE(problem);
    EXPECT_EQ(session.settings().theme, "dark");
    EXPECT_TRUE(session.shows<StepView>());
    EXPECT_EQ(session.overlay, "");
}

TEST_F(SessionTest, CommandsHaveWordsInEveryLanguageAndKeysOfTheirOwn) {
    std::set<std::string> ids;
    std::set<std::string> keys;
    const CommandTable table(kAllViews);
    for (const Command& command : table.all()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_TRUE(keys.insert(command.key).second) << command.key;
        for (const char* language : kLanguages) {
            const Translations& words = translations_in(language);
            const std::string key = std::string("command.") + command.id;
            EXPECT_TRUE(words.texts().contains(key)) << language << " " << key;
            EXPECT_TRUE(words.texts().contains(key + ".tip")) << language << " " << key;
        }
    }
}

TEST_F(SessionTest, MenusHaveNamesInEveryLanguage) {
    const CommandTable table(kAllViews);
    for (const CommandGroup& group : table.groups()) {
        EXPECT_FALSE(group.commands.empty()) << group.id;
        for (const char* language : kLanguages)
            EXPECT_TRUE(
                translations_in(language).texts().contains(std::string("menu.") + group.id));
    }
}

TEST_F(SessionTest, VariantsAndChaptersHaveWordsInEveryLanguage) {
    for (const catalogue::Kernel& variant : catalogue::load_catalogue().variants)
        for (const char* language : kLanguages) {
            const Translations& words = translations_in(language);
            for (const std::string& key :
                 {"variant." + variant.id + ".title", "variant." + variant.id + ".teaches",
                  "chapter." + variant.chapter})
                EXPECT_TRUE(words.texts().contains(key)) << language << " " << key;
            if (words.language() == "en") {
                EXPECT_EQ(words("variant." + variant.id + ".title"), variant.title);
                EXPECT_EQ(words("variant." + variant.id + ".teaches"), variant.teaches);
            }
            if (variant.gain.after.empty()) continue;
            const std::string why = "variant." + variant.id + ".why";
            EXPECT_TRUE(words.texts().contains(why)) << language << " " << why;
            if (words.language() == "en") {
                EXPECT_EQ(words(why), variant.gain.why);
            }
        }
}

}  // namespace

// What takes a worker long: measurements and searches, cancelled, and a worker that is killed.
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
    ASSERT_TRUE(wait(session, [&] { return session.view<RaceView>().states > 0; }));
    EXPECT_TRUE(session.run("cancel"));
    EXPECT_FALSE(session.view<RaceView>().now.outcomes.waiting);
    EXPECT_TRUE(session.view<RaceView>().now.outcomes.problem);
    EXPECT_TRUE(session.view<RaceView>().race());
    EXPECT_TRUE(session.run("devices.ask"));
    EXPECT_TRUE(session.view<RaceView>().now.outcomes.waiting);
    EXPECT_FALSE(session.view<RaceView>().now.outcomes.problem);
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
    settings.measure.sizes = "2^10,2^24";
    settings.measure.repeat = 200;
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
    EXPECT_EQ(session.view<StepView>().table.answer->result, "41");
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
