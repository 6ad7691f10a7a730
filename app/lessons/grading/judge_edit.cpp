// Judges an edited kernel: each goal for each of its shapes. What a student writes may be wrong in
// any way, and costs a bounded time: runs end with their budget, searches with their states.
#include <fmt/format.h>

#include <regex>

#include "lessons/answers/question.h"

namespace lab::lessons {
namespace {

// The text without comments, blanks and barriers, which is the same if only barriers differ.
std::string without_barriers(const std::string& text) {
    static const std::regex comments(R"(/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*)");
    static const std::regex barriers(R"((?:work_group_)?barrier\([^()]*\);)");
    static const std::regex blanks(R"(\s+)");
    std::string result = std::regex_replace(text, comments, "");
    result = std::regex_replace(result, blanks, "");
    return std::regex_replace(result, barriers, "");
}

// Calls each(show, text of the shape) for every combination of the goal's values; stops at false.
template <typename Each>
bool for_shapes(const Goal& goal, const Show& show, std::size_t key, const std::string& text,
                const Each& each) {
    if (key == goal.shapes.size()) return each(show, text);
    for (const std::string& value : goal.shapes[key].second) {
        Show changed = show;
        set_key(changed, goal.shapes[key].first, value);
        const std::string longer = fmt::format("{}{}{} = {}", text, text.empty() ? "" : ", ",
                                               goal.shapes[key].first, value);
        if (!for_shapes(goal, changed, key + 1, longer, each)) return false;
    }
    return true;
}

}  // namespace

Feedback judge_edit(const Page& page, const std::string& text, Runs& runs) {
    Feedback feedback;
    const Ask& ask = *page.ask;
    Show start = page.show;
    start.kernel = ask.start;
    start.text.reset();
    const std::string original = text_of(start, runs.library());
    if (ask.only_barriers && without_barriers(text) != without_barriers(original)) {
        feedback.message = {"learn.wrong.only_barriers", {}, {}};
        return feedback;
    }
    // The header says what is right and which shapes are legal: it is not the student's to change.
    const std::string_view header = header_of(original);
    start.text = std::string(header) + text.substr(header_of(text).size());
    feedback.right = true;
    for (const Goal& goal : ask.goals) {
        bool met = false;
        try {
            met = for_shapes(goal, start, 0, "", [&](const Show& show, const std::string& shape) {
                Facts& facts = runs.facts(show);
                const auto& fault = facts.plain_run().fault;
                if (fault && goal.text != "faults" && feedback.right) {
                    feedback.problem = fault;
                    feedback.message = {"learn.wrong.fault", {{"shape", shape}}, {}};
                }
                if (goal.condition(show, runs) != 0) return true;
                if (feedback.message.key.empty())
                    feedback.message = {
                        shape.empty() ? "learn.wrong.goal" : "learn.wrong.goal_shape",
                        {{"goal", goal.condition.text()}, {"shape", shape}},
                        {}};
                return false;
            });
        } catch (const Problem& problem) {
            if (!feedback.problem) feedback.problem = problem;
        }
        feedback.goals.push_back(met);
        if (!met) {
            feedback.right = false;
            return feedback;  // the next goals may take long for a kernel that is wrong anyway
        }
    }
    feedback.problem.reset();
    feedback.message = {};
    return feedback;
}

}  // namespace lab::lessons
