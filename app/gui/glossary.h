// Words on screen: the text of lessons and of the glossary, in which words of the glossary are
// marked; the card of such a word, with the run that shows it, beside it while the mouse is on it,
// and in a list of all.
#pragma once

#include <string>

#include "gui/ui.h"
#include "lessons/lesson.h"

namespace lab::gui {

struct PageTextStyle {
    float size = 15;  // points
    Role role = Role::text;
    bool explains = false;  // words of the glossary are marked, the first time in the window
};

// Paragraphs of bold, italic and code from the cursor on, broken into lines of `width` pixels.
// Links open in the user's browser.
void page_text(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style = {});
// One paragraph, without the space below it.
void page_paragraph(const Ui& ui, const lessons::Paragraph& paragraph, float width,
                    PageTextStyle style = {});
float page_text_height(const Ui& ui, const lessons::Text& text, float width,
                       PageTextStyle style = {});

// Marks the words of a text that ImGui wraps at `width` from `point` on, before it is drawn.
void mark_words(const Ui& ui, const std::string& text, ImVec2 point, float width);
// The last item is this word: while it is hovered, or the word has the keyboard, its card is shown
// beside it, with `note` above; where the glossary has no such word the note alone.
void explain_item(const Ui& ui, const char* word_id, const std::string& note);
// Draws the card that was asked for in this frame, above all else.
void word_tip(Ui& ui);

// The list of all words, at this one.
void open_word(const Ui& ui, std::size_t word);
void glossary_overlay(Ui& ui);

}  // namespace lab::gui
