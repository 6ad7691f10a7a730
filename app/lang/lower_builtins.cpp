// Calls of what OpenCL C brings along.
#include <algorithm>
#include <array>

#include "base/ranges.h"
#include "lang/lower.h"
#include "lang/parser.h"

namespace lab::lang {

std::uint32_t Lowering::pure_operation(Fn fn, Scalar type, std::uint32_t a, std::uint32_t b,
                                       std::uint32_t c) {
    const std::uint32_t to = operation(Op::pure, a, b);
    last().c = c;
    last().type = type;
    last().extra = static_cast<std::uint16_t>(fn);
    return to;
}

Registers Lowering::pure(const E& expr) {
    std::vector<Registers> given;
    for (const E* each : expr.operands)
        given.push_back(value(*each));
    const Scalar type = expr.operands[0]->type->scalar;
    Registers registers;
    for (std::size_t i = 0; i < expr.type->width; ++i) {
        std::array<std::uint32_t, 3> operands{};
        for (std::size_t k = 0; k < given.size() && k < operands.size(); ++k)
            operands[k] = given[k][i];
        std::uint32_t to =
            pure_operation(expr.known.fn, type, operands[0], operands[1], operands[2]);
        if (expr.known.signature == Signature::question && expr.type->is_vector())
            to = operation(Op::negate_i32, to);
        registers.push_back(to);
    }
    return registers;
}

Registers Lowering::builtin(const E& expr, std::optional<std::uint32_t> want) {
    // In the order of Builtin: each is for those from the one before it on.
    static constexpr std::array<std::pair<Builtin, Registers (Lowering::*)(const E&)>, 17> kCalls{
        {{Builtin::pure, &Lowering::pure},
         {Builtin::all, &Lowering::any_or_all},
         {Builtin::select, &Lowering::select},
         {Builtin::shuffle2, &Lowering::shuffle},
         {Builtin::normalize, &Lowering::geometric},
         {Builtin::remquo, &Lowering::two_results},
         {Builtin::print, &Lowering::print},
         {Builtin::sub_group_local_id, &Lowering::where},
         {Builtin::barrier, &Lowering::barrier},
         {Builtin::sub_group_barrier, &Lowering::sub_group_barrier},
         {Builtin::write_fence, &Lowering::fence},
         {Builtin::vstore_half, &Lowering::vector_memory},
         {Builtin::async_strided_copy, &Lowering::copy_together},
         {Builtin::wait_events, &Lowering::wait_events},
         {Builtin::atomic_wrap_dec, &Lowering::atomic},
         {Builtin::broadcast_first, &Lowering::collective},
         {Builtin::lt_mask, &Lowering::ballot}}};
    const Builtin what = expr.known.builtin;
    if (what == Builtin::min || what == Builtin::max) {
        const Registers a = value(*expr.operands[0]), b = value(*expr.operands[1]);
        const Op op =
            typed(what == Builtin::min ? Op::min_i32 : Op::max_i32, number_of(expr.type->scalar));
        if (a.size() > 1) want.reset();
        Registers registers;
        for (std::size_t i = 0; i < a.size(); ++i)
            registers.push_back(operation(op, a[i], b[i], want));
        return registers;
    }
    if (what == Builtin::prefetch) return {};
    if (expr.known.ordered || what >= Builtin::atomic_init) return ordered_atomic(expr);
    const auto* of = find_if(kCalls, [&](const auto& each) { return what <= each.first; });
    return (this->*of->second)(expr);
}

Registers Lowering::fence(const E& expr) {
    return fence(expr, expr.known.builtin == Builtin::read_fence    ? kAcquires
                       : expr.known.builtin == Builtin::write_fence ? kReleases
                                                                    : kAcquires | kReleases);
}

// `does`: kAcquires, kReleases and the like. One of a work-item's own scope orders nothing that
// others see.
Registers Lowering::fence(const E& expr, unsigned does) {
    if ((does & (kAcquires | kReleases)) == 0 || expr.known.scope == MemoryScope::item) return {};
    const std::uint64_t flags = constant_of(*expr.operands[0]).value_or(3) & 3U;
    emit({.op = Op::fence,
          .extra = static_cast<std::uint16_t>(flags | does | bits_of(expr.known.scope))});
    return {};
}

// Nothing but the first component chooses for scalars, the highest bit of each for vectors.
Registers Lowering::select(const E& expr) {
    const Registers no = value(*expr.operands[0]), yes = value(*expr.operands[1]);
    const Registers registers = value(*expr.operands[2]);
    const Type& mask = *expr.operands[2]->type;
    Registers result;
    for (std::size_t i = 0; i < no.size(); ++i) {
        std::uint32_t question = registers[i];
        if (mask.is_vector()) {
            question = wrapped(question, integer_of(info(mask.scalar).bytes, true));
            question = operation(Op::lt_i64, question, constant(0));
        }
        const std::uint32_t to = fresh();
        emit({.op = Op::select, .to = to, .a = yes[i], .b = no[i], .c = question});
        result.push_back(to);
    }
    return result;
}

Registers Lowering::any_or_all(const E& expr) {
    const Registers from = value(*expr.operands[0]);
    const Scalar type = integer_of(info(expr.operands[0]->type->scalar).bytes, true);
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::uint32_t sign = operation(Op::lt_i64, wrapped(from[i], type), constant(0));
        result = i == 0 ? sign
                        : operation(expr.known.builtin == Builtin::any ? Op::or_ : Op::and_, result,
                                    sign);
    }
    return {result};
}

