#include <set>

#include <GLFW/glfw3.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "figures/scene.h"
#include "gui/ui.h"
#include "gui/window.h"
#include "support/temporary_folder.h"
#include "views/shell/options.h"
#include "views/shell/shell.h"

namespace lab::gui {
namespace {

TEST(Keys, OfEveryCommandAreKnownAndDiffer) {
    std::set<std::pair<int, int>> presses;
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable commands(views);
    for (const session::Command& command : commands.all()) {
        const KeyPress press = parse_key(command.key);
        EXPECT_TRUE(presses.emplace(press.key, press.modifiers).second) << command.key;
    }
    EXPECT_EQ(parse_key("Ctrl+Shift+Z"), (KeyPress{GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT}));
    EXPECT_EQ(parse_key("Ctrl++"), (KeyPress{GLFW_KEY_EQUAL, GLFW_MOD_CONTROL}));
    EXPECT_THROW(parse_key("Ctrl+Nothing"), Problem);
}

TEST(Keys, OfAFieldAreNotThoseThatTypeNothing) {
    for (const char* key : {"Alt+H", "Alt+Left", "Alt+Enter", "F1", "F11", "Ctrl+Q", "Ctrl+L"})
        EXPECT_TRUE(works_in_text_fields(parse_key(key))) << key;
    for (const char* key : {"H", "Left", "Enter", "1", "Ctrl+Left", "Ctrl+Z", "Ctrl+Shift+Z",
                            "Ctrl+C", "Ctrl+V", "Alt+Backspace"})
        EXPECT_FALSE(works_in_text_fields(parse_key(key))) << key;
    EXPECT_FALSE(works_in_text_fields({GLFW_KEY_Q, GLFW_MOD_CONTROL | GLFW_MOD_ALT}));  // AltGr
}

TEST(Keys, OfTheNumberPadAndWithShiftCountAsThePlainOnes) {
    EXPECT_EQ(plain_press(GLFW_KEY_KP_ADD, 0, 0), parse_key("+"));
    EXPECT_EQ(plain_press(GLFW_KEY_KP_SUBTRACT, 0, GLFW_MOD_CONTROL), parse_key("Ctrl+-"));
    EXPECT_EQ(plain_press(GLFW_KEY_KP_2, 0, GLFW_MOD_NUM_LOCK), parse_key("2"));
}

TEST(Views, HavePanelsAndCanSaveWhatTheyOffer) {
    for (const WindowView& view : window_views()) {
        EXPECT_FALSE(view.panels.empty()) << view.type->id;
        std::set<std::string> ids;
        for (const Panel& panel : view.panels)
            EXPECT_TRUE(ids.insert(panel.id).second) << panel.id;
    }
}

TEST(Views, SayWhatTheirKeysDoWherePresented) {
    for (const char* language : {"en", "zh", "ru"}) {
        const Translations words(language);
        for (const WindowView& view : window_views())
            for (const std::string key : view.present_keys)
                EXPECT_NE(words("present." + key), "present." + key) << language;
    }
}

TEST(Themes, OfTheSessionAreThoseOfThePalette) {
    const auto words = [](const auto& names) {
        return std::vector<std::string>(std::begin(names), std::end(names));
    };
    EXPECT_EQ(words(session::themes()), words(figures::kThemes));
}

std::optional<Options> parse(std::vector<std::string> words, int& exit) {
    words.insert(words.begin(), "reduction-lab");
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    return parse_options(static_cast<int>(pointers.size()), pointers.data(), exit);
}

TEST(Options, TheManualHasEveryCommandWithItsKeyAndWhatItDoes) {
    int exit = -1;
    testing::internal::CaptureStdout();
    EXPECT_FALSE(parse({"--help-all"}, exit));
    const std::string page = testing::internal::GetCapturedStdout();
    EXPECT_EQ(exit, 0);
    const Translations tr("en");
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable commands(views);
    for (const session::Command& command : commands.all()) {
        const std::string id = std::string("command.") + command.id;
        const std::string key = command.key;
        EXPECT_THAT(page,
                    testing::HasSubstr("\n  " + tr(id) + (key.empty() ? "" : " (" + key + ")") +
                                       "\n" + std::string(28, ' ') + tr(id + ".tip") + ".\n"));
    }
    for (const session::CommandGroup& group : commands.groups())
        EXPECT_THAT(page, testing::HasSubstr("\n" + tr(std::string("menu.") + group.id) + ":\n"));
}

TEST(Options, AreReadIntoTheSettings) {
    int exit = -1;
    const auto options = parse({"--screenshot", "a.png", "--size", "1280x720", "--lang", "zh",
                                "--theme", "dark", "--scale", "2", "--variant", "local-tree",
                                "--input", "1,2,3", "--group", "2", "--cursor", "1"},
                               exit);
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->settings.width, 1280);
    EXPECT_EQ(options->settings.height, 720);
    EXPECT_EQ(options->settings.language, "zh");
    EXPECT_EQ(options->settings.theme, "dark");
    EXPECT_EQ(options->settings.choice.variant, "local-tree");
    EXPECT_EQ(options->settings.choice.shape.input.text, "1,2,3");
    EXPECT_EQ(options->settings.choice.shape.group, 2U);
    EXPECT_EQ(options->cursor, 1U);
}

TEST(Options, OfTheLatticeAreItsOwn) {
    int exit = -1;
    const auto options = parse({"--screenshot", "a.png", "--view", "lattice", "--n", "4096",
                                "--group", "64", "--at", "3:512:40"},
                               exit);
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->settings.lattice.n, 4096U);
    EXPECT_EQ(options->settings.lattice.group, 64U);
    ASSERT_TRUE(options->place.has_value());
    EXPECT_EQ(options->place->place.row, 3U);
    EXPECT_EQ(options->place->place.cell, 512U);
    EXPECT_EQ(options->place->zoom, 40);
    for (const char* place : {"3", "3:", ":4", "3:4:", "3:4:0.5", "3:4:5:6", "a:b", "3 4"})
        EXPECT_THROW(parse({"--screenshot", "a.png", "--at", place}, exit), Problem) << place;
}

