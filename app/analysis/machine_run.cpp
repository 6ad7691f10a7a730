#include "analysis/machine_run.h"

#include <array>
#include <chrono>

#include <nlohmann/json.hpp>

#include "analysis/barriers.h"
#include "analysis/input_search.h"
#include "analysis/launch_guess.h"
#include "analysis/outcomes.h"
#include "analysis/recorded_run.h"
#include "analysis/rows.h"
#include "analysis/size_map.h"
#include "base/ranges.h"

namespace lab::analysis {
namespace {

// For each row the time at which the last warp had done what the row shows.
std::vector<std::uint64_t> row_ends(const StepTable& table, const machine::Run& run) {
    const machine::Trace& trace = run.trace();
    const PassNumbers numbers(run);
    std::map<std::pair<int, std::uint32_t>, std::uint64_t> ends;  // by launch from 1, and pass
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        const int launch = static_cast<int>(action.launch) + 1;
        ends[{launch, 0}] = time + 1;
        if (action.kind != machine::ActionKind::barrier)
            ends[{launch, numbers.of(action.launch, action.pass)}] = time + 1;
    }
    std::vector<std::uint64_t> result;
    for (const Row& pass : table.rows)
        result.push_back(pass.launch == 0 ? 0 : ends[{pass.launch, pass.number}]);
    if (!result.empty()) result.back() = trace.size();
    return result;
}

std::vector<std::uint64_t> line_ends(const machine::Run& run) {
    const machine::Trace& trace = run.trace();
    std::vector<std::uint64_t> numbers;
    const auto line = [&](std::uint64_t time) {
        const machine::Action& action = trace.action(time);
        return std::pair(action.launch,
                         run.machine().context(action.launch).code->places[action.place].line);
    };
    for (std::uint64_t time = 1; time <= trace.size(); ++time)
        if (time == trace.size() || line(time) != line(time - 1)) numbers.push_back(time);
    return numbers;
}

std::vector<Mark> marks_of(const MachineRun& run) {
    std::vector<Mark> marks;
    for (std::size_t i = 1; i + 1 < run.row_ends.size(); ++i) {
        const bool launch = run.table.rows[i].launch != run.table.rows[i + 1].launch;
        marks.push_back({launch ? Mark::Kind::launch : Mark::Kind::barrier, run.row_ends[i]});
    }
    for (const StaleArc& arc : run.timeline.stale)
        marks.push_back({Mark::Kind::race, arc.read + 1});
    if (run.fault) marks.push_back({Mark::Kind::fault, run.actions()});
    stable_sort(marks, [](const Mark& a, const Mark& b) { return a.time < b.time; });
    return marks;
}

// With a run that has not begun, if there is anything to run.
std::shared_ptr<MachineRun> begun(RunSpec spec, const std::atomic<bool>* cancel) {
    auto machine_run = std::make_shared<MachineRun>();
    machine_run->spec = std::move(spec);
    machine_run->detector = std::make_unique<RaceDetector>();
    machine::Recording recording;
    recording.flow = true;
    recording.most_events = kMostEvents;
    recording.observers.push_back(machine_run->detector.get());
    recording.cancel = cancel;
    const RunSpec& asked = machine_run->spec;
    if (!asked.kernel.by_form()) check_steppable(asked.shape.n.value_or(0));
    machine::Job job = job_of(asked);
    if (!job.right)
        for (const machine::Buffer& buffer : job.buffers)
            check_steppable(buffer.cells());
    machine_run->simulation = begun_simulation(std::move(job), asked.machine.order, recording);
    machine_run->run = machine_run->simulation.run.get();
    return machine_run;
}

void add_table(MachineRun& machine_run) {
    if (machine_run.run != nullptr && machine_run.run->cancelled()) throw run_cancelled();
    finish(machine_run.simulation);
    machine_run.table = table_of(machine_run.spec, machine_run.simulation);
    if (!machine_run.simulation.job().right) machine_run.buffers = buffers_of(*machine_run.run);
    if (machine_run.table.rows.empty()) machine_run.table.rows.emplace_back();  // without a buffer
    if (machine_run.run != nullptr && machine_run.run->fault())
        machine_run.fault = machine_run.run->problem(*machine_run.run->fault());
}

// Of the other orders that have to be run to know all hazards; empty if none has.
std::unique_ptr<RacesInOtherSchedules> elsewhere_of(const MachineRun& machine_run) {
    if (holds_for_all_schedules(*machine_run.run, *machine_run.detector)) return nullptr;
    return std::make_unique<RacesInOtherSchedules>(machine_run.run->machine().job(),
                                                   machine_run.spec.machine.order);
}

void add_hazards(MachineRun& machine_run, const RacesInOtherSchedules* elsewhere) {
    const ShownRows shown(*machine_run.run);
    std::vector<ScheduleHazards> found{
        {"", hazards_of(*machine_run.run, *machine_run.detector, &shown)}};
    if (elsewhere != nullptr)
        found.insert(found.end(), elsewhere->found().begin(), elsewhere->found().end());
    machine_run.hazards = merged(found, ExampleFrom::first_schedule);
    machine_run.caveats = caveats_of(machine_run.run->machine().job(), *machine_run.detector);
    machine_run.detector.reset();
}

void add_lanes(MachineRun& machine_run) {
    machine_run.row_ends = row_ends(machine_run.table, *machine_run.run);
    machine_run.line_ends = line_ends(*machine_run.run);
    machine_run.prints = printed_texts(*machine_run.run);
    machine_run.activity = item_activity(*machine_run.run);
    machine_run.lanes = lanes_of(*machine_run.run);
}

void add_timeline(MachineRun& machine_run) {
    machine_run.timeline = timeline_of(*machine_run.run);
    machine_run.lines = line_costs(*machine_run.run);
    machine_run.marks = marks_of(machine_run);
}

}  // namespace

