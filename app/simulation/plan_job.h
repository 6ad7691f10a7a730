// A launch plan of the catalogue as a job for the machine.
#pragma once

#include <vector>

#include "catalogue/plan.h"
#include "lang/text/compile.h"
#include "machine/job.h"

namespace lab::simulation {

// What plans may know of the machine: its compute units are its resident groups.
Target target_of(const machine::Config& config);

// The kernel's code with the operator, type and toggles of `shape`. Throws Problem with every error
// of the text.
lang::Code compile(const Variant& variant, const Shape& shape);

// All buffers and launches of `plan`, which is not empty. Elements of the input are the leaves of
// lineage; where the plan iterates, the cells that it begins with are.
machine::Job job_of(const Variant& variant, const Shape& shape, const Plan& plan,
                    const Values& input, const machine::Config& config);

// The buffer that holds the elements at the beginning.
std::size_t start_of(const Plan& plan);

machine::Scalar scalar_of(Type type);
Values values_from(Type type, const std::vector<std::byte>& bytes);

}  // namespace lab::simulation
