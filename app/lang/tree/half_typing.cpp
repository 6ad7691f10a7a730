// Arithmetic of halves: as floats, rounded to half after each operation. A float has more than
// twice the digits of a half, so that this gives the nearest half to the exact result.
#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {

// A half as a float; anything else as it is.
Expression* Parser::widened(E* expr) {
    if (expr->type == nullptr || !expr->type->is_half()) return expr;
    return to_arithmetic(expr, types_.vector(Scalar::float_, expr->type->width));
}

// Whether a call takes halves and computes with them, rather than moving their bits.
bool Parser::computes_wider(const Function& known, const std::vector<E*>& given) {
    switch (known.builtin) {
        case Builtin::pure:
            if (known.signature == Signature::same) return false;
            break;
        case Builtin::min:
        case Builtin::max:
        case Builtin::dot:
        case Builtin::cross:
        case Builtin::length:
        case Builtin::distance:
        case Builtin::normalize:
        case Builtin::reduce:
        case Builtin::scan_inclusive:
        case Builtin::scan_exclusive:
            break;
        default:
            return false;
    }
    return std::any_of(given.begin(), given.end(),
                       [](const E* each) { return each->type->is_half(); });
}

// Of halves and numbers of less rank it is a half.
Expression* Parser::half_call(const Function& known, std::string_view name, std::vector<E*> given,
                              const Place& place) {
    bool halves = true;
    for (E*& each : given) {
        halves = halves && (each->type->is_half() || !each->type->is_floating());
        each = widened(each);
    }
    E* result = builtin_call(known, name, std::move(given), place);
    if (!halves || result->type == nullptr || !result->type->is_floating()) return result;
    return to_arithmetic(result, types_.vector(Scalar::half_, result->type->width));
}

}  // namespace lab::lang
