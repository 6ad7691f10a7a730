// What is said of an answer, and the hints: below the question, and in sight when they come.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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

// What is wrong with an edited text, by the lines that its editor shows; nothing of files and of
// options of the command line.
lessons::Text errors_of(const Ui& ui, const std::vector<simulation::TextMark>& errors) {
    lessons::Text words;
    for (const simulation::TextMark& error : errors) {
        std::string text = ui.tr().message(error.message);
        if (error.line > 0)
            text = ui.tr()("user_kernel.line", fmt::arg("line", error.line)) +
                   ui.tr()("figure.colon") + text;
        text = as_sentence(ui, text);
        if (!error.hint.empty() && error.hint.find("--") == std::string::npos)
            text += ui.tr()("figure.space") + as_sentence(ui, ui.tr().message(error.hint));
        const lessons::Text line = plain(text);
        words.insert(words.end(), line.begin(), line.end());
    }
    return words;
}

// The same for what stops the run.
Problem without_file(const Ui& ui, Problem problem) {
    const auto colon = problem.where.find(".cl:");
    if (colon == std::string::npos) return problem;
    const unsigned long line = std::strtoul(problem.where.c_str() + colon + 4, nullptr, 10);
    problem.where = line > 0 ? ui.tr()("user_kernel.line", fmt::arg("line", line)) : "";
    if (problem.hint.find("--") != std::string::npos && problem.phrases.hint.key.empty())
        problem.hint.clear();
    return problem;
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
    if (feedback->right || feedback->given_up || feedback->measured) {
        lessons::Text words = view.reply();
        if (!message.empty()) {
            lessons::Text first = plain(message);
            words.insert(words.begin(), first.begin(), first.end());
        }
        const char* key = !graded              ? ""
                          : feedback->right    ? "learn.right"
                          : feedback->given_up ? "learn.given_up"
                                               : "learn.not_as_predicted";
        reply_box(ui, *key == 0 ? "" : ui.tr()(key), words,
                  graded && feedback->right ? Tone::good : Tone::plain, width);
        return;
    }
    if (!feedback->errors.empty())
        return reply_box(ui, ui.tr()("learn.does_not_compile"), errors_of(ui, feedback->errors),
                         Tone::wrong, width);
    if (feedback->problem) {
        if (!message.empty()) wrapped(message, width);
        problem_card(ui, without_file(ui, *feedback->problem), width);
        if (!view.reply().empty())
            reply_box(ui, ui.tr()("learn.not_yet"), view.reply(), Tone::wrong, width);
        return;
    }
    // Of an edited kernel: which goal, with which shape, whatever the page says to it.
    const bool both = feedback->failed && !message.empty();
    lessons::Text words = both || view.reply().empty() ? plain(message) : lessons::Text();
    words.insert(words.end(), view.reply().begin(), view.reply().end());
    reply_box(ui, feedback->no_try ? "" : ui.tr()("learn.not_yet"), words,
              feedback->no_try ? Tone::plain : Tone::wrong, width);
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
