// The step view's picture in windows that are not there.
#include "views/step/step_panels.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>  // how far a window can be scrolled

#include <map>

#include "support/example_session.h"
#include "support/shipped_kernels.h"
#include "views/shell/shell.h"
#include "views/step/step.h"

namespace lab::gui {
namespace {

class StepPictureTest : public testing::Test {
  protected:
    StepPictureTest() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        fonts_.emplace(metrics_);
        example_.session.set_language("en");
    }
    ~StepPictureTest() override { ImGui::DestroyContext(); }

    void choose(const std::string& kernel) {
        session::Session& session = example_.session;
        session::RunChoice choice;
        choice.variant = kernel;
        session.choose(choice);
        const session::StepView& view = session.view<session::StepView>();
        for (int i = 0; i < 20000 && (view.table.waiting || !view.table.answer); ++i) {
            session.poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ASSERT_TRUE(view.table.answer) << kernel;
        session.view<session::StepView>().go_to(view.table.answer->rows.size() - 1);
    }

    const StepPicture& picture(ImVec2 size, float scale) {
        session::Session& session = example_.session;
        session.set_scale(scale);
        session.most_scale = scale;
        set_style(palette_, *fonts_, scale);
        ImGui::GetIO().DisplaySize = size;
        Ui ui(session, window_views(), states_, palette_, metrics_, *fonts_, scale);
        for (int frame = 0; frame < 2; ++frame) {
            ImGui::NewFrame();
            draw_window(ui);
            ImGui::EndFrame();
        }
        return *states_.get<StepFigureState>().figure.kept();
    }

    session::ExampleSession example_;
    const figures::Palette palette_ = figures::load_palette("light");
    const figures::Fonts metrics_;
    std::optional<ScreenFonts> fonts_;
    PanelStates states_;
};

// The smallest of each kind, in pixels.
std::map<std::string, float> smallest_in(const StepPicture& picture) {
    std::map<std::string, float> least;
    const auto add = [&](const std::string& kind, float points) {
        const float pixels = points * picture.point;
        const auto [at, is_new] = least.try_emplace(kind, pixels);
        if (!is_new) at->second = std::min(at->second, pixels);
    };
    for (const figures::Shape& shape : picture.scene.shapes) {
        const auto* box = std::get_if<figures::Rect>(&shape.what);
        if (box != nullptr && shape.name.starts_with("cell ")) {
            add("width of a cell", box->width);
            add("height of a cell", box->height);
        }
        if (const auto* text = std::get_if<figures::Text>(&shape.what))
            add(text->face == Face::mono ? "digits" : "words", text->size);
    }
    return least;
}

// Points of the window's figures that are beyond their right edges, by a child window's name.
std::map<std::string, float> cut_at_the_right() {
    std::map<std::string, float> cut;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        for (const char* name : {"/figure_", "/other_"})
            if (window->Active &&
                std::string_view(window->Name).find(name) != std::string_view::npos)
                cut[name] = window->ScrollMax.x;
    return cut;
}

TEST_F(StepPictureTest, TwoFitBesideEachOther) {
    for (const char* kernel : {"span-modulo", "relaunch", "grid-barrier", "ladder-1-modulo"}) {
        choose(kernel);
        session::Session& session = example_.session;
        session::StepView& view = session.view<session::StepView>();
        view.set_beside(true);
        for (int i = 0; i < 20000 && (view.other.waiting || !view.other.run); ++i) {
            session.poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ASSERT_TRUE(view.other.run) << kernel;
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{2560, 1440}})
            for (const float asked : {1.0F, 1.25F, 1.5F, 2.0F, 3.0F}) {
                const float scale = std::min({asked, size.x / 1050, size.y / 600});
                (void)picture(size, scale);
                const auto cut = cut_at_the_right();
                EXPECT_EQ(cut.size(), 2U) << kernel;
                for (const auto& [figure, pixels] : cut)
                    EXPECT_EQ(pixels, 0)
                        << figure << " of " << kernel << " at scale " << scale << ", " << size.x;
            }
        view.set_beside(false);
    }
}

TEST_F(StepPictureTest, TitlesOfTwoTellNWhereItDiffers) {
    choose("span-modulo");
    session::Session& session = example_.session;
    const Ui ui(session, window_views(), states_, palette_, metrics_, *fonts_, 1);
    const analysis::StepTable& table = *session.view<session::StepView>().table.answer;
    analysis::StepTable other = table;
    const auto title = [&] { return run_title(ui, {ui.choice(), table}, {ui.choice(), other}); };
    EXPECT_EQ(title().find("1, 2, 3"), std::string::npos);
    std::swap(other.rows[0].cells[0], other.rows[0].cells[1]);
    EXPECT_TRUE(title().ends_with(" · 1, 2, 3, …")) << title();
    other.rows[0].cells.pop_back();
    EXPECT_TRUE(title().ends_with(" · n = 8: 1, 2, 3, …")) << title();
}

// A key closes the tip of a tab, and the panels stay where they are.
TEST_F(StepPictureTest, AKeyOverATabMovesNoPanel) {
    const auto places = [] {
        std::map<std::string, float> found;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (window->Active && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0)
                found[window->Name] = window->Pos.x;
        return found;
    };
    choose("span-modulo");
    (void)picture({1600, 1000}, 1);
    const auto before = places();
    for (float x = 100; x < 700; x += 20) {
        ImGui::GetIO().DeltaTime = 1;  // so that the tip shows
        ImGui::GetIO().AddMousePosEvent(x, 26);
        (void)picture({1600, 1000}, 1);
        (void)picture({1600, 1000}, 1);
        ImGui::GetIO().AddKeyEvent(ImGuiKey_E, true);
        (void)picture({1600, 1000}, 1);
        EXPECT_EQ(places(), before) << x;
        ImGui::GetIO().AddKeyEvent(ImGuiKey_E, false);
    }
}

// Arrows from under the rows that stay fade; they do not begin at their edge.
TEST_F(StepPictureTest, FadesBelowTheRowsThatStay) {
    const auto fades = [] {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (!window->Active ||
                std::string_view(window->Name).find("/figure_") == std::string_view::npos)
                continue;
            for (const ImDrawVert& each : window->DrawList->VtxBuffer)
                if (each.pos.x == window->InnerRect.Min.x && (each.col & IM_COL32_A_MASK) == 0)
                    return true;
        }
        return false;
    };
    choose("ladder-1-modulo");
    bool faded = false;
    for (float height = 400; height <= 720; height += 40) {  // in some of them it scrolls
        (void)picture({1280, height}, 1);
        faded = faded || fades();
    }
    EXPECT_TRUE(faded);
    choose("relaunch");
    (void)picture({1280, 720}, 1);
    EXPECT_FALSE(fades());
}

TEST_F(StepPictureTest, IsNoSmallerAtALargerScale) {
    for (const catalogue::Kernel& kernel : catalogue::shipped().variants) {
        choose(kernel.id);
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            std::map<std::string, float> before;
            for (const float asked : {1.0F, 1.25F, 1.5F, 2.0F, 3.0F}) {
                // The window goes no further: App::most_scale().
                const float scale = std::min({asked, size.x / 1050, size.y / 600});
                const std::map<std::string, float> now = smallest_in(picture(size, scale));
                for (const auto& [kind, pixels] : before)
                    EXPECT_GE(now.count(kind) > 0 ? now.at(kind) : 0, 0.98F * pixels)
                        << kind << " of " << kernel.id << " at scale " << scale << ", " << size.x;
                before = now;
            }
        }
    }
}

}  // namespace
}  // namespace lab::gui
