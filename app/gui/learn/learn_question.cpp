// What a page asks, how it is answered, and what is said of the answer.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>

#include "gui/kernels/kernel_panels.h"
#include "gui/learn/learn_marks.h"
#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;
using session::LearnView;

void mark_sign(const Ui& ui, Mark mark, ImVec2 centre) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float size = ui.px(5);
    if (mark == Mark::right) {
        const ImVec2 points[]{{centre.x - size, centre.y},
                              {centre.x - size * 0.3F, centre.y + size * 0.7F},
                              {centre.x + size, centre.y - size * 0.8F}};
        into.AddPolyline(points, 3, ui.colour(Role::wrote), 0, ui.px(2));
    } else if (mark == Mark::wrong) {
        into.AddLine({centre.x - size * 0.8F, centre.y - size * 0.8F},
                     {centre.x + size * 0.8F, centre.y + size * 0.8F}, ui.colour(Role::race),
                     ui.px(2));
        into.AddLine({centre.x - size * 0.8F, centre.y + size * 0.8F},
                     {centre.x + size * 0.8F, centre.y - size * 0.8F}, ui.colour(Role::race),
                     ui.px(2));
    }
}

// Around the choice that Enter takes.
void draw_ring(const Ui& ui, ImVec2 low, ImVec2 high, float radius) {
    const float gap = ui.px(3);
    ImGui::GetWindowDrawList()->AddRect({low.x - gap, low.y - gap}, {high.x + gap, high.y + gap},
                                        ui.colour(Role::barrier), radius + gap, 0, ui.px(2.4F));
}

Mark mark_of(const LearnView& view, std::uint64_t pick) {
    const auto& feedback = view.feedback();
    if (!feedback) return Mark::none;
    const auto& picks = view.draft().picks;
    const bool chosen = std::find(picks.begin(), picks.end(), pick) != picks.end();
    if (feedback->wrong.contains(pick)) return Mark::wrong;
    if (chosen && (feedback->right || feedback->given_up)) return Mark::right;
    return Mark::none;
}

constexpr const char* kPickKeys = "Tab, Enter";

// A box that is chosen by a click, as high as its words need.
bool choice_box(const Ui& ui, std::size_t place, const lessons::Paragraph& words, bool chosen,
                Mark mark, float width, bool open) {
    const lessons::Paragraph plain{lessons::Paragraph::Kind::plain, 0, words.spans};
    const float pad = ui.px(10), sign = ui.px(20);
    const float height = page_text_height(ui, {plain}, width - 2 * pad - sign) + 2 * ui.px(7);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!open);
    const bool pressed = ImGui::InvisibleButton(fmt::format("option.{}", place + 1).c_str(),
                                                {width, std::max(height, ui.px(36))});
    ImGui::EndDisabled();
    if (open) tip(ui, ui.tr()("learn.option.tip"), kPickKeys);
    const bool hovered = open && ImGui::IsItemHovered();
    const ImVec2 size = ImGui::GetItemRectSize();
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 high{point.x + size.x, point.y + size.y};
    into.AddRectFilled(point, high,
                       ui.colour(hovered && !chosen ? Role::idle_fill : fill_of(mark, chosen)),
                       ui.px(7));
    into.AddRect(point, high, ui.colour(edge_of(mark, chosen)), ui.px(7), 0,
                 ui.px(chosen || mark != Mark::none ? 2.0F : 1.2F));
    if (open && ui.view<LearnView>().pointed() == place) draw_ring(ui, point, high, ui.px(7));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + (size.y - height) / 2 + ui.px(7)});
    page_paragraph(ui, plain, width - 2 * pad - sign);
    mark_sign(ui, mark, {high.x - pad - ui.px(4), point.y + size.y / 2});
    ImGui::SetCursorScreenPos(after);
    return pressed;
}

}  // namespace

std::string option_text(const Ui& ui, const lessons::Option& option) {
    if (option.text.starts_with("learn.")) return ui.tr()(option.text);
    for (const catalogue::Variant& variant : ui.session.catalogue().variants)
        if (variant.id == option.text) return title_of(ui, variant);
    return option.text;
}

