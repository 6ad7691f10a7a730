// Runs a job on a device: fills its buffers, runs and times its launches, reads back the result.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "catalogue/element.h"
#include "catalogue/plan.h"
#include "device/device.h"
#include "device/program.h"
namespace lab::device {

// The elements to reduce, on the device: enough copies that a run finds none in the cache, and one
// more for kernels that work in place.

// The values' bytes, where they lie.
std::span<const std::byte> span_of(const catalogue::Values& values);

// `elements` must outlive it.
class Inputs {
  public:
    // `pool_bytes`: as many copies as fit, at least one; they are used in turn. Throws Problem if
    // the device lacks the memory.
    Inputs(const Device& device, std::span<const std::byte> elements, std::uint64_t pool_bytes = 0);
    Inputs(const Device& device, const catalogue::Values& elements, std::uint64_t pool_bytes = 0)
        : Inputs(device, span_of(elements), pool_bytes) {}

    std::uint64_t bytes() const { return elements_.size(); }
    std::uint64_t copies() const { return copies_; }
    void rotate();                                       // to the next copy
    const cl::Buffer& current() const { return view_; }  // not to be written
    const cl::Buffer& work();  // a writable buffer of the same size, shared by all callers

  private:
    const Device& device_;
    std::span<const std::byte> elements_;
    std::uint64_t stride_ = 0, copies_ = 1, at_ = 0;
    cl::Buffer pool_, view_, work_;
    std::vector<cl::Buffer> views_;  // of the copies, made when first used
};

// Uninitialised buffers hold this in each byte.
inline constexpr std::byte kUnwrittenByte{0xA5};

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

// The buffers of one job. The device and inputs must outlive it.
class JobRun {
  public:
    // Allocates the buffers. `inputs`: copies of the elements, which the job's buffers take in
    // turn; without them, its own are used. Throws Problem if the device lacks the memory, or does
    // not take groups of that size, among others.
    JobRun(const Device& device, const Program& program, catalogue::Job job,
           Inputs* inputs = nullptr);

    const catalogue::Job& job() const { return job_; }
    bool works_in_place() const;  // writes over its input

    // Before each run, not timed: takes the next copy of the input, fills what the kernel wrote,
    // and makes other buffers look uninitialised, so that a kernel that writes nothing gives no
    // right result.
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
    // True if a spin of the kernel gave up in the last run.
    bool stuck() const;

    // The same in pieces: prepare() and the fillings; then one launch, until it is done.
    void reset();
    void launch(std::size_t launch);
    std::vector<std::byte> read(std::size_t buffer, std::uint64_t bytes) const;
    // All of each buffer; empty for those that no launch writes.
    std::vector<std::vector<std::byte>> contents() const;
    // The cells with the result: all of a partial result or of an iteration, else the first.
    catalogue::Values result_cells() const;

  private:
    void make_buffer(std::size_t buffer);
    void fill(const cl::CommandQueue& queue, std::size_t buffer, cl::Event* event);
    void restore(std::size_t buffer);
    void next_input();
    bool of_inputs(const catalogue::Buffer& buffer) const {
        return inputs_ != nullptr && buffer.takes_elements;
    }
    const cl::CommandQueue& queue() const { return runs_.timed ? device_.queue : device_.plain; }
    void send(const Runs& runs);
    Times times() const;
    // In order; with the events of the first and last command, if requested.
    void enqueue_all(const cl::CommandQueue& queue, cl::Event* first, cl::Event* last);
    void enqueue(const cl::CommandQueue& queue, const catalogue::Launch& launch, cl::Event* event);
    void bind(const catalogue::Launch& launch);

    const Device& device_;
    cl::Kernel kernel_;
    catalogue::Job job_;
    Inputs* inputs_;
    std::vector<std::byte> result_;
    std::vector<cl::Buffer> buffers_, initial_;  // the second: of what the kernel may write over
    std::vector<std::size_t> filled_;            // filled at the start of each run, timed
    Runs runs_;                                  // the current or last run
    cl::Event first_, last_;                     // its first and last command, if timed
    std::chrono::steady_clock::time_point started_;
};

// The work-groups of a job's first launch.
std::uint64_t groups_of(const catalogue::Job& job);

// For kernels whose groups wait for each other: prepare() and run(), repeated if a spin gave up,
// since a busy machine may delay a group. Empty if it gave up every time.
std::optional<Times> try_run(JobRun& run, const Runs& runs = {});

// The largest number of groups, up to those of `n` elements, with which no spin gives up; 0 if not
// even one group gets through. `shape` has the group.
std::uint64_t most_groups(const Device& device, const Program& program,
                          const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                          std::uint64_t n);

Problem not_resident(const catalogue::Kernel& kernel, const catalogue::Job& job,
                     std::uint64_t most_groups);

}  // namespace lab::device
