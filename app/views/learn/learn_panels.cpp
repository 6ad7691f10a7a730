// The view Learn around its page: the course at the left, the page's picture in the middle with its
// kernel below, words and question at the right. In a narrow window the course is a button; in a
// very narrow one the page is one column.
#include "views/learn/learn_panels.h"

#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: these do not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

#include "analysis/machine_run.h"
#include "base/paths.h"
#include "base/text.h"
#include "gui/glossary.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "views/measure/measure_panels.h"
#include "views/step/step_panels.h"

namespace lab::gui {

using session::LearnView;
using session::Stage;
using AskKind = lessons::Kind;

namespace {

// The lessons with what has been done of each, and the hand-in.

// The number that its folder has, such as 3 of 03-two-groups, else its place in the list from 1.
std::string number_of(const lessons::Lesson& lesson, std::size_t place) {
    const std::size_t digits = lesson.id.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || lesson.id[digits] != '-')
        return std::to_string(place + 1);
    const std::size_t first = std::min(lesson.id.find_first_not_of('0'), digits - 1);
    return lesson.id.substr(first, digits - first);
}

// Its number in a ring; a tick on green once all of it is done.
void number_sign(const Ui& ui, ImVec2 centre, const std::string& number, bool done, bool chosen) {
    const Pen pen(ui);
    const float radius = ui.px(12);
    if (done) {
        pen.disc(centre, radius, Role::wrote);
        return tick_sign(ui, centre, Role::on_act);
    }
    pen.circle(centre, radius, chosen ? Role::act : Role::idle, ui.px(1.6F));
    const TextStyle style(ui, Face::bold, kSmallSize);
    text_around(ui, centre, number, chosen ? Role::act : Role::muted);
}

void lesson_entry(Ui& ui, std::size_t place, float width) {
    const LearnView& view = ui.view<LearnView>();
    const session::CourseEntry& entry = view.course[place];
    const bool chosen = place == view.lesson_place;
    const std::size_t answered = entry.answered(), asked = entry.asked();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, ui.px(46)};
    if (ImGui::InvisibleButton(fmt::format("lesson.{}", place + 1).c_str(), size)) {
        open_lesson(ui.change<LearnView>(), place);
        ui.change().overlay = "";
    }
    const Pen pen(ui);
    if (chosen || ImGui::IsItemHovered())
        pen.fill(point, {point.x + size.x, point.y + size.y},
                 chosen ? Role::act_fill : Role::idle_fill, ui.px(6));
    number_sign(ui, {point.x + ui.px(22), point.y + size.y / 2}, number_of(entry.lesson, place),
                asked > 0 && answered == asked, chosen);
    const float left = point.x + ui.px(42), room = width - ui.px(46);
    const std::string progress = ui.tr()("learn.answered", arg("k", answered), arg("n", asked));
    const bool two = answered > 0 || chosen;
    const Face face = chosen ? Face::bold : Face::sans;
    {
        const TextStyle style(ui, face, kTextSize);
        pen.text({left, point.y + ui.px(two ? 6 : 15)},
                 ui.metrics.shortened(entry.lesson.title, room / ui.scale, kTextSize, face),
                 chosen ? Role::act : Role::text);
    }
    if (two) label_at(ui, {left, point.y + ui.px(25)}, progress, room);
    std::string text = entry.lesson.title + "\n" + progress;
    if (entry.lesson.minutes > 0)
        text += "\n" + ui.tr()("learn.minutes", arg("n", entry.lesson.minutes));
    tip(ui, text, "Alt+PageUp, Alt+PageDown");
}

// Two texts and a button in an overlay.
struct DialogState {
    std::array<std::string, 2> texts;
    std::optional<Problem> problem;
};
struct Dialog {
    const char* id;  // the command is "learn.<id>", what it explains "learn.<id>_text"
    // "<id>.<first>", and the label; null: there is no second one.
    std::array<std::pair<const char*, const char*>, 2> fields;
    const char* button;  // "<id>.<button>", "learn.<button>"; Enter in a field presses it
};

