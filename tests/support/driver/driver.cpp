#include "support/driver/driver.h"

#include <imgui_internal.h>  // its queue of input: whether anything came in

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace lab::driver {
namespace {

using std::chrono::milliseconds;

// What a hand did a moment ago may still be on its way from the display; and what it did takes
// some frames to be seen.
constexpr auto kOnItsWay = milliseconds(40);
constexpr std::uint64_t kSettlingFrames = 3;
constexpr auto kFrame = milliseconds(16);

bool something_moves(const session::Session& session) {
    return session.busy() || session.walk().playing();
}

}  // namespace

Driver::Driver(gui::Window& window) : window_(window), pipe_([&window] { window.wake(); }) {}

void Driver::before_frame() {
    if (!ImGui::GetCurrentContext()->InputEventsQueue.empty()) {
        last_input_ = Clock::now();
        frames_at_input_ = window_.frames();
    }
    for (worker::Request& request : pipe_.take()) {
        try {
            const Query& asked = query(request.method);
            waiting_.push_back({std::move(request), &asked, window_.frames(), Clock::now()});
        } catch (const Problem& problem) {
            pipe_.refuse(request.id, problem);
        }
    }
    widgets_.begin_frame();
}

bool Driver::can_be_given(const Waiting& waiting, const session::Session& session) const {
    if (!waiting.query->when_quiet) return window_.frames() > waiting.frames;
    // ImGui takes one key after the other, a frame each: what was typed fast lasts some frames.
    const auto drawn = std::max(waiting.frames, frames_at_input_);
    const auto last = std::max(waiting.since, last_input_);
    return !something_moves(session) && window_.frames() - drawn >= kSettlingFrames &&
           Clock::now() >= last + kOnItsWay;
}

void Driver::after_frame(const gui::FrameView& app) {
    const Subject subject{app, widgets_};
    // In the order asked: an answer never overtakes one that still waits for quiet.
    auto next = waiting_.begin();
    for (; next != waiting_.end() && can_be_given(*next, app.session); ++next)
        give(*next, subject);
    waiting_.erase(waiting_.begin(), next);
}

void Driver::give(const Waiting& waiting, const Subject& subject) {
    const worker::Request& request = waiting.request;
    try {
        if (!request.parameters.is_object())
            throw Problem("The parameters are no JSON object", "", R"(Write "parameters": {…})");
        pipe_.answer(request.id, waiting.query->answer(subject, request.parameters));
    } catch (const Problem& problem) {
        pipe_.refuse(request.id, problem);
    } catch (const nlohmann::json::exception& error) {
        pipe_.refuse(request.id, Problem("A parameter is of the wrong kind", error.what(), ""));
    }
}

std::optional<Clock::time_point> Driver::next_frame(const session::Session& session) const {
    if (waiting_.empty() || something_moves(session)) return {};
    return Clock::now() + kFrame;
}

}  // namespace lab::driver
