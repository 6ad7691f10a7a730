// What is wrong with JSON that a person may have edited, in words and with the place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lab {

// A phrase for Problem::why: "Line 3, column 5 (byte 41) is no JSON: unexpected ']'; …", or what is
// missing, or of another kind than it should be. `text` is what was read.
std::string json_trouble(const nlohmann::json::exception& error, std::string_view text);

}  // namespace lab
