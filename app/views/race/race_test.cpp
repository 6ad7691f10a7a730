#include <gtest/gtest.h>

#include "analysis/machine_run.h"
#include "session/background.h"
#include "support/shipped_kernels.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using catalogue::shipped;

// Document A's case: eight numbers, two groups of four, a barrier inside each group.
RunChoice story(const std::string& variant = "span-modulo") {
    RunChoice choice;
    choice.variant = variant;
    choice.shape.group = 4;
    choice.shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    if (variant == "span-modulo") choice.shape.set["BARRIER"] = "group";
    choice.machine.order = "in-order";
    return choice;
}

Race race_of(const RunChoice& choice) {
    return Race(spec_of(choice, shipped()));
}

TEST(Race, FollowsItsOrderWhereNobodyChooses) {
    Race race = race_of(story());
    EXPECT_EQ(race.cursor(), 0U);
    ASSERT_TRUE(race.ending().has_value());
    EXPECT_EQ(race.ending()->result, "27");
    EXPECT_EQ(race.ending()->right, false);
    EXPECT_EQ(race.expected(), "41");
    race.go_to(race.length());
    EXPECT_TRUE(race.at_end());
    EXPECT_EQ(race.state_view().arrays.at(0).cells.at(0).value, "27");
}

// Group 0 has read 5 where 19 came later: not where 11 came first.
TEST(Race, TellsARaceByTheReadThatWentWrong) {
    const Race race = race_of(story());
    ASSERT_FALSE(race.timeline().stale.empty());
    ASSERT_FALSE(race.hazards().empty());
    const analysis::Hazard& hazard = race.hazards().front();
    ASSERT_EQ(hazard.sides.size(), 2U);
    const auto side = [&](const std::string& does) {
        return *std::find_if(hazard.sides.begin(), hazard.sides.end(),
                             [&](const analysis::HazardSide& each) { return each.does == does; });
    };
    EXPECT_EQ(side("reads").value, "5");
    EXPECT_EQ(side("writes").value, "19");
    EXPECT_EQ(side("writes").pass, 2U);
}

TEST(Race, KnowsADeadlockFromOtherEnds) {
    RunChoice choice;
    choice.user_kernel.emplace();
    choice.user_kernel->file = "wait.cl";
    choice.user_kernel->kernel = "f";
    choice.user_kernel->global = 2;
    choice.user_kernel->local = 1;
    choice.user_kernel->arguments = {"flag:int[2]=0"};
    choice.user_kernel->text =
        "kernel void f(volatile global int* flag) {\n"
        "    if (get_group_id(0) == 0)\n"
        "        while (flag[1] == 0) ;\n"
        "    else\n"
        "        flag[1] = 1;\n"
        "}\n";
    choice.machine.resident = 1;
    choice.machine.order = "in-order";
    const Race waits = race_of(choice);
    ASSERT_TRUE(waits.fault());
    EXPECT_TRUE(waits.never_ends());
    // The words of the fault are no part of it.
    choice.user_kernel->text =
        "kernel void f(global int* flag) {\n"
        "    flag[get_global_id(0) + 7] = 1;  // has not ended\n"
        "}\n";
    const Race outside = race_of(choice);
    ASSERT_TRUE(outside.fault());
    EXPECT_FALSE(outside.never_ends());
    choice.machine.resident = 0;
    choice.user_kernel->text = "kernel void f(global int* flag) { flag[get_global_id(0)] = 1; }\n";
    EXPECT_FALSE(race_of(choice).never_ends());
}

TEST(Race, IsLedToEachOfTheThreeResults) {
    for (const auto& [first, result] :
         {std::pair<int, const char*>{0, "27"}, {3, "33"}, {7, "41"}}) {
        Race race = race_of(story());
        for (int i = 0; i < first; ++i)
            ASSERT_TRUE(race.act(1, 0)) << i;
        EXPECT_EQ(race.cursor(), static_cast<std::uint64_t>(first));
        ASSERT_TRUE(race.ending().has_value());
        EXPECT_EQ(race.ending()->result, result);
    }
}

TEST(Race, TurnsAreTakenBackWithoutLimitAndTakenAgain) {
    Race race = race_of(story());
    const std::uint64_t length = race.length();
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(race.act(i % 2 == 0 ? 1 : 0, 0));
    const std::string turns = in_a_line(race.turns());
    while (race.cursor() > 0)
        race.go_to(race.cursor() - 1);
    EXPECT_EQ(race.state_view().arrays.at(0).cells.at(0).value, "7");
    race.go_to(5);
    EXPECT_EQ(in_a_line(race.turns()), turns);
    // Another choice takes the place of what was to come.
    race.go_to(1);
    EXPECT_TRUE(race.act(1, 0));
    EXPECT_EQ(in_a_line(race.turns()), "1.0*2");
    EXPECT_EQ(race.length(), length);
}

