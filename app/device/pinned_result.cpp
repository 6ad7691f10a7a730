#include "device/pinned_result.h"

namespace lab::device {

PinnedResult::PinnedResult(const cl::Context& context, cl::CommandQueue queue)
    : queue_(std::move(queue)),
      buffer_(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, kBytes),
      at_(static_cast<std::byte*>(
          queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kBytes))) {}

PinnedResult::~PinnedResult() {
    try {
        queue_.enqueueUnmapMemObject(buffer_, at_);
        queue_.finish();
    } catch (const cl::Error&) {  // the device is gone, and its memory with it
    }
}

}  // namespace lab::device
