#include "catalogue/outcome.h"

namespace lab::catalogue {
namespace {

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

Values first_of(const Values& values) {
    return std::visit(
        [](const auto& of) -> Values { return std::decay_t<decltype(of)>(1, of.front()); }, values);
}

bool same(const Values& values, std::size_t index, const Values& right) {
    return std::visit(
        [&](const auto& of) { return of[index] == std::get<std::decay_t<decltype(of)>>(right)[0]; },
        values);
}

Outcome ring_outcome(const Values& cells, const Reference& right) {
    Outcome outcome{{true, 0, 0}, text_of(right.value, 0)};
    for (std::size_t i = 0; i < count_of(cells) && outcome.verdict.right; ++i)
        if (!same(cells, i, right.value)) outcome = {{false, 0, 0}, text_of(cells, i)};
    return outcome;
}

}  // namespace

Reference right_for(const Plan& plan, const Shape& shape, const Values& input) {
    if (plan.rounds == 0) return reference(input, shape.op);
    Reference result;
    result.n = count_of(input);
    result.value = ring_of_ones(shape.op, shape.type, plan.rounds);
    return result;
}

Values value_of(const Values& cells, const Plan& plan, Op op) {
    const bool parts = plan.expect == Expect::partial && !plan.launches.empty();
    return parts ? reference(every(cells, plan.every), op).value : first_of(cells);
}

Outcome outcome_of(const Values& cells, const Plan& plan, const Shape& shape,
                   const Reference& right) {
    if (plan.rounds > 0) return ring_outcome(cells, right);
    const Values whole = value_of(cells, plan, shape.op);
    return {judge(whole, right, shape.op, plan.depth), text_of(whole, 0)};
}

}  // namespace lab::catalogue
