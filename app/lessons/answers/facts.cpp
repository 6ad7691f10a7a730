#include "lessons/answers/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/rows/pass_numbers.h"
#include "analysis/rows/trace_walk.h"
#include "simulation/plan_job.h"

namespace lab::lessons {
namespace {

// A page asks of a few numbers in a few groups. What is larger is bounded rather than waited for.
constexpr std::uint64_t kMostStates = 400'000;
constexpr std::uint64_t kMostBytes = 256ULL << 20U;
// Instructions: a run that never ends is soon stopped. One that ends takes a few for each number
// and work-item, even if a single item does all of it.
constexpr std::uint64_t kBudget = 100'000, kBudgetEach = 1000;
constexpr std::size_t kMostKept = 64;  // runs

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

const analysis::PassActivity* activity_of(const simulation::MachineRun& run,
                                          const analysis::Row& row) {
    for (const analysis::PassActivity& each : run.activity)
        if (static_cast<int>(each.launch) + 1 == row.launch &&
            (row.number == 0 || each.pass == row.number))
            return &each;
    return nullptr;
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

const catalogue::Plan* Facts::plan() {
    if (!subject_.variant) return nullptr;
    if (!plan_) {
        const catalogue::Values input =
            subject_.shape.n.value_or(0) > simulation::kMostSteppedElements
                ? catalogue::Values()
                : make_values(subject_.shape.input, subject_.shape.type, subject_.shape.n,
                              subject_.shape.op);
        const auto n =
            std::max<std::uint64_t>(subject_.shape.n.value_or(0), catalogue::count_of(input));
        const catalogue::Target target = simulation::target_of(subject_.machine.config);
        plan_ = make_plan(*subject_.variant,
                          small_shape(*subject_.variant, subject_.shape, n, target), n, target);
    }
    return &*plan_;
}

std::uint64_t Facts::elements() {
    if (subject_.shape.n) return *subject_.shape.n;
    return table().rows.front().cells.size();
}

std::uint64_t Facts::budget() {
    std::uint64_t most =
        std::max(subject_.shape.n.value_or(0), subject_.user_kernel.global.items());
    if (const catalogue::Plan* known = plan())
        for (const catalogue::Launch& launch : known->launches)
            most = std::max(most, launch.global);
    return kBudget + kBudgetEach * std::min(most, simulation::kMostSteppedElements);
}

const simulation::MachineRun& Facts::run() {
    (void)plain_run();
    simulation::add_insight(*run_);
    return *run_;
}

const simulation::MachineRun& Facts::plain_run() {
    if (!run_) {
        subject_.machine.budget = budget();
        run_ = simulation::play_on_machine(subject_);
    }
    return *run_;
}

std::string Facts::result() {
    if (subject_.variant) return table().result;
    if (plain_run().own == nullptr || plain_run().fault) return {};
    const machine::Run& own = *plain_run().own;
    return without_name(simulation::result_text(own.machine(), own.end()));
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

const analysis::Account& Facts::account() {
    if (!account_) {
        const auto lineage = simulation::whole_lineage(plain_run().variant);
        account_ = lineage ? lineage->account : analysis::Account();
        work_ = lineage ? analysis::work_of(*plain_run().run, lineage->nodes) : analysis::Work();
    }
    return *account_;
}

const analysis::Work& Facts::work() {
    (void)account();
    return *work_;
}

analysis::Outcomes Facts::search(bool shortest) {
    simulation::Subject all = subject_;
    all.machine.budget = budget();
    simulation::Ready ready = simulation::ready_for(all);
    if (!shortest && !in_lockstep_ && all.machine.config.lanes > 1 &&
        !simulation::has_sub_groups(ready.job)) {
        if (!all.machine.target) all.machine.target = simulation::target_of(all.machine.config);
        all.machine.config.lanes = 1;
        ready = simulation::ready_for(all);
    }
    analysis::OutcomesOptions options;
    options.most_states = kMostStates;
    options.most_bytes = kMostBytes;
    options.samples = 200;
    options.shortest = shortest;
    analysis::Outcomes outcomes = analysis::outcomes_of(ready.job, ready.ending, options);
    if (!subject_.variant)
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

std::uint64_t Facts::certainly_passed(std::uint32_t group, std::size_t row) {
    if (!ahead_) {
        simulation::Subject subject = subject_;
        subject.machine.order = machine::parse_order("in-order");
        subject.machine.budget = budget();
        ahead_ = simulation::play_on_machine(subject);
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
    const analysis::PassActivity* slots = activity_of(run(), pass);
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
    const simulation::MachineRun& made = plain_run();
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
    auto facts = std::make_unique<Facts>(subject_of(show, library_), show.in_lockstep);
    if (facts_.size() >= kMostKept) facts_.erase(facts_.begin());
    facts_.emplace_back(std::move(key), std::move(facts));
    return *facts_.back().second;
}

const simulation::MachineRun& shown_run(const Show& show, Runs& runs) {
    Facts& facts = runs.facts(show);
    return show.panel.empty() ? facts.plain_run() : facts.run();
}

}  // namespace lab::lessons
