// Kernels on screen: the list of them and their titles, their text with its colours, to be read or
// edited, the launch of a user kernel as a form, and the devices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/witness.h"
#include "catalogue/kernel.h"
#include "gui/ui.h"
#include "results/device_info.h"
#include "simulation/machine_run.h"

namespace lab::gui {

void variant_list(Ui& ui, const Area& area);
// The same over the view, where there is no room for it beside the diagram.
void variant_overlay(Ui& ui);
// The title of what is shown, in at most `room` pixels; where the list is folded, the button that
// opens it. Returns the pixels that it takes.
float kernel_title(Ui& ui, const std::string& title, float room);
// What the run is, muted, on the title's line in at most `room` pixels; nothing where that is too
// little.
void beside_title(const Ui& ui, const std::string& text, float room);
// The choice: a variant's title, or a user kernel's file.
std::string chosen_title(const Ui& ui);
// A variant's title in the user's language.
std::string title_of(const Ui& ui, const catalogue::Kernel& variant);

struct TextPiece {
    std::string_view text;
    figures::Role role;
};
// Splits one line into coloured pieces. `in_comment` carries over from line to line; what varies
// (T, COMBINE, IDENTITY, the toggles of `variant`) is emphasised.
std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Kernel* variant,
                                 bool& in_comment);
// The lines of a text without their ends; a text that ends a line ends in an empty one.
std::vector<std::string_view> lines_of(std::string_view text);

// What the editor of a kernel shows beside its text.
struct EditorMarks {
    std::vector<catalogue::TextMark> marks;  // of the compiler, then of the run
    std::size_t errors = 0;                  // of the compiler alone
    std::uint32_t before = 0;                // lines of the text that are not shown above it
    std::uint32_t now = 0;                   // the line of the run's last action; 0: none
    bool ran = false;                        // the text as it stands is the one that ran
};
// `line`: of the run's last action; 0: none.
EditorMarks editor_marks(const session::Session& session, std::uint32_t line);
// A kernel's text to be edited: its lines numbered and coloured, with what is wrong at its place;
// whether it was edited. `variant`: whose macros are known; null: none.
bool numbered_text(Ui& ui, const char* id, std::string& text, ImVec2 size, const EditorMarks& marks,
                   const catalogue::Kernel* variant, bool read_only);
// The text of the kernel that is open, to be edited; `line`: as of editor_marks.
void user_kernel_editor(Ui& ui, ImVec2 size, std::uint32_t line);

// The launch of a user kernel.
void user_kernel_form(Ui& ui, float width);
// What each buffer holds at the end of a run, in one line each.
void user_kernel_buffers(Ui& ui, const simulation::MachineRun& run, float width);
float user_kernel_buffers_height(const Ui& ui, const simulation::MachineRun& run);  // pixels

// The devices: a badge in the top bar, and the panel that hangs from it, with the devices found,
// what this computer lacks and how to get it, and which kernels run where.

// Why the device cannot run the variant with its usual toggles: "needs …, which this device lacks";
// empty if it can.
std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Kernel& variant, catalogue::Type type);

// What the badge says of the device beside the run that is shown, which was stopped or not: a key
// that has a tip, or nothing.
std::string witness_key(const analysis::Witness& witness, bool stopped);

// Ends at the right of the room that begins at `point`, `width` pixels.
void device_badge(Ui& ui, ImVec2 point, float width);
void device_panel(Ui& ui);  // an overlay

}  // namespace lab::gui
