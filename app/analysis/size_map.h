// Tells in which shapes a kernel works: a map with a verdict per shape, and the rule that the
// verdicts follow, where a plain one holds for every cell.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/simulate.h"

namespace lab::analysis {

enum class ShapeVerdict : std::uint8_t {
    right,         // in every schedule, of independent items, too
    one_result,    // in every schedule, and the right one is not known
    wrong,         // the same wrong result in every schedule
    race,          // accesses that nothing orders, whatever came of it
    unwritten,     // no race; a read of what nobody has written, where anything may be found
    several,       // none of these, and several results
    fault,         // some schedule ends in a fault
    never_ends,    // some schedule cannot end
    not_launched,  // the kernel does not allow this shape, or the machine has no room for it
    unknown,       // the effort was used up before anything was certain
};
// By ShapeVerdict, as files have them and, as "sizes.NAME", texts.
inline constexpr std::array kShapeVerdicts{"right",        "one_result", "wrong", "race",
                                           "unwritten",    "several",    "fault", "never_ends",
                                           "not_launched", "unknown"};
const char* name_of(ShapeVerdict verdict);
// The place of a word that was read in the list of all; another word throws nlohmann's exception.
std::size_t place_of_word(const nlohmann::json& word, std::span<const char* const> words);
// True for what a kernel should not do: all from wrong to never_ends.
inline bool is_bad(ShapeVerdict verdict) {
    return verdict >= ShapeVerdict::wrong && verdict <= ShapeVerdict::never_ends;
}

struct ShapeJudgement {
    ShapeVerdict verdict = ShapeVerdict::unknown;
    std::uint64_t n = 0, group = 0, groups = 0;  // of the first launch; 0: not known
    std::string what = {};                       // in English: the fault, or why it is not launched
    std::uint32_t line = 0, other = 0;           // of a race or a fault; 0: none
    std::string result = {}, expected = {};      // where all schedules agree
    std::uint64_t results = 0;                   // of several
    // Alike where all results are, be it one or several; 0: not all are known. In no file.
    std::uint64_t all_results = 0;

    bool known() const { return verdict != ShapeVerdict::unknown || n != 0; }  // it was judged
};
void to_json(nlohmann::json& json, const ShapeJudgement& judgement);
void from_json(const nlohmann::json& json, ShapeJudgement& judgement);

// Bounds what the judgement of one job may take. The first run is bounded by instructions, too:
// what has not ended until then, and is not seen to wait in vain, is searched.
struct JudgeEffort {
    // Instructions of a cell's first run; after more, the search for all results decides.
    std::uint64_t most_steps = 400'000;
    // Bounds all other schedules that look for a race, and once more those of the search's results.
    std::uint64_t race_steps = 400'000;
    std::uint64_t search_effort = 70'000;  // of the search for results: some 10 ms
    const std::atomic<bool>* cancel = nullptr;
    machine::Observer* observer = nullptr;           // of the first run, beside the race detector
    machine::Flow* flow = nullptr;                   // takes the branches of the first run
    const std::set<std::uint32_t>* plain = nullptr;  // places whose atomics count as plain accesses
    bool first_run = false;    // judges that alone: without a race or fault, its verdict is unknown
    bool all_results = false;  // where there are several results, looks for those that remain
    // Judges the machine as it is: results that lockstep, or groups that wait for room, hide do not
    // count.
    bool machine_alone = false;
};

// The run's job. What nobody knows to be right is not judged; buffers whose lengths a header
// guesses are as long as a run needs them, unless the launch tells them. Throws Problem as job_of()
// does.
machine::Job job_to_judge(const RunSpec& spec, const catalogue::CompiledKernel& code = nullptr,
                          bool lengths_are_told = false);
// Judges by what `hazards` and `outcomes` find, the cheapest first: a run with the race detector;
// if what it does might differ elsewhere, other schedules, then the search for all results. A fault
// of the first run counts before a race, and a race before what the search finds.
ShapeJudgement judge_job(const machine::Job& job, const machine::SchedulingPolicy& order,
                         const JudgeEffort& effort = {});
// The same where a race does not matter: what the search of all schedules finds.
ShapeJudgement judge_results(const machine::Job& job, const JudgeEffort& effort = {});
// The same as judge_job() of a run's job, which it may be impossible to launch. `codes` keeps what
// was compiled.
using CodeCache = std::map<std::string, catalogue::CompiledKernel>;
ShapeJudgement judge_shape(const RunSpec& spec, CodeCache& codes, const JudgeEffort& effort = {});

// One side of the map: n, group, groups, lanes, resident, op, type, or a toggle's name.
struct MapAxis {
    std::string name;
    std::vector<std::string> values;
};
// "1..8, 2^4..2^6" -> 1, 2, … 8, 16, 32, 64: in steps of one, or from power to power. Throws
// Problem.
std::vector<std::string> parse_axis_values(std::string_view text);
// The names that an axis of this kernel may have, and all values that are usual for one of them.
std::vector<std::string> axis_names(const catalogue::Kernel& kernel);
// The rows and columns of a map that is not asked for otherwise. Where n follows from the groups, a
// map of both is a map of these.
std::pair<std::string, std::string> usual_sides(const catalogue::Kernel& kernel);
// These sides, or the usual ones where they make no map of this kernel.
std::pair<std::string, std::string> sides_of(const catalogue::Kernel& kernel, std::string rows,
                                             std::string columns);
// Numbers that are listed fit one n; in the place of these, those that are usual.
catalogue::Input without_numbers(const catalogue::Input& input);
MapAxis usual_axis(const catalogue::Kernel& kernel, const std::string& name);
// The run with that value; a number of groups is reached by the n that fills them. Throws Problem.
RunSpec with_value(RunSpec spec, const std::string& axis, const std::string& value);

struct SizeMap {
    MapAxis rows, columns;
    std::vector<ShapeJudgement> cells;  // row by row
    std::size_t judged = 0;             // cells so far; the others are unknown