Registers Lowering::shuffle(const E& expr) {
    Registers from = value(*expr.operands[0]);
    if (expr.operands.size() == 3) {
        const Registers more = value(*expr.operands[1]);
        from.insert(from.end(), more.begin(), more.end());
    }
    const Registers mask = value(*expr.operands.back());
    Registers registers;
    for (const std::uint32_t each : mask) {
        const std::uint32_t index = operation(Op::and_, each, constant(from.size() - 1));
        std::uint32_t chosen = operation(Op::move, from[0]);
        for (std::size_t i = 1; i < from.size(); ++i) {
            const std::uint32_t same = operation(Op::eq_i64, index, constant(i));
            emit({.op = Op::select, .to = chosen, .a = from[i], .b = chosen, .c = same});
        }
        registers.push_back(chosen);
    }
    return registers;
}

// One of the sizes and ids that a dimension has.
std::uint32_t Lowering::where_in(Builtin what, std::uint64_t dimension) {
    const auto index = static_cast<std::uint32_t>(dimension);
    const auto id = [&](Op op) {
        const std::uint32_t result = operation(op, 0);
        last().imm = dimension;
        return result;
    };
    const bool size =
        what == Builtin::global_size || what == Builtin::local_size || what == Builtin::num_groups;
    if (dimension > kLinear) return constant(size ? 1 : 0);
    switch (what) {
        case Builtin::global_size:
            return uniform(Uniform::Kind::global_size, index, 0);
        case Builtin::local_size:
            return uniform(Uniform::Kind::local_size, index, 0);
        case Builtin::num_groups:
            return uniform(Uniform::Kind::num_groups, index, 0);
        case Builtin::global_id:
            return id(Op::global_id);
        case Builtin::local_id:
            return id(Op::local_id);
        case Builtin::group_id:
            return id(Op::group_id);
        default:
            return uniform(Uniform::Kind::global_offset, index, 0);
    }
}

