#include "session/files/open_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "results/results_file.h"
#include "session/files/export_file.h"
#include "session/files/new_file.h"
#include "session/files/state_file.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"
#include "session/shell/commands.h"
#include "support/example_session.h"

namespace lab::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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
    EXPECT_TRUE(goes_with(measure, measure.added[0]));
    EXPECT_FALSE(goes_with(measure, measure.added[1]));
    EXPECT_EQ(shown_results(measure).size(), 1U);
    measure.results.answer = results("here", "max");
    EXPECT_FALSE(goes_with(measure, measure.added[0]));
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
        EXPECT_EQ(session.notices().problems().size(), ++count) << name;
        EXPECT_FALSE(session.notices().problems().back().hint.empty()) << name;
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
    EXPECT_EQ(session.overlay(), "export");
    session.show("");
    const fs::path first = suggested_export(session);
    EXPECT_EQ(first, example.documents() / "relaunch.svg");
    export_to(session, example.documents() / "relaunch.pdf");
    EXPECT_TRUE(session.run("export"));
    EXPECT_EQ(session.overlay(), "");
    EXPECT_THAT(example.exported, ElementsAre(example.documents() / "relaunch.pdf",
                                              example.documents() / "relaunch-2.pdf"));
    EXPECT_EQ(example.copied.back(), (example.documents() / "relaunch-2.pdf").string());
    EXPECT_THAT(session.notices().toasts().back().words, HasSubstr("relaunch-2.pdf"));
    // What is shown names the file, unless a person did.
    Choice choice = session.settings().choice;
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
