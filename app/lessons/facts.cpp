#include "lessons/facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "analysis/rows.h"
#include "base/expression.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "catalogue/reference.h"

namespace lab::lessons {
namespace {

// A page asks of a few numbers in a few groups. States of a search for a page; more leave it
// INCOMPLETE.
constexpr std::uint64_t kMostStates = 400'000;
constexpr std::uint64_t kMostBytes = 256ULL << 20U;  // of a page's search; more leave it INCOMPLETE
// Instructions: a run that never ends is soon stopped. One that ends takes a few for each number
// and work-item, even if a single item does all of it.
constexpr std::uint64_t kBudget = 100'000, kBudgetEach = 1000;
constexpr std::size_t kMostKept = 64;  // runs of pages that are kept; others run again

// The place in the table of the row after so many passes, some of which it may leave out.
std::size_t place_of(const analysis::StepTable& table, std::size_t passes) {
    std::size_t number = 0;
    for (std::size_t place = 0; place < table.rows.size(); ++place) {
        number += table.rows[place].skipped + (place > 0 ? 1 : 0);
        if (number == passes) return place;
        if (number > passes)
            throw Problem(fmt::format("Pass {} is not kept", passes),
                          "Of a long run only the first and the last passes are",
                          "Show fewer numbers");
    }
    throw Problem(fmt::format("There is no pass {}", passes), fmt::format("The run has {}", number),
                  "Name another row");
}

const analysis::Row& row_at(const analysis::StepTable& table, std::size_t passes) {
    return table.rows[place_of(table, passes)];
}

bool is_in(const machine::Action& action, const analysis::Row& row,
           const analysis::PassNumbers& numbers) {
    return static_cast<int>(action.launch) + 1 == row.launch &&
           (row.number == 0 || numbers.of(action.launch, action.pass) == row.number);
}

// What is told of the row's pass, in a list of all; null: nothing.
template <typename Passes>
auto* of_pass(const Passes& passes, const analysis::Row& row) {
    return find_if(passes, [&](const auto& each) {
        return static_cast<int>(each.launch) + 1 == row.launch &&
               (row.number == 0 || each.pass == row.number);
    });
}

std::set<std::uint64_t> combining(const analysis::Row& row) {
    std::set<std::uint64_t> items;
    for (const analysis::Cell& cell : row.cells) {
        if (!cell.written) continue;
        if (cell.item >= 0) items.insert(static_cast<std::uint64_t>(cell.item));
        for (const analysis::Writer& other : cell.also)
            items.insert(static_cast<std::uint64_t>(other.item));
    }
    return items;
}

// "place: 7" -> "7": where there is one buffer only, nobody asks which one is meant.
std::string without_name(const std::string& contents) {
    const auto colon = contents.find(": ");
    if (colon == std::string::npos || contents.find(": ", colon + 1) != std::string::npos)
        return contents;
    return contents.substr(colon + 2);
}

}  // namespace

const catalogue::Job* Facts::plan() {
    if (spec_.kernel.by_form()) return nullptr;
    if (!plan_) {
        const catalogue::Values input =
            spec_.shape.n.value_or(0) > analysis::kMostSteppedElements
                ? catalogue::Values()
                : make_values(spec_.shape.input, spec_.shape.type, spec_.shape.n, spec_.shape.op);
        const auto n =
            std::max<std::uint64_t>(spec_.shape.n.value_or(0), catalogue::count_of(input));
        const catalogue::Target target = analysis::target_of(spec_.machine.config);
        plan_ =
            plan_job(spec_.kernel, small_shape(spec_.kernel, spec_.shape, n, target), n, target);
    }
    return &*plan_;
}

std::uint64_t Facts::elements() {
    if (spec_.shape.n) return *spec_.shape.n;
    return table().rows.front().cells.size();
}

std::uint64_t Facts::budget() {
    const auto& form = spec_.kernel.plan.form;
    std::uint64_t most = std::max(spec_.shape.n.value_or(0), form ? form->global.items() : 0);
    if (const catalogue::Job* known = plan())
        for (const catalogue::Launch& launch : known->launches)
            most = std::max(most, launch.range.items());
    return kBudget + kBudgetEach * std::min(most, analysis::kMostSteppedElements);
}

const analysis::MachineRun& Facts::run() {
    (void)plain_run();
    analysis::add_insight(*run_);
    return *run_;
}

const analysis::MachineRun& Facts::plain_run() {
    if (!run_) {
        spec_.machine.budget = budget();
        run_ = analysis::play_on_machine(spec_);
    }
    return *run_;
}

std::string Facts::result() {
    if (!spec_.kernel.by_form()) return table().result;
    if (plain_run().run == nullptr || plain_run().fault) return {};
    const machine::Run& own = *plain_run().run;
    return without_name(analysis::result_text(own.machine(), own.end()));
}

std::size_t Facts::passes() {
    std::size_t number = table().rows.size() - 1;
    for (const analysis::Row& each : table().rows)
        number += each.skipped;
    return number;
}

const analysis::Row& Facts::row(std::size_t passes) {
    return row_at(table(), passes);
}

const analysis::Traffic& Facts::traffic() {
    if (!traffic_) {
        if (plain_run().run == nullptr)
            throw Problem("Nothing was launched", "", "Choose a larger n");
        traffic_ = analysis::traffic_of(*plain_run().run);
    }
    return *traffic_;
}

const analysis::InputCoverage& Facts::account() {
    if (!account_) {
        const auto lineage = analysis::whole_lineage(plain_run().simulation);
        account_ = lineage ? lineage->account : analysis::InputCoverage();
        work_ = lineage ? analysis::work_of(*plain_run().run, lineage->nodes) : analysis::Work();
    }
    return *account_;
}

const analysis::Work& Facts::work() {
    (void)account();
    return *work_;
}

analysis::Outcomes Facts::search(bool shortest) {
    analysis::RunSpec all = spec_;
    all.machine.budget = budget();
    machine::Job job = analysis::job_of(all);
    if (!shortest && !in_lockstep_ && all.machine.config.lanes > 1 &&
        !analysis::has_sub_groups(job)) {
        if (!all.machine.target) all.machine.target = analysis::target_of(all.machine.config);
        all.machine.config.lanes = 1;
        job = analysis::job_of(all);
    }
    analysis::OutcomesOptions options;
    options.most_states = kMostStates;
    options.most_bytes = kMostBytes;
    options.samples = 200;
    options.shortest = shortest;
    analysis::Outcomes outcomes = analysis::outcomes_of(job, analysis::ending_of(job), options);
    if (spec_.kernel.by_form())
        for (analysis::PossibleResult& each : outcomes.results)
            if (!each.fault && !each.never_ends)
                each.ending.result = without_name(each.ending.result);
    return outcomes;
}

const analysis::Outcomes& Facts::outcomes() {
    if (!outcomes_) outcomes_ = search(false);
    return *outcomes_;
}

const analysis::Outcomes& Facts::shortest_outcomes() {
    if (!shortest_) shortest_ = search(true);
    return *shortest_;
}

const analysis::BarrierReport& Facts::barriers() {
    if (!barriers_) barriers_ = analysis::judge_barriers(analysis::shapes_for_barriers(spec_));
    return *barriers_;
}

std::uint64_t Facts::certainly_passed(std::uint32_t group, std::size_t row) {
    if (!ahead_) {
        analysis::RunSpec spec = spec_;
        spec.machine.order = machine::parse_order("in-order");
        spec.machine.budget = budget();
        ahead_ = analysis::play_on_machine(spec);
    }
    const analysis::Row& pass = row_at(ahead_->table, row);
    if (ahead_->run == nullptr) return 0;
    const machine::Trace& trace = ahead_->run->trace();
    const analysis::PassNumbers numbers(*ahead_->run);
    // Barriers of the launches before are passed by all; in this one, a group has passed as many as
    // its last action before then says.
    std::uint64_t earlier = 0;
    std::uint32_t here = 0, launch = 0;
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (action.launch != launch) {
            earlier += here;
            here = 0;
            launch = action.launch;
        }
        if (action.group == 0 && is_in(action, pass, numbers))
            return earlier + (group == 0 ? action.pass : here);
        if (action.group == group) here = std::max(here, action.pass);
    }
    return earlier + here;
}

