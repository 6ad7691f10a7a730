#include "measure/device_outcome.h"

#include <cstring>

namespace lab {
namespace {

Values values_from(Type type, std::span<const std::byte> bytes) {
    Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(bytes_of(values), bytes.data(), bytes.size());
    return values;
}

}  // namespace

Outcome outcome_of(const compute::Reduction& reduction, const Shape& shape,
                   const Reference& right) {
    const Plan& plan = reduction.plan();
    const bool all = !plan.launches.empty() && (plan.rounds > 0 || plan.expect == Expect::partial);
    if (!all) return outcome_of(values_from(shape.type, reduction.result()), plan, shape, right);
    const std::uint64_t count = plan.buffers[*plan.result].count;
    return outcome_of(values_from(shape.type, reduction.read(*plan.result, count)), plan, shape,
                      right);
}

}  // namespace lab
