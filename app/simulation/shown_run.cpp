#include "simulation/shown_run.h"

#include <algorithm>
#include <numeric>

#include "analysis/outcomes.h"
#include "analysis/shortest_schedule.h"
#include "analysis/witness.h"
#include "simulation/plan_job.h"
#include "simulation/subject.h"

namespace lab::simulation {
namespace {

using machine::Order;

constexpr std::uint64_t kMostExplained = 1024;  // elements: of more no search is over soon enough
constexpr std::uint64_t kRandomRuns = 200;
constexpr std::uint64_t kRandomActions = 2'000'000;  // in all random runs together
constexpr std::uint64_t kWrongStates = 100'000;      // of a search for a wrong result
constexpr std::uint32_t kMostPermuted = 4;           // groups of which all orders are tried

Order in_order(std::vector<std::vector<std::uint32_t>> groups = {}) {
    Order order;
    order.kind = Order::Kind::in_order;
    order.groups = std::move(groups);
    return order;
}

Order listed(std::vector<machine::Turn> turns, const char* name) {
    Order order;
    order.kind = Order::Kind::list;
    order.turns = std::move(turns);
    order.name = name;
    return order;
}

// What runtimes do: group after group in some order, each work-item up to its next barrier; or all
// groups side by side.
std::vector<Order> likely_orders(const machine::Job& job) {
    std::vector<Order> orders{in_order()};
    Order round_robin;
    round_robin.kind = Order::Kind::round_robin;
    orders.push_back(round_robin);
    std::uint64_t most = 1;
    for (const machine::Launch& launch : job.launches)
        most = std::max(most, launch.range.groups());
    if (most < 2) return orders;
    if (most > kMostPermuted) {
        std::vector<std::vector<std::uint32_t>> reversed;
        for (const machine::Launch& launch : job.launches) {
            auto& groups = reversed.emplace_back(launch.range.groups());
            std::iota(groups.rbegin(), groups.rend(), 0U);
        }
        orders.push_back(in_order(std::move(reversed)));
        return orders;
    }
    std::vector<std::uint32_t> groups(most);
    std::iota(groups.begin(), groups.end(), 0U);
    while (std::next_permutation(groups.begin(), groups.end())) {
        std::vector<std::vector<std::uint32_t>> all;
        for (const machine::Launch& launch : job.launches) {
            all.emplace_back();
            for (const std::uint32_t group : groups)
                if (group < launch.range.groups()) all.back().push_back(group);
        }
        orders.push_back(in_order(std::move(all)));
    }
    return orders;
}

class Chooser {
  public:
    // `subject.machine`: the run that is asked for.
    Chooser(Subject subject, const analysis::StepTable* device, const std::atomic<bool>* cancel)
        : subject_(std::move(subject)), device_(device), cancel_(cancel) {
        made_.options = subject_.machine;
        if (!made_.options.target) made_.options.target = target_of(made_.options.config);
        const Ready ready = ready_for(subject_);
        std::uint64_t elements = 0;
        if (ready.variant) {
            races_ = ready.variant->plan.expect == catalogue::Expect::races;
            elements = catalogue::count_of(ready.variant->input);
        } else {
            for (const machine::Buffer& buffer : ready.job.buffers)
                elements += buffer.bytes / lang::info(buffer.element).bytes;
        }
        small_ = elements <= kMostExplained && !ready.job.launches.empty();
        lockstep_ =
            !ready.job.launches.empty() && lang::depends_on_lanes(*ready.job.launches.front().code);
    }

    ShownRun choose(bool automatic) {
        made_.witness.origin =
            automatic ? analysis::Witness::Origin::usual : analysis::Witness::Origin::chosen;
        if (device_ != nullptr) judge();
        if (automatic && made_.witness.verdict == analysis::Witness::Verdict::explained)
            follow_device();
        if (automatic && races_ && small_ && !goes_wrong()) show_wrong();
        return std::move(made_);
    }

  private:
    bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }

    Ready prepared(const machine::Config& config) const {
        Subject subject = subject_;
        subject.machine = made_.options;
        subject.machine.config = config;
        return ready_for(subject);
    }

    // The buffer of the first row.
    static std::size_t start_of_rows(const Ready& ready) {
        return ready.variant ? start_of(ready.variant->plan) : start_of(ready.job);
    }

    analysis::StepTable rows(const Options& options) const {
        machine::Recording recording;
        recording.cancel = cancel_;
        if (subject_.variant)
            return table_of(*subject_.variant,
                            simulate(*subject_.variant, subject_.shape, options, recording),
                            options);
        Subject subject = subject_;
        subject.machine = options;
        const machine::Run run(ready_for(subject).job, options.order, recording);
        return result_of(subject.user_kernel, run, options).table;
    }

    // What the device says of the run that was asked for.
    void judge() {
        analysis::Witness& witness = made_.witness;
        witness.device = device_->device;
        witness.result = device_->result;
        witness.right = device_->right;
        witness.note = device_->note;
        witness.rows = *device_;
        const analysis::StepTable shown = rows(made_.options);
        right_ = shown.right;
        fault_ = !shown.fault.empty();
        witness.agreement = agreement_of(*device_, shown);
        using Kind = analysis::Agreement::Kind;
        // Rows until it stopped say nothing of how it would end.
        if (witness.agreement.kind == Kind::unknown || (fault_ && agrees(witness.agreement))) {
            witness.verdict = analysis::Witness::Verdict::unknown;
        } else if (agrees(witness.agreement)) {
            witness.verdict = analysis::Witness::Verdict::same;
            if (made_.witness.origin == analysis::Witness::Origin::usual && races_)
                made_.witness.origin = analysis::Witness::Origin::device;
        } else {
            look_for_schedule();
            witness.verdict = witness.like_device ? analysis::Witness::Verdict::explained
                                                  : analysis::Witness::Verdict::unexplained;
        }
    }

