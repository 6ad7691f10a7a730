// Calls of what work-items do together: collectives, ballots, atomics with memory orders.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/tree/parser.h"

namespace lab::lang {

Expression* Parser::collective_call(const Function& known, std::string_view name,
                                    std::vector<E*> given, const Place& place) {
    // What only takes values of others takes vectors, too.
    const bool moves =
        known.builtin == Builtin::broadcast ||
        (known.builtin >= Builtin::sub_shuffle && known.builtin < Builtin::all_equal);
    if (!(moves ? given[0]->type->is_arithmetic() : given[0]->type->is_scalar()))
        return wrong_argument(name, given[0], "a number");
    const bool vote = known.builtin == Builtin::vote_any || known.builtin == Builtin::vote_all;
    if (given[0]->type->is_scalar()) given[0] = vote ? truth(given[0]) : promoted(given[0]);
    if (given[0]->type == nullptr) return broken(place);
    if (known.collective.how >= Collective::How::and_ && given[0]->type->is_floating())
        return wrong_argument(name, given[0], "integers");
    if (given.size() > 1) {
        if (!given[1]->type->is_scalar() || given[1]->type->is_floating())
            return wrong_argument(name, given[1], "an integer second");
        given[1] = to_arithmetic(given[1], types_.scalar(Scalar::uint));
    }
    const bool question = vote || known.builtin == Builtin::all_equal;
    return builtin_of(known, question ? types_.scalar(Scalar::int_) : given[0]->type, given, place);
}

// What sub_group_ballot returns, and what is asked of it: bits of a uint4.
Expression* Parser::ballot_call(const Function& known, std::string_view name, std::vector<E*> given,
                                const Place& place) {
    const Type* mask = types_.vector(Scalar::uint, 4);
    const Type* word = types_.scalar(Scalar::uint);
    const Type* truth_value = types_.scalar(Scalar::int_);
    switch (known.builtin) {
        case Builtin::elect:
            return builtin_of(known, truth_value, given, place);
        case Builtin::broadcast_first:
            return collective_call(known, name, std::move(given), place);
        case Builtin::ballot:
            if (!given[0]->type->is_scalar()) return wrong_argument(name, given[0], "a number");
            given[0] = truth(given[0]);
            if (given[0]->type == nullptr) return broken(place);
            return builtin_of(known, mask, given, place);
        case Builtin::eq_mask:
        case Builtin::ge_mask:
        case Builtin::gt_mask:
        case Builtin::le_mask:
        case Builtin::lt_mask:
            return builtin_of(known, mask, given, place);
        default:
            break;
    }
    if (given[0]->type != mask) return wrong_argument(name, given[0], "a uint4 first");
    if (given.size() > 1) {
        if (!given[1]->type->is_scalar() || given[1]->type->is_floating())
            return wrong_argument(name, given[1], "an integer second");
        given[1] = to_arithmetic(given[1], word);
    }
    const bool asks =
        known.builtin == Builtin::inverse_ballot || known.builtin == Builtin::ballot_bit_extract;
    return builtin_of(known, asks ? truth_value : word, given, place);
}

// The scope, if there is an argument `at`, which must be a constant.
bool Parser::take_scope(Function& known, std::string_view name, std::vector<E*>& given,
                        std::size_t at, MemoryScope usual) {
    known.scope = usual;
    if (given.size() <= at) return true;
    // memory_scope_…, as clang numbers them.
    static constexpr std::array kScopes{MemoryScope::item, MemoryScope::group, MemoryScope::device,
                                        MemoryScope::device, MemoryScope::sub_group};
    const auto value = constant_of(*given[at]);
    if (!given[at]->type->is_scalar() || !value || *value >= kScopes.size()) {
        error(given[at]->place,
              fmt::format("'{}' needs its memory order and scope as constants", name),
              "Write memory_order_relaxed, memory_order_acquire, … and memory_scope_device, …");
        return false;
    }
    known.scope = kScopes[*value];
    given.resize(at);
    return true;
}

// The orders and the scope, which must be constants; `known.number` becomes the order.
bool Parser::take_order(Function& known, std::string_view name, std::vector<E*>& given,
                        std::size_t arguments, const Place& place) {
    constexpr std::uint64_t kSequential = 5;
    const std::size_t orders = known.number;
    known.number = known.order_of_failure = kSequential;
    if (!known.with_order) return count_is(name, given, arguments, arguments, place);
    if (!count_is(name, given, arguments + orders, arguments + orders + 1, place)) return false;
    if (!take_scope(known, name, given, arguments + orders, MemoryScope::device)) return false;
    for (std::size_t i = arguments; i < given.size(); ++i) {
        const auto value = constant_of(*given[i]);
        if (given[i]->type->is_scalar() && value && *value <= kSequential) {
            (i == arguments ? known.number : known.order_of_failure) =
                static_cast<std::uint8_t>(*value);
            continue;
        }
        error(given[i]->place,
              fmt::format("'{}' needs its memory order and scope as constants", name),
              "Write memory_order_relaxed, memory_order_acquire, … and memory_scope_device, …");
        return false;
    }
    given.resize(arguments);
    return true;
}

Expression* Parser::ordered_atomic_call(Function known, std::string_view name,
                                        std::vector<E*> given, const Place& place) {
    const Type* nothing = types_.scalar(Scalar::void_);
    const bool fence = known.builtin == Builtin::atomic_fence;
    if (fence) {
        known.with_order = true;
        known.number = 1;
        if (!take_order(known, name, given, 1, place)) return broken(place);
        if (!given[0]->type->is_scalar() || !constant_of(*given[0]))
            return wrong_argument(name, given[0],
                                  "CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE or both");
        return builtin_of(known, nothing, given, place);
    }
    if (!take_order(known, name, given, known.arguments, place)) return broken(place);
    const Type* pointer = given[0]->type;
    if (!pointer->is_pointer() || !pointer->element->is_scalar() ||
        !reaches(Space::generic, pointer->space))
        return wrong_argument(name, given[0], "a pointer to global or local numbers first");
    const Type* type = pointer->element;
    const bool bits = known.builtin == Builtin::atomic_and || known.builtin == Builtin::atomic_or ||
                      known.builtin == Builtin::atomic_xor;
    if (info(type->scalar).bytes < 4 || (type->is_floating() && bits)) {
        error(given[0]->place, fmt::format("'{}' does not take a {}", name, type->name),
              "Use atomic_int, atomic_uint, atomic_long, atomic_ulong, atomic_float");
        return broken(place);
    }
    if (pointer->to_const && known.builtin != Builtin::atomic_load)
        return wrong_argument(name, given[0], "a pointer that may be written to");
    const bool compares = known.builtin == Builtin::atomic_compare_exchange;
    if (compares && (!given[1]->type->is_pointer() || given[1]->type->element != type ||
                     given[1]->type->to_const))
        return wrong_argument(name, given[1], fmt::format("a pointer to a {} second", type->name));
    for (std::size_t i = compares ? 2 : 1; i < given.size(); ++i) {
        if (!given[i]->type->is_scalar()) return wrong_argument(name, given[i], "numbers");
        given[i] = to_arithmetic(given[i], type);
    }
    const bool silent = known.builtin == Builtin::atomic_init ||
                        known.builtin == Builtin::atomic_store ||
                        known.builtin == Builtin::atomic_flag_clear;
    const bool question = compares || known.builtin == Builtin::atomic_flag_set;
    return builtin_of(known,
                      silent     ? nothing
                      : question ? types_.scalar(Scalar::int_)
                                 : type,
                      given, place);
}

}  // namespace lab::lang