std::shared_ptr<MachineRun> play_on_machine(RunSpec spec, const std::atomic<bool>* cancel) {
    auto machine_run = begun(std::move(spec), cancel);
    if (machine_run->run != nullptr) machine_run->run->go_on(UINT64_MAX);
    add_table(*machine_run);
    return machine_run;
}

void add_insight(MachineRun& machine_run) {
    if (machine_run.run == nullptr || machine_run.detector == nullptr) return;
    const auto elsewhere = elsewhere_of(machine_run);
    while (elsewhere && elsewhere->go_on(UINT64_MAX)) {  // all of it
    }
    add_hazards(machine_run, elsewhere.get());
    BarrierPlaces(machine_run.hazards, machine_run.spec).go_on(UINT64_MAX);
    add_lanes(machine_run);
    add_timeline(machine_run);
}

std::shared_ptr<MachineRun> run_on_machine(RunSpec spec, const std::atomic<bool>* cancel) {
    auto run = play_on_machine(std::move(spec), cancel);
    add_insight(*run);
    return run;
}

RunInParts::RunInParts(RunSpec spec, const std::atomic<bool>* cancel)
    : spec_(std::move(spec)), cancel_(cancel) {}

std::shared_ptr<MachineRun> RunInParts::go_on() {
    if (cancel_ != nullptr && cancel_->load()) throw run_cancelled();
    switch (part_) {
        case Part::begin:
            machine_run_ = begun(std::move(spec_), cancel_);
            part_ = machine_run_->run != nullptr ? Part::play : Part::table;
            return nullptr;
        case Part::play:
            if (!machine_run_->run->go_on(kPartActions)) part_ = Part::table;
            return nullptr;
        case Part::table:
            add_table(*machine_run_);
            if (machine_run_->run == nullptr) break;
            elsewhere_ = elsewhere_of(*machine_run_);
            part_ = Part::elsewhere;
            return nullptr;
        case Part::elsewhere:
            if (elsewhere_ && elsewhere_->go_on(kPartActions)) return nullptr;
            add_hazards(*machine_run_, elsewhere_.get());
            places_ = std::make_unique<BarrierPlaces>(machine_run_->hazards, machine_run_->spec);
            part_ = Part::places;
            return nullptr;
        case Part::places:
            if (!places_->go_on(kPartActions)) part_ = Part::lanes;
            return nullptr;
        case Part::lanes:
            add_lanes(*machine_run_);
            part_ = Part::timeline;
            return nullptr;
        case Part::timeline:
            add_timeline(*machine_run_);
            break;
    }
    return std::move(machine_run_);
}

JudgedRun judge_run(const RunSpec& spec, bool automatic, const std::optional<StepTable>& device,
                    const std::atomic<bool>* cancel) {
    JudgedRun run;
    ShownRun shown = shown_run(spec, automatic, device ? &*device : nullptr, cancel);
    run.witness = std::move(shown.witness);
    using Origin = DeviceComparison::Origin;
    const bool found =
        run.witness.origin == Origin::goes_wrong ||
        (run.witness.origin == Origin::device && shown.options.order.name == kAsOnDevice);
    if (found) {
        RunSpec other = spec;
        other.machine = std::move(shown.options);
        run.run = run_on_machine(std::move(other), cancel);
    }
    return run;
}