Registers Lowering::where(const E& expr) {
    const Builtin what = expr.known.builtin;
    switch (what) {
        case Builtin::work_dim:
            return {uniform(Uniform::Kind::work_dim, 0, 0)};
        case Builtin::max_sub_group_size:
            return {uniform(Uniform::Kind::lanes, 0, 0)};
        case Builtin::num_sub_groups:
            return {uniform(Uniform::Kind::warps, 0, 0)};
        case Builtin::sub_group_id:
            return {operation(Op::warp_id, 0)};
        case Builtin::sub_group_local_id:
            return {operation(Op::lane_id, 0)};
        case Builtin::sub_group_size: {
            // The last warp of a group may be a narrow one.
            const std::uint32_t lanes = uniform(Uniform::Kind::lanes, 0, 0);
            const std::uint32_t warp = operation(Op::warp_id, 0);
            const std::uint32_t first = operation(Op::mul_u32, warp, lanes);
            const std::uint32_t left =
                operation(Op::sub_u32, uniform(Uniform::Kind::group_items, 0, 0), first);
            return {operation(Op::min_u32, left, lanes)};
        }
        default:
            break;
    }
    if (expr.operands.empty()) return {where_in(what, kLinear)};
    if (const auto dimension = constant_of(*expr.operands[0]))
        return {where_in(what, *dimension < kDimensions ? *dimension : kLinear + 1)};
    const std::uint32_t asked = scalar(*expr.operands[0]);
    std::uint32_t chosen = where_in(what, kLinear + 1);  // beyond those there are
    for (std::uint64_t dimension = kDimensions; dimension-- > 0;) {
        const std::uint32_t here = where_in(what, dimension);
        const std::uint32_t is_it = operation(Op::eq_i64, asked, constant(dimension));
        const std::uint32_t to = fresh();
        emit({.op = Op::select, .to = to, .a = here, .b = chosen, .c = is_it});
        chosen = to;
    }
    return {chosen};
}

// The bits of halves are loaded and stored as ushort.
Registers Lowering::vector_memory(const E& expr) {
    const Builtin what = expr.known.builtin;
    const bool load = what == Builtin::vload || what == Builtin::vload_half;
    const bool halves = what == Builtin::vload_half || what == Builtin::vstore_half;
    Registers given;
    if (!load) given = value(*expr.operands[0]);
    const std::uint32_t by = scalar(*expr.operands[load ? 0 : 1]);
    const E& to = *expr.operands[load ? 1 : 2];
    const Scalar type = halves ? Scalar::ushort : to.type->element->scalar;
    const std::uint8_t width = expr.known.number;
    const std::int64_t step = expr.known.aligned && width == 3 ? 4 : width;
    const std::uint8_t flags = expr.known.aligned && width > 1 ? kAligned : 0;
    const std::uint32_t pointer = offset_pointer(scalar(to), by, info(type).bytes * step);
    const auto convert = [&](Fn fn, Scalar from) {
        for (std::uint32_t& each : given)
            if (halves) each = pure_operation(fn, from, each);
    };
    if (load) {
        given = load_at(pointer, to.type->space, type, width);
        last().flags |= flags;
        convert(Fn::half_value, type);
        return given;
    }
    convert(expr.known.rounding, expr.operands[0]->type->scalar);
    store_at(pointer, to.type->space, type, given);
    last().flags |= flags;
    return {};
}

Registers Lowering::atomic(const E& expr) {
    const std::uint32_t pointer = scalar(*expr.operands[0]);
    std::array<std::uint32_t, 2> operands{};
    for (std::size_t i = 1; i < expr.operands.size() && i < 3; ++i)
        operands[i - 1] = scalar(*expr.operands[i]);
    return {atomic_operation(expr.known.builtin, expr.type->scalar, pointer, operands[0],
                             operands[1],
                             expr.known.scoped ? bits_of(expr.known.scope) : kPlainAtomic)};
}

Registers Lowering::two_results(const E& expr) {
    const Registers from = value(*expr.operands[0]);
    Registers other;
    if (expr.operands.size() == 3) other = value(*expr.operands[1]);
    const std::uint32_t pointer = scalar(*expr.operands.back());
    const Scalar type = expr.type->scalar;
    static const std::map<Builtin, std::pair<Fn, Fn>> kBoth{
        {Builtin::modf, {Fn::modf_rest, Fn::modf_whole}},
        {Builtin::fract, {Fn::fract, Fn::floor}},
        {Builtin::frexp, {Fn::frexp_mantissa, Fn::frexp_exponent}},
        {Builtin::lgamma_r, {Fn::lgamma, Fn::lgamma_sign}},
        {Builtin::remquo, {Fn::remainder, Fn::remquo_quotient}},
        {Builtin::sincos, {Fn::sin, Fn::cos}}};
    const auto& [result_fn, second_fn] = kBoth.at(expr.known.builtin);
    Registers registers, second;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::uint32_t each = from[i], by = other.empty() ? 0 : other[i];
        second.push_back(pure_operation(second_fn, type, each, by));
        registers.push_back(pure_operation(result_fn, type, each, by));
    }
    const Type& target = *expr.operands.back()->type;
    store_at(pointer, target.space, target.element->scalar, second);
    return registers;
}

