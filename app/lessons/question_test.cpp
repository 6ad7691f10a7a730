#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/question.h"

namespace lab::lessons {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(TypedNumber, WritingsOfTheSameNumber) {
    for (const char* text : {"2048",
                             " 2048 ",
                             "2,048",
                             "2 048",
                             "2'048",
                             "2^11",
                             "2**11",
                             "2*1024",
                             "2 × 1024",
                             "2Ki",
                             "2 Ki",
                             "0x800",
                             "2.048e3",
                             "2048.0",
                             "2048,0",
                             "(2+2)*512",
                             "4096/2",
                             "+2048",
                             "２０４８",
                             "2\xc2\xa0"
                             "048",
                             "2.048k"})
        EXPECT_THAT(typed_numbers(text), Contains(2048)) << text;
    EXPECT_THAT(typed_numbers("10,240,000"), ElementsAre(10'240'000));
    EXPECT_THAT(typed_numbers("−3"), ElementsAre(-3));
    EXPECT_THAT(typed_numbers("2^-1"), ElementsAre(0.5));
    EXPECT_THAT(typed_numbers("-2^2"), ElementsAre(-4));
    EXPECT_THAT(typed_numbers("12.5 %"), ElementsAre(12.5));
    EXPECT_THAT(typed_numbers("55,9"), ElementsAre(55.9));
    EXPECT_THAT(typed_numbers("1,500"), ElementsAre(1500, 1.5));  // it may be either
}

TEST(TypedNumber, WhatIsNone) {
    for (const char* text : {"", " ", "abc", "passes", "2 04", "2,,048", "1/0", "1e999", "2^", "(2",
                             "2 048 000 0", "--", ".", "nan", "inf", "12 cells", "0x", "2..3"})
        EXPECT_THAT(typed_numbers(text), testing::Not(Contains(2048))) << text;
    for (const char* text : {"", "abc", "passes", "2,,048", "1/0", "1e999", "2^", "(2", ".", "nan",
                             "inf", "12 cells", "2..3"})
        EXPECT_THAT(typed_numbers(text), IsEmpty()) << text;
    EXPECT_THAT(typed_numbers(std::string(100'000, '(')), IsEmpty());
    EXPECT_THAT(typed_numbers(std::string(100'000, '-')), IsEmpty());
}

}  // namespace
}  // namespace lab::lessons
