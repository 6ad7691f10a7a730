// The layout of the view Learn: the course at the left, the page's picture in the middle with its
// kernel below, words and question at the right. In a narrow window the course is a button; in a
// very narrow one the page is one column.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/style.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;
using session::LearnView;

// As many whole parts of "n = 8 · groups of 4 · …" as have room.
std::string whole_parts(const Ui& ui, std::string text, float width) {
    constexpr std::string_view kSeparator = " · ";
    while (ui.px(ui.metrics.text_width(text, kSmallSize, Face::sans)) > width) {
        const std::size_t cut = text.rfind(kSeparator);
        if (cut == std::string::npos) return {};
        text.resize(cut);
    }
    return text;
}

// The title of the lesson, what is shown, and a button to go on with it.
void heading(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const ImVec2 start = ImGui::GetCursorPos();
    const float high = ImGui::GetFrameHeight();
    const std::string explore = ui.tr()("command.learn.explore");
    const float button =
        ImGui::CalcTextSize(explore.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ui.folds_list()) {
        command_button(ui, "learn.course", ui.tr()("learn.course"));
        ImGui::SameLine(0, ui.px(10));
    }
    const float left = ImGui::GetCursorPosX();
    const float room = width - (left - start.x) - button - ui.px(12);
    const std::string title =
        ui.metrics.shortened(view.lesson()->title, room / ui.scale, kTitleSize, Face::bold);
    const float used = ui.px(ui.metrics.text_width(title, kTitleSize, Face::bold));
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        const ImVec2 corner = ImGui::GetWindowPos();
        ImGui::GetWindowDrawList()->AddText(
            {corner.x + left - ImGui::GetScrollX(),
             corner.y + start.y + (high - ImGui::GetTextLineHeight()) / 2},
            ui.colour(Role::text), title.c_str());
    }
    const std::string whole = picture_title(ui);
    const std::string subtitle = whole_parts(ui, whole, room - used - ui.px(12));
    if (!subtitle.empty()) {
        const float line = ui.px(kSmallSize) * 1.2F;
        const ImVec2 corner = ImGui::GetWindowPos();
        ImGui::SetCursorPos({left + used + ui.px(12), start.y});
        ImGui::Dummy({ui.px(ui.metrics.text_width(subtitle, kSmallSize, Face::sans)), high});
        label_at(
            ui,
            {corner.x + left + used + ui.px(12), corner.y + start.y + (high - line) / 2 + ui.px(1)},
            subtitle, room);
        tip(ui, whole);
    }
    ImGui::SetCursorPos({start.x + width - button, start.y});
    command_button(ui, "learn.explore", explore);
    ImGui::SetCursorPos({start.x, start.y + high + ui.px(8)});
}

// The share of the middle column's height that the picture has; the kernel has what it needs, if
// that is not too much.
float picture_share(const Ui& ui, float height) {
    const LearnView& view = ui.view<LearnView>();
    const AskKind kind = view.page()->ask ? view.page()->ask->kind : AskKind::reflect;
    if (kind == AskKind::edit) return 0.4F;
    // Memory stands below a schedule, and both are to be in sight.
    const float least = view.panel().empty() ? 0.3F : 0.44F;
    const float most = kind == AskKind::schedule ? least
                       : kind == AskKind::line   ? 0.52F
                                                 : std::max(0.42F, least);
    return 1 - std::clamp(learn_kernel_height(ui) / height, least, most);
}

// The option of that number.
void choose_by_digit(Ui& ui) {
    LearnView& view = ui.change<LearnView>();
    const std::size_t options = view.shown_page().question.options.size();
    if (view.done() || view.shown_page().problem || ImGui::GetIO().KeyMods != 0) return;
    for (std::size_t i = 0; i < std::min<std::size_t>(options, 9); ++i)
        if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)), false) ||
            ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad1 + static_cast<int>(i)),
                                false))
            view.choose(i);
}

