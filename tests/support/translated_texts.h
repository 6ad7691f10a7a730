// Whether what is said in English reaches a Chinese or Russian user in their language.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <regex>
#include <string>

#include "base/problem.h"
#include "base/translations.h"

namespace lab {

// Three English words in a row, outside of what is quoted as code.
inline bool has_english(const std::string& text) {
    static const std::regex quoted(
        "“[^”]*”|«[^»]*»|'[^']*'|`[^`]*`|\\([^)]*\\)|kernel void .*|#error.*");
    static const std::regex words("[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}");
    return std::regex_search(std::regex_replace(text, quoted, " "), words);
}

// The texts of a language, read once: to read them takes as long as to draw a figure.
inline const Translations& translations_in(const std::string& language) {
    static std::map<std::string, Translations> read;
    const auto found = read.find(language);
    if (found != read.end()) return found->second;
    ::setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    return read.emplace(language, Translations(language)).first->second;
}

inline void expect_translated(const std::string& english) {
    if (english.empty() || english.starts_with("#error")) return;  // those are the user's words
    for (const char* language : {"ru", "zh"}) {
        const std::string text = translations_in(language).message(english);
        EXPECT_NE(text, english) << language;
        EXPECT_FALSE(has_english(text)) << language << ": " << text;
    }
}

// Each line but those of quoted code.
inline void expect_translated(const Problem& problem) {
    for (const char* language : {"ru", "zh"}) {
        const Problem shown = translated(problem, translations_in(language));
        for (const std::string& part : {shown.what_happened, shown.why, shown.hint})
            EXPECT_FALSE(has_english(part)) << language << ": " << part;
        EXPECT_NE(shown.what_happened, problem.what_happened) << language;
    }
}

}  // namespace lab
