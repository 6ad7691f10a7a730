// Draws what belongs to a line of a kernel's text wherever it stands: the numbers in the column
// beside it, how often it is executed and its avoidable cost; and that it is pointed at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "gui/ui.h"
namespace lab::gui {

// A few letters beside a line, and what they mean.
struct LineNote {
    enum class Look : std::uint8_t { plain, badge, picked } look = Look::plain;
    std::string words, told;
};
using LineNotes = std::vector<LineNote> (*)(const Ui& ui, std::uint32_t line);

// How often the machine's run came to the line, ×: how much more memory traffic it took than
// needed, ≠: how often warps diverged there.
std::vector<LineNote> cost_notes(const Ui& ui, std::uint32_t line);

// The column beside a text, outside of what scrolls: nothing of the text is under it.
float notes_width(const Ui& ui, LineNotes notes, std::size_t lines);
// In that column, which ends at `right`; the line begins at the height `y`.
void draw_notes(const Ui& ui, const std::vector<LineNote>& notes, float y, float right);

// Before the line is drawn from `point` to `right`: a light ground where it, or what it has to do
// with, is pointed at; whether there is one.
bool line_place(const Ui& ui, std::uint32_t number, ImVec2 point, float right);

// Lists what a run printed, one below the other.

// In the room of a child window. What is printed after `time` actions is dim; after `end` it is
// left out.
void printed_list(Ui& ui, const std::vector<analysis::PrintedText>& prints, std::uint64_t time,
                  std::uint64_t end);

}  // namespace lab::gui
