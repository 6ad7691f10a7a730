#include "device/device_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ranges.h"
#include "catalogue/kernel.h"
#include "device/benchmark_cases.h"
#include "device/device.h"

namespace lab::device {
namespace {

constexpr const char* kNotOptimised =
    "Compiled without optimisation: with it the device's compiler gets the recording wrong";
constexpr int kAttempts = 3;  // a busy machine may have kept a group waiting, or spinning, once

// Waits of work-items for other groups, in all rounds; of more, whole launches are shown.
constexpr std::uint64_t kMostWaits = 256;

// Its values are what a device can tell; who wrote them, and of what, is the simulator's to say.
std::vector<analysis::Row> values_alone(std::vector<analysis::Row> rows) {
    for (analysis::Row& row : rows)
        for (analysis::Cell& cell : row.cells) {
            analysis::Cell bare;
            bare.value = cell.value;
            cell = std::move(bare);
        }
    return rows;
}

// Recorded and replayed; nothing if a spin of it gave up each time, or it was too long.
std::optional<DeviceRun> recorded(DeviceCase& device_case, Optimise optimise, bool& gave_up) {
    const auto recorder = device_case.recorder({true, false}, optimise);
    bool ended = false;
    for (int attempt = 1; attempt <= kAttempts && !ended; ++attempt)
        try {
            ended = recorder->run(0);
        } catch (const TooLong&) {  // maybe only since it was spinning for long
            if (!device_case.job().stuck || attempt == kAttempts) throw;
        }
    gave_up = !ended;
    if (gave_up) return {};
    analysis::RecordedRun run = recorded_by(*recorder);
    if (run.launches.empty()) return {};
    DeviceRun result;
    result.outcome = device_case.outcome(run.after);
    run.result = result.outcome.result;
    result.optimised = optimise == first_choice(device_case.device());
    if (!result.optimised) result.note = kNotOptimised;
    machine::Job job = device_case.simulator_job();
    analysis::Replay replay = analysis::replay(job, run);
    result.difference = std::move(replay.difference);
    result.differs = std::move(replay.differs);
    if (!result.difference.empty()) return result;
    result.turns = machine::text_of(replay.turns);
    analysis::RunSpec spec = device_case.spec();
    spec.machine.order.kind = machine::SchedulingPolicy::Kind::list;
    spec.machine.order.turns = std::move(replay.turns);
    analysis::Simulation simulation =
        analysis::begun_simulation(std::move(job), spec.machine.order, {});
    simulation.run->go_on(UINT64_MAX);
    result.rows = values_alone(analysis::table_of(spec, simulation).rows);
    return result;
}

// What the run begins with.
analysis::Row start_of(const DeviceCase& device_case) {
    analysis::Row start;
    const machine::Job filled = device_case.simulator_job();
    if (!filled.buffers.empty()) start.cells = analysis::cells_of(filled.buffers[filled.start]);
    return start;
}

// What each launch leaves in the buffer that it shows, of one's own kernel in each of its buffers.
DeviceRun launch_by_launch(DeviceCase& device_case) {
    JobRun& run = device_case.plain();
    const catalogue::Job& job = run.job();
    const bool own = device_case.kernel().plan.form.has_value();
    DeviceRun result;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        result.rows = {start_of(device_case)};
        run.reset();
        for (std::size_t k = 0; k < job.launches.size(); ++k) {
            run.launch(k);
            const catalogue::Launch& launch = job.launches[k];
            for (std::size_t i = 0; i < job.buffers.size(); ++i) {
                if (!own && i != launch.shows) continue;
                machine::Buffer shown = job.buffers[i];
                if (!own) shown.bytes = launch.shows_count * lang::info(shown.element).bytes;
                shown.initial = run.read(i, shown.bytes);
                analysis::Row& row = result.rows.emplace_back();
                row.launch = static_cast<int>(k) + 1;
                row.variables = launch.variables;
                row.global = launch.range.items();
                row.local = launch.range.group_items();
                row.cells = analysis::cells_of(shown);
                row.origins_known = false;
                if (own) row.array = shown.name;
                if (own) row.shape = shown.shape;
            }
        }
        if (!run.stuck()) {
            result.outcome = device_case.outcome(run.contents());
            return result;
        }
    }
    throw device_case.not_resident();
}

// Whether recording leaves a kernel as right as it is, or as wrong.
bool is_alike(DeviceCase& device_case, const DeviceRun& run) {
    if (device_case.job().expect != catalogue::Expect::correct) return true;
    const auto plain = device_case.run_plainly();
    return !plain || plain->verdict.right == run.outcome.verdict.right;
}

}  // namespace

