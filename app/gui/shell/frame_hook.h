// A hook at each frame of the app: tests/support/driver answers requests there. The shipped program
// uses none.
#pragma once

#include <functional>
#include <optional>

#include "gui/shell/frame_times.h"
#include "gui/shell/window.h"
#include "session/shell/session.h"

namespace lab::gui {

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

}  // namespace lab::gui