std::set<std::uint64_t> Facts::items(std::size_t row, Activity activity) {
    const analysis::Row& pass = this->row(row);
    const std::set<std::uint64_t> active = combining(pass);
    if (activity == Activity::active) return active;
    std::set<std::uint64_t> result;
    if (activity == Activity::stale) {
        for (const analysis::StaleValue& stale : pass.stale)
            result.insert(static_cast<std::uint64_t>(stale.item));
        return result;
    }
    if (activity == Activity::idle) {
        for (std::uint64_t item = 0; item < pass.global; ++item)
            if (!active.contains(item)) result.insert(item);
        return result;
    }
    const analysis::PassActivity* slots = of_pass(run().activity, pass);
    if (slots == nullptr) return result;
    const auto warp_of = [&](std::uint64_t item) {
        return item / slots->local * slots->warps() + item % slots->local / slots->lanes;
    };
    std::set<std::uint64_t> split;  // warps in which some are masked out while others act
    for (std::uint64_t item = 0; item < slots->items.size(); ++item)
        if (slots->items[item].active > 0 && slots->items[item].idle == 0)
            for (std::uint64_t other = 0; other < slots->items.size(); ++other)
                if (warp_of(other) == warp_of(item) && slots->items[other].idle > 0)
                    split.insert(warp_of(item));
    for (std::uint64_t item = 0; item < slots->items.size(); ++item) {
        const analysis::ItemSlots& each = slots->items[item];
        const bool rests = each.active == 0 && each.idle == 0;
        if ((activity == Activity::waiting && rests && each.waiting > 0) ||
            (activity == Activity::done && rests && each.done > 0) ||
            (activity == Activity::diverged && split.contains(warp_of(item))))
            result.insert(item);
    }
    return result;
}

