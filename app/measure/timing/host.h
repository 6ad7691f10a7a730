// The machine that a measurement runs on, as result files describe it.
#pragma once

#include "results/result.h"

namespace lab::measure {

results::Host this_host();

// The total size of the last-level caches; at least 64 MiB, also if not known.
std::uint64_t host_cache_bytes();

}  // namespace lab::measure