static Problem cancelled(const char* key, const char* what, const char* hint) {
    Problem problem(what, "", hint, "", Exit::done);
    problem.phrases.what = {key, {}, {}};
    problem.phrases.hint = {std::string(key) + ".hint", {}, {}};
    return problem;
}

Problem run_cancelled() {
    return cancelled("problem.run_cancelled", "The run was cancelled",
                     "Change anything, or press F5, to run it again");
}

Problem search_cancelled() {
    return cancelled("problem.search_cancelled", "The search was cancelled",
                     "Press F5 to search again");
}

namespace {

using machine::SchedulingPolicy;

// Elements of a race that is shown as it goes wrong; for more, no such run is searched.
constexpr std::uint64_t kMostSearched = 1024;
constexpr std::uint64_t kRandomRuns = 200;
constexpr std::uint64_t kRandomActions = 2'000'000;  // in all random runs together
constexpr std::uint64_t kWrongStates = 100'000;      // of a search for a wrong result

SchedulingPolicy listed(std::vector<machine::ScheduleSlice> turns, const char* name) {
    SchedulingPolicy order;
    order.kind = SchedulingPolicy::Kind::list;
    order.turns = std::move(turns);
    order.name = name;
    return order;
}

// True if a bounded wait was given up, as the kernel's own flag says.
bool gave_up(const machine::Machine& machine, const machine::State& state) {
    const std::optional<std::size_t>& stuck = machine.job().stuck;
    return stuck && machine.value(state, *stuck, 0) != 0;
}

class Chooser {
  public:
    // `spec.machine`: the run that is asked for.
    Chooser(RunSpec spec, const StepTable* device, const std::atomic<bool>* cancel)
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
            automatic ? DeviceComparison::Origin::usual : DeviceComparison::Origin::chosen;
        if (device_ != nullptr) judge();
        if (automatic && made_.witness.verdict == DeviceComparison::Verdict::explained)
            follow_device();
        if (automatic && races_ && small_) {
            if (device_ == nullptr) rows(made_.options);
            if (!wrong_) show_wrong();  // else it does already, and not only because it is unfair
        }
        return std::move(made_);
    }