std::set<std::uint64_t> Facts::cells(std::size_t row, CellUse use) {
    const analysis::MachineRun& made = plain_run();
    const analysis::Row& pass = row_at(made.table, row);
    std::set<std::uint64_t> result;
    if (use == CellUse::missing || use == CellUse::doubled) {
        for (const analysis::Ingredient& input :
             use == CellUse::missing ? account().missing : account().repeated)
            result.insert(input.index);
        return result;
    }
    for (std::size_t i = 0; i < pass.cells.size(); ++i)
        if ((use == CellUse::written && pass.cells[i].written) ||
            (use == CellUse::stale && pass.cells[i].stale))
            result.insert(i);
    if (use == CellUse::raced)
        for (const analysis::RacedCell& raced : pass.raced)
            result.insert(raced.cell);
    if (use != CellUse::read || made.run == nullptr) return result;
    const machine::Trace& trace = made.run->trace();
    const analysis::PassNumbers numbers(*made.run);
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (!is_in(action, pass, numbers) || action.kind == machine::ActionKind::store ||
            action.kind == machine::ActionKind::barrier)
            continue;
        const machine::Context& context = made.run->machine().context(action.launch);
        const machine::ObjectInfo& object = context.objects[action.object];
        if (object.name != pass.array) continue;
        for (const machine::Access& access : trace.accesses(action))
            result.insert(access.index + (pass.local_memory ? action.group * pass.group_cells : 0));
    }
    return result;
}

Facts& Runs::facts(const Show& show) {
    // Where one stands in a run, and what is seen of it, makes no other run.
    Show key = show;
    key.at = {};
    key.hide_later = false;
    key.view = key.panel = {};
    key.lines.clear();
    const auto found = std::find_if(facts_.begin(), facts_.end(),
                                    [&](const auto& each) { return each.first == key; });
    if (found != facts_.end()) {
        std::rotate(found, found + 1, facts_.end());
        return *facts_.back().second;
    }
    auto facts = std::make_unique<Facts>(spec_of(show, library_), show.in_lockstep);
    if (facts_.size() >= kMostKept) facts_.erase(facts_.begin());
    facts_.emplace_back(std::move(key), std::move(facts));
    return *facts_.back().second;
}

const analysis::MachineRun& shown_run(const Show& show, Runs& runs) {
    Facts& facts = runs.facts(show);
    return show.panel.empty() ? facts.plain_run() : facts.run();
}

