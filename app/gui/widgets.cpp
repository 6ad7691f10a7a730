#include "gui/widgets.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui_internal.h>  // the hooks of its test engine

#include "base/platform.h"
#include "gui/glossary.h"

namespace lab::gui {
namespace {

struct ButtonColours {
    Role ground, hover, text;
};
constexpr ButtonColours kPrimary{Role::act, Role::act, Role::on_act},
    kPlain{Role::idle_fill, Role::act_fill, Role::text};

// A round-cornered button of our own colours; whether it was pressed.
bool plain_button(const Ui& ui, const char* id, const std::string& text, ImVec2 size,
                  const ButtonColours& colours) {
    ImGui::PushStyleColor(ImGuiCol_Button, ui.colour4(colours.ground));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ui.colour4(colours.hover));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ui.colour4(colours.hover));
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(colours.text));
    const bool pressed = ImGui::Button((text + "###" + id).c_str(), size);
    ImGui::PopStyleColor(4);
    return pressed;
}

void triangle(ImDrawList& into, ImVec2 centre, float size, bool right, ImU32 colour) {
    const float x = right ? size : -size;
    const ImVec2 tip{centre.x + x * 0.6F, centre.y};
    const ImVec2 low{centre.x - x * 0.5F, centre.y - size * 0.75F};
    const ImVec2 high{centre.x - x * 0.5F, centre.y + size * 0.75F};
    if (right)
        into.AddTriangleFilled(low, tip, high, colour);
    else
        into.AddTriangleFilled(low, high, tip, colour);
}

void bar(ImDrawList& into, ImVec2 centre, float size, float offset, ImU32 colour) {
    into.AddRectFilled({centre.x + offset - size * 0.14F, centre.y - size * 0.75F},
                       {centre.x + offset + size * 0.14F, centre.y + size * 0.75F}, colour);
}

void paint_sign(ImDrawList& into, Sign sign, ImVec2 centre, float size, ImU32 colour) {
    switch (sign) {
        case Sign::first:
            bar(into, centre, size, -size * 0.8F, colour);
            triangle(into, {centre.x + size * 0.1F, centre.y}, size, false, colour);
            break;
        case Sign::back:
            triangle(into, centre, size, false, colour);
            break;
        case Sign::play:
        case Sign::forward:
            triangle(into, centre, size, true, colour);
            break;
        case Sign::pause:
            bar(into, centre, size, -size * 0.32F, colour);
            bar(into, centre, size, size * 0.32F, colour);
            break;
        case Sign::last:
            triangle(into, {centre.x - size * 0.1F, centre.y}, size, true, colour);
            bar(into, centre, size, size * 0.8F, colour);
            break;
        case Sign::fill:  // a screen
            into.AddRect({centre.x - size, centre.y - size * 0.75F},
                         {centre.x + size, centre.y + size * 0.75F}, colour, 0, 0, size * 0.25F);
            break;
    }
}

struct Ground {
    ImVec2 low, high;  // as ImGui counts, from the window's upper left corner
    ImVec4 colour;
};

