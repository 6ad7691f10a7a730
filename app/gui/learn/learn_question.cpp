// What a page asks, how it is answered, and what is said of the answer.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>

#include "gui/kernels/kernel_panels.h"
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

// What is said of one answer: shown by colour and by a sign.
enum class Mark : std::uint8_t { none, right, wrong, missing };

Role edge_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? Role::wrote
           : mark == Mark::wrong ? Role::race
           : chosen              ? Role::act
                                 : Role::border;
}
Role fill_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? Role::wrote_fill
           : mark == Mark::wrong ? Role::race_fill
           : chosen              ? Role::act_fill
                                 : Role::panel;
}

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

Mark mark_of(const LearnView& view, std::uint64_t pick) {
    const auto& feedback = view.feedback();
    if (!feedback) return Mark::none;
    const auto& picks = view.draft().picks;
    const bool chosen = std::find(picks.begin(), picks.end(), pick) != picks.end();
    if (feedback->wrong.contains(pick)) return Mark::wrong;
    if (chosen && (feedback->right || feedback->given_up)) return Mark::right;
    return Mark::none;
}

// A box that is chosen by a click, as high as its words need.
bool choice_box(const Ui& ui, const std::string& id, const lessons::Paragraph& words, bool chosen,
                Mark mark, float width, bool open) {
    const lessons::Paragraph plain{lessons::Paragraph::Kind::plain, 0, words.spans};
    const float pad = ui.px(10), sign = ui.px(20);
    const float height = page_text_height(ui, {plain}, width - 2 * pad - sign) + 2 * ui.px(7);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!open);
    const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, std::max(height, ui.px(36))});
    ImGui::EndDisabled();
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
    ImGui::SetCursorScreenPos({point.x + pad, point.y + (size.y - height) / 2 + ui.px(7)});
    page_paragraph(ui, plain, width - 2 * pad - sign);
    mark_sign(ui, mark, {high.x - pad - ui.px(4), point.y + size.y / 2});
    ImGui::SetCursorScreenPos(after);
    return pressed;
}

std::string option_text(const Ui& ui, const lessons::Option& option) {
    if (option.text.starts_with("learn.")) return ui.tr()(option.text);
    for (const catalogue::Variant& variant : ui.session.catalogue().variants)
        if (variant.id == option.text) return title_of(ui, variant);
    return option.text;
}

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
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const lessons::Option& option = question.options[i];
        lessons::Paragraph words;
        if (option.label)
            words = view.shown_page().labels[*option.label];
        else
            words.spans = {{option_text(ui, option), small, false, false, ""}};
        const auto& picks = view.draft().picks;
        const bool chosen = std::find(picks.begin(), picks.end(), i) != picks.end();
        if (i % columns != 0) ImGui::SameLine(0, gap);
        if (choice_box(ui, fmt::format("option.{}", i + 1), words, chosen, mark_of(view, i), each,
                       !view.done()))
            ui.change<LearnView>().toggle_pick(i, question.several);
    }
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
            ui.change<LearnView>().toggle_pick(i, true);
        ImGui::EndDisabled();
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
        const std::string text = fmt::format("{}", i);
        const TextStyle style(ui, Face::mono, kTextSize);
        const ImVec2 words = ImGui::CalcTextSize(text.c_str());
        into.AddText({point.x + (size - words.x) / 2, point.y + (size - words.y) / 2},
                     ui.colour(filled ? Role::on_act : Role::text), text.c_str());
    }
}

