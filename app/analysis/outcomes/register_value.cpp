#include "analysis/outcomes/register_value.h"

#include "machine/execute/compute.h"
#include "machine/execute/conversion.h"
#include "machine/execute/functions.h"

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

// Nothing: it is a fault.
template <typename T>
std::optional<std::uint64_t> divided(std::uint64_t a, std::uint64_t b, bool rest) {
    const T x = machine::get<T>(a), y = machine::get<T>(b);
    if (y == 0) return std::nullopt;
    if constexpr (std::is_signed_v<T>)
        if (y == -1) return machine::put<T>(rest ? T(0) : machine::Negate()(x, x));
    return machine::put<T>(static_cast<T>(rest ? x % y : x / y));
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
    std::uint64_t result = 0;
    if (machine::compute(instruction, [&](auto f) { result = f(a, b); })) return result;
    switch (instruction.op) {
        case Op::div_i32:
        case Op::rem_i32:
            return divided<std::int32_t>(a, b, instruction.op == Op::rem_i32);
        case Op::div_u32:
        case Op::rem_u32:
            return divided<std::uint32_t>(a, b, instruction.op == Op::rem_u32);
        case Op::div_i64:
        case Op::rem_i64:
            return divided<std::int64_t>(a, b, instruction.op == Op::rem_i64);
        case Op::div_u64:
        case Op::rem_u64:
            return divided<std::uint64_t>(a, b, instruction.op == Op::rem_u64);
        case Op::convert:
            return machine::convert(a, instruction.from, instruction.type,
                                    static_cast<machine::Rounding>(instruction.extra & 0xffU),
                                    (instruction.extra & lang::kSaturate) != 0);
        case Op::pure:
            return machine::pure_function(static_cast<lang::Fn>(instruction.extra),
                                          instruction.type)(a, b, c);
        case Op::select:
            return c != 0 ? a : b;
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
