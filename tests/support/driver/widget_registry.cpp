#include "support/driver/widget_registry.h"

#include <imgui_internal.h>  // the hooks that ImGui has for its own test engine

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace lab::driver {
namespace {

// For a child window's full name, "window/step_1A2B3C4D/figure_5E6F7A8B", the last part: "figure".
std::string panel_name(std::string_view full) {
    const std::size_t slash = full.rfind('/');
    if (slash == std::string_view::npos) return {};
    full.remove_prefix(slash + 1);
    constexpr std::size_t kNumber = 9;  // an underscore and eight hexadecimal digits
    const bool numbered = full.size() > kNumber && full[full.size() - kNumber] == '_';
    return std::string(full.substr(0, full.size() - (numbered ? kNumber : 0)));
}

// A list that is open has no name of ours.
std::string panel_of(const ImGuiWindow& window) {
    return (window.Flags & ImGuiWindowFlags_Popup) != 0 ? "popup" : panel_name(window.Name);
}

Widget widget_at(const ImGuiWindow& window, ImRect area) {
    Widget widget;
    widget.panel = panel_of(window);
    widget.whole = area.GetSize();
    area.ClipWithFull(window.ClipRect);
    widget.low = area.Min;
    widget.high = area.Max;
    widget.visible = area.GetWidth() >= 1 && area.GetHeight() >= 1;
    return widget;
}

WidgetRegistry* registry_of(const ImGuiContext* context) {
    return static_cast<WidgetRegistry*>(context->TestEngine);
}

}  // namespace

void to_json(nlohmann::json& json, const Widget& widget) {
    json = {
        {"id", widget.id},
        {"panel", widget.panel},
        {"text", widget.text},
        {"area",
         {widget.low.x, widget.low.y, widget.high.x - widget.low.x, widget.high.y - widget.low.y}},
        {"whole", {widget.whole.x, widget.whole.y}},
        {"visible", widget.visible},
        {"enabled", widget.enabled}};
    if (widget.checkable) json["checked"] = widget.checked;
}

WidgetRegistry::WidgetRegistry() : context_(ImGui::GetCurrentContext()) {
    context_->TestEngine = this;
    context_->TestEngineHookItems = true;
}

WidgetRegistry::~WidgetRegistry() {
    context_->TestEngine = nullptr;
    context_->TestEngineHookItems = false;
}

void WidgetRegistry::begin_frame() {
    widgets_.clear();
    places_.clear();
}

void WidgetRegistry::add(ImGuiID item, Widget widget) {
    const bool added = places_.emplace(item, widgets_.size()).second;
    if (added) widgets_.push_back(std::move(widget));  // a pressed button tells of itself again
}

void WidgetRegistry::name(ImGuiID item, const char* label, bool checkable, bool checked) {
    const auto found = places_.find(item);
    if (found == places_.end()) return;
    Widget& widget = widgets_[found->second];
    widget.checkable = checkable;
    widget.checked = checked;
    const std::string_view whole = label;
    if (whole.empty()) return;
    const std::size_t mark = whole.find("##");
    widget.text = whole.substr(0, mark);
    const std::size_t id = whole.find_first_not_of('#', std::min(mark, whole.size()));
    widget.id = mark == std::string_view::npos ? whole
                : id == std::string_view::npos ? std::string_view()
                                               : whole.substr(id);
}

}  // namespace lab::driver

// Declared by imgui_internal.h; called only while a WidgetRegistry has asked for it.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): its names are abbreviations

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID item, const ImRect& area,
                                 const ImGuiLastItemData* data) {
    using namespace lab::driver;
    WidgetRegistry* registry = registry_of(context);
    const ImGuiWindow* window = context->CurrentWindow;
    if (registry == nullptr || window == nullptr) return;
    Widget widget;
    if (item == window->ID) {  // a panel tells of itself once it is begun
        widget = widget_at(window->ParentWindow != nullptr ? *window->ParentWindow : *window, area);
        widget.id = panel_of(*window);
    } else {
        widget = widget_at(*window, area);
        const ImGuiItemFlags flags = data != nullptr
                                         ? data->ItemFlags
                                         : static_cast<ImGuiItemFlags>(context->CurrentItemFlags);
        widget.enabled = (flags & ImGuiItemFlags_Disabled) == 0;
    }
    registry->add(item, std::move(widget));
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID item, const char* label,
                                  ImGuiItemStatusFlags flags) {
    using namespace lab::driver;
    WidgetRegistry* registry = registry_of(context);
    const ImGuiWindow* window = context->CurrentWindow;
    if (registry == nullptr || window == nullptr || item == window->ID) return;
    registry->name(item, label, (flags & ImGuiItemStatusFlags_Checkable) != 0,
                   (flags & ImGuiItemStatusFlags_Checked) != 0);
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}  // NOLINT(cert-dcl50-cpp)

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
    return nullptr;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
