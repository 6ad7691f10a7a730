// On the first device of the machine; PoCL is always there.
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "device/all_devices.h"
#include "device/measure.h"
#include "device/shape_search.h"
#include "support/first_device.h"
#include "support/measured.h"
#include "support/shipped_kernels.h"
#include "support/temporary_folder.h"

namespace lab::device {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// What a person's own searches found is no business of the tests'.
class UserKernelCache : public testing::Environment {
  public:
    void SetUp() override {
        // PoCL's kernels stay where they are: to compile all of them again takes minutes, and LLVM
        // leaks.
        const fs::path pocl = cache_folder().parent_path() / "pocl" / "kcache";
        ::setenv("POCL_CACHE_DIR", pocl.c_str(), 0);
        ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    }

  private:
    TemporaryFolder folder_;
};
[[maybe_unused]] testing::Environment* const kOwnCache =
    testing::AddGlobalTestEnvironment(new UserKernelCache);

// A chain of dependent work that a toggle makes long, and another toggle that makes it wrong.
const char* const kText = R"(/* title:   Slow or quick
 * chapter: F 9
 * origin:  new
 * teaches: nothing
 * entry:   reduce
 * plan:    once
 * args:    in: const T[n] = input, n: ulong = n, out: T[1]
 * global:  group
 * local:   group
 * result:  out
 * depth:   n
 * toggle:  TURNS = 400, 1, 0
 * toggle:  CODE = 1, 0
 * shape:   cpu: group = 4, TURNS = 400
 * shape:   gpu: group = 4, TURNS = 400
 * tune:    TURNS
 * expect:  correct
 */
kernel void reduce(global const T* in, const ulong n, global T* out)
{
    if (get_global_id(0) != 0)
        return;
    T sum = IDENTITY;
    for (uint turn = 0; turn < TURNS; ++turn) {
        sum = CODE ? IDENTITY : 1;
        for (ulong i = 0; i < n; ++i)
            sum = COMBINE(sum, ((volatile global const T*)in)[i]);
    }
    out[0] = sum;
}
)";

catalogue::Catalogue slow_or_quick(const std::string& from = "", const std::string& to = "") {
    std::string text = kText;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    catalogue::Catalogue catalogue;
    catalogue.variants.push_back(catalogue::parse_kernel("slow_or_quick.cl", text));
    return catalogue;
}

results::MeasureRequest request(results::LaunchShapes shapes, std::uint64_t n = 5000) {
    results::MeasureRequest measure_request;
    measure_request.variants = {"slow-or-quick"};
    measure_request.sizes = {n};
    measure_request.repeat = 3;
    measure_request.references = false;
    measure_request.shapes = shapes;
    return measure_request;
}

results::Row only_row(const results::Measurements& measurements) {
    for (const Problem& problem : measurements.problems)
        ADD_FAILURE() << problem.text();
    EXPECT_THAT(measurements.rows, SizeIs(1));
    return measurements.rows.empty() ? results::Row() : measurements.rows.front();
}

TEST(ShapeSearch, FindsTheQuickOneAndNeverTheWrongOneAndKeepsIt) {
    fs::remove(kept_shapes_file());
    const catalogue::Catalogue catalogue = slow_or_quick();
    const results::Row before = only_row(measured(catalogue, request(results::LaunchShapes::kept)));
    EXPECT_EQ(before.chosen_by, "table");
    EXPECT_EQ(before.chosen.at("TURNS"), "400");

    const results::Row found =
        only_row(measured(catalogue, request(results::LaunchShapes::search)));
    EXPECT_EQ(found.chosen_by, "search");
    EXPECT_EQ(found.chosen.at("TURNS"), "1");  // 0 turns would be quicker still, and wrong
    EXPECT_TRUE(found.right);
    EXPECT_LT(found.device_median(), before.device_median());
    EXPECT_THAT(found.set, IsEmpty());  // nobody asked for them

    const results::Row kept = only_row(measured(catalogue, request(results::LaunchShapes::kept)));
    EXPECT_EQ(kept.chosen_by, "kept");
    EXPECT_EQ(kept.chosen, found.chosen);
    const results::Row table = only_row(measured(catalogue, request(results::LaunchShapes::table)));
    EXPECT_EQ(table.chosen_by, "table");
    EXPECT_EQ(table.chosen.at("TURNS"), "400");
    // Of 5000 up to 8192 it is the same search, beyond it another.
    EXPECT_EQ(only_row(measured(catalogue, request(results::LaunchShapes::kept, 8192))).chosen_by,
              "kept");
    EXPECT_EQ(only_row(measured(catalogue, request(results::LaunchShapes::kept, 8193))).chosen_by,
              "table");
    // A text that was changed is another text.
    EXPECT_EQ(only_row(measured(slow_or_quick("if (get", "if  (get"),
                                request(results::LaunchShapes::kept)))
                  .chosen_by,
              "table");
}

