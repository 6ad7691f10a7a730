#include "analysis/races/hazard_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "analysis/outcomes/conflicts.h"
#include "lang/code/dependence.h"
#include "lang/tree/function.h"

namespace lab::analysis {
namespace {

using machine::Order;
using machine::Run;

constexpr std::uint64_t kRandomSchedules = 4;
constexpr std::uint64_t kQuickSteps = 2'000'000;  // a tenth of a second or so
constexpr std::uint64_t kPerCompared = 4;         // instructions that take what a comparison takes
constexpr std::size_t kMostHazards = 1000;

using LinePair = std::tuple<std::string, std::uint32_t, std::uint32_t, bool>;

LinePair lines_of(const Hazard& hazard) {
    const std::uint32_t a = hazard.sides.front().line;
    const std::uint32_t b = hazard.sides.size() > 1 ? hazard.sides.back().line : 0;
    return {hazard.sides.front().file, std::min(a, b), std::max(a, b), hazard.across_groups};
}

bool is_race(const Hazard& hazard) {
    return hazard.severity == Hazard::Severity::race;
}
machine::Recording watched(RaceDetector& detector, const std::atomic<bool>* cancel) {
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    recording.observers.push_back(&detector);
    recording.cancel = cancel;
    return recording;
}

bool depends_on_lanes(const machine::Job& job) {
    return std::any_of(job.launches.begin(), job.launches.end(),
                       [](const machine::Launch& each) { return depends_on_lanes(*each.code); });
}

std::string lanes_text(std::uint32_t lanes) {
    return lanes == 1 ? std::string("independent items (1 lane)") : fmt::format("{} lanes", lanes);
}

// What lockstep hides is looked for with fewer lanes, the most first.
class Unhiding {
  public:
    Unhiding(const machine::Job& job, std::vector<Order> orders, const HazardSearchOptions& options,
             std::uint64_t steps)
        : job_(job), orders_(std::move(orders)), options_(options), steps_(steps) {}

    void run(std::vector<Hazard>& hazards) {
        for (Hazard& each : hazards)
            if (each.lockstep_lanes > 0) hidden_[lines_of(each)] = &each;
        if (hidden_.empty()) return;
        if (depends_on_lanes(job_)) {
            for (auto& [lines, hazard] : hidden_)
                hazard->hidden += "; OpenCL promises no lockstep";
            return;
        }
        std::uint64_t widest = 1;
        for (const machine::Launch& each : job_.launches)
            widest = std::max(widest, each.range.group_items());
        auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(job_.config.lanes, widest));
        while (lanes > 1 && !hidden_.empty() && !cancelled()) {
            lanes = std::bit_floor(lanes - 1);
            try_with(lanes);
        }
        for (auto& [lines, hazard] : hidden_)
            hazard->hidden +=
                ": no schedule that was tried with fewer lanes shows it, but no order is "
                "promised";
    }

  private:
    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    void try_with(std::uint32_t lanes) {
        machine::Job job = job_;
        job.config.lanes = lanes;
        for (const Order& order : orders_) {
            // Turns are of warps as wide as they were.
            if (order.kind == Order::Kind::list || hidden_.empty() || cancelled()) continue;
            if (steps_ > options_.most_steps) return;
            RaceDetector detector;
            const Run run(job, order, watched(detector, options_.cancel));
            steps_ += run.end().steps + kPerCompared * detector.compared();
            for (const Hazard& each : hazards_of(run, detector)) {
                const auto found = hidden_.find(lines_of(each));
                if (found == hidden_.end() || !each.shown) continue;
                found->second->hidden += fmt::format(": with {} it shows (--order {})",
                                                     lanes_text(lanes), text_of(order));
                hidden_.erase(found);
            }
        }
    }

    const machine::Job& job_;
    const std::vector<Order> orders_;
    const HazardSearchOptions& options_;
    std::uint64_t steps_;
    std::map<LinePair, Hazard*> hidden_;
};

}  // namespace

