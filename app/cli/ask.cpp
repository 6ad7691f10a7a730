#include "cli/ask.h"

#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/paths.h"
#include "cli/interrupts.h"
#include "worker/client.h"

namespace lab::cli {
nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress, std::chrono::milliseconds limit) {
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
                {progress, [&](const nlohmann::json& object) { result = object; },
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
        if (InterruptsNoted::seen() && !result && !problem)
            throw Problem("The run was interrupted", "Ctrl+C was pressed, or it was asked to end",
                          "What came until then is kept", "", Exit::interrupted);
    }
    if (problem) throw Problem(*problem);
    return *result;
}

}  // namespace lab::cli