  private:
    bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }

    // Also keeps what the run came to.
    StepTable rows(const SimulatorOptions& options) {
        machine::Recording recording;
        recording.cancel = cancel_;
        RunSpec spec = spec_;
        spec.machine = options;
        Simulation simulation =
            begun_simulation(job_of(spec, code_), spec.machine.order, recording);
        if (simulation.run) simulation.run->go_on(UINT64_MAX);
        finish(simulation);
        StepTable table = table_of(spec, simulation);
        wrong_ = !table.fault.empty() || !table.right;
        if (simulation.run && is_by_schedule(*simulation.run, options)) wrong_ = false;
        return table;
    }

    // True if a wait ended badly for want of turns, as it would in the whole kernel, too.
    static bool is_by_schedule(const machine::Run& run, const SimulatorOptions& options) {
        if (run.fault()) return run.fault()->by_schedule;
        using Kind = SchedulingPolicy::Kind;
        const Kind kind = options.order.kind;
        const std::uint32_t resident = options.config.resident;
        const bool at_once =
            resident == 0 || all_of(run.machine().job().launches, [&](const auto& launch) {
                return launch.range.groups() <= resident;
            });
        const bool all_get_turns = kind == Kind::round_robin || kind == Kind::random;
        return gave_up(run.machine(), run.end()) && !(all_get_turns && at_once);
    }

    // What the device says of the run that was asked for.
    void judge() {
        DeviceComparison& witness = made_.witness;
        witness.device = device_->device;
        witness.result = device_->result;
        witness.right = device_->right;
        witness.note = device_->note;
        witness.rows = *device_;
        const StepTable shown = rows(made_.options);
        witness.agreement = agreement_of(*device_, shown);
        // Rows until it stopped say nothing of how it would end.
        if (witness.agreement.kind == Agreement::Kind::unknown ||
            (!shown.fault.empty() && agrees(witness.agreement))) {
            witness.verdict = DeviceComparison::Verdict::unknown;
        } else if (agrees(witness.agreement)) {
            witness.verdict = DeviceComparison::Verdict::same;
            if (made_.witness.origin == DeviceComparison::Origin::usual && races_)
                made_.witness.origin = DeviceComparison::Origin::device;
        } else {
            witness.complete = promised_;
            if (!device_->turns.empty())
                witness.like_device = {
                    replay_options(*made_.options.target, made_.options.config).config,
                    machine::parse_turns(device_->turns, "turns")};
            witness.verdict = witness.like_device ? DeviceComparison::Verdict::explained
                                                  : DeviceComparison::Verdict::unexplained;
        }
    }

    void follow_device() {
        DeviceComparison& witness = made_.witness;
        made_.options.config = witness.like_device->config;
        made_.options.order = listed(std::move(witness.like_device->turns), kAsOnDevice);
        witness.like_device.reset();
        witness.origin = DeviceComparison::Origin::device;
        witness.verdict = DeviceComparison::Verdict::same;
        witness.agreement = agreement_of(*device_, rows(made_.options));
    }

    void show_wrong() {
        std::array configs{made_.options.config, made_.options.config};
        configs.back().resident = 0;
        if (!lockstep_) configs.back().lanes = 1;
        for (const machine::Config& config : configs) {
            std::optional<std::vector<machine::ScheduleSlice>> turns = wrong_turns(config);
            if (!turns) continue;
            made_.options.config = config;
            made_.options.order = listed(std::move(*turns), kGoesWrong);
            DeviceComparison& witness = made_.witness;
            witness.origin = DeviceComparison::Origin::goes_wrong;
            if (device_ == nullptr) return;
            witness.agreement = agreement_of(*device_, rows(made_.options));
            if (witness.verdict != DeviceComparison::Verdict::unexplained)
                witness.verdict = DeviceComparison::Verdict::lucky;
            return;
        }
    }

    std::optional<std::vector<machine::ScheduleSlice>> wrong_turns(
        const machine::Config& config) const {
        RunSpec spec = spec_;
        spec.machine = made_.options;
        spec.machine.config = config;
        const machine::Job job = job_of(spec, code_);
        // Where a wait was given up, the schedule is to blame, not what the kernel lacks.
        const EndingOf ending = [plain = ending_of(job)](const machine::Machine& machine,
                                                         const machine::State& state) {
            Ending end = plain(machine, state);
            if (gave_up(machine, state)) end = {"gave up", std::nullopt};
            return end;
        };
        machine::Machine machine(job, false);
        std::uint64_t effort = kRandomActions;
        for (std::uint64_t seed = 1; seed <= kRandomRuns; ++seed) {
            const auto run = random_run(machine, ending, seed, nullptr, cancel_, effort);
            if (!run) break;
            if (run->end && !run->end->fault && run->end->ending.right == false) return run->turns;
        }
        OutcomesOptions search;
        search.most_states = kWrongStates;
        search.most_effort = kSecondOfEffort;
        search.samples = 0;
        search.shortest = false;
        search.cancel = cancel_;
        for (PossibleResult& each : outcomes_of(job, ending, search).results)
            if (!each.fault && !each.never_ends && each.ending.right == false)
                return std::move(each.turns);
        return std::nullopt;
    }

    RunSpec spec_;
    const StepTable* device_;
    const std::atomic<bool>* cancel_;
    catalogue::CompiledKernel code_;
    bool races_ = false;     // by its header
    bool promised_ = false;  // every order gives the same, by its header
    bool small_ = false, lockstep_ = false;
    bool wrong_ = false;  // of the run that is to be shown
    ShownRun made_;
};

}  // namespace

ShownRun shown_run(const RunSpec& asked, bool automatic, const StepTable* device,
                   const std::atomic<bool>* cancel) {
    return Chooser(asked, device, cancel).choose(automatic);
}

catalogue::Catalogue kernels_for(const nlohmann::json& asked) {
    catalogue::Catalogue catalogue = catalogue::load_catalogue();
    if (const auto opened = asked.find("opened"); opened != asked.end())
        for (const nlohmann::json& file : *opened)
            add_opened(catalogue, parse_opened(catalogue, file.at("file").get<std::string>(),
                                               file.at("text").get<std::string>()));
    return catalogue;
}

static RunChoice choice_in(const nlohmann::json& asked) {
    RunChoice choice;
    choice.variant.clear();  // a request without a kernel is a mistake
    asked.get_to(choice);
    return choice;
}

catalogue::Kernel kernel_for(const nlohmann::json& asked) {
    return kernel_of(choice_in(asked), catalogue::load_catalogue());
}

