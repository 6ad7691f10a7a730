// Wrong kernels, and every word that is said about them, in every language.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "lang/compile.h"
#include "support/translated_texts.h"

namespace lab::lang {

struct Wrong {
    const char* text;
    const char* says;
};

inline std::string said_of(const std::string& text, const std::string& macros = {}) {
    const Compiled compiled = compile({"k.cl", text, macros});
    EXPECT_FALSE(compiled.code) << text;
    for (const Diagnostic& each : compiled.diagnostics.all()) {
        expect_translated(each.message);
        expect_translated(each.hint);
    }
    return text_of(compiled.diagnostics, compiled.sources);
}

inline void check(std::span<const Wrong> all) {
    for (const Wrong& wrong : all)
        EXPECT_EQ(said_of(wrong.text), wrong.says) << wrong.text;
}

}  // namespace lab::lang
