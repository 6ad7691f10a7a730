// Notes Ctrl+C and termination requests instead of ending the program, so that what was found until
// then can still be printed.
#pragma once

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <string_view>

#include "base/problem.h"

namespace lab::cli {

// While it lives. Searches and runs ask seen(). What does not ask, as a report on a million rows or
// a write to a pipe that nobody reads, may not make the program deaf: soon after the request it
// ends wherever it is. Files are put into place whole, and workers end with the program.
class InterruptsNoted {
  public:
    InterruptsNoted() {
        std::signal(SIGALRM, end);
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], note);
    }
    ~InterruptsNoted() {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            std::signal(kSignals[i], before_[i]);
    }
    InterruptsNoted(const InterruptsNoted&) = delete;
    InterruptsNoted& operator=(const InterruptsNoted&) = delete;

    // Lock-free, so that a signal may set it.
    static std::atomic<bool>& seen() {
        static std::atomic<bool> noted = false;
        static_assert(std::atomic<bool>::is_always_lock_free);
        return noted;
    }

  private:
    static constexpr std::array kSignals{SIGINT, SIGTERM};
    static constexpr itimerval kGrace{{0, 0}, {0, 700'000}};  // seconds, microseconds

    static void note(int) {
        if (!seen().exchange(true)) ::setitimer(ITIMER_REAL, &kGrace, nullptr);
    }
    static void end(int) {
        constexpr std::string_view kText =
            "error: The run was interrupted\n"
            "  why:  Ctrl+C was pressed, or it was asked to end\n"
            "  hint: It could not print in time all that it had found\n";
        pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
        [[maybe_unused]] const bool told = ::poll(&standard_error, 1, 0) == 1 &&
                                           ::write(STDERR_FILENO, kText.data(), kText.size()) > 0;
        ::_exit(static_cast<int>(Exit::interrupted));
    }

    std::array<void (*)(int), kSignals.size()> before_{};
};

}  // namespace lab::cli
