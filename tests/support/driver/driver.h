// The app's side of a conversation: takes requests from the pipe and answers each as soon as it can
// be answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/driver/pipe.h"
#include "support/driver/queries.h"
#include "views/shell/app.h"

namespace lab::driver {

using gui::Clock;

class Driver {
  public:
    explicit Driver(gui::Window& window);

    void before_frame();                          // what was asked since the last one
    void after_frame(const gui::FrameView& app);  // what can be answered by now
    // When the next frame should come although nothing happens: somebody waits for quiet. Not while
    // something is under way, which brings frames by itself.
    std::optional<Clock::time_point> next_frame(const session::Session& session) const;

  private:
    struct Waiting {
        worker::Request request;
        const Query* query;
        std::uint64_t frames;  // drawn when it came
        Clock::time_point since;
    };
    bool can_be_given(const Waiting& waiting, const session::Session& session) const;
    void give(const Waiting& waiting, const Subject& subject);

    gui::Window& window_;
    WidgetRegistry widgets_;
    // When input last came in, or still lay in ImGui's queue, and how many frames were drawn then.
    Clock::time_point last_input_;
    std::uint64_t frames_at_input_ = 0;
    std::vector<Waiting> waiting_;
    Pipe pipe_;
};

}  // namespace lab::driver