// The facts that an expression can name, one entry each.
namespace {

using Arguments = std::span<const double>;
using machine::ActionKind;

std::size_t index(double value) {
    if (!(value >= 0) || value > 1e9)
        throw Problem(fmt::format("{:g} is no place in an array", value), "", "Count from 0");
    return static_cast<std::size_t>(value);
}

double cell_at(Facts& facts, std::size_t passes, std::size_t cell) {
    const analysis::Row& row = facts.row(passes);
    if (cell >= row.cells.size())
        throw Problem(fmt::format("There is no cell {}", cell),
                      fmt::format("The row has {}", row.cells.size()), "Name another");
    return number_of(row.cells[cell].value);
}

double number_in(const std::string& text) {
    try {
        return std::stod(text);
    } catch (const std::exception&) {
        return std::nan("");
    }
}

double number(std::uint64_t count) {
    return static_cast<double>(count);
}

// The plan knows these for any n; a kernel without a header has one launch.
double of_plan(Facts& facts, double (*value)(const catalogue::Job&), double otherwise) {
    const catalogue::Job* plan = facts.plan();
    return plan != nullptr ? value(*plan) : otherwise;
}
double items_launched(Facts& facts) {
    return of_plan(
        facts,
        [](const catalogue::Job& p) {
            return p.launches.empty() ? 0.0 : static_cast<double>(p.launches.front().range.items());
        },
        static_cast<double>(facts.spec().kernel.plan.form->global.items()));
}
double group_size(Facts& facts) {
    return of_plan(
        facts, [](const catalogue::Job& p) { return static_cast<double>(p.group); },
        static_cast<double>(facts.spec().kernel.plan.form->local.items()));
}

// The sum over the run's actions of that kind.
template <typename Of>
double sum_of_actions(Facts& facts, ActionKind kind, Of&& of) {
    const machine::Run* run = facts.plain_run().run;
    std::uint64_t sum = 0;
    for (std::uint64_t time = 0; run != nullptr && time < run->trace().size(); ++time)
        if (const machine::Action& action = run->trace().action(time); action.kind == kind)
            sum += of(*run, action);
    return static_cast<double>(sum);
}

// Accesses by work-items, of that kind; in one line of the text, or in all.
double accesses(Facts& facts, Arguments arguments, ActionKind kind, bool local_alone = false) {
    return sum_of_actions(facts, kind, [&](const machine::Run& run, const machine::Action& action) {
        const machine::Context& context = run.machine().context(action.launch);
        const bool here =
            arguments.empty() || context.code->places[action.place].line == arguments[0];
        const bool counts =
            here && (!local_alone || context.objects[action.object].space == machine::Space::local);
        return counts ? static_cast<std::uint64_t>(std::popcount(action.mask)) * action.count : 0;
    });
}

// Atomics that leave another value in their cell than they found: others only look.
double changing_atomics(Facts& facts) {
    return sum_of_actions(
        facts, ActionKind::atomic, [](const machine::Run& run, const machine::Action& action) {
            return count_if(run.trace().accesses(action), [](const machine::Access& access) {
                return access.before != access.after;
            });
        });
}

double traffic(Facts& facts, Arguments arguments, bool local, bool least) {
    return number(sum_of(facts.traffic().lines, [&](const analysis::LineTraffic& line) {
        if (line.local != local || (!arguments.empty() && line.line != arguments[0]))
            return std::uint64_t{0};
        return local ? (least ? line.least_turns : line.turns)
                     : (least ? line.ideal_sectors : line.sectors);
    }));
}

double races(Facts& facts, const char* kind) {
    return number(count_if(facts.run().hazards, [&](const analysis::Hazard& hazard) {
        return hazard.severity != analysis::Hazard::Severity::note &&
               (kind == nullptr || contains(hazard.kinds, kind));
    }));
}

double busy(Facts& facts, Arguments arguments) {
    const analysis::MachineRun& run = facts.run();
    if (arguments.empty()) return 100 * utilisation(run.lanes.total);
    const analysis::Row& pass = facts.row(index(arguments[0]));
    const analysis::PassLanes* lanes = of_pass(run.lanes.passes, pass);
    return lanes == nullptr ? 0 : 100 * utilisation(lanes->count);
}

double diverged(Facts& facts, Arguments arguments) {
    double result = 0;
    for (const analysis::DivergentBranch& branch : facts.run().lanes.branches)
        if (arguments.empty() || branch.line == arguments[0]) result += number(branch.splits);
    return result;
}

// What only a search that came to its end can say.
const analysis::Outcomes& all_outcomes(Facts& facts) {
    const analysis::Outcomes& outcomes = facts.outcomes();
    if (!outcomes.complete)
        throw Problem("The search for all results did not come to its end",
                      fmt::format("It found {} in {} states, and others may be possible",
                                  outcomes.results.size(), outcomes.states),
                      "Show fewer numbers or smaller groups");
    return outcomes;
}

double count_results(Facts& facts, bool wrong_only) {
    return number(count_if(all_outcomes(facts).results, [&](const auto& each) {
        return !wrong_only || each.fault || each.never_ends || !each.ending.right.value_or(true);
    }));
}

const analysis::PossibleResult* result_like(const analysis::Outcomes& outcomes, double wanted) {
    return find_if(outcomes.results, [&](const analysis::PossibleResult& each) {
        return !each.fault && !each.never_ends && number_in(each.ending.result) == wanted;
    });
}

double needless_barriers(Facts& facts) {
    using Point = analysis::SyncPoint;
    const auto count = [&](Point::Need need) {
        return count_if(facts.barriers().points, [&](const Point& point) {
            return point.need == need &&
                   (point.kind == Point::Kind::barrier || point.kind == Point::Kind::fence);
        });
    };
    if (count(Point::Need::unknown) > 0)
        throw Problem("Which barriers are needed is not known",
                      "In some size the kernel races as it is, or that takes too long to see",
                      "End the races first: `sizes` shows where they are");
    return number(count(Point::Need::not_needed));
}

double shortest(Facts& facts, Arguments arguments) {
    const analysis::PossibleResult* result = result_like(facts.shortest_outcomes(), arguments[0]);
    if (result == nullptr)
        throw Problem(fmt::format("No schedule gives {:g}", arguments[0]), "", "Name another");
    return number(sum_of(result->turns, &machine::ScheduleSlice::count));
}

double hangs(Facts& facts) {
    const analysis::Outcomes& outcomes = facts.outcomes();
    if (outcomes.endless || any_of(outcomes.results, [](auto& each) { return each.never_ends; }))
        return 1;
    (void)all_outcomes(facts);
    return 0;
}

double verdict(Facts& facts, bool bound) {
    const auto& outcome = facts.plain_run().simulation.outcome;
    if (!outcome) return 0;
    const double scale = std::abs(number_in(facts.table().expected));
    return (bound ? outcome->verdict.bound : outcome->verdict.error) * scale;
}

double ever_held(Facts& facts, Arguments arguments) {
    const std::size_t last = std::min(index(arguments[0]), facts.passes());
    for (std::size_t row = 0; row <= last; ++row)
        if (cell_at(facts, row, index(arguments[1])) == arguments[2]) return 1;
    return 0;
}

double ends_in(Facts& facts, machine::Fault::Kind kind) {
    const machine::Run* run = facts.plain_run().run;
    return run != nullptr && run->fault() && run->fault()->kind == kind ? 1 : 0;
}

struct Fact {
    const char* name;
    std::size_t least, most;  // arguments
    double (*value)(Facts& facts, Arguments arguments);
};
using Activity = Facts::Activity;
using CellUse = Facts::CellUse;
double size_of(const std::set<std::uint64_t>& set) {
    return number(set.size());
}

constexpr std::array kFacts{
    Fact{"n", 0, 0, [](Facts& f, Arguments) { return number(f.elements()); }},
    Fact{"items", 0, 0, [](Facts& f, Arguments) { return items_launched(f); }},
    Fact{"group", 0, 0, [](Facts& f, Arguments) { return group_size(f); }},
    Fact{"groups", 0, 0,
         [](Facts& f, Arguments) { return std::ceil(items_launched(f) / group_size(f)); }},
    Fact{"launches", 0, 0,
         [](Facts& f, Arguments) {
             return of_plan(
                 f, [](const catalogue::Job& p) { return number(p.launches.size()); }, 1);
         }},
    Fact{"depth", 0, 0, [](Facts& f, Arguments) { return number(f.work().depth); }},
    Fact{"workers", 0, 0, [](Facts& f, Arguments) { return number(f.work().items); }},
    Fact{"working_groups", 0, 0, [](Facts& f, Arguments) { return number(f.work().groups); }},
    Fact{"used_local_loads", 0, 0,
         [](Facts& f, Arguments) { return number(f.work().local_loads); }},
    Fact{"input", 1, 1, [](Facts& f, Arguments a) { return cell_at(f, 0, index(a[0])); }},
    Fact{"cell", 2, 2, [](Facts& f, Arguments a) { return cell_at(f, index(a[0]), index(a[1])); }},
    Fact{"holds", 3, 3, ever_held},
    Fact{"last", 0, 0, [](Facts& f, Arguments) { return number(f.passes()); }},
    Fact{"passes", 0, 0, [](Facts& f, Arguments) { return number(f.passes()); }},
    Fact{"result", 0, 0, [](Facts& f, Arguments) { return number_in(f.result()); }},
    Fact{"right", 0, 0, [](Facts& f, Arguments) { return number_in(f.table().expected); }},
    Fact{"is_right", 0, 0, [](Facts& f, Arguments) { return f.table().right ? 1.0 : 0.0; }},
    Fact{"error", 0, 0, [](Facts& f, Arguments) { return verdict(f, false); }},
    Fact{"bound", 0, 0, [](Facts& f, Arguments) { return verdict(f, true); }},
    Fact{"actions", 0, 0, [](Facts& f, Arguments) { return number(f.plain_run().actions()); }},
    Fact{"barriers", 0, 0,
         [](Facts& f, Arguments) {
             double result = 0;
             if (const machine::Run* run = f.plain_run().run)
                 for (const auto& launch : analysis::barriers_passed(*run))
                     if (!launch.empty()) result += launch.front();
             return result;
         }},
    Fact{"needless_barriers", 0, 0, [](Facts& f, Arguments) { return needless_barriers(f); }},
    Fact{"active", 1, 1,
         [](Facts& f, Arguments a) { return size_of(f.items(index(a[0]), Activity::active)); }},
    Fact{"idle", 1, 1,
         [](Facts& f, Arguments a) { return size_of(f.items(index(a[0]), Activity::idle)); }},
    Fact{"busy", 0, 1, busy},
    Fact{"diverged", 0, 1, diverged},
    Fact{"loads", 0, 1, [](Facts& f, Arguments a) { return accesses(f, a, ActionKind::load); }},
    Fact{"stores", 0, 1, [](Facts& f, Arguments a) { return accesses(f, a, ActionKind::store); }},
    Fact{"atomics", 0, 1, [](Facts& f, Arguments a) { return accesses(f, a, ActionKind::atomic); }},
    Fact{"changing_atomics", 0, 0, [](Facts& f, Arguments) { return changing_atomics(f); }},
    Fact{"local_loads", 0, 1,
         [](Facts& f, Arguments a) { return accesses(f, a, ActionKind::load, true); }},
    Fact{"local_stores", 0, 1,
         [](Facts& f, Arguments a) { return accesses(f, a, ActionKind::store, true); }},
    Fact{"sectors", 0, 1, [](Facts& f, Arguments a) { return traffic(f, a, false, false); }},
    Fact{"least_sectors", 0, 1, [](Facts& f, Arguments a) { return traffic(f, a, false, true); }},
    Fact{"bank_cycles", 0, 1, [](Facts& f, Arguments a) { return traffic(f, a, true, false); }},
    Fact{"least_bank_cycles", 0, 1,
         [](Facts& f, Arguments a) { return traffic(f, a, true, true); }},
    Fact{"races", 0, 0, [](Facts& f, Arguments) { return races(f, nullptr); }},
    Fact{"raw", 0, 0, [](Facts& f, Arguments) { return races(f, "RAW"); }},
    Fact{"war", 0, 0, [](Facts& f, Arguments) { return races(f, "WAR"); }},
    Fact{"waw", 0, 0, [](Facts& f, Arguments) { return races(f, "WAW"); }},
    Fact{"stale", 0, 0, [](Facts& f, Arguments) { return number(f.run().timeline.stale_reads); }},
    Fact{"missing", 0, 0, [](Facts& f, Arguments) { return number(f.account().missing.size()); }},
    Fact{"doubled", 0, 0, [](Facts& f, Arguments) { return number(f.account().repeated.size()); }},
    Fact{"faults", 0, 0, [](Facts& f, Arguments) { return f.plain_run().fault ? 1.0 : 0.0; }},
    Fact{"outside", 0, 0,
         [](Facts& f, Arguments) { return ends_in(f, machine::Fault::Kind::out_of_bounds); }},
    Fact{"missed_barrier", 0, 0,
         [](Facts& f, Arguments) { return ends_in(f, machine::Fault::Kind::divergence); }},
    Fact{"hangs", 0, 0, [](Facts& f, Arguments) { return hangs(f); }},
    Fact{"needs_progress", 0, 0,
         [](Facts& f, Arguments) { return all_outcomes(f).needs_progress ? 1.0 : 0.0; }},
    Fact{"results", 0, 0, [](Facts& f, Arguments) { return count_results(f, false); }},
    Fact{"wrong_results", 0, 0, [](Facts& f, Arguments) { return count_results(f, true); }},
    Fact{"states", 0, 0, [](Facts& f, Arguments) { return number(f.outcomes().states); }},
    Fact{"complete", 0, 0, [](Facts& f, Arguments) { return f.outcomes().complete ? 1.0 : 0.0; }},
    Fact{"possible", 1, 1,
         [](Facts& f, Arguments a) {
             if (result_like(f.outcomes(), a[0]) != nullptr) return 1.0;
             (void)all_outcomes(f);
             return 0.0;
         }},
    Fact{"shortest", 1, 1, shortest},
    Fact{"passed", 2, 2,
         [](Facts& f, Arguments a) {
             return number(f.certainly_passed(static_cast<std::uint32_t>(a[0]), index(a[1])));
         }},
};

struct Arithmetic {
    const char* name;
    std::size_t arguments;
    double (*value)(Arguments arguments);
};
constexpr std::array kArithmetic{
    Arithmetic{"min", 2, [](Arguments a) { return std::min(a[0], a[1]); }},
    Arithmetic{"max", 2, [](Arguments a) { return std::max(a[0], a[1]); }},
    Arithmetic{"abs", 1, [](Arguments a) { return std::abs(a[0]); }},
    Arithmetic{"round", 1, [](Arguments a) { return std::round(a[0]); }},
    Arithmetic{"floor", 1, [](Arguments a) { return std::floor(a[0]); }},
    Arithmetic{"ceil", 1, [](Arguments a) { return std::ceil(a[0]); }},
    Arithmetic{"sqrt", 1, [](Arguments a) { return std::sqrt(a[0]); }},
    Arithmetic{"log2", 1, [](Arguments a) { return a[0] <= 1 ? 0.0 : std::ceil(std::log2(a[0])); }},
    Arithmetic{"div_up", 2, [](Arguments a) { return std::ceil(a[0] / a[1]); }},
    Arithmetic{"power_of_two", 1,
               [](Arguments a) {
                   return a[0] >= 1 && std::log2(a[0]) == std::floor(std::log2(a[0])) ? 1.0 : 0.0;
               }},
    Arithmetic{"power_of_two_up", 1,
               [](Arguments a) { return a[0] <= 1 ? 1.0 : std::exp2(std::ceil(std::log2(a[0]))); }},
    Arithmetic{"wrap32", 1, [](Arguments a) { return a[0] - 0x1p32 * std::floor(a[0] / 0x1p32); }},
};

[[noreturn]] void wrong_count(std::string_view name, std::size_t least, std::size_t most,
                              std::size_t column) {
    const std::string wanted = most == 0       ? std::string("no arguments")
                               : least == most ? fmt::format("{} arguments", most)
                                               : fmt::format("{} to {} arguments", least, most);
    throw Problem(fmt::format("{} takes {}", name, wanted), "", "", fmt::format("{}", column));
}

}  // namespace

