#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/lane_figure.h"
#include "figures/run_text.h"
#include "support/figure_checks.h"
#include "support/golden.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

LaneChart chart_of(const machine::Run& run) {
    analysis::Lanes lanes = analysis::lanes_of(run);
    return {analysis::item_activity(run), lanes.total, std::move(lanes.branches)};
}

Scene lane_figure_of(const TestShape& shape, const char* language = "en", float scale = 1) {
    const machine::Run run = run_of(tree_job(shape.n, shape.group, shape.lanes),
                                    machine::SchedulingPolicy::Kind::round_robin);
    FigureOptions options;
    options.text_scale = scale;
    return lane_figure(chart_of(run), example_subject(shape.n, shape.group, shape.lanes), options,
                       test_fonts(), translations_in(language));
}

TEST(LaneFigure, IsAsItWasFoundGood) {
    expect_golden(lane_figure_of({16, 8, 4}), "lanes");
}

TEST(LaneFigure, TellsTheShareOfEachPass) {
    const auto texts = texts_of(lane_figure_of({8, 8, 4}));
    EXPECT_THAT(texts, testing::IsSupersetOf({"100 %", "50 %", "25 %", "12.5 %"}));
    EXPECT_THAT(texts, testing::Contains("8 of 8 items step"));
    EXPECT_THAT(texts, testing::Contains("1 of 8 items steps"));
    EXPECT_THAT(texts, testing::Contains("lid == 0"));
    EXPECT_THAT(texts, testing::IsSupersetOf({"group 0", "warp 0", "warp 1", "7"}));
}

// However often somebody looked, that is no share of a pass.
TEST(LaneFigure, APassThatHasNotEndedHasNoCounts) {
    machine::Example example{
        "kernel void k(global int* x) {\n    const uint id = get_global_id(0);\n"
        "    x[id] = 1;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (id == 0) while (x[7] == 1);\n}\n",
        8,
        8,
        {std::vector<std::int32_t>(8)}};
    machine::Job job = machine::job_of(example, 4);
    job.budget = 2000;
    const machine::Run run = run_of(std::move(job), machine::SchedulingPolicy::Kind::round_robin);
    const Scene scene = lane_figure(chart_of(run), example_subject(8, 8, 4), {}, test_fonts(),
                                    translations_in("en"));
    const auto texts = texts_of(scene);
    EXPECT_THAT(texts, testing::IsSupersetOf({"8 of 8 items step", "has not ended"}));
    EXPECT_THAT(scene.description, testing::HasSubstr("has not ended"));
    EXPECT_EQ(std::count_if(texts.begin(), texts.end(),
                            [](const std::string& each) { return each.ends_with(" %"); }),
              1);
}

TEST(LaneFigure, ThePassThatIsShownElsewhereIsMarked) {
    const machine::Run run =
        run_of(tree_job(8, 8, 4), machine::SchedulingPolicy::Kind::round_robin);
    LaneChart chart = chart_of(run);
    const auto bands = [&] {
        const Scene scene =
            lane_figure(chart, example_subject(8, 8, 4), {}, test_fonts(), translations_in("en"));
        std::vector<float> tops;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what);
                rect != nullptr && rect->fill == Role::act_fill && rect->width > scene.width / 2)
                tops.push_back(rect->y);
        return tops;
    };
    EXPECT_THAT(bands(), testing::IsEmpty());
    float before = 0;
    for (chart.current = 0; *chart.current < chart.passes.size(); ++*chart.current) {
        ASSERT_EQ(bands().size(), 1U);
        EXPECT_GT(bands()[0], before);
        before = bands()[0];
    }
}

TEST(LaneFigure, BarriersEndAtTheirGroupsEdge) {
    const Scene scene = lane_figure_of({16, 8, 4});
    const std::string words = translations_in("en")("figure.legend_barrier");
    std::size_t lines = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* path = std::get_if<Path>(&shape.what);
        if (path == nullptr || shape.tip != words) continue;
        ++lines;
        EXPECT_EQ(path->stroke.role, Role::barrier);
        EXPECT_LT(path->points[1].x - path->points[0].x, scene.width / 2);
    }
    EXPECT_EQ(lines, 2U * 4);  // four passes end in a barrier, in two groups
}