// `act` may throw Problem, which is shown; else the overlay closes with what it returns, said.
template <typename Act>
void dialog(Ui& ui, DialogState& state, const Dialog& of, const Act& act) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = std::min(ui.px(460), size.x - ui.px(24));
    const bool appears = overlay_appears(ui);
    if (appears) state.problem.reset();
    const Scope overlay = begin_overlay(ui, of.id, {(size.x - width) / 2, ui.px(90)}, {width, 0});
    const float inner = ImGui::GetContentRegionAvail().x;
    bold_line(ui, ui.tr()(fmt::format("command.learn.{}", of.id)), 16);
    wrapped(ui.tr()(fmt::format("learn.{}_text", of.id)), inner);
    ImGui::Dummy({0, ui.px(4)});
    bool entered = false;
    for (std::size_t i = 0; i < of.fields.size() && of.fields[i].first != nullptr; ++i) {
        label(ui, ui.tr()(of.fields[i].second));
        ImGui::SetNextItemWidth(inner);
        if (appears && i == 0) ImGui::SetKeyboardFocusHere();
        const std::string id = fmt::format("###{}.{}", of.id, of.fields[i].first);
        entered |=
            ImGui::InputText(id.c_str(), &state.texts[i], ImGuiInputTextFlags_EnterReturnsTrue);
    }
    if (state.problem) problem_card(ui, *state.problem, inner);
    ImGui::Dummy({0, ui.px(4)});
    const std::string button = fmt::format("{}.{}", of.id, of.button);
    if (act_button(ui, button.c_str(), ui.tr()(fmt::format("learn.{}", of.button)), true,
                   {inner, ui.px(34)}) ||
        entered) {
        try {
            ui.change().notices.say(act());
            ui.change().overlay = "";
        } catch (const Problem& problem) {
            state.problem = problem;
        }
    }
}

struct HandInState : DialogState {
    std::string suggested;  // the file
};
struct ExamState : DialogState {};
struct AddPageState : DialogState {};

}  // namespace

void course_list(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const std::uint64_t done = sum_of(view.course, &session::CourseEntry::answered);
    const std::uint64_t all = sum_of(view.course, &session::CourseEntry::asked);
    bold_line(ui, ui.tr()("learn.course"), 16);
    const std::string count = ui.tr()("learn.of", arg("k", done), arg("n", all));
    ImGui::SameLine();
    ImGui::SetCursorPosX(line_end() - ui.px(ui.metrics.text_width(count, kSmallSize, Face::sans)));
    label(ui, count);
    share_bar(ui, ImGui::GetCursorScreenPos(), {width, ui.px(5)},
              static_cast<float>(done) / static_cast<float>(std::max<std::uint64_t>(all, 1)),
              Role::wrote);
    ImGui::Dummy({width, ui.px(10)});
    const std::string stays = ui.tr()("learn.stays_here");
    const float below = ImGui::GetFrameHeight() + ui.px(kSmallSize) * 3.4F;  // two lines of words
    ImGui::BeginChild("lessons",
                      {width, std::max(ImGui::GetContentRegionAvail().y - below, ui.px(100))});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(3)});
    for (std::size_t place = 0; place < view.course.size(); ++place)
        lesson_entry(ui, place, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleVar();
    for (const Problem& problem : view.course_problems)
        problem_card(ui, problem, ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    wrapped_label(ui, stays, width);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0F, ImGui::GetContentRegionAvail().y -
                                                                     ImGui::GetFrameHeight()));
    command_button(ui, "learn.hand_in", ui.tr()("command.learn.hand_in"), false, width);
}

void course_overlay(Ui& ui) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const Scope overlay = begin_overlay(ui, "course", {ui.px(12), ui.px(60)},
                                        {ui.px(280), std::min(size.y - ui.px(72), ui.px(680))});
    course_list(ui, ImGui::GetContentRegionAvail().x);
}

void hand_in_field(Ui& ui) {
    static constexpr Dialog kHandIn{
        "hand_in", {{{"name", "learn.your_name"}, {"path", "learn.file"}}}, "save"};
    HandInState& state = ui.state<HandInState>();
    std::string &name = state.texts[0], &path = state.texts[1];
    const std::string& exam = ui.view<LearnView>().exam;
    if (overlay_appears(ui) && !exam.empty()) name = exam;
    if (path == state.suggested) path = state.suggested = shown_path(session::hand_in_file(name));
    dialog(ui, state, kHandIn, [&] {
        const fs::path file = typed_path(path, documents_folder());
        hand_in(ui.view<LearnView>(), file, name);
        return ui.tr()("toast.saved", arg("name", file.filename().string()));
    });
}