// Parts of arrays and structures: how they lie, which elements they have, and literals of them.
using Kind = Expression::Kind;

std::uint64_t Lowering::alignment_of(const E& expr) const {
    if (expr.kind == Kind::member) {
        const E& whole = *expr.operands[0];
        return alignment_at(alignment_of(whole), whole.type->members[expr.index].offset);
    }
    if (expr.kind == Kind::dereference && expr.operands[0]->kind == Kind::offset) {
        // An element of an array that lies in a packed structure.
        const E& pointer = *expr.operands[0]->operands[0];
        if (pointer.kind == Kind::decay)
            return alignment_at(alignment_of(*pointer.operands[0]), expr.type->bytes);
    }
    if (expr.kind == Kind::dereference && expr.operands[0]->kind == Kind::decay)
        return alignment_of(*expr.operands[0]->operands[0]);
    return std::max<std::uint64_t>(1, expr.type->alignment);
}

// For messages: "s.a", "rows[…]".
static std::string name_of(const Expression& lvalue) {
    switch (lvalue.kind) {
        case Kind::variable:
            return lvalue.variable->name;
        case Kind::member: {
            const Type::Member& member = lvalue.operands[0]->type->members[lvalue.index];
            const Expression& whole = *lvalue.operands[0];
            if (member.name.empty()) return name_of(whole);
            return name_of(whole) + "." + member.name;
        }
        case Kind::dereference: {
            const Expression& pointer = *lvalue.operands[0];
            if (pointer.kind == Kind::offset) return name_of(*pointer.operands[0]) + "[…]";
            return name_of(pointer);
        }
        case Kind::decay:
        case Kind::convert:
        case Kind::offset:
            return lvalue.operands.empty() ? "…" : name_of(*lvalue.operands[0]);
        default:
            return "…";
    }
}

// Whether it indexes an array that is part of something larger: what is behind its end exists.
bool Lowering::is_inner_element(const E& element) {
    if (element.kind != Kind::dereference) return false;
    const Expression& pointer = *element.operands[0];
    return pointer.kind == Kind::offset && !pointer.minus &&
           pointer.operands[0]->kind == Kind::decay &&
           pointer.operands[0]->operands[0]->kind != Kind::variable;
}

std::uint32_t Lowering::element_of_inner(const E& element, bool beyond) {
    const E& pointer = *element.operands[0];
    const E& array = *pointer.operands[0]->operands[0];
    const std::uint32_t whole = pointer_to(array);
    const std::uint64_t count = array.type->count + (beyond ? 1 : 0);
    const auto known = constant_of(*pointer.operands[1]);
    const std::uint32_t by = scalar(*pointer.operands[1]);
    if (!known || *known >= count) {
        const auto [number, is_new] =
            arrays_.try_emplace(name_of(array), static_cast<std::uint32_t>(code_.arrays.size()));
        if (is_new) code_.arrays.push_back(number->first);
        emit({.op = Op::check_index, .extra = beyond, .a = by, .c = number->second, .imm = count});
    }
    return offset_pointer(whole, by, static_cast<std::int64_t>(element.type->bytes));
}

// Its values, anew wherever the text comes by.
void Lowering::begin_literal(const E& expr) {
    const Variable& variable = *expr.variable;
    const Storage own = storage(variable);
    const Type& type = *variable.type;
    if (variable.initial != nullptr && variable.initial->kind == Kind::initializer)
        initialize(object_pointer(own.object), variable.space, type, *variable.initial);
}

