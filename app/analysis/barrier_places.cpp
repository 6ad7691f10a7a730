#include "analysis/barrier_places.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include <fmt/format.h>

#include "base/ranges.h"
#include "lang/compile.h"
#include "lang/lexer.h"

namespace lab::analysis {
namespace {

// Instructions that take as long; a hang is looked into.
constexpr std::uint64_t kStepsOfACompilation = 10'000, kStepsOfAHang = 200'000;

// Lines of the text that the kernel has code of.
std::pair<std::uint32_t, std::uint32_t> lines_with_code(const lang::Code& code) {
    std::uint32_t first = UINT32_MAX, last = 0;
    for (const lang::Instruction& each : code.instructions)
        if (const lang::Place& place = code.place(each);
            place.file == lang::kTextFile && place.line > 0) {
            first = std::min(first, place.line);
            last = std::max(last, place.line);
        }
    return {first, last};
}

// How good a place for a barrier is, the best one first: outside conditions, between the two lines
// and there in the fewest loops, else behind both, as at the end of a turn, else before them.
auto rank_of(const StatementStart& start, std::uint32_t low, std::uint32_t high) {
    const std::uint32_t line = start.place.line;
    const int side = line <= low ? 2 : line > high ? 1 : 0;
    const std::uint32_t away = side == 2 ? low - line : side == 1 ? line - high : high - line;
    return std::tuple(start.conditions, side, side == 0 ? start.loops : 0, away);
}

bool same_lines(const Hazard& a, const Hazard& b) {
    const auto lines = [](const Hazard& of) {
        return std::minmax(of.sides.front().line, of.sides.back().line);
    };
    return a.across_groups == b.across_groups && a.launch == b.launch &&
           a.sides.front().file == b.sides.front().file && lines(a) == lines(b);
}

}  // namespace

std::vector<StatementStart> statement_starts(const lang::Code& code) {
    std::deque<std::string> spliced;
    lang::Diagnostics reported;  // when it was compiled
    const auto [first, end] = lines_with_code(code);
    std::vector<StatementStart> starts;
    std::vector<StatementStart> blocks(1);  // what is around their statements, outermost first
    StatementStart next;                    // the same of a block that may begin
    int depth = 0;                          // parentheses
    bool directive = false;
    std::string_view last = ";";
    for (const lang::Token& token : lex(code.sources, lang::kTextFile, spliced, reported)) {
        if (token.line_start) directive = token.is("#");
        if (directive || token.kind == lang::Token::Kind::end) continue;
        const bool begins = depth == 0 && (last == ";" || last == "{" || last == "}");
        const bool part =
            token.is("else") || token.is("case") || token.is("default") || token.is("{");
        if (begins) next = blocks.back();
        if (begins && token.line_start && !part && token.place.line > first) {
            starts.push_back(next);
            starts.back().place = token.place;
            if (token.place.line > end) break;
        }
        const bool loop = token.is("for") || token.is("while") || token.is("do");
        next.loops += loop ? 1 : 0;
        next.conditions += token.is("if") || token.is("else") || token.is("switch") ? 1 : 0;
        if (token.is("{")) blocks.push_back(next);
        if (token.is("}") && blocks.size() > 1) blocks.pop_back();
        depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
        last = token.text;
    }
    return starts;
}

std::string with_call(const lang::Code& code, const std::vector<lang::Place>& places,
                      const std::string& call) {
    const lang::Source& source = code.sources[lang::kTextFile];
    std::string text(source.text);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const char* at = lang::line_of(source, place->line).data() + place->column - 1;
        text.insert(static_cast<std::size_t>(at - source.text.data()), call + "; ");
    }
    return text;
}

catalogue::CompiledKernel compiled_with(const catalogue::Kernel& kernel,
                                        const catalogue::Shape& shape, const std::string& text) {
    catalogue::Kernel changed = kernel;
    changed.text = text;
    if (changed.plan.form) changed.plan.form->text = text;
    try {
        return compile(changed, shape);
    } catch (const Problem&) {  // no statement may stand there
        return nullptr;
    }
}

BarrierPlaces::BarrierPlaces(std::vector<Hazard>& hazards, const RunSpec& spec,
                             std::uint64_t most_steps)
    : hazards_(hazards), kernel_(spec.kernel), shape_(spec.shape), most_steps_(most_steps) {
    if (none_of(hazards, [](const Hazard& each) { return !each.barrier.empty(); })) {
        hazard_ = hazards.size();
        return;
    }
    job_ = job_of(spec);
    schedules_ = schedules_to_try(job_, spec.machine.order);
    // Turns are those of the text as it is.
    std::erase_if(schedules_, [](const TriedSchedule& each) {
        return each.order.kind == machine::SchedulingPolicy::Kind::list;
    });
    starts_ = statement_starts(*job_.launches.front().code);
    job_.budget = most_steps / schedules_.size();
}

bool BarrierPlaces::go_on(std::uint64_t steps) {
    part_ = std::min(most_steps_, steps_ + std::min(steps, most_steps_));
    while (hazard_ < hazards_.size() && steps_ < part_)
        step();
    return hazard_ < hazards_.size() && steps_ < most_steps_;
}

void BarrierPlaces::step() {
    if (!begun_) return begin();
    if (next_ < ranked_.size()) {
        const Chosen tried = with(ranked_[next_]);
        const auto left = pairs_left(tried);
        if (!left) return;
        if (*left == 0) {
            put(tried);
            return end();
        }
        if (*left < best_left_) {
            best_left_ = *left;
            best_ = ranked_[next_];
        }
        ++next_;
        return;
    }
    // None cures it alone: that which helps most may do so together with another.
    if (!chosen_.empty() || best_left_ >= left_) return end();
    chosen_.push_back(best_);
    next_ = 0;
}