// Fields for values; Enter checks them all.
void fields(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.shown_page().question;
    const bool cells = question.kind == AskKind::cells;
    const float each = ui.px(cells ? 74 : 130), gap = ui.px(10);
    float x = 0;
    for (std::size_t i = 0; i < question.fields.size(); ++i) {
        const lessons::Field& field = question.fields[i];
        const auto& feedback = view.feedback();
        const Mark mark = !feedback || i >= feedback->right_fields.size() ? Mark::none
                          : feedback->right_fields[i]                     ? Mark::right
                                                                          : Mark::wrong;
        if (cells && i > 0 && x + gap + each <= width) {
            ImGui::SameLine(0, gap);
            x += gap;
        } else {
            x = 0;
        }
        x += each;
        if (field.label) page_paragraph(ui, view.shown_page().labels[*field.label], width);
        ImGui::BeginGroup();
        if (cells) {
            const auto& rows = view.shown_page().run->table.rows;
            label(ui, fmt::format("{}[{}]", rows[std::min(question.row, rows.size() - 1)].array,
                                  *field.cell));
        }
        std::string text = i < view.draft().texts.size() ? view.draft().texts[i] : "";
        ImGui::SetNextItemWidth(each);
        ImGui::BeginDisabled(view.done());
        const TextStyle style(ui, Face::mono, 17);
        ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(fill_of(mark, false)));
        ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(edge_of(mark, true)));
        if (ImGui::InputText(fmt::format("###field.{}", i + 1).c_str(), &text,
                             ImGuiInputTextFlags_CharsNoBlank))
            ui.change<LearnView>().set_text(i, text);
        ImGui::PopStyleColor(2);
        ImGui::EndDisabled();
        ImGui::EndGroup();
        if (!cells && !view.page()->ask->unit.empty()) {
            ImGui::SameLine(0, ui.px(8));
            ImGui::AlignTextToFramePadding();
            const std::string& unit = view.page()->ask->unit;
            label(ui, ui.tr().get("learn.unit." + unit, unit));
        }
    }
}

// Kernels in the order in which they are clicked.
void order(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    label(ui, ui.tr()("learn.order"));
    const lessons::Question& question = view.shown_page().question;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const std::string& kernel = question.options[i].text;
        std::vector<std::string> texts = view.draft().texts;
        const auto found = std::find(texts.begin(), texts.end(), kernel);
        lessons::Paragraph words;
        if (found != texts.end())
            words.spans.push_back(
                {fmt::format("{}. ", found - texts.begin() + 1), true, false, false, ""});
        words.spans.push_back({option_text(ui, question.options[i]), false, false, false, ""});
        if (!choice_box(ui, fmt::format("option.{}", i + 1), words, found != texts.end(),
                        Mark::none, width, !view.done()))
            continue;
        if (found != texts.end())
            texts.erase(found);
        else
            texts.push_back(kernel);
        ui.change<LearnView>().set_texts(std::move(texts));
    }
}

void sentence(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    std::string text = view.draft().texts.empty() ? "" : view.draft().texts.front();
    ImGui::BeginDisabled(view.done());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(Role::background));
    if (ImGui::InputTextMultiline("###learn.sentence", &text, {width, ui.px(90)},
                                  ImGuiInputTextFlags_NoHorizontalScroll))
        ui.change<LearnView>().set_text(0, text);
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
}

// A common condition in words, else as it is written; and the shapes that it is tried with.
std::string goal_text(const Ui& ui, const lessons::Goal& goal) {
    std::string text = ui.tr().get("learn.goal." + goal.condition.text(), goal.condition.text());
    std::string shapes;
    for (const auto& [key, values] : goal.shapes)
        shapes +=
            fmt::format("{}{} = {}", shapes.empty() ? "" : "; ", key, fmt::join(values, ", "));
    return shapes.empty()
               ? text
               : ui.tr()("learn.goal_for", fmt::arg("goal", text), fmt::arg("shapes", shapes));
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
        wrapped(goal_text(ui, view.page()->ask->goals[i]), width - ui.px(24));
    }
}

void aim(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Ask& ask = *view.page()->ask;
    if (!view.race()) return;
    const session::Race& race = *view.race();
    std::string text = ui.tr()("learn.actions", fmt::arg("k", race.cursor()));
    if (race.at_end() && race.ending())
        text = ui.tr()("learn.ended", fmt::arg("result", race.ending()->result));
    else if (race.at_end())
        text = ui.tr()("learn.never_ends");
    (void)ask;
    wrapped(text, width);
    if (!race.at_end() && !race.ready().empty()) {
        if (act_button(ui, "learn.rest", ui.tr()("learn.rest"), false, {0, ui.px(32)}))
            ui.change<LearnView>().go_to(race.length());
        tip(ui, ui.tr()("learn.rest.tip"), "End");
    }
    ImGui::SameLine();
    if (act_button(ui, "learn.undo", ui.tr()("learn.undo"), false, {0, ui.px(32)}))
        ui.change<LearnView>().go_to(race.cursor() > 0 ? race.cursor() - 1 : 0);
    tip(ui, ui.tr()("learn.undo.tip"), "Left");
}

