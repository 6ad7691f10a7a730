// Reads a view's part of a saved state.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/problem.h"

namespace lab::session {

// A count within sensible bounds. Throws Problem.
std::uint64_t saved_count(const nlohmann::json& part, const char* key);

// `what`: what it has, as a sentence.
Problem unknown_in_state(const std::string& what);

}  // namespace lab::session
