#include "base/run_main.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
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

    // What is left in the buffer is written before the end, or said not to be.
    testing::internal::CaptureStderr();
    const auto full = []() -> int {
        std::cout.setstate(std::ios::badbit);
        return 0;
    };
    EXPECT_EQ(run_main(full), static_cast<int>(Exit::usage));
    std::cout.clear();
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("could not be written"));

    testing::internal::CaptureStderr();
    EXPECT_EQ(run_main([]() -> int { throw std::logic_error("a bug"); }),
              static_cast<int>(Exit::usage));
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                testing::AllOf(HasSubstr("a bug"), HasSubstr("report this")));
}

}  // namespace
}  // namespace lab
