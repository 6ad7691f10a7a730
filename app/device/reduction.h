// Runs a plan on a device: fills its buffers, runs and times its launches, reads back the result.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "device/inputs.h"
#include "device/launches.h"
#include "device/program.h"

namespace lab::device {

struct Times {
    double device_ms = 0;  // from the start of the first command, a filling or a launch, to the end
                           // of the last, by events; 0 where no clock was kept
    double wall_ms = 0;    // from before the first enqueue until the result is on the host
};

struct Runs {
    unsigned batch = 1;  // reductions enqueued one after another before one wait; times are a
                         // batch's by that number
    bool timed = true;   // by events, which make the host wait longer
};

// The buffers of one plan. The device and inputs must outlive it.
class Reduction : public Launches {
  public:
    // Allocates the buffers. `element`: what T is, if not the type of the inputs. Throws Problem,
    // if the device lacks the memory among others.
    Reduction(const Device& device, const Program& program, catalogue::Plan plan, Inputs& inputs,
              std::optional<catalogue::Type> element = {});

    const catalogue::Plan& plan() const { return plan_; }
    bool works_in_place() const;  // writes over its input

    // Before each run, not timed: takes the next copy of the input, and makes other buffers look
    // uninitialised, so that a kernel that writes nothing gives no right result.
    void prepare();
    // All launches, the fillings that the plan asks for before them, and the result's read-back.
    // In a batch each takes another copy of the input, as far as there are; throws Problem if the
    // kernel overwrites its input.
    Times run(const Runs& runs = {});
    // The same in two parts, so that several devices run at once: submit all launches; then wait
    // for them and read back the result.
    void start(const Runs& runs = {});
    Times finish();
    std::span<const std::byte> result() const { return result_; }
    // Whether a spin of the kernel gave up in the last run.
    bool stuck() const override;

    // The same in pieces: prepare() and the fillings; then one launch, until it is done.
    void reset() override;
    void launch(std::size_t launch) override;
    std::size_t launches() const override { return plan_.launches.size(); }
    std::size_t buffers() const override { return plan_.buffers.size(); }
    NDRange range(std::size_t launch) const override {
        return {plan_.launches[launch].global, plan_.launches[launch].local};
    }
    Memory memory(std::size_t launch, std::size_t parameter) const override;
    std::vector<std::byte> contents(std::size_t buffer) const override;
    void write(std::size_t buffer, std::span<const std::byte> bytes);
    std::vector<std::byte> read(std::size_t buffer, std::uint64_t elements) const;

  private:
    catalogue::Type type_of(const catalogue::PlannedBuffer& planned) const {
        return planned.type.value_or(element_);
    }
    std::size_t size_of(std::size_t buffer) const;
    void make_buffer(std::size_t buffer);
    void fill(const cl::CommandQueue& queue, std::size_t buffer, cl::Event* event);
    void next_input();
    const cl::CommandQueue& queue() const { return runs_.timed ? device_.queue : device_.plain; }
    void send(const Runs& runs);
    Times times() const;
    // In order; with the events of the first and last command, if requested.
    void enqueue_all(const cl::CommandQueue& queue, cl::Event* first, cl::Event* last);
    void enqueue(const cl::CommandQueue& queue, const catalogue::Launch& launch, cl::Event* event);
    void bind(cl_uint index, const catalogue::PlannedArgument& argument);

    const Device& device_;
    cl::Kernel kernel_;
    catalogue::Plan plan_;
    Inputs& inputs_;
    catalogue::Type element_;
    std::vector<std::byte> result_;
    std::vector<cl::Buffer> buffers_;
    std::vector<std::size_t> filled_;  // filled at the start of each run, timed
    Runs runs_;                        // the current or last run
    cl::Event first_, last_;           // its first and last command, if timed
    std::chrono::steady_clock::time_point started_;
};

}  // namespace lab::device
