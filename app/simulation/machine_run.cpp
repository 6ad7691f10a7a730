#include "simulation/machine_run.h"

#include <algorithm>

#include "analysis/races/hazard_search.h"
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

}  // namespace

std::shared_ptr<MachineRun> play_on_machine(Subject subject, const std::atomic<bool>* cancel) {
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
        made->variant = simulate(*of.variant, of.shape, of.machine, recording);
        made->run = made->variant.run.get();
        made->table = table_of(*of.variant, made->variant, of.machine);
    } else {
        machine::Job job = job_of(of.user_kernel, of.machine.config);
        job.budget = of.machine.budget;
        for (const machine::Buffer& buffer : job.buffers)
            check_steppable(buffer.bytes / lang::info(buffer.element).bytes);
        made->own = std::make_unique<machine::Run>(std::move(job), of.machine.order, recording);
        made->run = made->own.get();
        UserKernelResult result = result_of(of.user_kernel, *made->own, of.machine);
        made->table = std::move(result.table);
        made->buffers = std::move(result.buffers);
        if (made->table.rows.empty()) made->table.rows.emplace_back();  // without any buffer
    }
    if (made->run == nullptr) return made;
    if (made->run->cancelled()) throw run_cancelled();
    if (made->run->fault()) made->fault = made->run->problem(*made->run->fault());
    return made;
}

void add_insight(MachineRun& machine_run) {
    const auto detector = std::move(machine_run.detector);
    if (machine_run.run == nullptr || detector == nullptr) return;
    machine::Run& run = *machine_run.run;
    machine_run.row_ends = row_ends(machine_run.table, run);
    machine_run.line_ends = line_ends(run);
    std::vector<analysis::ScheduleHazards> found{{"", hazards_of(run, *detector)}};
    if (!holds_for_all_schedules(run, *detector))
        for (analysis::ScheduleHazards& each :
             analysis::hazards_elsewhere(run.machine().job(), machine_run.subject.machine.order))
            found.push_back(std::move(each));
    machine_run.hazards = merged(found, analysis::ExampleFrom::first_schedule);
    machine_run.prints = analysis::printed_texts(run);
    machine_run.activity = analysis::item_activity(run);
    machine_run.lanes = analysis::lanes_of(run);
    machine_run.timeline = analysis::timeline_of(run);
    machine_run.lines = analysis::line_costs(run);
    machine_run.marks = marks_of(machine_run);
}

std::shared_ptr<MachineRun> run_on_machine(Subject subject, const std::atomic<bool>* cancel) {
    auto run = play_on_machine(std::move(subject), cancel);
    add_insight(*run);
    return run;
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