TEST(ShapeSearch, WhatWasAskedForStands) {
    results::MeasureRequest asked = request(results::LaunchShapes::search);
    asked.shape.set["TURNS"] = "400";
    const results::Row row = only_row(measured(slow_or_quick(), asked));
    EXPECT_EQ(row.set.at("TURNS"), "400");
    EXPECT_FALSE(row.chosen.contains("TURNS"));
    results::MeasureRequest group = request(results::LaunchShapes::table);
    group.groups = {2};
    const results::Row given = only_row(measured(slow_or_quick(), group));
    EXPECT_EQ(given.group, 2U);
    EXPECT_FALSE(given.chosen.contains("group"));
    group.shape.set["TURNS"] = "1";  // now nothing is left to the table
    EXPECT_EQ(only_row(measured(slow_or_quick(), group)).chosen_by, "");
    EXPECT_EQ(row.chosen.at("group"), std::to_string(row.group));
}

TEST(ShapeSearch, OnATeamItIsDoneForEachDevicesPart) {
    fs::remove(kept_shapes_file());
    const catalogue::Catalogue catalogue = slow_or_quick();
    const results::Row row = only_row(measure_together(
        {first_device()}, chosen(catalogue, request(results::LaunchShapes::search)),
        request(results::LaunchShapes::search)));
    ASSERT_THAT(row.parts, SizeIs(1));
    EXPECT_EQ(row.parts[0].chosen.at("TURNS"), "1");
    EXPECT_EQ(row.chosen_by, "search");
    EXPECT_TRUE(row.right);

    results::MeasureRequest warm = request(results::LaunchShapes::search, 100'000);
    warm.warm = true;
    const results::Measurements none =
        measure_together({first_device()}, chosen(catalogue, warm), warm);
    EXPECT_EQ(only_row(none).chosen_by, "table");
    EXPECT_THAT(none.notes, testing::Contains(HasSubstr("warm")));
    warm.warm = false;
    warm.groups = {4};
    warm.shapes = results::LaunchShapes::table;
    warm.shape.set["TURNS"] = "1";
    EXPECT_EQ(only_row(measure_together({first_device()}, chosen(catalogue, warm), warm)).chosen_by,
              "");
}

TEST(KeptShapes, ADamagedFileIsSaidAndReplaced) {
    fs::create_directories(kept_shapes_file().parent_path());
    std::ofstream(kept_shapes_file()) << R"({"schema": 1, "shapes": [{"device")";
    const catalogue::Catalogue catalogue = slow_or_quick();
    const results::Measurements measurements =
        measured(catalogue, request(results::LaunchShapes::kept));
    EXPECT_THAT(measurements.problems, IsEmpty());  // nothing that was asked for is missing
    ASSERT_THAT(measurements.notes, SizeIs(1));
    EXPECT_THAT(measurements.notes[0], HasSubstr("damaged"));
    EXPECT_THAT(measurements.rows, SizeIs(1));
    EXPECT_THAT(measured(catalogue, request(results::LaunchShapes::table)).notes, IsEmpty());
    (void)measured(catalogue, request(results::LaunchShapes::search));
    EXPECT_EQ(only_row(measured(catalogue, request(results::LaunchShapes::kept))).chosen_by,
              "kept");
}

TEST(KeptShapes, WhatCannotBeLaunchedIsSaidAndTheTableUsed) {
    const catalogue::Catalogue catalogue = slow_or_quick();
    for (const char* name : {"TURNS", "NO_SUCH"}) {
        KeptShape kept;
        catalogue::Shape shape;
        kept.key = shape_key(first_device().info, catalogue.variants[0], shape, 5000);
        kept.shape.group = 4;
        kept.shape.set[name] = "41";
        KeptShapes(kept_shapes_file()).keep(kept);
        const results::Measurements measurements =
            measured(catalogue, request(results::LaunchShapes::kept));
        EXPECT_EQ(only_row(measurements).chosen_by, "table");
        ASSERT_THAT(measurements.notes, SizeIs(1));
        EXPECT_THAT(measurements.notes[0], HasSubstr("launch-shapes.json"));
    }
    fs::remove(kept_shapes_file());
}

TEST(KeptShapes, OfAWarmSearchNothingIsKept) {
    fs::remove(kept_shapes_file());
    const catalogue::Catalogue catalogue = slow_or_quick();
    results::MeasureRequest asked = request(results::LaunchShapes::search);
    asked.warm = true;
    EXPECT_EQ(only_row(measured(catalogue, asked)).chosen_by, "search");
    EXPECT_FALSE(fs::exists(kept_shapes_file()));
}

TEST(KeptShapes, AFolderThatCannotBeWrittenIsANote) {
    fs::remove_all(kept_shapes_file().parent_path());
    std::ofstream(kept_shapes_file().parent_path()) << "a file in the folder's place";
    const results::Measurements measurements =
        measured(slow_or_quick(), request(results::LaunchShapes::search));
    fs::remove(kept_shapes_file().parent_path());
    EXPECT_EQ(only_row(measurements).chosen_by, "search");
    ASSERT_THAT(measurements.notes, SizeIs(1));
    EXPECT_THAT(measurements.notes[0], HasSubstr("not kept"));
}

TEST(KeptShapes, WhatAnotherProcessKeptMeanwhileStays) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "shapes.json";
    const auto shape = [](const std::string& variant, std::uint64_t group) {
        KeptShape kept_shape;
        kept_shape.key.variant = variant;
        kept_shape.shape.group = group;
        return kept_shape;
    };
    KeptShapes first(file), second(file);
    first.keep(shape("a", 64));
    second.keep(shape("b", 128));
    first.keep(shape("a", 32));
    const KeptShapes read(file);
    ASSERT_NE(read.find(shape("a", 0).key), nullptr);
    ASSERT_NE(read.find(shape("b", 0).key), nullptr);
    EXPECT_EQ(read.find(shape("a", 0).key)->shape.group, 32U);
    EXPECT_EQ(read.find(shape("b", 0).key)->shape.group, 128U);
}

