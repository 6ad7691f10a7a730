#include "host/cpp_lines.h"

#include <algorithm>

namespace lab::host {
namespace {

constexpr std::size_t kIndent = 4;

// Where a line is broken best: after a comma, = or ;, or before an operator that joins much.
bool reads_well(std::string_view line, std::size_t blank) {
    const std::string_view before = line.substr(0, blank), after = line.substr(blank + 1);
    if (before.ends_with(',') || before.ends_with(" =") || before.ends_with(';')) return true;
    for (const char* joint : {"?", ":", "<<", "&&", "||", "- "})
        if (after.starts_with(joint)) return true;
    return false;
}

// The best blank of a line up to `most`, outside of quotes and comments; 0: none. Of those that
// read well the last that is in the fewest parentheses.
std::size_t break_in(std::string_view line, std::size_t most) {
    std::size_t any = 0, good = 0;
    int depth = 0, least = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < std::min({line.size(), most + 1, line.find("//")}); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        if (quoted) continue;
        if (line[i] == '(' || line[i] == '{') ++depth;
        if (line[i] == ')' || line[i] == '}') --depth;
        if (line[i] != ' ' || line.find_first_not_of(' ') > i) continue;
        any = i;
        if (!reads_well(line, i) || (good != 0 && depth > least)) continue;
        good = i;
        least = depth;
    }
    return good != 0 ? good : any;
}

}  // namespace

void CppLines::add(int depth, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        add_line(depth, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void CppLines::add_line(int depth, std::string_view line) {
    if (line.empty()) return add_empty();
    std::size_t indent = kIndent * static_cast<std::size_t>(depth);
    // What follows a break is indented from where the statement starts.
    const std::size_t own = line.find_first_not_of(' ');
    for (bool first = true;; first = false) {
        text_.append(indent, ' ');
        const std::size_t at =
            indent + line.size() > kColumns ? break_in(line, kColumns - indent) : 0;
        text_ += line.substr(0, at == 0 ? line.size() : at);
        text_ += '\n';
        if (at == 0) return;
        line.remove_prefix(at + 1);
        if (first) indent += own + kIndent;
    }
}

std::string comment(std::string_view words) {
    std::string text;
    while (!words.empty()) {
        std::size_t end = words.size();
        if (end > kColumns - 3) end = words.rfind(' ', kColumns - 3);
        end = std::min(end, words.size());
        text += "// " + std::string(words.substr(0, end)) + "\n";
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return text;
}

}  // namespace lab::host
