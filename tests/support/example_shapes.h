// The shipped variants and shapes of them, for tests.
#pragma once

#include <map>
#include <string>

#include "analysis/simulate.h"
#include "support/shipped_kernels.h"

namespace lab::analysis {

using catalogue::shipped;

inline catalogue::Shape shape_of(const std::string& input, std::uint64_t group,
                                 std::map<std::string, std::string> set = {}) {
    catalogue::Shape shape;
    shape.input = catalogue::parse_input(input);
    shape.group = group;
    shape.set = std::move(set);
    return shape;
}

inline SimulatorOptions options_of(std::uint32_t lanes, std::uint32_t resident,
                                   machine::SchedulingPolicy::Kind kind, std::uint64_t seed = 1) {
    SimulatorOptions options;
    options.config.lanes = lanes;
    options.config.resident = resident;
    options.order.kind = kind;
    options.order.seed = seed;
    return options;
}

inline const SimulatorOptions kClassroom =
    options_of(4, 2, machine::SchedulingPolicy::Kind::round_robin);

inline Simulation simulate(const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                           const SimulatorOptions& options,
                           const machine::Recording& recording = {}) {
    return simulate(RunSpec{kernel, shape, options}, recording);
}

inline analysis::StepTable table_of(const catalogue::Kernel& kernel, const Simulation& simulation,
                                    const SimulatorOptions& options) {
    RunSpec spec;
    spec.kernel = kernel;
    spec.machine = options;
    return table_of(spec, simulation);
}

inline machine::Job job_of(const catalogue::LaunchForm& form) {
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(form);
    return job_of(spec);
}

}  // namespace lab::analysis
