// Something asked of the worker: what came last, and whether an answer is still to come.
#pragma once

#include <chrono>
#include <optional>

#include "base/problem.h"

namespace lab::session {

using Clock = std::chrono::steady_clock;

template <typename Answer>
struct Asked {
    std::optional<Answer> answer;    // of the last request that succeeded; kept when one fails
    std::optional<Problem> problem;  // of the last request, if it failed
    bool waiting = false;
};

struct WorkerProcess {
    int process = 0;  // its id; 0 while none runs
    int starts = 0;   // how many there were so far
};

}  // namespace lab::session
