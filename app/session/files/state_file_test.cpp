#include "session/files/state_file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "session/files/open_file.h"
#include "session/race/race_view.h"
#include "session/shell/commands.h"
#include "session/step/step_view.h"
#include "support/all_views.h"
#include "support/example_session.h"

namespace lab::session {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Another value than the standard one in every field, so that one that is lost shows.
Settings unlike_the_standard() {
    Settings settings;
    settings.language = "ru";
    settings.theme = "dark";
    settings.view = "measure";
    settings.scale = 1.5F;
    settings.width = 1000;
    settings.height = 700;
    settings.choice.variant = "span-modulo";
    settings.choice.shape.n = 16;
    settings.choice.shape.group = 8;
    settings.choice.shape.op = catalogue::Op::max;
    settings.choice.shape.type = catalogue::Type::float_;
    settings.choice.shape.input = catalogue::parse_input("random:7");
    settings.choice.shape.set = {{"BARRIER", "none"}};
    settings.choice.shape.device = "0:0";
    settings.choice.user_kernel =
        simulation::UserKernel{"my.cl", "kernel void f() {}", "f", {"A=1"}, 4, 2, {}, {"inc"}};
    settings.choice.machine = {8, 1, "random:3"};
    settings.measure.variants = {"tile", "two-stage"};
    settings.measure.sizes = "2^12";
    settings.measure.groups = "64,128";
    settings.measure.shape.op = catalogue::Op::min;
    settings.measure.shape.type = catalogue::Type::int_;
    settings.measure.shape.input = catalogue::parse_input("ramp");
    settings.measure.repeat = 0;
    settings.measure.precision = 0.02;
    settings.measure.limit_s = 3;
    settings.measure.warm = true;
    settings.measure.shapes = results::LaunchShapes::table;
    settings.measure.shown = "time";
    settings.lattice.n = 4096;
    settings.lattice.group = 64;
    settings.lattice.input = catalogue::parse_input("ramp");
    settings.hints_done = {"step"};
    settings.exports["step"] = {"/tmp", "a", ".pdf"};
    settings.folder = "/tmp";
    settings.solved = {"two-stage"};
    settings.step = 2;
    settings.page = "https://school.example/lab/";
    return settings;
}

fs::path only_file(const fs::path& folder) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        EXPECT_TRUE(found.empty());
        found = entry.path();
    }
    return found;
}

TEST(StateFile, KeepsEveryFieldThatAPersonChose) {
    const Settings saved = unlike_the_standard();
    // Should this fail, a new field of the settings has its standard value above.
    const json other = saved;
    const json standard = Settings();
    for (const auto& [key, value] : standard.items()) {
        if (key == "schema") continue;
        EXPECT_NE(value, other.at(key)) << key;
    }
    for (const auto& [key, value] : standard.at("measure").items())
        EXPECT_NE(value, other.at("measure").at(key)) << key;

    ExampleSession teacher(saved);
    ASSERT_TRUE(teacher.session.run("save"));
    const fs::path file = only_file(teacher.documents());
    EXPECT_EQ(file.extension(), ".redlab");
    EXPECT_THAT(file.filename().string(), testing::StartsWith("span-modulo "));
    EXPECT_THAT(teacher.copied, testing::ElementsAre(file.string()));
    EXPECT_THAT(teacher.session.notices().toasts().back().words,
                HasSubstr(file.filename().string()));

    ExampleSession student;
    const Settings before = student.session.settings();
    ASSERT_TRUE(open_file(student.session, file));
    Settings expected = with_looks_of(saved, before);
    expected.view = saved.view;
    expected.folder = file.parent_path().string();
    EXPECT_EQ(json(student.session.settings()), json(expected));
    // One step of undo.
    student.session.undo();
    Settings back = with_habits_of(before, student.session.settings());
    EXPECT_EQ(json(student.session.settings()), json(back));
    EXPECT_FALSE(student.session.can_undo());
}

TEST(StateFile, KeepsWhereOneIs) {
    ExampleSession teacher;
    teacher.session.start();
    ASSERT_TRUE(teacher.settle());
    teacher.session.view<StepView>().set_cursor(1);
    teacher.session.view<StepView>().set_speed(4);
    save_state(teacher.session);
    const fs::path file = only_file(teacher.documents());
    // At the start of the program, and while another kernel is shown.
    for (const bool at_start : {true, false}) {
        Settings other;
        if (!at_start) other.choice.variant = "span-modulo";
        ExampleSession student(other);
        if (!at_start) {
            student.session.start();
            ASSERT_TRUE(student.settle());
        }
        ASSERT_TRUE(open_file(student.session, file));
        if (at_start) student.session.start();
        ASSERT_TRUE(student.settle());
        EXPECT_EQ(student.session.settings().choice.variant, "relaunch");
        EXPECT_EQ(student.session.view<StepView>().cursor(), 1U);
        EXPECT_EQ(student.session.view<StepView>().passes_per_second(), 4);
    }
}