void answer_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    switch (view.shown_page().question.kind) {
        case AskKind::cells:
        case AskKind::number:
            fields(ui, width);
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
                fields(ui, width);
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

// A box as high as its words, coloured by what they say.
void reply_box(Ui& ui, const std::string& heading, const lessons::Text& words, Tone tone,
               float width) {
    const float pad = ui.px(12);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float head = heading.empty() ? 0 : ImGui::GetTextLineHeight() + ui.px(4);
    const float height = head + page_text_height(ui, words, width - 2 * pad) + 2 * pad;
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const Role fill = tone == Tone::good    ? Role::wrote_fill
                      : tone == Tone::wrong ? Role::race_fill
                                            : Role::act_fill;
    const Role edge = tone == Tone::good    ? Role::wrote
                      : tone == Tone::wrong ? Role::race
                                            : Role::act;
    into.AddRectFilled(point, {point.x + width, point.y + height}, ui.colour(fill), ui.px(7));
    into.AddRectFilled(point, {point.x + ui.px(4), point.y + height}, ui.colour(edge), ui.px(2));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad});
    if (!heading.empty()) {
        const TextStyle style(ui, Face::bold, kTextSize, edge);
        ImGui::TextUnformatted(heading.c_str());
    }
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad + head});
    page_text(ui, words, width - 2 * pad, {.explains = true});
    ImGui::SetCursorScreenPos({point.x, point.y + height + ui.px(8)});
    ImGui::Dummy({width, 0});
}

void feedback_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (view.measure_problem()) problem_card(ui, *view.measure_problem(), width);
    const auto& feedback = view.feedback();
    if (!feedback) return;
    const bool graded = view.shown_page().question.graded;
    const std::string message = translated(feedback->message, ui.tr());
    if (feedback->right || feedback->given_up) {
        lessons::Text words = view.reply();
        if (!message.empty()) {
            lessons::Text first = lessons::words_of(message);
            words.insert(words.begin(), first.begin(), first.end());
        }
        const char* key = !graded ? "" : feedback->right ? "learn.right" : "learn.given_up";
        reply_box(ui, *key == 0 ? "" : ui.tr()(key), words,
                  graded && feedback->right ? Tone::good : Tone::plain, width);
        return;
    }
    if (feedback->problem) {
        if (!message.empty()) wrapped(message, width);
        problem_card(ui, *feedback->problem, width);
    }
    if (!view.reply().empty())
        reply_box(ui, ui.tr()("learn.not_yet"), view.reply(), Tone::wrong, width);
    else if (!feedback->problem)
        reply_box(ui, ui.tr()("learn.not_yet"), lessons::words_of(message), Tone::wrong, width);
}

// The primary button, and what else can be done with the question.
void buttons(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const bool done = view.done();
    const bool measures = view.page()->ask && view.page()->ask->kind == AskKind::measure;
    const std::string text = view.checking()
                                 ? ui.tr()(measures ? "learn.measuring" : "learn.checking")
                             : done     ? ui.tr()("learn.go_on")
                             : measures ? ui.tr()("learn.predict")
                                        : ui.tr()("learn.check");
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(9)});
    command_button(ui, "learn.check", text, true, std::min(width * 0.46F, ui.px(190)));
    // What has no room on the line goes to the next.
    const auto other = [&](const char* id) {
        const std::string words = ui.tr()(std::string("command.") + id);
        const float wide = ImGui::CalcTextSize(words.c_str()).x + ui.px(24);
        ImGui::SameLine(0, ui.px(8));
        if (ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        command_button(ui, id, words);
    };
    if (!done && !view.page()->hints.empty()) other("learn.hint");
    if (!done && view.page()->ask) other("learn.give_up");
    if (done && view.progress() != nullptr) other("learn.again");
    ImGui::PopStyleVar();
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
    for (std::size_t i = 0; i < view.hints_shown(); ++i)
        reply_box(ui, ui.tr()("command.learn.hint"), view.hint(i), Tone::plain, width);
    feedback_part(ui, width);
    buttons(ui, width);
}

}  // namespace lab::gui
