#include "simulation/lattice_run.h"

#include <fmt/format.h>

#include <cstring>

#include "insight/lattice_observer.h"
#include "simulation/plan_job.h"

namespace lab::simulation {
namespace {

// Where nothing had to be run, the elements are all that there is.
Lattice elements_of(const Simulation& of) {
    Lattice made;
    made.width = count_of(of.input);
    LatticeRow& row = made.rows.emplace_back();
    row.cells.assign(made.width, static_cast<std::uint8_t>(CellState::input));
    LatticeArray& array = made.arrays.emplace_back();
    array.element = scalar_of(of.shape.type);
    array.cells = made.width;
    array.initial.resize(made.width * info(of.shape.type).bytes);
    if (made.width > 0) std::memcpy(array.initial.data(), bytes_of(of.input), array.initial.size());
    made.head.passes.emplace_back();
    return made;
}

}  // namespace

Lattice lattice_of(const Variant& variant, const Shape& asked, const Options& options,
                   const std::atomic<bool>* cancel, std::atomic<float>* progress) {
    if (asked.n.value_or(0) > kMostLatticeElements)
        throw Problem(fmt::format("{} elements are too many for the lattice", *asked.n),
                      fmt::format("It shows up to {}", kMostLatticeElements),
                      "Choose a smaller n; measure takes any size", "--n");
    std::size_t start = 0;
    {
        const Prepared ready = prepare(variant, asked, options);
        if (!ready.plan.launches.empty()) start = start_of(ready.plan);
    }
    LatticeObserver observer(start, progress);
    machine::Recording recording;
    recording.trace = false;
    recording.observers = {&observer};
    recording.cancel = cancel;
    const Simulation run = simulate(variant, asked, options, recording);
    if (run.run && run.run->cancelled())
        throw Problem("The run was cancelled", "", "Change anything to run it again", "",
                      Exit::done);
    Lattice made = run.run ? observer.take() : elements_of(run);
    std::vector<Pass> passes = std::move(made.head.passes);
    made.head = head_of(variant, run, options);
    made.head.passes = std::move(passes);
    if (run.run && observer.too_long_for_stale())
        made.head.note = "Stale reads are not looked for in so long a run";
    return made;
}

}  // namespace lab::simulation