analysis::RecordedRun recorded_by(const Recorder& recorder) {
    analysis::RecordedRun run;
    run.launches = recorder.read();
    run.sites = recorder.text().sites;
    run.objects = recorder.text().objects;
    run.before = recorder.before();
    run.after = recorder.buffers();
    return run;
}

DeviceRun device_run(DeviceCase& device_case) {
    const catalogue::Job& job = device_case.job();
    if (job.right) analysis::check_steppable(job.n);
    if (job.launches.empty()) {
        DeviceRun nothing;
        nothing.outcome = device_case.outcome({});
        nothing.rows = {start_of(device_case)};
        return nothing;
    }
    std::optional<DeviceRun> run;
    std::string note;
    bool gave_up = false;
    try {
        const Optimise first = first_choice(device_case.device());
        const NDRange& range = job.launches.front().range;
        // Each look at what they wait for is an access that is recorded and takes a ticket from one
        // counter: on an H100 64 items in groups of 4 took 2 seconds for each round.
        if (job.stuck && range.groups() > 1 &&
            range.items() * std::max<std::uint64_t>(job.rounds, 1) > kMostWaits) {
            note = "Its groups wait for one another too often to be recorded";
        } else if (!job.stuck || range.groups() <= device_case.device().info.compute_units) {
            run = recorded(device_case, first, gave_up);
            if (gave_up)
                note = "Its groups wait for one another, and in each recorded run one gave up";
        }
        if (run && first == Optimise::yes &&
            (!run->difference.empty() || !is_alike(device_case, *run))) {
            std::optional<DeviceRun> again = recorded(device_case, Optimise::no, gave_up);
            if (again && again->difference.empty() && is_alike(device_case, *again))
                run = std::move(again);
        }
        if (run && run->difference.empty() && is_alike(device_case, *run)) return std::move(*run);
        if (run && !run->difference.empty())
            note = "The simulator does not go the way of the recorded run. " + run->difference;
        else if (run)
            note =
                "The recording is not what the kernel does. It gives another result when its "
                "accesses are recorded, so the device's compiler gets one of the two wrong";
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        note = fmt::format("{}. {}", problem.what_happened,
                           problem.why.substr(0, problem.why.find('\n')));
    }
    DeviceRun launches = launch_by_launch(device_case);
    if (!note.empty()) launches.note = fmt::format("Only whole launches are shown: {}", note);
    if (run) {
        launches.difference = std::move(run->difference);
        launches.differs = std::move(run->differs);
    }
    return launches;
}

analysis::StepTable table_of(const DeviceCase& device_case, DeviceRun run) {
    const catalogue::Job& job = device_case.job();
    const catalogue::Kernel& kernel = device_case.kernel();
    analysis::StepTable table;
    table.variant = kernel.id;
    table.title = kernel.title;
    table.n = job.n;
    table.group = job.group;
    table.source = "device";
    table.device = device_case.device().info.name;
    table.rows = std::move(run.rows);
    table.turns = std::move(run.turns);
    table.optimised = run.optimised;
    table.note = std::move(run.note);
    table.result = run.outcome.result;
    table.right = !job.right || run.outcome.verdict.right;
    if (!job.right) {
        const catalogue::Launch& launch = job.launches.front();
        table.variant = launch.code->kernel;
        table.space = IndexSpace(launch.range);
        if (!job.buffers.empty()) table.type = lang::info(job.buffers[job.start].element).name;
        return table;
    }
    table.op = name_of(job.op);
    table.type = info(job.type).name;
    table.settings = catalogue::settings_text(device_case.shape().set);
    table.expected = device_case.expected();
    table.parts = job.expect == catalogue::Expect::partial;
    table.exactness = exactness_of(run.outcome, *job.right);
    return table;
}

std::optional<analysis::Replay::Value> difference_of_launches(const DeviceRun& run,
                                                              const analysis::StepTable& here) {
    analysis::StepTable there;
    there.rows = run.rows;
    const analysis::Agreement agreement = agreement_of(there, here);
    if (agreement.kind != analysis::Agreement::Kind::differs) return {};
    analysis::Replay::Value value;
    value.launch = static_cast<std::size_t>(run.rows[agreement.row].launch) - 1;
    value.array = run.rows[agreement.row].array;
    value.cell = agreement.cell;
    value.device = agreement.device;
    value.simulator = agreement.machine;
    return value;
}

// The simulator runs it first, in a moment. Work-items of a launch with one's own kernel on a
// device; more are refused.
constexpr std::uint64_t kMostSimulatedItems = 65'536;
// Bytes of all buffers of a launch with one's own kernel; more are refused.
constexpr std::uint64_t kMostSimulatedBytes = std::uint64_t{1} << 22U;
// Instructions of a launch with one's own kernel; more are refused.
constexpr std::uint64_t kMostSimulatedInstructions = 10'000'000;

