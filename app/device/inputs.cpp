#include "device/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalogue/number.h"

namespace lab::device {

std::span<const std::byte> bytes_in(const catalogue::Values& values) {
    return {static_cast<const std::byte*>(catalogue::bytes_of(values)),
            catalogue::count_of(values) * catalogue::info(catalogue::type_of(values)).bytes};
}

Elements elements_of(const catalogue::Values& input, const catalogue::Values& identity) {
    return {catalogue::type_of(input), bytes_in(input), bytes_in(identity)};
}

Inputs::Inputs(const Device& device, const Elements& elements, std::uint64_t pool_bytes)
    : device_(device), elements_(elements) {
    const std::uint64_t bytes = elements.input.size();
    if (bytes == 0) return;
    if (bytes > device.info.largest_buffer)
        throw Problem(
            fmt::format("{} of elements do not fit into a buffer", catalogue::bytes_text(bytes)),
            fmt::format("{} takes at most {} a buffer", device.info.name,
                        catalogue::bytes_text(device.info.largest_buffer)),
            "Choose a smaller n", "--n");
    const std::uint64_t align = std::max<std::uint64_t>(device.info.buffer_align, 256);
    stride_ = (bytes + align - 1) / align * align;
    const std::uint64_t most = std::min(device.info.largest_buffer, device.info.global_bytes / 8);
    copies_ = std::max<std::uint64_t>(1, std::min(pool_bytes, most) / stride_);
    guarded("Making the buffers", device.info.name, [&] {
        pool_ =
            cl::Buffer(device.context, CL_MEM_READ_WRITE, copies_ == 1 ? bytes : copies_ * stride_);
        const cl::CommandQueue& queue = device.queue;
        queue.enqueueWriteBuffer(pool_, CL_TRUE, 0, bytes, elements.input.data());
        // The copies double until there are enough.
        for (std::uint64_t result = 1; result < copies_; result *= 2)
            queue.enqueueCopyBuffer(pool_, pool_, 0, result * stride_,
                                    std::min(result, copies_ - result) * stride_);
        queue.finish();
        at_ = copies_ - 1;
        rotate();
    });
}

void Inputs::rotate() {
    if (copies_ == 1) {
        view_ = pool_;
        return;
    }
    views_.resize(copies_);
    at_ = (at_ + 1) % copies_;
    if (views_[at_]() == nullptr) {
        const cl_buffer_region region{at_ * stride_, elements_.input.size()};
        views_[at_] =
            pool_.createSubBuffer(CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region);
    }
    view_ = views_[at_];
}

const cl::Buffer& Inputs::work() {
    if (work_() == nullptr && !elements_.input.empty())
        work_ = cl::Buffer(device_.context, CL_MEM_READ_WRITE, elements_.input.size());
    return work_;
}

}  // namespace lab::device
