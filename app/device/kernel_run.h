// Runs one launch of any kernel, with buffers and arguments of its own, and times it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/index_space.h"
#include "device/launches.h"
#include "device/program.h"
#include "device/reduction.h"

namespace lab::device {

// What uninitialised buffers hold in each byte.
inline constexpr std::byte kUnwrittenByte{0xA5};

struct KernelBuffer {
    std::string name;
    std::uint64_t bytes = 0;
    std::vector<std::byte> initial;  // all of it; empty: uninitialised
    bool written = false;            // the kernel may write to it
};

struct KernelArgument {
    enum class Kind : std::uint8_t { value, buffer, local, null } kind = Kind::value;
    std::size_t buffer = 0;        // in KernelLaunch::buffers
    std::uint64_t bytes = 0;       // of local memory
    std::vector<std::byte> value;  // as the device takes it
};

struct KernelLaunch {
    std::vector<KernelBuffer> buffers;
    std::vector<KernelArgument> arguments;
    NDRange range;
};

// The device must outlive it.
class KernelRun : public Launches {
  public:
    // Allocates the buffers. Throws Problem, if the device does not take a buffer or groups of that
    // size among others.
    KernelRun(const Device& device, const Program& program, KernelLaunch launch);

    // Before each run, not timed: the buffers that the kernel may write are as at the start.
    void prepare();
    Times run(bool timed);  // by the device's clock, too
    std::vector<std::byte> read(std::size_t buffer) const;

    std::size_t launches() const override { return 1; }
    std::size_t buffers() const override { return launch_.buffers.size(); }
    NDRange range(std::size_t) const override { return launch_.range; }
    Memory memory(std::size_t, std::size_t parameter) const override;
    void reset() override { prepare(); }
    void launch(std::size_t) override { run(true); }
    bool stuck() const override { return false; }
    std::vector<std::byte> contents(std::size_t buffer) const override;

  private:
    void bind();

    const Device& device_;
    cl::Kernel kernel_;
    KernelLaunch launch_;
    std::vector<cl::Buffer> buffers_, initial_;  // the second: of those that are written
};

}  // namespace lab::device
