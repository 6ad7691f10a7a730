// Explains what is wrong with JSON that the user may have edited, and where.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lab {

// A phrase for Problem::why: "Line 3, column 5 (byte 41) is no JSON: unexpected ']'; …", or what is
// missing or has the wrong type. `text` is what was read.
std::string json_trouble(const nlohmann::json::exception& error, std::string_view text);

}  // namespace lab
