// A view of the window: the session's view type, its panels, and its export. views/shell/views.cpp
// has the table of all; to add a view, add an entry there.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

#include "figures/slide.h"
namespace lab::session {
struct ViewType;
}

namespace lab::gui {

class Ui;

struct Area {
    ImVec2 at, size;  // pixels
};

// Where a panel lies. In a narrow window the right column goes first, then the left one.
enum class Place {
    left,         // the list of kernels
    left_form,    // wider, and there in any window
    centre,       // between the columns, above `bottom`
    bottom,       // below the centre
    right,        // the right column
    right_below,  // its lower part, where there is one
    whole,        // all that is beside the left column
};

struct Panel {
    const char* id;
    Place place;
    void (*draw)(Ui& ui, const Area& area);
};

struct WindowView {
    const session::ViewType* type;
    std::span<const Panel> panels;
    // Writes what is shown; `suffix`, in small letters, is one that the view offers. Throws
    // Problem.
    void (*save)(Ui& ui, const std::filesystem::path& file, const std::string& suffix) = nullptr;
    // What is shown now as one of several slides.
    figures::Slide (*slide)(Ui& ui) = nullptr;
    // Draws its picture and sentence alone, in large letters, in the room of a child window; and
    // the commands that are named below them.
    void (*present)(Ui& ui) = nullptr;
    std::span<const char* const> present_keys{};
    // Whether it wants the width of the right column, too, as in a narrow window.
    bool (*wants_width)(const Ui& ui) = nullptr;

    bool has(Place place) const;
};

std::vector<const session::ViewType*> types_of(std::span<const WindowView> views);
const WindowView& shown_view(const Ui& ui);

}  // namespace lab::gui
