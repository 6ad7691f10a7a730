#include "measure/checks/device_outcome.h"

namespace lab::measure {
catalogue::Values cells_of(const device::Reduction& reduction, catalogue::Type type) {
    const catalogue::Plan& plan = reduction.plan();
    const bool all =
        !plan.launches.empty() && (plan.rounds > 0 || plan.expect == catalogue::Expect::partial);
    if (!all) return values_from(type, reduction.result());
    return values_from(type, reduction.read(*plan.result, plan.buffers[*plan.result].count));
}

catalogue::Outcome outcome_of(const device::Reduction& reduction, const catalogue::Shape& shape,
                              const catalogue::Reference& right) {
    return outcome_of(cells_of(reduction, shape.type), reduction.plan(), shape, right);
}

}  // namespace lab::measure
