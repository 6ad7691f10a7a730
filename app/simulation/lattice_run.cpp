#include "simulation/lattice_run.h"

#include <fmt/format.h>

#include "analysis/rows/lattice_observer.h"
#include "simulation/plan_job.h"

namespace lab::simulation {
namespace {

// Where nothing had to be run, the elements are all that there is.
analysis::Lattice elements_of(const Simulation& simulation, analysis::StepTable head) {
    analysis::Lattice lattice;
    lattice.head = std::move(head);
    lattice.width = catalogue::count_of(simulation.input);
    analysis::LatticeRow& row = lattice.rows.emplace_back();
    row.cells.assign(lattice.width, static_cast<std::uint8_t>(analysis::CellState::input));
    analysis::LatticeArray& array = lattice.arrays.emplace_back();
    array.element = scalar_of(simulation.shape.type);
    array.cells = lattice.width;
    array.initial = bytes_in(simulation.input);
    lattice.head.rows.emplace_back();
    return lattice;
}

machine::Recording recording_for(analysis::LatticeObserver& observer,
                                 const std::atomic<bool>* cancel) {
    machine::Recording recording;
    recording.trace = false;
    recording.observers = {&observer};
    recording.cancel = cancel;
    return recording;
}

analysis::Lattice with_head(analysis::LatticeObserver& observer, analysis::StepTable head) {
    analysis::Lattice lattice = observer.take();
    head.stale_known = observer.stale_known();
    head.rows = std::move(lattice.head.rows);
    lattice.head = std::move(head);
    return lattice;
}

void check_start(const machine::Job& job, std::size_t start) {
    const machine::Buffer& buffer = job.buffers[start];
    const std::uint64_t cells = buffer.bytes / lang::info(buffer.element).bytes;
    if (cells > analysis::kMostLatticeCells)
        throw Problem(fmt::format("{} cells are too many for the lattice", cells),
                      fmt::format("It shows up to {} in a row", analysis::kMostLatticeCells),
                      "Choose fewer elements");
}

void check_whole(const machine::Run& run) {
    if (run.cancelled())
        throw Problem("The run was cancelled", "", "Change anything to run it again", "",
                      Exit::done);
}

}  // namespace

analysis::Lattice lattice_of(const catalogue::Variant& variant, const catalogue::Shape& asked,
                             const Options& options, const std::atomic<bool>* cancel,
                             std::atomic<float>* progress) {
    if (asked.n.value_or(0) > kMostLatticeElements)
        throw Problem(fmt::format("{} elements are too many for the lattice", *asked.n),
                      fmt::format("It shows up to {}", kMostLatticeElements),
                      "Choose a smaller n; measure takes any size", "--n");
    std::size_t start = 0;
    {
        const Prepared ready = prepare(variant, asked, options);
        if (!ready.plan.launches.empty()) {
            start = start_of(ready.plan);
            check_start(ready.job, start);
        }
    }
    analysis::LatticeObserver observer(start, progress);
    const Simulation run = simulate(variant, asked, options, recording_for(observer, cancel));
    if (run.run) check_whole(*run.run);
    analysis::StepTable head = head_of(variant, run, options);
    return run.run ? with_head(observer, std::move(head)) : elements_of(run, std::move(head));
}

analysis::Lattice lattice_of(const UserKernel& kernel, const Options& options,
                             const std::atomic<bool>* cancel, std::atomic<float>* progress) {
    machine::Job job = job_of(kernel, options.config);
    if (job.buffers.empty())
        throw Problem("There is nothing to be shown of this kernel",
                      "A row of the lattice is a buffer, and none was given",
                      "Give it a buffer to work on");
    job.budget = options.budget;
    const std::size_t start = start_of(job);
    check_start(job, start);
    analysis::LatticeObserver observer(start, progress);
    const machine::Run run(std::move(job), options.order, recording_for(observer, cancel));
    check_whole(run);
    return with_head(observer, head_of(kernel, run, options));
}

analysis::Lattice lattice_of(const Subject& subject) {
    return subject.variant ? lattice_of(*subject.variant, subject.shape, subject.machine)
                           : lattice_of(subject.user_kernel, subject.machine);
}

}  // namespace lab::simulation
