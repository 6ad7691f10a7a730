// A kernel on screen: its text with its colours, to be read or edited, and the launch of a user
// kernel as a form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/machine_run.h"
#include "catalogue/form.h"
#include "catalogue/kernel.h"
#include "gui/ui.h"

namespace lab::gui {

struct TextPiece {
    std::string_view text;
    figures::Role role;
};
// Splits one line into coloured pieces. `in_comment` carries over from line to line; what varies
// (T, COMBINE, IDENTITY, the toggles of `variant`) is emphasised.
std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Kernel* variant,
                                 bool& in_comment);

// Returns the spaces of a line that is broken off at that place of a text: those of its line, and
// some more behind a '{'.
std::string indentation_at(std::string_view text, std::size_t at);
// The place of the bracket that belongs to the one at that place; empty: there is none.
std::optional<std::size_t> matching_bracket(std::string_view text, std::size_t at);
// Returns the match in a text, from 0, that is so many after the place `at`, round and round; 0
// steps: the one there, else the next.
std::size_t match_after(std::span<const std::size_t> matches, std::size_t at, int steps);

// The marks that the editor of a kernel shows beside its text.
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
// Shows what each buffer holds at the end of a run, in one line each.
void user_kernel_buffers(Ui& ui, const analysis::MachineRun& run, float width);
float user_kernel_buffers_height(const Ui& ui, const analysis::MachineRun& run);  // pixels

}  // namespace lab::gui
