#include "views/shell/shell.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gui/widgets.h"
#include "session/app_commands.h"
#include "views/files/files.h"
#include "views/files/files_panels.h"

namespace lab::gui {
namespace {

// What a tab is for, beside the tabs: below them it would cover what they lead to.
void tab_tip(const Ui& ui, const session::Command& command, ImVec2 point) {
    const float room = ImGui::GetMainViewport()->Size.x - point.x - ui.px(28);
    if (room < ui.px(260)) return command_tip(ui, command);
    const TextStyle style(ui, Face::sans, kTextSize);
    if (!begin_tooltip(ui, point)) return;
    const float key = ui.px(ui.metrics.text_width(command.key, kSmallSize, Face::mono) + 14);
    wrapped(ui.tr()(fmt::format("command.{}.tip", command.id)), room - key);
    ImGui::SameLine(0, ui.px(14));
    text_line(ui, command.key, Face::mono, kSmallSize, Role::muted);
    ImGui::EndTooltip();
}

// The views as a list, where the bar has no room for tabs.
void view_list(Ui& ui, float width) {
    const session::ViewType* shown = &ui.session.shown_type();
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(10), touch_padding(ui)});
    if (value_combo(ui, "###views", types_of(ui.views), shown, width, [&](const auto* type) {
            return ui.tr()(std::string("command.view.") + type->id);
        }))
        ui.run(std::string("view.") + shown->id);
}

bool small_command(Ui& ui, const char* id, const std::string& text) {
    const bool pressed = pill(ui, id, text, false);
    if (pressed) ui.run(id);
    command_tip(ui, ui.session.command(id));
    return pressed;
}

// The buttons for the scale: they stand still while the mouse is on them, though what they change
// moves all else.
constexpr std::array<std::pair<const char*, const char*>, 2> kScales{
    {{"scale.smaller", "A−"}, {"scale.larger", "A+"}}};

struct ScaleButtons {
    Area area = {};   // the last one in the bar
    float scale = 0;  // at which they are held there; 0: they are where they belong
};

bool scale_buttons(Ui& ui) {
    bool pressed = false;
    for (const auto& [id, text] : kScales) {
        pressed = small_command(ui, id, text) || pressed;
        ImGui::SameLine(0, 0);
    }
    return pressed;
}

void scale_buttons_in_bar(Ui& ui, float width) {
    ScaleButtons& state = ui.state<ScaleButtons>();
    if (state.scale != 0) return;
    state.area = {ImGui::GetCursorScreenPos(), {width, ui.px(kTouch)}};
    if (scale_buttons(ui)) state.scale = ui.scale;
}

// Over what the bar has there now.
void held_scale_buttons(Ui& ui) {
    ScaleButtons& state = ui.state<ScaleButtons>();
    if (state.scale == 0) return;
    if (!state.area.has(ImGui::GetIO().MousePos)) {
        state.scale = 0;
        return;
    }
    Ui then = ui.smaller(state.scale / ui.scale);
    const float now = std::exchange(ImGui::GetStyle().FontScaleMain, then.scale);
    ImGui::SetNextWindowPos(state.area.at);
    ImGui::SetNextWindowSize(state.area.size);
    begin_window("scale", {0, 0}, 0, 0);
    {
        const TextStyle text(then, Face::sans, kTextSize);
        scale_buttons(then);
    }
    ImGui::GetStyle().FontScaleMain = now;  // End() takes it for what follows
    ImGui::End();
}

}  // namespace