// Calls that are more than arithmetic: geometry, half in memory, printf, barriers, and copies that
// a group makes in the background.

std::uint32_t Lowering::dot(const Registers& a, const Registers& b, Scalar type) {
    const Number number = number_of(type);
    std::uint32_t sum = operation(typed(Op::mul_i32, number), a[0], b[0]);
    for (std::size_t i = 1; i < a.size(); ++i) {
        const std::uint32_t product = operation(typed(Op::mul_i32, number), a[i], b[i]);
        sum = operation(typed(Op::add_i32, number), sum, product);
    }
    return sum;
}

Registers Lowering::geometric(const E& expr) {
    const Scalar type = expr.type->scalar;
    const Number number = number_of(type);
    Registers a = value(*expr.operands[0]), b;
    if (expr.operands.size() > 1) b = value(*expr.operands[1]);
    const auto sub = [&](std::uint32_t x, std::uint32_t y) {
        return operation(typed(Op::sub_i32, number), x, y);
    };
    const auto mul = [&](std::uint32_t x, std::uint32_t y) {
        return operation(typed(Op::mul_i32, number), x, y);
    };
    switch (expr.known.builtin) {
        case Builtin::dot:
            return {dot(a, b, type)};
        case Builtin::cross: {
            Registers result;
            for (const auto& [i, k] : {std::pair(1U, 2U), std::pair(2U, 0U), std::pair(0U, 1U)})
                result.push_back(sub(mul(a[i], b[k]), mul(a[k], b[i])));
            if (a.size() == 4) result.push_back(constant(0));
            return result;
        }
        case Builtin::distance:
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] = sub(a[i], b[i]);
            break;
        default:
            break;
    }
    const std::uint32_t length = pure_operation(Fn::sqrt, type, dot(a, a, type));
    if (expr.known.builtin != Builtin::normalize) return {length};
    Registers result;  // of no length: as it is
    for (const std::uint32_t each : a) {
        const std::uint32_t to = operation(typed(Op::div_i32, number), each, length);
        emit({.op = Op::select, .to = to, .a = to, .b = each, .c = length});
        result.push_back(to);
    }
    return result;
}

Registers Lowering::print(const E& expr) {
    const Registers given = values(expr);
    emit({.op = Op::print,
          .count = static_cast<std::uint8_t>(given.size()),
          .to = given.empty() ? 0 : in_a_row(given),
          .imm = code_.prints.size()});
    code_.prints.push_back(*expr.format);
    return {constant(0)};
}

Registers Lowering::barrier(const E& expr) {
    const auto flags = constant_of(*expr.operands[0]);
    std::uint32_t computed = 0;
    if (!flags) computed = scalar(*expr.operands[0]);
    emit({.op = Op::barrier,
          .extra = static_cast<std::uint16_t>(
              (flags ? static_cast<std::uint16_t>(*flags & 3U) : kFenceComputed) |
              bits_of(expr.known.scope)),
          .a = computed});
    in_turns();
    code_.has_barrier = true;
    return {};
}

Registers Lowering::copy_together(const E& expr) {
    const bool strided = expr.known.builtin == Builtin::async_strided_copy;
    Registers given;
    for (const E* each : expr.operands)
        given.push_back(scalar(*each));
    if (!strided) given.insert(given.begin() + 3, constant(1));
    const std::uint32_t row = in_a_row(given);
    const Type& to = *expr.operands[0]->type;
    const std::uint32_t event = fresh();
    emit({.op = Op::group_copy,
          .type = to.element->scalar,
          .count = to.element->width,
          .extra = to.space == Space::local,
          .to = event,
          .a = row,
          .imm = to.element->bytes});
    in_turns();
    code_.has_barrier = true;
    return {event};
}

