#include "base/json_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace lab {
namespace {

// "[json.exception.type_error.302] type must be …": without the library's own name of it.
std::string_view plain(std::string_view message) {
    const auto end = message.find("] ");
    return message.starts_with("[json.exception") && end != message.npos ? message.substr(end + 2)
                                                                         : message;
}

std::string capital(std::string_view text) {
    std::string result(text);
    if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
        result[0] = static_cast<char>(result[0] - 'a' + 'A');
    return result;
}

// "line 3, column 5 (byte 41)", all counted from 1; `byte` likewise.
std::string place(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto begin = before.rfind('\n');
    const std::size_t column = before.size() - (begin == before.npos ? 0 : begin + 1) + 1;
    return fmt::format("line {}, column {} (byte {})", lines + 1, column, before.size() + 1);
}

// "parse error at line 3, column 5: syntax error while …": what follows the place.
std::string_view reason(std::string_view message) {
    const auto end = message.find(": ");
    return end == message.npos ? message : message.substr(end + 2);
}

}  // namespace

std::string json_trouble(const nlohmann::json::exception& error, std::string_view text) {
    const std::string_view message = plain(error.what());
    const auto* parse = dynamic_cast<const nlohmann::json::parse_error*>(&error);
    if (parse == nullptr) {
        constexpr std::string_view kKey = "key '", kMissing = "' not found";
        if (message.starts_with(kKey) && message.ends_with(kMissing))
            return fmt::format(
                "It has no '{}'",
                message.substr(kKey.size(), message.size() - kKey.size() - kMissing.size()));
        return "A value is not of the kind it has to be: " + std::string(message);
    }
    if (trimmed(text).empty()) return "It is empty";
    if (parse->byte > text.size())
        return fmt::format("It ends in the middle, at {}", place(text, text.size() + 1));
    return fmt::format("{} is no JSON: {}", capital(place(text, parse->byte)), reason(message));
}

}  // namespace lab
