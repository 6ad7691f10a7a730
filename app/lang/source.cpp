#include "lang/source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "base/text.h"
#include "lang/lexer.h"

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

constexpr std::size_t kWidest = 120;  // columns of a quoted line
constexpr std::size_t kBefore = 40;   // of them before the place, where the line is longer

// How many code points `text` has before its byte `bytes`.
static std::size_t columns_before(std::string_view text, std::size_t bytes) {
    std::size_t columns = 0;
    for (std::size_t index = 0; index < std::min(bytes, text.size()); ++columns)
        index += first_code_point(text.substr(index)).length;
    return columns;
}

static std::string_view without_columns(std::string_view text, std::size_t columns) {
    for (; columns > 0 && !text.empty(); --columns)
        text.remove_prefix(first_code_point(text).length);
    return text;
}

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

namespace {

using Severity = Diagnostic::Severity;

std::string quoted(std::string_view line, std::uint32_t column, std::uint32_t length,
                   std::string_view indent) {
    const QuotedLine quote = quote_line(line, column, length);
    return fmt::format("{}{}\n{}{}\n", indent, quote.text, indent, quote.marks);
}

bool known(const Sources& sources, std::uint16_t file, std::uint32_t line) {
    return line > 0 && file < sources.size();
}

std::string where_of(const Place& place, const Sources& sources) {
    if (!known(sources, place.file, place.line)) return {};
    return fmt::format("{}:{}:{}", harmless(sources[place.file].name), place.line, place.column);
}

// For what came from a macro's body: which macro it was and where its characters are spelled.
std::string expansion_of(const Place& place, const Sources& sources) {
    if (!known(sources, place.macro_file, place.macro_line)) return {};
    std::string_view name;
    if (known(sources, place.file, place.line)) {
        const std::string_view line = line_of(sources[place.file], place.line);
        if (place.column - 1 < line.size())
            name = line.substr(place.column - 1, scan(line.substr(place.column - 1)).length);
    }
    const std::string macro = name.empty() ? "a macro" : fmt::format("macro '{}'", harmless(name));
    const Source& source = sources[place.macro_file];
    if (source.name.starts_with('<'))
        return fmt::format("  in the expansion of {}, whose body is from {}\n", macro,
                           harmless(source.name));

    const std::string_view line = line_of(source, place.macro_line);
    std::size_t length = 1;
    if (place.macro_column - 1 < line.size())
        length = scan(line.substr(place.macro_column - 1)).length;
    return fmt::format(
        "  in the expansion of {}: {}:{}:{}\n{}", macro, harmless(source.name), place.macro_line,
        place.macro_column,
        quoted(line, place.macro_column, static_cast<std::uint32_t>(length), "    "));
}

const Diagnostic* first_of(const Diagnostics& diagnostics) {
    const auto& all = diagnostics.all();
    const auto found = std::find_if(all.begin(), all.end(), [](const Diagnostic& one) {
        return one.severity == Severity::error;
    });
    if (found != all.end()) return &*found;
    return all.empty() ? nullptr : all.data();
}

// Lines after the first stand below what Problem writes before the first.
std::string below_why(std::string text) {
    constexpr std::string_view kIndent = "        ";  // as long as "  why:  "
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::string indented;
    for (const char c : text) {
        indented += c;
        if (c == '\n') indented += kIndent;
    }
    return indented;
}

}  // namespace

void Diagnostics::error(const Place& place, std::string message, std::string hint) {
    missing(place, Diagnostic::Missing::no, {}, std::move(message), std::move(hint));
}

void Diagnostics::missing(const Place& place, Diagnostic::Missing what, std::string name,
                          std::string message, std::string hint) {
    if (full()) return;
    for (const Diagnostic& one : all_)
        if (one.severity == Severity::error && place.line > 0 && one.place.line == place.line &&
            one.place.file == place.file)
            return;
    ++errors_;
    all_.push_back(
        {Severity::error, place, std::move(message), std::move(hint), what, std::move(name)});
}

std::vector<Diagnostic> Diagnostics::take_after(std::size_t count) {
    const auto first = all_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Diagnostic> taken(first, all_.end());
    all_.erase(first, all_.end());
    for (const Diagnostic& one : taken)
        if (one.severity == Severity::error) --errors_;
    return taken;
}

void Diagnostics::add(const Diagnostic& diagnostic) {
    if (diagnostic.severity == Severity::error)
        missing(diagnostic.place, diagnostic.missing, diagnostic.name, diagnostic.message,
                diagnostic.hint);
    else
        warning(diagnostic.place, diagnostic.message, diagnostic.hint);
}

void Diagnostics::warning(const Place& place, std::string message, std::string hint) {
    if (all_.size() - errors_ >= kMost) return;
    for (const Diagnostic& one : all_)
        if (one.place == place && one.message == message) return;
    all_.push_back({Severity::warning, place, std::move(message), std::move(hint)});
}

std::string text_of(const Diagnostic& diagnostic, const Sources& sources) {
    const Place& place = diagnostic.place;
    std::string text = where_of(place, sources);
    if (!text.empty()) text += ": ";
    text += diagnostic.severity == Severity::error ? "error: " : "warning: ";
    text += harmless(diagnostic.message);
    text += '\n';
    if (known(sources, place.file, place.line)) {
        text += quoted(line_of(sources[place.file], place.line), place.column, place.length, "  ");
        text += expansion_of(place, sources);
    }
    if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", harmless(diagnostic.hint));
    return text;
}

std::string text_of(const Diagnostics& diagnostics, const Sources& sources) {
    std::string text;
    for (const Diagnostic& one : diagnostics.all())
        text += text_of(one, sources);
    return text;
}

Problem problem_of(const Diagnostics& diagnostics, const Sources& sources) {
    const Diagnostic* first = first_of(diagnostics);
    if (first == nullptr) return {"The kernel text has no errors", "", "", "", Exit::kernel_fault};
    const auto& all = diagnostics.all();
    const std::size_t errors =
        count_if(all, [](const Diagnostic& one) { return one.severity == Severity::error; });
    return {fmt::format("The kernel's text has {}", counted_text(errors, "error")),
            below_why(text_of(diagnostics, sources)), "", where_of(first->place, sources),
            Exit::kernel_fault};
}

}  // namespace lab::lang
