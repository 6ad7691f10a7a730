// A kernel's text to be edited: its lines numbered and coloured, with what is wrong at its place.
#pragma once

#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_internal.h>  // the scroll and the state of the text that is being edited

#include <optional>
#include <string>

#include "gui/kernels/user_kernel_marks.h"
#include "gui/shell/ui.h"

namespace lab::gui {

// The scrolled part of the text, in pixels of the screen.
struct TextView {
    ImVec2 origin;  // of the first line's first character
    ImRect clip;
    float line = 0, left = 0, right = 0;
};

struct DrawnText {
    bool edited = false;
    std::optional<TextView> view;  // empty: it is not in sight
};
// `variant`: whose macros are known; null: none.
DrawnText numbered_text(Ui& ui, const char* id, std::string& text, ImVec2 size,
                        const EditorMarks& marks, const catalogue::Variant* variant = nullptr,
                        bool read_only = false);

}  // namespace lab::gui
