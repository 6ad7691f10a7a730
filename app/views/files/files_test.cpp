// Files without a window: moments, links, exports, and what is opened.
#include "views/files/files.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "lessons/lesson.h"
#include "results/result.h"
#include "session/view.h"
#include "support/all_views.h"
#include "support/example_session.h"
#include "views/measure/measure.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

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
        catalogue::LaunchForm{"my.cl", "kernel void f() {}", "f", {"A=1"}, 4, 2, {}, {"inc"}};
    settings.choice.machine = {{8, 1}, "random:3"};
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
    settings.terms = "cuda";
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
    EXPECT_THAT(teacher.session.notices.toasts().back().words, HasSubstr(file.filename().string()));

    ExampleSession student;
    const Settings before = student.session.settings();
    ASSERT_TRUE(open_file(student.session, file));
    Settings expected = keep_appearance(saved, before);
    expected.view = saved.view;
    expected.folder = file.parent_path().string();
    EXPECT_EQ(json(student.session.settings()), json(expected));
    // One step of undo.
    student.session.undo();
    Settings back = keep_preferences(before, student.session.settings());
    EXPECT_EQ(json(student.session.settings()), json(back));
    EXPECT_FALSE(student.session.can_undo());
}

// What keeps a run goes through machine_options(), so a new entry is enough for an option more.
TEST(StateFile, AndAllElseThatKeepsARunKeepsEveryOptionOfTheMachine) {
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        for (const std::uint32_t value : {3U, option.zero_is_all ? 0U : option.most}) {
            SCOPED_TRACE(std::string(option.id) + " " + option.text_of(value));
            Settings settings;
            catalogue::MachineShape& shape = settings.choice.machine.shape();
            shape.*option.field = value;
            EXPECT_EQ(json(settings).get<Settings>().choice, settings.choice);
            EXPECT_FALSE(same_but_order(settings.choice, Settings().choice));
            EXPECT_NE(analysis::text_of(shape), analysis::text_of(catalogue::MachineShape()));

            ExampleSession teacher(settings);
            ASSERT_TRUE(teacher.session.run("save"));
            ExampleSession student;
            ASSERT_TRUE(open_file(student.session, only_file(teacher.documents())));
            EXPECT_EQ(student.session.settings().choice.machine, settings.choice.machine);

            lessons::Show show, read;
            show.machine.shape() = shape;
            EXPECT_THAT(lessons::show_text(show), HasSubstr("\n" + std::string(option.id) + ": " +
                                                            option.text_of(value) + "\n"));
            lessons::set_key(read, option.id, option.text_of(value));
            EXPECT_EQ(read.machine, show.machine);

            CLI::App app;
            catalogue::MachineShapeOptions options;
            options.add_to(app);
            app.parse("--" + std::string(option.id) + " " + option.text_of(value));
            catalogue::MachineShape typed;
            options.apply_to(typed);
            EXPECT_EQ(typed, shape);
        }
}

TEST(StateFile, KeepsWhereOneIs) {
    ExampleSession teacher;
    teacher.session.start();
    ASSERT_TRUE(teacher.settle());
    teacher.session.view<StepView>().set_cursor(1);
    teacher.session.view<StepView>().passes_per_second = 4;
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
        EXPECT_EQ(student.session.view<StepView>().cursor, 1U);
        EXPECT_EQ(student.session.view<StepView>().passes_per_second, 4);
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
    EXPECT_TRUE(student.session.view<RaceView>().delays);
    // A file of before has none.
    json old = json::parse(read_file(with));
    old.at("parts").at("race").erase("delays");
    write_file(with, old.dump());
    ASSERT_TRUE(open_file(student.session, with));
    ASSERT_TRUE(student.settle());
    EXPECT_FALSE(student.session.view<RaceView>().delays);
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
        const auto& log = example.session.notices.log();
        ASSERT_FALSE(log.empty()) << text;
        EXPECT_EQ(log.back().where, "file");
        EXPECT_EQ(log.back().problem.where, file.string()) << text;
        EXPECT_FALSE(log.back().problem.hint.empty()) << text;
        EXPECT_FALSE(example.session.notices.problems().empty());
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
    EXPECT_EQ(example.session.overlay, "devices");
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
    example.session.view<StepView>().passes_per_second = 4;
    EXPECT_TRUE(open_file(example.session, file));
    EXPECT_EQ(example.session.view<StepView>().passes_per_second, 4);
}

