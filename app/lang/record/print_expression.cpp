#include <fmt/format.h>

#include <array>
#include <string_view>

#include "lang/record/printer.h"
#include "lang/tree/operator_sign.h"

namespace lab::lang {
namespace {

using Kind = Expression::Kind;

bool is_lvalue_kind(Kind kind) {
    return kind == Kind::variable || kind == Kind::dereference || kind == Kind::member ||
           kind == Kind::swizzle;
}

}  // namespace

void Printer::cannot(const Place& place, const std::string& why) const {
    throw Problem(
        "The kernel's accesses cannot be recorded", why,
        "Step it on the simulator: `step` takes every kernel",
        fmt::format("{}:{}:{}", compiled_.sources[place.file].name, place.line, place.column),
        Exit::kernel_fault);
}

bool Printer::is_shared(const E& expr) {
    return expr.space != Space::private_;
}

std::string Printer::operands(const E& expr, const char* separator) {
    std::string text;
    for (const E* each : expr.operands)
        text += (text.empty() ? "" : separator) + value(*each);
    return text;
}

std::string Printer::value(const E& expr) {
    if (expr.lvalue && is_lvalue_kind(expr.kind) && !expr.type->is_array()) {
        if (!is_shared(expr)) return lvalue(expr);
        if (expr.type->is_structure())
            cannot(expr.place, "A structure is copied from memory that others see");
        return load(cell(expr), expr.place);
    }
    switch (expr.kind) {
        case Kind::constant:
            return constant(*expr.type, expr.bits);
        case Kind::variable:
        case Kind::dereference:
        case Kind::member:
        case Kind::swizzle:
            return lvalue(expr);
        case Kind::unary:
            return fmt::format("({}{})", sign_of(expr.operator_), value(*expr.operands[0]));
        case Kind::binary:
            return fmt::format("({} {} {})", value(*expr.operands[0]), sign_of(expr.operator_),
                               value(*expr.operands[1]));
        case Kind::logical_and:
        case Kind::logical_or:
            return fmt::format("({} {} {})", value(*expr.operands[0]),
                               expr.kind == Kind::logical_and ? "&&" : "||",
                               value(*expr.operands[1]));
        case Kind::conditional:
            return fmt::format("({} ? {} : {})", value(*expr.operands[0]), value(*expr.operands[1]),
                               value(*expr.operands[2]));
        case Kind::assign:
            return assign(expr);
        case Kind::compound:
            return compound(expr);
        case Kind::increment:
            return increment(expr);
        case Kind::address:
            return fmt::format("(&{})", lvalue(*expr.operands[0]));
        case Kind::decay:
            return lvalue(*expr.operands[0]);
        case Kind::offset:
            return fmt::format("({} {} {})", value(*expr.operands[0]), expr.minus ? "-" : "+",
                               value(*expr.operands[1]));
        case Kind::difference:
            return fmt::format("({} - {})", value(*expr.operands[0]), value(*expr.operands[1]));
        case Kind::build:
            return fmt::format("(({})({}))", type_text(*expr.type), operands(expr));
        case Kind::convert:
            return converted(expr);
        case Kind::reinterpret:
            return fmt::format("as_{}({})", expr.type->name, value(*expr.operands[0]));
        case Kind::call:
            return call(expr);
        case Kind::builtin:
            return builtin(expr);
        case Kind::comma:
            if (expr.operands.size() == 1)
                return fmt::format("((void){})", value(*expr.operands[0]));
            return fmt::format("({})", operands(expr));
        case Kind::statements:
            return statements(expr);
        case Kind::initializer:
            break;
    }
    cannot(expr.place, "This expression is not known");
}

std::string Printer::lvalue(const E& expr) {
    switch (expr.kind) {
        case Kind::variable:
            return expr.variable->name;
        case Kind::dereference:
            return fmt::format("(*{})", value(*expr.operands[0]));
        case Kind::member: {
            const E& whole = *expr.operands[0];
            return fmt::format("{}.{}", whole.lvalue ? lvalue(whole) : value(whole),
                               member_name(*whole.type, expr.index));
        }
        case Kind::swizzle: {
            const E& whole = *expr.operands[0];
            const bool shared = whole.lvalue && is_shared(whole);
            const std::string from =
                whole.lvalue && !(shared && !expr.lvalue) ? lvalue(whole) : value(whole);
            return from + swizzle_name(expr);
        }
        default:
            return value(expr);
    }
}

std::string Printer::swizzle_name(const E& expr) const {
    std::string name = ".s";
    for (const std::uint8_t lane : expr.lanes)
        name += "0123456789abcdef"[lane];
    return name;
}

std::string Printer::converted(const E& expr) {
    const std::string from = value(*expr.operands[0]);
    if (expr.type == expr.operands[0]->type) return from;
    constexpr std::array<const char*, 5> kRoundings{"", "_rte", "_rtz", "_rtp", "_rtn"};
    const bool plain = !expr.saturate && expr.rounding == E::Rounding::none;
    if (plain && !expr.type->is_vector())
        return fmt::format("(({}){})", type_text(*expr.type), from);
    return fmt::format("convert_{}{}{}({})", expr.type->name, expr.saturate ? "_sat" : "",
                       kRoundings[static_cast<std::size_t>(expr.rounding)], from);
}

// A temporary of the function's own, which keeps what is used twice.
std::string Printer::temporary(const std::string& declaration_of_type, const Type* type) {
    const std::string name = fmt::format("lab_t{}", ++temporary_count_);
    temporaries_.push_back(type != nullptr ? declared(*type, name)
                                           : fmt::format("{}{}", declaration_of_type, name));
    return name;
}

std::string Printer::assign(const E& expr) {
    const E& to = *expr.operands[0];
    if (!is_shared(to)) return fmt::format("({} = {})", lvalue(to), value(*expr.operands[1]));
    if (expr.type->is_structure())
        cannot(expr.place, "A structure is copied to memory that others see");
    const Cell place = cell(to);
    return store(place, value(*expr.operands[1]), to.place);
}

std::string Printer::compound(const E& expr) {
    const E& to = *expr.operands[0];
    const char* sign = sign_of(expr.operator_);
    if (!is_shared(to))
        return fmt::format("({} {}= {})", lvalue(to), sign, value(*expr.operands[1]));
    Cell place = cell(to);
    const std::string pointer = pointer_temporary(place.space, *place.type);
    const std::string other = temporary("", expr.operands[1]->type);
    const std::string begin =
        fmt::format("{} = {}, {} = {}", pointer, place.address, other, value(*expr.operands[1]));
    place.address = pointer;
    std::string before = load(place, to.place);
    const Type& type = *expr.type;
    const bool narrow = type.is_arithmetic() && expr.compute != nullptr;
    if (narrow && expr.compute != &type)
        before = expr.compute->is_vector()
                     ? fmt::format("convert_{}({})", expr.compute->name, before)
                     : fmt::format("(({}){})", expr.compute->name, before);
    std::string result = fmt::format("({} {} {})", before, sign, other);
    if (narrow)
        result = type.is_vector() ? fmt::format("convert_{}({})", type.name, result)
                                  : fmt::format("(({}){})", type.name, result);
    return fmt::format("({}, {})", begin, store(place, result, to.place));
}

std::string Printer::increment(const E& expr) {
    const E& to = *expr.operands[0];
    const char* twice = expr.minus ? "--" : "++";
    if (!is_shared(to))
        return expr.prefix ? fmt::format("({}{})", twice, lvalue(to))
                           : fmt::format("({}{})", lvalue(to), twice);
    Cell place = cell(to);
    const std::string pointer = pointer_temporary(place.space, *place.type);
    const std::string before = temporary("", expr.type);
    const std::string begin = fmt::format("{} = {}", pointer, place.address);
    place.address = pointer;
    const std::string from = load(place, to.place);
    const std::string to_text = store(
        place, fmt::format("({})({} {} 1)", type_text(*expr.type), before, expr.minus ? "-" : "+"),
        to.place);
    return expr.prefix ? fmt::format("({}, {} = {}, {})", begin, before, from, to_text)
                       : fmt::format("({}, {} = {}, {}, {})", begin, before, from, to_text, before);
}

std::string Printer::call(const E& expr) {
    std::string text = fmt::format("{}({}", expr.function->name, state());
    for (const E* each : expr.operands)
        text += ", " + value(*each);
    return text + ")";
}

std::string Printer::builtin(const E& expr) {
    const Builtin what = expr.known.builtin;
    if (what == Builtin::atomic_fence) {
        // By name: compilers have numbers of their own.
        static constexpr std::array kOrders{"relaxed", "consume", "acquire",
                                            "release", "acq_rel", "seq_cst"};
        static constexpr std::array kScopes{"work_group", "device", "sub_group", "work_item"};
        return fmt::format("atomic_work_item_fence({}, memory_order_{}, memory_scope_{})",
                           operands(expr), kOrders[expr.known.number],
                           kScopes[static_cast<std::size_t>(expr.known.scope)]);
    }
    if (what >= Builtin::reduce)
        cannot(expr.place, "Its work-items act together, and nobody sees in what order");
    if (what >= Builtin::sub_group_size && what <= Builtin::sub_group_local_id)
        cannot(expr.place, "It depends on the device's sub-groups, and items are recorded alone");
    switch (what) {
        case Builtin::barrier:
            return barrier(expr);
        case Builtin::sub_group_barrier:
            cannot(expr.place,
                   "It depends on the device's sub-groups, and items are recorded alone");
        case Builtin::prefetch:
            return "((void)0)";
        case Builtin::vload:
        case Builtin::vstore:
            return vector_memory(expr);
        case Builtin::modf:
        case Builtin::fract:
        case Builtin::frexp:
        case Builtin::sincos:
            if (expr.operands[1]->type->space != Space::private_)
                cannot(expr.place, "Its second result goes to memory that others see");
            break;
        default:
            if (what >= Builtin::atomic_add && what <= Builtin::atomic_xor) return atomic(expr);
            break;
    }
    return fmt::format("{}({})", expr.known.name, operands(expr));
}

}  // namespace lab::lang
