// The window from outside, under Xvfb.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/paths.h"
#include "program.h"

namespace lab {
namespace {

using testing::HasSubstr;

struct Size {
    unsigned width = 0, height = 0;
};

Size size_of_png(const std::string& png) {
    const auto number = [&](std::size_t index) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8U | static_cast<unsigned char>(png.at(index + i));
        return value;
    };
    return {number(16), number(20)};
}

// A home of its own, so that no test sees the settings of another.
class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* tool : {"Xvfb", "xdotool", "xprop", "pgrep"})
            if (!installed(tool)) GTEST_SKIP() << tool << " is not installed";
        display_.emplace();
    }
    RunOptions options() const {
        RunOptions run_options;
        run_options.environment["XDG_CONFIG_HOME"] = (folder_.path() / "config").string();
        run_options.environment["DISPLAY"] = display_->name();
        return run_options;
    }
    static Finished window(const std::vector<std::string>& arguments, const RunOptions& options) {
        return run_program(LAB_BIN_DIR "/reduction-lab", arguments, options);
    }
    // Runs a shell script with the window's program as $LAB under a display.
    Finished script(const std::string& text) const {
        RunOptions run_options = options();
        run_options.environment["LAB"] = LAB_BIN_DIR "/reduction-lab";
        run_options.environment["OUT"] = folder_.path().string();
        return run_program("bash", {"-c", text}, run_options);
    }

    TemporaryFolder folder_;
    std::optional<Display> display_;
};

