#include "base/messages.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

namespace lab {
constexpr int kDeepest = 4;              // sentences in sentences; deeper ones stay English
constexpr std::size_t kMostKnown = 500;  // translations that are kept; then they are made anew

static bool is_gap(std::string_view name) {
    return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
                                std::string_view::npos;
}

static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

Terms::Terms(const nlohmann::json& table, std::string_view language)
    : cuda_(true), forms_(table.at(std::string(language))), english_(table.at("en")) {}

std::string Terms::resolved(std::string_view text) const {
    std::string result;
    while (true) {
        const std::size_t open = text.find("[["), close = text.find("]]", open);
        if (close == std::string_view::npos) return result += text;
        const std::string_view mark = text.substr(open + 2, close - open - 2);
        const std::size_t bar = mark.find('|');
        const auto form = cuda_ && bar == std::string_view::npos ? forms_.find(mark) : forms_.end();
        result += text.substr(0, open);
        result += form != forms_.end()                     ? form->second
                  : cuda_ && bar != std::string_view::npos ? mark.substr(bar + 1)
                                                           : mark.substr(0, bar);
        text.remove_prefix(close + 2);
    }
}

std::string Terms::renamed(std::string_view english) const {
    if (!cuda_) return std::string(english);
    std::string result;
    for (char before = '\n'; !english.empty(); before = result.back()) {
        std::size_t length = 1;
        if (before == '\n' && english.front() == ' ') {
            length = std::min(english.find('\n'), english.size() - 1) + 1;
        } else if (!in_name(before)) {
            // The last one that fits is the longest.
            const auto form = std::find_if(english_.rbegin(), english_.rend(), [&](auto& each) {
                const std::size_t size = each.first.size();
                return english.starts_with(each.first) &&
                       (english.size() == size || !in_name(english[size]));
            });
            if (form != english_.rend()) {
                result += form->second;
                english.remove_prefix(form->first.size());
                continue;
            }
            const std::size_t close = english.find('\'', 1);
            if (english.front() == '\'' && close != std::string_view::npos) length = close + 1;
        }
        result += english.substr(0, length);
        english.remove_prefix(length);
    }
    return result;
}

// Braces around anything else are braces.
std::vector<Messages::Part> Messages::parts_of(std::string_view pattern) {
    std::vector<Part> parts(1);
    while (!pattern.empty()) {
        const std::size_t close = pattern.find('}');
        if (pattern.front() == '{' && close != std::string_view::npos &&
            is_gap(pattern.substr(1, close - 1))) {
            parts.back().gap = pattern.substr(1, close - 1);
            parts.emplace_back();
            pattern.remove_prefix(close + 1);
        } else {
            parts.back().before += pattern.front();
            pattern.remove_prefix(1);
        }
    }
    return parts;
}

Messages::Messages(const nlohmann::json& table, std::string_view language, Terms terms)
    : terms_(std::move(terms)) {
    for (const auto& [english, texts] : table.items()) {
        if (language == "en" && !texts.contains("en")) continue;
        Sentence sentence;
        sentence.english = parts_of(english);
        sentence.text =
            parts_of(terms_.resolved(texts.at(std::string(language)).get<std::string>()));
        for (const Part& part : sentence.english)
            sentence.letters += part.before.size();
        sentences_.push_back(std::move(sentence));
    }
    std::stable_sort(sentences_.begin(), sentences_.end(),
                     [](const auto& a, const auto& b) { return a.letters > b.letters; });
}

bool Messages::fits(const Sentence& sentence, std::string_view line,
                    std::vector<std::string_view>& gaps) {
    const std::vector<Part>& parts = sentence.english;
    gaps.clear();
    if (line.size() < sentence.letters || !line.starts_with(parts.front().before) ||
        !line.ends_with(parts.back().before))
        return false;
    if (parts.size() == 1) return line.size() == sentence.letters;
    line.remove_suffix(parts.back().before.size());
    line.remove_prefix(parts.front().before.size());
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
        const std::size_t found = line.find(parts[i].before);
        if (found == std::string_view::npos) return false;
        gaps.push_back(line.substr(0, found));
        line.remove_prefix(found + parts[i].before.size());
    }
    gaps.push_back(line);
    return true;
}

bool Messages::add(std::string& result, std::string_view line, int depth) const {
    std::vector<std::string_view> gaps;
    for (const Sentence& sentence : sentences_) {
        if (!fits(sentence, line, gaps)) continue;
        std::string text;
        bool whole = true;
        for (const Part& part : sentence.text) {
            text += part.before;
            const auto same = [&](const Part& each) { return each.gap == part.gap; };
            const auto gap = std::find_if(sentence.english.begin(), sentence.english.end(), same);
            if (part.gap.empty() || gap == sentence.english.end()) continue;
            const std::string_view value =
                gaps[static_cast<std::size_t>(gap - sentence.english.begin())];
            if (!part.gap.starts_with("said"))
                text += value;
            else if (depth == 0 || !add(text, value, depth - 1))
                whole = false;
        }
        if (!whole) continue;
        result += text;
        return true;
    }
    return false;
}

const std::string& Messages::translated(std::string_view english) const {
    if (const auto found = known_.find(english); found != known_.end()) return found->second;
    if (known_.size() >= kMostKnown) known_.clear();
    return known_.emplace(english, by_lines(english)).first->second;
}

std::string Messages::by_lines(std::string_view english) const {
    std::string result;
    while (true) {
        const std::size_t end = english.find('\n');
        const std::string_view line = english.substr(0, end);
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        result += line.substr(0, indent);
        if (!add(result, line.substr(indent), kDeepest))
            result += indent == 0 ? terms_.renamed(line) : line.substr(indent);
        if (end == std::string_view::npos) break;
        result += '\n';
        english.remove_prefix(end + 1);
    }
    return result;
}

}  // namespace lab