double fact(std::string_view name, std::span<const double> arguments, const Show& show, Runs& runs,
            std::size_t column) {
    for (const Arithmetic& each : kArithmetic) {
        if (name != each.name) continue;
        if (arguments.size() != each.arguments)
            wrong_count(name, each.arguments, each.arguments, column);
        return each.value(arguments);
    }
    for (const Fact& each : kFacts) {
        if (name != each.name) continue;
        if (arguments.size() < each.least || arguments.size() > each.most)
            wrong_count(name, each.least, each.most, column);
        return each.value(runs.facts(show), arguments);
    }
    const std::vector<std::string> names = fact_names();
    const std::string near = nearest(name, names);
    throw Problem(fmt::format("'{}' is nothing that can be asked of a run", name), "",
                  near.empty() ? "docs/lessons.md lists what can" : fmt::format("Is it {}?", near),
                  fmt::format("{}", column));
}

std::vector<std::string> fact_names() {
    std::vector<std::string> names{"count", "sum", "most", "least"};
    for (const Fact& each : kFacts)
        names.emplace_back(each.name);
    for (const Arithmetic& each : kArithmetic)
        names.emplace_back(each.name);
    sort(names);
    return names;
}

namespace {

struct Operator {
    std::string_view sign;
    int rank;
    double (*value)(double a, double b);
};
constexpr std::array kOperators{
    Operator{"||", 1, [](double a, double b) { return double(a != 0 || b != 0); }},
    Operator{"&&", 2, [](double a, double b) { return double(a != 0 && b != 0); }},
    Operator{"==", 3, [](double a, double b) { return double(a == b); }},
    Operator{"!=", 3, [](double a, double b) { return double(a != b); }},
    Operator{"<=", 4, [](double a, double b) { return double(a <= b); }},
    Operator{">=", 4, [](double a, double b) { return double(a >= b); }},
    Operator{"<", 4, [](double a, double b) { return double(a < b); }},
    Operator{">", 4, [](double a, double b) { return double(a > b); }},
    Operator{"+", 5, [](double a, double b) { return a + b; }},
    Operator{"-", 5, [](double a, double b) { return a - b; }},
    Operator{"*", 6, [](double a, double b) { return a * b; }},
    Operator{"/", 6, [](double a, double b) { return a / b; }},
    Operator{"%", 6, [](double a, double b) { return a - b * std::floor(a / b); }},
    Operator{"^", 7, [](double a, double b) { return std::pow(a, b); }},
};

// Works it out for the run at hand; without one, sees that it is an expression.
struct RunDomain {
    using Value = double;
    using Reader = ExpressionReader<RunDomain>;
    static constexpr const auto& kOperators = lessons::kOperators;
    static constexpr std::string_view kPrefixes = "!-";
    static constexpr bool kTernary = false;
    // Parentheses in each other, and signs before a value; more are refused.
    static constexpr std::size_t kMostNested = 200, kMostPrefixes = 200;

