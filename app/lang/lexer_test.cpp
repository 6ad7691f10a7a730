#include <gtest/gtest.h>

#include "lang/lexer.h"

namespace lab::lang {
namespace {

using Kind = Token::Kind;

struct Lexed {
    Sources sources;
    std::deque<std::string> spliced;
    Diagnostics diagnostics;
    std::vector<Token> tokens;

    explicit Lexed(std::string text) : sources{{"k.cl", std::move(text)}} {
        tokens = lex(sources, 0, spliced, diagnostics);
        for (const Token& token : tokens)
            report_unterminated(token, diagnostics);
    }
    std::string texts() const {
        std::string all;
        for (const Token& token : tokens)
            all += std::string(token.text) + "|";
        return all;
    }
};

TEST(Lexer, TakesTheLongestToken) {
    EXPECT_EQ(Lexed("a>>=b+++c->d...e##f<<g").texts(), "a|>>=|b|++|+|c|->|d|...|e|##|f|<<|g||");
    EXPECT_EQ(Lexed("x.y ..5.z").texts(), "x|.|y|.|.5.z||");
}

TEST(Lexer, KnowsNumbersAsThePreprocessorDoes) {
    const Lexed lexed("0x1fUL 1.5e-3f .5h 0x1p+4 1..2 9e+x 3-4");
    EXPECT_EQ(lexed.texts(), "0x1fUL|1.5e-3f|.5h|0x1p+4|1..2|9e+x|3|-|4||");
    EXPECT_EQ(lexed.tokens[3].kind, Kind::number);
}

TEST(Lexer, StringsAndCharactersKeepTheirQuotes) {
    const Lexed lexed(R"("a \" // b" '\'' "")");
    EXPECT_EQ(lexed.texts(), R"("a \" // b"|'\''|""||)");
    EXPECT_EQ(lexed.tokens[0].kind, Kind::string);
    EXPECT_EQ(lexed.tokens[1].kind, Kind::character);
}

TEST(Lexer, PlacesCountLinesAndBytes) {
    const Lexed lexed("a\n\n  \xc3\xa9 bcd\r\ne");
    ASSERT_EQ(lexed.tokens.size(), 5U);
    EXPECT_EQ(lexed.tokens[1].kind, Kind::unknown);
    EXPECT_EQ(lexed.tokens[1].place, (Place{.line = 3, .column = 3, .length = 2}));
    EXPECT_EQ(lexed.tokens[2].place, (Place{.line = 3, .column = 6, .length = 3}));
    EXPECT_EQ(lexed.tokens[3].place, (Place{.line = 4, .column = 1, .length = 1}));
    EXPECT_EQ(lexed.tokens[4].place, (Place{.line = 4, .column = 2, .length = 0}));
}

TEST(Lexer, CommentsAreSpaceAndEndNoLine) {
    const Lexed lexed("a/* \n */b // c\n/**/d/e");
    EXPECT_EQ(lexed.texts(), "a|b|d|/|e||");
    EXPECT_TRUE(lexed.tokens[0].line_start);
    EXPECT_FALSE(lexed.tokens[0].space_before);
    EXPECT_FALSE(lexed.tokens[1].line_start);
    EXPECT_TRUE(lexed.tokens[1].space_before);
    EXPECT_EQ(lexed.tokens[1].place.line, 2U);
    EXPECT_TRUE(lexed.tokens[2].line_start);
}

TEST(Lexer, BackslashJoinsLines) {
    const Lexed lexed("ab\\\ncd \\\r\n e\\\n + // x \\\n y\n/\\\n* z *\\\n/ f");
    EXPECT_EQ(lexed.texts(), "abcd|e|+|f||");
    EXPECT_EQ(lexed.tokens[0].place, (Place{.line = 1, .column = 1, .length = 2}));
    EXPECT_EQ(lexed.tokens[1].place, (Place{.line = 3, .column = 2, .length = 1}));
    EXPECT_FALSE(lexed.tokens[2].line_start);
    EXPECT_EQ(lexed.spliced.size(), 1U);
}

TEST(Lexer, WhatHasNoEndIsAnError) {
    const Lexed string("\"abc\r\nd");
    EXPECT_EQ(string.texts(), "\"abc|d||");
    EXPECT_EQ(string.tokens[0].kind, Kind::unknown);
    EXPECT_TRUE(string.diagnostics.failed());
    EXPECT_TRUE(Lexed("'\\").diagnostics.failed());
    const Lexed comment("a\n /* b *");
    ASSERT_TRUE(comment.diagnostics.failed());
    EXPECT_EQ(comment.diagnostics.all()[0].place, (Place{.line = 2, .column = 2, .length = 2}));
}

TEST(Lexer, TakesAnyBytes) {
    const Lexed lexed(std::string("a\0\xff\xf0\x9f\x98\x80@\\b`", 11));
    EXPECT_FALSE(lexed.diagnostics.failed());
    ASSERT_EQ(lexed.tokens.size(), 9U);
    EXPECT_EQ(lexed.tokens[1].text.size(), 1U);
    EXPECT_EQ(lexed.tokens[3].text.size(), 4U);
    EXPECT_EQ(Lexed("").tokens.size(), 1U);
    EXPECT_EQ(Lexed("\\\n").tokens.back().place.line, 2U);
    EXPECT_EQ(Lexed("\xef\xbb\xbf# x").tokens[0].line_start, true);
}

TEST(Lexer, ScansOneToken) {
    EXPECT_EQ(scan("abc+").length, 3U);
    EXPECT_EQ(scan(">>=").kind, Kind::punctuation);
    EXPECT_EQ(scan("//").length, 0U);
    EXPECT_EQ(scan(" a").length, 0U);
    EXPECT_EQ(scan("").kind, Kind::end);
}

}  // namespace
}  // namespace lab::lang
