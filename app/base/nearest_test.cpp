#include "lang/nearest.h"

#include <gtest/gtest.h>

namespace lab::lang {
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

}  // namespace
}  // namespace lab::lang