// Within ImGui's own drawing: its scissor test is on, and set again for whatever comes next.
void clear(const ImDrawList*, const ImDrawCmd* command) {
    const auto& ground = *static_cast<const Ground*>(command->UserCallbackData);
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 pixels = io.DisplayFramebufferScale;
    const auto whole = [](float value) { return static_cast<GLint>(std::lround(value)); };
    const GLint left = whole(ground.low.x * pixels.x), right = whole(ground.high.x * pixels.x);
    const GLint top = whole(ground.low.y * pixels.y), bottom = whole(ground.high.y * pixels.y);
    glScissor(left, whole(io.DisplaySize.y * pixels.y) - bottom, std::max(right - left, 0),
              std::max(bottom - top, 0));
    glClearColor(ground.colour.x, ground.colour.y, ground.colour.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void fill_area(const Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 clip_low = into.GetClipRectMin(), clip_high = into.GetClipRectMax();
    Ground ground{{std::max(low.x, clip_low.x), std::max(low.y, clip_low.y)},
                  {std::min(high.x, clip_high.x), std::min(high.y, clip_high.y)},
                  ui.colour4(Role::panel)};
    if (ground.low.x >= ground.high.x || ground.low.y >= ground.high.y) return;
    into.AddCallback(clear, &ground, sizeof ground);  // which is copied
}

Scope begin_card(const Ui& ui, const char* id, const Area& area, ImGuiWindowFlags flags) {
    const ImVec2 low = area.at, high = area.end();
    const float radius = ui.px(8), strip = radius + 1;
    ImGui::SetCursorScreenPos(low);
    // The edges are straight but for a strip at the top and one at the bottom, which are drawn and
    // reach a pixel into the rest, so that there is no seam.
    if (area.size.y < 3 * strip) {
        Pen(ui).fill(low, high, Role::panel, radius);
    } else {
        fill_area(ui, {low.x, low.y + radius}, {high.x, high.y - radius});
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImU32 colour = ui.colour(Role::panel);
        into.AddRectFilled(low, {high.x, low.y + strip}, colour, radius,
                           ImDrawFlags_RoundCornersTop);
        into.AddRectFilled({low.x, high.y - strip}, high, colour, radius,
                           ImDrawFlags_RoundCornersBottom);
    }
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(Role::border));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, radius);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(14)});
    ImGui::BeginChild(id, area.size, ImGuiChildFlags_Borders, flags);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    return Scope(ImGui::EndChild);
}

void begin_picture(const Ui& ui) {
    constexpr float kVeryLow = 300;  // points
    const bool low = ui.window().y < kVeryLow;
    bool& begun = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("begun"));
    if (low && !begun) ImGui::SetScrollHereY(0);
    begun = low;
}

Scope begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags) {
    ImGui::BeginChild(id, size, 0, flags);
    return Scope(ImGui::EndChild);
}

Scope with_style(ImGuiStyleVar variable, ImVec2 value) {
    ImGui::PushStyleVar(variable, value);
    return Scope([] { ImGui::PopStyleVar(); });
}

Scope with_colour(const Ui& ui, ImGuiCol which, Role role) {
    ImGui::PushStyleColor(which, ui.colour4(role));
    return Scope([] { ImGui::PopStyleColor(); });
}

Scope with_id(int id) {
    ImGui::PushID(id);
    return Scope(ImGui::PopID);
}

void begin_window(const char* id, ImVec2 padding, float rounding, float border,
                  ImGuiWindowFlags more) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, rounding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, border);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | more);
    ImGui::PopStyleVar(4);
}

namespace {

struct TooltipState {
    bool closed = false;
};

// A press that does something by itself.
bool any_key_pressed() {
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key)
        if ((key < ImGuiKey_LeftCtrl || key > ImGuiKey_RightSuper) &&
            ImGui::IsKeyPressed(static_cast<ImGuiKey>(key)))
            return true;
    return false;
}

}  // namespace

void watch_tooltips(const Ui& ui) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    TooltipState& state = ui.state<TooltipState>();
    state.closed = any_key_pressed() || (state.closed && moved.x == 0 && moved.y == 0);
}

bool begin_tooltip(const Ui& ui, std::optional<ImVec2> at) {
    if (ui.state<TooltipState>().closed) return false;
    if (at) ImGui::SetNextWindowPos(*at);
    return ImGui::BeginTooltip();
}

void tip(const Ui& ui, const std::string& text, const char* key) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled))
        return;
    if (!begin_tooltip(ui)) return;
    ImGui::PushTextWrapPos(ui.px(320));
    text_line(ui, text, Face::sans, kTextSize);
    ImGui::PopTextWrapPos();
    if (key != nullptr) text_line(ui, key, Face::mono, kSmallSize, Role::muted);
    ImGui::EndTooltip();
}

