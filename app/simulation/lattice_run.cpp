#include "simulation/lattice_run.h"

#include <fmt/format.h>

#include "analysis/rows.h"
#include "simulation/cancelled.h"
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

}  // namespace

struct LatticeInParts::Run {
    std::unique_ptr<analysis::LatticeObserver> observer;
    Simulation variant;                 // of a variant
    std::unique_ptr<machine::Run> own;  // of a user kernel
    machine::Run* run() const { return own ? own.get() : variant.run.get(); }
};

LatticeInParts::LatticeInParts(Subject subject, const std::atomic<bool>* cancel,
                               std::atomic<float>* progress)
    : subject_(std::move(subject)), cancel_(cancel), progress_(progress) {}
LatticeInParts::~LatticeInParts() = default;

void LatticeInParts::begin() {
    auto begun = std::make_unique<Run>();
    machine::Recording recording;
    recording.trace = false;
    recording.cancel = cancel_;
    const auto watch = [&](std::size_t start) {
        begun->observer = std::make_unique<analysis::LatticeObserver>(start, progress_);
        recording.observers = {begun->observer.get()};
    };
    const Options& options = subject_.machine;
    if (subject_.variant) {
        const catalogue::Variant& variant = *subject_.variant;
        const catalogue::Shape& shape = subject_.shape;
        if (shape.n.value_or(0) > kMostLatticeElements)
            throw Problem(fmt::format("{} elements are too many for the lattice", *shape.n),
                          fmt::format("It shows up to {}", kMostLatticeElements),
                          "Choose a smaller n; measure takes any size", "--n");
        Prepared ready = prepare(variant, shape, options);
        std::size_t start = 0;
        if (!ready.plan.launches.empty()) {
            start = start_of(ready.plan);
            check_start(ready.job, start);
        }
        watch(start);
        begun->variant = begun_simulation(std::move(ready), options, recording);
    } else {
        machine::Job job = job_of(subject_.user_kernel, options.config);
        if (job.buffers.empty())
            throw Problem("There is nothing to be shown of this kernel",
                          "A row of the lattice is a buffer, and none was given",
                          "Give it a buffer to work on");
        job.budget = options.budget;
        const std::size_t start = start_of(job);
        check_start(job, start);
        watch(start);
        begun->own = machine::Run::begun(std::move(job), options.order, recording);
    }
    run_ = std::move(begun);
}

std::optional<analysis::Lattice> LatticeInParts::go_on() {
    if (!run_)
        begin();
    else if (machine::Run* run = run_->run(); run == nullptr || !run->go_on(kPartActions))
        return end();
    return std::nullopt;
}

analysis::Lattice LatticeInParts::end() {
    const machine::Run* run = run_->run();
    if (run != nullptr && run->cancelled()) throw run_cancelled();
    if (!subject_.variant)
        return with_head(*run_->observer, head_of(subject_.user_kernel, *run, subject_.machine));
    finish(run_->variant);
    analysis::StepTable head = head_of(*subject_.variant, run_->variant, subject_.machine);
    return run != nullptr ? with_head(*run_->observer, std::move(head))
                          : elements_of(run_->variant, std::move(head));
}

analysis::Lattice lattice_of(Subject subject, const std::atomic<bool>* cancel) {
    LatticeInParts parts(std::move(subject), cancel);
    while (true)
        if (auto lattice = parts.go_on()) return std::move(*lattice);
}

}  // namespace lab::simulation
