#include "analysis/size_map.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "analysis/hazards.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"

namespace lab::analysis {

const char* name_of(ShapeVerdict verdict) {
    return kShapeVerdicts[static_cast<std::size_t>(verdict)];
}

std::size_t place_of_word(const nlohmann::json& word, std::span<const char* const> words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (word.get_ref<const std::string&>() == words[i]) return i;
    throw nlohmann::json::other_error::create(501, "unknown word: " + word.dump(), &word);
}

LAB_JSON_SOME_FIELDS_OR_DEFAULT(ShapeJudgement, n, group, groups, what, line, other, result,
                                expected, results)

void to_json(nlohmann::json& json, const ShapeJudgement& judgement) {
    put_fields(json, judgement);
    for (auto field = json.begin(); field != json.end();)
        field = *field == 0 || *field == "" ? json.erase(field) : std::next(field);
    json["verdict"] = name_of(judgement.verdict);
}

void from_json(const nlohmann::json& json, ShapeJudgement& judgement) {
    get_fields(json, judgement);
    judgement.verdict =
        static_cast<ShapeVerdict>(place_of_word(json.at("verdict"), kShapeVerdicts));
}

namespace {

// Whether the order of two atomics can be seen: in what they return, or, unless all of them add or
// all choose the least and so on, in what they leave.
bool order_of_atomics_shows(const machine::Job& job) {
    using lang::Builtin;
    std::optional<Builtin> only;
    for (const machine::Launch& launch : job.launches) {
        if (atomics_tell(*launch.code)) return true;
        for (const lang::Instruction& each : launch.code->instructions) {
            if (each.op != lang::Op::atomic) continue;
            auto what = static_cast<Builtin>(each.extra);
            if (what == Builtin::atomic_sub || what == Builtin::atomic_inc ||
                what == Builtin::atomic_dec)
                what = Builtin::atomic_add;
            const bool commutes = what == Builtin::atomic_add ||
                                  (what >= Builtin::atomic_min && what <= Builtin::atomic_xor);
            if (!commutes || (only && *only != what)) return true;
            only = what;
        }
    }
    return false;
}

// Notes that there are no other results than these.
void note_all(ShapeJudgement& found, std::vector<std::string> results) {
    sort(results);
    found.all_results = std::hash<std::string>()(fmt::format("{}", fmt::join(results, "\n"))) | 1U;
}

// What every schedule comes to.
void settle(ShapeJudgement& found, const machine::Job& job, const Ending& ending) {
    found.verdict = !ending.right   ? ShapeVerdict::one_result
                    : *ending.right ? ShapeVerdict::right
                                    : ShapeVerdict::wrong;
    constexpr std::size_t kBytes = 160;  // bytes of a long result, which stands for all of it
    found.result = ending.result.size() <= kBytes
                       ? ending.result
                       : fmt::format("{}… ({:x})", ending.result.substr(0, kBytes),
                                     std::hash<std::string>()(ending.result));
    found.expected = expected_of(job);
    note_all(found, {ending.result});
}

bool note_race(ShapeJudgement& found, const machine::Run& run, const RaceDetector& detector) {
    const Race* race = find_if(detector.races(), [](const Race& each) { return !each.by_atomics; });
    if (race == nullptr) return false;
    const auto& places = run.machine().context(race->launch).code->places;
    found.line = places[race->example.first.place].line;
    found.other = places[race->example.second.place].line;
    found.verdict = ShapeVerdict::race;
    return true;
}

const Hazard* find_severity(const std::vector<Hazard>& hazards, Hazard::Severity severity) {
    return find_if(hazards, [&](const Hazard& each) { return each.severity == severity; });
}

bool note_race(ShapeJudgement& found, const std::vector<Hazard>& hazards) {
    const Hazard* race = find_severity(hazards, Hazard::Severity::race);
    if (race == nullptr) return false;
    found.verdict = ShapeVerdict::race;
    found.line = race->sides.front().line;
    found.other = race->sides.back().line;
    return true;
}

// A read of what nobody has written: what it finds, and what comes of it, is left to chance.
struct UnwrittenRead {
    std::string what;  // empty: there is none
    std::uint32_t line = 0;
};

// A race in another schedule that is tried, or such a read.
bool find_race(ShapeJudgement& found, UnwrittenRead& unwritten, const machine::Job& job,
               const machine::SchedulingPolicy& order, const JudgeEffort& effort) {
    HazardSearchOptions some;
    some.first_race = true;
    some.most_steps = effort.race_steps;
    some.cancel = effort.cancel;
    const HazardSearch races = search_hazards(job, order, some);
    if (const Hazard* read = find_severity(races.hazards, Hazard::Severity::uninitialised))
        unwritten = {read->what, read->sides.front().line};
    return note_race(found, races.hazards);
}

// What all schedules of its machine come to; or a race that one of them has, where it matters.
void search_machine(ShapeJudgement& found, const machine::Job& job, const JudgeEffort& effort,
                    bool race_matters) {
    OutcomesOptions options;
    options.most_effort = effort.search_effort;
    options.samples = 20;
    options.shortest = false;
    options.cancel = effort.cancel;
    const Outcomes all = outcomes_of(job, ending_of(job), options);
    if (race_matters && all.results.size() > 1)
        for (const ScheduleHazards& each :
             races_of_results(job, all.results, effort.cancel, effort.race_steps))
            if (note_race(found, each.hazards)) return;
    const auto first = [&](bool PossibleResult::*what) {
        return find_if(all.results, [&](const PossibleResult& each) { return each.*what; });
    };
    if (const PossibleResult* fault = first(&PossibleResult::fault)) {
        found.verdict = ShapeVerdict::fault;
        found.what = fault->ending.result;
    } else if (first(&PossibleResult::never_ends) != nullptr) {
        found.verdict = ShapeVerdict::never_ends;
    } else if (all.results.size() > 1) {
        found.verdict = ShapeVerdict::several;
        found.results = all.results.size();
        std::vector<std::string> results;
        for (const PossibleResult& each : all.results)
            results.push_back(each.ending.result);
        if (all.complete) note_all(found, std::move(results));
    } else if (all.complete && all.results.size() == 1) {
        settle(found, job, all.results.front().ending);
    }
}

ShapeJudgement described(const machine::Job& job) {
    ShapeJudgement found;
    found.n = job.n;
    found.group = job.group;
    if (job.launches.empty()) return found;
    found.groups = job.launches.front().range.groups();
    if (found.group == 0) found.group = job.launches.front().range.group_items();
    return found;
}

// The same, and what independent items come to: what the machine hides of it may happen, and so may
// change a verdict that is of all schedules.
void search(ShapeJudgement& found, const machine::Job& job, const JudgeEffort& effort,
            bool race_matters) {
    search_machine(found, job, effort, race_matters);
    using V = ShapeVerdict;
    const bool several = found.verdict == V::several;
    if (effort.machine_alone || found.verdict == V::unknown ||
        (is_bad(found.verdict) && found.verdict != V::wrong && !(several && effort.all_results)))
        return;
    const std::optional<machine::Job> independent = independent_job(job);
    if (!independent) return;
    ShapeJudgement other = described(job);
    try {
        search_machine(other, *independent, effort, race_matters);
    } catch (const Problem&) {  // all groups at once take more memory than there is
    }
    if (several && other.verdict == V::unknown)
        found.all_results = 0;
    else
        found = std::move(other);
}

// Shows some atomics to the detector as plain accesses, which order nothing.
class PlainAtomics : public machine::Observer {
  public:
    PlainAtomics(RaceDetector& detector, const std::set<std::uint32_t>& places)
        : detector_(detector), places_(places) {}