TEST(Race, WhoCannotActDoesNot) {
    Race race = race_of(story());
    EXPECT_FALSE(race.act(7, 0));
    EXPECT_FALSE(race.act(0, 1));
    EXPECT_EQ(race.cursor(), 0U);
    race.go_to(race.length());
    EXPECT_TRUE(race.ready().empty());
    EXPECT_FALSE(race.act(0, 0));
}

TEST(Race, OtherTurnsThatDoNotFitLeaveItAsItWas) {
    Race race = race_of(story());
    race.go_to(4);
    EXPECT_THROW(race.replace(machine::parse_turns("5.0", "turns")), Problem);
    EXPECT_EQ(race.cursor(), 4U);
    EXPECT_EQ(race.ending()->result, "27");
    race.replace(machine::parse_turns("1.0*3", "turns"));
    EXPECT_EQ(race.cursor(), 0U);
    EXPECT_EQ(race.ending()->result, "33");
    EXPECT_EQ(in_a_line(race.all_turns()).substr(0, 5), "1.0*3");
}

TEST(Race, EveryRunOfTheMendedKernelIsRight) {
    Race race = race_of(story("relaunch"));
    while (!race.at_end())
        ASSERT_TRUE(race.act(race.ready().back()->group, race.ready().back()->warp));
    EXPECT_EQ(race.ending()->result, "41");
    EXPECT_EQ(races_in(race.hazards()), 0U);
}

TEST(Race, ADeadlockIsAFaultAndNoHang) {
    RunChoice choice = story("sync-leaders");
    choice.shape.input = catalogue::parse_input("ramp");
    choice.shape.n = 16;
    choice.machine.resident = 2;
    const Race race = race_of(choice);
    EXPECT_TRUE(race.fault().has_value() || race.ending()->right == false);
}

TEST(Race, TooManyWorkItemsAreRefused) {
    RunChoice choice = story();
    choice.shape.input = catalogue::parse_input("ramp");
    choice.shape.n = 4096;
    EXPECT_THROW(race_of(choice), Problem);
}

TEST(Race, AScheduleMadeByHandIsSteppedLikeAnyOther) {
    RunChoice choice = story();
    choice.machine.order = "turns:1.0*3";
    const auto run = analysis::run_on_machine(spec_of(choice, shipped()));
    EXPECT_EQ(run->table.result, "33");
    EXPECT_EQ(run->table.machine->order, "turns:1.0*3");
    choice.machine.order = "turns:9.9";
    EXPECT_THROW(analysis::run_on_machine(spec_of(choice, shipped())), Problem);
}

TEST(MachineRun, HasItsWayInPassesLinesAndActions) {
    const auto run = analysis::run_on_machine(spec_of(story(), shipped()));
    ASSERT_EQ(run->row_ends.size(), run->table.rows.size());
    EXPECT_EQ(run->row_ends.front(), 0U);
    EXPECT_EQ(run->row_ends.back(), run->actions());
    EXPECT_TRUE(std::is_sorted(run->row_ends.begin(), run->row_ends.end()));
    EXPECT_EQ(run->line_ends.back(), run->actions());
    EXPECT_LT(run->line_ends.size(), run->actions());
    std::size_t races = 0;
    for (const analysis::Mark& mark : run->marks)
        races += mark.kind == analysis::Mark::Kind::race ? 1U : 0U;
    EXPECT_EQ(races, 1U);
    EXPECT_EQ(races_in(run->hazards), 1U);
}

TEST(Counterpart, LeadsFromAKernelToItsPairAndBack) {
    const RunChoice broken = story();
    EXPECT_TRUE(is_broken(broken, shipped(), 8));
    const RunChoice cure = counterpart(broken, shipped(), 8).value();
    EXPECT_EQ(cure.variant, "relaunch");
    EXPECT_FALSE(is_broken(cure, shipped(), 8));
    const RunChoice again = counterpart(cure, shipped(), 8).value();
    EXPECT_EQ(again.variant, "span-modulo");
    EXPECT_EQ(again.shape.set.at("BARRIER"), "group");
}

