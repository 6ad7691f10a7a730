// The panels of the window, one table: which view shows them, where, and what draws them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/rows/passes.h"
#include "figures/scene/scene.h"
#include "gui/shell/overlays.h"
#include "gui/shell/ui.h"
#include "results/datasheets.h"

namespace lab::gui {

class LatticeGl;

struct Area {
    ImVec2 at, size;  // pixels
};

// What a panel keeps from frame to frame: half-typed texts, and pictures that need no new layout.
struct PanelState {
    std::string input_text;   // as being typed
    std::string input_shown;  // the input that input_text was made from
    bool asks_file = false;   // a file is to be named, and is not yet
    std::string listed;       // the variant that the list has come to
    std::string sizes_text, sizes_shown;
    std::string groups_text, groups_shown;
    bool header_open = false;     // of the kernel's text
    bool kernel_instead = false;  // in a narrow window: the kernel's text in the figure's place
    bool form_open = true;        // the launch of a kernel of one's own
    bool controls_open = false;   // in a low window

    struct Typed {
        std::string text, shown;
    };
    std::map<std::string, Typed> form;  // half-typed fields of a launch, by id
    struct Editor {
        std::string file, text;
        std::uint64_t version = 0;  // of the desk's draft that `text` was taken from
        int refocus = 0;  // frames in which the text gets the keys back, once it has lost them
        std::uint32_t wanted = 0;    // a line to go to
        std::uint32_t followed = 0;  // the line of the run that was gone to last
    } editor;

    struct Figure {
        std::size_t cursor = 0;
        float width = 0, height = 0;  // points to fit into
        std::string language, theme;
        std::uint64_t version = 0;
        figures::Scene scene;
        bool made = false;

        bool same_as(const Figure& other) const {
            return cursor == other.cursor && width == other.width && height == other.height &&
                   version == other.version && language == other.language && theme == other.theme;
        }
    } figure, other_figure;  // the other: of what the toggle leads to, side by side

    struct Chart {
        std::uint64_t version = 0;
        bool waiting = false;
        float width = 0, height = 0;  // points to fit into
        std::string shown, language, theme;
        figures::Scene scene;
        float fit = 1;                   // the scene is shown as much smaller
        std::optional<Problem> problem;  // instead of the scene
        bool made = false;

        bool same_as(const Chart& other) const {
            return version == other.version && waiting == other.waiting && width == other.width &&
                   height == other.height && shown == other.shown && language == other.language &&
                   theme == other.theme;
        }
    } chart;
    OverlayState over;

    // A scene of what the session counts in versions, laid out for a width.
    struct MomentPicture {
        std::uint64_t version = 0;
        float width = 0;  // points
        std::string language, theme;
        figures::Scene scene;
        bool made = false;

        bool same_as(const MomentPicture& other) const {
            return made && version == other.version && width == other.width &&
                   language == other.language && theme == other.theme;
        }
    };
    MomentPicture race_memory, toggle_picture, moment;
    std::uint32_t line_followed = 0;  // the line that the kernel's text was last scrolled to
    std::string step_tab = "lanes";   // of the step view's side
    std::string pointed;              // the cell that the mouse was on last: "cell 3 4"
    // The side's figure, and what it was made for.
    MomentPicture side;
    std::string side_of;
    bool race_controls = false;  // the race view's settings are shown
    std::string race_tab = "results";
    struct LatticePicture {
        std::shared_ptr<LatticeGl> gl;  // once it is needed
        std::uint64_t version = 0;      // of the cells that it has
        std::uint64_t said = 0;         // of the sentence
        ImVec2 corner, size;            // where it was last, pixels; no size: not on screen
        std::string language, sentence;
    } lattice;
    std::optional<std::vector<results::Datasheet>> datasheets;  // once they are needed
};

enum class Place { top, left, centre, bottom, right, right_below, whole, log };

struct Panel {
    const char* id;
    const char* view;  // "" for all views
    Place place;
    void (*draw)(Ui& ui, PanelState& state, const Area& area);
};

std::span<const Panel> panels();

// Draws the panels of the view in force over the whole window.
void draw_panels(Ui& ui, PanelState& state);

}  // namespace lab::gui