void exam_field(Ui& ui) {
    static constexpr Dialog kExam{"exam", {{{"name", "learn.your_name"}, {}}}, "begin"};
    ExamState& state = ui.state<ExamState>();
    if (overlay_appears(ui)) state.texts[0] = ui.view<LearnView>().exam;
    dialog(ui, state, kExam, [&] {
        take_exam(ui.change<LearnView>(), state.texts[0]);
        const std::string& name = ui.view<LearnView>().exam;
        return ui.tr()(name.empty() ? "toast.exam_ended" : "toast.exam_begun", arg("name", name));
    });
}

// A moment becomes a page of a lesson: its heading, and the folder of the lesson.
void add_page_field(Ui& ui) {
    static constexpr Dialog kAddPage{
        "add_page", {{{"heading", "learn.heading"}, {"folder", "learn.folder"}}}, "add"};
    AddPageState& state = ui.state<AddPageState>();
    std::string &heading = state.texts[0], &folder = state.texts[1];
    if (overlay_appears(ui)) heading.clear();
    if (overlay_appears(ui) && folder.empty()) folder = (documents_folder() / "my-lesson").string();
    dialog(ui, state, kAddPage, [&] {
        session::add_moment(ui.session, folder, heading);
        return ui.tr()("toast.page_added", arg("heading", heading));
    });
}

namespace {

RunMoment moment_of_page(const LearnView& view) {
    const session::LearnPage& page = view.open;
    const analysis::MachineRun& run = *page.run;
    const std::size_t rows = run.table.rows.size();
    const std::size_t row = std::min(view.position(), rows - 1);
    return {.run = run,
            .key = fmt::format("page {}", page.version),
            .row = row,
            .rows = page.hidden_from > 0 ? std::min(page.hidden_from, rows) : rows,
            .time = run.row_ends[row],
            .whole_passes = true,
            .line = page.memory_line,
            .traced = view.open.traced};
}

// What stands beside a page's picture: a part of its run, as beside the steps, or the chart of what
// it measures; and what that is called.
std::string side_title(const Ui& ui) {
    const std::string panel = panel_of(ui.view<LearnView>());
    return ui.tr()(panel == "chart" ? "learn.chart" : "side." + panel);
}

void draw_side(Ui& ui, ImVec2 room, bool heading = true) {
    const LearnView& view = ui.view<LearnView>();
    const std::string panel = panel_of(view);
    const RunPart* part = find_run_part(panel);
    const float top = ImGui::GetCursorPosY();
    if (heading) {
        bold_line(ui, side_title(ui));
        if (part != nullptr) explain_item(ui, part->word, ui.tr()("side." + panel + ".tip"));
        if (part == nullptr) tip(ui, ui.tr()("learn.chart.tip"));
    }
    const float used = ImGui::GetCursorPosY() - top;
    const ImVec2 rest{room.x, std::max(room.y - used, 1.0F)};
    if (panel == "chart") return learn_chart(ui, rest);
    const Scope child = begin_child("learn.part", rest);
    if (part != nullptr && view.open.run != nullptr) part->draw(ui, moment_of_page(view));
}

// What can be done on a page: check, hint, answer; and the way to the other pages. Always in sight.

constexpr float kDot = 32, kMostDotGap = 2, kLeastDot = 20;  // points

struct ActionButton {
    const char* id;
    std::string text;
    float width = 0;
    bool new_line = false;  // it begins a line of its own
};

std::string primary_text(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    const bool measures = view.asks(AskKind::measure);
    if (view.open.measured.waiting && view.open.progress.total > 0)
        return progress_text(ui, view.open.progress);
    return view.checking()               ? ui.tr()(measures ? "learn.measuring" : "learn.checking")
           : view.done() || view.noted() ? ui.tr()("learn.go_on")
           : view.spent()                ? ui.tr()("command.learn.another")
           : measures                    ? ui.tr()("learn.predict")
                                         : ui.tr()("learn.check");
}

std::vector<ActionButton> buttons_of(const Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    std::vector<ActionButton> buttons;
    float x = 0;
    const auto add = [&](const char* id, const std::string& text, float least = 0) {
        const float words = words_width(text) + ui.px(24);
        const float wide = std::min(std::max(words, least), width);
        const bool new_line = x > 0 && x + wide > width;
        x = (new_line ? 0 : x) + wide + ui.px(8);
        buttons.push_back({id, text, wide, new_line});
    };
    const auto other = [&](const char* id) { add(id, ui.tr()(std::string("command.") + id)); };
    add("learn.check", primary_text(ui), std::min(width * 0.4F, ui.px(190)));
    if (!view.done() && view.exam.empty() && !view.page()->hints.empty()) other("learn.hint");
    if (!view.done() && view.exam.empty() && view.page()->ask) other("learn.give_up");
    if (view.done() && can_draw_another(view))
        other("learn.another");
    else if (view.done() && can_start_again(view))
        other("learn.again");
    return buttons;
}

void page_dot(Ui& ui, std::size_t place, float size) {
    const LearnView& view = ui.view<LearnView>();
    const session::CourseEntry& entry = view.course[view.lesson_place];
    const lessons::Page& page = entry.lesson.pages[place];
    const ImVec2 point = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(fmt::format("page.{}", place + 1).c_str(), {size, ui.px(kDot)}))
        open_page(ui.change<LearnView>(), place);
    tip(ui, fmt::format("{}. {}", place + 1, page.title), "Alt+Left, Alt+Right");
    const Pen pen(ui);
    const ImVec2 centre{point.x + size / 2, point.y + ui.px(kDot) / 2};
    const auto found = entry.progress.pages.find(page.id);
    const bool right = found != entry.progress.pages.end() && found->second.right;
    const bool given_up = !right && entry.progress.done(page.id);
    const bool here = place == view.page_place;
    const float radius = std::min(ui.px(11), size / 2 - ui.px(1));
    if (here)
        pen.disc(centre, radius, Role::act);
    else if (right || given_up)
        pen.disc(centre, radius, right ? Role::wrote : Role::idle_fill);
    if (ImGui::IsItemHovered() || (!here && !right))
        pen.circle(centre, radius, ImGui::IsItemHovered() ? Role::act : Role::idle, ui.px(1.4F));
    if (right && !here) return tick_sign(ui, centre, Role::on_act);
    const TextStyle style(ui, Face::bold, 11);
    text_around(ui, centre, std::to_string(place + 1), here ? Role::on_act : Role::muted);
}

