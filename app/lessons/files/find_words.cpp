// Finds the words of a glossary in a text.
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "lessons/files/glossary.h"

namespace lab::lessons {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// Latin and Russian letters in their small form, which is as long.
std::string small_letters(std::string_view text) {
    std::string small(text);
    for (std::size_t i = 0; i < small.size(); ++i) {
        const unsigned char lead = byte_at(small, i);
        if (lead < 0x80) {
            small[i] = static_cast<char>(std::tolower(lead));
        } else if (lead == 0xd0 && i + 1 < small.size()) {
            const unsigned char next = byte_at(small, i + 1);
            const auto put = [&](unsigned first, unsigned second) {
                small[i] = static_cast<char>(first);
                small[i + 1] = static_cast<char>(second);
            };
            if (next >= 0x90 && next <= 0x9f) put(0xd0, next + 0x20U);
            if (next >= 0xa0 && next <= 0xaf) put(0xd1, next - 0x20U);
            if (next == 0x81) put(0xd1, 0x91);
            ++i;
        }
    }
    return small;
}

bool is_wide(unsigned char lead) {
    return lead >= 0xe3;  // CJK begins there
}

// Whether the character that ends before `at`, or begins there, is a letter or digit that would go
// on a word.
bool letter_before(std::string_view text, std::size_t at) {
    if (at == 0) return false;
    std::size_t begin = at - 1;
    while (begin > 0 && continues_character(text[begin]))
        --begin;
    const unsigned char lead = byte_at(text, begin);
    return lead < 0x80 ? std::isalnum(lead) != 0 || lead == '_' : lead >= 0xc3 && lead < 0xe2;
}
bool letter_after(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    const unsigned char lead = byte_at(text, at);
    return lead < 0x80 ? std::isalnum(lead) != 0 || lead == '_' : lead >= 0xc3 && lead < 0xe2;
}

bool fits(std::string_view text, std::size_t at, std::string_view form) {
    if (text.substr(at, form.size()) != form) return false;
    const bool wide = std::any_of(form.begin(), form.end(), [](char letter) {
        return is_wide(static_cast<unsigned char>(letter));
    });
    return wide || (!letter_before(text, at) && !letter_after(text, at + form.size()));
}

}  // namespace

WordFinder::WordFinder(const Glossary& glossary) {
    for (std::size_t i = 0; i < glossary.words.size(); ++i)
        for (const std::string& form : glossary.words[i].forms)
            forms_.emplace_back(small_letters(form), i);
    std::stable_sort(forms_.begin(), forms_.end(), [](const auto& one, const auto& other) {
        return one.first.size() > other.first.size();
    });
}

std::vector<FoundWord> WordFinder::find(std::string_view text) const {
    const std::string small = small_letters(text);
    std::vector<FoundWord> found;
    for (std::size_t at = 0; at < small.size();) {
        const auto form = std::find_if(forms_.begin(), forms_.end(), [&](const auto& each) {
            return each.first.front() == small[at] && fits(small, at, each.first);
        });
        if (form == forms_.end()) {
            ++at;
            continue;
        }
        found.push_back({at, form->first.size(), form->second});
        at += form->first.size();
    }
    return found;
}

}  // namespace lab::lessons
