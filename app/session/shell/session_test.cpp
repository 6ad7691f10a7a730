#include "session/shell/session.h"
#include "session/race/race.h"

#include <gmock/gmock.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/paths.h"
#include "session/devices/devices_view.h"
#include "session/measure/measure_view.h"
#include "session/race/race_view.h"
#include "session/shell/commands.h"
#include "session/step/step_view.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"

namespace lab::session {
namespace {

using testing::HasSubstr;

// A session with the real worker, its settings in a folder of its own.
class SessionTest : public testing::Test {
  protected:
    SessionTest() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    }

    Session::Options options(const std::string& worker = LAB_BIN_DIR "/reduction-lab-cli") {
        return all_views(worker);
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
        EXPECT_TRUE(wait(session, [&] { return !session.busy(); }));
    }

    TemporaryFolder folder_;
};

TEST_F(SessionTest, BeginsWithTheStoryAtItsEnd) {
    Session session(options(), {});
    session.start();
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().answer.has_value());
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "41");
    EXPECT_EQ(session.view<StepView>().cursor(), 3U);
    ASSERT_TRUE(session.view<DevicesView>().devices().answer.has_value());
    EXPECT_FALSE(session.view<DevicesView>().devices().answer->devices.empty());
}

TEST_F(SessionTest, StepsByCommands) {
    Session session(options(), {});
    session.start();
    settle(session);
    EXPECT_FALSE(session.run("step.forward"));  // at the end
    EXPECT_TRUE(session.run("step.back"));
    EXPECT_EQ(session.view<StepView>().cursor(), 2U);
    EXPECT_TRUE(session.run("step.first"));
    EXPECT_FALSE(session.run("step.back"));
    EXPECT_TRUE(session.run("step.last"));
    EXPECT_EQ(session.view<StepView>().cursor(), 3U);
}

TEST_F(SessionTest, PlaysFromTheStartToTheEndAndStops) {
    Session session(options(), {});
    session.start();
    settle(session);
    session.view<StepView>().set_speed(100);
    session.run("step.play");
    EXPECT_TRUE(session.walk().playing());
    EXPECT_EQ(session.view<StepView>().cursor(), 0U);
    EXPECT_TRUE(session.next_move().has_value());
    EXPECT_TRUE(wait(session, [&] { return !session.walk().playing(); }));
    EXPECT_EQ(session.view<StepView>().cursor(), 3U);
    EXPECT_FALSE(session.next_move().has_value());
}

TEST_F(SessionTest, AProblemKeepsTheLastGoodPassesAndUndoBringsThemBack) {
    Session session(options(), {});
    session.start();
    settle(session);
    Choice choice = session.settings().choice;
    choice.shape.input = catalogue::parse_input("1,2,three");
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().problem.has_value());
    EXPECT_THAT(session.view<StepView>().passes().problem->what_happened, HasSubstr("three"));
    ASSERT_TRUE(session.view<StepView>().passes().answer.has_value());
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "41");
    EXPECT_TRUE(session.run("undo"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().passes().problem.has_value());
    EXPECT_TRUE(session.run("redo"));
    settle(session);
    EXPECT_TRUE(session.view<StepView>().passes().problem.has_value());
}

TEST_F(SessionTest, TheMachineShowsWhatAScheduleMakesOfARace) {
    Session session(options(), {});
    session.start();
    settle(session);
    Choice choice = session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set = {{"BARRIER", "group"}};
    choice.machine.order = "in-order";
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().answer);
    EXPECT_EQ(session.view<StepView>().passes().answer->source, "machine");
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "27");
    EXPECT_EQ(session.view<StepView>().passes().answer->passes.back().stale.size(), 1U);
    session.run("order.next");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, "round-robin");
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "41");
    session.run("undo");
    settle(session);
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "27");
    session.run("order.device");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);
    EXPECT_FALSE(session.command("order.device").enabled(session));
    EXPECT_FALSE(session.view<StepView>().passes().answer->right);
}