nlohmann::json wrong_order_asked(const nlohmann::json& asked,
                                 const std::function<void(const nlohmann::json&)>&) {
    const RunSpec spec = spec_of(choice_in(asked), catalogue::load_catalogue());
    const ShownRun shown = shown_run(spec, true, nullptr);
    if (shown.witness.origin != DeviceComparison::Origin::goes_wrong) return nullptr;
    nlohmann::json found = shown.options.config.shape();
    found["turns"] = machine::text_of(shown.options.order.turns);
    return found;
}

nlohmann::json outcomes_asked(const nlohmann::json& asked,
                              const std::function<void(const nlohmann::json&)>& on_progress) {
    const RunSpec spec = spec_of(choice_in(asked), catalogue::load_catalogue());
    OutcomesOptions options;
    options.most_states = asked.value("states", options.most_states);
    if (!asked.contains("states")) options.most_effort = kSecondOfEffort;
    options.most_bytes = asked.value("bytes", options.most_bytes);
    options.samples = asked.value("samples", options.samples);
    options.on_progress = [&](const Outcomes& so_far) {
        on_progress({{"states", so_far.states},
                     {"samples", so_far.samples},
                     {"results", so_far.results.size()}});
    };
    const machine::Job job = job_of(spec);
    if (job.launches.empty())
        throw Problem("There is nothing to schedule", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    return judged_outcomes(job, options);
}

namespace {

nlohmann::json sizes_asked(const nlohmann::json& asked,
                           const std::function<void(const nlohmann::json&)>& on_progress) {
    constexpr auto kProgressInterval = std::chrono::milliseconds(100);
    const RunChoice choice = choice_in(asked);
    // One without a header is launched as the guess says.
    RunSpec spec = spec_of(choice, catalogue::load_catalogue());
    if (choice.user_kernel)
        spec =
            planned_run(planned_kernel(*choice.user_kernel, spec.machine), {}, spec.machine).spec;
    spec.shape.input = without_numbers(spec.shape.input);
    const auto [rows, columns] =
        sides_of(spec.kernel, asked.value("rows", ""), asked.value("columns", ""));
    SizeMapSearch search(spec, usual_axis(spec.kernel, rows), usual_axis(spec.kernel, columns));
    auto sent = std::chrono::steady_clock::now();
    while (search.go_on()) {
        if (std::chrono::steady_clock::now() < sent + kProgressInterval) continue;
        on_progress(search.map());
        sent = std::chrono::steady_clock::now();
    }
    return search.map();
}

// A launch that is told, and the header that it may have.
struct ToldLaunch {
    RunSpec spec;
    std::optional<PlannedKernel> planned;
};
ToldLaunch told_launch(const RunChoice& choice) {
    ToldLaunch told{spec_of(choice, catalogue::load_catalogue()), std::nullopt};
    if (choice.user_kernel)
        (void)thrown_by(
            [&] { told.planned = planned_kernel(*choice.user_kernel, told.spec.machine); });
    return told;
}

nlohmann::json inputs_asked(const nlohmann::json& asked,
                            const std::function<void(const nlohmann::json&)>&) {
    const RunChoice choice = choice_in(asked);
    const auto [spec, planned] = told_launch(choice);
    if (!planned || !varies_as_told(*planned, *choice.user_kernel, spec.machine))
        return search_inputs(spec);
    InputSearchOptions options;
    options.lengths_are_told = true;
    return search_inputs(planned_run(*planned, {}, spec.machine).spec, options);
}

// Where it is not known what a kernel reduces by, other sizes may not be meant.
nlohmann::json barriers_asked(const nlohmann::json& asked,
                              const std::function<void(const nlohmann::json&)>&) {
    const RunChoice choice = choice_in(asked);
    const auto [spec, planned] = told_launch(choice);
    if (choice.user_kernel && (!planned || !planned->judged)) return judge_barriers({spec});
    return judge_barriers(
        shapes_for_barriers(planned ? planned_run(*planned, {}, spec.machine).spec : spec));
}

}  // namespace

const std::map<std::string, RequestMethod>& requests() {
    static const std::map<std::string, RequestMethod> all{{"outcomes", outcomes_asked},
                                                          {"wrong_order", wrong_order_asked},
                                                          {"sizes", sizes_asked},
                                                          {"inputs", inputs_asked},
                                                          {"barriers", barriers_asked}};
    return all;
}

}  // namespace lab::analysis
