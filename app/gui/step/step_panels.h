// The panels of the step view.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gui/parts/widgets.h"
#include "gui/shell/ui.h"
#include "gui/step/line_margin.h"

namespace lab::analysis {
struct Hazard;
struct StepTable;
}  // namespace lab::analysis

namespace lab::gui {

void step_panel(Ui& ui, const Area& area);
void step_transport(Ui& ui, const Area& area);
void kernel_text(Ui& ui, const Area& area);
void step_side(Ui& ui, const Area& area);
void present_step(Ui& ui);
figures::Slide step_slide(Ui& ui);  // of the moment
void save_step(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

// Parts of them, which other views use, too.
void step_controls(Ui& ui, float width);
// One moment, where one goes by lines or actions: what has just happened, and memory and
// work-items.
struct Moment {
    std::string sentence;
    Tone tone = Tone::plain;
};
Moment moment_of(Ui& ui);
Moment row_moment(const Ui& ui, const analysis::StepTable& table, std::size_t row);
void moment_picture(Ui& ui, ImVec2 room);
void show_state(Ui& ui, ImVec2 room);  // the two above each other
// A hazard whose time has not come at `time` is grey. `for_these_numbers`: accesses depend on what
// the buffers hold.
void hazard_list(Ui& ui, const std::vector<analysis::Hazard>& hazards, std::uint64_t time,
                 float width, bool for_these_numbers);
// The moment of a run that a kernel's text is shown beside.
struct KernelMoment {
    std::uint32_t line = 0;     // of the action taken last, 0: none
    LineNotes notes = nullptr;  // beside the lines
    bool host = true;           // whether the host's part is shown, at the step view's moment
};
// The kernel's text without a card around it.
void kernel_inside(Ui& ui, ImVec2 size, const KernelMoment& moment);
// One line of a program's text, coloured. `in_comment` goes on from line to line.
void source_line(const Ui& ui, std::string_view line, const catalogue::Variant& variant,
                 bool& in_comment);
// The C++ program that runs the kernel, as a tab beside the steps.
void host_tab(Ui& ui);

}  // namespace lab::gui
