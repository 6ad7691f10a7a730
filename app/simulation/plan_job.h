// Turns a launch plan of the catalogue into a job for the machine.
#pragma once

#include <vector>

#include "analysis/step_table.h"
#include "catalogue/plan.h"
#include "lang/compile.h"
#include "machine/job.h"

namespace lab::simulation {

// What plans may know about the machine: its compute units are its resident groups.
catalogue::Target target_of(const machine::Config& config);

// The kernel's code with the operator, type and toggles of `shape`. Throws Problem with every error
// of the text.
lang::Code compile(const catalogue::Variant& variant, const catalogue::Shape& shape);

// All buffers and launches of `plan`, which must not be empty. The elements of the input are the
// leaves of lineage; if the plan iterates, the initial cells are.
machine::Job job_of(const catalogue::Variant& variant, const catalogue::Shape& shape,
                    const catalogue::Plan& plan, const catalogue::Values& input,
                    const machine::Config& config);

// The buffer that holds the elements at the start.
std::size_t start_of(const catalogue::Plan& plan);

machine::Scalar scalar_of(catalogue::Type type);
std::vector<std::byte> bytes_in(const catalogue::Values& values);
std::vector<analysis::Cell> cells_of(const catalogue::Values& values);

}  // namespace lab::simulation
