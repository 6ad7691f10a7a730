// A variant on the machine with many elements, as a Lattice.
#pragma once

#include <atomic>

#include "analysis/rows/lattice.h"
#include "simulation/simulate.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

inline constexpr std::uint64_t kMostLatticeElements = 65'536;

// Runs it and keeps no trace. Throws Problem where the variant cannot be reduced so, for more than
// kMostLatticeElements, and where `cancel` was set meanwhile. A fault of the kernel is told in the
// head; the rows are those before it. `progress` gets the share that is done, about.
analysis::Lattice lattice_of(const catalogue::Variant& variant, const catalogue::Shape& asked,
                             const Options& options, const std::atomic<bool>* cancel = nullptr,
                             std::atomic<float>* progress = nullptr);

// The same of a user kernel, whose result nobody knows.
analysis::Lattice lattice_of(const UserKernel& kernel, const Options& options,
                             const std::atomic<bool>* cancel = nullptr,
                             std::atomic<float>* progress = nullptr);

}  // namespace lab::simulation