TEST(LaneFigure, KeepsInsideAndApartAtAnySizeAndInAnyLanguage) {
    for (const TestShape& shape : kTestShapes)
        for (const char* language : kLanguages)
            for (const float scale : {1.0F, 1.4F}) {
                SCOPED_TRACE(std::to_string(shape.n) + " " + language);
                expect_sound(lane_figure_of(shape, language, scale));
            }
}

TEST(LaneFigure, EveryItemIsInAMark) {
    for (const TestShape& shape : kTestShapes) {
        const LaneColumns columns =
            place_lanes(shape.n, static_cast<std::uint32_t>(shape.group), shape.lanes, 100, 600, 1);
        std::uint64_t next = 0;
        for (const LaneMark& mark : columns.marks) {
            EXPECT_EQ(mark.first, next);
            next = mark.end;
        }
        EXPECT_EQ(next, shape.n);
        if (shape.n <= 64) {
            EXPECT_EQ(columns.per_mark, 1U);
        }
        EXPECT_LE(columns.right, shape.n <= 64 ? 1050 : 701);
    }
}

TEST(LaneFigure, SharesOfAMarkAreAWhole) {
    analysis::PassActivity pass;
    pass.local = 4;
    pass.items = {
        {3, 1, 0, 0, false}, {0, 0, 4, 0, false}, {0, 0, 0, 0, true}, {0, 4, 0, 0, false}};
    const auto shares = shares_of(pass, 0, 4);
    EXPECT_FLOAT_EQ(shares[0], 0.75F / 4);
    EXPECT_FLOAT_EQ(shares[1], 1.25F / 4);
    EXPECT_FLOAT_EQ(shares[2], 0.25F);
    EXPECT_FLOAT_EQ(shares[3], 0.25F);
}

// Lane i stores to word i * stride of local memory, or of global memory.
// One of the grid runs across all of them.
TEST(LaneFigure, ABarrierOfTheGridIsOneLine) {
    const machine::Example example{
        "//! cuda\n__global__ void k(int* x) {\n    x[threadIdx.x] = 1;\n    __syncthreads();\n"
        "    x[blockIdx.x] = 2;\n    cooperative_groups::this_grid().sync();\n"
        "    x[threadIdx.x + 4] = 3;\n}\n",
        8,
        4,
        {std::vector<std::int32_t>(8)}};
    const machine::Run run = run_of(machine::job_of(example, 4, 0), {});
    const Scene scene = lane_figure(chart_of(run), example_subject(8, 4, 4), {}, test_fonts(),
                                    translations_in("en"));
    std::map<std::string, int> lines;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what);
            path != nullptr && path->stroke.role == Role::barrier && !shape.tip.empty())
            ++lines[shape.tip];
    EXPECT_THAT(lines,
                testing::ElementsAre(testing::Pair("barrier of each group", 2),
                                     testing::Pair("barrier of the grid: every group waits", 1)));
    EXPECT_THAT(texts_of(scene), testing::Contains("barrier of all groups"));
}

analysis::RequestDetail request(std::uint64_t lanes, std::uint64_t stride, bool local = true) {
    machine::Example example;
    const std::string id = "get_local_id(0) * " + std::to_string(stride);
    example.text = local ? "kernel void f(global int* out, local int* buf) {\n  buf[" + id +
                               "] = 1;\n  out[0] = 1;\n}"
                         : "kernel void f(global int* out) {\n  out[" + id + "] = 1;\n}";
    example.global = example.local = lanes;
    example.unwritten = local ? 1 : lanes * stride + 1;
    example.buffers = {{}};
    if (local) example.local_ints = {lanes * stride + 1};
    const machine::Run run =
        run_of(machine::job_of(example, static_cast<std::uint32_t>(lanes)), {});
    return *analysis::most_expensive_request(run);
}

