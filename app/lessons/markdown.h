// Reads CommonMark into headings, paragraphs and fenced blocks, each with its line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
namespace lab::lessons {

struct Block {
    enum class Kind : std::uint8_t { heading, paragraph, fence } kind = Kind::paragraph;
    std::uint32_t line = 0;    // of the text, from 1; of a fence: of its opening line
    std::uint32_t level = 0;   // of a heading
    Paragraph paragraph;       // of a heading or paragraph
    bool begins_list = false;  // the first item of a list
    std::string info, body;    // of a fence
};

// `first_line`: the number of the text's first line. Throws Problem only if memory runs out.
std::vector<Block> read_markdown(std::string_view text, std::uint32_t first_line = 1);

// The same for the inside of a fence whose words are Markdown.
Text read_text(std::string_view text, std::uint32_t first_line = 1);

// Whether it was meant as a table, which no page shows.
bool is_table(const Paragraph& paragraph);

}  // namespace lab::lessons