float buttons_height(const Ui& ui, float width) {
    float lines = 1;
    for (const ActionButton& button : buttons_of(ui, width))
        if (button.new_line) ++lines;
    return lines * ImGui::GetFrameHeightWithSpacing();
}

void buttons(Ui& ui, float width) {
    bool first = true;
    for (const ActionButton& button : buttons_of(ui, width)) {
        if (!first && !button.new_line) ImGui::SameLine(0, ui.px(8));
        command_button(ui, button.id, button.text, first, button.width);
        first = false;
    }
}

// Lines of dots, alike, on which each has room for its number.
std::size_t dot_lines(const Ui& ui, float width) {
    const auto most = static_cast<std::size_t>(std::max(width / ui.px(kLeastDot), 1.0F));
    return (ui.view<LearnView>().lesson()->pages.size() + most - 1) / most;
}

float navigation_height(const Ui& ui, float width) {
    return static_cast<float>(dot_lines(ui, width)) * ui.px(kDot) + ImGui::GetFrameHeight() +
           ImGui::GetStyle().ItemSpacing.y;
}

// A dot for each page: done, at hand, or still to come; closer where there are many.
void page_dots(Ui& ui, float width) {
    const std::size_t pages = ui.view<LearnView>().lesson()->pages.size();
    const std::size_t lines = dot_lines(ui, width), on_line = (pages + lines - 1) / lines;
    const float size = std::min(ui.px(kDot - kMostDotGap), width / static_cast<float>(on_line));
    ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 0);
    for (std::size_t i = 0; i < pages; ++i) {
        if (i % on_line > 0) ImGui::SameLine(0, 0);
        page_dot(ui, i, size);
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, 0});
    command_button(ui, "learn.back", ui.tr()("learn.back"));
    ImGui::SameLine(0, ui.px(8));
    command_button(ui, "learn.next", ui.tr()("learn.next"));
}

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
    const float button = words_width(explore) + 2 * ImGui::GetStyle().FramePadding.x;
    if (ui.folds_list()) {
        command_button(ui, "learn.course", ui.tr()("learn.course"));
        ImGui::SameLine(0, ui.px(10));
    }
    const float left = ImGui::GetCursorPosX();
    const float room = width - (left - start.x) - button - ui.px(12);
    const std::string title =
        ui.metrics.shortened(view.lesson()->title, room / ui.scale, kTitleSize, Face::bold);
    const float used = ui.px(ui.metrics.text_width(title, kTitleSize, Face::bold));
    const ImVec2 corner{ImGui::GetWindowPos().x - ImGui::GetScrollX(),
                        ImGui::GetWindowPos().y - ImGui::GetScrollY()};
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        Pen(ui).text(
            {corner.x + left, corner.y + start.y + (high - ImGui::GetTextLineHeight()) / 2}, title,
            Role::text);
    }
    const std::string whole = picture_title(ui);
    const std::string subtitle = whole_parts(ui, whole, room - used - ui.px(12));
    if (!subtitle.empty()) {
        const float line = ui.px(kSmallSize) * 1.2F;
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
    const float least = panel_of(view).empty() ? 0.3F : 0.44F;
    const float most = kind == AskKind::schedule              ? least
                       : view.asks_for(lessons::Picked::line) ? 0.52F
                                                              : std::max(0.42F, least);
    return 1 - std::clamp(learn_kernel_height(ui) / height, least, most);
}

