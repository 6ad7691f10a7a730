// Built kernels of one device: each setting of a variant's toggles once.
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

    // Builds what is not there yet. Stays where it is. Throws Problem if the text does not build.
    const device::Program& of(const catalogue::Variant& variant, const catalogue::Shape& shape);
    // What the compiler was told so far, " | " between what is different.
    const std::string& options() const { return options_; }

  private:
    const device::Device& device_;
    std::string options_;
    // By id, and the macros before the text.
    std::map<std::pair<std::string, std::string>, device::Program> built_;
};

}  // namespace lab::measure
