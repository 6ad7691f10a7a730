#include "simulation/machine_run.h"

#include <algorithm>

#include "analysis/rows/pass_numbers.h"
#include "simulation/cancelled.h"
#include "simulation/shown_run.h"

namespace lab::simulation {
namespace {

// For each row the time at which the last warp had done what the row shows.
std::vector<std::uint64_t> row_ends(const analysis::StepTable& table, const machine::Run& run) {
    const machine::Trace& trace = run.trace();
    const analysis::PassNumbers numbers(run);
    std::map<std::pair<int, std::uint32_t>, std::uint64_t> ends;  // by launch from 1, and pass
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        const int launch = static_cast<int>(action.launch) + 1;
        ends[{launch, 0}] = time + 1;
        if (action.kind != machine::ActionKind::barrier)
            ends[{launch, numbers.of(action.launch, action.pass)}] = time + 1;
    }
    std::vector<std::uint64_t> result;
    for (const analysis::Row& pass : table.rows)
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
    for (const analysis::StaleArc& arc : run.timeline.stale)
        marks.push_back({Mark::Kind::race, arc.read + 1});
    if (run.fault) marks.push_back({Mark::Kind::fault, run.actions()});
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.time < b.time; });
    return marks;
}

// With a run that has not begun, if there is anything to run.
std::shared_ptr<MachineRun> begun(Subject subject, const std::atomic<bool>* cancel) {
    auto made = std::make_shared<MachineRun>();
    made->subject = std::move(subject);
    made->detector = std::make_unique<analysis::RaceDetector>();
    const Subject& of = made->subject;
    machine::Recording recording;
    recording.flow = true;
    recording.most_events = kMostEvents;
    recording.observers.push_back(made->detector.get());
    recording.cancel = cancel;
    if (of.variant) {
        check_steppable(of.shape.n.value_or(0));
        made->variant = begun_simulation(*of.variant, of.shape, of.machine, recording);
        made->run = made->variant.run.get();
    } else {
        machine::Job job = job_of(of.user_kernel, of.machine.config);
        job.budget = of.machine.budget;
        for (const machine::Buffer& buffer : job.buffers)
            check_steppable(buffer.bytes / lang::info(buffer.element).bytes);
        made->own = machine::Run::begun(std::move(job), of.machine.order, recording);
        made->run = made->own.get();
    }
    return made;
}

void add_table(MachineRun& made) {
    const Subject& of = made.subject;
    if (made.run != nullptr && made.run->cancelled()) throw run_cancelled();
    if (of.variant) {
        finish(made.variant);
        made.table = table_of(*of.variant, made.variant, of.machine);
    } else {
        UserKernelResult result = result_of(of.user_kernel, *made.own, of.machine);
        made.table = std::move(result.table);
        made.buffers = std::move(result.buffers);
        if (made.table.rows.empty()) made.table.rows.emplace_back();  // without any buffer
    }
    if (made.run != nullptr && made.run->fault())
        made.fault = made.run->problem(*made.run->fault());
}

// Of the other orders that have to be run to know all hazards; empty if none has.
std::unique_ptr<analysis::HazardsElsewhere> elsewhere_of(const MachineRun& made) {
    if (holds_for_all_schedules(*made.run, *made.detector)) return nullptr;
    return std::make_unique<analysis::HazardsElsewhere>(made.run->machine().job(),
                                                        made.subject.machine.order);
}

void add_hazards(MachineRun& made, const analysis::HazardsElsewhere* elsewhere) {
    std::vector<analysis::ScheduleHazards> found{{"", hazards_of(*made.run, *made.detector)}};
    if (elsewhere != nullptr)
        found.insert(found.end(), elsewhere->found().begin(), elsewhere->found().end());
    made.hazards = merged(found, analysis::ExampleFrom::first_schedule);
    made.detector.reset();
}

void add_lanes(MachineRun& made) {
    made.row_ends = row_ends(made.table, *made.run);
    made.line_ends = line_ends(*made.run);
    made.prints = analysis::printed_texts(*made.run);
    made.activity = analysis::item_activity(*made.run);
    made.lanes = analysis::lanes_of(*made.run);
}

void add_timeline(MachineRun& made) {
    made.timeline = analysis::timeline_of(*made.run);
    made.lines = analysis::line_costs(*made.run);
    made.marks = marks_of(made);
}

}  // namespace

std::shared_ptr<MachineRun> play_on_machine(Subject subject, const std::atomic<bool>* cancel) {
    auto made = begun(std::move(subject), cancel);
    if (made->run != nullptr) made->run->go_on(UINT64_MAX);
    add_table(*made);
    return made;
}

void add_insight(MachineRun& machine_run) {
    if (machine_run.run == nullptr || machine_run.detector == nullptr) return;
    const auto elsewhere = elsewhere_of(machine_run);
    while (elsewhere && elsewhere->go_on(UINT64_MAX)) {  // all of it
    }
    add_hazards(machine_run, elsewhere.get());
    add_lanes(machine_run);
    add_timeline(machine_run);
}

std::shared_ptr<MachineRun> run_on_machine(Subject subject, const std::atomic<bool>* cancel) {
    auto run = play_on_machine(std::move(subject), cancel);
    add_insight(*run);
    return run;
}

RunInParts::RunInParts(Subject subject, const std::atomic<bool>* cancel)
    : subject_(std::move(subject)), cancel_(cancel) {}

std::shared_ptr<MachineRun> RunInParts::go_on() {
    if (cancel_ != nullptr && cancel_->load()) throw run_cancelled();
    switch (part_) {
        case Part::begin:
            made_ = begun(std::move(subject_), cancel_);
            part_ = made_->run != nullptr ? Part::play : Part::table;
            return nullptr;
        case Part::play:
            if (!made_->run->go_on(kPartActions)) part_ = Part::table;
            return nullptr;
        case Part::table:
            add_table(*made_);
            if (made_->run == nullptr) break;
            elsewhere_ = elsewhere_of(*made_);
            part_ = Part::elsewhere;
            return nullptr;
        case Part::elsewhere:
            if (elsewhere_ && elsewhere_->go_on(kPartActions)) return nullptr;
            add_hazards(*made_, elsewhere_.get());
            part_ = Part::lanes;
            return nullptr;
        case Part::lanes:
            add_lanes(*made_);
            part_ = Part::timeline;
            return nullptr;
        case Part::timeline:
            add_timeline(*made_);
            break;
    }
    return std::move(made_);
}

JudgedRun judge_run(const Subject& subject, bool automatic,
                    const std::optional<analysis::StepTable>& device,
                    const std::atomic<bool>* cancel) {
    JudgedRun run;
    if (!subject.variant) return run;
    ShownRun shown = shown_run(*subject.variant, subject.shape, subject.machine, automatic,
                               device ? &*device : nullptr, cancel);
    run.witness = std::move(shown.witness);
    using Origin = analysis::Witness::Origin;
    const bool found =
        run.witness.origin == Origin::goes_wrong ||
        (run.witness.origin == Origin::device && shown.options.order.name == analysis::kAsOnDevice);
    if (found) {
        Subject other = subject;
        other.machine = std::move(shown.options);
        run.run = run_on_machine(std::move(other), cancel);
    }
    return run;
}

}  // namespace lab::simulation