    std::string_view text;
    const Library& library;
    const Show* show = nullptr;
    Runs* runs = nullptr;
    std::map<std::string, double, std::less<>> variables = {};

    [[noreturn]] static void misplaced(std::size_t at, std::string what) {
        throw Problem(std::move(what), "", "", fmt::format("{}", at + 1));
    }
    [[noreturn]] void misread(Misread wrong, std::size_t at, std::string_view sign) const {
        if (wrong == Misread::too_deep) misplaced(at, "The expression is nested too deeply");
        if (wrong == Misread::missing) misplaced(at, fmt::format("'{}' is missing", sign));
        if (at == text.size()) misplaced(at, "The expression ends too early");
        const std::size_t length = wrong == Misread::no_operand ? 1 : text.size() - at;
        misplaced(at, fmt::format("'{}' is out of place", text.substr(at, length)));
    }

    static bool truth(double value) { return value != 0; }
    double number(std::string_view digits, std::size_t at) const {
        double value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (const auto length = static_cast<std::size_t>(end - digits.data());
            error != std::errc{} || length < digits.size())
            misread(Misread::leftover, at + length, {});
        return value;
    }
    static double prefix(char sign, double value, bool) {
        return sign == '-' ? -value : double(value == 0);
    }
    static double infix(const Operator& operation, double a, double b, std::size_t at,
                        bool matters) {
        if (!matters) return 0;
        if ((operation.sign == "/" || operation.sign == "%") && b == 0)
            misplaced(at, "That would divide by zero");
        return operation.value(a, b);
    }
    double name(std::string_view word, std::size_t at, bool matters) {
        if (!matters) return 0;
        const auto local = variables.find(word);
        return local != variables.end() ? local->second : fact(word, {}, *show, *runs, at + 1);
    }

