// The machine that a measurement ran on, as its result file tells it.
#pragma once

#include "results/result.h"

namespace lab::measure {

results::Host this_host();

// All of the largest caches of this machine together; 64 MiB at least, and where it does not tell.
std::uint64_t host_cache_bytes();

}  // namespace lab::measure
