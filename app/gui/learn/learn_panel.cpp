// The layout of the view Learn: the course at the left, the page's picture in the middle with its
// kernel below, words and question at the right. In a narrow window the course is a button; in a
// very narrow one the page is one column.
#include <fmt/format.h>

#include <algorithm>

#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;
using session::LearnView;

// A dot for each page: done, at hand, or still to come.
void page_dots(Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    const session::CourseEntry& entry = view.course()[view.lesson_place()];
    const float size = ui.px(24);
    for (std::size_t i = 0; i < entry.lesson.pages.size(); ++i) {
        const lessons::Page& page = entry.lesson.pages[i];
        if (i > 0) ImGui::SameLine(0, ui.px(5));
        const ImVec2 point = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(fmt::format("page.{}", i + 1).c_str(), {size, size}))
            ui.change<LearnView>().open_page(i);
        tip(ui, fmt::format("{}. {}", i + 1, page.title));
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImVec2 centre{point.x + size / 2, point.y + size / 2};
        const auto found = entry.progress.pages.find(page.id);
        const bool right = found != entry.progress.pages.end() && found->second.right;
        const bool here = i == view.page_place();
        const float radius = ui.px(11);
        if (here)
            into.AddCircleFilled(centre, radius, ui.colour(Role::act));
        else if (right)
            into.AddCircleFilled(centre, radius, ui.colour(Role::wrote));
        else
            into.AddCircle(centre, radius, ui.colour(Role::idle), 0, ui.px(1.3F));
        if (right && !here) {
            const float s = ui.px(5);
            const ImVec2 points[]{{centre.x - s, centre.y},
                                  {centre.x - s * 0.3F, centre.y + s * 0.7F},
                                  {centre.x + s, centre.y - s * 0.8F}};
            into.AddPolyline(points, 3, ui.colour(Role::on_act), 0, ui.px(2));
            continue;
        }
        const std::string text = fmt::format("{}", i + 1);
        const TextStyle style(ui, Face::bold, 11);
        const ImVec2 words = ImGui::CalcTextSize(text.c_str());
        into.AddText({centre.x - words.x / 2, centre.y - words.y / 2},
                     ui.colour(here ? Role::on_act : Role::muted), text.c_str());
    }
}

void heading(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const float top = ImGui::GetCursorPosY();
    const std::string explore = ui.tr()("command.learn.explore");
    const float button = ImGui::CalcTextSize(explore.c_str()).x + ui.px(26);
    if (ui.folds_list()) {
        command_button(ui, "learn.course", ui.tr()("learn.course"));
        ImGui::SameLine(0, ui.px(10));
    }
    const float left = ImGui::GetCursorPosX();
    const float room = width - (left - ImGui::GetCursorStartPos().x) - button - ui.px(20);
    const std::string title =
        ui.metrics.shortened(view.lesson()->title, room / ui.scale, kTitleSize, Face::bold);
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(title.c_str());
    }
    const float used = ui.px(ui.metrics.text_width(title, kTitleSize, Face::bold));
    if (room - used > ui.px(120)) {
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(top + ui.px(6));
        label(ui, ui.metrics.shortened(picture_title(ui), (room - used - ui.px(14)) / ui.scale,
                                       kSmallSize, Face::sans));
    }
    ImGui::SameLine();
    ImGui::SetCursorPos({ImGui::GetCursorStartPos().x + width - button, top});
    command_button(ui, "learn.explore", explore);
    ImGui::SetCursorPosY(top + ui.px(38));
}

void navigation(Ui& ui) {
    page_dots(ui);
    ImGui::Dummy({0, ui.px(2)});
    command_button(ui, "learn.back", ui.tr()("learn.back"));
    ImGui::SameLine(0, ui.px(8));
    command_button(ui, "learn.next", ui.tr()("learn.next"));
}

// The share of the middle column's height that the picture has; the kernel has the rest.
float picture_share(const LearnView& view) {
    if (view.page()->ask && view.page()->ask->kind == AskKind::edit) return 0.4F;
    if (view.page()->ask && view.page()->ask->kind == AskKind::line) return 0.5F;
    return 0.62F;
}

