// A text field with a list below it that follows: choose by arrows and Enter, or by a click.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "gui/shell/ui.h"

namespace lab::gui {

struct PickEntry {
    std::string title, detail, key;  // detail: muted, after the title; key: at the right
    bool enabled = true;
    bool folder = false;  // drawn with a mark of its own
};

struct PickState {
    std::string text;    // as typed
    std::size_t at = 0;  // the entry that Enter takes
    bool wants_focus = true;
    bool typing = false;  // the field has the keyboard
    bool moved = false;   // by an arrow: the list scrolls after it
};

// The field; whether Enter was pressed. Letters that come before it has the keyboard are kept.
bool pick_field(const Ui& ui, PickState& state, const std::string& hint, float width);

// The list, `height` pixels high at most; the entry that was chosen. `entered`: by Enter.
std::optional<std::size_t> pick_list(const Ui& ui, PickState& state,
                                     std::span<const PickEntry> entries, float height,
                                     bool entered);

}  // namespace lab::gui