void top_bar(Ui& ui, const Area& area) {
    fill_area(ui, area.at, area.end());
    Pen(ui).line({area.at.x, area.end().y}, area.end(), Role::border);
    const float y = area.at.y + (area.size.y - ui.px(kTouch)) / 2;
    float x = area.at.x + ui.px(12);
    ImGui::SetCursorScreenPos({x, y});
    menu_button(ui, {ui.px(kTouch), ui.px(kTouch)});
    x = ImGui::GetItemRectMax().x + ui.px(10);
    float tabs = 0;
    for (const WindowView& view : ui.views) {
        const std::string words = ui.tr()(std::string("command.view.") + view.type->id);
        tabs += ui.px(ui.metrics.text_width(words, kTextSize, Face::bold));
    }
    const auto count = static_cast<float>(ui.views.size());
    const float title_width =
        ui.px(ui.metrics.text_width(ui.tr()("app.title"), kTitleSize - 1, Face::bold) + 24);
    const float rest = area.size.x - x - ui.px(12);
    const bool titled = title_width + tabs + count * ui.px(28) < rest;
    const float around = tabs + count * ui.px(28) < rest ? 12 : 4;
    if (titled) {
        const TextStyle title(ui, Face::bold, kTitleSize - 1);
        ImGui::SetCursorScreenPos({x, area.at.y + (area.size.y - ImGui::GetFontSize()) / 2});
        ImGui::TextUnformatted(ui.tr()("app.title").c_str());
        x = ImGui::GetItemRectMax().x + ui.px(24);
    }
    ImGui::SetCursorScreenPos({x, y});
    const session::Command* pointed = nullptr;
    constexpr float kLeast = 0.8F;  // of the words' size; on narrower phones the tabs are a list
    const float fitting = std::min((rest - count * ui.px(12)) / tabs, 1.0F);
    if (fitting < kLeast) view_list(ui, std::min(rest, ui.px(160)));
    for (const WindowView& view : ui.views) {
        if (fitting < kLeast) break;
        const std::string id = std::string("view.") + view.type->id;
        const session::Command& command = ui.session.command(id);
        if (pill(ui, command.id, ui.tr()("command." + id), view.type == &ui.session.shown_type(),
                 around, kTextSize * fitting))
            ui.run(command);
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) pointed = &command;
        ImGui::SameLine(0, ui.px(4));
    }
    const float tabs_end = ImGui::GetItemRectMax().x;
    if (pointed != nullptr) tab_tip(ui, *pointed, {tabs_end + ui.px(12), area.at.y + ui.px(9)});

    std::vector<std::pair<const char*, std::string>> settings{
        {"terms.next", ui.tr()("terms." + ui.session.settings().terms)},
        {"language.next", ui.tr()("language.name")},
        {"theme.next", ui.tr()("theme." + ui.session.settings().theme)},
        {"present", ui.tr()("command.present")},
    };
    const auto width = [&ui](const std::string& text) { return words_width(text) + ui.px(24); };
    const float scales = width(kScales.front().second) + width(kScales.back().second);
    float settings_x = area.at.x + area.size.x - ui.px(12) - scales;
    for (const auto& setting : settings)
        settings_x -= width(setting.second);
    while (settings_x <= tabs_end && settings.size() > 1) {  // the menu has them, too
        settings_x += width(settings.front().second);
        settings.erase(settings.begin());
    }
    if (settings_x > tabs_end) {
        ImGui::SetCursorScreenPos({settings_x, y});
        for (const auto& [id, text] : settings) {
            small_command(ui, id, text);
            ImGui::SameLine(0, 0);
        }
        scale_buttons_in_bar(ui, scales);
    } else {
        settings_x = area.at.x + area.size.x;
        // On a phone the picture alone is what there is room for.
        if (const float x_fill = settings_x - ui.px(36); ui.narrow() && x_fill > tabs_end) {
            settings_x = x_fill - ui.px(8);
            ImGui::SetCursorScreenPos({x_fill, y});
            sign_button(ui, "present", Sign::fill);
        }
    }
    held_scale_buttons(ui);
    if (const float room = settings_x - tabs_end - ui.px(24); room > ui.px(90))
        device_badge(ui, {tabs_end + ui.px(12), area.at.y + (area.size.y - ui.px(32)) / 2}, room);
}

namespace {

constexpr float kPad = 11, kHintPad = 7;  // points around the words

// A window as large as what is in it; `pivot`: the part of it that lies at `point`.
Scope begin_floating(const char* id, ImVec2 point, ImVec2 pivot) {
    ImGui::SetNextWindowPos(point, ImGuiCond_Always, pivot);
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, 0});
    begin_window(id, {0, 0}, 0, 0,
                 ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    return Scope(ImGui::End);
}

float inner_width(const Ui& ui, float width, float pad) {
    return width - ui.px(2 * pad + 28);
}

