// The app's life: a window around a session, until it is closed or its picture is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "gui/window.h"
#include "session/session.h"
namespace lab::gui {

// Measures what frames cost, for --stats and the benchmark of the window.

double process_cpu_ms();  // what the processors did for this process so far, all threads

struct FrameCost {
    double wall_ms = 0;    // from its begin until its picture was handed to the display
    double cpu_ms = 0;     // what the processors did meanwhile, all threads: software GL has many
    bool playing = false;  // something on screen was moving by itself
};

// The costs of the latest frames.
class FrameTimes {
  public:
    void begin();
    void end(bool playing);
    void forget() { costs_.clear(); }

    // Returns what --stats prints: the first frame, the number of all frames, and "frame_times":
    // {"all": …, "playing": …}, each with its count, and median, p99 and most of both times.
    nlohmann::json stats(const FrameCost& first, std::uint64_t frames) const;

  private:
    static constexpr std::size_t kMost = 10'000;  // frames with times; the oldest is forgotten

    double wall_ = 0, cpu_ = 0;  // at the begin
    std::deque<FrameCost> costs_;
};

// A hook at each frame of the app: tests/support/driver answers requests there. The shipped program
// uses none.

// The app after a frame.
struct FrameView {
    session::Session& session;
    Window& window;
    FrameTimes& times;
    FrameCost first_frame;  // from the process's start
    float scale;            // pixels a point
};

struct FrameHook {
    std::function<void()> before = [] {};  // input has come in, and nothing is drawn
    std::function<void(const FrameView&)> after = [](const FrameView&) {};
    // When the next frame is due although nothing happens; empty: never.
    std::function<std::optional<Clock::time_point>(const session::Session&)> next_frame =
        [](const session::Session&) { return std::nullopt; };
};

using AttachHook = std::function<FrameHook(Window&)>;  // once there is a window

// The whole program; what goes wrong is said on standard error. Returns the exit status.
int run_app(int argc, char** argv, const AttachHook& attach = {});

// The icon in the window's corner and in lists of windows, from the icons installed for the
// desktop, in all sizes that are there. None is no Problem: a window does without.
std::vector<figures::Pixels> window_icons();

}  // namespace lab::gui
