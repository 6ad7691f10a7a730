#include "gui/pipe/spots.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gui/pipe/queries.h"
#include "gui/shell/frame_times.h"

namespace lab::gui {
namespace {

// ImGui without a window: frames of 400 x 300 pixels that nobody sees.
class SpotsTest : public testing::Test {
  protected:
    SpotsTest() {
        ImGui::CreateContext();
        ImGui::GetIO().DisplaySize = {400, 300};
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    }
    ~SpotsTest() override { ImGui::DestroyContext(); }

    template <typename Draw>
    static void frame(Draw&& draw) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({400, 300});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
        ImGui::BeginChild("list", {200, 100});
        draw();
        ImGui::EndChild();
        ImGui::End();
        ImGui::EndFrame();
    }
    static const Spot* find(const Spots& spots, const std::string& id) {
        const auto at = std::find_if(spots.of_frame().begin(), spots.of_frame().end(),
                                     [&](const Spot& spot) { return spot.id == id; });
        return at == spots.of_frame().end() ? nullptr : &*at;
    }
};

TEST_F(SpotsTest, AreNamedByIdAndTellTheirPanelTheirWordsAndTheirPlace) {
    Spots spots;
    ImVec2 low, high;
    bool on = true;
    frame([&] {
        ImGui::Button("Вперёд###step.forward", {50, 20});
        low = ImGui::GetItemRectMin();
        high = ImGui::GetItemRectMax();
        ImGui::BeginDisabled();
        ImGui::Button("plain");
        ImGui::EndDisabled();
        ImGui::Checkbox("Box###box", &on);
    });
    const Spot* forward = find(spots, "step.forward");
    ASSERT_NE(forward, nullptr);
    EXPECT_EQ(forward->panel, "list");
    EXPECT_EQ(forward->text, "Вперёд");
    EXPECT_EQ(forward->low.x, low.x);
    EXPECT_EQ(forward->high.y, high.y);
    EXPECT_TRUE(forward->enabled && forward->visible && !forward->checkable);
    ASSERT_NE(find(spots, "plain"), nullptr);
    EXPECT_FALSE(find(spots, "plain")->enabled);
    ASSERT_NE(find(spots, "box"), nullptr);
    EXPECT_TRUE(find(spots, "box")->checked);
    ASSERT_NE(find(spots, "list"), nullptr);  // the panel itself
}

TEST_F(SpotsTest, AreCutOffWhereTheirPanelIs) {
    Spots spots;
    frame([] {
        ImGui::Button("wide", {500, 20});
        ImGui::Dummy({10, 200});
        ImGui::Button("far below");
    });
    ASSERT_NE(find(spots, "wide"), nullptr);
    EXPECT_LE(find(spots, "wide")->high.x, 210);
    const Spot* below = find(spots, "far below");
    EXPECT_TRUE(below == nullptr || !below->visible);
}

TEST_F(SpotsTest, OfAComboAreNamedToo) {
    Spots spots;
    frame([] {
        name_next_spot("###op");
        if (ImGui::BeginCombo("###op", "add")) ImGui::EndCombo();
    });
    EXPECT_NE(find(spots, "op"), nullptr);
}

TEST_F(SpotsTest, AreOfTheLastFrameAndOnlyWhileAskedFor) {
    {
        Spots spots;
        frame([] { ImGui::Button("old"); });
        spots.begin_frame();
        frame([] { ImGui::Button("new"); });
        EXPECT_EQ(find(spots, "old"), nullptr);
        EXPECT_NE(find(spots, "new"), nullptr);
    }
    frame([] {
        name_next_spot("###op");
        ImGui::Button("unseen");
    });
}

TEST(Queries, HaveNamesOfTheirOwnAndAnUnknownOneIsRefused) {
    for (const Query& each : queries())
        EXPECT_EQ(&query(each.method), &each);
    EXPECT_THROW(query("moon"), Problem);
}

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
