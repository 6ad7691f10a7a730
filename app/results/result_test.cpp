#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "results/documents.h"
#include "results/result.h"
#include "support/temporary_folder.h"

namespace lab::results {
namespace {

TEST(Median, IsTheMiddle) {
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median({}), 0);
}

TEST(Quantile, LiesBetweenNeighbours) {
    EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 0.25), 2);
    EXPECT_EQ(quantile({1, 2}, 0.25), 1.25);
    EXPECT_EQ(quantile({7}, 0.95), 7);
    EXPECT_EQ(quantile({1, 2, 3}, 1), 3);
}

TEST(Summary, TellsSpreadAndHowSureTheMedianIs) {
    std::vector<double> samples;
    for (int i = 100; i >= 1; --i)
        samples.push_back(i);
    const Summary summary = summary_of(samples);
    EXPECT_DOUBLE_EQ(summary.median, 50.5);
    EXPECT_DOUBLE_EQ(summary.q1, 25.75);
    EXPECT_DOUBLE_EQ(summary.q3, 75.25);
    EXPECT_NEAR(summary.p5, 5.95, 1e-9);
    EXPECT_NEAR(summary.p95, 95.05, 1e-9);
    // Ranks 40 and 60 of 100 (from 0): half of 19 or 20 apart, of 50.5.
    ASSERT_TRUE(summary.precision.has_value());
    EXPECT_NEAR(*summary.precision, 9.5 / 50.5, 0.02);
    EXPECT_FALSE(summary_of({1, 2, 3}).precision.has_value());
    EXPECT_EQ(summary_of({2, 2, 2, 2, 2, 2}).precision, 0);
}

using testing::HasSubstr;

Measurements example() {
    Measurements measurements;
    measurements.device.name = "A device, with \"quotes\"";
    measurements.op = "add";
    measurements.type = "float";
    measurements.input = "random:1";
    measurements.started = "2026-01-02T03:04:05Z";
    Row row;
    row.variant = "local-tree";
    row.set = {{"ITEMS", "8"}};
    row.n = 1000;
    row.bytes = 4000;
    row.group = 64;
    row.launches = 1;
    row.cache = "cold";
    row.device_ms = {0.5, 0.25, 1};
    row.wall_ms = {1, 2, 3};
    row.result = "-12.5";
    row.expected = "-12.5";
    row.right = true;
    measurements.rows = {row};
    measurements.complete = true;
    return measurements;
}

Problem problem_of(const std::string& text) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "r.json";
    std::ofstream(file) << text;
    try {
        (void)read_results(file);
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.where, file.string());
        return problem;
    }
    ADD_FAILURE() << "no problem: " << text.substr(0, 100);
    return {};
}

TEST(Results, OfSeveralDevicesComeBackWithTheirParts) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "r.json";
    Measurements measurements = example();
    measurements.notes = {"they may be one"};
    measurements.rows[0].parts = {
        {"0:0", "one", 600, 64, {{"K", "4"}}, {0.5, 0.25, 1}, {0.4, 0.4, 0.4}, {1, 1, 1}},
        {"1:0", "other", 400, 1, {}, {0.5, 0.2, 1}, {0.3, 0.2, 0.3}, {2, 1, 1}}};
    write_results(measurements, file);
    const Measurements again = read_results(file);
    EXPECT_EQ(nlohmann::json(again), nlohmann::json(measurements));
    ASSERT_EQ(again.rows[0].parts.size(), 2U);
    EXPECT_DOUBLE_EQ(*again.rows[0].device_efficiency(), 0.4 / 0.5);
    EXPECT_DOUBLE_EQ(*again.rows[0].wall_efficiency(), 0.5);
    EXPECT_THAT(csv_of(measurements), HasSubstr(",2,0.8,0.5\r\n"));
    EXPECT_THAT(csv_of(example()), HasSubstr(",1,,\r\n"));
    EXPECT_FALSE(example().rows[0].device_efficiency());
}

