// A word of the glossary on screen: its card with the run that shows it, beside the word while the
// mouse is on it, and in a list of all.
#pragma once

#include <string>

#include "gui/shell/ui.h"

namespace lab::gui {

// The card of glossary().words[word] from the cursor on. `height`: pixels that it may take; the
// picture gets what words leave of it. The picture is that of the session's shown word.
void word_card(Ui& ui, std::size_t word, float width, float height, const std::string& note = {});
// How high its words are alone.
float word_card_words(const Ui& ui, std::size_t word, float width, const std::string& note = {});

// Dots below a word that is drawn from `low` to `high` (pixels), or below the part of it that
// stands in one line; the mouse on it brings its card, a click the list. Leaves the cursor
// somewhere else.
void marked_part(const Ui& ui, std::size_t word, std::size_t part, ImVec2 low, ImVec2 high);
// Marks the words of a text that ImGui wraps at `width` from `point` on, before it is drawn.
void mark_words(const Ui& ui, const std::string& text, ImVec2 point, float width);

// What is drawn from `low` to `high` (pixels) is this word: while the last item is hovered, or the
// word has the keyboard, its card is shown beside it, with `note` above.
void explain(const Ui& ui, std::size_t word, ImVec2 low, ImVec2 high, std::string note = {});
// The same for the last item; where the glossary has no such word the note alone.
void explain_item(const Ui& ui, const char* word_id, const std::string& note);

// Each word is marked once a frame, the first time: whether this is it.
bool mark_word(const Ui& ui, std::size_t word);

// Draws the card that was asked for in this frame, above all else.
void word_tip(Ui& ui);

// The list of all words, at this one.
void open_word(const Ui& ui, std::size_t word);
void glossary_overlay(Ui& ui);

}  // namespace lab::gui
