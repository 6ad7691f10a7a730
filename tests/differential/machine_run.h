// A generated kernel on the machine.
#pragma once

#include <cstddef>
#include <vector>

#include "generate.h"
#include "machine/run.h"

namespace lab::differential {

struct MachineRun {
    std::string problem;                          // empty: it ran through
    std::vector<std::vector<std::byte>> buffers;  // as they are at the end
};

MachineRun run_on_machine(const GeneratedKernel& kernel, const machine::Config& config,
                          const machine::SchedulingPolicy& order, bool lineage);

}  // namespace lab::differential