void BarrierPlaces::begin() {
    const Hazard& hazard = hazards_[hazard_];
    if (hazard.barrier.empty()) return end();
    Trial& as_it_is = trial({});
    for (first_ = 0; first_ < schedules_.size(); ++first_) {
        const Result* result = result_of(as_it_is, first_);
        if (result == nullptr) return;
        left_ = best_left_ = pairs_in(*result);
        if (left_ > 0 && !result->fault) break;
    }
    if (first_ == schedules_.size()) return end();
    const auto [low, high] = std::minmax(hazard.sides.front().line, hazard.sides.back().line);
    ranked_.resize(starts_.size());
    for (std::size_t i = 0; i < starts_.size(); ++i)
        ranked_[i] = i;
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [this, l = low, h = high](std::size_t a, std::size_t b) {
                         return rank_of(starts_[a], l, h) < rank_of(starts_[b], l, h);
                     });
    chosen_.clear();
    next_ = 0;
    begun_ = true;
}

void BarrierPlaces::end() {
    ++hazard_;
    begun_ = false;
}

BarrierPlaces::Chosen BarrierPlaces::with(std::size_t start) const {
    Chosen all = chosen_;
    all.insert(std::upper_bound(all.begin(), all.end(), start), start);
    return all;
}

BarrierPlaces::Trial& BarrierPlaces::trial(const Chosen& chosen) {
    const std::string& call = hazards_[hazard_].barrier;
    const auto [at, news] = trials_.try_emplace({chosen.empty() ? std::string() : call, chosen});
    if (!news) return at->second;
    std::vector<lang::Place> places;
    for (const std::size_t each : chosen)
        places.push_back(starts_[each].place);
    at->second.code =
        compiled_with(kernel_, shape_, with_call(*job_.launches.front().code, places, call));
    at->second.results.resize(schedules_.size());
    steps_ += kStepsOfACompilation;
    return at->second;
}

const BarrierPlaces::Result* BarrierPlaces::result_of(Trial& of, std::size_t schedule) {
    std::optional<Result>& result = of.results[schedule];
    if (result) return &*result;
    if (steps_ >= part_) return nullptr;
    machine::Job job = job_;
    if (schedules_[schedule].independent) job.config.lanes = 1;
    for (machine::Launch& each : job.launches)
        each.code = of.code;
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    recording.observers.push_back(&detector);
    const machine::Run run(std::move(job), schedules_[schedule].order, recording);
    steps_ += run.end().steps + kPerCompared * detector.compared();
    using Kind = machine::Fault::Kind;
    if (run.fault() && (run.fault()->kind == Kind::budget || run.fault()->kind == Kind::deadlock))
        steps_ += kStepsOfAHang;
    result = {run.fault().has_value(), hazards_of(run, detector)};
    return &*result;
}

std::uint64_t BarrierPlaces::pairs_in(const Result& result) const {
    std::uint64_t pairs = 0;
    for (const Hazard& each : result.hazards)
        if (each.severity == Hazard::Severity::race && same_lines(each, hazards_[hazard_]))
            pairs += each.count;
    return pairs;
}

// Of the race at hand, in the first schedule that has any; too many where no statement may stand,
// or not all work-items come to it. Empty: the part is done before that is known.
std::optional<std::uint64_t> BarrierPlaces::pairs_left(const Chosen& chosen) {
    Trial& with_it = trial(chosen);
    if (!with_it.code) return UINT64_MAX;
    for (std::size_t i = 0; i <= schedules_.size(); ++i) {
        const std::size_t schedule = i == 0 ? first_ : i - 1;
        const Result* now = result_of(with_it, schedule);
        const Result* before = now != nullptr ? result_of(trial({}), schedule) : nullptr;
        if (before == nullptr) return std::nullopt;
        if (now->fault && !before->fault) return UINT64_MAX;
        if (const std::uint64_t pairs = pairs_in(*now); pairs > 0) return pairs;
    }
    return 0;
}

void BarrierPlaces::put(const Chosen& chosen) {
    Hazard& hazard = hazards_[hazard_];
    const std::uint32_t line = starts_[chosen.front()].place.line;
    const std::uint32_t other = starts_[chosen.back()].place.line;
    const bool either = any_of(
        hazard.sides, [](const HazardSide& side) { return side.does.ends_with("atomically"); });
    if (either && chosen.size() == 1)
        hazard.hint += fmt::format("; or put {} before line {}", hazard.barrier, line);
    else if (either)
        hazard.hint +=
            fmt::format("; or put {} before lines {} and {}", hazard.barrier, line, other);
    else if (chosen.size() == 1)
        hazard.hint = fmt::format(
            "Put {} before line {}: all work-items of the group must reach it, as they do here",
            hazard.barrier, line);
    else
        hazard.hint = fmt::format(
            "Put {} before lines {} and {}: all work-items of the group must reach both, as they "
            "do here",
            hazard.barrier, line, other);
}

void place_barriers(std::vector<Hazard>& hazards, const RunSpec& spec,
                    const std::atomic<bool>* cancel) {
    BarrierPlaces places(hazards, spec, 20 * BarrierPlaces::kMostSteps);
    while ((cancel == nullptr || !cancel->load()) && places.go_on(BarrierPlaces::kMostSteps)) {
    }
}

}  // namespace lab::analysis