std::string shown_path(const std::filesystem::path& file) {
    return (platform::kBrowser ? file.filename() : file).string();
}

void command_tip(const Ui& ui, const session::Command& command) {
    tip(ui, ui.tr()(std::string("command.") + command.id + ".tip"), command.key);
}

void command_button(Ui& ui, std::string_view id, const std::string& text, bool accent,
                    float width) {
    const session::Command& command = ui.session.command(id);
    if (is_missing(command)) return;
    ImGui::BeginDisabled(!command.enabled(ui.session));
    if (plain_button(ui, command.id, text, {width, 0}, accent ? kPrimary : kPlain)) ui.run(command);
    ImGui::EndDisabled();
    command_tip(ui, command);
}

bool act_button(const Ui& ui, const char* id, const std::string& text, bool accent, ImVec2 size) {
    // Without a height of its own it is as high as the field that it stands beside.
    const float above = size.y > 0 ? ui.px(2) : ImGui::GetStyle().FramePadding.y;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), above});
    const bool pressed = plain_button(ui, id, text, size, accent ? kPrimary : kPlain);
    ImGui::PopStyleVar();
    return pressed;
}

void sign_button(Ui& ui, std::string_view id, Sign sign, const std::string& text) {
    const session::Command& command = ui.session.command(id);
    const float height = ui.px(32);
    const float words = text.empty() ? 0 : words_width(text) + ui.px(8);
    const float sign_width = ui.px(sign == Sign::fill     ? 32
                                   : ui.window().x < 520  ? 36
                                   : ui.window().x < 1400 ? 44
                                                          : 52);
    const ImVec2 size{sign_width + words, height};
    ImGui::BeginDisabled(!command.enabled(ui.session));
    const ImVec2 point = ImGui::GetCursorScreenPos();
    if (plain_button(ui, command.id, "", size, kPlain)) ui.run(command);
    const ImU32 colour = ImGui::GetColorU32(ImGuiCol_Text);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    paint_sign(into, sign, {point.x + sign_width / 2, point.y + height / 2}, ui.px(7), colour);
    if (!text.empty())
        into.AddText(
            {point.x + sign_width - ui.px(12), point.y + (height - ImGui::GetFontSize()) / 2},
            colour, text.c_str());
    ImGui::EndDisabled();
    command_tip(ui, command);
}

bool close_button(const Ui& ui, const char* id, float end, std::optional<float> top) {
    // A finger may miss the sign by a little.
    const float size = ui.px(24), around = (ui.px(kTouch) - size) / 2;
    ImGui::SameLine();
    ImGui::SetCursorPos({end - size - around, top.value_or(ImGui::GetCursorPosY()) - around});
    const ImVec2 corner = ImGui::GetCursorScreenPos(), point{corner.x + around, corner.y + around};
    const bool pressed = ImGui::InvisibleButton(id, {ui.px(kTouch), ui.px(kTouch)});
    const Pen pen(ui);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) pen.fill(point, {point.x + size, point.y + size}, Role::idle_fill, ui.px(5));
    const ImVec2 middle{point.x + size / 2, point.y + size / 2};
    const float arm = ui.px(4.5F);
    for (const float down : {arm, -arm})
        pen.line({middle.x - arm, middle.y - down}, {middle.x + arm, middle.y + down},
                 hovered ? Role::text : Role::muted, ui.px(1.6F));
    return pressed;
}

void menu_button(Ui& ui, ImVec2 size) {
    const session::Command& command = ui.session.command("menu");
    const ImVec2 point = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(command.id, size)) ui.run(command);
    const Pen pen(ui);
    const bool lit = ImGui::IsItemHovered() || ui.session.overlay == "menu";
    if (lit) pen.fill(point, {point.x + size.x, point.y + size.y}, Role::act_fill, ui.px(6));
    for (const float line : {-5.0F, 0.0F, 5.0F}) {
        const float y = point.y + size.y / 2 + ui.px(line);
        pen.line({point.x + size.x / 2 - ui.px(8), y}, {point.x + size.x / 2 + ui.px(8), y},
                 lit ? Role::act : Role::text, ui.px(1.8F));
    }
    command_tip(ui, command);
}