std::vector<Hazard> merged(const std::vector<ScheduleHazards>& found, ExampleFrom from) {
    std::map<LinePair, std::size_t> places;
    std::vector<Hazard> hazards;
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::map<LinePair, bool> counted;  // of this schedule
        for (Hazard each : found[i].hazards) {
            each.schedule = found[i].schedule;
            each.schedules = 1;
            each.here = i == 0;
            const auto [at, news] = places.try_emplace(lines_of(each), hazards.size());
            const bool again = !counted.try_emplace(at->first, true).second;
            if (news) {
                hazards.push_back(std::move(each));
                continue;
            }
            Hazard& known = hazards[at->second];
            // A race counts where it is one; a note on the same lines is none.
            const bool alike = is_race(known) == is_race(each);
            const std::uint64_t schedules = alike            ? known.schedules + (again ? 0 : 1)
                                            : is_race(known) ? known.schedules
                                                             : 1;
            const bool here = alike            ? known.here || each.here
                              : is_race(known) ? known.here
                                               : each.here;
            const bool hides = is_race(known) && is_race(each) && known.lockstep_lanes > 0 &&
                               each.lockstep_lanes > 0;
            // Where they differ in one schedule, the order of two stores does make a difference.
            const bool differs = known.note == kSameValue && is_race(each) && each.note.empty();
            const bool stays =
                from == ExampleFrom::first_schedule && known.here && is_race(known) && !differs;
            if (known.note == kSameValue && each.note == kSameValue && known.index == each.index &&
                known.object == each.object &&
                known.sides.front().value != each.sides.front().value) {
                known.note.clear();
                known.what =
                    "Both write the same value in this run; in another schedule it is another one";
            }
            if (rank(each) < rank(known) && !stays) known = std::move(each);
            known.schedules = schedules;
            known.here = here;
            if (!hides && !stays && known.lockstep_lanes > 0 && alike) {
                known.lockstep_lanes = 0;
                known.hidden.clear();
            }
        }
    }
    std::stable_sort(hazards.begin(), hazards.end(),
                     [](const Hazard& a, const Hazard& b) { return rank(a) < rank(b); });
    return hazards;
}

std::vector<Order> orders_to_try(const Order& first) {
    std::vector<Order> orders{first};
    const auto add = [&](Order::Kind kind, std::uint64_t seed) {
        if (first.kind == kind && first.groups.empty() &&
            (kind != Order::Kind::random || first.seed == seed))
            return;
        Order order;
        order.kind = kind;
        order.seed = seed;
        orders.push_back(std::move(order));
    };
    add(Order::Kind::in_order, 0);
    add(Order::Kind::reversed, 0);
    add(Order::Kind::round_robin, 0);
    for (std::uint64_t seed = 1; seed <= kRandomSchedules; ++seed)
        add(Order::Kind::random, seed);
    return orders;
}

std::string TriedSchedule::text() const {
    return text_of(order) + (independent ? " --lanes 1" : "");
}

std::vector<TriedSchedule> schedules_to_try(const machine::Job& job, const Order& first) {
    std::vector<TriedSchedule> trials;
    for (Order& each : orders_to_try(first))
        trials.push_back({std::move(each), false});
    if (job.config.lanes == 1 || depends_on_lanes(job)) return trials;
    for (std::size_t i = 0, count = trials.size(); i < count; ++i)
        if (trials[i].order.kind !=
            Order::Kind::list)  // its turns are of warps as wide as they were
            trials.push_back({trials[i].order, true});
    return trials;
}

bool holds_for_all_schedules(const Run& run, const RaceDetector& detector) {
    if (run.fault() || run.cancelled() || detector.forgot() || detector.handed_over()) return false;
    const machine::Job& job = run.machine().job();
    if (accesses_depend_on_data(job)) return false;
    for (const machine::Launch& launch : job.launches)
        for (const lang::Instruction& each : launch.code->instructions)
            // Whether it writes depends on what it finds.
            if (each.op == lang::Op::atomic &&
                static_cast<lang::Builtin>(each.extra) == lang::Builtin::atomic_cmpxchg)
                return false;
    return true;
}

bool for_these_numbers(const machine::Job& job) {
    return std::any_of(job.launches.begin(), job.launches.end(), [](const machine::Launch& each) {
        return accesses_depend_on_numbers(*each.code);
    });
}

HazardsElsewhere::HazardsElsewhere(const machine::Job& job, const Order& shown) : job_(job) {
    for (TriedSchedule& each : schedules_to_try(job, shown))
        if (each.independent || text_of(each.order) != text_of(shown))
            left_.push_back(std::move(each));
    std::reverse(left_.begin(), left_.end());
}

