#include "gui/notices.h"

#include <algorithm>

#include "gui/widgets.h"
#include "session/hints.h"

namespace lab::gui {
namespace {

using draw::Face;
using draw::Role;

// A strip of words with an x at its end; whether that was pressed.
bool note(const Ui& ui, const char* id, const std::string& title, const std::string& words,
          Role ground, Role edge, float width) {
    ImGui::PushID(id);
    const float pad = ui.px(11);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.ChannelsSplit(2);
    into.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({at.x + pad + ui.px(4), at.y + pad});
    ImGui::BeginGroup();
    const float inner = width - 2 * pad - ui.px(28);
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
    const ImVec2 high{at.x + width, ImGui::GetItemRectMax().y + pad};
    const float top = at.y - ImGui::GetWindowPos().y + ui.px(7);
    const bool closed = close_button(ui, id, width - ui.px(7), top);
    into.ChannelsSetCurrent(0);
    const float strength = ImGui::GetStyle().Alpha;
    const auto faded = [&](Role role) {
        ImVec4 colour = ui.colour4(role);
        colour.w *= strength;
        return ImGui::ColorConvertFloat4ToU32(colour);
    };
    into.AddRectFilled(at, high, faded(ground), ui.px(8));
    into.AddRect(at, high, faded(edge), ui.px(8), 0, ui.px(1));
    into.AddRectFilled(at, {at.x + ui.px(4), high.y}, faded(edge), ui.px(2));
    into.ChannelsMerge();
    ImGui::SetCursorScreenPos({at.x, high.y + ui.px(8)});
    ImGui::Dummy({width, 0});
    ImGui::PopID();
    return closed;
}

void problems(Ui& ui, float width) {
    session::Notices& notices = ui.session.notices();
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
    session::Notices& notices = ui.session.notices();
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

void hint(Ui& ui, float width) {
    const session::Hint* shown = session::hint_for(ui.session);
    const bool room = ui.session.overlay().empty() && ui.session.notices().problems().empty();
    if (shown == nullptr || !ui.session.gives_hints() || !room) return;
    const std::string id = shown->id;
    if (note(ui, "hint.forget", ui.tr()("hints.title"), ui.tr()("hints." + id), Role::act_fill,
             Role::act, width))
        ui.session.forget_hint(id);
}

}  // namespace

void notices(Ui& ui) {
    const ImVec2 window = ui.window();
    const float width = ui.px(std::min(360.0F, window.x * 0.46F));
    const float low = ui.session.log_shown() ? log_height(ui) : 0;
    ImGui::SetNextWindowPos({ui.px(window.x - 22), ui.px(window.y - 14) - low}, ImGuiCond_Always,
                            {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Begin("notices", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(4);
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        hint(ui, width);
        problems(ui, width);
        toasts(ui, width);
    }
    ImGui::End();
}

}  // namespace lab::gui
