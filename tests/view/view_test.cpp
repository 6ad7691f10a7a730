#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/paths.h"
#include "counter_view.h"
#include "session/session.h"
#include "support/temporary_folder.h"
#include "views/files/files.h"
#include "views/files/files_panels.h"
#include "views/shell/shell.h"
#include "views/step/step.h"

namespace lab {
namespace {

// The app with one view more, its frames drawn where nobody sees them.
class ViewTest : public testing::Test {
  protected:
    ViewTest() {
        ImGui::CreateContext();
        ImGui::GetIO().DisplaySize = {1440, 900};
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        fonts_ = std::make_unique<gui::ScreenFonts>(metrics_);
        views_.assign(gui::window_views().begin(), gui::window_views().end());
        views_.push_back(kCounterWindow);
        types_ = gui::types_of(views_);
        palette_ = figures::load_palette("light");
    }
    ~ViewTest() override {
        fonts_.reset();
        ImGui::DestroyContext();
    }

    std::unique_ptr<session::Session> begin() {
        session::Session::Options options;
        options.views = types_;
        options.worker = LAB_BIN_DIR "/reduction-lab-cli";
        options.wake = [] {};
        options.remember = false;
        return std::make_unique<session::Session>(options, session::Settings());
    }
    gui::Ui ui(session::Session& session) {
        return {session, views_, states_, palette_, metrics_, *fonts_, 1};
    }
    void frame(session::Session& session) {
        ImGui::NewFrame();
        gui::Ui frame_ui = ui(session);
        gui::draw_window(frame_ui);
        ImGui::Render();
    }

    bool prepared_ = setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1) == 0;
    TemporaryFolder folder_;
    figures::Fonts metrics_;
    figures::Palette palette_;
    gui::PanelStates states_;
    std::unique_ptr<gui::ScreenFonts> fonts_;
    std::vector<gui::WindowView> views_;
    std::vector<const session::ViewType*> types_;
};

TEST_F(ViewTest, HasATabAKeyACommandAndAPanel) {
    const auto session = begin();
    ASSERT_TRUE(session->run("view.counter"));
    EXPECT_EQ(session->settings().view, "counter");
    EXPECT_STREQ(session->command("view.counter").key, "7");
    EXPECT_TRUE(session->run("counter.more"));
    EXPECT_TRUE(session->run("step.forward"));  // it has a way to go
    EXPECT_EQ(session->view<CounterView>().count, 2U);
    frame(*session);
    frame(*session);
    const ImGuiMouseButton left = ImGuiMouseButton_Left;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(30, 64 + 14 + 20);
    frame(*session);
    io.AddMouseButtonEvent(left, true);
    frame(*session);
    io.AddMouseButtonEvent(left, false);
    frame(*session);
    EXPECT_EQ(session->view<CounterView>().count, 3U);
    session->run("view.step");
    EXPECT_FALSE(session->run("counter.more"));
}

TEST_F(ViewTest, IsAmongTheCommandsAndInTheMenu) {
    const auto session = begin();
    const auto& groups = session->commands().groups();
    EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [](const auto& group) {
        return std::string_view(group.id) == "counter";
    }));
}

TEST_F(ViewTest, IsToldOfWhatIsChosen) {
    const auto session = begin();
    session->start();
    const std::size_t before = session->view<CounterView>().choices;
    choose_kernel(*session, "local-tree");
    EXPECT_EQ(session->view<CounterView>().choices, before + 1);
}

TEST_F(ViewTest, IsExportedAndPartOfAMoment) {
    const auto session = begin();
    session->run("view.counter");
    session->view<CounterView>().count = 7;
    gui::Ui shown = ui(*session);
    gui::export_shown(shown, folder_.path() / "a.TXT");
    EXPECT_EQ(read_file(folder_.path() / "a.TXT"), "7.txt");
    EXPECT_THROW(gui::export_shown(shown, folder_.path() / "a.png"), Problem);

    const fs::path file = folder_.path() / "a.redlab";
    write_file(file, session::saved_json(*session).dump());
    const auto other = begin();
    session::show_saved(*other, session::read_saved(file, types_));
    EXPECT_EQ(other->settings().view, "counter");
    EXPECT_EQ(other->view<CounterView>().count, 7U);
    // The app as it is refuses the moment of a view that it does not have.
    EXPECT_THROW(session::read_saved(file, gui::types_of(gui::window_views())), Problem);
}

}  // namespace
}  // namespace lab
