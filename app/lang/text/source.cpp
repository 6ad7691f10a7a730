#include "lang/text/source.h"

#include <algorithm>

namespace lab::lang {

Place joined(const Place& a, const Place& b) {
    if (a.line == 0 || a.file != b.file || a.line != b.line) return a;
    Place both = a;
    const std::uint32_t end = std::max(a.column + a.length, b.column + b.length);
    both.length = end - a.column;
    return both;
}

std::string_view line_of(const Source& source, std::uint32_t line) {
    if (line == 0) return {};
    std::string_view rest = source.text;
    for (; line > 1; --line) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return {};
        rest.remove_prefix(end + 1);
    }
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return rest;
    return rest.substr(0, end > 0 && rest[end - 1] == '\r' ? end - 1 : end);
}

}  // namespace lab::lang
