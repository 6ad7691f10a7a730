#include "simulation/shown_run.h"

#include <algorithm>

#include "analysis/outcomes.h"
#include "analysis/shortest_schedule.h"
#include "simulation/recorded_run.h"

namespace lab::simulation {
namespace {

using machine::Order;

constexpr std::uint64_t kMostSearched = 1024;  // elements: of more no search is over soon enough
constexpr std::uint64_t kRandomRuns = 200;
constexpr std::uint64_t kRandomActions = 2'000'000;  // in all random runs together
constexpr std::uint64_t kWrongStates = 100'000;      // of a search for a wrong result

Order listed(std::vector<machine::Turn> turns, const char* name) {
    Order order;
    order.kind = Order::Kind::list;
    order.turns = std::move(turns);
    order.name = name;
    return order;
}

class Chooser {
  public:
    // `spec.machine`: the run that is asked for.
    Chooser(RunSpec spec, const analysis::StepTable* device, const std::atomic<bool>* cancel)
        : spec_(std::move(spec)), device_(device), cancel_(cancel) {
        made_.options = spec_.machine;
        if (!made_.options.target) made_.options.target = target_of(made_.options.config);
        const machine::Job job = job_of(spec_);
        races_ = job.expect == catalogue::Expect::races;
        promised_ = job.expect == catalogue::Expect::correct;
        small_ = job.n <= kMostSearched && !job.launches.empty();
        if (job.launches.empty()) return;
        code_ = job.launches.front().code;
        lockstep_ = lang::depends_on_lanes(*code_);
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

    machine::Job job_on(const machine::Config& config) const {
        RunSpec spec = spec_;
        spec.machine = made_.options;
        spec.machine.config = config;
        return job_of(spec, code_);
    }

    analysis::StepTable rows(const SimulatorOptions& options) const {
        machine::Recording recording;
        recording.cancel = cancel_;
        RunSpec spec = spec_;
        spec.machine = options;
        Simulation simulation =
            begun_simulation(job_of(spec, code_), spec.machine.order, recording);
        if (simulation.run) simulation.run->go_on(UINT64_MAX);
        finish(simulation);
        return table_of(spec, simulation);
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
            witness.complete = promised_;
            if (!device_->turns.empty())
                witness.like_device = {replay_options(*made_.options.target).config,
                                       machine::parse_turns(device_->turns, "turns")};
            witness.verdict = witness.like_device ? analysis::Witness::Verdict::explained
                                                  : analysis::Witness::Verdict::unexplained;
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
        const machine::Job job = job_on(config);
        const analysis::EndingOf ending = ending_of(job);
        machine::Machine machine(job, false);
        std::uint64_t effort = kRandomActions;
        for (std::uint64_t seed = 1; seed <= kRandomRuns; ++seed) {
            const auto run = random_run(machine, ending, seed, nullptr, cancel_, effort);
            if (!run) break;
            if (run->end && !run->end->fault && run->end->ending.right == false) return run->turns;
        }
        analysis::OutcomesOptions search;
        search.most_states = kWrongStates;
        search.most_effort = analysis::kSecondOfEffort;
        search.samples = 0;
        search.shortest = false;
        search.cancel = cancel_;
        for (analysis::PossibleResult& each : outcomes_of(job, ending, search).results)
            if (!each.fault && !each.never_ends && each.ending.right == false)
                return std::move(each.turns);
        return std::nullopt;
    }

    RunSpec spec_;
    const analysis::StepTable* device_;
    const std::atomic<bool>* cancel_;
    catalogue::CompiledKernel code_;
    bool races_ = false;     // by its header
    bool promised_ = false;  // every order gives the same, by its header
    bool small_ = false, lockstep_ = false;
    bool right_ = false, fault_ = false;  // of the run that is to be shown
    ShownRun made_;
};

}  // namespace

ShownRun shown_run(const RunSpec& asked, bool automatic, const analysis::StepTable* device,
                   const std::atomic<bool>* cancel) {
    return Chooser(asked, device, cancel).choose(automatic);
}

}  // namespace lab::simulation
