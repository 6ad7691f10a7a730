// What can be asked for in JSON and needs no device.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "catalogue/kernel.h"

namespace lab::simulation {

// The shipped kernels, read again, with those of the request: "opened": [{"file", "text"}].
catalogue::Catalogue kernels_for(const nlohmann::json& asked);
// The one kernel that it is about: "variant", an id of these, or "own", a form.
catalogue::Kernel kernel_for(const nlohmann::json& asked);

// Every result over all schedules of the machine: {"variant", "shape", "machine"}, or {"own",
// "machine"} for a user kernel; "states", "bytes" and "samples" bound the search. Returns
// analysis::Outcomes; `on_progress` gets {"states", "samples", "results"}, counts so far. Throws
// Problem.
nlohmann::json outcomes_asked(const nlohmann::json& asked,
                              const std::function<void(const nlohmann::json&)>& on_progress);

// An order in which a variant that races by its header goes wrong, where the usual one is right:
// {"variant", "shape", "machine"}. Returns {"lanes", "resident", "turns"}, or null if none was
// found. Throws Problem.
nlohmann::json wrong_order_asked(const nlohmann::json& asked,
                                 const std::function<void(const nlohmann::json&)>& on_progress);

}  // namespace lab::simulation
