#include "measure/timing/programs.h"

namespace lab {

const compute::Program& Programs::of(const Variant& variant, const Shape& shape) {
    const KernelText text = kernel_text(variant, shape);
    const auto key = std::make_pair(variant.id, text.macros);
    if (const auto found = built_.find(key); found != built_.end()) return found->second;
    const auto made = built_.emplace(key, compute::build(device_, variant, text)).first;
    const std::string told = compute::build_options(device_.info, text);
    if (options_.find(told) == std::string::npos)
        options_ += (options_.empty() ? "" : " | ") + told;
    return made->second;
}

}  // namespace lab