Scene figure(const analysis::RequestDetail& detail, const char* language = "en", float scale = 1) {
    FigureOptions options;
    options.text_scale = scale;
    return bank_figure(detail, example_subject(64, 32, 32), options, test_fonts(),
                       translations_in(language));
}

TEST(BankFigure, IsAsItWasFoundGood) {
    expect_golden(figure(request(32, 4)), "banks");
    expect_golden(figure(request(16, 3, false)), "sectors");
}

TEST(BankFigure, TellsTheTurns) {
    EXPECT_THAT(texts_of(figure(request(32, 1))), testing::Contains("1 turn, as few as can be"));
    EXPECT_THAT(texts_of(figure(request(32, 2))), testing::Contains("2 turns where 1 would do"));
    EXPECT_THAT(texts_of(figure(request(32, 32))), testing::Contains("32 turns where 1 would do"));
    EXPECT_THAT(texts_of(figure(request(8, 8, false))),
                testing::Contains("8 sectors where 1 would do"));
}

TEST(BankFigure, RowsAreNamedByTheirElements) {
    EXPECT_THAT(texts_of(figure(request(4, 1))), testing::Contains("buf[0…4]"));
    analysis::RequestDetail one = request(1, 1);
    one.array_end = one.array_first + one.element_bytes;
    EXPECT_THAT(texts_of(figure(one)), testing::Contains("buf[0]"));
    one.shape.scalar = true;
    EXPECT_THAT(texts_of(figure(one)), testing::Contains("buf"));
    analysis::RequestDetail rows = request(4, 1);
    rows.shape.rows = {2};
    EXPECT_THAT(texts_of(figure(rows)), testing::Contains("buf[0][0]…[2][0]"));
}

TEST(BankFigure, EachWordHasItsTurn) {
    const Words words = words_of(request(4, 16));
    ASSERT_EQ(words.size(), 4U);
    EXPECT_EQ(words.at(0).turn, 1U);
    EXPECT_EQ(words.at(16).turn, 1U);
    EXPECT_EQ(words.at(32).turn, 2U);
    EXPECT_EQ(words.at(32).of, 2U);
    EXPECT_EQ(lanes_text(words.at(48)), "3");
}

TEST(BankFigure, LanesOfOneWordAreToldTogether) {
    EXPECT_EQ(lanes_text({{0, 1, 2, 3}, {}, 1, 1}), "0–3");
    EXPECT_EQ(lanes_text({{0, 8}, {}, 1, 1}), "0,8");
    EXPECT_EQ(lanes_text({{0, 8, 16}, {}, 1, 1}), "3×");
    const Words words = words_of(request(32, 0));
    ASSERT_EQ(words.size(), 1U);
    EXPECT_EQ(words.begin()->second.of, 1U);
}

TEST(BankFigure, ConflictsAreNoMistakeAndNeverVermilion) {
    for (const Shape& shape : figure(request(32, 8)).shapes)
        if (const auto* rect = std::get_if<Rect>(&shape.what)) {
            EXPECT_NE(rect->stroke.role, Role::race);
            EXPECT_NE(rect->fill, Role::race);
        }
}

TEST(BankFigure, KeepsInsideAndApartForAnyStrideAndInAnyLanguage) {
    for (const std::uint64_t lanes : {1U, 4U, 32U, 64U})
        for (const std::uint64_t stride : {0U, 1U, 3U, 32U, 33U, 1000U})
            for (const bool local : {true, false})
                for (const char* language : kLanguages) {
                    SCOPED_TRACE(std::to_string(lanes) + " " + std::to_string(stride) + language);
                    expect_sound(
                        figure(request(lanes, stride, local), language, stride == 3 ? 1.4F : 1.0F));
                }
}

}  // namespace
}  // namespace lab::figures