void beside_button(Ui& ui, ImVec2 size, bool on) {
    const session::Command& command = ui.session.command("toggle.beside");
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!command.enabled(ui.session));
    const ButtonColours& colours = on ? kPrimary : kPlain;
    if (plain_button(ui, command.id, "", size, colours)) ui.run(command);
    const Pen pen(ui);
    const ImVec2 middle{point.x + size.x / 2, point.y + size.y / 2};
    for (const float side : {-1.0F, 1.0F}) {
        const float x = middle.x + side * ui.px(5);
        pen.frame({x - ui.px(3.5F), middle.y - ui.px(6)}, {x + ui.px(3.5F), middle.y + ui.px(6)},
                  on ? Role::on_act : Role::text, ui.px(1.5F), ui.px(1.5F));
    }
    ImGui::EndDisabled();
    command_tip(ui, command);
}

bool pill(const Ui& ui, const char* id, const std::string& text, bool selected, float around,
          float size) {
    const TextStyle style(ui, selected ? Face::bold : Face::sans, size);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ui.px(16));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(around), touch_padding(ui)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    const bool pressed = plain_button(ui, id, text, {0, 0},
                                      {selected ? Role::act_fill : Role::panel, Role::act_fill,
                                       selected ? Role::act : Role::muted});
    ImGui::PopStyleVar(3);
    return pressed;
}

void text_line(const Ui& ui, const std::string& text, Face face, float size, Role role) {
    const TextStyle style(ui, face, size, role);
    ImGui::TextUnformatted(text.c_str());
}

void coloured(const Ui& ui, std::string_view text, Role role) {
    const Scope colour = with_colour(ui, ImGuiCol_Text, role);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void label(const Ui& ui, const std::string& text) {
    text_line(ui, text, Face::sans, kSmallSize, Role::muted);
}

void bold_line(const Ui& ui, const std::string& text, float size, Role role) {
    text_line(ui, text, Face::bold, size, role);
}

void fitted_line(const Ui& ui, const std::string& text, float width, Face face, float size,
                 Role role) {
    text_line(ui, ui.metrics.shortened(text, width / ui.scale, size, face), face, size, role);
}

void framed_line(const Ui& ui, const std::string& text, Face face, float size, Role role) {
    const TextStyle style(ui, face, size, role);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
}

void text_around(const Ui& ui, ImVec2 centre, const std::string& text, Role role) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    Pen(ui).text({centre.x - size.x / 2, centre.y - size.y / 2}, text, role);
}

void tick_sign(const Ui& ui, ImVec2 centre, Role role) {
    const ImVec2 points[]{{centre.x - ui.px(5), centre.y},
                          {centre.x - ui.px(1.5F), centre.y + ui.px(3.5F)},
                          {centre.x + ui.px(5), centre.y - ui.px(4)}};
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, ui.colour(role), 0, ui.px(2));
}

void share_bar(const Ui& ui, ImVec2 point, ImVec2 size, float share, Role role) {
    const Pen pen(ui);
    const float radius = size.y / 2, least = std::max(size.y, ui.px(6));
    pen.fill(point, {point.x + size.x, point.y + size.y}, Role::idle_fill, radius);
    if (share > 0)
        pen.fill(point, {point.x + std::max(size.x * share, least), point.y + size.y}, role,
                 radius);
}

void label_at(const Ui& ui, ImVec2 point, const std::string& text, float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    const std::string fits = ui.metrics.shortened(text, width / ui.scale, kSmallSize, Face::sans);
    Pen(ui).text(point, fits, Role::muted);
}

