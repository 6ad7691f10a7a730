// The words of a lesson's page on screen: paragraphs of bold, italic and code, broken into lines.
#pragma once

#include "gui/shell/ui.h"
#include "lessons/files/text.h"

namespace lab::gui {

struct PageTextStyle {
    float size = 15;  // points
    figures::Role role = figures::Role::text;
    bool explains = false;  // words of the glossary are marked, the first time in the window
};

// From the cursor on, `width` pixels wide. Links open in the user's browser.
void page_text(const Ui& ui, const lessons::Text& text, float width, PageTextStyle style = {});
// One paragraph, without the space below it.
void page_paragraph(const Ui& ui, const lessons::Paragraph& paragraph, float width,
                    PageTextStyle style = {});
float page_text_height(const Ui& ui, const lessons::Text& text, float width,
                       PageTextStyle style = {});

}  // namespace lab::gui
