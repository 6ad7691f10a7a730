// Runs a variant on the machine with many elements, and makes a Lattice of it.
#pragma once

#include <atomic>

#include "analysis/rows/lattice.h"
#include "simulation/simulate.h"
#include "simulation/subject.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

inline constexpr std::uint64_t kMostLatticeElements = 65'536;

// Keeps no trace of the run. Throws Problem if the variant does not allow this shape, for more than
// kMostLatticeElements, and if `cancel` was set. A fault of the kernel is reported in the head; the
// rows are those before it. `progress` receives the share that is done, approximately.
analysis::Lattice lattice_of(const catalogue::Variant& variant, const catalogue::Shape& asked,
                             const Options& options, const std::atomic<bool>* cancel = nullptr,
                             std::atomic<float>* progress = nullptr);

// The same for a user kernel, whose right result is not known.
analysis::Lattice lattice_of(const UserKernel& kernel, const Options& options,
                             const std::atomic<bool>* cancel = nullptr,
                             std::atomic<float>* progress = nullptr);

// Of either.
analysis::Lattice lattice_of(const Subject& subject);

}  // namespace lab::simulation
