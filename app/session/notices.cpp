#include "session/notices.h"

#include <algorithm>
#include <utility>

namespace lab::session {

// Notices on screen, and problems in the list; the oldest is forgotten.
constexpr std::size_t kMostToasts = 4, kMostLogged = 500;
constexpr auto kNoticeFrame = std::chrono::milliseconds(16);

void Notices::say(std::string words, Clock::time_point now) {
    std::erase_if(toasts_, [&](const Toast& toast) { return toast.words == words; });
    toasts_.push_back({std::move(words), now + kShown});
    if (toasts_.size() > kMostToasts) toasts_.erase(toasts_.begin());
}

void Notices::say_exported(std::string words, std::string view, Clock::time_point now) {
    say(std::move(words), now);
    toasts_.back().view = std::move(view);
}

void Notices::forget_toast(std::size_t index) {
    if (index < toasts_.size()) toasts_.erase(toasts_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Notices::report(std::string where, const Problem& problem, bool stays) {
    const auto now = std::chrono::system_clock::now();
    const bool again =
        !log_.empty() && log_.back().where == where && log_.back().problem.text() == problem.text();
    if (again) {
        log_.back().at = now;
        ++log_.back().times;
    } else {
        log_.push_back({now, std::move(where), problem});
        if (log_.size() > kMostLogged) log_.erase(log_.begin());
    }
    if (!stays) return;
    std::erase_if(problems_, [&](const Problem& of) { return of.text() == problem.text(); });
    problems_.push_back(problem);
}

bool Notices::attempt(const std::string& where, const std::function<void()>& act) {
    const std::optional<Problem> problem = thrown_by(act);
    if (problem) report(where, *problem, true);
    return !problem;
}

void Notices::forget_problem(std::size_t index) {
    if (index < problems_.size())
        problems_.erase(problems_.begin() + static_cast<std::ptrdiff_t>(index));
}

float Notices::strength(const Toast& toast, Clock::time_point now) {
    const std::chrono::duration<float> left = toast.until - now;
    return std::clamp(left / std::chrono::duration<float>(kFading), 0.0F, 1.0F);
}

void Notices::poll(Clock::time_point now) {
    std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
}

std::optional<Notices::Clock::time_point> Notices::next_move(Clock::time_point now) const {
    std::optional<Clock::time_point> next;
    for (const Toast& toast : toasts_) {
        const Clock::time_point fades = toast.until - kFading;
        const Clock::time_point due = now < fades ? fades : now + kNoticeFrame;
        if (!next || due < *next) next = due;
    }
    return next;
}

}  // namespace lab::session