namespace {

void options(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.shown_page().question;
    const bool numbers = std::none_of(question.options.begin(), question.options.end(),
                                      [](const auto& option) { return option.label.has_value(); });
    const bool small =
        numbers && question.kind != AskKind::measure && view.page()->ask->kernels.empty();
    const std::size_t columns = small ? 3 : 1;
    const float gap = ui.px(8);
    const float each =
        (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    label(ui, ui.tr()(question.several ? "learn.choose_all" : "learn.choose_one"));
    const ImVec2 first = ImGui::GetCursorScreenPos();
    float y = first.y, below = y;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const lessons::Option& option = question.options[i];
        lessons::Paragraph words;
        if (option.label)
            words = view.shown_page().labels[*option.label];
        else
            words.spans = {{option_text(ui, option), small, false, false, ""}};
        const auto& picks = view.draft().picks;
        const bool chosen = std::find(picks.begin(), picks.end(), i) != picks.end();
        if (i % columns == 0) y = below;
        ImGui::SetCursorScreenPos({first.x + static_cast<float>(i % columns) * (each + gap), y});
        if (choice_box(ui, i, words, chosen, mark_of(view, i), each, !view.done()))
            ui.change<LearnView>().choose(i);
        below =
            std::max(below, ImGui::GetCursorScreenPos().y + gap - ImGui::GetStyle().ItemSpacing.y);
    }
    ImGui::SetCursorScreenPos({first.x, below});
    ImGui::Dummy({width, 0});
}

// Work-items or cells as buttons, a gap after each group.
void pick_buttons(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.shown_page().question;
    if (view.shown_page().run == nullptr) return;
    const auto& rows = view.shown_page().run->table.rows;
    const analysis::Row& row = rows[std::min(question.row, rows.size() - 1)];
    const bool items = question.kind == AskKind::items;
    const std::size_t count = items ? row.global : row.cells.size();
    const std::uint64_t group = items ? row.local : row.group_cells;
    constexpr std::size_t kMost = 128;
    label(ui, ui.tr()(items ? "learn.pick_items" : "learn.pick_cells"));
    const float size = ui.px(34), gap = ui.px(4);
    float x = 0;
    for (std::size_t i = 0; i < std::min(count, kMost); ++i) {
        if (i > 0) {
            const bool new_group = group > 0 && i % group == 0;
            const float space = new_group ? gap * 3 : gap;
            if (x + space + size <= width) {
                ImGui::SameLine(0, space);
                x += space;
            } else {
                x = 0;
            }
        }
        x += size;
        const auto& picks = view.draft().picks;
        const bool chosen = std::find(picks.begin(), picks.end(), i) != picks.end();
        const Mark mark = mark_of(view, i);
        const ImVec2 point = ImGui::GetCursorScreenPos();
        ImGui::BeginDisabled(view.done());
        if (ImGui::InvisibleButton(fmt::format("pick.{}", i).c_str(), {size, size}))
            ui.change<LearnView>().choose(i);
        ImGui::EndDisabled();
        if (!view.done())
            tip(ui, ui.tr()(items ? "learn.item.tip" : "learn.cell.tip", fmt::arg("place", i)),
                kPickKeys);
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImVec2 high{point.x + size, point.y + size};
        const float radius = items ? size / 2 : ui.px(5);
        const bool filled = chosen && mark == Mark::none;
        into.AddRectFilled(point, high,
                           ui.colour(filled                   ? Role::act
                                     : ImGui::IsItemHovered() ? Role::idle_fill
                                                              : fill_of(mark, chosen)),
                           radius);
        into.AddRect(point, high, ui.colour(chosen ? edge_of(mark, chosen) : Role::idle), radius, 0,
                     ui.px(1.4F));
        if (!view.done() && view.pointed() == i) draw_ring(ui, point, high, radius);
        const std::string text = fmt::format("{}", i);
        const TextStyle style(ui, Face::mono, kTextSize);
        const ImVec2 words = ImGui::CalcTextSize(text.c_str());
        into.AddText({point.x + (size - words.x) / 2, point.y + (size - words.y) / 2},
                     ui.colour(filled ? Role::on_act : Role::text), text.c_str());
    }
}

// Kernels in the order in which they are clicked.
void order(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    label(ui, ui.tr()("learn.order"));
    const lessons::Question& question = view.shown_page().question;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const std::string& kernel = question.options[i].text;
        const std::vector<std::string>& texts = view.draft().texts;
        const auto found = std::find(texts.begin(), texts.end(), kernel);
        lessons::Paragraph words;
        if (found != texts.end())
            words.spans.push_back(
                {fmt::format("{}. ", found - texts.begin() + 1), true, false, false, ""});
        words.spans.push_back({option_text(ui, question.options[i]), false, false, false, ""});
        if (choice_box(ui, i, words, found != texts.end(), Mark::none, width, !view.done()))
            ui.change<LearnView>().choose(i);
    }
}

