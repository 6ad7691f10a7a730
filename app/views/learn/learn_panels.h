// The panels of the view Learn: the course, the page's picture, its words and question, its kernel.
#pragma once

#include "gui/ui.h"
#include "views/learn/learn.h"

namespace lab::gui {

void learn_panel(Ui& ui, const Area& area);
void present_learn(Ui& ui);
void course_overlay(Ui& ui);
void hand_in_field(Ui& ui);
void exam_field(Ui& ui);
void add_page_field(Ui& ui);

bool enter_pressed();  // on either part of the keyboard

// Parts of a page; `room` and `width` in pixels.
// The run's diagram, or the schedule that is being made. Picks of cells and items can be clicked.
void learn_picture(Ui& ui, ImVec2 room);
std::string picture_title(const Ui& ui);
// Shows what was measured of a page's kernels; or how it can be.
void learn_chart(Ui& ui, ImVec2 room);
// The kernel's lines, which can be clicked where a line is asked for; or the text that is edited.
void learn_kernel(Ui& ui, ImVec2 room);
float learn_kernel_height(const Ui& ui);  // to show all of its lines
// Shows what is asked, and what was said of the answer.
void learn_question(Ui& ui, float width);
std::string option_text(const Ui& ui, const lessons::Option& option);
// While presenting: the choices, how many hands each got, and which is right once it is told.
void learn_poll(Ui& ui, ImVec2 room);

}  // namespace lab::gui
