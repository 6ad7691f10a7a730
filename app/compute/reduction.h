// A plan on a device: its buffers filled, its launches run and timed, its memory read back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "compute/program.h"

namespace lab::compute {

struct Times {
    double device_ms = 0;  // from the first launch's start to the last one's end, by its events
    double wall_ms = 0;    // from before the first enqueue until the result is on the host
};

// What T is to the host: `bytes` an element, the elements to reduce, and the neutral element.
struct Elements {
    std::size_t bytes = 0;
    std::span<const std::byte> input;
    std::span<const std::byte> identity;
};

Elements elements_of(const Values& input, const Values& identity);

// The buffers of one plan. The device, program and plan must outlive it.
class Reduction {
  public:
    // Allocates and fills the buffers. Throws Problem, if the device lacks the memory among others.
    Reduction(const Device& device, const Program& program, const Plan& plan,
              const Elements& elements);

    void reset();  // fills all buffers anew, as the plan says
    void write(std::size_t buffer, std::span<const std::byte> bytes);
    void launch(std::size_t launch);  // one launch, until it is done
    std::vector<std::byte> read(std::size_t buffer, std::uint64_t elements) const;

    // All launches and the result's read-back; call reset() before if the kernel works in place.
    Times run();
    std::span<const std::byte> result() const { return result_; }

  private:
    std::size_t bytes_of(const std::optional<Type>& type) const;
    std::size_t size_of(std::size_t buffer) const;
    void fill(std::size_t buffer);
    cl::Event enqueue(const Launch& launch);
    void bind(cl_uint index, const PlannedArgument& argument);

    const Device& device_;
    cl::Kernel kernel_;
    const Plan& plan_;
    std::size_t element_bytes_;
    std::vector<std::byte> identity_, result_;
    cl::Buffer input_;  // the elements, untouched
    std::vector<cl::Buffer> buffers_;
};

}  // namespace lab::compute
