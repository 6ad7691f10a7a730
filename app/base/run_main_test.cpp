#include "base/run_main.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/problem.h"

namespace lab {
namespace {

using testing::HasSubstr;

TEST(RunMain, TellsWhatWentWrongAndReturnsItsStatus) {
    EXPECT_EQ(run_main([] { return 7; }), 7);

    testing::internal::CaptureStderr();
    const auto no_device = []() -> int {
        throw Problem("No device", "none is there", "Install one", "", Exit::no_device);
    };
    EXPECT_EQ(run_main(no_device), static_cast<int>(Exit::no_device));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("error: No device"));

    testing::internal::CaptureStderr();
    EXPECT_EQ(run_main([]() -> int { throw std::logic_error("a bug"); }),
              static_cast<int>(Exit::usage));
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                testing::AllOf(HasSubstr("a bug"), HasSubstr("report this")));
}

}  // namespace
}  // namespace lab
