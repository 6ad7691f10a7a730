#include "simulation/argument_guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace lab::simulation {
namespace {

using lang::Parameter;

constexpr std::array kCounts{"n",      "num",   "size",     "count", "len",
                             "length", "total", "elements", "items", "number"};
constexpr std::array kStarts{"offset", "first", "start", "begin", "base", "seed", "round"};

// Of a launch with several dimensions: the sides of what it works on.
constexpr std::array kWidths{"width",  "w", "cols", "columns", "nx",    "pitch",
                             "stride", "m", "k",    "side",    "order", "dim"};
constexpr std::array kHeights{"height", "h", "rows", "ny"};
constexpr std::array kDepths{"depth", "d", "slices", "nz"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "num_items", "nElements" -> {"num", "items"}, {"n", "elements"}
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool hump =
            std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
        if ((c == '_' || hump) && !words.back().empty()) words.emplace_back();
        if (c != '_') words.back() += static_cast<char>(std::tolower(c));
    }
    return words;
}

template <typename Names>
bool names_one_of(std::string_view name, const Names& names) {
    for (const std::string& word : words_of(name))
        for (const char* known : names)
            if (word == known) return true;
    return false;
}

// The text without its comments.
std::string bare(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        if (text.starts_with("//")) {
            text.remove_prefix(std::min(text.find('\n'), text.size()));
        } else if (text.starts_with("/*")) {
            const std::size_t end = text.find("*/", 2);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
            result += ' ';
        } else {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    return result;
}

// Where `name` stands as a word of its own in `text`, from `at` on.
std::size_t find_word(std::string_view text, std::string_view name, std::size_t index) {
    for (index = text.find(name, index); index != std::string_view::npos;
         index = text.find(name, index + 1)) {
        const std::size_t end = index + name.size();
        if ((index == 0 || !is_word(text[index - 1])) &&
            (end >= text.size() || !is_word(text[end])))
            return index;
    }
    return std::string_view::npos;
}

// Whether a cell of it is updated where it lies: out[0] += x, atomic_add(out, x).
bool is_accumulated(const std::string& text, const std::string& name) {
    for (std::size_t index = find_word(text, name, 0); index != std::string::npos;
         index = find_word(text, name, index + 1)) {
        std::size_t end = text.find_first_not_of(" \t\n", index + name.size());
        if (end != std::string::npos && text[end] == '[') {
            for (int depth = 0; end < text.size(); ++end) {
                depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
                if (depth == 0) break;
            }
            end = text.find_first_not_of(" \t\n", std::min(end + 1, text.size()));
            if (end != std::string::npos && end + 1 < text.size()) {
                const bool update =
                    text[end + 1] == '=' &&
                    std::string_view("+-*/|&^").find(text[end]) != std::string_view::npos;
                if (update || text.compare(end, 2, "++") == 0) return true;
            }
        }
        const std::size_t open = text.rfind('(', index);
        if (open == std::string::npos || text.find_first_of(",;)", open) < index) continue;
        std::size_t start = open;
        while (start > 0 && is_word(text[start - 1]))
            --start;
        if (text.compare(start, 4, "atom") == 0) return true;
    }
    return false;
}

}  // namespace

bool is_count(const ArgumentRow& row) {
    return row.kind == Parameter::Kind::value && row.each == 1 && names_one_of(row.name, kCounts);
}

ArgumentGuess::ArgumentGuess(const TextFacts& facts, const UserKernel& kernel)
    : facts_(facts), own_(kernel), elements_(std::max(kernel.global.items(), kGuessedElements)) {
    bool has_const = false;
    std::size_t integers = 0, first_integer = SIZE_MAX;
    for (std::size_t i = facts.parameters.size(); i-- > 0;) {
        const Parameter& parameter = facts.parameters[i];
        if (parameter.kind == Parameter::Kind::buffer && parameter.read_only) has_const = true;
        if (parameter.kind == Parameter::Kind::buffer) input_ = i;
        if (parameter.kind != Parameter::Kind::value || parameter.components.size() != 1 ||
            !lang::is_integer(parameter.type))
            continue;
        ++integers;
        first_integer = i;
        if (names_one_of(parameter.name, kCounts)) count_ = i;
    }
    if (has_const) input_ = SIZE_MAX;
    if (count_ == SIZE_MAX && integers == 1) count_ = first_integer;
}

void ArgumentGuess::fill(ArgumentRow& row, std::size_t place) const {
    if (row.kind == Parameter::Kind::value) {
        row.value = value_of(row, place);
        return;
    }
    row.count = row.kind == Parameter::Kind::local ? std::max<std::uint64_t>(1, own_.local.items())
                                                   : elements_;
    if (row.kind == Parameter::Kind::buffer) row.fill = fill_of(row, place);
}

std::string ArgumentGuess::fill_of(const ArgumentRow& row, std::size_t place) const {
    const Parameter& parameter = facts_.parameters[place];
    const bool bytes = row.each > 1 || parameter.type == lang::Scalar::uchar;
    if (parameter.read_only || place == input_) return bytes ? "0" : "ramp";
    const bool flags = parameter.type_name.find("volatile") != std::string::npos;
    return flags || is_accumulated(bare(own_.text), row.name) ? "0" : "";
}

std::string ArgumentGuess::value_of(const ArgumentRow& row, std::size_t place) const {
    if (own_.global.dims > 1 && row.each == 1) {
        const Coordinates& sides = own_.global.sizes;
        if (names_one_of(row.name, kHeights)) return std::to_string(sides[1]);
        if (names_one_of(row.name, kDepths)) return std::to_string(sides[2]);
        const bool side = place == count_ || names_one_of(row.name, kCounts);
        if (side || names_one_of(row.name, kWidths)) return std::to_string(sides[0]);
    }
    if (place == count_) return std::to_string(elements_);
    const std::string each = names_one_of(row.name, kStarts)   ? "0"
                             : names_one_of(row.name, kCounts) ? std::to_string(elements_)
                                                               : "1";
    return fmt::format("{}", fmt::join(std::vector<std::string>(row.each, each), ","));
}

}  // namespace lab::simulation
