#include <fmt/format.h>

#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

constexpr std::size_t kDeepestCalls = 64;

std::size_t returns_in(const Statement& statement) {
    std::size_t count = statement.kind == Statement::Kind::return_ ? 1 : 0;
    for (const Statement* each : statement.statements)
        count += returns_in(*each);
    return count;
}

// Whether the body leaves at its end only.
bool returns_last(const Statement& body) {
    const std::size_t count = returns_in(body);
    return count == 0 || (count == 1 && !body.statements.empty() &&
                          body.statements.back()->kind == Statement::Kind::return_);
}

}  // namespace

// `given`: the value of `of`, or of a structure the pointer to it.
void Lowering::pass_argument(const Variable& parameter, const E& expr, const Registers& given) {
    const Type& type = *parameter.type;
    if (!type.is_structure() && !parameter.is_assigned && !parameter.in_memory) {
        storage_[&parameter] = {};
        storage_[&parameter].registers = given;
        return;
    }
    const Storage own = declare(parameter);
    if (type.is_structure()) {
        copy(type, object_pointer(own.object), Space::private_, given.front(), expr.space,
             alignment_of(expr), expr.place);
        return;
    }
    Location to;
    to.type = &type;
    if (own.object >= 0)
        to.pointer = object_pointer(own.object);
    else
        to.registers = own.registers;
    store(to, given, expr.place);
}

Registers Lowering::call(const E& expr) {
    const FunctionDefinition& function = *expr.function;
    if (function.body == nullptr)
        stop(expr.place, fmt::format("'{}' is declared but has no body", function.name),
             "Define it in this file");
    const bool again = std::any_of(frames_.begin(), frames_.end(),
                                   [&](const Frame& each) { return each.function == &function; });
    if (again)
        stop(expr.place, fmt::format("'{}' calls itself", function.name),
             "OpenCL C has no recursion: write a loop");
    if (frames_.size() > kDeepestCalls)
        stop(expr.place, fmt::format("more than {} functions call one another", kDeepestCalls),
             "Call fewer functions from each other");
    if (function.is_kernel && function.body == kernel_.body)
        stop(expr.place, "a kernel cannot call itself");

    Frame frame{&function, 0, {}, -1};
    if (function.result->is_structure()) {
        Object object{function.name, Space::private_, Scalar::uchar, function.result->bytes, 0, {}};
        frame.result_object = add_object(std::move(object), function.result->alignment, expr.place);
    } else if (!function.result->is_void()) {
        frame.result = fresh_registers(function.result->width);
    }
    const std::uint32_t top = top_;
    // All values first: one of them may come from a call of the same function.
    std::vector<Registers> given;
    for (const E* each : expr.operands)
        given.push_back(each->type->is_structure() ? Registers{pointer_to(*each)} : value(*each));
    for (std::size_t i = 0; i < expr.operands.size(); ++i)
        pass_argument(*function.parameters[i], *expr.operands[i], given[i]);

    count_step(expr.place);
    const auto [known, is_new] = simple_.try_emplace(&function);
    if (is_new) known->second = returns_last(*function.body);
    const bool simple = known->second;
    const std::uint32_t all = simple ? 0 : slot();
    frame.return_slot = simple ? 0 : slot();
    if (!simple) {
        emit(Op::enter, expr.place);
        last().to = all;
        last().a = frame.return_slot;
    }
    const std::uint32_t outer_break = break_slot_, outer_continue = continue_slot_;
    Patches* const outer = reconvergence_;
    Patches leaving;
    break_slot_ = continue_slot_ = 0;
    reconvergence_ = &leaving;
    frames_.push_back(frame);
    body_of(function, simple);
    frames_.pop_back();
    break_slot_ = outer_break;
    continue_slot_ = outer_continue;
    reconvergence_ = outer;
    patch(leaving, here());
    if (!simple) {
        emit(Op::join, expr.place);  // everyone comes back
        last().to = all;
        last().target = here();
    }
    top_ = top;
    if (frame.result_object >= 0) return {object_pointer(frame.result_object)};
    return frame.result;
}

// Where the one return stands last, its value is all that is left to do.
void Lowering::body_of(const FunctionDefinition& function, bool simple) {
    const Statement& body = *function.body;
    const bool ends = simple && !body.statements.empty() &&
                      body.statements.back()->kind == Statement::Kind::return_;
    if (!ends) {
        statement(body);
        return;
    }
    const std::uint32_t top = top_;
    for (std::size_t i = 0; i + 1 < body.statements.size(); ++i)
        statement(*body.statements[i]);
    return_value(*body.statements.back());
    top_ = top;
}

}  // namespace lab::lang