    const ShapeJudgement& at(std::size_t row, std::size_t column) const {
        return cells[row * columns.values.size() + column];
    }
    std::size_t count(ShapeVerdict verdict) const;
    bool complete() const { return judged == cells.size(); }
};
// Holds rows and columns with their names and values, and the cells one after another.
void to_json(nlohmann::json& json, const SizeMap& map);
void from_json(const nlohmann::json& json, SizeMap& map);
// The object with what all files about the shapes of a kernel say of it: schema, variant, machine.
nlohmann::json with_head(nlohmann::json object, const RunSpec& spec);

inline constexpr std::size_t kMostMapCells = 16'384;  // cells of a map of sizes; more are refused

// Fills a map from coarse to fine, in parts.
class SizeMapSearch {
  public:
    // Throws Problem if the kernel has no such axis, or the map would be too large.
    SizeMapSearch(RunSpec spec, MapAxis rows, MapAxis columns, const JudgeEffort& effort = {});
    // Judges the next cell. Returns whether there are more; cancelled, there are none.
    bool go_on();
    const SizeMap& map() const { return map_; }
    RunSpec spec_at(std::size_t row, std::size_t column) const;  // throws Problem

  private:
    RunSpec spec_;
    JudgeEffort effort_;
    CodeCache codes_;
    SizeMap map_;
    std::vector<std::size_t> left_;  // cells, the next one last
};

// A rule that a verdict follows: it is met exactly where all conditions hold. No cell that could be
// launched is an exception, be it unknown.
struct MapCondition {
    enum class Kind : std::uint8_t {
        odd,
        even,
        power,           // of two
        not_power,       // likewise
        near_power,      // a power of two, or one less
        not_near_power,  // neither
        more,            // than `value`
        less,
        multiple,      // of `value`, another quantity
        not_multiple,  // likewise
        is,            // `value`
        is_not,
    } kind = Kind::odd;
    std::string quantity, value;

    bool operator==(const MapCondition&) const = default;
};
// By MapCondition::Kind, as files have them and, as "sizes.rule.NAME", texts.
inline constexpr std::array kMapConditions{"odd",        "even",           "power", "not_power",
                                           "near_power", "not_near_power", "more",  "less",
                                           "multiple",   "not_multiple",   "is",    "is_not"};
struct MapRule {
    ShapeVerdict verdict = ShapeVerdict::right;
    std::vector<MapCondition> conditions;  // empty: no plain rule
    std::size_t cells = 0;                 // with the verdict
    bool everywhere = false;               // in all shapes that can be launched
};
// One for each verdict that some cell has, but not_launched; in the order of ShapeVerdict. Of a map
// that is not filled yet none has conditions.
std::vector<MapRule> rules_of(const SizeMap& map);

}  // namespace lab::analysis