TEST(Options, ASavedMomentIsTheBeginningAndOtherOptionsChangeIt) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "a.redlab";
    session::Settings saved;
    saved.theme = "dark";
    saved.view = "measure";
    saved.choice.variant = "tile";
    const nlohmann::json written{
        {"schema", session::kStateSchema}, {"version", 1}, {"settings", saved}};
    write_file(file, written.dump());
    int exit = -1;
    const auto options = parse(
        {"--screenshot", "a.png", "--state", file, "--theme", "projector", "other.json"}, exit);
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->settings.choice.variant, "tile");
    EXPECT_EQ(options->settings.view, "measure");
    EXPECT_EQ(options->settings.theme, "projector");
    EXPECT_TRUE(options->state.has_value());
    EXPECT_EQ(options->files, std::vector<std::string>{"other.json"});
    saved.choice.user_kernel = catalogue::LaunchForm{};
    saved.choice.user_kernel->text = "kernel void k(global int* x) { x[0] = 1; }";
    write_file(
        file, nlohmann::json{{"schema", session::kStateSchema}, {"version", 1}, {"settings", saved}}
                  .dump());
    for (const bool named : {false, true}) {
        std::vector<std::string> words{"--screenshot", "a.png", "--state", file};
        if (named) words.insert(words.end(), {"--variant", "relaunch"});
        const auto own = parse(words, exit);
        ASSERT_TRUE(own.has_value());
        EXPECT_NE(own->settings.choice.user_kernel.has_value(), named);
    }
    write_file(file, "{");
    const auto damaged = parse({"--screenshot", "a.png", "--state", file}, exit);
    ASSERT_TRUE(damaged.has_value());
    EXPECT_TRUE(damaged->problem.has_value());
    EXPECT_EQ(damaged->settings.choice.variant, session::Settings().choice.variant);
}

TEST(Options, TheDevicesAreAPanelAndNoView) {
    int exit = -1;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--show", "devices", "--view", "race"},
          std::vector<std::string>{"--view", "devices"}}) {
        const auto options = parse(words, exit);
        ASSERT_TRUE(options);
        EXPECT_EQ(options->overlay, "devices");
    }
    for (const WindowView& view : window_views())
        EXPECT_STRNE(view.type->id, "devices");
}

TEST(Options, RefuseWhatIsWrong) {
    int exit = 0;
    for (const char* size : {"1280", "x", "1280x", "0x0", "1280x720x3", "99999x99999", "-1x5"})
        EXPECT_THROW(parse({"--screenshot", "a.png", "--size", size}, exit), Problem) << size;
    EXPECT_THROW(parse({"--theme", "pink"}, exit), Problem);
    EXPECT_FALSE(parse({"--help"}, exit).has_value());
    EXPECT_EQ(exit, 0);
    EXPECT_THROW(parse({"--screenshot", "a.png", "--op", "plus"}, exit), Problem);
}

}  // namespace
}  // namespace lab::gui
