// Whether a device's compiler takes a text, which no query tells.
#pragma once

#include <optional>
#include <string>

#include "device/cl.h"

namespace lab::device {

class TrialBuild {
  public:
    TrialBuild(cl::Context context, cl::Device device, std::string text, std::string options)
        : context_(std::move(context)),
          device_(std::move(device)),
          text_(std::move(text)),
          options_(std::move(options)) {}

    // Builds it when first asked, and keeps the answer.
    bool works();

  private:
    cl::Context context_;
    cl::Device device_;
    std::string text_, options_;
    std::optional<bool> works_;
};

}  // namespace lab::device