// The option of that number.
void choose_by_digit(Ui& ui) {
    LearnView& view = ui.change<LearnView>();
    const bool why = view.open.asks_why;
    const std::size_t options =
        why ? view.page()->reasons.size() : view.open.question.options.size();
    if ((view.closed() && !why) || view.open.problem || ImGui::GetIO().KeyMods != 0) return;
    for (std::size_t i = 0; i < std::min<std::size_t>(options, 9); ++i)
        if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)), false) ||
            ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad1 + static_cast<int>(i)),
                                false))
            return why ? choose_reason(view, i) : choose(view, i);
}

// The keys that act on the page while no field has them.
void keys(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!ui.session.overlay.empty()) return;
    LearnView& view = ui.change<LearnView>();
    const bool enter = enter_pressed();
    const bool text = io.WantTextInput && view.page()->ask &&
                      (view.asks(AskKind::edit) || view.asks(AskKind::reflect));
    if (enter && io.KeyCtrl) ui.run("learn.check");
    if (text || io.KeyCtrl) return;
    if (enter && !io.KeyAlt) {
        const auto pointed = view.open.pointed;
        if (view.open.asks_why && view.open.pointed_reason)
            choose_reason(view, *view.open.pointed_reason);
        else if (view.asks(AskKind::schedule) && view.open.race != nullptr &&
                 !view.open.race->at_end() && can_act(view))
            act(view, view.open.picked);
        else if (pointed && !view.closed() && !is_chosen(view, *pointed))
            choose(view, *pointed);
        else
            ui.run("learn.check");
    }
    if (io.WantTextInput) return;
    choose_by_digit(ui);
    if (ImGui::IsKeyPressed(ImGuiKey_Tab) && !io.KeyCtrl && !io.KeyAlt)
        point_next(view, io.KeyShift ? -1 : 1);
    const auto pointed = view.open.pointed;
    if (pointed && !view.closed() &&
        (ImGui::IsKeyPressed(ImGuiKey_Delete) ||
         (ImGui::IsKeyPressed(ImGuiKey_Backspace) && !io.KeyAlt)))
        if (is_chosen(view, *pointed)) choose(view, *pointed);
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
// In a window that is too low for that all of the card scrolls.
template <typename Words>
void with_buttons(Ui& ui, const Words& words) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float top = ImGui::GetCursorPosY();
    const float end = top + ImGui::GetContentRegionAvail().y;
    const float gap = ui.px(10);
    float navigation = end - navigation_height(ui, width);
    float most = navigation - top - buttons_height(ui, width) - 2 * gap;
    const bool low = most < ui.px(140);
    if (low) most = FLT_MAX;
    // Rings around choices reach beyond them.
    const float around = ui.px(5), wide = width + 2 * around;
    ImGui::SetNextWindowSizeConstraints({wide, ui.px(40)}, {wide, most});
    if (page_comes(ui)) ImGui::SetNextWindowScroll({0, 0});
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - around);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {around, 0});
    ImGui::BeginChild("learn.words", {wide, 0},
                      ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    words(ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + gap / 2);
    buttons(ui, width);
    if (low) navigation = ImGui::GetCursorPosY() + gap;
    ImGui::SetCursorPosY(navigation);
    page_dots(ui, width);
}

