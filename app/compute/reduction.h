// A plan on a device: its buffers filled, its launches run and timed, its memory read back.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "compute/inputs.h"
#include "compute/program.h"

namespace lab::compute {

struct Times {
    double device_ms = 0;  // from the start of the first command, a filling or a launch, to the end
                           // of the last, by events
    double wall_ms = 0;    // from before the first enqueue until the result is on the host
};

// The buffers of one plan. The device and inputs must outlive it.
class Reduction {
  public:
    // Allocates the buffers. `element`: what T is, if not the type of the inputs. Throws Problem,
    // if the device lacks the memory among others.
    Reduction(const Device& device, const Program& program, Plan plan, Inputs& inputs,
              std::optional<Type> element = {});

    const Plan& plan() const { return plan_; }

    // Before each run, and outside its time: the next copy of the input, and what no run has
    // written yet is made to look it, so that a kernel that writes nothing gives no right result.
    void prepare();
    // All launches, the fillings that the plan asks for before them, and the result's read-back.
    Times run();
    // The same in three parts, so that several devices run at once: all launches are sent off; the
    // read-back, too, which some drivers wait for; then what is left is waited for.
    void start();
    void read_back();
    Times finish();
    std::span<const std::byte> result() const { return result_; }
    // Whether a spin of the kernel gave up in the last run.
    bool stuck() const;

    // The same in pieces: prepare() and the fillings; then one launch, until it is done.
    void reset();
    void launch(std::size_t launch);
    void write(std::size_t buffer, std::span<const std::byte> bytes);
    std::vector<std::byte> read(std::size_t buffer, std::uint64_t elements) const;

  private:
    Type type_of(const PlannedBuffer& planned) const { return planned.type.value_or(element_); }
    std::size_t size_of(std::size_t buffer) const;
    void make_buffer(std::size_t buffer);
    cl::Event fill(std::size_t buffer);
    std::vector<cl::Event> fill_all();
    cl::Event enqueue(const Launch& launch);
    void bind(cl_uint index, const PlannedArgument& argument);

    const Device& device_;
    cl::Kernel kernel_;
    Plan plan_;
    Inputs& inputs_;
    Type element_;
    std::vector<std::byte> result_;
    std::vector<cl::Buffer> buffers_;
    std::vector<cl::Event> events_;  // of the run under way, or of the last one
    std::chrono::steady_clock::time_point started_;
};

}  // namespace lab::compute