    void begin(const machine::Machine& machine) override { detector_.begin(machine); }
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override {
        machine::Action shown = action;
        const bool plain =
            action.kind == machine::ActionKind::atomic && places_.contains(action.place);
        if (plain) shown.kind = machine::ActionKind::store;
        for (const machine::Detail& each : details_)
            if (!plain) detector_.detail(each);
        details_.clear();
        detector_.observe(shown, accesses, continues);
    }
    void detail(const machine::Detail& detail) override {
        const bool of_atomic = detail.kind == machine::Detail::Kind::failed ||
                               detail.kind == machine::Detail::Kind::order;
        if (of_atomic)
            details_.push_back(detail);
        else
            detector_.detail(detail);
    }

  private:
    RaceDetector& detector_;
    const std::set<std::uint32_t>& places_;
    std::vector<machine::Detail> details_;  // of the next action
};

}  // namespace

ShapeJudgement judge_job(const machine::Job& job, const machine::SchedulingPolicy& order,
                         const JudgeEffort& effort) {
    ShapeJudgement found = described(job);
    if (job.launches.empty()) {
        const Simulation nothing = begun_simulation(job, order, {});
        settle(found, job, {nothing.outcome->result, nothing.outcome->verdict.right});
        return found;
    }
    machine::Job bounded = job;
    bounded.budget = std::min(job.budget != 0 ? job.budget : UINT64_MAX, effort.most_steps);
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    static const std::set<std::uint32_t> kNone;
    PlainAtomics plain(detector, effort.plain != nullptr ? *effort.plain : kNone);
    recording.observers.push_back(effort.plain != nullptr ? static_cast<machine::Observer*>(&plain)
                                                          : &detector);
    if (effort.observer != nullptr) recording.observers.push_back(effort.observer);
    recording.flow = effort.flow != nullptr;
    recording.cancel = effort.cancel;
    const machine::Run run(std::move(bounded), order, recording);
    if (effort.flow != nullptr) *effort.flow = run.flow();
    if (run.cancelled()) return found;
    using Kind = machine::Fault::Kind;
    const bool unended = run.fault() && run.fault()->kind == Kind::budget;
    if (run.fault() && !unended) {
        found.verdict =
            run.fault()->kind == Kind::deadlock ? ShapeVerdict::never_ends : ShapeVerdict::fault;
        found.what = run.fault()->what;
        found.line = run.fault()->place.line;
        return found;
    }
    if (note_race(found, run, detector) || effort.first_run) return found;
    UnwrittenRead unwritten;
    if (!run.findings().empty())
        unwritten = {run.findings().front().what, run.findings().front().place.line};
    if (!unended && holds_for_all_schedules(run, detector) && !order_of_atomics_shows(job))
        settle(found, job, ending_of(job)(run.machine(), run.end()));
    else if (unended || !find_race(found, unwritten, job, order, effort))
        search(found, job, effort, true);
    if (unwritten.what.empty() || found.verdict == ShapeVerdict::race ||
        found.verdict == ShapeVerdict::fault || found.verdict == ShapeVerdict::never_ends)
        return found;
    found.verdict = ShapeVerdict::unwritten;
    found.what = unwritten.what;
    found.line = unwritten.line;
    return found;
}

ShapeJudgement judge_results(const machine::Job& job, const JudgeEffort& effort) {
    ShapeJudgement found = described(job);
    search(found, job, effort, false);
    return found;
}

// Where a buffer ends whose length is a guess nobody knows: it is as long as the run needs it.
static void fit_guessed(machine::Job& job, const machine::SchedulingPolicy& order) {
    // Bytes of a buffer whose length is guessed; what needs more is a fault.
    constexpr std::uint64_t kMostGuessed = 65'536;
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    while (any_of(job.buffers, [](const machine::Buffer& each) { return each.guessed; })) {
        machine::Job bounded = job;
        bounded.budget =
            std::min(job.budget != 0 ? job.budget : UINT64_MAX, JudgeEffort().most_steps);
        const machine::Run run(std::move(bounded), order, recording);
        if (!run.fault() || run.fault()->kind != machine::Fault::Kind::out_of_bounds) return;
        const std::uint64_t needed = run.fault()->needed;
        const auto buffer =
            std::find_if(job.buffers.begin(), job.buffers.end(), [&](const machine::Buffer& each) {
                return each.guessed && each.name == run.fault()->array;
            });
        if (buffer == job.buffers.end() || needed <= buffer->bytes || needed > kMostGuessed) return;
        const std::size_t before = buffer->initial.size();
        buffer->bytes = std::bit_ceil(needed);
        if (before == 0) continue;
        buffer->initial.resize(buffer->bytes);
        for (std::size_t i = before; i < buffer->bytes && !buffer->pattern.empty(); ++i)
            buffer->initial[i] = buffer->pattern[i % buffer->pattern.size()];
    }
}

machine::Job job_to_judge(const RunSpec& spec, const catalogue::CompiledKernel& code,
                          bool lengths_are_told) {
    machine::Job job = job_of(spec, code);
    if (spec.kernel.plan.expect.kind == catalogue::Expect::unknown) job.right.reset();
    if (!lengths_are_told && !job.launches.empty()) fit_guessed(job, spec.machine.order);
    return job;
}

ShapeJudgement judge_shape(const RunSpec& spec, CodeCache& codes, const JudgeEffort& effort) {
    try {
        const std::string key =
            fmt::format("{} {} {}", name_of(spec.shape.op), info(spec.shape.type).name,
                        catalogue::settings_text(spec.shape.set));
        catalogue::CompiledKernel& code = codes[key];
        if (!code) code = compile(spec.kernel, spec.shape);
        return judge_job(job_to_judge(spec, code), spec.machine.order, effort);
    } catch (const Problem& problem) {
        return {.verdict = ShapeVerdict::not_launched,
                .n = spec.shape.n.value_or(0),
                .group = spec.shape.group,
                .what = problem.what_happened + (problem.why.empty() ? "" : ": " + problem.why)};
    }
}

std::vector<std::string> parse_axis_values(std::string_view text) {
    std::vector<std::string> values;
    const auto refuse = [&](const char* why) {
        throw Problem(fmt::format("'{}' is no list of sizes", text), why,
                      "Write 1..64, or 1,2,5..9, or 2^0..2^6 for powers of two", "--n");
    };
    const auto add = [&](const std::string& value) {
        if (values.size() >= kMostMapCells) refuse("There are too many of them");
        if (!contains(values, value)) values.push_back(value);
    };
    for (std::string_view rest = text; !rest.empty();) {
        const auto comma = rest.find(',');
        const std::string part(trimmed(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        const auto dots = part.find("..");
        if (dots == std::string::npos) {
            const bool number = !part.empty() && part.front() >= '0' && part.front() <= '9';
            add(number ? std::to_string(catalogue::parse_size(part)) : part);
            continue;
        }
        const std::string low = part.substr(0, dots), high = part.substr(dots + 2);
        const std::uint64_t first = catalogue::parse_size(low), last = catalogue::parse_size(high);
        if (first > last) refuse("A range rises");
        const bool doubles = first > 0 && low.find('^') != std::string::npos;
        for (std::uint64_t each = first; each <= last; each = doubles ? 2 * each : each + 1)
            add(std::to_string(each));
    }
    return values;
}

std::vector<std::string> axis_names(const catalogue::Kernel& kernel) {
    std::vector<std::string> names{"n", "group", "groups", "lanes", "resident", "op", "type"};
    for (const catalogue::Toggle& toggle : kernel.toggles)
        names.push_back(toggle.name);
    return names;
}

std::pair<std::string, std::string> usual_sides(const catalogue::Kernel& kernel) {
    const bool exact = any_of(kernel.plan.legal, [](const catalogue::Legal& each) {
        return each.text.starts_with("n % ");
    });
    return {"group", exact ? "groups" : "n"};
}

std::pair<std::string, std::string> sides_of(const catalogue::Kernel& kernel, std::string rows,
                                             std::string columns) {
    const std::vector<std::string> all = axis_names(kernel);
    const auto known = [&](const std::string& name) { return contains(all, name); };
    if (rows == columns || !known(rows) || !known(columns)) return usual_sides(kernel);
    return {std::move(rows), std::move(columns)};
}

catalogue::Input without_numbers(const catalogue::Input& input) {
    using Kind = catalogue::Input::Kind;
    return input.kind == Kind::values || input.kind == Kind::file ? catalogue::Input() : input;
}

MapAxis usual_axis(const catalogue::Kernel& kernel, const std::string& name) {
    MapAxis axis{name, {}};
    if (name == "n") axis.values = parse_axis_values("1..64");
    if (name == "group") axis.values = parse_axis_values("1..32");
    if (name == "groups" || name == "resident") axis.values = parse_axis_values("1..8");
    if (name == "lanes") axis.values = parse_axis_values("2^0..2^6");
    if (name == "op")
        for (const catalogue::OpInfo& each : catalogue::ops())
            axis.values.emplace_back(each.name);
    if (name == "type")
        for (const catalogue::TypeInfo& each : catalogue::types())
            axis.values.emplace_back(each.name);
    if (const catalogue::Toggle* toggle = kernel.toggle(name)) axis.values = toggle->values;
    if (axis.values.empty())
        throw Problem(fmt::format("'{}' is no side of a map", name), "",
                      choices_hint(name, axis_names(kernel)), "--rows");
    return axis;
}

// The fewest elements that fill so many groups: for some power of two of elements per work-item.
static RunSpec with_groups(RunSpec spec, std::uint64_t groups) {
    const catalogue::Target target = spec.machine.target.value_or(target_of(spec.machine.config));
    constexpr std::uint64_t kPerItem = 64;  // elements that a work-item takes at most
    const std::uint64_t group = spec.shape.group != 0 ? spec.shape.group : 4;
    for (std::uint64_t each = 1; each <= kPerItem; each *= 2) {
        spec.shape.n = groups * group * each;
        try {
            const catalogue::Shape shape =
                small_shape(spec.kernel, spec.shape, *spec.shape.n, target);
            const machine::Job job = plan_job(spec.kernel, shape, *spec.shape.n, target);
            if (!job.launches.empty() && job.launches.front().range.groups() == groups) return spec;
        } catch (const Problem&) {  // not with so few
        }
    }
    throw Problem(fmt::format("No n makes {} groups of {}", groups, group), "",
                  "Choose another number of groups", "--groups");
}

RunSpec with_value(RunSpec spec, const std::string& axis, const std::string& value) {
    if (axis == "n") spec.shape.n = catalogue::parse_size(value, "--n");
    if (axis == "group") spec.shape.group = catalogue::parse_size(value, "--group");
    if (axis == "groups")
        return with_groups(std::move(spec), catalogue::parse_size(value, "--groups"));
    if (axis == "op") spec.shape.op = catalogue::parse_op(value);
    if (axis == "type") spec.shape.type = catalogue::parse_type(value);
    if (spec.kernel.toggle(axis) != nullptr) spec.shape.set[axis] = value;
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (axis == option.id) {
            spec.machine.config.*option.field = option.parse(value);
            spec.machine.order = machine::usual_order(spec.machine.config);
        }
    return spec;
}

std::size_t SizeMap::count(ShapeVerdict verdict) const {
    return count_if(
        cells, [&](const ShapeJudgement& each) { return each.verdict == verdict && each.known(); });
}

LAB_JSON_FIELDS(MapAxis, name, values)
LAB_JSON_SOME_FIELDS(SizeMap, rows, columns, cells, judged)

void from_json(const nlohmann::json& json, SizeMap& map) {
    get_fields(json, map);
}

nlohmann::json with_head(nlohmann::json object, const RunSpec& spec) {
    object["schema"] = 1;
    object["variant"] = spec.kernel.id;
    object["machine"] = text_of(spec.machine.config);
    return object;
}

void to_json(nlohmann::json& json, const SizeMap& map) {
    nlohmann::json counts = nlohmann::json::object();
    for (std::size_t i = 0; i < kShapeVerdicts.size(); ++i)
        if (const std::size_t count = map.count(static_cast<ShapeVerdict>(i)); count > 0)
            counts[kShapeVerdicts[i]] = count;
    nlohmann::json rules = nlohmann::json::array();
    for (const MapRule& rule : rules_of(map)) {
        nlohmann::json conditions = nlohmann::json::array();
        for (const MapCondition& each : rule.conditions)
            conditions.push_back(
                {{"condition", kMapConditions[static_cast<std::size_t>(each.kind)]},
                 {"of", each.quantity},
                 {"value", each.value}});
        if (!rule.conditions.empty() || rule.everywhere)
            rules.push_back({{"verdict", name_of(rule.verdict)}, {"where", conditions}});
    }
    put_fields(json, map);
    json["counts"] = counts;
    json["rules"] = rules;
    json["complete"] = map.complete();
}

SizeMapSearch::SizeMapSearch(RunSpec spec, MapAxis rows, MapAxis columns, const JudgeEffort& effort)
    : spec_(std::move(spec)), effort_(effort) {
    map_.rows = std::move(rows);
    map_.columns = std::move(columns);
    for (const MapAxis* axis : {&map_.rows, &map_.columns})
        (void)usual_axis(spec_.kernel, axis->name);
    if (map_.rows.name == map_.columns.name)
        throw Problem(
            "Rows and columns of a map are the same", "",
            fmt::format("Choose another of {}", fmt::join(axis_names(spec_.kernel), ", ")),
            "--columns");
    const std::size_t height = map_.rows.values.size(), width = map_.columns.values.size();
    if (height == 0 || width == 0 || height > kMostMapCells / width)
        throw Problem(fmt::format("{} rows of {} cells are no map", height, width),
                      fmt::format("It has up to {} cells", kMostMapCells), "Choose fewer sizes",
                      "--n");
    map_.cells.resize(height * width);
    // Then the map is to show what they change.
    for (const MapAxis* axis : {&map_.rows, &map_.columns})
        if (axis->name == "lanes" || axis->name == "resident") effort_.machine_alone = true;
    std::size_t stride = std::bit_ceil(std::max(height, width));
    std::vector<bool> taken(map_.cells.size());
    for (; stride > 0; stride /= 2)
        for (std::size_t row = 0; row < height; row += stride)
            for (std::size_t column = 0; column < width; column += stride) {
                const std::size_t cell = row * width + column;
                if (!taken[cell]) left_.push_back(cell);
                taken[cell] = true;
            }
    std::reverse(left_.begin(), left_.end());
}

RunSpec SizeMapSearch::spec_at(std::size_t row, std::size_t column) const {
    const auto set = [](RunSpec spec, const MapAxis& axis, std::size_t index) {
        return with_value(std::move(spec), axis.name, axis.values.at(index));
    };
    // A number of groups follows from their size.
    if (map_.rows.name == "groups") return set(set(spec_, map_.columns, column), map_.rows, row);
    return set(set(spec_, map_.rows, row), map_.columns, column);
}

bool SizeMapSearch::go_on() {
    const auto cancelled = [&] { return effort_.cancel != nullptr && effort_.cancel->load(); };
    if (left_.empty() || cancelled()) return false;
    const std::size_t cell = left_.back(), width = map_.columns.values.size();
    ShapeJudgement found;
    try {
        found = judge_shape(spec_at(cell / width, cell % width), codes_, effort_);
    } catch (const Problem& problem) {
        found = {.verdict = ShapeVerdict::not_launched, .what = problem.what_happened};
    }
    if (cancelled()) return false;
    map_.cells[cell] = std::move(found);
    ++map_.judged;
    left_.pop_back();
    return !left_.empty();
}

namespace {

// The cells that rules are about, and what may be said of them.
class RuleSearch {
  public:
    explicit RuleSearch(const SizeMap& map) : map_(map) {
        for (std::size_t cell = 0; cell < map.cells.size(); ++cell)
            if (map.cells[cell].verdict != ShapeVerdict::not_launched) cells_.push_back(cell);
    }

    MapRule rule_for(ShapeVerdict verdict) {
        MapRule rule{verdict, {}, map_.count(verdict), false};
        rule.everywhere = rule.cells == cells_.size();
        if (rule.everywhere || !map_.complete()) return rule;
        std::vector<bool> wanted;
        for (const std::size_t cell : cells_)
            wanted.push_back(map_.cells[cell].verdict == verdict);
        collect(wanted);
        for (const Candidate& each : candidates_)
            if (each.met == wanted) {
                rule.conditions = {each.condition};
                return rule;
            }
        // Two bounds that were read off the cells would fit any block of them.
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            for (std::size_t k = i + 1; k < candidates_.size(); ++k) {
                if (is_bound(candidates_[i]) && is_bound(candidates_[k])) continue;
                bool same = true;
                for (std::size_t cell = 0; same && cell < wanted.size(); ++cell)
                    same = (candidates_[i].met[cell] && candidates_[k].met[cell]) == wanted[cell];
                if (!same) continue;
                rule.conditions = {candidates_[i].condition, candidates_[k].condition};
                return rule;
            }
        return rule;
    }

  private:
    using Kind = MapCondition::Kind;
    using Numbers = std::vector<std::uint64_t>;
    struct Candidate {
        MapCondition condition;
        std::vector<bool> met;  // by cell of cells_
    };

    static bool is_bound(const Candidate& candidate) {
        return candidate.condition.kind == Kind::more || candidate.condition.kind == Kind::less;
    }

    const std::string& word(const MapAxis& axis, std::size_t cell) const {
        const std::size_t width = map_.columns.values.size();
        return axis.values[&axis == &map_.rows ? cell / width : cell % width];
    }

    void add(MapCondition condition, const std::function<bool(std::size_t)>& met) {
        Candidate made{std::move(condition), {}};
        for (std::size_t i = 0; i < cells_.size(); ++i)
            made.met.push_back(met(i));
        candidates_.push_back(std::move(made));
    }

    // Nothing is launched where there are 0 groups: a sentence about their number is not true
    // there.
    static bool all_given(const Numbers& values) { return !contains(values, 0U); }

    void add_number(const std::string& name, const Numbers& values,
                    const std::vector<bool>& wanted) {
        const auto power = [&](std::size_t i) { return std::has_single_bit(values[i]); };
        const auto near = [&](std::size_t i) {
            return power(i) || std::has_single_bit(values[i] + 1);
        };
        const auto odd = [&](std::size_t i) { return values[i] % 2 == 1; };
        std::uint64_t least = UINT64_MAX, most = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (wanted[i]) {
                least = std::min(least, values[i]);
                most = std::max(most, values[i]);
            }
        const std::string low = std::to_string(least - 1), high = std::to_string(most + 1);
        if (least > 0)
            add({Kind::more, name, low}, [&](std::size_t i) { return values[i] >= least; });
        add({Kind::less, name, high}, [&](std::size_t i) { return values[i] <= most; });
        if (all_given(values)) {
            add({Kind::not_power, name, ""}, std::not_fn(power));
            add({Kind::power, name, ""}, power);
            add({Kind::odd, name, ""}, odd);
            add({Kind::even, name, ""}, std::not_fn(odd));
            add({Kind::not_near_power, name, ""}, std::not_fn(near));
            add({Kind::near_power, name, ""}, near);
        }
        if (least == most)
            add({Kind::is, name, std::to_string(least)},
                [&](std::size_t i) { return values[i] == least; });
    }

    void add_pair(const std::string& name, const Numbers& a, const std::string& other,
                  const Numbers& b) {
        if (!all_given(a) || !all_given(b)) return;
        const auto multiple = [&](std::size_t i) { return a[i] % b[i] == 0; };
        add({Kind::not_multiple, name, other}, std::not_fn(multiple));
        add({Kind::multiple, name, other}, multiple);
        add({Kind::more, name, other}, [&](std::size_t i) { return a[i] > b[i]; });
        add({Kind::less, name, other}, [&](std::size_t i) { return a[i] < b[i]; });
    }

    void collect(const std::vector<bool>& wanted) {
        candidates_.clear();
        std::vector<std::pair<std::string, Numbers>> numbers;
        for (const auto& [name, field] : {std::pair{"n", &ShapeJudgement::n},
                                          {"group", &ShapeJudgement::group},
                                          {"groups", &ShapeJudgement::groups}}) {
            Numbers values;
            for (const std::size_t cell : cells_)
                values.push_back(map_.cells[cell].*field);
            numbers.emplace_back(name, std::move(values));
        }
        for (const MapAxis* axis : {&map_.rows, &map_.columns}) {
            const std::string& name = axis->name;
            if (name == "n" || name == "group" || name == "groups") continue;
            const bool counts = all_of(axis->values, [](const std::string& each) {
                return parse_number<std::uint64_t>(each);
            });
            if (counts && axis->values.size() > 1) {
                Numbers values;
                for (const std::size_t cell : cells_)
                    values.push_back(catalogue::parse_size(word(*axis, cell)));
                numbers.emplace_back(name, std::move(values));
                continue;
            }
            for (const std::string& value : axis->values) {
                const auto is = [&](std::size_t i) { return word(*axis, cells_[i]) == value; };
                add({Kind::is, name, value}, is);
                if (axis->values.size() > 2) add({Kind::is_not, name, value}, std::not_fn(is));
            }
        }
        std::erase_if(numbers, [](const auto& each) {
            const Numbers& values = each.second;
            return std::equal(values.begin() + 1, values.end(), values.begin());
        });
        // What the map's sides show says most.
        std::stable_partition(numbers.begin(), numbers.end(), [&](const auto& each) {
            return each.first == map_.rows.name || each.first == map_.columns.name;
        });
        for (const auto& [name, values] : numbers)
            add_number(name, values, wanted);
        for (const auto& [name, values] : numbers)
            for (const auto& [other, others] : numbers)
                if (name != other) add_pair(name, values, other, others);
    }

    const SizeMap& map_;
    std::vector<std::size_t> cells_;
    std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<MapRule> rules_of(const SizeMap& map) {
    std::vector<MapRule> rules;
    RuleSearch search(map);
    for (std::size_t i = 0; i < kShapeVerdicts.size(); ++i) {
        const auto verdict = static_cast<ShapeVerdict>(i);
        if (verdict != ShapeVerdict::not_launched && map.count(verdict) > 0)
            rules.push_back(search.rule_for(verdict));
    }
    return rules;
}

}  // namespace lab::analysis
