#include "measure/outcome.h"

#include <cstring>

namespace lab {
namespace {

Values values_from(Type type, std::span<const std::byte> bytes) {
    Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(bytes_of(values), bytes.data(), bytes.size());
    return values;
}

Values every(const Values& values, std::uint64_t step) {
    return std::visit(
        [step](const auto& of) -> Values {
            std::decay_t<decltype(of)> picked;
            for (std::size_t i = 0; i < of.size(); i += step)
                picked.push_back(of[i]);
            return picked;
        },
        values);
}

bool same(const Values& values, std::size_t index, const Values& right) {
    return std::visit(
        [&](const auto& of) { return of[index] == std::get<std::decay_t<decltype(of)>>(right)[0]; },
        values);
}

Outcome ring_outcome(const Values& cells, const Reference& right) {
    Outcome made{{true, 0, 0}, text_of(right.value, 0)};
    for (std::size_t i = 0; i < count_of(cells) && made.verdict.right; ++i)
        if (!same(cells, i, right.value)) made = {{false, 0, 0}, text_of(cells, i)};
    return made;
}

}  // namespace

Reference right_for(const Plan& plan, const Shape& shape, const Values& input) {
    if (plan.rounds == 0) return reference(input, shape.op);
    Reference made;
    made.n = count_of(input);
    made.value = ring_of_ones(shape.op, shape.type, plan.rounds);
    return made;
}

Outcome outcome_of(const Values& cells, const Plan& plan, const Shape& shape,
                   const Reference& right) {
    if (plan.rounds > 0) return ring_outcome(cells, right);
    if (plan.expect != Expect::partial || plan.launches.empty())
        return {judge(cells, right, shape.op, plan.depth), text_of(cells, 0)};
    const Values whole = reference(every(cells, plan.every), shape.op).value;
    return {judge(whole, right, shape.op, plan.depth), text_of(whole, 0)};
}

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
