// The elements to reduce, on the device: enough copies that a run finds none in the cache, and one
// more for kernels that work in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "catalogue/element.h"
#include "device/device.h"

namespace lab::device {

// What T is to the host: `type` has its size, the elements to reduce, and the neutral element.
struct Elements {
    catalogue::Type type = catalogue::Type::int_;
    std::span<const std::byte> input;
    std::span<const std::byte> identity;
    std::byte unwritten{0xA5};  // fills uninitialised buffers
};

Elements elements_of(const catalogue::Values& input, const catalogue::Values& identity);
std::span<const std::byte> bytes_in(const catalogue::Values& values);

// The spans in `elements` must outlive it.
class Inputs {
  public:
    // `pool_bytes`: as many copies as fit, at least one; they are used in turn. Throws Problem if
    // the device lacks the memory.
    Inputs(const Device& device, const Elements& elements, std::uint64_t pool_bytes = 0);

    const Elements& elements() const { return elements_; }
    std::uint64_t copies() const { return copies_; }
    void rotate();                                       // to the next copy
    const cl::Buffer& current() const { return view_; }  // not to be written
    const cl::Buffer& work();  // a writable buffer of the same size, shared by all callers

  private:
    const Device& device_;
    Elements elements_;
    std::uint64_t stride_ = 0, copies_ = 1, at_ = 0;
    cl::Buffer pool_, view_, work_;
    std::vector<cl::Buffer> views_;  // of the copies, made when first used
};

}  // namespace lab::device