// The keys that act on the page while no field has them.
void keys(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!ui.session.overlay().empty()) return;
    LearnView& view = ui.change<LearnView>();
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    const bool text =
        io.WantTextInput && view.page()->ask &&
        (view.page()->ask->kind == AskKind::edit || view.page()->ask->kind == AskKind::reflect);
    if (enter && io.KeyCtrl) ui.run("learn.check");
    if (text || io.KeyCtrl) return;
    if (enter && !io.KeyAlt) {
        const auto pointed = view.pointed();
        if (view.schedules() && view.race() != nullptr && !view.race()->at_end() && view.can_act())
            view.act(view.picked());
        else if (pointed && !view.done() && !view.is_chosen(*pointed))
            view.choose(*pointed);
        else
            ui.run("learn.check");
    }
    if (io.WantTextInput) return;
    choose_by_digit(ui);
    if (ImGui::IsKeyPressed(ImGuiKey_Tab) && !io.KeyCtrl && !io.KeyAlt)
        view.point_next(io.KeyShift ? -1 : 1);
    const auto pointed = view.pointed();
    if (pointed && (ImGui::IsKeyPressed(ImGuiKey_Delete) ||
                    (ImGui::IsKeyPressed(ImGuiKey_Backspace) && !io.KeyAlt)))
        if (view.is_chosen(*pointed)) view.choose(*pointed);
}

struct PlaceState {
    std::string page;  // whose words were scrolled last
};

// Whether another page has come: its words are read from the first on.
bool page_comes(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    PlaceState& state = ui.state<PlaceState>();
    const std::string page = view.lesson_id() + ":" + view.page_id();
    return std::exchange(state.page, page) != page;
}

// What scrolls, with the buttons below it: right there, or at the end of the card, always in sight.
template <typename Words>
void with_buttons(Ui& ui, const Words& words) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float top = ImGui::GetCursorPosY();
    const float end = top + ImGui::GetContentRegionAvail().y;
    const float navigation = end - learn_navigation_height(ui);
    const float gap = ui.px(10);
    const float most = navigation - top - learn_buttons_height(ui, width) - 2 * gap;
    // Rings around choices reach beyond them.
    const float around = ui.px(5), wide = width + 2 * around;
    ImGui::SetNextWindowSizeConstraints({wide, ui.px(40)}, {wide, std::max(most, ui.px(60))});
    if (page_comes(ui)) ImGui::SetNextWindowScroll({0, 0});
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - around);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {around, 0});
    ImGui::BeginChild("learn.words", {wide, 0},
                      ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    words(ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + gap / 2);
    learn_buttons(ui, width);
    ImGui::SetCursorPosY(navigation);
    learn_navigation(ui, width);
}

// One column, for a narrow window: all of it scrolls but the buttons.
void one_column(Ui& ui, const Area& area) {
    begin_card(ui, "learn.page", area.at, area.size);
    heading(ui, ImGui::GetContentRegionAvail().x);
    with_buttons(ui, [&](float width) {
        learn_picture(ui, {width, std::max(area.size.y * 0.36F, ui.px(150))});
        ImGui::Dummy({0, ui.px(4)});
        learn_question(ui, width);
        ImGui::Dummy({0, ui.px(8)});
        if (!ui.view<LearnView>().panel().empty()) {
            learn_side(ui, {width, ui.px(280)});
            ImGui::Dummy({0, ui.px(8)});
        }
        learn_kernel(ui, {width, std::clamp(learn_kernel_height(ui), ui.px(200),
                                            std::max(area.size.y * 0.6F, ui.px(200)))});
    });
    end_card();
}

// Room for the kernel and the panel side by side, in points.
constexpr float kSideBySide = 720, kLeastSide = 330, kMostSide = 520;

// The kernel's text and the page's panel in turns, each a tab.
void in_turns(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    const bool asks_here =
        view.page()->ask && !view.done() &&
        (view.page()->ask->kind == AskKind::line || view.page()->ask->kind == AskKind::edit);
    const bool panel = view.panel_wanted(!asks_here);
    begin_card(ui, "learn.text", area.at, area.size);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(4)});
    const auto tab = [&](const char* id, const std::string& words, bool on) {
        if (pill(ui, id, words, panel == on)) ui.change<LearnView>().want_panel(on);
        command_tip(ui, ui.session.command("learn.panel"));
    };
    tab("learn.tab_kernel", ui.tr()("learn.kernel"), false);
    ImGui::SameLine(0, 0);
    tab("learn.tab_panel", learn_side_title(ui), true);
    ImGui::PopStyleVar();
    if (panel)
        learn_side(ui, ImGui::GetContentRegionAvail(), false);
    else
        learn_kernel(ui, ImGui::GetContentRegionAvail());
    end_card();
}

