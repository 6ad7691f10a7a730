#include "measure/checks/device_outcome.h"

#include <cstring>

namespace lab {
namespace {

Values values_from(Type type, std::span<const std::byte> bytes) {
    Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(bytes_of(values), bytes.data(), bytes.size());
    return values;
}

}  // namespace

Values cells_of(const compute::Reduction& reduction, Type type) {
    const Plan& plan = reduction.plan();
    const bool all = !plan.launches.empty() && (plan.rounds > 0 || plan.expect == Expect::partial);
    if (!all) return values_from(type, reduction.result());
    return values_from(type, reduction.read(*plan.result, plan.buffers[*plan.result].count));
}

Outcome outcome_of(const compute::Reduction& reduction, const Shape& shape,
                   const Reference& right) {
    return outcome_of(cells_of(reduction, shape.type), reduction.plan(), shape, right);
}

}  // namespace lab
