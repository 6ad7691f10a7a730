#include "base/nearest.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
    const std::vector<std::string> known{"barrier", "get_local_id", "get_local_size", "min", "max"};
    EXPECT_EQ(nearest("barier", known), "barrier");
    EXPECT_EQ(nearest("get_locl_id", known), "get_local_id");
    EXPECT_EQ(nearest("get_loacl_size", known), "get_local_size");
    EXPECT_EQ(nearest("mni", known), "min");
    EXPECT_EQ(nearest("something", known), "");
    EXPECT_EQ(nearest("x", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest("min", known), "");  // it is one
}

TEST(Nearest, AHintNamesItAndAllThereAre) {
    const std::vector<std::string> known{"add", "min", "max"};
    EXPECT_EQ(choices_hint("mni", known), "Did you mean min? Choose one of: add, min, max");
    EXPECT_EQ(choices_hint("other", known), "Choose one of: add, min, max");
}

}  // namespace
}  // namespace lab
