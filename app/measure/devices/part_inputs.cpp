#include "measure/devices/part_inputs.h"

#include "base/platform.h"
#include "measure/timing/benchmark_cases.h"
#include "measure/timing/size.h"

namespace lab::measure {

std::vector<std::shared_ptr<device::Inputs>> PartInputs::of(
    const std::vector<const device::Device*>& devices, const std::vector<Cut>& cuts) {
    std::vector<std::shared_ptr<device::Inputs>> result(cuts.size());
    const auto key = [&](const Cut& cut) { return Key{devices[cut.device], cut.first, cut.count}; };
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        result[i] = there_[key(cuts[i])].lock();
        if (!result[i]) missing.push_back(i);
    }
    in_parallel(missing.size(), 1, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const Cut& cut = cuts[missing[k]];
            result[missing[k]] = brought(*devices[cut.device], cut);
        }
    });
    for (const std::size_t i : missing)
        there_[key(cuts[i])] = result[i];
    return result;
}

std::shared_ptr<device::Inputs> PartInputs::brought(const device::Device& device,
                                                    const Cut& cut) const {
    const std::uint64_t size = info(elements_.type).bytes;
    device::Elements part = elements_;
    part.input = elements_.input.subspan(cut.first * size, cut.count * size);
    return std::make_shared<device::Inputs>(
        device, part, pool_bytes(cache_bytes(device.info), part.input.size(), warm_));
}

}  // namespace lab::measure
