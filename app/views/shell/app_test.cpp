#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "views/shell/app.h"

namespace lab::gui {
namespace {

TEST(FrameTimes, TellThoseWhilePlayingApart) {
    FrameTimes times;
    for (int i = 0; i < 3; ++i) {
        times.begin();
        times.end(i == 0);
    }
    const nlohmann::json object = times.stats({}, 0)["frame_times"];
    EXPECT_EQ(object["all"]["count"], 3);
    EXPECT_EQ(object["playing"]["count"], 1);
    EXPECT_LE(object["all"]["wall_ms"]["median"], object["all"]["wall_ms"]["most"]);
    times.forget();
    EXPECT_EQ(times.stats({}, 0)["frame_times"]["all"]["count"], 0);
    EXPECT_EQ(times.stats({}, 0)["frame_times"]["all"]["wall_ms"]["median"], 0);
}

}  // namespace
}  // namespace lab::gui
