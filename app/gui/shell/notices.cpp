#include "gui/shell/notices.h"

#include <fmt/format.h>

#include <algorithm>

#include "gui/parts/widgets.h"
#include "gui/shell/log_panel.h"
#include "session/shell/hints.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kPad = 11, kHintPad = 7;  // points around the words
constexpr ImGuiWindowFlags kFloating =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing;

float inner_width(const Ui& ui, float width, float pad) {
    return width - ui.px(2 * pad + 28);
}

// A strip of words with an x at its end; whether that was pressed.
bool note(const Ui& ui, const char* id, const std::string& title, const std::string& words,
          Role ground, Role edge, float width, float points = kPad) {
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
    if (!title.empty()) {
        const TextStyle style(ui, Face::bold, kSmallSize, Role::muted);
        wrapped(title, inner);
    }
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        wrapped(words, inner);
    }
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    const ImVec2 high{point.x + width, ImGui::GetItemRectMax().y + pad};
    const float top = point.y - ImGui::GetWindowPos().y + ui.px(points - 4);
    const bool closed = close_button(ui, id, width - ui.px(7), top);
    into.ChannelsSetCurrent(0);
    const float strength = ImGui::GetStyle().Alpha;
    const auto faded = [&](Role role) {
        ImVec4 colour = ui.colour4(role);
        colour.w *= strength;
        return ImGui::ColorConvertFloat4ToU32(colour);
    };
    into.AddRectFilled(point, high, faded(ground), ui.px(8));
    into.AddRect(point, high, faded(edge), ui.px(8), 0, ui.px(1));
    into.AddRectFilled(point, {point.x + ui.px(4), high.y}, faded(edge), ui.px(2));
    into.ChannelsMerge();
    ImGui::SetCursorScreenPos({point.x, high.y + ui.px(8)});
    ImGui::Dummy({width, 0});
    ImGui::PopID();
    return closed;
}

void problems(Ui& ui, float width) {
    session::Notices& notices = ui.change().notices();
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

void toasts(Ui& ui, float width) {
    session::Notices& notices = ui.change().notices();
    const auto now = session::Clock::now();
    for (std::size_t i = 0; i < notices.toasts().size(); ++i) {
        const session::Toast& toast = notices.toasts()[i];
        ImGui::PushStyleVar(ImGuiStyleVar_Alpha,
                            std::max(session::Notices::strength(toast, now), 0.01F));
        ImGui::PushID(static_cast<int>(i));
        const bool closed =
            note(ui, "toast.forget", "", toast.words, Role::wrote_fill, Role::wrote, width);
        ImGui::PopID();
        ImGui::PopStyleVar();
        if (!closed) continue;
        notices.forget_toast(i);
        break;
    }
}

// Below the right column, which makes room for it.
void toast_column(Ui& ui, float low) {
    const float height = toasts_height(ui);
    if (height == 0) return;
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = right_column_width(ui);
    ImGui::SetNextWindowPos({size.x - ui.px(12) - width, size.y - low - height - ui.px(4)},
                            ImGuiCond_Always);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Begin("notices.column", nullptr, kFloating);
    ImGui::PopStyleVar(3);
    toasts(ui, width);
    ImGui::End();
}

const session::Hint* hint_shown(const Ui& ui) {
    const bool room = ui.window().y > 300;  // there is none to spare in a very low window
    return room && ui.session.gives_hints() ? session::hint_for(ui.session) : nullptr;
}

std::string hint_words(const Ui& ui, const session::Hint& hint) {
    return ui.tr()("hints.title") + ": " + ui.tr()(fmt::format("hints.{}", hint.id));
}

float hint_width(const Ui& ui) {
    return has_right_column(ui) ? right_column_width(ui)
                                : ImGui::GetMainViewport()->Size.x - 2 * ui.px(12);
}

// Below the right column, where it takes nothing from the figure; else below all panels.
void hint(Ui& ui, float low) {
    const session::Hint* shown = hint_shown(ui);
    if (shown == nullptr) return;
    const std::string id = shown->id;
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = hint_width(ui);
    ImGui::SetNextWindowPos({size.x - ui.px(12) - width, size.y - low - hint_height(ui)},
                            ImGuiCond_Always);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Begin("hint", nullptr, kFloating);
    ImGui::PopStyleVar(3);
    if (note(ui, "hint.forget", "", hint_words(ui, *shown), Role::act_fill, Role::act, width,
             kHintPad))
        ui.change().forget_hint(id);
    ImGui::End();
}

}  // namespace

float right_column_width(const Ui& ui) {
    return ui.px(std::clamp(ui.window().x * 0.335F, 330.0F, 540.0F));
}

bool has_right_column(const Ui& ui) {
    return !ui.narrow() && shown_view(ui).has(Place::right);
}

float hint_height(const Ui& ui) {
    const session::Hint* shown = hint_shown(ui);
    if (shown == nullptr) return 0;
    const TextStyle style(ui, Face::sans, kTextSize);
    const float width = inner_width(ui, hint_width(ui), kHintPad);
    return ImGui::CalcTextSize(hint_words(ui, *shown).c_str(), nullptr, false, width).y +
           ui.px(2 * kHintPad + 10);
}

float toasts_height(const Ui& ui) {
    if (!has_right_column(ui)) return 0;
    const TextStyle style(ui, Face::sans, kTextSize);
    const float width = inner_width(ui, right_column_width(ui), kPad);
    float height = 0;
    for (const session::Toast& toast : ui.session.notices().toasts())
        height +=
            ImGui::CalcTextSize(toast.words.c_str(), nullptr, false, width).y + ui.px(2 * kPad + 8);
    return height;
}

void notices(Ui& ui) {
    const ImVec2 window = ui.window();
    const float width = ui.px(std::min(360.0F, window.x * 0.46F));
    const float log = ui.session.log_shown() ? log_height(ui) : 0;
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        hint(ui, log);
    }
    const float low = log + hint_height(ui);
    const bool column = has_right_column(ui);
    if (column) {
        const TextStyle style(ui, Face::sans, kTextSize);
        toast_column(ui, low);
    }
    ImGui::SetNextWindowPos({ui.px(window.x - 22), ui.px(window.y - 14) - low - toasts_height(ui)},
                            ImGuiCond_Always, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Begin("notices", nullptr, kFloating);
    ImGui::PopStyleVar(4);
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        problems(ui, width);
        if (!column) toasts(ui, width);
    }
    ImGui::End();
}

}  // namespace lab::gui
