#include "analysis/lattice_run.h"

#include <fmt/format.h>

#include "analysis/machine_run.h"
#include "analysis/rows.h"

namespace lab::analysis {
namespace {

// Where nothing had to be run, the elements are all that there is.
Lattice elements_of(const Simulation& simulation, StepTable head) {
    Lattice lattice;
    lattice.head = std::move(head);
    const machine::Job& job = simulation.job();
    lattice.width = job.n;
    LatticeRow& row = lattice.rows.emplace_back();
    row.cells.assign(lattice.width, static_cast<std::uint8_t>(CellState::input));
    LatticeArray& array = lattice.arrays.emplace_back();
    array.element = catalogue::scalar_of(job.type);
    array.cells = lattice.width;
    if (!job.buffers.empty()) array.initial = job.buffers[job.start].initial;
    lattice.head.rows.emplace_back();
    return lattice;
}

Lattice with_head(LatticeObserver& observer, StepTable head) {
    Lattice lattice = observer.take();
    head.stale_known = observer.stale_known();
    head.rows = std::move(lattice.head.rows);
    lattice.head = std::move(head);
    return lattice;
}

}  // namespace

struct LatticeInParts::Run {
    std::unique_ptr<LatticeObserver> observer;
    Simulation simulation;
};

LatticeInParts::LatticeInParts(RunSpec spec, const std::atomic<bool>* cancel,
                               std::atomic<float>* progress)
    : spec_(std::move(spec)), cancel_(cancel), progress_(progress) {}
LatticeInParts::~LatticeInParts() = default;

void LatticeInParts::begin() {
    auto begun = std::make_unique<Run>();
    machine::Recording recording;
    recording.trace = false;
    recording.cancel = cancel_;
    if (!spec_.kernel.by_form() && spec_.shape.n.value_or(0) > kMostLatticeElements)
        throw Problem(fmt::format("{} elements are too many for the lattice", *spec_.shape.n),
                      fmt::format("It shows up to {}", kMostLatticeElements),
                      "Choose a smaller n; measure takes any size", "--n");
    machine::Job job = job_of(spec_);
    if (!job.launches.empty() && job.buffers.empty())
        throw Problem("There is nothing to be shown of this kernel",
                      "A row of the lattice is a buffer, and none was given",
                      "Give it a buffer to work on");
    const std::uint64_t cells = job.launches.empty() ? 0 : job.buffers[job.start].cells();
    if (cells > kMostLatticeCells)
        throw Problem(fmt::format("{} cells are too many for the lattice", cells),
                      fmt::format("It shows up to {} in a row", kMostLatticeCells),
                      "Choose fewer elements");
    begun->observer = std::make_unique<LatticeObserver>(job.start, progress_);
    recording.observers = {begun->observer.get()};
    begun->simulation = begun_simulation(std::move(job), spec_.machine.order, recording);
    run_ = std::move(begun);
}

std::optional<Lattice> LatticeInParts::go_on() {
    if (!run_)
        begin();
    else if (machine::Run* run = run_->simulation.run.get();
             run == nullptr || !run->go_on(kPartActions))
        return end();
    return std::nullopt;
}

Lattice LatticeInParts::end() {
    Simulation& simulation = run_->simulation;
    if (simulation.run && simulation.run->cancelled()) throw run_cancelled();
    finish(simulation);
    StepTable head = head_of(spec_, simulation);
    return simulation.run ? with_head(*run_->observer, std::move(head))
                          : elements_of(simulation, std::move(head));
}

Lattice lattice_of(RunSpec spec, const std::atomic<bool>* cancel) {
    LatticeInParts parts(std::move(spec), cancel);
    while (true)
        if (auto lattice = parts.go_on()) return std::move(*lattice);
}

}  // namespace lab::analysis
