// What a worker answers, into the Asked that waits for it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "session/shell/asked.h"
#include "worker/client.h"

namespace lab::session {

// Takes an answer into `asked`, which outlives the request, and calls `then`.
template <typename Answer>
worker::Handler handler(Asked<Answer>& asked, std::function<void()> then = {}) {
    worker::Handler handler;
    handler.result = [&asked, then](const nlohmann::json& result) {
        asked.answer = result.get<Answer>();
        asked.problem.reset();
        asked.waiting = false;
        if (then) then();
    };
    handler.problem = [&asked](const Problem& problem) {
        asked.problem = problem;
        asked.waiting = false;
    };
    return handler;
}

}  // namespace lab::session