float touch_padding(const Ui& ui) {
    return std::max(0.0F, (ui.px(kTouch) - ImGui::GetFontSize()) / 2);
}

float touch_row(const Ui& ui, const std::string& text) {
    return std::max(ui.px(kTouch) - ImGui::GetStyle().ItemSpacing.y,
                    ImGui::CalcTextSize(text.c_str(), nullptr, true).y);
}

std::string rounded_percent(double percent) {
    // Nearly all is not all.
    if (percent >= 99.5 && percent < 100)
        return fmt::format("{:.2f} %", std::floor(percent * 100) / 100);
    if (percent >= 9.95) return fmt::format("{:.0f} %", percent);
    if (percent >= 0.095) return fmt::format("{:.1f} %", percent);
    return fmt::format("{:.2f} %", percent);
}

std::optional<std::size_t> combo(const Ui& ui, const char* id,
                                 const std::vector<std::string>& entries, std::size_t chosen,
                                 float width) {
    std::optional<std::size_t> now;
    ImGui::SetNextItemWidth(width);
    const Scope colour = with_colour(ui, ImGuiCol_Button, Role::background);
    const ImGuiID item = ImGui::GetID(id);
    const bool open = ImGui::BeginCombo(id, chosen < entries.size() ? entries[chosen].c_str() : "",
                                        ImGuiComboFlags_HeightLarge);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    IMGUI_TEST_ENGINE_ITEM_INFO(item, id, 0);  // as ImGui does for its other widgets
    if (!open) return now;
    for (std::size_t i = 0; i < entries.size(); ++i)
        // Entries that say the same are still distinguished.
        if (ImGui::Selectable(fmt::format("{}{}.{}", entries[i], id, i).c_str(), i == chosen) &&
            i != chosen)
            now = i;
    ImGui::EndCombo();
    return now;
}

float line_end() {
    return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
}

void wrapped(const std::string& text, float width) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

void wrapped(const Ui& ui, const std::string& text, float width, Face face, float size, Role role) {
    const TextStyle style(ui, face, size, role);
    wrapped(text, width);
}

void scroll_by_keys(const Ui& ui) {
    const float page = ImGui::GetWindowHeight() - ui.px(60);
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
        ImGui::SetScrollY(std::max(ImGui::GetScrollY() - page, 0.0F));
}

void wrapped_label(const Ui& ui, const std::string& text, float width) {
    wrapped(ui, text, width, Face::sans, kSmallSize, Role::muted);
}

std::string as_sentence(const Ui& ui, const std::string& text) {
    for (const char* mark : {".", "?", "!", ":", "。", "？", "！", "：", "…"})
        if (text.ends_with(mark)) return text;
    return text.empty() ? text : text + ui.tr()("figure.stop");
}

// Boxes of words on a ground that says whether all is well.

Role ground_of(Tone tone) {
    return tone == Tone::wrong  ? Role::race_fill
           : tone == Tone::good ? Role::wrote_fill
                                : Role::act_fill;
}

constexpr float kMessagePad = 11;  // points

float message_height(const Ui& ui, const std::string& text, float width) {
    const float pad = 2 * ui.px(kMessagePad);
    return ImGui::CalcTextSize(text.c_str(), nullptr, false, width - pad).y + pad;
}

void message_box(const Ui& ui, const std::string& text, Tone tone, float width, float most) {
    if (platform::kBrowser) platform::describe(text);
    const float pad = ui.px(kMessagePad);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float height = message_height(ui, text, width);
    const bool cut = most > 0 && height > most;
    Pen(ui).fill(point, {point.x + width, point.y + (cut ? most : height)}, ground_of(tone),
                 ui.px(6));
    if (cut) {
        ImGui::SetCursorScreenPos({point.x + pad, point.y + ui.px(4)});
        ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, ImVec4{0, 0, 0, 0});
        ImGui::BeginChild("said", {width - pad - ui.px(2), most - ui.px(8)});
        const ImVec2 start = ImGui::GetCursorScreenPos();
        mark_words(ui, text, start, width - 2 * pad - ui.px(10));
        ImGui::SetCursorScreenPos(start);
        wrapped(text, width - 2 * pad - ui.px(10));
        ImGui::EndChild();
        ImGui::PopStyleColor();
        return;
    }
    const ImVec2 start{point.x + pad, point.y + pad};
    mark_words(ui, text, start, width - 2 * pad);
    ImGui::SetCursorScreenPos(start);
    wrapped(text, width - 2 * pad);
}