TEST(Counterpart, IsThisKernelOrItsPairOrItsTextWithoutABarrier) {
    std::vector<std::string> none;
    for (const catalogue::Kernel& variant : shipped().variants) {
        RunChoice choice = story(variant.id);
        choice.shape.set.clear();
        if (variant.id == "ladder-5-unrolled") choice.shape.group = 64;
        const std::optional<RunChoice> other = counterpart(choice, shipped(), 8);
        if (!variant.pair.empty()) {
            EXPECT_EQ(shipped().find(variant.pair).chapter, variant.chapter) << variant.id;
            EXPECT_TRUE(other) << variant.id;
        }
        if (!other) {
            none.push_back(variant.id);
            continue;
        }
        EXPECT_NE(is_broken(choice, shipped(), 8), is_broken(*other, shipped(), 8)) << variant.id;
        const auto missing = missing_barrier(*other, shipped());
        EXPECT_TRUE(missing ? missing->whole.variant == variant.id && missing->number == 0
                            : other->variant == variant.id || other->variant == variant.pair)
            << variant.id;
    }
    for (const std::string& id : none)  // they have none to leave out
        EXPECT_EQ(shipped().find(id).text.find(" barrier("), std::string::npos) << id;
    EXPECT_LT(none.size(), 4U);
}

// A wait that is given up goes wrong in the whole kernel, too, where others get no turn.
TEST(Counterpart, GoesWrongByWhatItLacksAndNotByAnUnfairSchedule) {
    std::size_t wrong = 0;
    for (const char* id : {"sync-every-item", "sync-leaders", "sync-flags", "grid-barrier"}) {
        RunChoice choice = story(id);
        choice.shape.set.clear();
        if (std::string_view(id) != "grid-barrier") choice.shape.set["ROUNDS"] = "1";
        choice.machine.order = kAutomatic;
        const std::optional<RunChoice> broken = counterpart(choice, shipped(), 8);
        ASSERT_TRUE(broken) << id;
        analysis::RunSpec spec = spec_of(*broken, shipped());
        const analysis::ShownRun shown = analysis::shown_run(spec, true, nullptr);
        spec.machine = shown.options;
        const analysis::Simulation run = analysis::simulate(spec);
        EXPECT_FALSE(run.run->fault()) << id;
        EXPECT_EQ(run.run->machine().value(run.run->end(), run.job().stuck.value(), 0), 0U) << id;
        ASSERT_TRUE(run.outcome) << id;
        const bool found = shown.witness.origin == analysis::DeviceComparison::Origin::goes_wrong;
        EXPECT_EQ(run.outcome->verdict.right, !found) << id;
        wrong += found ? 1 : 0;
    }
    EXPECT_GT(wrong, 0U);
}

// What no barrier orders are its groups: in one group it is right.
TEST(Counterpart, OfAKernelThatRacesBetweenGroupsIsItselfInOneGroup) {
    for (const char* id : {"span-scatter", "span-halving"}) {
        RunChoice choice = story(id);
        choice.shape.set = {{"BARRIER", "group"}};
        choice.shape.input = {};
        choice.shape.n = 16;
        EXPECT_TRUE(is_broken(choice, shipped(), 16)) << id;
        const std::optional<RunChoice> cure = counterpart(choice, shipped(), 16);
        ASSERT_TRUE(cure) << id;
        EXPECT_EQ(cure->variant, id);
        EXPECT_EQ(cure->shape.group, 8U) << id;
        EXPECT_FALSE(is_broken(*cure, shipped(), 16)) << id;
    }
}

TEST(Background, TheNewestWorkGivesTheResult) {
    Background<int> background([] {});
    std::atomic<bool> stopped = false;
    background.start([&](const std::atomic<bool>& cancel) {
        while (!cancel)
            std::this_thread::yield();
        stopped = true;
        return 1;
    });
    background.start([](const std::atomic<bool>&) { return 2; });
    std::optional<Background<int>::Result> result;
    while (!(result = background.take()))
        std::this_thread::yield();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(std::get<int>(*result), 2);
    EXPECT_FALSE(background.running());
}

TEST(Background, AProblemIsAResultAndWhatIsCancelledNone) {
    Background<int> background([] {});
    background.start([](const std::atomic<bool>&) -> int { throw Problem("No", "", ""); });
    std::optional<Background<int>::Result> result;
    while (!(result = background.take()))
        std::this_thread::yield();
    EXPECT_EQ(std::get<Problem>(*result).what_happened, "No");
    background.start([](const std::atomic<bool>&) { return 3; });
    background.cancel();
    while (background.running()) {
        EXPECT_FALSE(background.take().has_value());
        std::this_thread::yield();
    }
}

}  // namespace
}  // namespace lab::session
