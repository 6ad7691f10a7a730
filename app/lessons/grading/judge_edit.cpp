// Judges an edited kernel: each goal for each of its shapes. What a student writes may be wrong in
// any way, and costs a bounded time: runs end with their budget, searches with their states.
#include <fmt/format.h>

#include <algorithm>
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

// Every combination of the goal's values from `key` on, with its text, "n = 8, group = 4"; the
// first one last.
void add_shapes(std::vector<std::pair<Show, std::string>>& shapes, const Goal& goal,
                const Show& show, std::size_t key = 0, const std::string& text = {}) {
    if (key == goal.shapes.size()) {
        shapes.emplace_back(show, text);
        return;
    }
    const auto& [name, values] = goal.shapes[key];
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
        Show changed = show;
        set_key(changed, name, *value);
        add_shapes(shapes, goal, changed, key + 1,
                   fmt::format("{}{}{} = {}", text, text.empty() ? "" : ", ", name, *value));
    }
}

// What can come out is judged with independent items, which is all that OpenCL promises, unless the
// goal says how many lanes keep step, or the text asks for sub-groups.
bool is_of_independent_items(const Goal& goal, const std::string& text) {
    static const std::regex results(R"(\b(wrong_)?results\b)");
    return std::regex_search(goal.condition.text(), results) &&
           text.find("sub_group") == std::string::npos &&
           std::none_of(goal.shapes.begin(), goal.shapes.end(),
                        [](const auto& shape) { return shape.first == "lanes"; });
}

}  // namespace

EditInParts::EditInParts(const Page& page, const Question& question, const Answer& answer,
                         Runs& runs)
    : page_(page), question_(question), answer_(answer), runs_(runs) {
    const std::string text = answer.texts.empty() ? std::string() : answer.texts.front();
    const Ask& ask = *page.ask;
    Show start = page.show;
    start.kernel = ask.start;
    start.text.reset();
    const std::string original = text_of(start, runs.library());
    if (ask.only_barriers && without_barriers(text) != without_barriers(original)) {
        feedback_.message = {"learn.wrong.only_barriers", {}, {}};
        return;
    }
    // The header says what is right and which shapes are legal: it is not the student's to change.
    const std::string_view header = header_of(original);
    start.text = std::string(header) + text.substr(header_of(text).size());
    feedback_.right = true;
    for (const Goal& goal : ask.goals) {
        Show judged = start;
        if (is_of_independent_items(goal, *start.text)) judged.lanes = 1;
        add_shapes(shapes_.emplace_back(), goal, judged);
    }
}

std::optional<Feedback> EditInParts::go_on() {
    if (!feedback_.right || feedback_.goals.size() == shapes_.size()) return ended();
    const std::size_t number = feedback_.goals.size();
    auto& left = shapes_[number];
    bool met = true;
    if (!left.empty()) {
        const auto [show, shape] = std::move(left.back());
        left.pop_back();
        try {
            met = is_met(page_.ask->goals[number], show, shape);
        } catch (const Problem& problem) {
            if (!feedback_.problem) feedback_.problem = problem;
            met = false;
        }
    }
    if (met && !left.empty()) return std::nullopt;
    feedback_.goals.push_back(met);
    // The next goals may take long for a kernel that is wrong anyway.
    feedback_.right = met;
    return std::nullopt;
}

bool EditInParts::is_met(const Goal& goal, const Show& show, const std::string& shape) {
    const auto& fault = runs_.facts(show).plain_run().fault;
    if (fault && goal.text != "faults") {
        feedback_.problem = fault;
        feedback_.message = {"learn.wrong.fault", {{"shape", shape}}, {}};
    }
    if (goal.condition(show, runs_) != 0) return true;
    if (feedback_.message.key.empty())
        feedback_.message = {shape.empty() ? "learn.wrong.goal" : "learn.wrong.goal_shape",
                             {{"goal", goal.condition.text()}, {"shape", shape}},
                             {}};
    return false;
}

Feedback EditInParts::ended() {
    if (feedback_.right) {
        feedback_.problem.reset();
        feedback_.message = {};
    }
    return with_reply(std::move(feedback_), page_, question_, answer_, runs_);
}

}  // namespace lab::lessons