TEST(Results, ComeBackAsTheyWere) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "r.json";
    Measurements measurements = example();
    measurements.rows.push_back(measurements.rows[0]);
    measurements.rows[1].exact = "4194306000";  // of one that wrapped
    write_results(measurements, file);
    EXPECT_EQ(nlohmann::json(read_results(file)), nlohmann::json(measurements));
    EXPECT_EQ(read_results(file).rows[1].exact, "4194306000");
    const auto json = nlohmann::json::parse(read_file(file));
    EXPECT_EQ(json["rows"][0]["summary_ms"]["median"], 0.5);
    EXPECT_EQ(json["rows"][0]["ranked"], true);
}

TEST(Results, AnErrorThatIsNoNumberComesBackToo) {
    Measurements measurements = example();
    measurements.rows[0].error = std::numeric_limits<double>::infinity();
    const TemporaryFolder folder;
    write_results(measurements, folder.path() / "r.json");
    EXPECT_TRUE(std::isnan(read_results(folder.path() / "r.json").rows[0].error));
}

TEST(Results, AnotherVersionAndADamagedFileAreProblems) {
    std::string other = nlohmann::json(example()).dump();
    other.replace(other.find("\"schema\":2"), 10, "\"schema\":7");
    EXPECT_THAT(problem_of(other).why, HasSubstr("schema is 7"));
    const std::string good = nlohmann::json(example()).dump();
    // Cut off anywhere; and with any one key missing or of another kind.
    for (std::size_t cut = 0; cut + 1 < good.size(); cut += 7)
        problem_of(good.substr(0, cut));
    for (const char* text : {"", "[]", "7", "null", "{}", "{\"schema\": \"x\"}", "\xff\xfe"})
        problem_of(text);
    const nlohmann::json whole = example();
    for (const auto& [key, value] : whole.items()) {
        nlohmann::json without = whole;
        without.erase(key);
        problem_of(without.dump());
        nlohmann::json odd = whole;
        odd[key] = nlohmann::json::object({{"odd", nlohmann::json::array()}});
        problem_of(odd.dump());
    }
}

TEST(Results, OfAnotherProgramAreNotCalledAnOldVersion) {
    EXPECT_THAT(problem_of("{\"a\": 1}").what_happened, HasSubstr("no measurements"));
    EXPECT_THAT(problem_of("{\"schema\": 1, \"lines\": []}").what_happened,
                HasSubstr("no measurements"));
}

TEST(Results, WithWhatCannotBeAreProblems) {
    nlohmann::json edited = example();
    edited["rows"][0]["n"] = -5;
    EXPECT_THAT(problem_of(edited.dump()).why, HasSubstr("size"));
    edited = example();
    edited["rows"][0]["device_ms"][0] = -1.0;
    EXPECT_THAT(problem_of(edited.dump()).why, HasSubstr("negative time"));
}

TEST(Csv, IsWhatASpreadsheetOpens) {
    const std::string csv = csv_of(example());
    EXPECT_THAT(csv, HasSubstr("variant,kind,set,op,type,n,"));
    EXPECT_THAT(csv, HasSubstr("\r\nlocal-tree,variant,ITEMS=8,add,float,1000,64,"));
    EXPECT_THAT(csv, HasSubstr("\"A device, with \"\"quotes\"\"\""));
    EXPECT_THAT(csv, HasSubstr(",-12.5,-12.5,"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

TEST(Results, AnUnknownSuffixIsAProblem) {
    EXPECT_THROW(check_result_suffix("r.xml"), Problem);
    EXPECT_NO_THROW(check_result_suffix("R.CSV"));
}

TEST(Rows, AreReplacedByTheSameOnes) {
    std::vector<Row> rows = example().rows;
    Row more = rows[0];
    more.device_ms.push_back(3);
    put(rows, more);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].device_ms.size(), 4U);
    more.group = 32;
    put(rows, more);
    EXPECT_EQ(rows.size(), 2U);
}

TEST(Documents, HaveFiguresWithTheirHardware) {
    const std::vector<DocumentFigure> figures = document_figures();
    EXPECT_GE(figures.size(), 17U);
    for (const DocumentFigure& figure : figures) {
        EXPECT_NE(figure.document, "A");  // it prints times without a unit
        EXPECT_FALSE(figure.hardware.empty());
        EXPECT_GT(figure.ms, 0);
    }
}

}  // namespace
}  // namespace lab::results
