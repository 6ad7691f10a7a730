// Compares every variant with the host's reference: many operators, types, sizes and groups, and
// whether the device keeps what the header promises.
#pragma once

#include <functional>

#include "catalogue/kernel.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"
namespace lab::device {

// Called with each finished line, the report's last one so far; `total`: their final number.
using CheckProgress = std::function<void(const results::CheckReport& report, std::size_t total)>;

// Fills in what the request leaves open: all operators and types
// with the toggles at their defaults, int and float sums with each other value of a toggle; sizes
// from 0 to 2^20 + 1; groups of 8, 64 and the variant's default.
results::CheckReport check(const Device& device, const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request,
                           const CheckProgress& on_progress = {});

// The pass-by-pass part of check: small cases, the device's memory compared with the machine's.
// Adds the findings of a few cases with the toggles `set` to `line`: sums and another operator of
// int, and sums of float, if `request` includes them. `in_time`: whether another case may start.
void check_passes(results::CheckLine& line, const Device& device, const catalogue::Kernel& variant,
                  const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time);

// Runs one small case many times: which results a device gives, and how often.
// Throws Problem if the kernel may not have that shape, or its groups are not co-resident. Where
// the right result is not known, a result is the contents of all buffers, and right as record() has
// it. `on_progress` is called from time to time with the results so far.
results::Trials trials(const Device& device, const catalogue::Kernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});

// Runs one small case until it comes out as wanted, with its accesses recorded, and has the
// simulator replay that run.
// Throws Problem if the kernel may not have that shape, its accesses cannot be recorded or are too
// many, or its groups are not co-resident. Where the right result is not known, a run is wrong if
// it ends otherwise than the simulator in its usual order. `on_progress` is called from time to
// time with the runs so far.
results::Recorded record(const Device& device, const catalogue::Kernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});

}  // namespace lab::device
