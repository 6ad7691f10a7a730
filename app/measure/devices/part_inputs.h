// The elements of one size, in the memories of several devices: to each its part.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device/inputs.h"
#include "measure/devices/cut.h"

namespace lab {

class PartInputs {
  public:
    // The values must outlive it and what it gives. `warm` as in MeasureRequest.
    PartInputs(const Values& input, const Values& neutral, bool warm)
        : elements_(compute::elements_of(input, neutral)), warm_(warm) {}

    // Those of each cut on its device, brought there side by side if they are not there yet: a part
    // stays as long as somebody holds it. Throws Problem if a device lacks the memory.
    std::vector<std::shared_ptr<compute::Inputs>> of(
        const std::vector<const compute::Device*>& devices, const std::vector<Cut>& cuts);

  private:
    std::shared_ptr<compute::Inputs> brought(const compute::Device& device, const Cut& cut) const;

    using Key = std::tuple<const compute::Device*, std::uint64_t, std::uint64_t>;
    compute::Elements elements_;
    bool warm_;
    std::map<Key, std::weak_ptr<compute::Inputs>> there_;
};

}  // namespace lab