// One column, for a narrow window: all of it scrolls but the buttons.
void one_column(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "learn.page", area);
    heading(ui, ImGui::GetContentRegionAvail().x);
    with_buttons(ui, [&](float width) {
        learn_picture(ui, {width, std::max(area.size.y * 0.36F, ui.px(150))});
        ImGui::Dummy({0, ui.px(4)});
        learn_question(ui, width);
        ImGui::Dummy({0, ui.px(8)});
        if (!panel_of(ui.view<LearnView>()).empty()) {
            draw_side(ui, {width, ui.px(280)});
            ImGui::Dummy({0, ui.px(8)});
        }
        learn_kernel(ui, {width, std::clamp(learn_kernel_height(ui), ui.px(200),
                                            std::max(area.size.y * 0.6F, ui.px(200)))});
    });
}

// Room for the kernel and the panel side by side, in points.
constexpr float kSideBySide = 720, kLeastSide = 330, kMostSide = 520;

// The kernel's text and the page's panel in turns, each a tab.
void in_turns(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    const bool asks_here = view.page()->ask && !view.done() &&
                           (view.asks_for(lessons::Picked::line) || view.asks(AskKind::edit));
    const bool panel = view.open.panel_wanted.value_or(!asks_here);
    const Scope card = begin_card(ui, "learn.text", area);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(4)});
    const auto tab = [&](const char* id, const std::string& words, bool on) {
        if (pill(ui, id, words, panel == on)) ui.change<LearnView>().open.panel_wanted = on;
        command_tip(ui, ui.session.command("learn.panel"));
    };
    tab("learn.tab_kernel", ui.tr()("learn.kernel"), false);
    ImGui::SameLine(0, 0);
    tab("learn.tab_panel", side_title(ui), true);
    ImGui::PopStyleVar();
    if (panel)
        draw_side(ui, ImGui::GetContentRegionAvail(), false);
    else
        learn_kernel(ui, ImGui::GetContentRegionAvail());
}

// The panel in a card of its own, which can be closed; then the kernel's card has a tab for it.
void kernel_and_panel(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    const bool panel = !panel_of(view).empty();
    if (panel && area.size.x / ui.scale < kSideBySide) return in_turns(ui, area);
    const bool open = panel && view.open.panel_wanted.value_or(true);
    const float gap = ui.px(12);
    const float side = std::clamp(area.size.x * 0.48F, ui.px(kLeastSide), ui.px(kMostSide));
    const float wide = open ? area.size.x - side - gap : area.size.x;
    {
        const Scope card = begin_card(ui, "learn.text", {area.at, {wide, area.size.y}});
        if (panel && !open) {
            const std::string title = side_title(ui);
            const ImVec2 point = ImGui::GetCursorPos();
            ImGui::SetCursorPosX(line_end() - words_width(title) - ui.px(26));
            command_button(ui, "learn.panel", title);
            ImGui::SetCursorPos(point);
        }
        learn_kernel(ui, ImGui::GetContentRegionAvail());
    }
    if (!open) return;
    const Scope card =
        begin_card(ui, "learn.side", {{area.at.x + wide + gap, area.at.y}, {side, area.size.y}});
    const ImVec2 point = ImGui::GetCursorPos();
    if (close_button(ui, "learn.close_panel", point.x + ImGui::GetContentRegionAvail().x,
                     point.y - ui.px(3)))
        ui.run("learn.panel");
    command_tip(ui, ui.session.command("learn.panel"));
    ImGui::SetCursorPos(point);
    draw_side(ui, ImGui::GetContentRegionAvail());
}

void beside_each_other(Ui& ui, const Area& area) {
    const float gap = ui.px(12), points = area.size.x / ui.scale;
    float x = area.at.x;
    if (!ui.folds_list()) {
        const float left = ui.px(272);
        const Scope card = begin_card(ui, "learn.course", {area.at, {left, area.size.y}});
        course_list(ui, ImGui::GetContentRegionAvail().x);
        x += left + gap;
    }
    const float right = ui.px(std::clamp(points * 0.3F, 320.0F, 460.0F));
    const Area question{{area.at.x + area.size.x - right, area.at.y}, {right, area.size.y}};
    const float middle = question.at.x - gap - x;
    const float room = area.size.y - gap;
    const float high = std::floor(room * picture_share(ui, room));
    {
        const Scope card = begin_card(ui, "learn.picture", {{x, area.at.y}, {middle, high}});
        heading(ui, ImGui::GetContentRegionAvail().x);
        learn_picture(ui, ImGui::GetContentRegionAvail());
    }
    kernel_and_panel(ui, {{x, area.at.y + high + gap}, {middle, room - high}});
    const Scope card = begin_card(ui, "learn.question", question);
    with_buttons(ui, [&](float width) { learn_question(ui, width); });
}

