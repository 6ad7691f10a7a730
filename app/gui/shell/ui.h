// What every panel is given: the session it shows and changes, and how things look.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "figures/scene/font.h"
#include "figures/scene/palette.h"
#include "gui/parts/fonts.h"
#include "session/shell/session.h"

namespace lab::gui {

struct Ui {
    session::Session& session;
    const figures::Palette& palette;
    const figures::Fonts& metrics;
    const ScreenFonts& fonts;
    float scale = 1;  // pixels a point

    const Translations& tr() const { return session.words(); }
    float px(float points) const { return points * scale; }
    // The window's size in points: what fits into it, whatever its pixels.
    ImVec2 window() const {
        const ImVec2 size = ImGui::GetMainViewport()->Size;
        return {size.x / scale, size.y / scale};
    }
    // In a narrow window the kernel's text takes turns with the figure; in a narrower one the list
    // of variants is a field; in a low one the controls are shown on demand.
    bool narrow() const { return window().x < 1050; }
    bool narrower() const { return window().x < 760; }
    bool low() const { return window().y < 560; }
    ImU32 colour(figures::Role role) const {
        const figures::Colour& of = palette[role];
        return ImGui::ColorConvertFloat4ToU32({of.r, of.g, of.b, of.a});
    }
    ImVec4 colour4(figures::Role role) const {
        const figures::Colour& of = palette[role];
        return {of.r, of.g, of.b, of.a};
    }
};

// Until the end of the scope, text has this face, size (points) and colour.
class TextStyle {
  public:
    TextStyle(const Ui& ui, figures::Face face, float size,
              figures::Role role = figures::Role::text) {
        ImGui::PushFont(ui.fonts.font(face), ui.fonts.imgui_size(face, size));
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(role));
    }
    ~TextStyle() {
        ImGui::PopStyleColor();
        ImGui::PopFont();
    }
    TextStyle(const TextStyle&) = delete;
    TextStyle& operator=(const TextStyle&) = delete;
};

}  // namespace lab::gui