// The keys that act on the page while no field has them.
void keys(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!ui.session.overlay().empty()) return;
    LearnView& view = ui.change<LearnView>();
    const bool typing =
        io.WantTextInput && view.page()->ask &&
        (view.page()->ask->kind == AskKind::edit || view.page()->ask->kind == AskKind::reflect);
    if (typing) return;
    if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) && !io.KeyAlt && !io.KeyCtrl) {
        if (view.race() != nullptr && !view.race()->at_end() && !view.done())
            view.act(view.picked());
        else
            ui.run("learn.check");
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Tab, false) && view.race() != nullptr)
        view.pick_warp(io.KeyShift ? -1 : 1);
}

// One column, for a narrow window: all of it scrolls.
void one_column(Ui& ui, const Area& area) {
    begin_card(ui, "learn.page", area.at, area.size);
    const float width = ImGui::GetContentRegionAvail().x;
    heading(ui, width);
    const float room = area.size.y;
    learn_picture(ui, {width, std::max(room * 0.42F, ui.px(150))});
    learn_question(ui, width);
    ImGui::Dummy({0, ui.px(8)});
    learn_kernel(ui, {width, std::max(room * 0.5F, ui.px(200))});
    navigation(ui);
    end_card();
}

}  // namespace

void learn_panel(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) {
        begin_card(ui, "learn.page", area.at, area.size);
        for (const Problem& problem : view.course_problems())
            problem_card(ui, problem, ImGui::GetContentRegionAvail().x);
        end_card();
        return;
    }
    keys(ui);
    const float gap = ui.px(12), points = area.size.x / ui.scale;
    if (points < 820) return one_column(ui, area);
    Area left = area;
    float x = area.at.x;
    if (!ui.folds_list()) {
        left.size.x = ui.px(240);
        begin_card(ui, "learn.course", left.at, left.size);
        course_list(ui, ImGui::GetContentRegionAvail().x);
        end_card();
        x += left.size.x + gap;
    }
    const float right = ui.px(std::clamp(points * 0.3F, 320.0F, 460.0F));
    const Area question{{area.at.x + area.size.x - right, area.at.y}, {right, area.size.y}};
    const float middle = question.at.x - gap - x;
    const float high = std::floor((area.size.y - gap) * picture_share(view));
    const Area picture{{x, area.at.y}, {middle, high}};
    const Area kernel{{x, area.at.y + high + gap}, {middle, area.size.y - high - gap}};

    begin_card(ui, "learn.picture", picture.at, picture.size);
    heading(ui, ImGui::GetContentRegionAvail().x);
    learn_picture(ui, ImGui::GetContentRegionAvail());
    end_card();

    begin_card(ui, "learn.text", kernel.at, kernel.size);
    learn_kernel(ui, ImGui::GetContentRegionAvail());
    end_card();

    begin_card(ui, "learn.question", question.at, question.size);
    const float below = ui.px(84);
    ImGui::BeginChild("learn.words", {0, -below});
    learn_question(ui, ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - below - ui.px(6));
    navigation(ui);
    end_card();
}

void present_learn(Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) return;
    Presented presented;
    presented.title = view.page()->title;
    presented.position = ui.tr()("learn.of", fmt::arg("k", view.page_place() + 1),
                                 fmt::arg("n", view.lesson()->pages.size()));
    presented.sentence = lessons::plain_text(view.shown_page().words);
    while (!presented.sentence.empty() && presented.sentence.back() == '\n')
        presented.sentence.pop_back();
    if (view.feedback() && !view.reply().empty()) {
        presented.sentence = lessons::plain_text(view.reply());
        presented.tone = view.feedback()->right ? Tone::good : Tone::wrong;
    }
    presented.picture = [&](ImVec2 room) { learn_picture(ui, room); };
    draw_presented(ui, presented);
}

}  // namespace lab::gui