// In a very large window all of it is larger, in steps that keep letters sharp.
float enlargement(const Ui& ui) {
    const ImVec2 points = ui.window();
    return std::clamp(std::floor(std::min(points.x / 1760, points.y / 1000) * 4) / 4, 1.0F, 2.0F);
}

void draw_page(Ui& ui, const Area& area) {
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    if (area.size.x / ui.scale < 820)
        one_column(ui, area);
    else
        beside_each_other(ui, area);
}

}  // namespace

void learn_panel(Ui& ui, const Area& area) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) {
        const Scope card = begin_card(ui, "learn.page", area);
        for (const Problem& problem : view.course_problems)
            problem_card(ui, problem, ImGui::GetContentRegionAvail().x);
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

namespace {

// A page for the whole room: its words, then what it asks with a poll of hands, then the answer.

// The question stands at the end of the words, in a paragraph of its own.
std::string sentence_of(const LearnView& view) {
    const bool told = view.open.stage == Stage::answer;
    lessons::Text words = told ? view.open.right_words : view.open.words;
    if (!told && view.page()->ask && words.size() > 1) {
        const lessons::Paragraph question = words.back();
        words.pop_back();
        if (view.open.stage != Stage::words) words = {question};
    }
    return std::string(trimmed(lessons::plain_text(words)));
}

bool asks_in_text(const LearnView& view) {
    return view.asks_for(lessons::Picked::line) || view.asks(AskKind::edit) ||
           !view.open.question.order.empty();
}

// As clickers send them.
void keys_of_clickers(const Ui& ui) {
    if (!ui.session.overlay.empty()) return;
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown, false)) ui.run("learn.reveal");
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp, false)) ui.run("learn.take_back");
}

// The words of a page may be about the text of a kernel that no page before has shown.
bool brings_kernel(const LearnView& view) {
    const std::size_t place = view.page_place;
    const auto& pages = view.lesson()->pages;
    return view.open.stage == Stage::words && !view.open.kernel.empty() &&
           (place == 0 || pages[place - 1].show.variant != pages[place].show.variant);
}

// The picture, with what stands beside it: the page's panel, the choices, or a new kernel's text.
void picture(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const bool poll = view.open.poll && view.open.stage != Stage::words;
    const bool panel = !poll && !panel_of(view).empty() && view.open.panel_wanted.value_or(true);
    // What asks for a line, or for a change, is about the text.
    const bool text = view.open.stage != Stage::words && asks_in_text(view);
    const auto main = text ? learn_kernel : learn_picture;
    const bool kernel = !poll && !panel && !text && brings_kernel(view);
    if (!poll && !panel && !kernel) return main(ui, room);
    const float gap = ui.px(24);
    const float share = poll ? 0.36F : kernel ? 0.52F : 0.42F;
    const float beside = std::clamp(room.x * share, ui.px(300), ui.px(520));
    const ImVec2 point = ImGui::GetCursorPos();
    main(ui, {room.x - beside - gap, room.y});
    ImGui::SetCursorPos({point.x + room.x - beside, point.y});
    const Scope child = begin_child(poll ? "learn.poll" : "learn.beside", {beside, room.y});
    if (kernel)
        learn_kernel(ui, ImGui::GetContentRegionAvail());
    else if (poll)
        learn_poll(ui, ImGui::GetContentRegionAvail());
    else
        draw_side(ui, ImGui::GetContentRegionAvail());
}

}  // namespace

void present_learn(Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) return;
    keys_of_clickers(ui);
    Presented presented;
    presented.title = view.page()->title;
    presented.position =
        ui.tr()("learn.of", arg("k", view.page_place + 1), arg("n", view.lesson()->pages.size()));
    presented.sentence = sentence_of(view);
    if (view.open.stage == Stage::answer) presented.tone = Tone::good;
    presented.picture = [&](ImVec2 room) { picture(ui, room); };
    draw_presented(ui, presented);
}

}  // namespace lab::gui
