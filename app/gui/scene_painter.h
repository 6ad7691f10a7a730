// Shows a Scene in a window.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "figures/figure_page.h"
#include "figures/scene.h"
#include "gui/ui.h"
#include "gui/widgets.h"
namespace lab::gui {

// The tip and the name under the mouse: of the topmost shapes there that have one.
struct Hovered {
    std::string_view tip, name;
};
struct PaintOptions {
    bool linked = true;  // what it shows is pointed at, and lights up, as elsewhere in the window
    std::string_view ringed = {};  // the name of a shape that gets a ring of its own
};
// The scene's upper left corner comes to `point` (pixels); nothing outside the clip rectangle is
// painted.
Hovered paint(const Ui& ui, const figures::Scene& scene, ImVec2 point,
              const PaintOptions& options = {});

// The same in a child window that scrolls: what the scene pins stays in sight.
Hovered paint_pinned(const Ui& ui, const figures::Scene& scene, ImVec2 point,
                     const PaintOptions& options = {});

// Draws the ring of what lights up, over what is painted already.
void ring(const Ui& ui, ImVec2 low, ImVec2 high, Role role, float radius);

// The place of a thing that is not in a scene, as a line of text: it is pointed at where the mouse
// is on it. Whether it lights up.
bool lit_place(const Ui& ui, const std::string& name, ImVec2 low, ImVec2 high);

// The place that a diagram took, `size` pixels from the cursor on: so that it has a name.
void diagram_item(const char* id, ImVec2 size);

// In a child window that scrolls: its contents are dragged by the mouse, a finger or a pen.
void drag_to_scroll(const Ui& ui);
// The same window's contents come closer under Ctrl and the wheel, which a touchpad's pinch sends;
// a double click shows all again. `zoom`: from 1 on, changed; what is under the mouse stays there.
// `corner`, `size`: of the contents on screen.
void pinch(float& zoom, ImVec2 corner, ImVec2 size);

// A tooltip with the text; none if it is empty.
void show_tip(const Ui& ui, std::string_view text);

// The scene in a child window of `size` (pixels), which scrolls where it is larger, so many pixels
// below its top; the tip of what is under the mouse is shown. `item`: the diagram's name, else
// `id`.
Hovered show_scene(const Ui& ui, const figures::Scene& scene, const char* id, ImVec2 size,
                   const char* item = nullptr, float below = 0);

// A panel's figure or sentence, made again only when something that it shows has changed.
template <typename Value>
class Cached {
  public:
    // `key`: all that it depends on besides language, theme and text size; `make` returns a Value.
    template <typename Make>
    const Value& get(const Ui& ui, const std::string& key, Make&& make) {
        std::string whole = fmt::format("{}|{}|{}|{}", key, ui.tr().language(),
                                        kApis[static_cast<int>(ui.tr().api())], ui.palette.name);
        if (!value_ || whole != key_) {
            value_ = make();
            key_ = std::move(whole);
        }
        return *value_;
    }
    const std::optional<Value>& kept() const { return value_; }

  private:
    std::string key_;
    std::optional<Value> value_;
};
using CachedScene = Cached<figures::Scene>;

// Returns options for a figure that stands alone in a file, in letters as large as on screen.
figures::FigureOptions file_options(const Ui& ui);
// Heads a figure of the run with those rows.
figures::RunSubject subject_of(const Ui& ui, const analysis::StepTable& table);

// A presented view consists of a heading, the picture, a sentence in large letters.

struct Presented {
    std::string title = {};
    std::string position = {};  // "pass 2 of 3"; empty: there are no steps
    std::string sentence = {};  // empty: none
    Tone tone = Tone::plain;
    std::string longest = {};  // the longest sentence that may come: room is kept for it
    std::function<void(ImVec2 room)> picture = {};  // pixels
};

// In a child window's room.
void draw_presented(Ui& ui, const Presented& what);

}  // namespace lab::gui
