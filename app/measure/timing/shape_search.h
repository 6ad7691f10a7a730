// A short search for the fastest launch: changes one setting at a time and keeps the better.
#pragma once

#include "measure/timing/benchmark_cases.h"
#include "measure/timing/kept_shapes.h"
#include "measure/timing/programs.h"

namespace lab::measure {

// Coordinate descent over the header's `tune`, from `start`: each neighbour takes turns with the
// best so far, and replaces it if its median is 1 % lower. Ends when nothing helps any more, or
// after `limit_s` seconds. What does not build or run, or is wrong, is skipped. Throws Problem if
// `start` itself cannot run.
KeptShape search_shape(const BenchmarkContext& context, const catalogue::Variant& variant,
                       Programs& programs, const catalogue::LaunchShape& start, double limit_s);

}  // namespace lab::measure