// A strip of words with an x at its end; whether that was pressed.
bool note(const Ui& ui, const char* id, const std::string& title, const std::string& words,
          Role ground, Role edge, float width, float points = kPad,
          const std::function<void()>& below = {}) {
    ImGui::PushID(id);
    const float pad = ui.px(points);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.ChannelsSplit(2);
    into.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({point.x + pad + ui.px(4), point.y + pad});
    ImGui::BeginGroup();
    const float inner = inner_width(ui, width, points);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
    if (!title.empty()) wrapped(ui, title, inner, Face::bold, kSmallSize, Role::muted);
    wrapped(ui, words, inner, Face::sans, kTextSize);
    if (below) below();
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    const ImVec2 high{point.x + width, ImGui::GetItemRectMax().y + pad};
    const float top = point.y - ImGui::GetWindowPos().y + ui.px(points - 4);
    const bool closed = close_button(ui, id, width - ui.px(7), top);
    into.ChannelsSetCurrent(0);
    const float strength = ImGui::GetStyle().Alpha;
    into.AddRectFilled(point, high, ui.colour(ground, strength), ui.px(8));
    into.AddRect(point, high, ui.colour(edge, strength), ui.px(8), 0, ui.px(1));
    into.AddRectFilled(point, {point.x + ui.px(4), high.y}, ui.colour(edge, strength), ui.px(2));
    into.ChannelsMerge();
    ImGui::SetCursorScreenPos({point.x, high.y + ui.px(8)});
    ImGui::Dummy({width, 0});
    ImGui::PopID();
    return closed;
}

void problems(Ui& ui, float width) {
    session::Notices& notices = ui.change().notices;
    for (std::size_t i = 0; i < notices.problems().size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const float top = ImGui::GetCursorPosY();
        problem_card(ui, notices.problems()[i], width, ui.px(22));
        const float next = ImGui::GetCursorPosY();
        const bool closed = close_button(ui, "problem.forget", width - ui.px(8), top + ui.px(8));
        tip(ui, ui.tr()("problem.forget.tip"));
        ImGui::SetCursorPosY(next);
        ImGui::Dummy({width, 0});
        ImGui::PopID();
        if (!closed) continue;
        notices.forget_problem(i);
        break;
    }
}

// What was exported can be had in another format while the same view is on screen.
bool offers_formats(const Ui& ui, const session::Toast& toast) {
    return toast.view == ui.session.settings().view &&
           session::export_suffixes(ui.session).size() > 1;
}

float format_line(const Ui& ui) {
    return ui.px(kTouch + 6);
}

void other_formats(Ui& ui) {
    ImGui::Dummy({0, ui.px(4)});
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(ui.tr()("toast.also").c_str());
    for (const char* suffix : session::export_suffixes(ui.session)) {
        const std::string name = format_name(suffix);
        ImGui::SameLine(0, ui.px(6));
        if (ImGui::Button((name + "###also" + suffix).c_str()))
            session::export_also(ui.change(), suffix);
        tip(ui, ui.tr()(platform::kBrowser ? "export.format.tip_browser" : "export.format.tip"));
    }
}

// The newest, for a person reads one at a time.
void newest_toast(Ui& ui, float width, float pad) {
    session::Notices& notices = ui.change().notices;
    if (notices.toasts().empty()) return;
    const session::Toast& toast = notices.toasts().back();
    const float strength = session::Notices::strength(toast, session::Clock::now());
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(strength, 0.01F));
    const std::function<void()> formats =
        offers_formats(ui, toast) ? [&] { other_formats(ui); } : std::function<void()>();
    const std::string words = toast.words;  // an export adds another one
    const bool closed =
        note(ui, "toast.forget", "", words, Role::wrote_fill, Role::wrote, width, pad, formats);
    ImGui::PopStyleVar();
    if (closed) notices.forget_toast(notices.toasts().size() - 1);
}

const session::Hint* hint_shown(const Ui& ui) {
    // There is none to spare in a very low window; and who has fingers alone has no keys, of which
    // they tell.
    const bool fingers = ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen;
    const bool room = ui.window().y > 300 && !ui.phone() && !fingers;
    const bool calm = !room || ui.session.presenting;  // a class looks at the picture alone
    return !calm && ui.session.options().remember ? session::hint_for(ui.session) : nullptr;
}

// A short message stands where the hint stands, so that it covers nothing and moves nothing.
bool strip_has_toast(const Ui& ui) {
    return !ui.session.notices.toasts().empty() && !ui.session.presenting &&
           (has_right_column(ui) || hint_shown(ui) != nullptr);
}

std::string strip_words(const Ui& ui) {
    if (strip_has_toast(ui)) return ui.session.notices.toasts().back().words;
    const session::Hint* hint = hint_shown(ui);
    if (hint == nullptr) return {};
    return ui.tr()("hints.title") + ui.tr()("figure.colon") +
           ui.tr()(fmt::format("hints.{}", hint->id));
}