TEST(Batch, RunsTheNumberOfReductionsThatItSays) {
    results::MeasureRequest asked = request(results::LaunchShapes::table, 100);
    asked.batch = 7;
    const results::Row row = only_row(measured(slow_or_quick(), asked));
    EXPECT_EQ(row.batch, 7U);
    EXPECT_TRUE(row.right);

    const catalogue::Catalogue counting =
        slow_or_quick("    out[0] = sum;\n", "    out[0] += sum;\n");
    results::MeasureRequest once = asked;
    once.shape.type = catalogue::Type::uint_;
    once.batch = 1;
    const results::Measurements first = measured(counting, once);
    once.batch = 7;
    const results::Measurements seven = measured(counting, once);
    ASSERT_THAT(first.rows, SizeIs(1));
    ASSERT_THAT(seven.rows, SizeIs(1));
    // Each starts from the same unwritten bytes, and adds the sum once or seven times.
    const auto number = [](const std::string& text) {
        return static_cast<std::uint32_t>(std::stoul(text));
    };
    const std::uint32_t sum = number(first.rows[0].expected);
    EXPECT_EQ(number(seven.rows[0].result) - number(first.rows[0].result), 6 * sum);
}

TEST(Batch, AKernelThatWorksInPlaceIsRefused) {
    results::MeasureRequest asked = request(results::LaunchShapes::table, 100);
    asked.variants = {"relaunch"};
    asked.batch = 2;
    const results::Measurements measurements = measured(catalogue::shipped(), asked);
    EXPECT_THAT(measurements.rows, IsEmpty());
    ASSERT_THAT(measurements.problems, SizeIs(1));
    EXPECT_THAT(measurements.problems[0].why, HasSubstr("writes over its input"));
}

}  // namespace
}  // namespace lab::device
