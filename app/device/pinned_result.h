// Where a device puts its result: host memory that is mapped from its start to its end, so that no
// driver copies it once more. On an H200 a read into it, not waited for, and one wait for all takes
// 16.5 us with its kernel, a waiting read into memory of our own 17.5 us.
// There is one per device, so of a device one reduction at a time may be under way.
#pragma once

#include <cstddef>
#include <span>

#include "device/cl.h"

namespace lab::device {

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

}  // namespace lab::device
