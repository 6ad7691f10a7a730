// An open device: a context, a queue with profiling, and one without.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cl.h"
#include "device/pinned_result.h"
#include "device/trial_build.h"
#include "results/device_info.h"

namespace lab::device {

results::DeviceInfo info_of(const cl::Device& device, std::string id, const std::string& platform);

struct Device {
    results::DeviceInfo info;
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;  // in order, with profiling
    cl::CommandQueue plain;  // in order, without: profiling makes the host wait up to 20 us longer
    std::shared_ptr<PinnedResult> pinned_result;
    std::shared_ptr<TrialBuild> scopes;  // whether fences for all groups compile
};

// `id` as in DeviceInfo; empty: the first GPU, or else the first device. Throws Problem with
// Exit::no_device if there is none, or Exit::usage if none has that id.
Device open_device(const std::string& id);

// What `names_several`: of `all` every device that opens, and why the others do not in `problems`;
// of a list those named, each once, in its order. Throws Problem as above, and if none opens.
std::vector<Device> open_devices(const std::string& ids, std::vector<Problem>& problems);

}  // namespace lab::device
