// A request to a worker of this program's own: what a driver or a kernel does there, crash or hang,
// ends that process and comes back as a Problem.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace lab::cli {

using Told = std::function<void(const nlohmann::json&)>;

// The result of `method` with `parameters`, as server::methods() has it. Throws Problem. `limit`:
// the longest time without a sign of life.
nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const Told& progress = {},
                   std::chrono::milliseconds limit = std::chrono::seconds(120));

}  // namespace lab::cli
