// A generated kernel on the first OpenCL device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generate.h"

namespace lab::differential {

struct DeviceRun {
    std::string problem;  // the build's log, or what OpenCL said; empty: it ran through
    std::vector<std::vector<std::byte>> buffers;
};

class Device {
  public:
    Device();  // throws std::runtime_error where there is none
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    const std::string& name() const { return name_; }
    DeviceRun run(const GeneratedKernel& kernel, const std::string& options = {});

  private:
    struct Opened;
    std::unique_ptr<Opened> opened_;
    std::string name_;
};

}  // namespace lab::differential