TEST_F(WindowTest, ScreenshotHasTheSizeAskedFor) {
    const std::string file = folder_.path() / "a.png";
    for (const auto& [size, width, height] :
         {std::tuple{"1280x720", 1280U, 720U}, std::tuple{"2000x1400", 2000U, 1400U}}) {
        const Finished done = window({"--screenshot", file, "--size", size}, options());
        ASSERT_EQ(done.status, 0) << done.err;
        const std::string png = read_file(file);
        EXPECT_EQ(size_of_png(png).width, width);
        EXPECT_EQ(size_of_png(png).height, height);
        EXPECT_GT(png.size(), 20'000U);  // an empty window is far smaller
    }
}

TEST_F(WindowTest, EveryViewThemeAndLanguageDraws) {
    const std::string file = folder_.path() / "a.png";
    const std::vector<std::array<const char*, 4>> looks{
        {"step", "light", "en", "1"},        {"step", "dark", "zh", "3"},
        {"measure", "projector", "ru", "1"}, {"measure", "dark", "en", "2"},
        {"devices", "light", "zh", "1"},     {"devices", "projector", "en", "2"}};
    for (const auto& [view, theme, language, scale] : looks) {
        const Finished done = window({"--screenshot", file, "--size", "1280x720", "--view", view,
                                      "--theme", theme, "--lang", language, "--scale", scale},
                                     options());
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_THAT(done.err + done.out, testing::Not(HasSubstr("imgui-error"))) << view;
    }
}

TEST_F(WindowTest, OpensWithoutADriver) {
    const std::string file = folder_.path() / "a.png";
    RunOptions run_options = options();
    run_options.environment["OCL_ICD_VENDORS"] = folder_.path().string();
    const Finished done = window({"--screenshot", file, "--size", "1280x720"}, run_options);
    EXPECT_EQ(done.status, 0) << done.err;
}

TEST_F(WindowTest, WithoutADisplaySaysHowToGetOne) {
    RunOptions run_options = options();
    run_options.environment["DISPLAY"] = ":987";
    run_options.environment["WAYLAND_DISPLAY"] = "";
    const Finished done = run_program(LAB_BIN_DIR "/reduction-lab", {}, run_options);
    EXPECT_EQ(done.status, 3);
    EXPECT_THAT(done.err, HasSubstr("xvfb-run"));
}

TEST_F(WindowTest, WrongArgumentsEndWith2) {
    EXPECT_EQ(window({"--size", "1x1", "--screenshot", "a.png"}, options()).status, 2);
    EXPECT_EQ(window({"--view", "moon"}, options()).status, 2);
    EXPECT_EQ(window({"--lanes", "65"}, options()).status, 2);
    EXPECT_EQ(window({"--resident", "5000000000"}, options()).status, 2);
    EXPECT_EQ(window({"--source", "moon"}, options()).status, 2);
    EXPECT_EQ(window({"--screenshot", "/proc/a.png"}, options()).status, 2);
}

TEST_F(WindowTest, ClosesAtOnceInTheMiddleOfARunAndLeavesNoWorker) {
    const Finished done = script(R"(
        "$LAB" --measure --stats > "$OUT/stats" & pid=$!
        id=$(xdotool search --sync --onlyvisible --name 'Reduction Lab' | head -n 1)
        for i in $(seq 100); do pgrep -P $pid >/dev/null && break; sleep 0.05; done
        sleep 0.5
        pgrep -P $pid | tee "$OUT/workers"
        start=$(date +%s%N)
        xdotool windowfocus "$id" key ctrl+q
        wait $pid; status=$?
        echo "status $status after $(( ($(date +%s%N) - start) / 1000000 )) ms"
        for worker in $(cat "$OUT/workers"); do kill -0 "$worker" 2>/dev/null && echo left; done
        exit $status)");
    EXPECT_EQ(done.status, 0) << done.out << done.err;
    EXPECT_THAT(done.out, testing::Not(HasSubstr("left")));
    EXPECT_FALSE(read_file(folder_.path() / "workers").empty());
}

TEST_F(WindowTest, SleepsWhileNothingMoves) {
    // After it has settled, neither a frame nor a noticeable moment of the processor in 3 seconds.
    const Finished done = script(R"(
        "$LAB" & pid=$!
        xdotool search --sync --onlyvisible --name 'Reduction Lab' >/dev/null
        sleep 5
        ticks() { read -ra stat < /proc/$pid/stat; echo $((stat[13] + stat[14])); }
        before=$(ticks); sleep 3; after=$(ticks)
        kill $pid
        echo $((after - before)))");
    EXPECT_LE(std::atoi(done.out.c_str()), 3) << done.out << done.err;  // of 300 ticks: 1 %
}

TEST_F(WindowTest, HasItsIconAndTheNameThatTheDesktopKnowsItBy) {
    const Finished done = script(R"(
        "$LAB" & pid=$!
        id=$(xdotool search --sync --onlyvisible --name 'Reduction Lab' | head -n 1)
        for i in $(seq 100); do
            xprop -id "$id" _NET_WM_ICON | grep -q Icon && break; sleep 0.05
        done
        xprop -id "$id" WM_CLASS
        xprop -id "$id" _NET_WM_ICON | grep -o 'Icon ([0-9]* x [0-9]*)'
        kill $pid)");
    EXPECT_THAT(done.out,
                HasSubstr("\"reduction-lab\", \"reduction-lab\""));  // the entry's StartupWMClass
    for (const char* size : {"(16 x 16)", "(32 x 32)", "(48 x 48)", "(128 x 128)"})
        EXPECT_THAT(done.out, HasSubstr(size)) << done.err;
}

TEST_F(WindowTest, MeasuredResultsAreDrawnInEverySizeThemeAndLanguage) {
    const std::string file = folder_.path() / "a.png";
    const std::vector<std::array<const char*, 4>> looks{{"1280x720", "light", "en", "1"},
                                                        {"640x480", "dark", "ru", "1"},
                                                        {"1280x720", "projector", "zh", "2"}};
    for (const auto& [size, theme, language, scale] : looks) {
        const Finished done = window({"--screenshot", file, "--size", size, "--measure", "--theme",
                                      theme, "--lang", language, "--scale", scale},
                                     options());
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_THAT(done.err + done.out, testing::Not(HasSubstr("imgui-error"))) << size;
    }
}

TEST_F(WindowTest, TooltipsShowWithoutAMistakeOfOurs) {
    const Finished done = script(R"(
        "$LAB" & pid=$!
        id=$(xdotool search --sync --onlyvisible --name 'Reduction Lab' | head -n 1)
        xdotool windowfocus "$id"
        sleep 2
        for at in '300 170' '400 170' '110 120' '300 830' '60 30' '1200 30'; do
            xdotool mousemove --window "$id" $at; sleep 0.6
        done
        xdotool mousemove --window "$id" 400 170 click 1; sleep 0.4
        xdotool key Down Down Return; sleep 0.6
        xdotool key ctrl+q
        wait $pid)");
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out + done.err, testing::Not(HasSubstr("imgui-error")));
}

TEST_F(WindowTest, KeysStepSwitchViewsAndSurviveInTheSettings) {
    const Finished done = script(R"(
        "$LAB" & pid=$!
        id=$(xdotool search --sync --onlyvisible --name 'Reduction Lab' | head -n 1)
        xdotool windowfocus "$id"
        sleep 2
        for key in Left Left ctrl+t ctrl+l ctrl+plus g m shift+o l 4; do
            xdotool key "$key"; sleep 0.3
        done
        sleep 1
        xdotool key ctrl+q
        wait $pid)");
    ASSERT_EQ(done.status, 0) << done.err;
    const auto settings =
        nlohmann::json::parse(read_file(folder_.path() / "config/reduction-lab/settings.json"));
    EXPECT_EQ(settings["theme"], "dark");
    EXPECT_EQ(settings["language"], "zh");
    EXPECT_EQ(settings["view"], "measure");
    EXPECT_EQ(settings["shape"]["group"], 8);
    EXPECT_EQ(settings["machine"]["order"], "in-order");
    EXPECT_EQ(settings["machine"]["lanes"], 8);
    EXPECT_GT(settings["scale"].get<double>(), 1.05);
}

}  // namespace
}  // namespace lab
