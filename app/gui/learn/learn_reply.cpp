// What is said of an answer, and the hints: below the question, and in sight when they come.
#include <algorithm>

#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using session::LearnView;

constexpr int kFramesToScroll = 3;

struct ReplyState {
    std::uint64_t version = 0;  // of the last reply that was scrolled to
    int frames = 0;             // until its height is known
};

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

lessons::Text plain(const std::string& text) {
    if (text.empty()) return {};
    return {{lessons::Paragraph::Kind::plain, 0, {{text, false, false, false, ""}}}};
}

void feedback_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (view.measure_problem()) problem_card(ui, *view.measure_problem(), width);
    const auto& feedback = view.feedback();
    if (!feedback) return;
    const bool graded = view.shown_page().question.graded;
    Phrase phrase = feedback->message;
    if (const auto goal = phrase.arguments.find("goal"); goal != phrase.arguments.end())
        goal->second = ui.tr().get("learn.goal." + goal->second, goal->second);
    const std::string message = translated(phrase, ui.tr());
    if (feedback->right || feedback->given_up) {
        lessons::Text words = view.reply();
        if (!message.empty()) {
            lessons::Text first = plain(message);
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
        reply_box(ui, ui.tr()("learn.not_yet"), plain(message), Tone::wrong, width);
}

}  // namespace

void learn_replies(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    ReplyState& state = ui.state<ReplyState>();
    if (state.version != view.reply_version()) state = {view.reply_version(), kFramesToScroll};
    const float above = ImGui::GetCursorPosY();
    for (std::size_t i = 0; i < view.hints_shown(); ++i)
        reply_box(ui, ui.tr()("command.learn.hint"), view.hint(i), Tone::plain, width);
    feedback_part(ui, width);
    if (state.frames == 0) return;
    --state.frames;
    // Its end is in sight, but where it is higher than the room, its beginning is.
    const float below = ImGui::GetCursorPosY(), room = ImGui::GetWindowHeight();
    if (view.feedback() || view.hints_shown() > 0)
        ImGui::SetScrollY(std::min(below - room, above - ui.px(8)));
}

}  // namespace lab::gui