Registers Lowering::wait_events(const E& expr) {
    const E& list = *expr.operands[0];
    const std::uint32_t pointer = scalar(list);
    for (unsigned i = 0; i < expr.known.number; ++i) {
        const std::uint32_t at = offset_pointer(pointer, constant(i), 8);
        const Registers event = load_at(at, list.type->space, Scalar::ulong, 1);
        emit({.op = Op::group_wait, .a = event[0]});
        in_turns();
    }
    return {};
}

// What work-items do together: collectives, ballots, atomics with memory orders.
// What memory_order_…, as clang numbers them, makes a fence or an atomic do.
static unsigned does_by(unsigned order) {
    const bool acquires = order == 1 || order == 2 || order >= 4;
    return (acquires ? kAcquires : 0U) | (order >= 3 ? kReleases : 0U) |
           (order == 5 ? kSeqCst : 0U);
}

// `imm` keeps what and how; see machine/collective.
std::uint32_t Lowering::collective_of(const E& expr, std::uint32_t given, std::uint32_t second) {
    const std::uint32_t mask = expr.known.named ? scalar(*expr.operands.back()) : 0;
    const std::uint32_t to = fresh();
    const bool group = expr.known.collective.of == Collective::Of::group;
    emit({.op = group ? Op::group_collective : Op::sub_collective,
          .to = to,
          .a = given,
          .b = second});
    if (!expr.operands.empty()) last().type = expr.operands[0]->type->scalar;
    last().extra = static_cast<std::uint16_t>(expr.known.builtin);
    last().imm = static_cast<std::uint64_t>(expr.known.collective.how);
    if (!group && expr.known.collective.uniform) last().flags = kAllLanes;
    if (expr.known.named) {
        last().flags = kNamedLanes;
        last().c = mask;
    }
    if (group) {
        in_turns();
        code_.has_barrier = true;
    }
    return to;
}

Registers Lowering::sub_group_barrier(const E& expr) {
    (void)collective_of(expr, constant(0), constant(0));  // all lanes must come
    return fence(expr, kAcquires | kReleases | kTogether);
}

Registers Lowering::collective(const E& expr) {
    const Registers given =
        expr.operands.empty() ? Registers{constant(0)} : value(*expr.operands[0]);
    const std::uint32_t second = expr.operands.size() > 1 ? scalar(*expr.operands[1]) : constant(0);
    Registers result;
    for (const std::uint32_t each : given)
        result.push_back(collective_of(expr, each, second));
    return result;
}

// A ballot is 64 bits: as many as a warp may have lanes. The other half of a uint4 is 0.
Registers Lowering::ballot(const E& expr) {
    const auto as_vector = [&](std::uint32_t mask) -> Registers {
        return {operation(Op::and_, mask, constant(0xffffffffU)),
                operation(Op::shr_u64, mask, constant(32)), constant(0), constant(0)};
    };
    const auto pure_of = [&](Fn fn, std::uint32_t mask) {
        return pure_operation(fn, Scalar::ulong, mask);
    };
    const std::uint32_t all = constant(~std::uint64_t{0});
    const auto lane = [&] { return operation(Op::lane_id, 0); };
    // Up to this lane, and all lanes there may be.
    const auto up_to = [&] {
        return operation(Op::shr_u64, all, operation(Op::sub_u64, constant(63), lane()));
    };
    const auto every = [&] {
        const std::uint32_t lanes = uniform(Uniform::Kind::lanes, 0, 0);
        return operation(Op::shr_u64, all, operation(Op::sub_u64, constant(64), lanes));
    };
    const Builtin what = expr.known.builtin;
    switch (what) {
        case Builtin::ballot:
            return as_vector(collective_of(expr, scalar(*expr.operands[0]), constant(0)));
        case Builtin::eq_mask:
            return as_vector(operation(Op::shl_u64, constant(1), lane()));
        case Builtin::le_mask:
            return as_vector(up_to());
        case Builtin::lt_mask:
            return as_vector(operation(Op::shr_u64, up_to(), constant(1)));
        case Builtin::ge_mask:
            return as_vector(operation(Op::and_, operation(Op::shl_u64, all, lane()), every()));
        case Builtin::gt_mask: {
            const std::uint32_t from = operation(Op::shl_u64, all, lane());
            return as_vector(
                operation(Op::and_, operation(Op::shl_u64, from, constant(1)), every()));
        }
        default:
            break;
    }
    const Registers given = value(*expr.operands[0]);
    const std::uint32_t mask =
        operation(Op::or_, given[0], operation(Op::shl_u64, given[1], constant(32)));
    const auto bit = [&](std::uint32_t number) {
        return Registers{operation(Op::and_, operation(Op::shr_u64, mask, number), constant(1))};
    };
    switch (what) {
        case Builtin::inverse_ballot:
            return bit(lane());
        case Builtin::ballot_bit_extract:
            return bit(operation(Op::and_, scalar(*expr.operands[1]), constant(63)));
        case Builtin::ballot_bit_count:
            return {pure_of(Fn::popcount, operation(Op::and_, mask, every()))};
        case Builtin::ballot_inclusive_scan:
            return {pure_of(Fn::popcount, operation(Op::and_, mask, up_to()))};
        case Builtin::ballot_exclusive_scan:
            return {pure_of(Fn::popcount, operation(Op::and_, mask,
                                                    operation(Op::shr_u64, up_to(), constant(1))))};
        case Builtin::ballot_find_lsb:
            return {pure_of(Fn::ctz, mask)};
        default:
            return {operation(Op::sub_u64, constant(63), pure_of(Fn::clz, mask))};
    }
}

