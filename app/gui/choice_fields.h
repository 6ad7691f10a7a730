// Fields of the choice that several views show, and the layout of fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/warps.h"
#include "catalogue/kernel.h"
#include "gui/ui.h"
#include "gui/widgets.h"
#include "results/device_info.h"
namespace lab::gui {

// Puts labelled controls side by side, in as many lines as they need.
class Flow {
  public:
    Flow(const Ui& ui, float width)
        : ui_(ui), width_(width), start_(ImGui::GetCursorPos()), at_(start_) {}

    // Room left in the line, in points.
    float rest() const { return (start_.x + width_ - at_.x) / ui_.scale; }

    // A control of `points` width: its label above, then `draw` with the width in pixels.
    template <typename Draw>
    void field(const std::string& name, float points, Draw&& draw) {
        const float width = std::min(ui_.px(points), width_);
        if (at_.x > start_.x && at_.x + width > start_.x + width_) at_ = {start_.x, bottom_};
        ImGui::SetCursorPos(at_);
        ImGui::BeginGroup();
        label(ui_, ui_.metrics.shortened(name, width / ui_.scale, kSmallSize, Face::sans));
        draw(width);
        ImGui::EndGroup();
        at_.x += width + ui_.px(10);
        bottom_ = ImGui::GetCursorPosY() + ui_.px(2);
    }

  private:
    const Ui& ui_;
    float width_;
    ImVec2 start_, at_;
    float bottom_ = 0;
};

// The title of what is shown, in at most `room` pixels; where the list is folded, the button that
// opens it. Returns the pixels that it takes.
float kernel_title(Ui& ui, const std::string& title, float room);
// Says what the run is, muted, on the title's line in at most `room` pixels; nothing where that is
// too little.
void beside_title(const Ui& ui, const std::string& text, float room);
// The choice: a variant's title, or a user kernel's file.
std::string chosen_title(const Ui& ui);
// A variant's title in the user's language.
std::string title_of(const Ui& ui, const catalogue::Kernel& variant);

// Why the device cannot run the variant with its usual toggles: "needs …, which this device lacks";
// empty if it can.
std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Kernel& variant, catalogue::Type type);

// Names for choices, and the sizes of groups to choose from.
std::string op_name(const Ui& ui, catalogue::Op op);
std::string type_name(catalogue::Type type);
std::vector<std::uint64_t> group_sizes();

// The tooltip of a command, with its key and that of another.
void key_tip(Ui& ui, const char* first, const char* second = nullptr);

// A field whose text counts once it has been left or Enter was pressed: returned then. It shows
// what holds now again where that is not taken.
std::optional<std::string> typed(const Ui& ui, const std::string& id, const std::string& now,
                                 float width, const std::string& hint = {});

// Each changes `choice` if the user changed the field.
void op_and_type_fields(Ui& ui, session::RunChoice& choice, Flow& flow);
void toggle_fields(Ui& ui, session::RunChoice& choice, Flow& flow);

// A text field with a list below it that follows: choose by arrows and Enter, or by a click.

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

// Shows what the work-items of a warp have in their variables, side by side.

// `first_item`: number of lane 0, in `space`; `running`: a bit for each lane that is not masked
// out.
void variables_table(const Ui& ui, const std::vector<analysis::VariableRow>& rows,
                     const IndexSpace& space, std::uint64_t first_item, std::uint64_t running);

}  // namespace lab::gui