// The panel in a card of its own, which can be closed; then the kernel's card has a tab for it.
void kernel_and_panel(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    const bool panel = !view.panel().empty();
    if (panel && area.size.x / ui.scale < kSideBySide) return in_turns(ui, area);
    const bool open = panel && view.panel_wanted(true);
    const float gap = ui.px(12);
    const float side = std::clamp(area.size.x * 0.48F, ui.px(kLeastSide), ui.px(kMostSide));
    const float wide = open ? area.size.x - side - gap : area.size.x;
    begin_card(ui, "learn.text", area.at, {wide, area.size.y});
    if (panel && !open) {
        const std::string title = learn_side_title(ui);
        const ImVec2 point = ImGui::GetCursorPos();
        ImGui::SetCursorPosX(line_end() - ImGui::CalcTextSize(title.c_str()).x - ui.px(26));
        command_button(ui, "learn.panel", title);
        ImGui::SetCursorPos(point);
    }
    learn_kernel(ui, ImGui::GetContentRegionAvail());
    end_card();
    if (!open) return;
    begin_card(ui, "learn.side", {area.at.x + wide + gap, area.at.y}, {side, area.size.y});
    const ImVec2 point = ImGui::GetCursorPos();
    if (close_button(ui, "learn.close_panel", point.x + ImGui::GetContentRegionAvail().x,
                     point.y - ui.px(3)))
        ui.run("learn.panel");
    command_tip(ui, ui.session.command("learn.panel"));
    ImGui::SetCursorPos(point);
    learn_side(ui, ImGui::GetContentRegionAvail());
    end_card();
}

void beside_each_other(Ui& ui, const Area& area) {
    const float gap = ui.px(12), points = area.size.x / ui.scale;
    float x = area.at.x;
    if (!ui.folds_list()) {
        const Area left{area.at, {ui.px(272), area.size.y}};
        begin_card(ui, "learn.course", left.at, left.size);
        course_list(ui, ImGui::GetContentRegionAvail().x);
        end_card();
        x += left.size.x + gap;
    }
    const float right = ui.px(std::clamp(points * 0.3F, 320.0F, 460.0F));
    const Area question{{area.at.x + area.size.x - right, area.at.y}, {right, area.size.y}};
    const float middle = question.at.x - gap - x;
    const float room = area.size.y - gap;
    const float high = std::floor(room * picture_share(ui, room));
    const Area picture{{x, area.at.y}, {middle, high}};
    const Area kernel{{x, area.at.y + high + gap}, {middle, room - high}};

    begin_card(ui, "learn.picture", picture.at, picture.size);
    heading(ui, ImGui::GetContentRegionAvail().x);
    learn_picture(ui, ImGui::GetContentRegionAvail());
    end_card();

    kernel_and_panel(ui, kernel);

    begin_card(ui, "learn.question", question.at, question.size);
    with_buttons(ui, [&](float width) { learn_question(ui, width); });
    end_card();
}

// In a very large window all of it is larger, in steps that keep letters sharp.
float enlargement(const Ui& ui) {
    const ImVec2 points = ui.window();
    return std::clamp(std::floor(std::min(points.x / 1760, points.y / 1000) * 4) / 4, 1.0F, 2.0F);
}

void draw_page(Ui& ui, const Area& area) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    if (area.size.x / ui.scale < 820)
        one_column(ui, area);
    else
        beside_each_other(ui, area);
    ImGui::PopStyleVar();
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
    if (view.page() == nullptr) return;
    const float larger = enlargement(ui);
    if (larger == 1) return draw_page(ui, area);
    Ui large = ui.smaller(larger);
    set_style(ui.palette, ui.fonts, large.scale);
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase);
    draw_page(large, area);
    set_style(ui.palette, ui.fonts, ui.scale);
    ImGui::PopFont();
}

}  // namespace lab::gui
