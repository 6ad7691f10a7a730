// What can be done on a page: check, hint, answer; and the way to the other pages. Always in sight.
#include <fmt/format.h>

#include <algorithm>

#include "gui/learn/learn_panels.h"
#include "gui/measure/chart_figure.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;
using session::LearnView;

constexpr float kDot = 32, kMostDotGap = 2;  // points

struct ActionButton {
    const char* id;
    std::string text;
    bool primary = false;
};

std::string primary_text(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    const bool measures = view.page()->ask && view.page()->ask->kind == AskKind::measure;
    if (view.measuring() && view.measured_rows().progress.total > 0)
        return progress_text(ui, view.measured_rows().progress);
    return view.checking() ? ui.tr()(measures ? "learn.measuring" : "learn.checking")
           : view.done()   ? ui.tr()("learn.go_on")
           : measures      ? ui.tr()("learn.predict")
                           : ui.tr()("learn.check");
}

std::vector<ActionButton> buttons_of(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    std::vector<ActionButton> buttons{{"learn.check", primary_text(ui), true}};
    const auto other = [&](const char* id) {
        buttons.push_back({id, ui.tr()(std::string("command.") + id)});
    };
    if (!view.done() && !view.page()->hints.empty()) other("learn.hint");
    if (!view.done() && view.page()->ask) other("learn.give_up");
    if (view.done() && view.can_start_again()) other("learn.again");
    return buttons;
}

// Where each begins a line of its own, and how wide it is.
struct ButtonPlace {
    bool new_line;
    float width;
};
std::vector<ButtonPlace> places_of(const Ui& ui, const std::vector<ActionButton>& buttons,
                                   float width) {
    std::vector<ButtonPlace> places;
    float x = 0;
    for (const ActionButton& button : buttons) {
        const float words = ImGui::CalcTextSize(button.text.c_str()).x + ui.px(24);
        const float wide = std::min(
            button.primary ? std::max(words, std::min(width * 0.4F, ui.px(190))) : words, width);
        const bool new_line = x > 0 && x + wide > width;
        x = (new_line ? 0 : x) + wide + ui.px(8);
        places.push_back({new_line, wide});
    }
    return places;
}

void page_dot(Ui& ui, std::size_t place, float size) {
    const LearnView& view = ui.view<LearnView>();
    const session::CourseEntry& entry = view.course()[view.lesson_place()];
    const lessons::Page& page = entry.lesson.pages[place];
    const ImVec2 point = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(fmt::format("page.{}", place + 1).c_str(), {size, ui.px(kDot)}))
        ui.change<LearnView>().open_page(place);
    tip(ui, fmt::format("{}. {}", place + 1, page.title), "Alt+Left, Alt+Right");
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 centre{point.x + size / 2, point.y + ui.px(kDot) / 2};
    const auto found = entry.progress.pages.find(page.id);
    const bool right = found != entry.progress.pages.end() && found->second.right;
    const bool given_up = !right && entry.progress.done(page.id);
    const bool here = place == view.page_place();
    const float radius = std::min(ui.px(11), size / 2 - ui.px(1));
    if (here)
        into.AddCircleFilled(centre, radius, ui.colour(Role::act));
    else if (right || given_up)
        into.AddCircleFilled(centre, radius, ui.colour(right ? Role::wrote : Role::idle_fill));
    if (ImGui::IsItemHovered() || (!here && !right))
        into.AddCircle(centre, radius, ui.colour(ImGui::IsItemHovered() ? Role::act : Role::idle),
                       0, ui.px(1.4F));
    if (right && !here) {
        const float s = ui.px(5);
        const ImVec2 points[]{{centre.x - s, centre.y},
                              {centre.x - s * 0.3F, centre.y + s * 0.7F},
                              {centre.x + s, centre.y - s * 0.8F}};
        into.AddPolyline(points, 3, ui.colour(Role::on_act), 0, ui.px(2));
        return;
    }
    const std::string text = fmt::format("{}", place + 1);
    const TextStyle style(ui, Face::bold, 11);
    const ImVec2 words = ImGui::CalcTextSize(text.c_str());
    into.AddText({centre.x - words.x / 2, centre.y - words.y / 2},
                 ui.colour(here ? Role::on_act : Role::muted), text.c_str());
}

}  // namespace

float learn_buttons_height(const Ui& ui, float width) {
    float lines = 1;
    for (const ButtonPlace& place : places_of(ui, buttons_of(ui), width))
        if (place.new_line) ++lines;
    return lines * ImGui::GetFrameHeightWithSpacing();
}

void learn_buttons(Ui& ui, float width) {
    const std::vector<ActionButton> buttons = buttons_of(ui);
    const std::vector<ButtonPlace> places = places_of(ui, buttons, width);
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        if (i > 0 && !places[i].new_line) ImGui::SameLine(0, ui.px(8));
        command_button(ui, buttons[i].id, buttons[i].text, buttons[i].primary, places[i].width);
    }
}

float learn_navigation_height(const Ui& ui) {
    return ui.px(kDot) + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
}

// A dot for each page: done, at hand, or still to come; closer where there are many.
void learn_navigation(Ui& ui, float width) {
    const std::size_t pages = ui.view<LearnView>().lesson()->pages.size();
    const float size = std::min(ui.px(kDot - kMostDotGap), width / static_cast<float>(pages));
    for (std::size_t i = 0; i < pages; ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        page_dot(ui, i, size);
    }
    command_button(ui, "learn.back", ui.tr()("learn.back"));
    ImGui::SameLine(0, ui.px(8));
    command_button(ui, "learn.next", ui.tr()("learn.next"));
}

}  // namespace lab::gui
