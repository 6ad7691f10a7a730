#include "lessons/prose.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/text.h"

namespace lab::lessons {
namespace {

// True for what words are made of in languages with room between them: ASCII and, by its first
// byte, Cyrillic.
bool is_letter(char first) {
    return std::isalnum(static_cast<unsigned char>(first)) != 0 || first == '_' || first == '-' ||
           first == '\xd0' || first == '\xd1';
}

char last_letter(std::string_view text) {
    while (text.size() > 1 && (text.back() & '\xc0') == '\x80')
        text.remove_suffix(1);
    return text.empty() ? ' ' : text.back();
}

// Of code, a gap for a value or a link's address, from its beginning; 0: it is none.
std::size_t length_of_code(std::string_view text) {
    std::string_view end = "}";
    if (text.starts_with("]("))
        end = ")";
    else if (text.front() == '`')
        end = text.substr(0, text.find_first_not_of('`'));
    else if (text.front() != '{')
        return 0;
    const std::size_t close = text.find(end, end.size());
    return close == std::string_view::npos ? 0 : close + end.size();
}

}  // namespace

Prose::Prose(std::string_view language, Api api) {
    if (api == Api::opencl) return;
    const auto table = nlohmann::json::parse(
        read_file((data_folder() / "assets" / "lang" / "terms.json").string()));
    terms_ = Terms(table, language);
    for (const nlohmann::json& forms :
         {table.at(std::string(language)), table.at("lessons").at(std::string(language))})
        for (const auto& [form, text] : forms.items())
            forms_[form] = text;
}

const std::pair<const std::string, std::string>* Prose::form_at(std::string_view text,
                                                                std::string_view before) const {
    if (is_letter(text.front()) && is_letter(last_letter(before))) return nullptr;
    // Those that begin with the same letter, of two bytes in Cyrillic.
    const std::string_view first = text.substr(0, 2);
    for (auto at = forms_.lower_bound(std::string(first) + '\xff');
         at != forms_.end() && at->first.starts_with(first); ++at) {
        const std::string& of = at->first;
        // One of several words may go over the end of a line.
        if (text.size() >= of.size() &&
            std::equal(of.begin(), of.end(), text.begin(),
                       [](char a, char b) { return a == b || (a == ' ' && b == '\n'); }) &&
            !(is_letter(last_letter(of)) && text.size() > of.size() && is_letter(text[of.size()])))
            return &*at;
    }
    return nullptr;
}

std::string Prose::said(std::string_view words) const {
    std::string result;
    while (!words.empty()) {
        const std::size_t close = words.starts_with("[[") ? words.find("]]") : words.npos;
        std::size_t length = length_of_code(words);
        if (close != words.npos) {
            length = close + 2;
            result += terms_.resolved(words.substr(0, length));
        } else if (length > 0) {
            result += words.substr(0, length);
        } else if (const auto* form = form_at(words, result)) {
            length = form->first.size();
            // As many lines as before, so that a problem has its place.
            if (words.substr(0, length).find('\n') != words.npos) {
                if (result.ends_with(' ')) result.pop_back();
                result += '\n';
            }
            result += form->second;
        } else {
            length = 1;
            result += words.front();
        }
        words.remove_prefix(length);
    }
    return result;
}

}  // namespace lab::lessons
