#include "catalogue/form.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace lab::catalogue