void sentence(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    std::string text = view.draft().texts.empty() ? "" : view.draft().texts.front();
    ImGui::BeginDisabled(view.done());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(Role::background));
    ImGui::PushID(static_cast<int>(view.shown_page().version));
    if (ImGui::InputTextMultiline("###learn.sentence", &text, {width, ui.px(90)},
                                  ImGuiInputTextFlags_NoHorizontalScroll))
        ui.change<LearnView>().set_text(0, text);
    ImGui::PopID();
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    if (!view.done()) tip(ui, ui.tr()("learn.sentence.tip"), "Alt+Enter");
}

void goals(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const auto& feedback = view.feedback();
    label(ui, ui.tr()("learn.goals"));
    for (std::size_t i = 0; i < view.page()->ask->goals.size(); ++i) {
        const Mark mark = !feedback || i >= feedback->goals.size() ? Mark::none
                          : feedback->goals[i]                     ? Mark::right
                                                                   : Mark::wrong;
        const bool all = feedback && (feedback->right || feedback->given_up);
        const ImVec2 point = ImGui::GetCursorScreenPos();
        ImDrawList& into = *ImGui::GetWindowDrawList();
        const ImVec2 centre{point.x + ui.px(9), point.y + ImGui::GetTextLineHeight() / 2};
        if (mark == Mark::none && !all)
            into.AddCircle(centre, ui.px(5), ui.colour(Role::idle), 0, ui.px(1.4F));
        else
            mark_sign(ui, all ? Mark::right : mark, centre);
        ImGui::SetCursorScreenPos({point.x + ui.px(22), point.y});
        wrapped(text_of(view.page()->ask->goals[i], ui.tr()), width - ui.px(24));
    }
    if (view.page()->ask->only_barriers) label(ui, ui.tr()("learn.wrong.only_barriers"));
}

void aim(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (!view.schedules() || !view.race()) return;
    const session::Race& race = *view.race();
    std::string text = ui.tr()("learn.actions", fmt::arg("k", race.cursor()));
    if (race.at_end() && race.ending())
        text = ui.tr()("learn.ended", fmt::arg("result", race.ending()->result));
    else if (race.at_end() && race.never_ends())
        text = ui.tr()("learn.never_ends");
    else if (race.at_end())
        text = ui.tr()("learn.no_end_yet");
    wrapped(text, width);
    if (!race.at_end() && !race.ready().empty()) {
        if (act_button(ui, "learn.rest", ui.tr()("learn.rest"), false, {0, ui.px(32)}))
            ui.change<LearnView>().go_to(race.length());
        tip(ui, ui.tr()("learn.rest.tip"), "End");
        ImGui::SameLine();
    }
    if (act_button(ui, "learn.undo", ui.tr()("learn.undo"), false, {0, ui.px(32)}))
        ui.change<LearnView>().go_to(race.cursor() > 0 ? race.cursor() - 1 : 0);
    tip(ui, ui.tr()("learn.undo.tip"), "Left");
}

void answer_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    switch (view.shown_page().question.kind) {
        case AskKind::cells:
        case AskKind::number:
            learn_fields(ui, width);
            break;
        case AskKind::pick:
        case AskKind::items:
            pick_buttons(ui, width);
            break;
        case AskKind::choose:
        case AskKind::results:
            options(ui, width);
            break;
        case AskKind::line: {
            const auto& picks = view.draft().picks;
            label(ui, picks.empty()
                          ? ui.tr()("learn.click_line")
                          : ui.tr()("learn.line_chosen", fmt::arg("line", picks.front())));
            break;
        }
        case AskKind::schedule:
            aim(ui, width);
            break;
        case AskKind::edit:
            goals(ui, width);
            break;
        case AskKind::measure:
            if (view.page()->ask->predict == lessons::Predict::ratio) {
                label(ui, ui.tr()("learn.ratio"));
                learn_fields(ui, width);
            } else if (view.page()->ask->predict == lessons::Predict::order) {
                order(ui, width);
            } else {
                options(ui, width);
            }
            break;
        case AskKind::reflect:
            sentence(ui, width);
            break;
    }
}

}  // namespace

void learn_question(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) return;
    {
        label(ui, ui.tr()("learn.of", fmt::arg("k", view.page_place() + 1),
                          fmt::arg("n", view.lesson()->pages.size())));
        const TextStyle style(ui, Face::bold, 20);
        wrapped(view.page()->title, width);
    }
    ImGui::Dummy({0, ui.px(4)});
    page_text(ui, view.shown_page().words, width, {.explains = true});
    ImGui::Dummy({0, ui.px(8)});
    if (view.page()->ask && !view.shown_page().problem) {
        answer_part(ui, width);
        ImGui::Dummy({0, ui.px(6)});
    }
    learn_replies(ui, width);
}

}  // namespace lab::gui
