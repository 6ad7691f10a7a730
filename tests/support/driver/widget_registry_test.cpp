#include "support/driver/widget_registry.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gui/ui.h"
#include "gui/widgets.h"
#include "support/all_views.h"
#include "support/driver/queries.h"
#include "views/shell/shell.h"

namespace lab::driver {
namespace {

// ImGui without a window: frames of 400 x 300 pixels that nobody sees.
class WidgetRegistryTest : public testing::Test {
  protected:
    WidgetRegistryTest() {
        ImGui::CreateContext();
        ImGui::GetIO().DisplaySize = {400, 300};
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    }
    ~WidgetRegistryTest() override { ImGui::DestroyContext(); }

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
    static const Widget* find(const WidgetRegistry& widgets, const std::string& id) {
        const auto position = std::find_if(widgets.of_frame().begin(), widgets.of_frame().end(),
                                           [&](const Widget& widget) { return widget.id == id; });
        return position == widgets.of_frame().end() ? nullptr : &*position;
    }
};

TEST_F(WidgetRegistryTest, AreNamedByIdAndTellTheirPanelTheirWordsAndTheirPlace) {
    WidgetRegistry widgets;
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
    const Widget* forward = find(widgets, "step.forward");
    ASSERT_NE(forward, nullptr);
    EXPECT_EQ(forward->panel, "list");
    EXPECT_EQ(forward->text, "Вперёд");
    EXPECT_EQ(forward->low.x, low.x);
    EXPECT_EQ(forward->high.y, high.y);
    EXPECT_TRUE(forward->enabled && forward->visible && !forward->checkable);
    ASSERT_NE(find(widgets, "plain"), nullptr);
    EXPECT_FALSE(find(widgets, "plain")->enabled);
    ASSERT_NE(find(widgets, "box"), nullptr);
    EXPECT_TRUE(find(widgets, "box")->checked);
    ASSERT_NE(find(widgets, "list"), nullptr);  // the panel itself
}

TEST_F(WidgetRegistryTest, AreCutOffWhereTheirPanelIs) {
    WidgetRegistry widgets;
    frame([] {
        ImGui::Button("wide", {500, 20});
        ImGui::Dummy({10, 200});
        ImGui::Button("far below");
    });
    ASSERT_NE(find(widgets, "wide"), nullptr);
    EXPECT_LE(find(widgets, "wide")->high.x, 210);
    const Widget* below = find(widgets, "far below");
    EXPECT_TRUE(below == nullptr || !below->visible);
}

TEST_F(WidgetRegistryTest, OfAComboAndOfANumberWithButtonsAreNamedToo) {
    session::Session session(session::all_views(LAB_BIN_DIR "/reduction-lab-cli", false), {});
    gui::PanelStates states;
    const figures::Palette palette = figures::load_palette("light");
    const figures::Fonts metrics;
    const gui::ScreenFonts fonts(metrics);
    const gui::Ui ui(session, gui::window_views(), states, palette, metrics, fonts, 1);
    WidgetRegistry widgets;
    int seed = 1;
    frame([&] {
        gui::combo(ui, "###op", {"add", "max"}, 0, 100);
        ImGui::InputInt("###seed", &seed);
    });
    EXPECT_NE(find(widgets, "op"), nullptr);
    EXPECT_NE(find(widgets, "seed"), nullptr);
}

TEST_F(WidgetRegistryTest, AreOfTheLastFrameAndOnlyWhileAskedFor) {
    {
        WidgetRegistry widgets;
        frame([] { ImGui::Button("old"); });
        widgets.begin_frame();
        frame([] { ImGui::Button("new"); });
        EXPECT_EQ(find(widgets, "old"), nullptr);
        EXPECT_NE(find(widgets, "new"), nullptr);
    }
    frame([] { ImGui::Button("unseen"); });
}

TEST(Queries, HaveNamesOfTheirOwnAndAnUnknownOneIsRefused) {
    for (const Query& each : queries())
        EXPECT_EQ(&query(each.method), &each);
    EXPECT_THROW(query("moon"), Problem);
}

}  // namespace
}  // namespace lab::driver
