#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {

using StatementKind = Statement::Kind;

void Lowering::statement(const Statement& of) {
    count_step(of.place);
    const std::uint32_t top = top_;
    switch (of.kind) {
        case StatementKind::empty:
            return;
        case StatementKind::block:
            statements(of);
            break;
        case StatementKind::declare:
            declare(of);
            return;  // its registers stay
        case StatementKind::expression:
            effect(*of.condition);
            break;
        case StatementKind::if_:
            if_statement(of);
            break;
        case StatementKind::loop:
            loop(of, true);
            break;
        case StatementKind::do_:
            loop(of, false);
            break;
        case StatementKind::switch_:
            switch_statement(of);
            break;
        case StatementKind::break_:
            leave(break_slot_, of.place);
            break;
        case StatementKind::continue_:
            leave(continue_slot_, of.place);
            break;
        case StatementKind::return_:
            return_statement(of);
            break;
    }
    top_ = top;
}

void Lowering::statements(const Statement& block) {
    const std::uint32_t top = top_;
    const std::size_t first_shown = code_.variables.size();
    for (const Statement* each : block.statements)
        statement(*each);
    for (std::size_t i = first_shown; i < code_.variables.size(); ++i)
        if (code_.variables[i].end == 0) code_.variables[i].end = here();
    top_ = top;
}

// No return, break or continue leaves it.
Registers Lowering::statement_expression(const E& expr) {
    Registers result;
    if (!expr.operands.empty()) result = fresh_registers(expr.type->width);
    const std::uint32_t top = top_;
    const std::size_t first_shown = code_.variables.size();
    const std::uint32_t outer_break = break_slot_, outer_continue = continue_slot_;
    Patches* const outer = reconvergence_;
    Patches leaving;
    break_slot_ = continue_slot_ = 0;
    reconvergence_ = &leaving;
    const std::size_t count = expr.body->statements.size() - expr.operands.size();
    for (std::size_t i = 0; i < count; ++i)
        statement(*expr.body->statements[i]);
    if (!expr.operands.empty()) {
        const Registers last = value(*expr.operands[0]);
        for (std::size_t i = 0; i < result.size(); ++i)
            move(result[i], last[i], expr.place);
    }
    for (std::size_t i = first_shown; i < code_.variables.size(); ++i)
        if (code_.variables[i].end == 0) code_.variables[i].end = here();
    break_slot_ = outer_break;
    continue_slot_ = outer_continue;
    reconvergence_ = outer;
    patch(leaving, here());
    top_ = top;
    return result;
}

void Lowering::declare(const Statement& statement) {
    const Variable& variable = *statement.variable;
    const Type& type = *variable.type;
    Storage& own = declare(variable);
    const std::uint32_t top = top_;
    if (own.object >= 0) {
        const std::uint32_t pointer = object_pointer(own.object);
        if (variable.initial == nullptr) return;
        if (variable.initial->kind == Expression::Kind::initializer)
            initialize(pointer, variable.space, type, *variable.initial);
        else if (type.is_structure())
            copy(*variable.initial, pointer, variable.space, type.alignment, statement.place);
        else {
            Location to;
            to.pointer = pointer;
            to.space = variable.space;
            to.type = &type;
            store(to, value(*variable.initial), statement.place);
        }
        top_ = top;
        return;
    }
    const Registers registers = own.registers;
    if (variable.initial == nullptr) {
        const std::uint32_t defined = fresh();
        storage_[&variable].defined = defined;
        storage_[&variable].name = static_cast<std::uint32_t>(code_.undefined_names.size());
        code_.undefined_names.push_back(variable.name);
        for (const std::uint32_t each : registers) {
            emit(Op::undefine, statement.place);
            last().to = each;
            last().type = type.is_pointer() ? Scalar::ulong : type.scalar;
        }
        move(defined, constant(0), statement.place);
        return;  // `defined` lives as long as the variable
    }
    const bool one = registers.size() == 1;
    const Registers given =
        value(*variable.initial, one ? std::optional(registers[0]) : std::nullopt);
    for (std::size_t i = 0; i < registers.size(); ++i)
        move(registers[i], given[i], statement.place);
    top_ = top;
}

void Lowering::join(std::uint32_t slot, const Place& place) {
    reconvergence_->push_back(emit(Op::join, place));
    last().to = slot;
    last().a = break_slot_;
    last().b = continue_slot_;
    last().c = frames_.back().return_slot;
}

void Lowering::leave(std::uint32_t slot, const Place& place) {
    reconvergence_->push_back(emit(Op::leave, place));
    last().to = slot;
}

void Lowering::if_statement(const Statement& of) {
    if (const auto known = constant_of(*of.condition)) {
        const std::size_t taken = *known != 0 ? 0 : 1;
        if (taken < of.statements.size()) statement(*of.statements[taken]);
        return;
    }
    const std::uint32_t condition = scalar(*of.condition);
    const std::uint32_t masks = slot();
    (void)slot();  // of those who go the other way
    const std::size_t branch = emit(Op::if_, of.condition->place);
    last().to = masks;
    last().a = condition;

    Patches* const outer = reconvergence_;
    Patches yes, no;
    reconvergence_ = &yes;
    statement(*of.statements[0]);
    if (of.statements.size() > 1) {
        patch(yes, here());
        patch({branch}, here());
        no.push_back(emit(Op::else_, of.condition->place));
        last().to = masks;
        reconvergence_ = &no;
        statement(*of.statements[1]);
        patch(no, here());
    } else {
        patch(yes, here());
        patch({branch}, here());
    }
    reconvergence_ = outer;
    join(masks, of.place);
}

