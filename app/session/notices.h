// Messages of the app: short ones that fade, problems that stay until they are dismissed, and the
// log of all problems.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/platform.h"
#include "base/problem.h"
namespace lab::session {

struct Toast {
    std::string words;
    std::chrono::steady_clock::time_point until;  // when it has faded
    std::string view = {};  // of an export from that view, which can be had in other formats too
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
    void say_exported(std::string words, std::string view, Clock::time_point now = Clock::now());
    void forget_toast(std::size_t index);
    // Adds it to the log; `stays`: also shows it until it is dismissed, if no view shows it.
    void report(std::string where, const Problem& problem, bool stays);
    // Does it; what it throws is reported, and stays. True if it threw nothing.
    bool attempt(const std::string& where, const std::function<void()>& act);
    void forget_problem(std::size_t index);
    void clear_log() { log_.clear(); }

    const std::vector<Toast>& toasts() const { return toasts_; }        // oldest first
    const std::vector<Problem>& problems() const { return problems_; }  // those that stay
    const std::vector<LogEntry>& log() const { return log_; }           // oldest first

    // A toast's opacity, 0 to 1.
    static float strength(const Toast& toast, Clock::time_point now);
    void poll(Clock::time_point now);  // removes what has faded
    // When their next frame is due; empty: nothing moves.
    std::optional<Clock::time_point> next_move(Clock::time_point now) const;

  private:
    std::vector<Toast> toasts_;
    std::vector<Problem> problems_;
    std::vector<LogEntry> log_;
};

// The translation that says where a file was saved: its path is on the clipboard; in a browser it
// is a download.
inline constexpr const char* kSavedText = platform::kBrowser ? "toast.downloaded" : "toast.saved";

}  // namespace lab::session
