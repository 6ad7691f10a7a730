// Where the widgets of a frame lie, by the ids that the program gives them: what a script needs to
// point a mouse at them. ImGui tells of each item as it is drawn, so no panel has to.
#pragma once

#include <imgui.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace lab::driver {

struct Widget {
    // The part of its label after ###, or else the label: "step.forward"; of a panel its name.
    std::string id;
    std::string panel;  // in which it lies; empty in the window itself
    std::string text;   // what it says, in the user's language
    ImVec2 whole;       // its size, also what cannot be seen of it
    ImVec2 low, high;   // pixels of the window: as much of it as is inside of its panel
    bool visible = true, enabled = true;
    bool checkable = false, checked = false;
};

void to_json(nlohmann::json& json, const Widget& widget);

// Items are listed while one of these is alive; there is one at most.
class WidgetRegistry {
  public:
    WidgetRegistry();  // in the current ImGui context
    ~WidgetRegistry();
    WidgetRegistry(const WidgetRegistry&) = delete;
    WidgetRegistry& operator=(const WidgetRegistry&) = delete;

    void begin_frame();
    const std::vector<Widget>& of_frame() const { return widgets_; }  // in the order drawn

    // What ImGui tells: an item and its place, then for most of them a label.
    void add(ImGuiID item, Widget widget);
    void name(ImGuiID item, const char* label, bool checkable, bool checked);

  private:
    ImGuiContext* context_;
    std::vector<Widget> widgets_;
    std::unordered_map<ImGuiID, std::size_t> places_;  // of items in widgets_
};

}  // namespace lab::driver