std::uint32_t Lowering::atomic_operation(Builtin what, Scalar type, std::uint32_t pointer,
                                         std::uint32_t b, std::uint32_t c, std::uint64_t order) {
    const std::uint32_t to = fresh();
    emit({.op = Op::atomic,
          .type = type,
          .extra = static_cast<std::uint16_t>(what),
          .to = to,
          .a = pointer,
          .b = b,
          .c = c,
          .imm = order});
    return to;
}

Registers Lowering::ordered_atomic(const E& expr) {
    const unsigned does = does_by(expr.known.number);
    const Builtin what = expr.known.builtin;
    if (what == Builtin::atomic_fence) return fence(expr, does);
    const unsigned scope = bits_of(expr.known.scope);
    const std::uint32_t pointer = scalar(*expr.operands[0]);
    const Type& target = *expr.operands[0]->type;
    const Scalar type = target.element->scalar;
    if (what == Builtin::atomic_init) {
        store_at(pointer, target.space, type, {scalar(*expr.operands[1])});
        return {};
    }
    if (what == Builtin::atomic_compare_exchange) {
        const std::uint32_t expected = scalar(*expr.operands[1]);
        const std::uint32_t desired = scalar(*expr.operands[2]);
        const Space space = expr.operands[1]->type->space;
        const std::uint32_t wanted = load_at(expected, space, type, 1).front();
        const std::uint64_t failed = does_by(expr.known.order_of_failure) | scope;
        const std::uint32_t old = atomic_operation(Builtin::atomic_cmpxchg, type, pointer, wanted,
                                                   desired, does | scope | failed << kFailureShift);
        store_at(expected, space, type, {old});
        return {operation(Op::eq_i64, old, wanted)};
    }
    const bool flag = what == Builtin::atomic_flag_set || what == Builtin::atomic_flag_clear;
    const std::uint32_t by = flag ? constant(what == Builtin::atomic_flag_set ? 1 : 0)
                             : expr.operands.size() > 1 ? scalar(*expr.operands[1])
                                                        : constant(0);
    const Builtin operation_of = what == Builtin::atomic_flag_set     ? Builtin::atomic_xchg
                                 : what == Builtin::atomic_flag_clear ? Builtin::atomic_store
                                                                      : what;
    const std::uint32_t old =
        atomic_operation(operation_of, type, pointer, by, constant(0),
                         does | scope | (operation_of == Builtin::atomic_store ? kStoresOnly : 0U));
    if (what == Builtin::atomic_flag_set) return {operation(Op::truth, old)};
    return {old};
}

}  // namespace lab::lang
