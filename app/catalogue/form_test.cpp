#include "catalogue/form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "catalogue/number.h"
#include "catalogue/plan.h"

namespace lab::catalogue {
namespace {

TEST(NumberText, IsPlainWhateverWayCWritesIt) {
    EXPECT_EQ(plain_numbers("0xff, 16u;3UL -0x10  +7", false), "255, 16;3 -16  7");
    EXPECT_EQ(plain_numbers("0.5f 1.f 2F 0x1.8p1 1e3f", true), "0.5 1. 2 3 1e3");
    EXPECT_EQ(plain_numbers("'a','\\n',',',' ',true,false", false), "97,10,44,32,1,0");
    EXPECT_EQ(plain_numbers("", false), "");
}

TEST(NumberText, LeavesOtherWordsAlone) {
    EXPECT_EQ(plain_numbers("inf nan 2^20 10Mi ful 'ab' 0xg", true),
              "inf nan 2^20 10Mi ful 'ab' 0xg");
    EXPECT_EQ(plain_numbers("1f", false), "1f");
}

TEST(NumberText, BeginsWithZeroWhereItIsOctal) {
    EXPECT_EQ(plain_numbers("010 -017 0 00", false), "8 -15 0 0");
    EXPECT_EQ(plain_numbers("010 01.5", true), "010 01.5");
    EXPECT_THROW((void)plain_numbers("1, 08", false), Problem);
}

// What a kernel is given is what was typed.
TEST(Arguments, FitTheTypeOfTheirParameter) {
    using Pairs = std::vector<std::pair<const char*, const char*>>;
    const auto given = [](const char* type, const std::string& number) -> std::string {
        std::string said;
        for (const bool buffer : {false, true}) {
            LaunchForm form;
            form.file = "k.cl";
            form.text =
                fmt::format("kernel void k({} {}) {{ }}", buffer ? "global" : "",
                            buffer ? fmt::format("{}* p", type) : fmt::format("{} p", type));
            form.global = form.local = parse_extent("1");
            form.arguments = {buffer ? fmt::format("p:{}[2]=0,{}", type, number) : number};
            try {
                (void)form_job(form, compile(kernel_of(form), Shape()));
            } catch (const Problem& problem) {
                said += problem.what_happened + '\n';
            }
        }
        return said;
    };
    for (const auto& [type, number] : Pairs{{"uchar", "300"},
                                            {"uchar", "-1"},
                                            {"char", "128"},
                                            {"short", "40000"},
                                            {"ushort", "-5"},
                                            {"half", "70000"}}) {
        const std::string says = fmt::format("'{}' does not fit the type {}\n", number, type);
        EXPECT_EQ(given(type, number), says + says);
    }
    for (const auto& [type, number] : Pairs{{"uchar", "255"},
                                            {"char", "-128"},
                                            {"short", "0x7fff"},
                                            {"half", "65504"},
                                            {"half", "inf"},
                                            {"int", "-5"},
                                            {"uint", "4294967295"}})
        EXPECT_EQ(given(type, number), "") << type;
}

}  // namespace
}  // namespace lab::catalogue
