#include "measure/timing/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "catalogue/number.h"

namespace lab::measure {

std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm) {
    if (warm || input > 4 * cache) return 0;
    return std::max(2 * cache, 2 * (input + 4096));
}

Problem no_memory(std::optional<std::uint64_t> n) {
    return {fmt::format("There is not enough memory for {} elements",
                        catalogue::size_text(n.value_or(0))),
            "The input and its copies must fit", "Choose smaller sizes", "--sizes"};
}

void check_fits(const results::DeviceInfo& device, catalogue::Type type,
                std::optional<std::uint64_t> n, const char* where) {
    const std::uint64_t each = info(type).bytes;
    const std::uint64_t most = device.largest_buffer / each;
    if (!n || *n <= most) return;
    const std::uint64_t bytes = *n > UINT64_MAX / each ? UINT64_MAX : *n * each;
    throw Problem(fmt::format("{} elements do not fit into a buffer", catalogue::size_text(*n)),
                  fmt::format("They take {}; {} has {} and takes at most {} a buffer",
                              catalogue::bytes_text(bytes), device.name,
                              catalogue::bytes_text(device.global_bytes),
                              catalogue::bytes_text(device.largest_buffer)),
                  fmt::format("Choose at most {}", catalogue::size_text(most)), where);
}

catalogue::Values input_that_fits(const results::DeviceInfo& device, const catalogue::Shape& shape,
                                  std::optional<std::uint64_t> n) {
    check_fits(device, shape.type, n, "--sizes");
    try {
        return make_values(shape.input, shape.type, n, shape.op);
    } catch (const std::bad_alloc&) {
        throw Problem(no_memory(n));
    }
}

}  // namespace lab::measure