void HazardsElsewhere::begin_next() {
    schedule_ = left_.back().text();
    machine::Job job = job_;
    if (left_.back().independent) job.config.lanes = 1;
    detector_ = std::make_unique<RaceDetector>();
    run_ = Run::begun(std::move(job), std::move(left_.back().order), watched(*detector_, nullptr));
    left_.pop_back();
}

bool HazardsElsewhere::go_on(std::uint64_t actions) {
    if (!run_ && left_.empty()) return false;
    if (!run_) begin_next();
    if (run_->go_on(actions)) return true;
    found_.push_back({schedule_, hazards_of(*run_, *detector_)});
    steps_ += run_->end().steps + kPerCompared * detector_->compared();
    if (steps_ > kQuickSteps) left_.clear();
    run_.reset();
    return !left_.empty();
}

std::vector<ScheduleHazards> hazards_elsewhere(const machine::Job& job, const Order& shown) {
    HazardsElsewhere search(job, shown);
    while (search.go_on(UINT64_MAX)) {
    }
    return search.found();
}

HazardSearch search_hazards(const machine::Job& job, const Order& order,
                            const HazardSearchOptions& options) {
    HazardSearch search;
    std::vector<TriedSchedule> trials = schedules_to_try(job, order);
    if (!options.others) trials.resize(1);
    search.for_these_numbers = for_these_numbers(job);
    std::vector<ScheduleHazards> found;
    std::set<LinePair> in_lockstep;
    std::uint64_t steps = 0, longest = 0;
    for (const TriedSchedule& each : trials) {
        if (!found.empty() && steps + longest > options.most_steps) break;
        // Whoever touches the same cells under every schedule does so without lockstep, too.
        if (each.independent && search.all_schedules) break;
        RaceDetector detector;
        machine::Job trial = job;
        if (each.independent) trial.config.lanes = 1;
        const Run run(std::move(trial), each.order, watched(detector, options.cancel));
        const std::uint64_t took = run.end().steps + kPerCompared * detector.compared();
        steps += took;
        longest = std::max(longest, took);
        const bool first = found.empty();
        if (run.cancelled()) {
            search.cancelled = true;
            if (!first) break;
        }
        if (run.fault() && first) search.fault = run.problem(*run.fault());
        if (run.fault() && !first) ++search.unfinished;
        if (first) search.all_schedules = holds_for_all_schedules(run, detector);
        search.left_out = search.left_out || detector.left_out();
        search.forgot = search.forgot || detector.forgot();
        found.push_back({each.text(), hazards_of(run, detector)});
        if (!each.independent)
            for (const Hazard& hazard : found.back().hazards)
                if (is_race(hazard)) in_lockstep.insert(lines_of(hazard));
        search.independent += each.independent ? 1 : 0;
        search.schedules.push_back(found.back().schedule);
        if (search.fault || search.cancelled) break;
        const bool racy = races_in(found.back().hazards) > 0;
        if (racy ? options.first_race : search.all_schedules) break;
    }
    // What lockstep hides keeps its words, though independent items show it.
    std::vector<Hazard> hidden =
        merged({found.begin(), found.end() - static_cast<std::ptrdiff_t>(search.independent)});
    std::erase_if(hidden, [](const Hazard& each) { return each.lockstep_lanes == 0; });
    if (options.others && !options.first_race && !search.fault && !search.cancelled)
        Unhiding(job, orders_to_try(order), options, steps).run(hidden);
    search.hazards = merged(found);
    for (Hazard& each : search.hazards) {
        const LinePair lines = lines_of(each);
        each.independent_only =
            search.independent > 0 && is_race(each) && !in_lockstep.contains(lines);
        const auto kept = std::find_if(hidden.begin(), hidden.end(),
                                       [&](const Hazard& one) { return lines_of(one) == lines; });
        if (kept == hidden.end()) continue;
        kept->schedules = each.schedules;
        each = std::move(*kept);
        hidden.erase(kept);
    }
    std::stable_sort(search.hazards.begin(), search.hazards.end(),
                     [](const Hazard& a, const Hazard& b) { return rank(a) < rank(b); });
    if (search.hazards.size() > kMostHazards) {
        search.hazards.resize(kMostHazards);
        search.left_out = true;
    }
    return search;
}

}  // namespace lab::analysis
