#include "analysis/outcomes/register_value.h"

#include "machine/context.h"
#include "machine/execute/operations.h"

namespace lab::analysis {

using lang::Instruction;
using lang::Number;
using lang::Op;

namespace {

std::uint64_t most_of(Number number) {
    return is_wide(number) ? kAlways : 0xffffffffU;
}

// A place in the order of the numbers: 0 is the lowest.
std::uint64_t place_of(Number number, std::uint64_t bits) {
    const bool is_signed = number == Number::i32 || number == Number::i64;
    return (bits & most_of(number)) ^ (is_signed ? most_of(number) / 2 + 1 : 0);
}

template <typename T>
std::uint64_t computed(Form form, std::uint64_t x, std::uint64_t y) {
    using namespace machine;
    const T a = get<T>(x), b = get<T>(y);
    switch (form) {
        case Form::add:
            return put<T>(Add()(a, b));
        case Form::sub:
            return put<T>(Sub()(a, b));
        case Form::mul:
            return put<T>(Mul()(a, b));
        case Form::min:
            return put<T>(Min()(a, b));
        case Form::max:
            return put<T>(Max()(a, b));
        case Form::negate:
            return put<T>(Negate()(a, b));
        case Form::shl:
            return put<T>(ShiftLeft()(a, b));
        case Form::shr:
            return put<T>(ShiftRight()(a, b));
        case Form::eq:
            return std::uint64_t{a == b};
        case Form::ne:
            return std::uint64_t{a != b};
        case Form::lt:
            return std::uint64_t{a < b};
        case Form::le:
            return std::uint64_t{a <= b};
    }
    return 0;
}

}  // namespace

bool is_wide(Number number) {
    return number == Number::i64 || number == Number::u64;
}

std::uint64_t canonical(Number number, std::uint64_t bits) {
    return number == Number::i32   ? lang::canonical(lang::Scalar::int_, bits)
           : number == Number::u32 ? lang::canonical(lang::Scalar::uint, bits)
                                   : bits;
}

std::optional<Arithmetic> arithmetic_of(Op op) {
    constexpr std::pair<Op, Form> kFirst[] = {
        {Op::add_i32, Form::add},       {Op::sub_i32, Form::sub}, {Op::mul_i32, Form::mul},
        {Op::min_i32, Form::min},       {Op::max_i32, Form::max}, {Op::eq_i32, Form::eq},
        {Op::ne_i32, Form::ne},         {Op::lt_i32, Form::lt},   {Op::le_i32, Form::le},
        {Op::negate_i32, Form::negate}, {Op::shl_i32, Form::shl}, {Op::shr_i32, Form::shr}};
    for (const auto& [first, form] : kFirst) {
        const int number = static_cast<int>(op) - static_cast<int>(first);
        if (number >= 0 && number <= static_cast<int>(Number::u64))
            return Arithmetic{form, static_cast<Number>(number)};
    }
    return std::nullopt;
}

std::optional<std::uint64_t> result_of(const Instruction& instruction, std::uint64_t a,
                                       std::uint64_t b, std::uint64_t c) {
    if (const auto how = arithmetic_of(instruction.op)) switch (how->number) {
            case Number::i32:
                return computed<std::int32_t>(how->form, a, b);
            case Number::u32:
                return computed<std::uint32_t>(how->form, a, b);
            case Number::i64:
                return computed<std::int64_t>(how->form, a, b);
            default:
                return computed<std::uint64_t>(how->form, a, b);
        }
    switch (instruction.op) {
        case Op::and_:
            return a & b;
        case Op::or_:
            return a | b;
        case Op::xor_:
            return a ^ b;
        case Op::complement:
            return ~a;
        case Op::not_:
            return std::uint64_t{a == 0};
        case Op::truth:
            return std::uint64_t{a != 0};
        case Op::move:
            return a;
        case Op::wrap:
            return lang::canonical(instruction.type, a);
        case Op::select:
            return c != 0 ? a : b;
        case Op::offset:
            return machine::moved(a, static_cast<std::int64_t>(b * instruction.imm));
        default:
            return std::nullopt;
    }
}

std::uint64_t iterations_alike(const Arithmetic& comparison, std::uint64_t value, std::int64_t step,
                               std::uint64_t bound, bool bound_first) {
    const Number number = comparison.number;
    const std::uint64_t most = most_of(number);
    const std::uint64_t index = place_of(number, bound), now = place_of(number, value);
    // It is true, or for `ne` false, of the places first … last.
    std::uint64_t first = 0, last = most;
    if (comparison.form == Form::eq || comparison.form == Form::ne) {
        first = last = index;
    } else if (bound_first) {
        if (comparison.form == Form::lt && index == most) return kAlways;
        first = comparison.form == Form::lt ? index + 1 : index;
    } else {
        if (comparison.form == Form::lt && index == 0) return kAlways;
        last = comparison.form == Form::lt ? index - 1 : index;
    }
    if (first == 0 && last == most) return kAlways;
    const bool inside = now >= first && now <= last;
    const std::uint64_t way =
        inside ? (step > 0 ? last - now : now - first) + 1 : (step > 0 ? first - now : now - last);
    return way & most;
}

std::uint64_t iterations_without_overflow(Number number, std::uint64_t value, std::int64_t step) {
    const std::uint64_t place = place_of(number, value);
    return step > 0 ? most_of(number) - place : place;
}

}  // namespace lab::analysis
