#include "gui/parts/style.h"

#include <cmath>

#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Role;

ImVec4 colour(const figures::Palette& palette, Role role) {
    const figures::Colour& of = palette[role];
    return {of.r, of.g, of.b, of.a};
}

struct StyleColour {
    ImGuiCol_ of;
    Role role;
};
constexpr StyleColour kColours[] = {
    {ImGuiCol_Text, Role::text},
    {ImGuiCol_TextDisabled, Role::muted},
    {ImGuiCol_WindowBg, Role::background},
    {ImGuiCol_PopupBg, Role::panel},
    {ImGuiCol_Border, Role::border},
    {ImGuiCol_FrameBg, Role::background},
    {ImGuiCol_FrameBgHovered, Role::act_fill},
    {ImGuiCol_FrameBgActive, Role::act_fill},
    {ImGuiCol_Button, Role::idle_fill},
    {ImGuiCol_ButtonHovered, Role::act_fill},
    {ImGuiCol_ButtonActive, Role::act_fill},
    {ImGuiCol_Header, Role::act_fill},
    {ImGuiCol_HeaderHovered, Role::act_fill},
    {ImGuiCol_HeaderActive, Role::act_fill},
    {ImGuiCol_CheckMark, Role::act},
    {ImGuiCol_ScrollbarBg, Role::panel},
    {ImGuiCol_ScrollbarGrab, Role::border},
    {ImGuiCol_ScrollbarGrabHovered, Role::idle},
    {ImGuiCol_ScrollbarGrabActive, Role::idle},
    {ImGuiCol_TextSelectedBg, Role::act_fill},
    {ImGuiCol_InputTextCursor, Role::text},
    {ImGuiCol_NavCursor, Role::act},
    {ImGuiCol_TableBorderLight, Role::border},
    {ImGuiCol_TableBorderStrong, Role::border},
    {ImGuiCol_Separator, Role::border},
};

}  // namespace

void set_style(const figures::Palette& palette, const ScreenFonts& fonts, float scale) {
    ImGuiStyle style;
    for (const StyleColour& entry : kColours)
        style.Colors[entry.of] = colour(palette, entry.role);
    style.FrameBorderSize = 1;
    style.FrameRounding = 6;
    style.PopupRounding = 6;
    style.GrabRounding = 6;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 11;
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.SelectableTextAlign = {0, 0.5F};
    style.WindowPadding = {10, 8};
    style.CellPadding = {8, 6};
    style.DisabledAlpha = 0.5F;
    style.HoverStationaryDelay = 0.1F;
    style.HoverDelayShort = style.HoverDelayNormal = 0.3F;
    style.ScaleAllSizes(scale);
    style.FontSizeBase = fonts.imgui_size(figures::Face::sans, kTextSize);
    style.FontScaleMain = scale;
    style.FramePadding = {9 * scale, (kTouch * scale - std::floor(style.FontSizeBase * scale)) / 2};
    ImGui::GetStyle() = style;
}

}  // namespace lab::gui