float strip_width(const Ui& ui) {
    return has_right_column(ui) ? right_column_width(ui)
                                : ImGui::GetMainViewport()->Size.x - 2 * ui.px(12);
}

// Below the right column, where it takes nothing from the figure; else below all panels.
void strip(Ui& ui, float low) {
    const std::string words = strip_words(ui);
    if (words.empty()) return;
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = strip_width(ui);
    const Scope window = begin_floating(
        "strip", {size.x - ui.px(12) - width, size.y - low - strip_height(ui)}, {0, 0});
    if (strip_has_toast(ui)) {
        newest_toast(ui, width, kHintPad);
    } else {
        const std::string id = hint_shown(ui)->id;
        if (note(ui, "hint.forget", "", words, Role::act_fill, Role::act, width, kHintPad))
            ui.change().edit().hints_done.push_back(id);
    }
}

}  // namespace

float right_column_width(const Ui& ui) {
    return ui.px(std::clamp(ui.window().x * 0.335F, 330.0F, 540.0F));
}

bool has_right_column(const Ui& ui) {
    return !ui.narrow() && shown_view(ui).has(Place::right);
}

float strip_height(const Ui& ui) {
    const std::string words = strip_words(ui);
    if (words.empty()) return 0;
    const TextStyle style(ui, Face::sans, kTextSize);
    const float width = inner_width(ui, strip_width(ui), kHintPad);
    const bool formats =
        strip_has_toast(ui) && offers_formats(ui, ui.session.notices.toasts().back());
    return ImGui::CalcTextSize(words.c_str(), nullptr, false, width).y + ui.px(2 * kHintPad + 10) +
           (formats ? format_line(ui) : 0);
}

void notices(Ui& ui) {
    const ImVec2 window = ui.window();
    const float width = ui.px(std::min(360.0F, window.x * 0.46F));
    const float log = ui.session.log_shown ? log_height(ui) : 0;
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        strip(ui, log);
    }
    const float low = log + strip_height(ui);
    const TextStyle style(ui, Face::sans, kTextSize);
    {
        const Scope floating =
            begin_floating("notices", {ui.px(window.x - 22), ui.px(window.y - 14) - low}, {1, 1});
        problems(ui, width);
    }
    if (strip_has_toast(ui) || ui.session.notices.toasts().empty()) return;
    // A page's buttons stand at its end, and a class's sentence above the line of keys: neither is
    // covered.
    const ImVec2 middle{ui.px(window.x / 2), 0};
    const Scope floating = ui.session.presenting
                               ? begin_floating("toast", {middle.x, ui.px(window.y + 4)}, {0.5F, 1})
                               : begin_floating("toast", {middle.x, ui.px(kTopBar + 4)}, {0.5F, 0});
    newest_toast(ui, width, ui.session.presenting ? kHintPad - 3 : kPad);
}

// The menu behind the button in the top bar: the table of commands, a group a submenu.

static void group_entries(Ui& ui, const session::CommandGroup& group) {
    for (const session::Command& command : group.commands) {
        const std::string title = ui.tr()(std::string("command.") + command.id);
        const bool enabled = command.enabled(ui.session);
        if (ImGui::MenuItem((title + "###" + command.id).c_str(), command.key, false, enabled)) {
            ui.change().overlay = "";
            ui.run(command);
        }
        tip(ui, ui.tr()(std::string("command.") + command.id + ".tip"));
    }
}

void menu(Ui& ui) {
    if (overlay_appears(ui)) ImGui::OpenPopup("menu");
    ImGui::SetNextWindowPos({ui.px(12), ui.px(50)});
    const TextStyle style(ui, Face::sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        {ui.px(16), ui.px(kTouch) - ImGui::GetFontSize()});
    if (ImGui::BeginPopup("menu")) {
        for (const session::CommandGroup& group : ui.session.commands().groups())
            if (ImGui::BeginMenu(
                    (ui.tr()(std::string("menu.") + group.id) + "###" + group.id).c_str())) {
                group_entries(ui, group);
                ImGui::EndMenu();
            }
        // All of it: under a resting mouse, a submenu that was closed alone would open again.
        if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !overlay_appears(ui))
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    } else if (ui.session.overlay == "menu") {
        ui.change().overlay = "";
    }
    ImGui::PopStyleVar(2);
}

}  // namespace lab::gui
