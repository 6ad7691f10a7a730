#include "measure/timing/programs.h"

namespace lab::measure {

const device::Program& Programs::of(const catalogue::Variant& variant,
                                    const catalogue::Shape& shape) {
    const catalogue::KernelText text = kernel_text(variant, shape);
    const auto key = std::make_pair(variant.id, text.macros);
    if (const auto found = built_.find(key); found != built_.end()) return found->second;
    const auto result = built_.emplace(key, device::build(device_, variant, text)).first;
    const std::string told = device::build_options(device_, text);
    if (options_.find(told) == std::string::npos)
        options_ += (options_.empty() ? "" : " | ") + told;
    return result->second;
}

}  // namespace lab::measure