void Lowering::loop(const Statement& of, bool test_first) {
    const std::uint32_t top = top_;
    const std::size_t first_shown = code_.variables.size();
    if (of.initial != nullptr)  // its variables live as long as the loop
        for (const Statement* one : of.initial->statements)
            statement(*one);
    const std::uint32_t all = slot(), breaks = slot(), continues = slot();
    emit(Op::enter, of.place);
    last().to = all;
    last().a = breaks;
    const std::uint32_t outer_break = break_slot_, outer_continue = continue_slot_;
    Patches* const outer = reconvergence_;
    Patches out, next;

    const std::uint32_t start = here();
    emit(Op::next_pass, of.place);
    ++loop_depth_;
    const auto test = [&] {
        if (of.condition == nullptr) return;
        const auto known = constant_of(*of.condition);
        if (known && *known != 0) return;
        const std::uint32_t temporaries = top_;
        const std::uint32_t condition = scalar(*of.condition);
        out.push_back(emit(Op::test, of.condition->place));
        last().a = condition;
        top_ = temporaries;
    };
    reconvergence_ = &next;
    if (test_first) test();
    break_slot_ = breaks;
    continue_slot_ = continues;
    statement(*of.statements[0]);
    break_slot_ = outer_break;
    continue_slot_ = outer_continue;
    const bool goes_on = std::any_of(
        code_.instructions.begin() + start, code_.instructions.end(),
        [&](const Instruction& each) { return each.op == Op::leave && each.to == continues; });
    if (goes_on) {
        patch(next, here());
        next.clear();
        out.push_back(emit(Op::again, of.place));
        last().to = continues;
    } else {  // who does not come to the end of the body does not come back
        out.insert(out.end(), next.begin(), next.end());
        next.clear();
    }
    if (!test_first) test();
    if (of.step != nullptr) {
        const std::uint32_t temporaries = top_;
        effect(*of.step);
        top_ = temporaries;
    }
    emit(Op::jump, of.place);
    last().target = start;
    reconvergence_ = outer;
    --loop_depth_;
    patch(out, here());
    patch(next, here());
    join(all, of.place);

    const bool shared = std::any_of(code_.instructions.begin() + start, code_.instructions.end(),
                                    [](const Instruction& each) { return is_visible(each.op); });
    if (loop_depth_ == 0 && shared) {
        emit(Op::next_pass, of.place);
        last().imm = 1;
    } else {  // goes on at the next instruction
        code_.instructions[start].op = Op::jump;
        code_.instructions[start].target = start + 1;
    }
    for (std::size_t i = first_shown; i < code_.variables.size(); ++i) {
        VariableInfo& shown = code_.variables[i];
        if (shown.end == 0 && shown.reg >= top && shown.object < 0) shown.end = here();
    }
    top_ = top;
}

// The register `chosen` tells the case that each item goes to; items join those inside as their
// case comes by, so that they fall through together.
void Lowering::switch_statement(const Statement& of) {
    const std::uint32_t condition = scalar(*of.condition);
    const std::uint32_t chosen = choice(of, condition);
    const std::uint32_t all = slot(), breaks = slot();
    emit(Op::enter, of.place);
    last().to = all;
    last().a = breaks;
    const std::uint32_t outer_break = break_slot_;
    Patches* const outer = reconvergence_;
    Patches pending;
    break_slot_ = breaks;
    reconvergence_ = &pending;

    const Statement& block = *of.statements[0];
    bool first = true;
    const std::uint32_t top = top_;
    for (std::size_t index = 0; index <= block.statements.size(); ++index) {
        for (std::size_t i = 0; i < of.cases.size(); ++i) {
            if (of.cases[i].before != index) continue;
            patch(pending, here());
            pending.assign(1, emit(Op::case_, of.place));
            last().to = all;
            last().a = chosen;
            last().imm = i;
            last().extra = first ? 1 : 0;
            first = false;
        }
        if (index < block.statements.size() && !first) statement(*block.statements[index]);
    }
    top_ = top;
    patch(pending, here());
    break_slot_ = outer_break;
    reconvergence_ = outer;
    join(all, of.place);
}

std::uint32_t Lowering::choice(const Statement& statement, std::uint32_t condition) {
    const std::uint32_t chosen = fresh();
    std::size_t otherwise = statement.cases.size();
    for (std::size_t i = 0; i < statement.cases.size(); ++i)
        if (statement.cases[i].is_default) otherwise = i;
    move(chosen, constant(otherwise), statement.place);
    for (std::size_t i = 0; i < statement.cases.size(); ++i) {
        if (statement.cases[i].is_default) continue;
        const std::uint32_t same =
            operation(Op::eq_i64, statement.place, condition, constant(statement.cases[i].value));
        emit(Op::select, statement.place);
        last().to = chosen;
        last().a = constant(i);
        last().b = chosen;
        last().c = same;
        top_ = same;
    }
    return chosen;
}

void Lowering::return_statement(const Statement& statement) {
    return_value(statement);
    leave(frames_.back().return_slot, statement.place);
}

void Lowering::return_value(const Statement& statement) {
    const Frame frame = frames_.back();  // calls in the value move the others
    if (statement.condition != nullptr) {
        if (frame.function->result->is_void()) {
            effect(*statement.condition);
        } else if (frame.function->result->is_structure()) {
            const Expression& from = *statement.condition;
            copy(from, object_pointer(frame.result_object), Space::private_, from.type->alignment,
                 statement.place);
        } else {
            const Registers given = value(*statement.condition);
            for (std::size_t i = 0; i < given.size(); ++i)
                move(frame.result[i], given[i], statement.place);
        }
    }
}

}  // namespace lab::lang
