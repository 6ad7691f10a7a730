// The built kernels of one device, each setting of a variant's toggles once.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "catalogue/plan.h"
#include "device/program.h"

namespace lab::measure {

class Programs {
  public:
    explicit Programs(const device::Device& device) : device_(device) {}

    // Builds the program if needed. The reference stays valid. Throws Problem if it does not build.
    const device::Program& of(const catalogue::Variant& variant, const catalogue::Shape& shape);
    // The distinct compiler options so far, separated by " | ".
    const std::string& options() const { return options_; }

  private:
    const device::Device& device_;
    std::string options_;
    // By id and macros.
    std::map<std::pair<std::string, std::string>, device::Program> built_;
};

}  // namespace lab::measure
