// Calls of what OpenCL C brings along: which types they take, and what comes back.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/tree/parser.h"

namespace lab::lang {

namespace {

using Kind = Expression::Kind;

}  // namespace

bool Parser::count_is(std::string_view name, const std::vector<E*>& given, std::size_t least,
                      std::size_t most, const Place& place) {
    if (given.size() >= least && given.size() <= most) return true;
    const std::string takes =
        least == most ? std::to_string(least) : fmt::format("{} or {}", least, most);
    error(place, fmt::format("'{}' takes {} argument{}, but {} {} given", name, takes,
                             most == 1 ? "" : "s", given.size(), given.size() == 1 ? "is" : "are"));
    return false;
}

Expression* Parser::builtin_of(const Function& known, const Type* type,
                               const std::vector<E*>& given, const Place& place) {
    E* call = make(Kind::builtin, type, place, {given.begin(), given.end()});
    call->known = known;
    return call;
}

Expression* Parser::wrong_argument(std::string_view name, const E* given, std::string_view takes) {
    error(given->place, fmt::format("'{}' takes {}, this is a {}", name, takes, given->type->name));
    return broken(given->place);
}

// Gives arguments first … first + count - 1 the type of the first that is a vector, or of the
// largest scalar.
bool Parser::alike(std::string_view name, std::vector<E*>& given, std::size_t first,
                   std::size_t count) {
    const Type* type = given[first]->type;
    for (std::size_t i = first; i < first + count; ++i) {
        const Type* other = given[i]->type;
        if (!other->is_arithmetic()) {
            wrong_argument(name, given[i], "numbers");
            return false;
        }
        if (type->is_vector() && other->is_vector() && type != other) {
            error(given[i]->place,
                  fmt::format("'{}' takes arguments of one type, these are {} and {}", name,
                              type->name, other->name),
                  fmt::format("Write convert_{}( )", type->name));
            return false;
        }
        if (other->is_vector() || (!type->is_vector() && other->scalar > type->scalar))
            type = other;
    }
    for (std::size_t i = first; i < first + count; ++i)
        given[i] = to_arithmetic(given[i], type);
    return true;
}

Expression* Parser::pure_call(const Function& known, std::string_view name, std::vector<E*> given,
                              const Place& place) {
    const Type* result = nullptr;
    for (const E* expr : given)
        if (!expr->type->is_arithmetic()) return wrong_argument(name, expr, "numbers");
    const auto floats = [&](std::size_t count) {
        bool vectors = false;
        for (std::size_t i = 0; i < count; ++i)
            vectors = vectors || given[i]->type->is_vector();
        for (std::size_t i = 0; i < count; ++i) {
            if (given[i]->type->is_floating()) continue;
            if (vectors && given[i]->type->is_vector()) {
                wrong_argument(name, given[i], "floating-point numbers");
                return false;
            }
            given[i] = to_arithmetic(given[i], types_.scalar(Scalar::float_));
        }
        return alike(name, given, 0, count);
    };
    switch (known.signature) {
        case Signature::floats:
        case Signature::floats_scalars:
        case Signature::scalars_floats:
            if (!floats(given.size())) return broken(place);
            result = given[0]->type;
            break;
        case Signature::question:
            if (!floats(given.size())) return broken(place);
            result = mask_of(given[0]->type);
            break;
        case Signature::float_int:
            if (!floats(1)) return broken(place);
            result = given[0]->type;
            if (given[1]->type->is_floating() ||
                (given[1]->type->is_vector() && given[1]->type->width != result->width))
                return wrong_argument(
                    name, given[1],
                    fmt::format("an {} second", types_.vector(Scalar::int_, result->width)->name));
            given[1] = to_arithmetic(given[1], types_.vector(Scalar::int_, given[1]->type->width));
            given[1] = to_arithmetic(given[1], types_.vector(Scalar::int_, result->width));
            break;
        case Signature::float_to_int:
            if (!floats(1)) return broken(place);
            result = types_.vector(Scalar::int_, given[0]->type->width);
            break;
        case Signature::uint_to_float:
            if (given[0]->type->is_floating())
                return wrong_argument(name, given[0], "uint or ulong");
            result = types_.vector(
                info(given[0]->type->scalar).bytes == 8 ? Scalar::double_ : Scalar::float_,
                given[0]->type->width);
            break;
        case Signature::integers:
        case Signature::integers_24:
        case Signature::integer_to_unsigned:
            for (E*& of : given) {
                if (of->type->is_floating()) return wrong_argument(name, of, "integers");
                if (of->type->scalar == Scalar::bool_) of = promoted(of);
            }
            if (!alike(name, given, 0, given.size())) return broken(place);
            result = given[0]->type;
            if (known.signature == Signature::integers_24 && info(result->scalar).bytes != 4) {
                if (result->is_vector()) return wrong_argument(name, given[0], "int or uint");
                // What get_global_id and sizeof give is as good as its lower half.
                const Scalar half = info(result->scalar).is_signed ? Scalar::int_ : Scalar::uint;
                const bool is_long = info(result->scalar).bytes > 4;
                for (E*& of : given)
                    of = is_long ? to_arithmetic(of, types_.scalar(half)) : promoted(of);
                result = given[0]->type;
            }
            if (known.signature == Signature::integer_to_unsigned)
                result =
                    types_.vector(integer_of(info(result->scalar).bytes, false), result->width);
            break;
        case Signature::integers_scalars:
        case Signature::same:
            for (E*& of : given)
                if (of->type->scalar == Scalar::bool_) of = promoted(of);
            if (!alike(name, given, 0, given.size())) return broken(place);
            result = given[0]->type;
            break;
        case Signature::upsample: {
            const Type* high = given[0]->type;
            const Type* low = given[1]->type;
            const std::uint8_t bytes = info(high->scalar).bytes;
            if (high->is_floating() || bytes > 4 || low->width != high->width ||
                low->scalar != integer_of(bytes, false))
                return wrong_argument(name, given[1], "an integer and the unsigned one like it");
            result = types_.vector(
                integer_of(static_cast<std::uint8_t>(bytes * 2), info(high->scalar).is_signed),
                high->width);
            break;
        }
        case Signature::none:
            return broken(place);
    }
    return builtin_of(known, result, given, place);
}

Expression* Parser::select_call(std::string_view name, std::vector<E*> given, const Place& place) {
    for (const E* expr : given)
        if (!expr->type->is_arithmetic()) return wrong_argument(name, expr, "numbers");
    const bool conditional = name == "?:";
    if (!conditional && !alike(name, given, 0, 2)) return broken(place);
    const Type* type = given[0]->type;
    const Type* mask = given[2]->type;
    if (mask->is_floating() || mask->width != type->width ||
        (type->is_vector() && info(mask->scalar).bytes != info(type->scalar).bytes)) {
        error(given[2]->place,
              fmt::format("'{}' of a {} needs a {} to choose by, this is a {}", name, type->name,
                          mask_of(type)->name, mask->name),
              "It has as many components, as wide: a comparison gives one");
        return broken(place);
    }
    Function known;
    known.builtin = Builtin::select;
    return builtin_of(known, type, given, place);
}

// as_T(x) and convert_T(x); empty if the name is neither.
Expression* Parser::made_of_type(std::string_view name, std::vector<E*>& given,
                                 const Place& place) {
    const bool as = name.substr(0, 3) == "as_";
    if (!as && name.substr(0, 8) != "convert_") return nullptr;
    if (!count_is(name, given, 1, 1, place)) return broken(place);
    if (!as) return convert_call(name.substr(8), name, given[0], place);
    const Type* to = types_.named(name.substr(3));
    if (to == nullptr || !to->is_arithmetic()) return nullptr;
    const Type* from = given[0]->type;
    if (!from->is_arithmetic()) return wrong_argument(name, given[0], "a number");
    const bool three_and_four = info(to->scalar).bytes == info(from->scalar).bytes &&
                                std::min(to->width, from->width) == 3 &&
                                std::max(to->width, from->width) == 4;
    if (to->bytes != from->bytes && !three_and_four) {
        error(place, fmt::format("a {} and a {} are not of one size", from->name, to->name),
              fmt::format("Write convert_{}( ) to keep the value", to->name));
        return broken(place);
    }
    if (from->scalar == to->scalar && from->width == to->width) return given[0];
    return make(Kind::reinterpret, to, place, {given[0]});
}

Expression* Parser::convert_call(std::string_view rest, std::string_view name, E* expr,
                                 const Place& place) {
    struct Mode {
        std::string_view word;
        E::Rounding rounding;
    };
    static constexpr std::array<Mode, 4> kModes{{{"_rte", E::Rounding::even},
                                                 {"_rtz", E::Rounding::zero},
                                                 {"_rtp", E::Rounding::up},
                                                 {"_rtn", E::Rounding::down}}};
    E::Rounding rounding = E::Rounding::none;
    for (const Mode& mode : kModes)
        if (rest.size() > 4 && rest.substr(rest.size() - 4) == mode.word) {
            rounding = mode.rounding;
            rest.remove_suffix(4);
        }
    const bool saturate = rest.size() > 4 && rest.substr(rest.size() - 4) == "_sat";
    if (saturate) rest.remove_suffix(4);
    const Type* to = types_.named(rest);
    if (to == nullptr || !to->is_arithmetic()) return nullptr;
    if (!expr->type->is_arithmetic() || expr->type->width != to->width)
        return wrong_argument(name, expr,
                              fmt::format("{} component{}", to->width, to->width == 1 ? "" : "s"));
    if (expr->type == to) return expr;
    E* result = make(Kind::convert, to, place, {expr});
    result->saturate = saturate && to->is_integral();
    result->rounding = rounding;
    return result;
}

Expression* Parser::atomic_call(const Function& known, std::string_view name, std::vector<E*> given,
                                const Place& place) {
    const Type* pointer = given[0]->type;
    if (!pointer->is_pointer() || !pointer->element->is_scalar() ||
        !reaches(Space::generic, pointer->space))
        return wrong_argument(name, given[0], "a pointer to global or local integers first");
    const Type* type = pointer->element;
    const std::uint8_t bytes = info(type->scalar).bytes;
    const bool floats = type->scalar == Scalar::float_ && known.builtin == Builtin::atomic_xchg;
    if ((type->is_floating() && !floats) || bytes < 4 || (bytes == 8 && !known.wide)) {
        error(given[0]->place, fmt::format("'{}' does not take a {}", name, type->name),
              bytes == 8 && !type->is_floating()
                  ? "The 64-bit ones are named atom_…"
                  : "Atomics are of int and uint; a float needs a compare-exchange loop");
        return broken(place);
    }
    if (pointer->to_const)
        return wrong_argument(name, given[0], "a pointer that may be written to");
    for (std::size_t i = 1; i < given.size(); ++i) {
        if (!given[i]->type->is_scalar()) return wrong_argument(name, given[i], "numbers");
        given[i] = to_arithmetic(given[i], type);
    }
    return builtin_of(known, type, given, place);
}

Expression* Parser::vector_memory_call(const Function& known, std::string_view name,
                                       std::vector<E*> given, const Place& place) {
    const bool load = known.builtin == Builtin::vload;
    E*& expr = given[load ? 0 : 1];
    const E* pointer = given[load ? 1 : 2];
    if (!pointer->type->is_pointer() || !pointer->type->element->is_scalar())
        return wrong_argument(name, pointer, "a pointer to scalars last");
    if (!expr->type->is_scalar() || expr->type->is_floating())
        return wrong_argument(name, expr, "an integer offset");
    expr = to_arithmetic(expr, types_.scalar(Scalar::long_));
    const Type* type = types_.vector(pointer->type->element->scalar, known.number);
    if (!load) {
        if (pointer->type->to_const)
            return wrong_argument(name, pointer, "a pointer that may be written to");
        if (given[0]->type != type)
            return wrong_argument(name, given[0], fmt::format("a {} first", type->name));
    }
    return builtin_of(known, load ? type : types_.scalar(Scalar::void_), given, place);
}

Expression* Parser::builtin_call(const Function& known, std::string_view name,
                                 std::vector<E*> given, const Place& place) {
    if (known.ordered || known.builtin == Builtin::atomic_init ||
        known.builtin == Builtin::atomic_fence)
        return ordered_atomic_call(known, name, std::move(given), place);
    const bool barrier =
        known.builtin == Builtin::barrier || known.builtin == Builtin::sub_group_barrier;
    if (!count_is(name, given, barrier ? 1 : known.arguments, barrier ? 2 : known.arguments, place))
        return broken(place);
    if (computes_wider(known, given)) return half_call(known, name, std::move(given), place);
    const Type* nothing = types_.scalar(Scalar::void_);
    const auto simple = [&](const Type* type) { return builtin_of(known, type, given, place); };
    if (known.builtin >= Builtin::work_dim && known.builtin <= Builtin::sub_group_local_id) {
        if (known.arguments == 1) {
            if (!given[0]->type->is_scalar() || given[0]->type->is_floating())
                return wrong_argument(name, given[0], "the number of a dimension");
            given[0] = to_arithmetic(given[0], types_.scalar(Scalar::uint));
        }
        const bool word =
            known.builtin == Builtin::work_dim || known.builtin >= Builtin::sub_group_size;
        return simple(types_.scalar(word ? Scalar::uint : Scalar::ulong));
    }
    switch (known.builtin) {
        case Builtin::pure:
            return pure_call(known, name, std::move(given), place);
        case Builtin::min:
        case Builtin::max:
            for (E*& expr : given)
                if (expr->type->is_scalar() && expr->type->scalar == Scalar::bool_)
                    expr = promoted(expr);
            if (!alike(name, given, 0, 2)) return broken(place);
            return simple(given[0]->type);
        case Builtin::any:
        case Builtin::all:
            if (!given[0]->type->is_arithmetic() || given[0]->type->is_floating())
                return wrong_argument(name, given[0], "integers");
            return simple(types_.scalar(Scalar::int_));
        case Builtin::select:
            return select_call(name, std::move(given), place);
        case Builtin::shuffle:
        case Builtin::shuffle2: {
            const E* mask = given.back();
            if (!given[0]->type->is_vector()) return wrong_argument(name, given[0], "vectors");
            if (given.size() == 3 && given[1]->type != given[0]->type)
                return wrong_argument(name, given[1], "two vectors of one type");
            if (!mask->type->is_vector() || mask->type->is_floating())
                return wrong_argument(name, mask, "a vector of unsigned integers last");
            return simple(types_.vector(given[0]->type->scalar, mask->type->width));
        }
        case Builtin::dot:
        case Builtin::cross:
        case Builtin::length:
        case Builtin::distance:
        case Builtin::normalize:
            return geometric_call(known, name, std::move(given), place);
        case Builtin::lgamma_r:
        case Builtin::remquo:
        case Builtin::modf:
        case Builtin::fract:
        case Builtin::frexp:
        case Builtin::sincos:
            return two_results_call(known, name, std::move(given), place);
        case Builtin::barrier:
        case Builtin::sub_group_barrier:
        case Builtin::fence:
        case Builtin::read_fence:
        case Builtin::write_fence:
            if (!given[0]->type->is_scalar() || given[0]->type->is_floating())
                return wrong_argument(name, given[0],
                                      "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both");
            given[0] = promoted(given[0]);
            if (known.builtin != Builtin::barrier && !constant_of(*given[0])) {
                error(given[0]->place, fmt::format("'{}' needs its flags as constants", name),
                      "Write CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both with | between");
                return broken(place);
            }
            {
                Function scoped = known;
                const bool sub_group = known.builtin == Builtin::sub_group_barrier;
                if (!take_scope(scoped, name, given, 1,
                                sub_group ? MemoryScope::sub_group : MemoryScope::group))
                    return broken(place);
                return builtin_of(scoped, nothing, given, place);
            }
        case Builtin::prefetch:
            return simple(nothing);
        case Builtin::async_copy:
        case Builtin::async_strided_copy:
            return copy_call(known, name, std::move(given), place);
        case Builtin::wait_events:
            return wait_call(name, std::move(given), place);
        case Builtin::vload_half:
        case Builtin::vstore_half:
            return half_memory_call(known, name, std::move(given), place);
        case Builtin::vload:
        case Builtin::vstore:
            return vector_memory_call(known, name, std::move(given), place);
        default:
            if (known.builtin >= Builtin::elect)
                return ballot_call(known, name, std::move(given), place);
            if (known.builtin >= Builtin::reduce)
                return collective_call(known, name, std::move(given), place);
            return atomic_call(known, name, std::move(given), place);
    }
}

}  // namespace lab::lang
