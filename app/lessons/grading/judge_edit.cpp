// Judges an edited kernel: each goal for each of its shapes. What a student writes may be wrong in
// any way, and costs a bounded time: runs end with their budget, searches with their states.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <regex>

#include "base/text.h"
#include "lang/text/compile.h"
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

// Numbers that no kernel can know: different ones, so that one which is lost or taken twice shows,
// and whole ones, which every type holds. Products and bits are harder in their own way.
void renew_input(Show& show, std::uint64_t seed) {
    catalogue::Shape& shape = show.shape;
    using InputKind = catalogue::Input::Kind;
    if (!shape.n)
        shape.n = shape.input.kind == InputKind::values ? split(shape.input.text, ',').size()
                                                        : std::size_t{8};
    if (*shape.n == 0) return;
    const bool plain = shape.op != catalogue::Op::product && shape.input.kind != InputKind::bits &&
                       *shape.n <= simulation::kMostSteppedElements;
    if (!plain) {
        const bool bits = shape.input.kind == InputKind::bits;
        shape.input = catalogue::parse_input(fmt::format("{}:{}", bits ? "bits" : "random", seed));
        return;
    }
    std::vector<std::uint64_t> all(std::max<std::uint64_t>(99, 2 * *shape.n));
    std::iota(all.begin(), all.end(), std::uint64_t{1});
    std::mt19937_64 random(seed);
    for (std::size_t i = all.size() - 1; i > 0; --i)  // std::shuffle differs between libraries
        std::swap(all[i], all[random() % (i + 1)]);
    all.resize(*shape.n);
    shape.input = catalogue::parse_input(fmt::format("{}", fmt::join(all, ",")));
}

// Every combination of the goal's values from `key` on, with its text, "n = 8, group = 4"; the
// first one last.
using Shapes = std::vector<std::pair<Show, std::string>>;
void add_shapes(Shapes& shapes, const Goal& goal, const Show& show, std::size_t key = 0,
                const std::string& text = {}) {
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

bool names_input(const Goal& goal) {
    return std::any_of(goal.shapes.begin(), goal.shapes.end(),
                       [](const auto& shape) { return shape.first == "input"; });
}

bool asks_for(const Goal& goal, std::string_view fact) {
    return goal.condition.text().find(fact) != std::string::npos;
}

}  // namespace

std::uint64_t fresh_seed() {
    std::random_device device;
    return device() % 1'000'000 + 1;
}

EditInParts::EditInParts(const Page& page, const Question& question, const Answer& answer,
                         Runs& runs, std::uint64_t seed)
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
        add_shapes(shapes_.emplace_back(), goal, start);
        for (auto& [show, shape] : shapes_.back())
            if (!names_input(goal)) renew_input(show, seed++);
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
            note_errors(show);
            met = false;
        }
        if (!met) feedback_.failed = show;
    }
    if (met && !left.empty()) return std::nullopt;
    feedback_.goals.push_back(met);
    // The next goals may take long for a kernel that is wrong anyway.
    feedback_.right = met;
    return std::nullopt;
}

// The errors of a text that does not compile, each at its place.
void EditInParts::note_errors(const Show& show) {
    try {
        const simulation::Subject subject = subject_of(show, runs_.library());
        if (!subject.variant) return;
        const catalogue::KernelText text = kernel_text(*subject.variant, subject.shape);
        const lang::Compiled compiled =
            lang::compile({text.file, text.text, text.macros}, subject.variant->entry);
        for (const lang::Diagnostic& each : compiled.diagnostics.all()) {
            if (each.severity != lang::Diagnostic::Severity::error) continue;
            const bool here = each.place.file == lang::kTextFile;
            feedback_.errors.push_back({simulation::TextMark::Kind::error,
                                        here ? each.place.line : 0, here ? each.place.column : 0,
                                        here ? each.place.length : 0, each.message, "", each.hint});
        }
    } catch (const Problem&) {
        // Its header is at fault, or its shape: there is nothing to point at.
    }
}

bool EditInParts::is_met(const Goal& goal, const Show& show, const std::string& shape) {
    Facts& facts = runs_.facts(show);
    const auto& fault = facts.plain_run().fault;
    bool met = false;
    try {
        met = goal.condition(show, runs_) != 0;
    } catch (const Problem&) {
        if (!fault) throw;  // else that is why it has no value
    }
    const bool right = asks_for(goal, "is_right");
    // A sum into which a number does not go is not one, whatever it comes to.
    const bool sums =
        show.shape.op == catalogue::Op::add || show.shape.op == catalogue::Op::product;
    const std::size_t missing = met && right && sums ? facts.account().missing.size() : 0;
    if (met && missing == 0) return true;
    if (fault) {
        feedback_.problem = fault;
        feedback_.message = {"learn.wrong.fault", {{"shape", shape}}, {}};
    } else if (missing > 0)
        feedback_.message = {
            "learn.wrong.left_out", {{"count", fmt::format("{}", missing)}, {"shape", shape}}, {}};
    else if (right && !facts.table().result.empty() &&
             facts.table().result != facts.table().expected)
        feedback_.message = {
            "learn.wrong.result_shape",
            {{"shape", shape}, {"result", facts.table().result}, {"right", facts.table().expected}},
            {}};
    else
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
