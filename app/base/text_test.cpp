#include "base/text.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

std::string round_trip(std::string_view text) {
    std::string out;
    for (const char32_t code : decode_utf8(text))
        append_utf8(out, code);
    return out;
}

TEST(Utf8, KeepsValidText) {
    for (const char* text : {"", "span = 2", "проход", "第 1 轮", "𝛴 …", "\x7f"})
        EXPECT_EQ(round_trip(text), text);
}

TEST(Utf8, ReplacesEveryBadByte) {
    EXPECT_EQ(decode_utf8("a\xff"
                          "b"),
              U"a\uFFFDb");
    EXPECT_EQ(decode_utf8("\xe7\xac"), U"\uFFFD\uFFFD");            // cut short
    EXPECT_EQ(decode_utf8("\xc0\xaf"), U"\uFFFD\uFFFD");            // overlong
    EXPECT_EQ(decode_utf8("\xed\xa0\x80"), U"\uFFFD\uFFFD\uFFFD");  // a surrogate
    EXPECT_EQ(decode_utf8("\xf4\x90\x80\x80").size(), 4U);          // past the last code point
    EXPECT_EQ(decode_utf8("\x80"), U"\uFFFD");
}

TEST(Utf8, NoByteStringIsTooStrange) {
    std::string bytes;
    for (int i = 0; i < 1024; ++i)
        bytes += static_cast<char>((i * 197 + i / 7) & 0xFF);
    const std::string once = round_trip(bytes);
    EXPECT_EQ(round_trip(once), once);
}

TEST(FindWord, SeesNoPartOfALongerName) {
    EXPECT_EQ(find_word("n", "n"), 0U);
    EXPECT_EQ(find_word("count_n n2 (n)", "n"), 12U);
    EXPECT_EQ(find_word("n + n", "n", 1), 4U);
    EXPECT_EQ(find_word("count_n n2", "n"), std::string_view::npos);
}

TEST(TextLines, EndAtLineEnds) {
    EXPECT_EQ(text_lines(""), (std::vector<std::string_view>{""}));
    EXPECT_EQ(text_lines("a\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
    EXPECT_EQ(text_lines("a\n"), (std::vector<std::string_view>{"a", ""}));
}

TEST(Counted, OneIsNoPlural) {
    EXPECT_EQ(counted_text(0, "row"), "0 rows");
    EXPECT_EQ(counted_text(1, "row"), "1 row");
    EXPECT_EQ(counted_text(2, "row"), "2 rows");
}

TEST(CsvField, IsQuotedWhereItMustBeAndNoFormula) {
    EXPECT_EQ(csv_field("plain text"), "plain text");
    EXPECT_EQ(csv_field(R"(a, "b")"), R"("a, ""b""")");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csv_field("=1+1"), "'=1+1");
    EXPECT_EQ(csv_field("\t=1"), "'\t=1");
}

}  // namespace
}  // namespace lab
