// The keys of the command table, as they are pressed.
#pragma once

#include <span>
#include <string_view>

#include "session/view.h"
struct GLFWwindow;

namespace lab::gui {

// A key with the modifiers that were down when it was pressed, in GLFW's numbers. They are taken
// as the events come: what is up again by the next frame was pressed all the same.
struct KeyPress {
    int key = 0, modifiers = 0;

    friend bool operator==(const KeyPress&, const KeyPress&) = default;
};

// "Ctrl+Shift+Z"; throws Problem for a key that there is not.
KeyPress parse_key(std::string_view key);

// A press as parse_key would give it: letters by the keyboard's layout where that has Latin ones,
// else by their place; the number pad's keys as the others; + with or without Shift.
KeyPress plain_press(int key, int scancode, int modifiers);

// Whether no text field has a use for it: Alt with a key, or a function key. (AltGr, which types,
// is Ctrl+Alt where it is Alt at all.)
bool types_nothing(const KeyPress& press);

}  // namespace lab::gui