    // The machines on which the device's rows may come, the most general one last.
    std::vector<machine::Config> machines() const {
        std::vector<machine::Config> configs{made_.options.config};
        machine::Config all = configs.front();
        all.resident = 0;
        if (lockstep_ && device_->machine) all.lanes = device_->machine->lanes;
        configs.push_back(all);
        all.lanes = 1;
        if (!lockstep_) configs.push_back(all);
        const auto same = [](const machine::Config& a, const machine::Config& b) {
            return a.lanes == b.lanes && a.resident == b.resident;
        };
        configs.erase(std::unique(configs.begin(), configs.end(), same), configs.end());
        return configs;
    }

    void look_for_schedule() {
        if (!small_) return;
        const std::vector<machine::Config> all = machines();
        for (const machine::Config& config : all) {
            const Ready ready = prepared(config);
            for (Order& order : likely_orders(ready.job)) {
                if (cancelled()) return;
                if (!gives_rows(ready.job, start_of_rows(ready), order, *device_, cancel_))
                    continue;
                machine::Recording recording;
                recording.lineage = false;
                const machine::Run run(ready.job, order, recording);
                made_.witness.like_device = {config, machine::turns_of(run.trace())};
                return;
            }
        }
        for (const machine::Config& config : all) {
            const Ready ready = prepared(config);
            analysis::ExplainOptions search;
            search.cancel = cancel_;
            analysis::Explanation found =
                explain(ready.job, start_of_rows(ready), *device_, search);
            made_.witness.complete = found.complete;
            if (!found.turns) continue;
            made_.witness.like_device = {config, std::move(*found.turns)};
            return;
        }
    }

    void follow_device() {
        analysis::Witness& witness = made_.witness;
        made_.options.config = witness.like_device->config;
        made_.options.order = listed(std::move(witness.like_device->turns), analysis::kAsOnDevice);
        witness.like_device.reset();
        witness.origin = analysis::Witness::Origin::device;
        witness.verdict = analysis::Witness::Verdict::same;
        const analysis::StepTable shown = rows(made_.options);
        right_ = shown.right;
        witness.agreement = agreement_of(*device_, shown);
    }

    // Whether the run that is to be shown does already.
    bool goes_wrong() {
        if (device_ == nullptr) {
            const analysis::StepTable shown = rows(made_.options);
            right_ = shown.right;
            fault_ = !shown.fault.empty();
        }
        return fault_ || !right_;
    }

    void show_wrong() {
        for (const machine::Config& config : wrong_machines()) {
            std::optional<std::vector<machine::Turn>> turns = wrong_turns(config);
            if (!turns) continue;
            made_.options.config = config;
            made_.options.order = listed(std::move(*turns), analysis::kGoesWrong);
            analysis::Witness& witness = made_.witness;
            witness.origin = analysis::Witness::Origin::goes_wrong;
            if (device_ == nullptr) return;
            witness.agreement = agreement_of(*device_, rows(made_.options));
            if (witness.verdict != analysis::Witness::Verdict::unexplained)
                witness.verdict = analysis::Witness::Verdict::lucky;
            return;
        }
    }

    std::vector<machine::Config> wrong_machines() const {
        std::vector<machine::Config> configs{made_.options.config, made_.options.config};
        configs.back().resident = 0;
        if (!lockstep_) configs.back().lanes = 1;
        return configs;
    }

    std::optional<std::vector<machine::Turn>> wrong_turns(const machine::Config& config) const {
        const Ready ready = prepared(config);
        machine::Machine machine(ready.job, false);
        std::uint64_t effort = kRandomActions;
        for (std::uint64_t seed = 1; seed <= kRandomRuns; ++seed) {
            const auto run = random_run(machine, ready.ending, seed, nullptr, cancel_, effort);
            if (!run) break;
            if (run->end && !run->end->fault && run->end->ending.right == false) return run->turns;
        }
        analysis::OutcomesOptions search;
        search.most_states = kWrongStates;
        search.most_effort = analysis::kSecondOfEffort;
        search.samples = 0;
        search.shortest = false;
        search.cancel = cancel_;
        for (analysis::PossibleResult& each : outcomes_of(ready.job, ready.ending, search).results)
            if (!each.fault && !each.never_ends && each.ending.right == false)
                return std::move(each.turns);
        return std::nullopt;
    }

    Subject subject_;
    const analysis::StepTable* device_;
    const std::atomic<bool>* cancel_;
    bool races_ = false, small_ = false, lockstep_ = false;
    bool right_ = false, fault_ = false;  // of the run that is to be shown
    ShownRun made_;
};

}  // namespace

ShownRun shown_run(const catalogue::Variant& variant, const catalogue::Shape& shape,
                   const Options& asked, bool automatic, const analysis::StepTable* device,
                   const std::atomic<bool>* cancel) {
    Subject subject;
    subject.variant = variant;
    subject.shape = shape;
    subject.machine = asked;
    return Chooser(std::move(subject), device, cancel).choose(automatic);
}

ShownRun shown_run(const UserKernel& kernel, const Options& asked, bool automatic,
                   const analysis::StepTable* device, const std::atomic<bool>* cancel) {
    Subject subject;
    subject.user_kernel = kernel;
    subject.machine = asked;
    return Chooser(std::move(subject), device, cancel).choose(automatic);
}

}  // namespace lab::simulation
