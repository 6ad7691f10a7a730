#include "manual/roff.h"

#include <gtest/gtest.h>

namespace lab::manual {
namespace {

TEST(Roff, EscapesWhatTroffWouldTakeForItsOwn) {
    EXPECT_EQ(roff("--size 2^20"), "\\-\\-size 2\\(ha20");
    EXPECT_EQ(roff("a\\b"), "a\\eb");
    EXPECT_EQ(roff("the kernel's `T`"), "the kernel\\(aqs \\(gaT\\(ga");
}

TEST(Roff, NoTextBecomesARequest) {
    EXPECT_EQ(roff(".cl files"), "\\&.cl files");
    EXPECT_EQ(roff("'quoted'").substr(0, 2), "\\&");
    EXPECT_EQ(roff("a .cl file"), "a .cl file");
}

TEST(Roff, IsAsciiWhateverTheTextIs) {
    EXPECT_EQ(roff("device’s"), "device\\[u2019]s");
    EXPECT_EQ(roff("归"), "\\[u5F52]");
    EXPECT_EQ(roff("é"), "\\[u00E9]");
}

}  // namespace
}  // namespace lab::manual
