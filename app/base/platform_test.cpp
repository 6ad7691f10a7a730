#include "base/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "base/problem.h"

namespace lab {
namespace {

using testing::HasSubstr;

TEST(Parallel, CoversEveryPlaceOnce) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U, 1001U}) {
        for (const std::size_t least : {0U, 1U, 3U, 5000U}) {
            std::vector<std::atomic<int>> seen(count);
            in_parallel(count, least, [&](std::size_t first, std::size_t end) {
                EXPECT_LT(first, end);
                for (std::size_t i = first; i < end; ++i)
                    ++seen[i];
            });
            for (const auto& times : seen)
                EXPECT_EQ(times, 1) << count << ", " << least;
        }
    }
}

TEST(Parallel, ThrowsWhatAPartThrew) {
    EXPECT_THROW(in_parallel(100, 1,
                             [](std::size_t, std::size_t end) {
                                 if (end == 100) throw std::runtime_error("the last part");
                             }),
                 std::runtime_error);
}

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
