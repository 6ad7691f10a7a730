#include "lang/quote.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace lab::lang {
namespace {

constexpr std::size_t kWidest = 120;  // columns of a quoted line
constexpr std::size_t kBefore = 40;   // of them before the place, where the line is longer

// How many code points `text` has before its byte `bytes`.
std::size_t columns_before(std::string_view text, std::size_t bytes) {
    std::size_t columns = 0;
    for (std::size_t index = 0; index < std::min(bytes, text.size()); ++columns)
        index += first_code_point(text.substr(index)).length;
    return columns;
}

std::string_view without_columns(std::string_view text, std::size_t columns) {
    for (; columns > 0 && !text.empty(); --columns)
        text.remove_prefix(first_code_point(text).length);
    return text;
}

}  // namespace

std::string harmless(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (printable(point) || point.value == '\t')
            safe += text.substr(0, point.length);
        else
            safe += '?';
        text.remove_prefix(point.length);
    }
    return safe;
}

QuotedLine quote_line(std::string_view line, std::uint32_t column, std::uint32_t length) {
    const std::size_t begin = std::min<std::size_t>(std::max(column, 1U) - 1, line.size());
    const std::size_t before = columns_before(line, begin);
    const std::size_t marked = columns_before(line.substr(begin), length);

    std::size_t first = 0;  // the window's first column
    if (columns_before(line, line.size()) > kWidest && before + marked > kWidest - 3)
        first = before > kBefore ? before - kBefore : 0;
    std::string_view window = without_columns(line, first);
    const std::string_view rest = without_columns(window, kWidest);
    window.remove_suffix(rest.size());
    const std::string_view head = first > 0 ? "..." : "";
    const std::string_view tail = rest.empty() ? "" : "...";

    std::string marks(head.size(), ' ');
    std::size_t index = first;
    for (std::string_view left = window; !left.empty() && index < before + marked; ++index) {
        const CodePoint point = first_code_point(left);
        const char mark = index < before ? ' ' : index == before ? '^' : '~';
        marks += point.value == '\t' && index != before ? '\t' : mark;
        left.remove_prefix(point.length);
    }
    if (index == before) marks += '^';
    return {fmt::format("{}{}{}", head, harmless(window), tail), std::move(marks)};
}

}  // namespace lab::lang
