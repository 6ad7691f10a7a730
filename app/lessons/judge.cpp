// Judges an answer against the question that was worked out.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <regex>

#include <fmt/format.h>

#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/kernel.h"
#include "lang/compile.h"
#include "lessons/question.h"

namespace lab::lessons {
namespace {

constexpr const char* kWaits = "learn.wrong.schedule_waits";
constexpr const char* kBreaksOff = "learn.wrong.schedule_fault";
constexpr std::array kFaultFacts{"faults", "outside", "missed_barrier", "hangs"};

// Whether one of the readings of what was typed is the field's number.
bool fits(const std::string& text, const Field& field) {
    const std::vector<double> readings = typed_numbers(text);
    return any_of(readings, [&](double value) { return lessons::fits(value, field); });
}

// Of a run's result, which is one number.
bool is_number(const std::string& text, double number) {
    char* end = nullptr;
    return std::strtod(text.c_str(), &end) == number && end != text.c_str() && *end == 0;
}

void judge_fields(const Question& question, const Answer& answer, Feedback& feedback) {
    feedback.right = answer.texts.size() == question.fields.size();
    for (std::size_t i = 0; i < question.fields.size(); ++i) {
        const bool right = i < answer.texts.size() && fits(answer.texts[i], question.fields[i]);
        feedback.right_fields.push_back(right);
        feedback.right = feedback.right && right;
    }
}

void judge_picks(const Question& question, const Answer& answer, Feedback& feedback) {
    const std::set<std::uint64_t>& right = question.picks;
    const std::set<std::uint64_t> given(answer.picks.begin(), answer.picks.end());
    std::set_difference(given.begin(), given.end(), right.begin(), right.end(),
                        std::inserter(feedback.wrong, feedback.wrong.end()));
    std::set_difference(right.begin(), right.end(), given.begin(), given.end(),
                        std::inserter(feedback.missing, feedback.missing.end()));
    const bool enough = question.several ? feedback.missing.empty() : !given.empty();
    feedback.right = feedback.wrong.empty() && enough;
    if (feedback.right) feedback.missing.clear();
}

// The first that is out of place is wrong.
void judge_order(const Question& question, const Answer& answer, Feedback& feedback) {
    const auto text = [&](std::uint64_t pick) {
        return pick < question.options.size() ? question.options[pick].text : std::string();
    };
    feedback.right = answer.picks.size() == question.order.size();
    for (std::size_t i = 0; i < answer.picks.size() && feedback.wrong.empty(); ++i)
        if (i >= question.order.size() || text(answer.picks[i]) != text(question.order[i]))
            feedback.wrong.insert(answer.picks[i]);
    feedback.right = feedback.right && feedback.wrong.empty();
}

bool names_value(const Reply& reply, const Page& page, const Question& question,
                 const Answer& answer, Runs& runs) {
    const double value = reply.expression(page.show, runs);
    // As exact as the answer itself has to be.
    const Field wanted = field_of(value, page.ask->within, text_of(value));
    // An expected mistake in one field is none in a field where that number is right.
    for (std::size_t i = 0; i < answer.texts.size(); ++i)
        if (fits(answer.texts[i], wanted) &&
            (i >= question.fields.size() || !fits(answer.texts[i], question.fields[i])))
            return true;
    const bool options = !question.options.empty();
    return any_of(answer.picks, [&](std::uint64_t pick) {
        if (!options) return static_cast<double>(pick) == value;
        return pick < question.options.size() && fits(question.options[pick].text, wanted);
    });
}

bool reply_fits(const Reply& reply, const Page& page, const Question& question,
                const Answer& answer, const Feedback& feedback, Runs& runs) {
    const bool subset = feedback.wrong.empty(), superset = feedback.missing.empty();
    // Of a kernel that does not run, only what is about how it breaks off is true.
    if (feedback.problem && (reply.kind != Reply::Kind::run || none_of(kFaultFacts, [&](auto fact) {
                                 return reply.expression.text().find(fact) != std::string::npos;
                             })))
        return false;
    switch (reply.kind) {
        case Reply::Kind::any:
            return true;
        case Reply::Kind::value:
            if (question.kind == Kind::schedule)
                return feedback.result &&
                       is_number(*feedback.result, reply.expression(page.show, runs));
            return names_value(reply, page, question, answer, runs);
        case Reply::Kind::option:
            return feedback.wrong.contains(reply.number - 1);
        case Reply::Kind::missing:
            return feedback.missing.contains(reply.number - 1);
        case Reply::Kind::subset:
            return subset && !superset;
        case Reply::Kind::superset:
            return superset && !subset;
        case Reply::Kind::some:
            return !subset && !superset;
        case Reply::Kind::all:
            return answer.picks.size() == question.options.size();
        case Reply::Kind::uses: {
            const std::string text = answer.texts.empty() ? "" : answer.texts.front();
            return text.find(reply.word, header_of(text).size()) != std::string::npos;
        }
        case Reply::Kind::goal:
            return reply.number <= feedback.goals.size() &&
                   position_of(feedback.goals, false) + 1 == reply.number;
        case Reply::Kind::run: {
            try {
                return reply.expression(
                           feedback.failed ? *feedback.failed : answered_show(page, answer),
                           runs) != 0;
            } catch (const Problem&) {
                return false;  // the student's kernel does not run
            }
        }
    }
    return false;
}

// Without an answer of the page's own: what the run shows at the first difference.
Phrase what_the_run_shows(const Question& question, const Answer& answer,
                          const Feedback& feedback) {
    const auto text = [](std::uint64_t number) { return fmt::format("{}", number); };
    for (std::size_t i = 0; i < feedback.right_fields.size(); ++i) {
        if (feedback.right_fields[i]) continue;
        const Field& field = question.fields[i];
        const std::string given = i < answer.texts.size() ? answer.texts[i] : "";
        if (field.cell)
            return {"learn.wrong.cell", {{"cell", text(*field.cell)}, {"given", given}}, {}};
        return {"learn.wrong.number", {{"given", given}}, {}};
    }
    const bool fewer = feedback.wrong.empty() && !feedback.missing.empty();
    const QuestionType& type = type_of(question.kind);
    if (fewer && *type.fewer != 0) return {type.fewer, {}, {}};
    if (*type.wrong == 0 || feedback.wrong.empty()) return {};
    const std::uint64_t pick = *feedback.wrong.begin();
    if (question.options.empty()) return {type.wrong, {{type.named, text(pick)}}, {}};
    // A pick that was never offered, as a damaged file may hold, has no text.
    if (pick >= question.options.size()) return {};
    return {type.wrong, {{type.named, question.options[pick].text}}, {}};
}

// It was stopped, and may have gone on to an end.
bool is_unfinished(const analysis::MachineRun& made) {
    return made.run != nullptr && made.run->fault() &&
           (made.run->fault()->kind == machine::Fault::Kind::budget ||
            made.run->fault()->kind == machine::Fault::Kind::recording);
}

Show scheduled(const Page& page, const std::string& turns) {
    Show show = page.show;
    show.machine.order = std::string(machine::kTurnsPrefix) + turns;
    return show;
}

std::vector<machine::ScheduleSlice> turns_of_run(const Show& show, Runs& runs) {
    const machine::Run* run = runs.facts(show).run().run;
    return run == nullptr ? std::vector<machine::ScheduleSlice>() : machine::turns_of(run->trace());
}

std::vector<machine::ScheduleSlice> first_turns(const std::vector<machine::ScheduleSlice>& turns,
                                                std::uint64_t count) {
    std::vector<machine::ScheduleSlice> first;
    for (const machine::ScheduleSlice& turn : turns) {
        if (count == 0) break;
        first.push_back(turn);
        first.back().count = std::min(turn.count, count);
        count -= first.back().count;
    }
    return first;
}

// How many actions somebody had to choose for this run: without further choice what is left goes in
// order, or all of it in the page's order.
std::uint64_t chosen_actions(const Page& page, const std::string& text, Runs& runs) {
    const std::vector<machine::ScheduleSlice> turns = machine::parse_turns(text, "turns");
    const std::vector<machine::ScheduleSlice> whole = turns_of_run(scheduled(page, text), runs);
    if (turns_of_run(page.show, runs) == whole) return 0;
    std::uint64_t most = sum_of(turns, &machine::ScheduleSlice::count), least = 0;
    while (least < most) {  // what so many bring about, more do as well
        const std::uint64_t count = (least + most) / 2;
        if (turns_of_run(scheduled(page, machine::text_of(first_turns(turns, count))), runs) ==
            whole)
            most = count;
        else
            least = count + 1;
    }
    return least;
}

Feedback judge_measured(const Page& page, const Question& question, const Answer& answer,
                        const Measured* measured) {
    Feedback feedback;
    const Ask& ask = *page.ask;
    if (measured == nullptr) {
        feedback.message = {"learn.not_measured", {}, {}};
        return feedback;
    }
    if (ask.predict == Predict::share) {
        const double share = measured->runs == 0 ? 0
                                                 : static_cast<double>(measured->right) /
                                                       static_cast<double>(measured->runs);
        const std::size_t right = share >= 1 ? 0 : share >= 0.9 ? 1 : share >= 0.01 ? 2 : 3;
        feedback.right = !answer.picks.empty() && answer.picks.front() == right;
        feedback.message = {"learn.measured.share",
                            {{"right", fmt::format("{}", measured->right)},
                             {"runs", fmt::format("{}", measured->runs)}},
                            {}};
        return feedback;
    }
    const auto seconds = [&](const std::string& kernel) {
        const auto found = measured->seconds.find(kernel);
        return found == measured->seconds.end() ? 0.0 : found->second;
    };
    if (ask.predict == Predict::ratio) {
        const double last = seconds(ask.kernels.back());
        const double ratio = last > 0 ? seconds(ask.kernels.front()) / last : 0;
        const std::vector<double> given =
            answer.texts.empty() ? std::vector<double>() : typed_numbers(answer.texts.front());
        feedback.right = any_of(given, [&](double value) {
            return value > 0 && ratio > 0 && std::max(value / ratio, ratio / value) <= ask.band;
        });
        feedback.message = {"learn.measured.ratio", {{"ratio", fmt::format("{:.2f}", ratio)}}, {}};
        return feedback;
    }
    // An order is right if no kernel stands before one that is faster by more than the band.
    std::vector<std::string> given = answer.texts;  // former versions kept the kernels' names
    for (const std::uint64_t pick : answer.picks)
        if (pick < question.options.size()) given.push_back(question.options[pick].text);
    feedback.right = given.size() == ask.kernels.size();
    for (std::size_t i = 0; i + 1 < given.size(); ++i)
        for (std::size_t k = i + 1; k < given.size(); ++k)
            if (seconds(given[i]) > ask.band * seconds(given[k])) feedback.right = false;
    std::vector<std::string> order = ask.kernels;
    sort(order,
         [&](const std::string& a, const std::string& b) { return seconds(a) < seconds(b); });
    feedback.message = {
        "learn.measured.order", {{"order", fmt::format("{}", fmt::join(order, ", "))}}, {}};
    return feedback;
}

}  // namespace

Show answered_show(const Page& page, const Answer& answer) {
    Show show = page.show;
    if (!page.ask || answer.texts.empty()) return show;
    if (page.ask->kind == Kind::edit) {
        show.variant = page.ask->start;
        show.text = answer.texts.front();
    }
    if (page.ask->kind == Kind::schedule) return scheduled(page, answer.texts.front());
    if (page.ask->kind == Kind::input)
        if (const std::string row = typed_row(answer.texts.front()); !row.empty())
            set_key(show, "input", row);
    return show;
}

std::optional<Feedback> unreadable(const Question& question, const Answer& answer) {
    for (std::size_t i = 0; i < question.fields.size(); ++i) {
        const std::string text = i < answer.texts.size() ? answer.texts[i] : "";
        if (question.kind == Kind::input ? !typed_row(text).empty() : !typed_numbers(text).empty())
            continue;
        Feedback feedback;
        feedback.no_try = true;
        feedback.wrong = {i};
        feedback.message = {"learn.wrong.no_number", {{"text", text}}, {}};
        return feedback;
    }
    return std::nullopt;
}

// Whether the goals hold of the run with the student's numbers.
static Feedback judge_input(const Page& page, const Answer& answer, Runs& runs) {
    Feedback feedback;
    feedback.right = true;
    try {
        const Show show = answered_show(page, answer);
        for (const Goal& goal : page.ask->goals) {
            feedback.goals.push_back(goal.condition(show, runs) != 0);
            if (feedback.right && !feedback.goals.back())
                feedback.message = {"learn.wrong.goal", {{"goal", goal.condition.text()}}, {}};
            feedback.right = feedback.right && feedback.goals.back();
        }
    } catch (const Problem& problem) {
        feedback.problem = problem;  // the kernel takes no such row
        feedback.right = false;
    }
    feedback.right_fields = {feedback.right};
    return feedback;
}

Feedback judge(const Page& page, const Question& question, const Answer& answer, Runs& runs,
               const Measured* measured) {
    if (auto refused = unreadable(question, answer)) return std::move(*refused);
    Feedback feedback;
    const std::string text = answer.texts.empty() ? std::string() : answer.texts.front();
    if (question.kind == Kind::edit) {
        EditInParts parts(page, question, answer, runs);
        while (true)
            if (auto judged = parts.go_on()) return std::move(*judged);
    } else if (question.kind == Kind::schedule) {
        feedback = judge_schedule(page, text, runs);
        // What the page says is about a run that ends, or that cannot.
        if (feedback.message.key == kWaits || feedback.message.key == kBreaksOff) return feedback;
    } else if (question.kind == Kind::measure) {
        feedback = judge_measured(page, question, answer, measured);
        feedback.measured = measured != nullptr;
    } else if (!question.graded) {
        feedback.right = true;
    } else if (question.kind == Kind::input) {
        feedback = judge_input(page, answer, runs);
    } else if (!question.fields.empty()) {
        judge_fields(question, answer, feedback);
    } else if (question.picked == Picked::order) {
        judge_order(question, answer, feedback);
    } else {
        judge_picks(question, answer, feedback);
    }
    return with_reply(std::move(feedback), page, question, answer, runs);
}

// The mistake that gives what was answered; empty: none that is known.
static Phrase mistake_in(const Page& page, const Question& question, const Answer& answer,
                         const Feedback& feedback, Runs& runs) {
    if (!question.options.empty()) {
        for (const std::uint64_t pick : feedback.wrong)
            if (pick < question.options.size() && !question.options[pick].mistake.key.empty())
                return question.options[pick].mistake;
        return {};
    }
    Phrase found;
    if (question.kind != Kind::cells && question.kind != Kind::number) return found;
    for_each_mistake(page, runs.library(), [&](const Mistaken& mistaken) {
        for (std::size_t i = 0; i < feedback.right_fields.size() && found.key.empty(); ++i) {
            Field field = question.fields[i];
            if (feedback.right_fields[i] || lessons::fits(mistaken.values[i], field)) continue;
            field.value = mistaken.values[i];
            if (!fits(answer.texts[i], field)) continue;
            found = mistaken.words;
            found.arguments["given"] = answer.texts[i];
        }
        return found.key.empty();
    });
    return found;
}

Feedback with_reply(Feedback feedback, const Page& page, const Question& question,
                    const Answer& answer, Runs& runs) {
    if (feedback.right) return feedback;
    for (std::size_t i = 0; i < page.replies.size() && !feedback.reply; ++i)
        if (reply_fits(page.replies[i], page, question, answer, feedback, runs)) feedback.reply = i;
    if (feedback.problem || !feedback.message.key.empty()) return feedback;
    // What the page says to just this number says more.
    const bool expected =
        feedback.reply && page.replies[*feedback.reply].kind == Reply::Kind::value;
    if (!expected) feedback.message = mistake_in(page, question, answer, feedback, runs);
    feedback.names_mistake = !feedback.message.key.empty();
    if (!feedback.reply && !feedback.names_mistake)
        feedback.message = what_the_run_shows(question, answer, feedback);
    return feedback;
}

std::optional<Turns> fewest_turns(const Page& page, Runs& runs) {
    constexpr std::uint64_t kMost = 30;  // actions of a lone turn that is tried; no more are
    const auto solves = [&](const Turns& turns) {
        return judge_schedule(page, in_a_line(turns), runs).right;
    };
    if (solves({})) return Turns();
    // A copy: of many runs the oldest are forgotten.
    const std::vector<analysis::PossibleResult> all =
        runs.facts(page.show).shortest_outcomes().results;
    const auto* found = find_if(all, [&](const auto& each) { return solves(each.turns); });
    if (found == nullptr) return {};
    if (found->shortest && page.ask->until != "hang") return found->turns;
    // Where items wait, the search may not know the shortest turns.
    std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
    for (const Turns& turns : {found->turns, turns_of_run(page.show, runs)})
        for (const machine::ScheduleSlice& turn : turns)
            warps.emplace(turn.group, turn.warp);
    for (std::uint64_t count = 1; count <= kMost; ++count)
        for (const auto& [group, warp] : warps)
            if (const Turns one{{group, warp, count, 0}}; solves(one)) return one;
    return found->turns.size() == 2 ? std::optional(found->turns) : std::nullopt;
}

Feedback judge_schedule(const Page& page, const std::string& turns, Runs& runs) {
    Feedback feedback;
    const Ask& ask = *page.ask;
    try {
        Facts& facts = runs.facts(scheduled(page, turns));
        const bool right = facts.table().right, ended = !facts.plain_run().fault;
        const std::string result = facts.result();
        const machine::Run* run = facts.plain_run().run;
        // Who waits for one that only was not let act is not stuck.
        const bool stuck = !ended && run != nullptr && run->fault() &&
                           run->fault()->kind == machine::Fault::Kind::deadlock;
        if (ended) feedback.result = result;
        if (ask.until == "wrong") feedback.right = ended && !right;
        if (ask.until == "right") feedback.right = ended && right;
        if (ask.until == "hang") feedback.right = stuck;
        if (ask.until == "result")
            feedback.right = ended && is_number(result, ask.values.front()(page.show, runs));
        if (!feedback.right)
            feedback.message = ended   ? Phrase{"learn.wrong.schedule", {{"result", result}}, {}}
                               : stuck ? Phrase{"learn.wrong.schedule_stuck", {}, {}}
                               : is_unfinished(facts.plain_run()) ? Phrase{kWaits, {}, {}}
                                                                  : Phrase{kBreaksOff, {}, {}};
    } catch (const Problem& problem) {
        feedback.problem = problem;
        return feedback;
    }
    if (!feedback.right || (ask.limit.empty() && ask.par == 0)) return feedback;
    const std::uint64_t chosen = chosen_actions(page, turns, runs);
    if (ask.par > 0)
        feedback.message = {
            "learn.turns",
            {{"turns",
              fmt::format("{}", first_turns(machine::parse_turns(turns, "turns"), chosen).size())},
             {"par", fmt::format("{}", ask.par)}},
            {}};
    if (!ask.limit.empty()) {
        const double most = ask.limit(page.show, runs);
        if (static_cast<double>(chosen) > most) {
            feedback.right = false;
            feedback.message = {"learn.wrong.too_many_actions",
                                {{"count", fmt::format("{}", chosen)}, {"most", text_of(most)}},
                                {}};
        }
    }
    return feedback;
}

// Judges an edited kernel: each goal for each of its shapes. What a student writes may be wrong in
// any way, and costs a bounded time: runs end with their budget, searches with their states.
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
    shape.n = count_of_input(show);
    if (*shape.n == 0) return;
    const bool plain = shape.op != catalogue::Op::product && shape.input.kind != InputKind::bits &&
                       *shape.n <= analysis::kMostSteppedElements;
    if (!plain) {
        const bool bits = shape.input.kind == InputKind::bits;
        shape.input = catalogue::parse_input(fmt::format("{}:{}", bits ? "bits" : "random", seed));
        return;
    }
    const auto greatest = std::max<std::int64_t>(99, 2 * static_cast<std::int64_t>(*shape.n));
    set_key(show, "input", shuffled(*shape.n, {1, greatest}, seed));
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
    start.variant = ask.start;
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
        if (any_of(goal.shapes, [](const auto& shape) { return shape.first == "input"; })) continue;
        for (auto& [show, shape] : shapes_.back())
            renew_input(show, seed++);
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
        const analysis::RunSpec spec = spec_of(show, runs_.library());
        if (spec.kernel.by_form()) return;
        const lang::Compiled compiled =
            lang::compile(text_of(spec.kernel, spec.shape), spec.kernel.entry);
        for (const lang::Diagnostic& each : compiled.diagnostics.all()) {
            if (each.severity != lang::Diagnostic::Severity::error) continue;
            const bool here = each.place.file == lang::kTextFile;
            feedback_.errors.push_back({catalogue::TextMark::Kind::error,
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
    const bool right = goal.condition.text().find("is_right") != std::string::npos;
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