// Whatever the device did: the picture is one run, and what is said of the device is of that run.
TEST_F(SessionTest, TheBrokenFormGoesWrongAtOnceAndSaysWhetherTheDeviceDid) {
    Session session(options(), {});
    session.start();
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().answer->right);
    session.view<StepView>().toggle_broken();
    settle(session);
    const analysis::Passes& shown = *session.view<StepView>().passes().answer;
    EXPECT_FALSE(shown.right);
    EXPECT_EQ(shown.result, session.view<StepView>().simulated().run->passes.result);
    EXPECT_EQ(shown.passes.back().stale.size() + shown.passes[1].stale.size() +
                      shown.passes[2].stale.size() >
                  0,
              true);
    ASSERT_TRUE(session.view<StepView>().witness().said);
    const analysis::Witness& said = *session.view<StepView>().witness().said;
    if (session.view<DevicesView>().devices().answer->devices.empty()) {
        EXPECT_EQ(said.verdict, analysis::Witness::Verdict::absent);
        EXPECT_EQ(said.origin, analysis::Witness::Origin::goes_wrong);
    } else if (said.right) {
        EXPECT_EQ(said.verdict, analysis::Witness::Verdict::lucky);
        EXPECT_EQ(shown.machine->order, analysis::kGoesWrong);
    } else {
        EXPECT_EQ(said.verdict, analysis::Witness::Verdict::same);
        EXPECT_EQ(said.origin, analysis::Witness::Origin::device);
        EXPECT_EQ(said.result, shown.result);
    }
}

TEST_F(SessionTest, AnotherScheduleThanTheDevicesIsSaidAndOneKeyShowsThat) {
    Session session(options(), {});
    session.start();
    settle(session);
    Choice choice = session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set = {{"BARRIER", "group"}};
    choice.machine.order = "round-robin";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "41");
    ASSERT_TRUE(session.view<StepView>().witness().said);
    if (session.view<DevicesView>().devices().answer->devices.empty()) return;
    if (session.view<StepView>().witness().said->result == "41") return;  // it was lucky
    EXPECT_EQ(session.view<StepView>().witness().said->verdict,
              analysis::Witness::Verdict::explained);
    EXPECT_TRUE(session.run("order.device"));
    settle(session);
    EXPECT_FALSE(session.view<StepView>().passes().answer->right);
}

TEST_F(SessionTest, TurnsThatWereChosenByHandGoWithTheKernelTheyWereChosenFor) {
    Session session(options(), {});
    session.start();
    settle(session);
    Choice choice = session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set = {{"BARRIER", "group"}};
    session.choose(choice);
    choice.machine.order = "turns:0.0*12";
    session.choose(choice);
    settle(session);
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "27");
    session.kernels().choose("local-tree");
    settle(session);
    EXPECT_EQ(session.settings().choice.machine.order, kAutomatic);
    EXPECT_FALSE(session.view<StepView>().passes().problem);
    EXPECT_TRUE(session.view<StepView>().passes().answer->right);
    ASSERT_FALSE(session.notices().toasts().empty());
    EXPECT_EQ(session.notices().toasts().back().words, session.words()("toast.turns_dropped"));
}

TEST_F(SessionTest, AfterAnErrorThereIsNoPictureOfAnotherKernel) {
    Session session(options(), {});
    session.start();
    settle(session);
    Choice choice = session.settings().choice;
    choice.variant = "local-tree";
    choice.shape.group = 4;
    choice.shape.set = {{"ITEMS", "3"}};  // there is no such value
    session.choose(choice);
    settle(session);
    EXPECT_TRUE(session.view<StepView>().passes().problem);
    EXPECT_FALSE(session.view<StepView>().passes().answer);
    EXPECT_EQ(session.view<StepView>().simulated().run, nullptr);
    choice.shape.set.clear();
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().answer);
    choice.shape.set = {{"ITEMS", "3"}};
    session.choose(choice);
    settle(session);
    EXPECT_TRUE(session.view<StepView>().passes().problem);
    EXPECT_EQ(session.view<StepView>().passes().answer->variant,
              "local-tree");  // its own last good one
}

TEST_F(SessionTest, AFaultOfTheKernelKeepsTheRowsBeforeIt) {
    Session session(options(), {});
    Choice choice;
    choice.variant = "sync-leaders";  // its groups wait for each other, and not all are there
    choice.shape.group = 4;
    choice.shape.n = 16;
    choice.machine.resident = 2;
    session.choose(choice);
    settle(session);
    ASSERT_TRUE(session.view<StepView>().passes().answer)
        << session.view<StepView>().passes().problem->text();
    EXPECT_FALSE(session.view<StepView>().passes().answer->fault.empty());
    EXPECT_FALSE(session.view<StepView>().passes().answer->passes.empty());
}

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
    EXPECT_EQ(session.view<StepView>().passes().answer->n, 1024U);
}

