// Something asked of the worker: what came last, and whether an answer is still to come.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/problem.h"
#include "worker/client.h"

namespace lab::session {

using Clock = std::chrono::steady_clock;

template <typename Answer>
struct Asked {
    std::optional<Answer> answer;    // of the last request that succeeded; kept when one fails
    std::optional<Problem> problem;  // of the last request, if it failed
    bool waiting = false;
};

// Takes an answer into `asked`, which outlives the request, and calls `then`.
template <typename Answer>
worker::Handler handler(Asked<Answer>& asked, std::function<void()> then = {}) {
    worker::Handler made;
    made.result = [&asked, then](const nlohmann::json& result) {
        asked.answer = result.get<Answer>();
        asked.problem.reset();
        asked.waiting = false;
        if (then) then();
    };
    made.problem = [&asked](const Problem& problem) {
        asked.problem = problem;
        asked.waiting = false;
    };
    return made;
}

struct WorkerProcess {
    int process = 0;  // its id; 0 while none runs
    int starts = 0;   // how many there were so far
};

}  // namespace lab::session