void problem_card(const Ui& ui, const Problem& given, float width, float spare) {
    const Problem problem = translated(given, ui.tr());
    const float pad = ui.px(14);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.ChannelsSplit(2);
    into.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad});
    ImGui::BeginGroup();
    const float inner = width - 2 * pad;
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped("! " + as_sentence(ui, problem.what_happened), inner - spare);
        if (platform::kBrowser)
            platform::describe(
                fmt::format("! {}. {}. {}", problem.what_happened, problem.why, problem.hint));
    }
    if (!problem.where.empty()) wrapped(ui, problem.where, inner, Face::mono, kSmallSize);
    if (!problem.why.empty()) {
        const bool log = problem.why.find('\n') != std::string::npos;
        const TextStyle style(ui, log ? Face::mono : Face::sans, kSmallSize);
        wrapped(log ? problem.why : as_sentence(ui, problem.why), inner);
    }
    if (!problem.hint.empty())
        wrapped(ui, as_sentence(ui, problem.hint), inner, Face::sans, kTextSize);
    ImGui::EndGroup();
    const ImVec2 high{point.x + width, ImGui::GetItemRectMax().y + pad};
    into.ChannelsSetCurrent(0);
    pen.fill(point, high, Role::race_fill, ui.px(8));
    pen.fill(point, {point.x + ui.px(4), high.y}, Role::race, ui.px(2));
    into.ChannelsMerge();
    ImGui::SetCursorScreenPos({point.x, high.y + ui.px(8)});
    ImGui::Dummy({width, 1});
}

namespace {

struct Appearance {
    std::string shown;       // the one of the last frame
    bool appearing = false;  // this frame is its first
};

}  // namespace

bool overlay_appears(const Ui& ui) {
    return ui.state<Appearance>().appearing;
}

void follow_overlay(Ui& ui) {
    Appearance& state = ui.state<Appearance>();
    state.appearing = ui.session.overlay != state.shown;
    state.shown = ui.session.overlay;
}

Scope begin_overlay(Ui& ui, const char* id, ImVec2 point, ImVec2 size, bool light) {
    ImGui::SetNextWindowPos(point);
    ImGui::SetNextWindowSize(size);
    const bool appears = overlay_appears(ui);
    if (appears) ImGui::SetNextWindowFocus();
    const Scope ground = with_colour(ui, ImGuiCol_WindowBg, Role::panel);
    const Scope border = with_colour(ui, ImGuiCol_Border, Role::idle);
    begin_window(id, {ui.px(14), ui.px(14)}, ui.px(10), ui.px(1));
    const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                           !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                                   ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (light && elsewhere && !appears) ui.change().overlay = "";
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !appears) ui.change().overlay = "";
    return Scope(ImGui::End);
}

Scope begin_list_overlay(Ui& ui, const char* id, float width, float height) {
    const ImVec2 window = ui.window();
    const float wide = std::min(width, window.x - 24), top = std::min(70.0F, window.y * 0.1F);
    return begin_overlay(ui, id, {ui.px((window.x - wide) / 2), ui.px(top)},
                         {ui.px(wide), ui.px(std::min(height, window.y - top - 16))});
}

void close_overlay_button(Ui& ui) {
    if (close_button(ui, "close", line_end())) ui.change().overlay = "";
}

}  // namespace lab::gui