TEST_F(SessionTest, EveryCommandCanBeRunAtAnyTime) {
    Session session(options(), {});
    session.start();
    for (int round = 0; round < 2; ++round)
        for (const Command& command : session.commands().all()) {
            session.run(command);
            session.poll();
        }
    settle(session);
}

// One variant, the read ceiling and three loops of the host.
constexpr std::size_t kRowsASize = 5;

TEST_F(SessionTest, AVariantThatCannotHaveTheGroupHasItsOwn) {
    Session session(options(), {});
    session.start();
    settle(session);
    const auto choose = [&](const char* id) {
        Choice choice = session.settings().choice;
        choice.variant = id;
        session.choose(choice);
        settle(session);
        return session.settings().choice.shape.group;
    };
    EXPECT_EQ(session.settings().choice.shape.group, 4U);
    EXPECT_EQ(choose("ladder-5-unrolled"), 256U);
    EXPECT_FALSE(session.view<StepView>().passes().problem.has_value());
    EXPECT_EQ(choose("relaunch"), 4U);  // as before
}

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
    EXPECT_EQ(session.view<MeasureView>().state().done, 3 * kRowsASize);
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
    EXPECT_TRUE(
        wait(session, [&] { return session.view<MeasureView>().state().done >= 2 * kRowsASize; }));
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
    EXPECT_TRUE(
        wait(session, [&] { return session.view<MeasureView>().state().done >= kRowsASize; }));
    ASSERT_FALSE(children().empty());
    for (const pid_t child : children())
        kill(child, SIGKILL);
    settle(session);
    ASSERT_TRUE(session.view<MeasureView>().state().results.problem.has_value());
    EXPECT_THAT(session.view<MeasureView>().state().results.problem->why, HasSubstr("signal 9"));
    EXPECT_GE(session.view<MeasureView>().state().results.answer->rows.size(), kRowsASize);
    session.start();
    settle(session);
    EXPECT_EQ(session.view<StepView>().passes().answer->result, "41");
    MeasureChoice choice = session.settings().measure;
    choice.sizes = "2^10";
    choice.repeat = 1;
    session.view<MeasureView>().set(choice);
    session.run("measure.run");
    settle(session);
    EXPECT_FALSE(session.view<MeasureView>().state().results.problem.has_value());
    EXPECT_EQ(session.view<MeasureView>().state().results.answer->rows.size(), kRowsASize);
}

// The picture needs none; what the device would have to say is missing, and the log says why.
TEST_F(SessionTest, WithoutAWorkerThePictureStandsAndTheProblemIsInView) {
    Session session(options("/nowhere/reduction-lab-cli"), {});
    session.start();
    settle(session);
    EXPECT_TRUE(session.view<StepView>().passes().answer.has_value());
    ASSERT_TRUE(session.view<StepView>().witness().said);
    EXPECT_EQ(session.view<StepView>().witness().said->verdict, analysis::Witness::Verdict::absent);
    EXPECT_FALSE(session.view<StepView>().witness().said->why.empty());
    EXPECT_TRUE(session.view<DevicesView>().devices().problem.has_value());
}

TEST_F(SessionTest, SettingsSurvive) {
    {
        Session session(options(), {});
        session.set_language("ru");
        session.set_theme("dark");
        session.set_scale(1.5F);
        Choice choice = session.settings().choice;
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

TEST_F(SessionTest, CommandsHaveWordsInEveryLanguageAndKeysOfTheirOwn) {
    std::set<std::string> ids;
    std::set<std::string> keys;
    const CommandTable table(kAllViews);
    for (const Command& command : table.all()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_TRUE(keys.insert(command.key).second) << command.key;
        for (const char* language : kLanguages) {
            const Translations words(language);
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
            EXPECT_TRUE(Translations(language).texts().contains(std::string("menu.") + group.id));
    }
}

TEST_F(SessionTest, VariantsAndChaptersHaveWordsInEveryLanguage) {
    for (const catalogue::Variant& variant : catalogue::load_catalogue().variants)
        for (const char* language : kLanguages) {
            const Translations words(language);
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
}  // namespace lab::session
