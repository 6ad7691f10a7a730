#include "catalogue/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/problem.h"

namespace lab::catalogue {
namespace {

struct Key {
    const char* name;
    bool repeats;
};
// clang-format off
constexpr std::array kKeys{
    Key{"title", false},  Key{"chapter", false}, Key{"origin", false}, Key{"teaches", false},
    Key{"entry", false},  Key{"plan", false},    Key{"pass", false},   Key{"args", false},
    Key{"global", false}, Key{"local", false},   Key{"result", false}, Key{"depth", false},
    Key{"group", false},  Key{"legal", true},    Key{"needs", false},  Key{"expect", false},
    Key{"every", false},  Key{"rounds", false},  Key{"stuck", false},  Key{"toggle", true},
    Key{"shape", true},   Key{"tune", false},    Key{"after", false},  Key{"gain", false},
    Key{"why", false},    Key{"pair", false},
};
// clang-format on

}  // namespace

void refuse(const HeaderLine& line, std::string why, std::string hint) {
    throw Problem(fmt::format("The header's key '{}' cannot be read", line.key), std::move(why),
                  std::move(hint), line.where);
}

Header::Header(std::string file, std::string_view text) : file_(std::move(file)) {
    const auto open = text.find_first_not_of(" \t\r\n");
    const auto close = text.find("*/");
    if (open == std::string_view::npos || !text.substr(open).starts_with("/*") ||
        close == std::string_view::npos)
        throw Problem("The kernel file has no header", "It does not start with a comment /* … */",
                      "Start it with the keys that docs/kernels.md lists, title: first",
                      fmt::format("{}:1", file_));
    auto number = static_cast<int>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), '\n'));
    std::size_t key_column = 0;
    for (std::size_t index = open; index < close;) {
        const auto end = std::min(text.find('\n', index), close);
        std::string_view line = text.substr(index, end - index);
        index = end + 1;
        ++number;
        // What stands before the key: blanks, and the comment's own /* or *.
        const auto content = line.find_first_not_of(" \t/*");
        if (content == std::string_view::npos || trimmed(line.substr(content)).empty()) continue;
        line = line.substr(content);
        const std::string where = fmt::format("{}:{}", file_, number);
        if (lines_.empty()) key_column = content;
        if (content > key_column) {
            lines_.back().value += " ";
            lines_.back().value += trimmed(line);
            continue;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            throw Problem("A line of the header has no key", fmt::format("'{}'", trimmed(line)),
                          "Write key: value, or indent the line if it goes on from the one above",
                          where);
        lines_.push_back({std::string(trimmed(line.substr(0, colon))),
                          std::string(trimmed(line.substr(colon + 1))), where});
    }
}

void Header::check_keys() const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const HeaderLine& line = lines_[i];
        const auto* known = std::find_if(kKeys.begin(), kKeys.end(),
                                         [&](const Key& key) { return line.key == key.name; });
        if (known == kKeys.end()) {
            std::vector<const char*> names;
            names.reserve(kKeys.size());
            for (const Key& key : kKeys)
                names.push_back(key.name);
            throw Problem(fmt::format("The header's key '{}' is unknown", line.key), "",
                          fmt::format("The keys are {}", fmt::join(names, ", ")), line.where);
        }
        for (std::size_t j = 0; j < i && !known->repeats; ++j)
            if (lines_[j].key == line.key)
                throw Problem(fmt::format("The header's key '{}' is given twice", line.key), "",
                              "Keep one of them", line.where);
    }
}

const HeaderLine& Header::need(std::string_view key) const {
    for (const HeaderLine& line : lines_)
        if (line.key == key) {
            if (line.value.empty())
                throw Problem(fmt::format("The header's key '{}' has no value", key), "",
                              "Write a value after the colon", line.where);
            return line;
        }
    throw Problem(fmt::format("The header's key '{}' is missing", key), "",
                  fmt::format("Add a line '{}: …' to the header", key), fmt::format("{}:1", file_));
}

const HeaderLine* Header::find(std::string_view key) const {
    for (const HeaderLine& line : lines_)
        if (line.key == key) return &need(key);
    return nullptr;
}

std::vector<HeaderLine> Header::all(std::string_view key) const {
    std::vector<HeaderLine> found;
    for (const HeaderLine& line : lines_)
        if (line.key == key) found.push_back(line);
    return found;
}

}  // namespace lab::catalogue