    double call(Reader& reader, std::string_view word, std::size_t at, bool matters) {
        if (word == "count" || word == "sum" || word == "most" || word == "least")
            return range(reader, word, at, matters);
        // What differs may come last, so the arguments are read for it before they are worked out.
        const std::size_t start = reader.at();
        Changes changes;
        (void)arguments(reader, changes, false);
        std::string n, input;
        for (const auto& [key, value] : changes) {
            if (key == "n") n = value;
            if (key == "input") input = value;
        }
        if (!n.empty() && !input.empty()) check_count(n, input);
        if (!matters) return 0;
        Show other = *show;
        for (const auto& [key, value] : changes)
            set_key(other, key, value);
        const Show* const here = std::exchange(show, &other);
        reader.seek(start);
        const std::vector<double> values = arguments(reader, changes, true);
        show = here;
        return fact(word, values, other, *runs, at + 1);
    }

  private:
    using Changes = std::vector<std::pair<std::string, std::string>>;  // keys of Show, values

    // Those that are numbers, as far as ")".
    std::vector<double> arguments(Reader& reader, Changes& changes, bool matters) const {
        std::vector<double> values;
        if (reader.take(")")) return values;
        do {
            if (!kernel(reader, changes) && !change(reader, changes))
                values.push_back(reader.expression(matters));
        } while (reader.take(","));
        reader.need(")");
        return values;
    }

