#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/bank_figure.h"
#include "figures/run_text.h"
#include "support/figure_checks.h"
#include "support/golden.h"

namespace lab::figures {
namespace {

// Lane i stores to word i * stride of local memory, or of global memory.
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
                       Translations(language));
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
