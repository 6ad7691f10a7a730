#include "gui/pipe/answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace lab::gui {
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

void Answers::take(std::uint64_t frames) {
    for (worker::Request& request : pipe_.take()) {
        try {
            const Query& asked = query(request.method);
            waiting_.push_back({std::move(request), &asked, frames, Clock::now()});
        } catch (const Problem& problem) {
            pipe_.refuse(request.id, problem);
        }
    }
}

bool Answers::wants_pixels() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [](const Waiting& waiting) { return waiting.query->pixels; });
}

bool Answers::can_be_given(const Waiting& waiting, const Subject& subject) {
    const auto frames_after = [&](std::uint64_t some) { return subject.window.frames() - some; };
    if (!waiting.query->when_quiet) return frames_after(waiting.frames) > 0;
    // ImGui takes one key after the other, a frame each: what was typed fast lasts some frames.
    const auto drawn = std::max(waiting.frames, subject.window.frames_at_input());
    const auto last = std::max(waiting.since, subject.window.last_input());
    return !something_moves(subject.session) && frames_after(drawn) >= kSettlingFrames &&
           Clock::now() >= last + kOnItsWay;
}

void Answers::give(Subject& subject) {
    // In the order asked: an answer never overtakes one that still waits for quiet.
    auto next = waiting_.begin();
    for (; next != waiting_.end() && can_be_given(*next, subject); ++next)
        give(*next, subject);
    waiting_.erase(waiting_.begin(), next);
}

void Answers::give(const Waiting& waiting, Subject& subject) {
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

std::optional<Clock::time_point> Answers::next_frame(const session::Session& session) const {
    if (waiting_.empty() || something_moves(session)) return {};
    return Clock::now() + kFrame;
}

}  // namespace lab::gui
