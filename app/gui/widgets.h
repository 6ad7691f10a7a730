// The controls that panels consist of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "base/ranges.h"
#include "gui/ui.h"
#include "session/view.h"
namespace lab::gui {

// Ends what a call began, at the end of the scope.
class [[nodiscard]] Scope {
  public:
    explicit Scope(void (*end)()) : end_(end) {}
    ~Scope() { end_(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    void (*end_)();
};

// Draws into the window by hand, in the colours of roles; all lengths are in pixels.
class Pen {
  public:
    explicit Pen(const Ui& ui) : ui_(ui), into_(*ImGui::GetWindowDrawList()) {}

    void fill(ImVec2 low, ImVec2 high, Role role, float radius = 0) const {
        into_.AddRectFilled(low, high, ui_.colour(role), radius);
    }
    void frame(ImVec2 low, ImVec2 high, Role role, float radius, float stroke = 1) const {
        into_.AddRect(low, high, ui_.colour(role), radius, 0, stroke);
    }
    void line(ImVec2 from, ImVec2 to, Role role, float stroke = 1) const {
        into_.AddLine(from, to, ui_.colour(role), stroke);
    }
    void disc(ImVec2 centre, float radius, Role role) const {
        into_.AddCircleFilled(centre, radius, ui_.colour(role));
    }
    void circle(ImVec2 centre, float radius, Role role, float stroke) const {
        into_.AddCircle(centre, radius, ui_.colour(role), 0, stroke);
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c, Role role) const {
        into_.AddTriangleFilled(a, b, c, ui_.colour(role));
    }
    void text(ImVec2 point, std::string_view words, Role role) const {
        into_.AddText(point, ui_.colour(role), words.data(), words.data() + words.size());
    }

  private:
    const Ui& ui_;
    ImDrawList& into_;
};

// A panel: white background, thin border, round corners, padding.
Scope begin_card(const Ui& ui, const char* id, const Area& area, ImGuiWindowFlags flags = 0);
// In a very low window a card opens at its picture, which comes next; what is above scrolls.
void begin_picture(const Ui& ui);
// Begins a child window; without a size it takes the rest of the room.
Scope begin_child(const char* id, ImVec2 size = {0, 0}, ImGuiWindowFlags flags = 0);
// Each sets what its name says until the scope ends.
Scope with_style(ImGuiStyleVar variable, ImVec2 value);
Scope with_colour(const Ui& ui, ImGuiCol which, Role role);
Scope with_id(int id);

// Begins a window without decoration, which ImGui::End() ends; edges in pixels.
void begin_window(const char* id, ImVec2 padding, float rounding, float border,
                  ImGuiWindowFlags more = 0);

// A file as a field names it: on a page, which has no folders, without one.
std::string shown_path(const std::filesystem::path& file);

// The tooltip of the last item: the command's words and its key.
void command_tip(const Ui& ui, const session::Command& command);
void tip(const Ui& ui, const std::string& text, const char* key = nullptr);

// A key closes the tooltip, for what it is of may be gone, until the mouse moves: call
// watch_tooltips() once per frame. Where begin_tooltip() returns true, ImGui::EndTooltip() ends it.
void watch_tooltips(const Ui& ui);
bool begin_tooltip(const Ui& ui, std::optional<ImVec2> at = {});  // beside the mouse, or there

// A button that runs a command; disabled while the command is.
void command_button(Ui& ui, std::string_view id, const std::string& label, bool accent = false,
                    float width = 0);

// A button with a transport symbol instead of text.
enum class Sign { first, back, play, pause, forward, last, fill };
void sign_button(Ui& ui, std::string_view id, Sign sign, const std::string& label = {});

// A plain button that fills `size` (pixels); `accent` for the primary one.
bool act_button(const Ui& ui, const char* id, const std::string& text, bool accent, ImVec2 size);

// A small x that ends at `end` of the last item's line, or at the height `top` of the window; takes
// something away.
bool close_button(const Ui& ui, const char* id, float end, std::optional<float> top = {});
// Three lines: the menu.
void menu_button(Ui& ui, ImVec2 size);

// Two sheets: the broken and the mended kernel side by side.
void beside_button(Ui& ui, ImVec2 size, bool on);

// A tab in a row of tabs, with so many points around its words.
bool pill(const Ui& ui, const char* id, const std::string& label, bool selected, float around = 12,
          float size = kTextSize);

// Scrolls this window by a page where Page Up or Page Down was pressed.
void scroll_by_keys(const Ui& ui);

// A label over or before a control; small and muted. The second is broken at `width` pixels.
void label(const Ui& ui, const std::string& text);
void wrapped_label(const Ui& ui, const std::string& text, float width);

// The same at a place on screen, shortened to `width` pixels; the cursor stays.
void label_at(const Ui& ui, ImVec2 point, const std::string& text, float width);

// A line of letters of its own look.
void text_line(const Ui& ui, const std::string& text, Face face, float size,
               Role role = Role::text);
void bold_line(const Ui& ui, const std::string& text, float size = kTextSize,
               Role role = Role::text);
// Draws in the current font.
void coloured(const Ui& ui, std::string_view text, Role role);
// Shortened to `width` pixels; and one that stands on the line of buttons beside it.
void fitted_line(const Ui& ui, const std::string& text, float width, Face face,
                 float size = kTextSize, Role role = Role::text);
void framed_line(const Ui& ui, const std::string& text, Face face, float size,
                 Role role = Role::text);

// In the font of now, pixels.
inline float words_width(const std::string& text) {
    return ImGui::CalcTextSize(text.c_str()).x;
}

// Text in the window's font with its middle at `centre`.
void text_around(const Ui& ui, ImVec2 centre, const std::string& text, Role role);

// Draws the sign of what is right, or done.
void tick_sign(const Ui& ui, ImVec2 centre, Role role);

// A bar that is filled up to `share`, 0 to 1, and a little where that is more than nothing.
void share_bar(const Ui& ui, ImVec2 point, ImVec2 size, float share, Role role);

// A sentence about what has just happened, on a background that shows whether it is well.
// `most`: pixels that it may be high, then it scrolls; 0: as high as it needs.
enum class Tone : std::uint8_t { plain, wrong, good };
inline Tone tone_of(bool wrong) {
    return wrong ? Tone::wrong : Tone::plain;
}
// A finger hits this: no control is lower, in points.
inline constexpr float kTouch = 32;
// Above and below the text of a frame that is as high as that, in the font as it is.
float touch_padding(const Ui& ui);
// The height to give a Selectable, which adds its spacing.
float touch_row(const Ui& ui, const std::string& text);

Role ground_of(Tone tone);  // what is said stands on
void message_box(const Ui& ui, const std::string& text, Tone tone, float width, float most = 0);
float message_height(const Ui& ui, const std::string& text, float width);  // of such a box

// "12 %", "0.04 %".
std::string rounded_percent(double percent);

// A choice of one of several; returns the place that is newly chosen. `chosen`: the place so far,
// behind the last where it is none of them.
std::optional<std::size_t> combo(const Ui& ui, const char* id,
                                 const std::vector<std::string>& entries, std::size_t chosen,
                                 float width);
// The same of values that `words` names; one that is set and is none of them stands behind them.
// Returns true if another one was chosen.
template <typename Value, typename Words>
bool value_combo(const Ui& ui, const char* id, std::vector<Value> values, Value& value, float width,
                 const Words& words) {
    if (!contains(values, value)) values.push_back(value);
    const auto now =
        combo(ui, id, mapped<std::string>(values, words), position_of(values, value), width);
    if (now) value = values[*now];
    return now.has_value();
}
inline std::string number_words(std::uint64_t number) {
    return std::to_string(number);
}

// With a full stop, unless it ends with a mark of its own.
std::string as_sentence(const Ui& ui, const std::string& text);

// A Problem where it arose: what, why, what to do, on an eye-catching background.
// `spare`: pixels at the right of its first line, for a cross.
void problem_card(const Ui& ui, const Problem& problem, float width, float spare = 0);

// The x up to which the cursor's line reaches; for what stands at its right end.
float line_end();

// Text broken into lines at `width` pixels, in the look of now or one of its own.
void wrapped(const std::string& text, float width);
void wrapped(const Ui& ui, const std::string& text, float width, Face face, float size,
             Role role = Role::text);

// Overlays lie over the view.

bool overlay_appears(const Ui& ui);  // this frame is its first
void follow_overlay(Ui& ui);         // in each frame, before an overlay is drawn
// A window of an overlay, at `at` in pixels; `height` 0: as high as what is in it. A click
// elsewhere closes the overlay if `light`.
Scope begin_overlay(Ui& ui, const char* id, ImVec2 point, ImVec2 size, bool light = true);
// The same in the middle of the upper part of the window, at most so many points large.
Scope begin_list_overlay(Ui& ui, const char* id, float width, float height);
// The x that closes an overlay, at the end of its first line.
void close_overlay_button(Ui& ui);

// The background of panels, within the clip rectangle. They are most of a window's pixels: cleared,
// not drawn, since software GL clears many times faster than it blends.
void fill_area(const Ui& ui, ImVec2 low, ImVec2 high);

}  // namespace lab::gui