    // "relaunch" or "start.cl" as an argument: with the hyphens that kernels have.
    bool kernel(Reader& reader, Changes& changes) const {
        const std::string_view rest = reader.rest();
        const std::string_view name =
            rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."));
        if (name.empty() || !library.has(name)) return false;
        changes.emplace_back("kernel", name);
        reader.seek(reader.at() + name.size());
        return true;
    }

    // "n=1024" as an argument; a value with commas stands in quotes.
    bool change(Reader& reader, Changes& changes) const {
        const std::size_t begin = reader.at();
        std::string key(reader.word());
        const bool toggle = is_toggle(key);
        if (key.empty() || !(toggle || is_show_key(key)) || reader.rest().starts_with("==") ||
            !reader.take("=")) {
            reader.seek(begin);
            return false;
        }
        const bool quoted = reader.take("\"");
        const std::size_t start = reader.at();
        const std::size_t end = text.find_first_of(quoted ? "\"" : ",)", start);
        if (end == std::string_view::npos) misplaced(start, "The value does not end");
        std::string value(text.substr(start, end - start));
        while (!value.empty() && value.back() == ' ')
            value.pop_back();
        reader.seek(quoted ? end + 1 : end);
        if (toggle) {
            value = key + "=" + value;
            key = "set";
        }
        Show any;
        set_key(any, key, value);  // whether it can be read
        changes.emplace_back(std::move(key), std::move(value));
        return true;
    }

    // count(i = 0..7, …)
    double range(Reader& reader, std::string_view word, std::size_t at, bool matters) {
        const std::string variable(reader.word());
        if (variable.empty()) misplaced(reader.at(), "A name is missing, as in count(i = 0..7, …)");
        reader.need("=");
        const double first = std::ceil(reader.expression(matters));
        reader.need("..");
        const double last = reader.expression(matters);
        reader.need(",");
        if (matters && last - first > 100'000) misplaced(at, "The range is too long");
        const std::size_t body = reader.at();
        (void)reader.expression(false);
        const std::size_t end = reader.at();
        const auto outer = variables.find(variable);
        const std::optional<double> before =
            outer != variables.end() ? std::optional(outer->second) : std::nullopt;
        double result = word == "most"    ? -std::numeric_limits<double>::infinity()
                        : word == "least" ? std::numeric_limits<double>::infinity()
                                          : 0;
        for (double i = first; matters && i <= last; ++i) {
            variables[variable] = i;
            reader.seek(body);
            const double value = reader.expression(true);
            if (word == "count") result += value != 0 ? 1 : 0;
            if (word == "sum") result += value;
            if (word == "most") result = std::max(result, value);
            if (word == "least") result = std::min(result, value);
        }
        if (before)
            variables[variable] = *before;
        else
            variables.erase(variable);
        reader.seek(end);
        reader.need(")");
        return result;
    }
};

}  // namespace

Expression::Expression(std::string text, const Library& library) : text_(std::move(text)) {
    RunDomain domain{text_, library};
    (void)RunDomain::Reader(text_, domain).whole(false);
}

double Expression::operator()(const Show& show, Runs& runs,
                              const std::map<std::string, double>& variables) const {
    if (text_.empty()) return 0;
    RunDomain domain{text_, runs.library(), &show, &runs, {variables.begin(), variables.end()}};
    return RunDomain::Reader(text_, domain).whole();
}

std::string text_of(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return fmt::format("{:.0f}", number);
    const bool large = std::abs(number) >= 1e4 && std::abs(number) < 1e15;
    return large ? fmt::format("{:.1f}", number) : fmt::format("{:.4g}", number);
}

}  // namespace lab::lessons
