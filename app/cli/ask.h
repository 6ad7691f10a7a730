// Sends a request to a worker process: if a driver or a kernel crashes or hangs there, only that
// process ends, and a Problem comes back.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace lab::cli {

using OnProgress = std::function<void(const nlohmann::json&)>;

// The result of `method` with `parameters`, as server::methods() has it. Throws Problem. `limit`:
// the longest time without a sign of life.
nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress = {},
                   std::chrono::milliseconds limit = std::chrono::seconds(120));

}  // namespace lab::cli