TEST(StateFile, KeepsWhetherTrialsAreRunWithDelays) {
    Settings settings;
    settings.view = "race";
    ExampleSession teacher(settings);
    teacher.session.start();
    ASSERT_TRUE(teacher.settle());
    ASSERT_TRUE(teacher.session.run("race.delays"));
    save_state(teacher.session);
    const fs::path with = only_file(teacher.documents());
    ExampleSession student;
    ASSERT_TRUE(open_file(student.session, with));
    student.session.start();
    ASSERT_TRUE(student.settle());
    EXPECT_TRUE(student.session.view<RaceView>().delays());
    // A file of before has none.
    json old = json::parse(read_file(with));
    old.at("parts").at("race").erase("delays");
    write_file(with, old.dump());
    ASSERT_TRUE(open_file(student.session, with));
    ASSERT_TRUE(student.settle());
    EXPECT_FALSE(student.session.view<RaceView>().delays());
}

TEST(StateFile, TwoOfOneMinuteHaveNamesOfTheirOwn) {
    ExampleSession example;
    save_state(example.session);
    save_state(example.session);
    ASSERT_EQ(example.copied.size(), 2U);
    EXPECT_NE(example.copied[0], example.copied[1]);
    EXPECT_TRUE(fs::exists(example.copied[0]));
    EXPECT_TRUE(fs::exists(example.copied[1]));
}

TEST(StateFile, ThatCannotBeReadIsAProblemAndChangesNothing) {
    ExampleSession example;
    json whole = saved_json(example.session);
    const auto with = [&](const char* pointer, const json& value) {
        json changed = whole;
        changed[json::json_pointer(pointer)] = value;
        return changed.dump();
    };
    json no_settings = whole;
    no_settings.erase("settings");
    const std::vector<std::string> bad{"",
                                       "{",
                                       "[1, 2]",
                                       "\xff\xfe",
                                       "{\"schema\": 1}",
                                       whole.dump().substr(0, 200),
                                       no_settings.dump(),
                                       with("/schema", "another"),
                                       with("/version", 2),
                                       with("/version", "one"),
                                       with("/settings/view", "moon"),
                                       with("/settings/source", "moon"),
                                       with("/settings/shape/group", "large"),
                                       with("/settings/shape/op", "plus"),
                                       with("/settings/measure", 3),
                                       with("/parts/step/cursor", -1.5e300),
                                       with("/parts/step/cursor", "last"),
                                       with("/parts/step", 4)};
    const json before = example.session.settings();
    const fs::path file = example.documents() / "bad.redlab";
    for (const std::string& text : bad) {
        std::ofstream(file) << text;
        EXPECT_FALSE(open_file(example.session, file)) << text;
        EXPECT_EQ(json(example.session.settings()), before) << text;
        EXPECT_FALSE(example.session.can_undo()) << text;
        const auto& log = example.session.notices().log();
        ASSERT_FALSE(log.empty()) << text;
        EXPECT_EQ(log.back().where, "file");
        EXPECT_EQ(log.back().problem.where, file.string()) << text;
        EXPECT_FALSE(log.back().problem.hint.empty()) << text;
        EXPECT_FALSE(example.session.notices().problems().empty());
    }
}

// Until version 0.1 the devices were a view.
TEST(StateFile, OfTheDevicesOpensTheirPanel) {
    ExampleSession example;
    json whole = saved_json(example.session);
    whole["settings"]["view"] = "devices";
    whole["settings"]["variant"] = "span-modulo";
    const fs::path file = example.documents() / "old.redlab";
    std::ofstream(file) << whole.dump();
    EXPECT_TRUE(open_file(example.session, file));
    EXPECT_EQ(example.session.settings().choice.variant, "span-modulo");
    EXPECT_EQ(example.session.settings().view, "step");
    EXPECT_EQ(example.session.overlay(), "devices");
}

TEST(StateFile, WithoutAPartLeavesThePartAsItIs) {
    ExampleSession example;
    json whole = saved_json(example.session);
    std::size_t parts = 0;
    for (const ViewType* view : kAllViews) {
        EXPECT_EQ(view->save == nullptr, view->read == nullptr) << view->id;
        if (view->read == nullptr) continue;
        ++parts;
        ASSERT_TRUE(whole["parts"].contains(view->id)) << view->id;
        EXPECT_NO_THROW(view->read(whole["parts"][view->id])) << view->id;
    }
    EXPECT_EQ(parts, whole["parts"].size());
    whole.erase("parts");
    const fs::path file = example.documents() / "a.redlab";
    std::ofstream(file) << whole.dump();
    example.session.view<StepView>().set_speed(4);
    EXPECT_TRUE(open_file(example.session, file));
    EXPECT_EQ(example.session.view<StepView>().passes_per_second(), 4);
}

}  // namespace
}  // namespace lab::session
