#include "device/landing.h"

namespace lab::device {

Landing::Landing(const cl::Context& context, cl::CommandQueue queue)
    : queue_(std::move(queue)),
      buffer_(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, kBytes),
      at_(static_cast<std::byte*>(
          queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kBytes))) {}

Landing::~Landing() {
    try {
        queue_.enqueueUnmapMemObject(buffer_, at_);
        queue_.finish();
    } catch (const cl::Error&) {  // the device is gone, and its memory with it
    }
}

}  // namespace lab::device