std::string link_from(ExampleSession& teacher) {
    EXPECT_TRUE(teacher.session.run("link"));
    EXPECT_EQ(teacher.copied.size(), 1U);
    return teacher.copied.back();
}

Problem problem_of(const std::string& link) {
    try {
        (void)read_link(link, kAllViews);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "It was taken: " << link.substr(0, 100);
    return {"", "", ""};
}

TEST(Link, BringsBackTheMomentAsOneStepOfUndo) {
    ExampleSession teacher;
    teacher.session.start();
    ASSERT_TRUE(teacher.settle());
    RunChoice choice = teacher.session.settings().choice;
    choice.variant = "span-modulo";
    choice.shape.set["BARRIER"] = "group";
    choice.shape.input = catalogue::parse_input("3,1,4,1,5,9,2,6");
    teacher.session.choose(choice);
    ASSERT_TRUE(teacher.settle());
    teacher.session.view<StepView>().set_cursor(2);
    const std::string link = link_from(teacher);
    EXPECT_THAT(link, StartsWith(std::string(kLocalPage) + "#m="));

    ExampleSession student;
    student.session.start();
    ASSERT_TRUE(student.settle());
    const RunChoice before = student.session.settings().choice;
    ASSERT_TRUE(open_file(student.session, link));
    ASSERT_TRUE(student.settle());
    EXPECT_EQ(student.session.settings().choice.variant, "span-modulo");
    EXPECT_EQ(text_of(student.session.settings().choice.shape.input), "3,1,4,1,5,9,2,6");
    EXPECT_EQ(student.session.view<StepView>().cursor, 2U);
    student.session.undo();
    EXPECT_EQ(student.session.settings().choice, before);
}

TEST(Link, LeadsToThePageThatALinkCameFrom) {
    ExampleSession teacher;
    const std::string fragment = "#" + fragment_of(teacher.session);
    ASSERT_TRUE(open_file(teacher.session, "https://school.example/lab/" + fragment));
    EXPECT_THAT(link_from(teacher), StartsWith("https://school.example/lab/#m="));
    // One that names no page changes nothing.
    ASSERT_TRUE(open_file(teacher.session, "javascript:alert(1)" + fragment));
    EXPECT_EQ(teacher.session.settings().page, "https://school.example/lab/");
}

TEST(Link, HoldsAKernelOfFourKilobytes) {
    Settings settings;
    std::string text = "kernel void f(global int* data) {\n";
    for (int i = 0; text.size() < 4000; ++i)
        text += "    data[get_global_id(0)] += " + std::to_string(i * 7919 % 1000) + ";\n";
    settings.choice.user_kernel = catalogue::LaunchForm{"my.cl", text + "}\n", "f", {}, 4, 2, {}};
    ExampleSession teacher(settings);
    const std::string link = link_from(teacher);
    EXPECT_LT(link.size(), 8000U);
    EXPECT_EQ(read_link(link, kAllViews).settings.choice.user_kernel, settings.choice.user_kernel);
}

TEST(Link, SaysWhatIsWrongWithOneThatIsDamaged) {
    ExampleSession teacher;
    const std::string whole = "#" + fragment_of(teacher.session);
    EXPECT_THAT(problem_of("https://school.example/").why, HasSubstr("#m="));
    EXPECT_THAT(problem_of("#m=a<b").why, HasSubstr("'<' is no letter"));
    for (const std::size_t length :
         {std::size_t{3}, std::size_t{4}, whole.size() / 2, whole.size() - 3})
        EXPECT_EQ(problem_of(whole.substr(0, length)).what_happened,
                  "The link could not be read; everything is as it was");
    const Settings before = teacher.session.settings();
    EXPECT_FALSE(open_file(teacher.session, whole.substr(0, whole.size() / 2)));
    EXPECT_EQ(teacher.session.settings(), before);
}

// 8 MiB of zeros take 8 kB.
TEST(Link, IsReadUpToALimit) {
    Settings settings;
    settings.choice.user_kernel =
        catalogue::LaunchForm{"my.cl", std::string(8U << 20U, ' '), "f", {}, 4, 2, {}};
    ExampleSession teacher(settings);
    EXPECT_THAT(problem_of("#" + fragment_of(teacher.session)).why, HasSubstr("4 MiB"));
}

results::Measurements results(const std::string& device, const std::string& op = "add") {
    results::Measurements measurements;
    measurements.device.name = device;
    measurements.op = op;
    measurements.type = "float";
    results::Row row;
    row.variant = "tile";
    row.n = 1024;
    row.bytes = 4096;
    row.device_ms = row.wall_ms = {1, 2, 3};
    row.right = true;
    measurements.rows = {row};
    return measurements;
}

TEST(OpenFile, AddsTheResultsOfOtherMachinesToTheChartsAndTakesThemOutAgain) {
    ExampleSession example;
    Session& session = example.session;
    const fs::path file = example.documents() / "lab.json";
    write_results(results("GPU A"), file);
    write_results(results("GPU B"), example.documents() / "b.JSON");
    EXPECT_TRUE(open_file(session, file));
    EXPECT_TRUE(open_file(session, example.documents() / "b.JSON"));
    EXPECT_EQ(session.settings().view, "measure");
    ASSERT_EQ(session.view<MeasureView>().state().added.size(), 2U);
    EXPECT_EQ(name_of(session.view<MeasureView>().state().added[0]), "lab.json: GPU A");
    EXPECT_EQ(shown_results(session.view<MeasureView>().state()).size(), 2U);
    // The same file again, with what is in it now.
    write_results(results("GPU C"), file);
    const std::uint64_t version = session.view<MeasureView>().state().version;
    EXPECT_TRUE(open_file(session, file));
    EXPECT_GT(session.view<MeasureView>().state().version, version);
    ASSERT_EQ(session.view<MeasureView>().state().added.size(), 2U);
    EXPECT_EQ(session.view<MeasureView>().state().added[0].results.device.name, "GPU C");
    session.view<MeasureView>().remove(0);
    ASSERT_EQ(session.view<MeasureView>().state().added.size(), 1U);
    EXPECT_EQ(session.view<MeasureView>().state().added[0].results.device.name, "GPU B");
}

TEST(OpenFile, ResultsOfOtherWorkAreListedButNotDrawn) {
    MeasureState measure;
    measure.added = {{"a.json", results("A")}, {"b.json", results("B", "max")}};
    EXPECT_TRUE(is_comparable(measure, measure.added[0]));
    EXPECT_FALSE(is_comparable(measure, measure.added[1]));
    EXPECT_EQ(shown_results(measure).size(), 1U);
    measure.results.answer = results("here", "max");
    EXPECT_FALSE(is_comparable(measure, measure.added[0]));
    ASSERT_EQ(shown_results(measure).size(), 2U);
    EXPECT_EQ(shown_results(measure)[0]->device.name, "here");
}

TEST(OpenFile, AMeasurementKeepsWhatWasAdded) {
    Settings settings;
    settings.measure.sizes = "2^10";
    settings.measure.repeat = 1;
    ExampleSession example(settings);
    example.session.view<MeasureView>().add({"a.json", results("A")});
    example.session.view<MeasureView>().run();
    ASSERT_TRUE(example.settle());
    EXPECT_EQ(example.session.view<MeasureView>().state().added.size(), 1U);
    EXPECT_EQ(shown_results(example.session.view<MeasureView>().state()).size(), 2U);
}

TEST(OpenFile, WhatIsNoKnownFileIsAProblemInView) {
    ExampleSession example;
    Session& session = example.session;
    std::ofstream(example.documents() / "a.txt") << "text";
    std::ofstream(example.documents() / "a.json") << "{}";
    std::ofstream(example.documents() / "none") << "";
    std::size_t count = 0;
    for (const char* name : {"a.txt", "a.json", "none", "missing.redlab", "missing.json", "."}) {
        EXPECT_FALSE(open_file(session, example.documents() / name)) << name;
        EXPECT_EQ(session.notices.problems().size(), ++count) << name;
        EXPECT_FALSE(session.notices.problems().back().hint.empty()) << name;
    }
    EXPECT_TRUE(session.view<MeasureView>().state().added.empty());
}

TEST(OpenFile, AMomentIsKnownUnderTheSuffixOfAnyJson) {
    ExampleSession example;
    choose_kernel(example.session, "span-modulo");
    std::ofstream(example.documents() / "a.json") << saved_json(example.session).dump(2);
    choose_kernel(example.session, "relaunch");
    EXPECT_TRUE(open_file(example.session, example.documents() / "a.json"));
    EXPECT_EQ(example.session.settings().choice.variant, "span-modulo");
}

TEST(ExportFile, AsksTheFirstTimeThenRepeatsUnderAFreeName) {
    ExampleSession example;
    Session& session = example.session;
    EXPECT_FALSE(session.run("export"));  // nothing is shown yet
    session.start();
    ASSERT_TRUE(example.settle());
    EXPECT_TRUE(session.run("export"));
    EXPECT_EQ(session.overlay, "export");
    session.overlay = "";
    const fs::path first = suggested_export(session);
    EXPECT_EQ(first, example.documents() / "relaunch.svg");
    export_to(session, example.documents() / "relaunch.pdf");
    EXPECT_TRUE(session.run("export"));
    EXPECT_EQ(session.overlay, "");
    EXPECT_THAT(example.exported, ElementsAre(example.documents() / "relaunch.pdf",
                                              example.documents() / "relaunch-2.pdf"));
    EXPECT_EQ(example.copied.back(), (example.documents() / "relaunch-2.pdf").string());
    EXPECT_THAT(session.notices.toasts().back().words, HasSubstr("relaunch-2.pdf"));
    // What is shown names the file, unless a person did.
    RunChoice choice = session.settings().choice;
    choice.variant = "span-modulo";
    session.choose(choice);
    ASSERT_TRUE(example.settle());
    session.run("export");
    EXPECT_EQ(example.exported.back(), example.documents() / "span-modulo.pdf");
    export_to(session, example.documents() / "mine.png");
    session.run("export");
    EXPECT_EQ(example.exported.back(), example.documents() / "mine-2.png");
}

TEST(ExportFile, AViewWithoutAPictureHasNone) {
    ExampleSession example;
    example.session.set_view("measure");  // nothing is measured yet
    EXPECT_TRUE(export_suffixes(example.session).empty());
    EXPECT_FALSE(example.session.run("export.as"));
}

TEST(ExportFile, ThatFailsIsAProblemInView) {
    ExampleSession example;
    example.session.start();
    ASSERT_TRUE(example.settle());
    EXPECT_THROW(export_to(example.session, "/proc/none/a.svg"), Problem);
    EXPECT_TRUE(example.session.settings().exports.empty());
}

TEST(NewFile, NeverTakesTheNameOfAnother) {
    const TemporaryFolder folder;
    EXPECT_EQ(new_file(folder.path(), "a", ".svg"), folder.path() / "a.svg");
    std::ofstream(folder.path() / "a.svg") << "";
    EXPECT_EQ(new_file(folder.path(), "a", ".svg"), folder.path() / "a-2.svg");
    fs::create_symlink("/nowhere", folder.path() / "a-2.svg");
    EXPECT_EQ(new_file(folder.path(), "a", ".svg"), folder.path() / "a-3.svg");
    EXPECT_EQ(new_file(folder.path(), "my/own", ".cl"), folder.path() / "my-own.cl");
}

TEST(NewFile, PathsAreUnderstoodAsTyped) {
    setenv("HOME", "/home/me", 1);
    EXPECT_EQ(typed_path("~", "/a"), "/home/me");
    EXPECT_EQ(typed_path(" ~/b c ", "/a"), "/home/me/b c");
    EXPECT_EQ(typed_path("/x/y", "/a"), "/x/y");
    EXPECT_EQ(typed_path("b", "/a"), "/a/b");
    EXPECT_EQ(typed_path("  ", "/a"), "/a");
}

}  // namespace
}  // namespace lab::session
