// The lessons with what has been done of each, and the hand-in.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>

#include "base/paths.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void tick(const Ui& ui, ImVec2 centre, float size) {
    const ImVec2 points[]{{centre.x - size * 0.42F, centre.y},
                          {centre.x - size * 0.1F, centre.y + size * 0.32F},
                          {centre.x + size * 0.45F, centre.y - size * 0.34F}};
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, ui.colour(Role::on_act), 0, ui.px(2));
}

// Its number in a ring; a tick on green once all of it is done.
void number_sign(const Ui& ui, ImVec2 centre, std::size_t number, bool done, bool chosen) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float radius = ui.px(12);
    if (done) {
        into.AddCircleFilled(centre, radius, ui.colour(Role::wrote));
        tick(ui, centre, ui.px(12));
        return;
    }
    into.AddCircle(centre, radius, ui.colour(chosen ? Role::act : Role::idle), 0, ui.px(1.6F));
    const std::string text = fmt::format("{}", number);
    const TextStyle style(ui, Face::bold, kSmallSize);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    into.AddText({centre.x - size.x / 2, centre.y - size.y / 2},
                 ui.colour(chosen ? Role::act : Role::muted), text.c_str());
}

void lesson_entry(Ui& ui, std::size_t place, float width) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const session::CourseEntry& entry = view.course()[place];
    const bool chosen = place == view.lesson_place();
    const std::size_t answered = entry.answered(), asked = entry.asked();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, ui.px(46)};
    if (ImGui::InvisibleButton(fmt::format("lesson.{}", place + 1).c_str(), size)) {
        ui.change<session::LearnView>().open_lesson(place);
        ui.change().show("");
    }
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (chosen || ImGui::IsItemHovered())
        into.AddRectFilled(point, {point.x + size.x, point.y + size.y},
                           ui.colour(chosen ? Role::act_fill : Role::idle_fill), ui.px(6));
    number_sign(ui, {point.x + ui.px(22), point.y + size.y / 2}, place + 1,
                asked > 0 && answered == asked, chosen);
    const float left = point.x + ui.px(42), room = width - ui.px(46);
    const std::string progress =
        ui.tr()("learn.answered", fmt::arg("k", answered), fmt::arg("n", asked));
    const bool two = answered > 0 || chosen;
    {
        const TextStyle style(ui, chosen ? Face::bold : Face::sans, kTextSize,
                              chosen ? Role::act : Role::text);
        const std::string title = ui.metrics.shortened(entry.lesson.title, room / ui.scale,
                                                       kTextSize, chosen ? Face::bold : Face::sans);
        into.AddText({left, point.y + ui.px(two ? 6 : 15)},
                     ui.colour(chosen ? Role::act : Role::text), title.c_str());
    }
    if (two) label_at(ui, {left, point.y + ui.px(25)}, progress, room);
    std::string text = entry.lesson.title + "\n" + progress;
    if (entry.lesson.minutes > 0)
        text += "\n" + ui.tr()("learn.minutes", fmt::arg("n", entry.lesson.minutes));
    tip(ui, text, "Alt+PageUp, Alt+PageDown");
}

struct HandInState {
    std::string name, path;
    std::optional<Problem> problem;
};

}  // namespace

void course_list(Ui& ui, float width) {
    const session::LearnView& view = ui.view<session::LearnView>();
    std::size_t done = 0, all = 0;
    for (const session::CourseEntry& entry : view.course()) {
        done += entry.answered();
        all += entry.asked();
    }
    {
        const TextStyle style(ui, Face::bold, 16);
        ImGui::TextUnformatted(ui.tr()("learn.course").c_str());
    }
    const std::string count = ui.tr()("learn.of", fmt::arg("k", done), fmt::arg("n", all));
    ImGui::SameLine();
    ImGui::SetCursorPosX(line_end() - ui.px(ui.metrics.text_width(count, kSmallSize, Face::sans)));
    label(ui, count);
    const ImVec2 bar = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(bar, {bar.x + width, bar.y + ui.px(5)}, ui.colour(Role::idle_fill),
                       ui.px(3));
    if (all > 0 && done > 0)
        into.AddRectFilled(
            bar,
            {bar.x + std::max(width * static_cast<float>(done) / static_cast<float>(all), ui.px(6)),
             bar.y + ui.px(5)},
            ui.colour(Role::wrote), ui.px(3));
    ImGui::Dummy({width, ui.px(10)});
    const std::string stays = ui.tr()("learn.stays_here");
    const float below = ImGui::GetFrameHeight() + ui.px(kSmallSize) * 3.4F;  // two lines of words
    ImGui::BeginChild("lessons",
                      {width, std::max(ImGui::GetContentRegionAvail().y - below, ui.px(100))});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(3)});
    for (std::size_t place = 0; place < view.course().size(); ++place)
        lesson_entry(ui, place, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleVar();
    for (const Problem& problem : view.course_problems())
        problem_card(ui, problem, ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(stays, width);
    }
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0F, ImGui::GetContentRegionAvail().y -
                                                                     ImGui::GetFrameHeight()));
    command_button(ui, "learn.hand_in", ui.tr()("command.learn.hand_in"), false, width);
}

void course_overlay(Ui& ui) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    begin_overlay(ui, "course", {ui.px(12), ui.px(60)},
                  {ui.px(280), std::min(size.y - ui.px(72), ui.px(680))});
    course_list(ui, ImGui::GetContentRegionAvail().x);
    end_overlay();
}

void hand_in_field(Ui& ui) {
    HandInState& state = ui.state<HandInState>();
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = std::min(ui.px(460), size.x - ui.px(24));
    if (overlay_appears(ui)) {
        state.problem.reset();
        if (state.path.empty())
            state.path =
                (documents_folder() / ui.view<session::LearnView>().hand_in_name()).string();
    }
    begin_overlay(ui, "hand_in", {(size.x - width) / 2, ui.px(90)}, {width, 0});
    const float inner = ImGui::GetContentRegionAvail().x;
    {
        const TextStyle style(ui, Face::bold, 16);
        ImGui::TextUnformatted(ui.tr()("command.learn.hand_in").c_str());
    }
    wrapped(ui.tr()("learn.hand_in_text"), inner);
    ImGui::Dummy({0, ui.px(4)});
    label(ui, ui.tr()("learn.your_name"));
    ImGui::SetNextItemWidth(inner);
    if (overlay_appears(ui)) ImGui::SetKeyboardFocusHere();
    ImGui::InputText("###hand_in.name", &state.name);
    label(ui, ui.tr()("learn.file"));
    ImGui::SetNextItemWidth(inner);
    const bool entered =
        ImGui::InputText("###hand_in.path", &state.path, ImGuiInputTextFlags_EnterReturnsTrue);
    if (state.problem) problem_card(ui, *state.problem, inner);
    ImGui::Dummy({0, ui.px(4)});
    if (act_button(ui, "hand_in.save", ui.tr()("learn.save"), true, {inner, ui.px(34)}) ||
        entered) {
        try {
            ui.view<session::LearnView>().hand_in(state.path, state.name);
            ui.change().notices().say(
                ui.tr()("toast.saved",
                        fmt::arg("name", std::filesystem::path(state.path).filename().string())));
            ui.change().show("");
        } catch (const Problem& problem) {
            state.problem = problem;
        }
    }
    end_overlay();
}

}  // namespace lab::gui
