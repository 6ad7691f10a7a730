// The elements of one size in the memories of several devices, each with its part.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device/inputs.h"
#include "measure/devices/cut.h"

namespace lab::measure {

class PartInputs {
  public:
    // The values must outlive it and the parts it returns. `warm` as in MeasureRequest.
    PartInputs(const catalogue::Values& input, const catalogue::Values& neutral, bool warm)
        : elements_(device::elements_of(input, neutral)), warm_(warm) {}

    // Each cut's elements on its device, copied concurrently if they are not there yet; a part
    // lives as long as it is used. Throws Problem if a device lacks the memory.
    std::vector<std::shared_ptr<device::Inputs>> of(
        const std::vector<const device::Device*>& devices, const std::vector<Cut>& cuts);

  private:
    std::shared_ptr<device::Inputs> brought(const device::Device& device, const Cut& cut) const;

    using Key = std::tuple<const device::Device*, std::uint64_t, std::uint64_t>;
    device::Elements elements_;
    bool warm_;
    std::map<Key, std::weak_ptr<device::Inputs>> there_;
};

}  // namespace lab::measure
