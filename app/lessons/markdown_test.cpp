#include <gtest/gtest.h>

#include "lessons/markdown.h"

namespace lab::lessons {
namespace {

TEST(Markdown, BlocksHaveTheirLines) {
    const std::vector<Block> blocks = read_markdown(
        "## One\n\nWords\nand more.\n\n```show\nn: 8\n```\n\n## Two\n\n~~~~ask  results\n~~~~\n");
    ASSERT_EQ(blocks.size(), 5U);
    EXPECT_EQ(blocks[0].level, 2U);
    EXPECT_EQ(blocks[0].line, 1U);
    EXPECT_EQ(plain_text(blocks[1].paragraph), "Words and more.");
    EXPECT_EQ(blocks[2].kind, Block::Kind::fence);
    EXPECT_EQ(blocks[2].info, "show");
    EXPECT_EQ(blocks[2].body, "n: 8\n");
    EXPECT_EQ(blocks[2].line, 6U);
    EXPECT_EQ(blocks[3].line, 10U);
    EXPECT_EQ(blocks[4].line, 12U);
    EXPECT_EQ(blocks[4].info, "ask  results");
    EXPECT_EQ(blocks[4].body, "");
}

TEST(Markdown, ABlockBelowTheFrontMatterCountsFromTheFile) {
    EXPECT_EQ(read_markdown("\n## One\n", 5)[0].line, 6U);
}

TEST(Markdown, StylesBecomeSpans) {
    const Text text = read_text("a **b** *c* `d {e}` [f](http://g)");
    ASSERT_EQ(text.size(), 1U);
    std::string bold, italic, code, link;
    for (const Span& span : text[0].spans) {
        if (span.bold) bold += span.text;
        if (span.italic) italic += span.text;
        if (span.code) code += span.text;
        if (!span.link.empty()) link += span.text + span.link;
    }
    EXPECT_EQ(bold, "b");
    EXPECT_EQ(italic, "c");
    EXPECT_EQ(code, "d {e}");
    EXPECT_EQ(link, "fhttp://g");
}

TEST(Markdown, ListsAreParagraphsWithASign) {
    const std::vector<Block> blocks = read_markdown("- a\n- b\n\nwords\n\n3. c\n4. d\n");
    ASSERT_EQ(blocks.size(), 5U);
    EXPECT_TRUE(blocks[0].begins_list);
    EXPECT_FALSE(blocks[1].begins_list);
    EXPECT_EQ(blocks[1].paragraph.kind, Paragraph::Kind::bullet);
    EXPECT_EQ(blocks[3].paragraph.kind, Paragraph::Kind::numbered);
    EXPECT_EQ(blocks[3].paragraph.number, 3U);
    EXPECT_EQ(blocks[4].paragraph.number, 4U);
}

TEST(Markdown, WhatLooksLikeHtmlIsText) {
    EXPECT_EQ(plain_text(read_text("if <b>a</b> < 3 && b > 2 &amp; \\*")),
              "if <b>a</b> < 3 && b > 2 &amp; *\n");
}

TEST(Markdown, CornersAreReadAndNothingIsLost) {
    EXPECT_TRUE(read_markdown("").empty());
    EXPECT_TRUE(read_markdown("\n\n  \n").empty());
    // A fence that never ends goes to the end of the file.
    const std::vector<Block> open = read_markdown("```show\nn: 8\n\n## P\n");
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].body, "n: 8\n\n## P\n");
    // A nested list, a quote and a rule.
    EXPECT_FALSE(read_markdown("- a\n  - b\n    - c\n\n> quoted\n\n---\n\n* * *\n").empty());
    // Bytes that are no UTF-8, and a NUL.
    EXPECT_FALSE(read_markdown(std::string("a\xff\xfe\0b", 5)).empty());
    EXPECT_FALSE(read_markdown(std::string(10000, '[')).empty());
    EXPECT_FALSE(read_markdown(std::string(10000, '>')).empty() && read_markdown("> a").empty());
}

}  // namespace
}  // namespace lab::lessons
