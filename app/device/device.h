// An open device: a context, a queue with profiling, and one without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include "base/problem.h"
#include "catalogue/plan.h"
#include "results/device_info.h"
namespace lab::device {

// The OpenCL C++ bindings, with errors as problems. Only for files of this room.

// `doing` as in "running the kernel". A device that is gone or out of memory has Exit::no_device
// or Exit::usage; a hint says what to do.
Problem problem_of(const cl::Error& error, const std::string& doing, const std::string& where);

// Calls `act`; an OpenCL error in it becomes a Problem.
template <typename Act>
auto guarded(const std::string& doing, const std::string& where, Act&& act) {
    try {
        return act();
    } catch (const cl::Error& error) {
        throw problem_of(error, doing, where);
    }
}

// Pinned host memory for a device's result, mapped for its whole life, so that no driver makes an
// extra copy. On an H200 a read into it, not waited for, and one wait for all takes
// 16.5 us with its kernel, a waiting read into memory of our own 17.5 us.
// There is one per device, so only one reduction at a time may run on a device.
class PinnedResult {
  public:
    static constexpr std::size_t kBytes = 64;  // one element of any type

    // Throws cl::Error.
    PinnedResult(const cl::Context& context, cl::CommandQueue queue);
    ~PinnedResult();
    PinnedResult(const PinnedResult&) = delete;
    PinnedResult& operator=(const PinnedResult&) = delete;

    std::span<std::byte> bytes() const { return {at_, kBytes}; }

  private:
    cl::CommandQueue queue_;
    cl::Buffer buffer_;
    std::byte* at_ = nullptr;
};

// Finds out if a device's compiler takes a text, which no query tells.
class TrialBuild {
  public:
    TrialBuild(cl::Context context, cl::Device device, std::string text, std::string options)
        : context_(std::move(context)),
          device_(std::move(device)),
          text_(std::move(text)),
          options_(std::move(options)) {}

    // Builds it when first asked, and keeps the answer.
    bool works();

  private:
    cl::Context context_;
    cl::Device device_;
    std::string text_, options_;
    std::optional<bool> works_;
};

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

// Opens what `names_several` accepts: of `all` every device that opens, and why the others do not
// in `problems`; of a list those named, each once, in its order. Throws Problem as above, and if
// none opens.
std::vector<Device> open_devices(const std::string& ids, std::vector<Problem>& problems);

// All devices of all platforms. Never throws for what a machine may lack: that is in `problems`.
results::Devices find_devices();

// Sets what makes a driver's times steadier, unless the user has set it: each of PoCL's threads
// stays on one processor. Otherwise two of them may wake up on the same one, and a run of less than
// a millisecond ends before the system separates them (on 2 processors: 44 GB/s instead of 29).
// Call before any thread is started or a device is asked for.
void set_driver_defaults();

// Why the variant cannot run there with the shape's type and toggles; empty if it can.
std::optional<Problem> lacking(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                               const catalogue::Shape& shape);

// As headers name them in `shape` lines, the general kind first: {"gpu", "nvidia"}, and with
// elements of 64 bits {"gpu", "gpu-64", "nvidia", "nvidia-64"}.
std::vector<std::string> kinds_of(const results::DeviceInfo& device, catalogue::Type type);

// Returns what a plan may know about the device. `kernel_group`: from Program, for a built kernel.
catalogue::Target target_of(const results::DeviceInfo& device,
                            std::uint64_t kernel_group = UINT64_MAX);

}  // namespace lab::device
