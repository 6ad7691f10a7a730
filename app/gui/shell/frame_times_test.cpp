#include "gui/shell/frame_times.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lab::gui {
namespace {

TEST(FrameTimes, TellThoseWhilePlayingApart) {
    FrameTimes times;
    for (int i = 0; i < 3; ++i) {
        times.begin();
        times.end(i == 0);
    }
    const nlohmann::json told = times.summary();
    EXPECT_EQ(told["all"]["count"], 3);
    EXPECT_EQ(told["playing"]["count"], 1);
    EXPECT_LE(told["all"]["wall_ms"]["median"], told["all"]["wall_ms"]["most"]);
    times.forget();
    EXPECT_EQ(times.summary()["all"]["count"], 0);
    EXPECT_EQ(times.summary()["all"]["wall_ms"]["median"], 0);
}

}  // namespace
}  // namespace lab::gui
