// A short search for the fastest launch: one thing changed at a time, the better kept.
#pragma once

#include "measure/timing/benchmark_cases.h"
#include "measure/timing/kept_shapes.h"
#include "measure/timing/programs.h"

namespace lab::measure {

// Coordinate descent over the header's `tune`, from `start`: each neighbour takes turns with the
// best so far, run for run, and takes its place if its median is 1 % lower. Ends when nothing
// helps any more or `limit_s` seconds are over. What does not build or run, or is wrong, is passed
// over. Throws Problem if `start` itself cannot run.
KeptShape search_shape(const BenchmarkContext& context, const catalogue::Variant& variant,
                       Programs& programs, const catalogue::LaunchShape& start, double limit_s);

}  // namespace lab::measure
