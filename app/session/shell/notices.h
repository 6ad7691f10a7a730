// What the app has to say: short messages that go by themselves, problems that stay until they are
// taken away, and the log of all problems.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"

namespace lab::session {

struct Toast {
    std::string words;
    std::chrono::steady_clock::time_point until;  // then it has faded
};

struct LogEntry {
    std::chrono::system_clock::time_point at;  // last
    std::string where;                         // what it arose in: the translation "log.<where>"
    Problem problem;
    int times = 1;  // in a row
};

class Notices {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr auto kShown = std::chrono::milliseconds(6000);
    static constexpr auto kFading = std::chrono::milliseconds(400);  // the last part of kShown

    void say(std::string words, Clock::time_point now = Clock::now());
    void forget_toast(std::size_t index);
    // Into the log; `stays`: also to be shown until it is taken away, having no other place.
    void report(std::string where, const Problem& problem, bool stays);
    void forget_problem(std::size_t index);
    void clear_log() { log_.clear(); }

    const std::vector<Toast>& toasts() const { return toasts_; }        // oldest first
    const std::vector<Problem>& problems() const { return problems_; }  // those that stay
    const std::vector<LogEntry>& log() const { return log_; }           // oldest first

    // How much of a toast is still to be seen, 0 to 1.
    static float strength(const Toast& toast, Clock::time_point now);
    void poll(Clock::time_point now);  // lets go what has faded
    // When the next picture of them is due; empty: they do not move.
    std::optional<Clock::time_point> next_move(Clock::time_point now) const;

  private:
    std::vector<Toast> toasts_;
    std::vector<Problem> problems_;
    std::vector<LogEntry> log_;
};

}  // namespace lab::session
