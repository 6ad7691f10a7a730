// Notes Ctrl+C and termination requests instead of ending the program.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace lab::cli {

// While it lives.
class InterruptsNoted {
  public:
    InterruptsNoted() {
        seen() = false;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], [](int) { seen() = true; });
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
    std::array<void (*)(int), kSignals.size()> before_{};
};

}  // namespace lab::cli
