#include "cli/ask.h"

#include <array>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>

#include "base/paths.h"
#include "worker/client.h"

namespace lab::cli {
namespace {

// While it lives, Ctrl+C and a request to end are noted instead of ending the program.
class InterruptsNoted {
  public:
    InterruptsNoted() {
        seen() = 0;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], [](int) { seen() = 1; });
    }
    ~InterruptsNoted() {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            std::signal(kSignals[i], before_[i]);
    }
    InterruptsNoted(const InterruptsNoted&) = delete;
    InterruptsNoted& operator=(const InterruptsNoted&) = delete;

    static bool any() { return seen() != 0; }

  private:
    static volatile std::sig_atomic_t& seen() {
        static volatile std::sig_atomic_t noted = 0;
        return noted;
    }
    static constexpr std::array kSignals{SIGINT, SIGTERM};
    std::array<void (*)(int), kSignals.size()> before_{};
};

}  // namespace

nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const Told& progress, std::chrono::milliseconds limit) {
    std::mutex mutex;
    std::condition_variable arrived;
    bool waiting = false;
    worker::Client::Options options;
    options.program = program_path();
    options.wake = [&] {
        const std::lock_guard lock(mutex);
        waiting = true;
        arrived.notify_one();
    };
    worker::Client client(options);
    std::optional<nlohmann::json> result;
    std::optional<Problem> problem;
    client.send(method, parameters,
                {progress, [&](const nlohmann::json& of) { result = of; },
                 [&](const Problem& of) { problem = of; }},
                limit);
    const InterruptsNoted noted;
    while (!result && !problem) {
        {
            std::unique_lock lock(mutex);
            arrived.wait_for(lock, std::chrono::milliseconds(100), [&] { return waiting; });
            waiting = false;
        }
        client.poll();
        if (InterruptsNoted::any() && !result && !problem)
            throw Problem("The run was interrupted", "Ctrl+C was pressed, or it was asked to end",
                          "What came until then is kept", "", Exit::interrupted);
    }
    if (problem) throw Problem(*problem);
    return *result;
}

}  // namespace lab::cli