std::unique_ptr<machine::Run> simulated(machine::Job job) {
    const machine::Launch& launch = job.launches.front();
    const std::uint64_t bytes = sum_of(job.buffers, &machine::Buffer::bytes);
    if (launch.range.items() > kMostSimulatedItems ||
        launch.range.group_items() > job.config.max_group || bytes > kMostSimulatedBytes)
        return nullptr;
    job.budget = kMostSimulatedInstructions;
    const machine::SchedulingPolicy order = machine::usual_order(job.config);
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    auto run = std::make_unique<machine::Run>(std::move(job), order, recording);
    if (!run->fault()) return run;
    if (run->fault()->kind == machine::Fault::Kind::budget) return nullptr;
    const Problem fault = run->problem(*run->fault());
    throw Problem(fault.what_happened,
                  fault.why + (fault.why.empty() ? "" : ". ") + "So it is not run on the device",
                  fault.hint, fault.where, fault.exit);
}

DeviceCase::DeviceCase(const Device& device, catalogue::Kernel kernel,
                       const catalogue::Shape& asked, const Options& options)
    : device_(device), kernel_(std::move(kernel)) {
    if (const auto problem = lacking(device_.info, kernel_, asked)) throw Problem(*problem);
    if (kernel_.by_form()) {
        // Its faults must not get to the driver, so the simulator is asked before anything is
        // built.
        code_ = compile(kernel_, asked);
        target_ = target_of(device_.info);
        shape_ = asked;
        job_ = plan_job(kernel_, shape_, 0, target_, code_);
        job_.config.max_group = analysis::replay_options(target_).config.max_group;
        usual_ = simulated(job_);
        if (!usual_)
            throw Problem(
                "The launch is too large to be recorded",
                fmt::format("{}: the simulator has to replay every access",
                            lab::text_of(job_.launches.front().range)),
                "Choose a smaller launch: what races with thousands of work-items races with "
                "dozens",
                "--global");
        expected_ = analysis::contents_of(usual_->machine(), usual_->end());
        program_ = build(device_, kernel_, asked);
        return;
    }
    program_ = build(device_, kernel_, asked);
    target_ = options.target.value_or(target_of(device_.info, program_.group));
    check_fits(device_.info, asked.type, asked.n, "--n");
    if (asked.n.value_or(0) <= options.most)
        input_ = make_values(asked.input, asked.type, asked.n, asked.op);
    const std::uint64_t n = std::max(asked.n.value_or(0), catalogue::count_of(input_));
    if (n > options.most)
        throw Problem(
            fmt::format("{} elements are too many to be recorded", n),
            fmt::format("Every access is kept, and {} elements are the most", options.most),
            "Choose a smaller n: what races with thousands races with dozens", "--n");
    shape_ = small_shape(kernel_, asked, n, target_);
    job_ = plan_job(kernel_, shape_, n, target_);
    job_.right = right_for(job_, input_);
    expected_ = analysis::expected_of(job_);
    inputs_.emplace(device_, input_);
}

analysis::RunSpec DeviceCase::spec() const {
    return {kernel_, shape_, analysis::replay_options(target_)};
}

catalogue::Outcome DeviceCase::outcome(const std::vector<std::vector<std::byte>>& contents) const {
    if (job_.right && job_.launches.empty()) return outcome_without_launch(job_, input_);
    if (job_.right) return outcome_of(values_from(job_.type, contents[*job_.result]), job_);
    catalogue::Outcome outcome;
    outcome.result =
        analysis::contents_on_device(usual_->machine(), usual_->end(), contents, kUnwrittenByte);
    outcome.verdict.right = outcome.result == expected_;
    return outcome;
}

JobRun& DeviceCase::plain() {
    if (!plain_) plain_.emplace(device_, program_, job_, inputs_ ? &*inputs_ : nullptr);
    return *plain_;
}

std::optional<catalogue::Outcome> DeviceCase::run_plainly() {
    if (!try_run(plain())) return {};
    return job_.right ? outcome_of(plain().result_cells(), job_) : outcome(plain().contents());
}

std::unique_ptr<Recorder> DeviceCase::recorder(const lang::RecordOptions& options,
                                               Optimise optimise) {
    return std::make_unique<Recorder>(device_, kernel_, shape_, job_, inputs_ ? &*inputs_ : nullptr,
                                      options, optimise);
}

Problem DeviceCase::not_resident() const {
    return device::not_resident(kernel_, job_,
                                most_groups(device_, program_, kernel_, shape_, job_.n));
}

}  // namespace lab::device
