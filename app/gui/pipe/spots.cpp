#include "gui/pipe/spots.h"

#include <imgui_internal.h>  // the hooks that ImGui has for its own test engine

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace lab::gui {
namespace {

// Of a child window's full name, "window/step_1A2B3C4D/figure_5E6F7A8B", the last part: "figure".
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

Spot spot_at(const ImGuiWindow& window, ImRect area) {
    Spot made;
    made.panel = panel_of(window);
    area.ClipWithFull(window.ClipRect);
    made.low = area.Min;
    made.high = area.Max;
    made.visible = area.GetWidth() >= 1 && area.GetHeight() >= 1;
    return made;
}

Spots* spots_of(const ImGuiContext* context) {
    return static_cast<Spots*>(context->TestEngine);
}

}  // namespace

void to_json(nlohmann::json& json, const Spot& spot) {
    json = {{"id", spot.id},
            {"panel", spot.panel},
            {"text", spot.text},
            {"area", {spot.low.x, spot.low.y, spot.high.x - spot.low.x, spot.high.y - spot.low.y}},
            {"visible", spot.visible},
            {"enabled", spot.enabled}};
    if (spot.checkable) json["checked"] = spot.checked;
}

Spots::Spots() : context_(ImGui::GetCurrentContext()) {
    context_->TestEngine = this;
    context_->TestEngineHookItems = true;
}

Spots::~Spots() {
    context_->TestEngine = nullptr;
    context_->TestEngineHookItems = false;
}

void Spots::begin_frame() {
    spots_.clear();
    places_.clear();
    expected_.clear();
}

void Spots::add(ImGuiID item, Spot spot) {
    const auto [at, added] = places_.emplace(item, spots_.size());
    if (!added) return;  // a button tells of itself again as it is pressed
    spots_.push_back(std::move(spot));
    if (const auto found = expected_.find(item); found != expected_.end())
        name(item, found->second.c_str(), false, false);
}

void Spots::name(ImGuiID item, const char* label, bool checkable, bool checked) {
    const auto found = places_.find(item);
    if (found == places_.end()) return;
    Spot& spot = spots_[found->second];
    spot.checkable = checkable;
    spot.checked = checked;
    const std::string_view whole = label;
    if (whole.empty()) return;
    const std::size_t mark = whole.find("##");
    spot.text = whole.substr(0, mark);
    const std::size_t id = whole.find_first_not_of('#', std::min(mark, whole.size()));
    spot.id = mark == std::string_view::npos ? whole
              : id == std::string_view::npos ? std::string_view()
                                             : whole.substr(id);
}

void name_next_spot(const char* label) {
    if (Spots* spots = spots_of(ImGui::GetCurrentContext()))
        spots->expect(ImGui::GetID(label), label);
}

}  // namespace lab::gui

// Declared by imgui_internal.h; called only while Spots has asked for it.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): its names are abbreviations

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID item, const ImRect& area,
                                 const ImGuiLastItemData* data) {
    using namespace lab::gui;
    Spots* spots = spots_of(context);
    const ImGuiWindow* window = context->CurrentWindow;
    if (spots == nullptr || window == nullptr) return;
    Spot spot;
    if (item == window->ID) {  // a panel tells of itself once it is begun
        spot = spot_at(window->ParentWindow != nullptr ? *window->ParentWindow : *window, area);
        spot.id = panel_of(*window);
    } else {
        spot = spot_at(*window, area);
        const ImGuiItemFlags flags = data != nullptr
                                         ? data->ItemFlags
                                         : static_cast<ImGuiItemFlags>(context->CurrentItemFlags);
        spot.enabled = (flags & ImGuiItemFlags_Disabled) == 0;
    }
    spots->add(item, std::move(spot));
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID item, const char* label,
                                  ImGuiItemStatusFlags flags) {
    using namespace lab::gui;
    Spots* spots = spots_of(context);
    const ImGuiWindow* window = context->CurrentWindow;
    if (spots == nullptr || window == nullptr || item == window->ID) return;
    spots->name(item, label, (flags & ImGuiItemStatusFlags_Checkable) != 0,
                (flags & ImGuiItemStatusFlags_Checked) != 0);
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}  // NOLINT(cert-dcl50-cpp)

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
    return nullptr;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
