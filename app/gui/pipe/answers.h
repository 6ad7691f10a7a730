// The running app's side of its pipe: takes what was asked and answers it as soon as it can be.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gui/pipe/pipe.h"
#include "gui/pipe/queries.h"

namespace lab::gui {

class Answers {
  public:
    explicit Answers(std::function<void()> wake) : pipe_(std::move(wake)) {}

    void take(std::uint64_t frames);  // before a frame: what was asked since; `frames` drawn so far
    bool wants_pixels() const;        // of the frame to come
    void give(Subject& subject);      // after a frame: what can be answered by now
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
    static bool can_be_given(const Waiting& waiting, const Subject& subject);
    void give(const Waiting& waiting, Subject& subject);

    std::vector<Waiting> waiting_;
    Pipe pipe_;
};

}  // namespace lab::gui
