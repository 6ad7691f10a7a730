#include "reductions.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace lab::differential {
namespace {

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// How deep brackets are after the line, against before, and how far they fell below that within it.
// Parentheses count too, for a definition of several lines.
struct Brackets {
    int change = 0, least = 0;
};
Brackets brackets(const std::string& line) {
    Brackets result;
    for (const char letter : line) {
        if (letter == '{' || letter == '(') ++result.change;
        if (letter == '}' || letter == ')') --result.change;
        result.least = std::min(result.least, result.change);
    }
    return result;
}

bool is_kept(const std::string& line) {
    return line.ends_with("// keep");
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The place of the bracket that closes the one at `open`; npos where there is none.
std::size_t closing(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '\'') {  // a character literal, which may be a bracket's
            i = text.find('\'', i + 1);
            if (i == std::string::npos) return i;
        }
        if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
        if (text[i] == ')' || text[i] == ']' || text[i] == '}') {
            if (--depth == 0) return i;
        }
    }
    return std::string::npos;
}

// Parts between operators or commas that are in no brackets.
std::vector<std::string> operands(const std::string& text) {
    std::vector<std::string> parts;
    std::string part;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == '(' || letter == '[' || letter == '{') {
            const std::size_t end = std::min(closing(text, i), text.size() - 1);
            part += text.substr(i, end - i + 1);
            i = end;
        } else if (letter == ',') {
            parts.push_back(trimmed(part));
            part.clear();
        } else if (letter == ' ' && i + 2 < text.size() && !is_word(text[i + 1]) &&
                   text.find(' ', i + 1) <= i + 3) {  // " << ", with one blank each side
            parts.push_back(trimmed(part));
            part.clear();
            i = text.find(' ', i + 1);
        } else {
            part += letter;
        }
    }
    parts.push_back(trimmed(part));
    return parts;
}

// A part of a line that could be something shorter.
struct Part {
    std::size_t first = 0, size = 0;
    std::vector<std::string> instead;
};

Part bracketed(const std::string& line, std::size_t open, std::size_t close) {
    std::size_t word = open;
    while (word > 0 && is_word(line[word - 1]))
        --word;
    const std::string called = line.substr(word, open - word);
    Part part{word, close + 1 - word, operands(line.substr(open + 1, close - open - 1))};
    if (called.empty() || called == "return") {
        part.first = open;
        part.size = close + 1 - open;
        if (part.instead.size() == 1) part.instead.clear();  // (x) for (x) alone is no gain
    }
    if (called.starts_with("safe_")) return {};
    if (called == "if" || called == "switch") {
        part = {open + 1, close - open - 1, {}};
        part.instead = operands(line.substr(part.first, part.size));
        if (part.instead.size() == 1) part.instead.clear();
    }
    part.instead.emplace_back("1");
    return part;
}

std::vector<Part> parts_of(const std::string& line) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '(') continue;
        const std::size_t close = closing(line, i);
        if (close != std::string::npos) parts.push_back(bracketed(line, i, close));
    }
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos && line.ends_with(";")) {
        const std::size_t first = equals + 3;
        Part right{first, line.size() - 1 - first,
                   operands(line.substr(first, line.size() - 1 - first))};
        if (right.instead.size() == 1) right.instead.clear();
        right.instead.emplace_back("1");
        parts.push_back(right);
    }
    return parts;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

bool removable(const std::vector<std::string>& lines, std::size_t first, std::size_t last) {
    int depth = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Brackets here = brackets(lines[i]);
        // A line to keep goes with its block, that is, where braces are open around it.
        if (is_kept(lines[i]) && depth == 0) return false;
        if (depth + here.least < 0) return false;
        depth += here.change;
    }
    return depth == 0;
}

std::size_t block_end(const std::vector<std::string>& lines, std::size_t first) {
    int depth = 0;
    for (std::size_t i = first; i < lines.size(); ++i) {
        depth += brackets(lines[i]).change;
        if (i == first && depth <= 0) return first;
        if (depth <= 0) return i + 1;
    }
    return first;
}

bool has_expressions(const std::string& line) {
    const std::string text = trimmed(line);
    if (text.empty() || text.starts_with("#") || text.starts_with("//")) return false;
    // A guard is worth nothing once its definition changes.
    const bool guard = text.substr(0, text.find('(')).find(" safe_") != std::string::npos;
    if (guard && text.find(") { return ") != std::string::npos) return false;
    // Heads of loops, and what makes an exchange free of races.
    for (const char* head : {"for ", "while ", "do ", "} while ", "kernel ", "__kernel ", "barrier",
                             "global ", "local ", "constant ", "enum ", "typedef ", "event_t "}) {
        if (text.starts_with(head)) return false;
    }
    // Which cells are a work-item's own hangs on its ids.
    for (const char* own : {"const uint gid = ", "const uint lid = ", "const uint first_gid = ",
                            "const uint group_size = ", "wait_group_events"}) {
        if (text.starts_with(own)) return false;
    }
    return true;
}

std::vector<std::string> simpler(const std::string& line) {
    std::vector<Part> parts = parts_of(line);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.size > b.size; });
    std::vector<std::string> forms;
    for (const Part& part : parts) {
        for (const std::string& instead : part.instead) {
            if (instead.empty() || instead.size() >= part.size) continue;
            std::string form = line;
            forms.push_back(form.replace(part.first, part.size, instead));
        }
    }
    return forms;
}

}  // namespace lab::differential
