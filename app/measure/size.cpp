#include "measure/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "catalogue/number.h"

namespace lab {

std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm) {
    if (warm || input > 4 * cache) return 0;
    return std::max(2 * cache, 2 * (input + 4096));
}

Problem no_memory(std::optional<std::uint64_t> n) {
    return {fmt::format("There is not enough memory for {} elements", size_text(n.value_or(0))),
            "The input and its copies must fit", "Choose smaller sizes", "--sizes"};
}

Values input_that_fits(const DeviceInfo& device, const Shape& shape,
                       std::optional<std::uint64_t> n) {
    const char* hint = "Choose smaller sizes";
    if (n && *n > device.largest_buffer / info(shape.type).bytes)
        throw Problem(fmt::format("{} elements do not fit into a buffer", size_text(*n)),
                      fmt::format("{} takes at most {} a buffer", device.name,
                                  bytes_text(device.largest_buffer)),
                      hint, "--sizes");
    try {
        return make_values(shape.input, shape.type, n, shape.op);
    } catch (const std::bad_alloc&) {
        throw Problem(no_memory(n));
    }
}

}  // namespace lab
