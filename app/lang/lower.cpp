#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/ranges.h"
#include "lang/code.h"
#include "lang/parser.h"

namespace lab::lang {

// Instructions of a kernel, its functions inlined; more are refused.
constexpr std::size_t kMostInstructions = 200'000;
constexpr std::uint32_t kMostRegisters = 20'000;  // of a kernel; more are refused
// Bytes of a work-item's private variables; more are refused.
constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 20;
// Bytes of a work-group's variables; more are refused.
constexpr std::uint64_t kMostLocalBytes = std::uint64_t{1} << 24;
// Bytes of a kernel's constants; more are refused.
constexpr std::uint64_t kMostConstantBytes = std::uint64_t{1} << 24;
// Arrays of a kernel; more are refused.
constexpr std::size_t kMostObjects = 10'000;

Number number_of(Scalar scalar) {
    return scalar == Scalar::uint      ? Number::u32
           : scalar == Scalar::long_   ? Number::i64
           : scalar == Scalar::ulong   ? Number::u64
           : scalar == Scalar::float_  ? Number::f32
           : scalar == Scalar::double_ ? Number::f64
                                       : Number::i32;
}

namespace {

using Kind = Expression::Kind;
using StatementKind = Statement::Kind;

// The registers of a value, one for each component.
using Registers = std::vector<std::uint32_t>;

// As much as a type may need: it lies right.
constexpr std::uint64_t kAnyAlignment = std::uint64_t{1} << 16U;

// Returns the alignment of what lies `offset` bytes into something of that alignment.
std::uint64_t alignment_at(std::uint64_t alignment, std::uint64_t offset) {
    return offset == 0 ? alignment : std::min(alignment, offset & (~offset + 1));
}

// Where an lvalue lies: in registers, or in memory behind a pointer.
struct Location {
    Registers registers;                 // the components that it names; empty: in memory
    const Variable* variable = nullptr;  // if in registers
    std::uint32_t pointer = 0;           // if in memory
    Space space = Space::private_;
    const Type* type = nullptr;
    const Place* place = nullptr;             // of its accesses
    std::uint64_t alignment = kAnyAlignment;  // of what lies there: less in a packed structure
    std::vector<std::uint8_t> lanes;          // for a swizzle in memory: which components
};

// The form of an operation for `number`, given its form for i32.
Op typed(Op first, Number number) {
    return static_cast<Op>(static_cast<std::uint8_t>(first) + static_cast<std::uint8_t>(number));
}

// Finds what a group waits for together. Each function is looked through once.
class Meetings {
  public:
    bool in(const Expression& expr) {
        const Builtin what = expr.known.builtin;
        const bool waits = expr.kind == Expression::Kind::builtin &&
                           (what == Builtin::barrier || what == Builtin::grid_barrier ||
                            what == Builtin::async_copy || what == Builtin::async_strided_copy ||
                            what == Builtin::wait_events ||
                            (what >= Builtin::reduce && what <= Builtin::broadcast_first &&
                             expr.known.collective.of == Collective::Of::group));
        return waits || (expr.function != nullptr && in_function(*expr.function)) ||
               in(expr.body) || in_any(expr.operands);
    }
    bool in(const Statement& node) {
        return in(node.condition) || in(node.step) || in(node.initial) ||
               (node.kind == Statement::Kind::declare && in(node.variable->initial)) ||
               in_any(node.statements);
    }
    template <typename Part>
    bool in(const Part* part) {
        return part != nullptr && in(*part);
    }

  private:
    bool in_function(const FunctionDefinition& function) {
        const auto [known, news] = functions_.try_emplace(&function, false);
        if (news && in(function.body)) functions_[&function] = true;
        return functions_[&function];
    }
    template <typename Parts>
    bool in_any(const Parts& parts) {
        return any_of(parts, [&](const auto* each) { return in(*each); });
    }
    std::map<const FunctionDefinition*, bool> functions_;
};

// Whether it has a `continue` of the loop around it.
bool goes_on_early(const Statement& node) {
    if (node.kind == Statement::Kind::continue_) return true;
    return node.kind != Statement::Kind::loop && node.kind != Statement::Kind::do_ &&
           any_of(node.statements, [](const Statement* each) { return goes_on_early(*each); });
}

// Whether a turn of a loop of this body may come to such a place another number of times than once:
// what is plainly in a row is passed once by all that come to the next turn.
bool meets_now_and_then(const Statement& body, Meetings& meetings) {
    if (body.kind == Statement::Kind::block)
        return any_of(body.statements,
                      [&](const auto* each) { return meets_now_and_then(*each, meetings); });
    if (body.kind != Statement::Kind::expression) return meetings.in(body);
    const Expression& expr = *body.condition;
    return meetings.in(expr) &&
           (expr.kind != Expression::Kind::builtin || expr.function != nullptr);
}

bool is_comparison(Operator how) {
    return how >= Operator::eq && how <= Operator::ge;
}

// Whether evaluating it can neither be seen nor go wrong: it may be evaluated though nobody asked.
bool is_harmless(const Expression& expression) {
    if (expression.depth > 8) return false;
    switch (expression.kind) {
        case Kind::constant:
            return true;
        case Kind::variable:
            return expression.variable != nullptr && !expression.variable->in_memory &&
                   (expression.variable->initial != nullptr || expression.variable->is_argument);
        case Kind::binary:
            if ((expression.operator_ == Operator::div || expression.operator_ == Operator::rem) &&
                !expression.type->is_floating())
                return false;
            break;
        case Kind::builtin:
            if (expression.known.builtin != Builtin::min &&
                expression.known.builtin != Builtin::max &&
                !(expression.known.builtin >= Builtin::work_dim &&
                  expression.known.builtin <= Builtin::sub_group_local_id))
                return false;
            break;
        case Kind::unary:
        case Kind::convert:
        case Kind::swizzle:
        case Kind::logical_and:
        case Kind::logical_or:
        case Kind::conditional:
            break;
        default:
            return false;
    }
    return all_of(expression.operands, [](const Expression* each) { return is_harmless(*each); });
}

constexpr std::size_t kDeepestCalls = 64;  // functions that call one another; deeper is refused

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

bool holds_pointers(const Type& type) {
    if (type.is_pointer()) return true;
    if (type.is_array()) return holds_pointers(*type.element);
    return any_of(type.members,
                  [](const Type::Member& each) { return holds_pointers(*each.type); });
}

// Whether a conversion to a pointer may lead to what only pointers to const led to: by itself, by
// way of a number, or by pointers that lie in memory and are seen as others there.
bool may_drop_const(const Expression& from, const Type& to) {
    const Type& type = *from.type;
    if (!type.is_pointer()) return from.kind != Expression::Kind::constant;
    if (type.to_const && !to.to_const) return true;
    return type.element != to.element &&
           (holds_pointers(*type.element) || holds_pointers(*to.element));
}

constexpr std::uint64_t kMostLeaves = 4096;  // numbers of a type copied at once; more are refused

// Bytes of an unaligned access that is one action; a wider one is several.
constexpr std::uint64_t kMostLoose = 16;

// Whether it is an address that is known before anything runs.
bool is_address(const Expression& expression) {
    switch (expression.kind) {
        case Kind::variable:
            return expression.variable->at_file_scope;
        case Kind::constant:
            return true;
        case Kind::address:
        case Kind::decay:
        case Kind::member:
            return is_address(*expression.operands[0]);
        case Kind::convert:
            return expression.type->is_pointer() && is_address(*expression.operands[0]);
        case Kind::dereference:  // of an element, whose address is taken
            return expression.operands[0]->kind != Kind::variable &&
                   is_address(*expression.operands[0]);
        case Kind::offset:
            return is_address(*expression.operands[0]) && constant_of(*expression.operands[1]);
        default:
            return false;
    }
}

// For messages: "s.a", "rows[…]".
std::string name_of(const Expression& lvalue) {
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

// What memory_order_…, as clang numbers them, makes a fence or an atomic do.
unsigned does_by(unsigned order) {
    const bool acquires = order == 1 || order == 2 || order >= 4;
    return (acquires ? kAcquires : 0U) | (order >= 3 ? kReleases : 0U) |
           (order == 5 ? kSeqCst : 0U);
}

// Walks a kernel's tree and writes its code.
class Lowering {
  public:
    Lowering(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics)
        : tree_(tree), kernel_(kernel), diagnostics_(diagnostics), place_(&kernel.place) {
        code_.kernel = kernel.name;
        code_.required_group = kernel.required_group;
        code_.places.push_back(kernel.place);
    }

    Code code() {
        try {
            for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
                parameter(i);
            Patches leaving;
            reconvergence_ = &leaving;
            InlinedCall frame{&kernel_, slot(), {}, -1};  // the first: kReturnSlot
            frames_.push_back(frame);
            statement(*kernel_.body);
            patch(leaving, here());
            emit({.op = Op::end}, &kernel_.body->place);
            compact();
            mark_lineage(code_);
            mark_dropped(code_);
            for (Parameter& each : code_.parameters)
                each.read_only = each.read_only && !drops_const_;
        } catch (const Stop&) {
        }
        return std::move(code_);
    }

  private:
    struct Stop {};  // after an error
    using E = Expression;
    using Patches = std::vector<std::size_t>;  // instructions whose target is still open

    struct Storage {
        Registers registers;
        std::int32_t object = -1;
        std::uint32_t defined = 0;  // register that is 1 once a value is assigned; 0: not needed
        std::uint32_t name = 0;     // of undefined_names
    };
    // A function being inlined.
    struct InlinedCall {
        const FunctionDefinition* function;
        std::uint32_t return_slot = 0;
        Registers result;
        std::int32_t result_object = -1;
    };

    Instruction& last() { return code_.instructions.back(); }
    std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
    std::uint32_t constant(std::uint64_t value) {
        return uniform(Uniform::Kind::constant, 0, value);
    }
    std::uint32_t slot() { return code_.masks++; }

    // Takes out what does nothing: jumps to the next instruction.
    void compact() {
        auto& all = code_.instructions;
        const auto idle = [&](std::size_t index) {
            const Instruction& instruction = all[index];
            return instruction.op == Op::jump && instruction.target == index + 1;
        };
        std::vector<std::uint32_t> moved(all.size() + 1);
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            moved[i] = kept;
            if (!idle(i)) ++kept;
        }
        moved[all.size()] = kept;
        std::vector<Instruction> left;
        left.reserve(kept);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (idle(i)) continue;
            left.push_back(all[i]);
            left.back().target = moved[all[i].target];
        }
        all = std::move(left);
        for (VariableInfo& shown : code_.variables) {
            shown.first = moved[shown.first];
            shown.end = moved[shown.end];
        }
    }

    [[noreturn]] void stop(std::string message, std::string hint = {}) {
        diagnostics_.error(*place_, std::move(message), std::move(hint));
        throw Stop();
    }

    std::uint32_t place_index(const Place& given) {
        // What a language's own functions do is done where they are called.
        const Place& place = given.file == kPreludeFile && given.line != 0 ? called_at_ : given;
        auto& places = code_.places;
        // Neighbours mostly share a place.
        for (std::size_t back = 0; back < 8 && back < places.size(); ++back)
            if (places[places.size() - 1 - back] == place)
                return static_cast<std::uint32_t>(places.size() - 1 - back);
        places.push_back(place);
        return static_cast<std::uint32_t>(places.size() - 1);
    }

    void count_step() {
        if (++steps_ > kMostInstructions || code_.instructions.size() >= kMostInstructions)
            stop(fmt::format("the kernel has more than {} instructions once its functions are "
                             "inlined",
                             kMostInstructions),
                 "Call fewer functions from each other");
    }

    std::size_t emit(Instruction instruction, const Place* place = nullptr) {
        if (code_.instructions.size() >= kMostInstructions) count_step();
        instruction.place = place_index(place != nullptr ? *place : *place_);
        code_.instructions.push_back(instruction);
        return code_.instructions.size() - 1;
    }

    void patch(const Patches& jumps, std::uint32_t target) {
        for (const std::size_t jump : jumps)
            code_.instructions[jump].target = target;
    }

    std::uint32_t fresh(std::size_t count = 1) {
        const std::uint32_t first = top_;
        top_ += static_cast<std::uint32_t>(count);
        if (top_ > kMostRegisters) {
            place_ = &code_.places.back();
            stop(fmt::format("the kernel needs more than {} registers", kMostRegisters),
                 "Use fewer or smaller variables");
        }
        code_.registers = std::max(code_.registers, top_);
        return first;
    }

    Registers fresh_registers(std::size_t count) {
        Registers registers(count);
        std::iota(registers.begin(), registers.end(), fresh(count));
        return registers;
    }

    std::uint32_t uniform(Uniform::Kind kind, std::uint32_t index, std::uint64_t value) {
        const auto [at, added] = uniforms_.try_emplace(
            {kind, index, value}, static_cast<std::uint32_t>(code_.uniforms.size()) | kUniform);
        if (added) code_.uniforms.push_back({kind, index, value});
        return at->second;
    }

    // `want`: the register of the result; 0: a fresh one.
    std::uint32_t operation(Op op, std::uint32_t a, std::uint32_t b = 0, std::uint32_t want = 0) {
        const std::uint32_t to = want != 0 ? want : fresh();
        emit({.op = op, .to = to, .a = a, .b = b});
        return to;
    }

    std::uint32_t wrapped(std::uint32_t from, Scalar type, std::uint32_t want = 0) {
        const std::uint32_t to = operation(Op::wrap, from, 0, want);
        last().type = type;
        return to;
    }

    void move(std::uint32_t to, std::uint32_t from) {
        if (to != from) operation(Op::move, from, 0, to);
    }

    void move(const Registers& to, const Registers& from) {
        for (std::size_t i = 0; i < to.size(); ++i)
            move(to[i], from[i]);
    }

    // Returns `yes` where the condition is not 0, else `no`.
    std::uint32_t choose(std::uint32_t condition, std::uint32_t yes, std::uint32_t no,
                         std::uint32_t want = 0) {
        const std::uint32_t to = want != 0 ? want : fresh();
        emit({.op = Op::select, .to = to, .a = yes, .b = no, .c = condition});
        return to;
    }

    // Copies of them, in registers one after another; the first.
    std::uint32_t in_a_row(const Registers& given) {
        const Registers row = fresh_registers(given.size());
        move(row, given);
        return row.front();
    }

    // Variables since `first` are no longer seen from here on.
    void end_shown(std::size_t first) {
        for (std::size_t i = first; i < code_.variables.size(); ++i)
            if (code_.variables[i].end == 0) code_.variables[i].end = here();
    }

    void parameter(std::size_t index) {
        const Variable& variable = *kernel_.parameters[index];
        const SetWithin at(place_, &variable.place);
        const Type& type = *variable.type;
        Parameter result;
        result.name = variable.name;
        result.type_name = type.name;
        if (type.is_pointer()) {
            result.kind =
                type.space == Space::local ? Parameter::Kind::local : Parameter::Kind::buffer;
            result.type = type.element->unit;
            result.element_bytes = std::max<std::uint64_t>(1, type.element->bytes);
            result.shape = shape_pointed_to(*type.element);
            result.read_only = type.to_const;
        } else {
            result.type = type.scalar;
            result.element_bytes = type.bytes;
            components_of(type, result.components);
        }
        code_.parameters.push_back(result);

        Registers given;
        for (std::size_t i = 0; i < std::max<std::size_t>(1, result.components.size()); ++i)
            given.push_back(uniform(Uniform::Kind::argument, static_cast<std::uint32_t>(index), i));
        if (!variable.is_assigned && !variable.in_memory) {
            storage_[&variable].registers = given;
            return;
        }
        Storage& own = declare(variable);
        if (type.is_structure()) {
            std::size_t next = 0;
            spread(type, object_pointer(own.object), type.alignment, given, next);
            return;
        }
        store(location(own, type), given);
    }

    // The scalars that a value of this type is passed as.
    void components_of(const Type& type, std::vector<Scalar>& scalars) {
        if (scalars.size() > 1000 || type.is_pointer() || type.overlaid)
            stop(fmt::format("a kernel's argument cannot be or hold a {} here", type.name),
                 "Pass a buffer of it");
        if (type.in_registers()) scalars.insert(scalars.end(), type.width, type.scalar);
        type.for_parts(
            [&](const Type& part_type, std::uint64_t) { components_of(part_type, scalars); });
    }

    // Stores the scalars one after another where a value of this type lies.
    void spread(const Type& type, std::uint32_t pointer, std::uint64_t alignment,
                const Registers& given, std::size_t& next) {
        type.for_parts([&](const Type& part_type, std::uint64_t offset) {
            spread(part_type, offset_pointer(pointer, constant(offset), 1),
                   alignment_at(alignment, offset), given, next);
        });
        if (!type.in_registers()) return;
        const auto first = given.begin() + static_cast<std::ptrdiff_t>(next);
        store_at(pointer, Space::private_, type.scalar, Registers(first, first + type.width),
                 alignment, 0);
        next += type.width;
    }

    static Object object_of(const Variable& variable) {
        const Type& type = *variable.type;
        return {variable.name, variable.space, type.unit, type.bytes, 0, {}, shape_of(type)};
    }

    std::int32_t add_object(Object object, std::uint64_t alignment) {
        std::uint64_t* end = nullptr;
        if (object.space == Space::private_) end = &code_.private_bytes;
        if (object.space == Space::local) end = &code_.local_bytes;
        alignment =
            std::max<std::uint64_t>(alignment, 8);  // whatever it is cast to lies right in it
        if (end != nullptr) {
            object.offset = (*end + alignment - 1) / alignment * alignment;
            *end = object.offset + object.bytes;
            const std::uint64_t most =
                object.space == Space::local ? kMostLocalBytes : kMostPrivateBytes;
            if (*end > most)
                stop(fmt::format("the kernel's {} variables need more than {} bytes",
                                 name_of(object.space), most),
                     "Pass a buffer instead");
        }
        if (code_.objects.size() >= kMostObjects)
            stop(fmt::format("the kernel has more than {} arrays", kMostObjects));
        code_.objects.push_back(std::move(object));
        return static_cast<std::int32_t>(code_.objects.size() - 1);
    }

    std::uint32_t object_pointer(std::int32_t object) {
        return uniform(Uniform::Kind::object, static_cast<std::uint32_t>(object), 0);
    }

    Storage& declare(const Variable& variable) {
        const SetWithin at(place_, &variable.place);
        Storage& storage = storage_[&variable];
        const Type& type = *variable.type;
        VariableInfo shown;
        shown.name = variable.name;
        shown.line = variable.place.line;
        shown.first = here();
        shown.pointer = type.is_pointer();
        shown.type = type.unit;
        shown.width = type.is_vector() ? type.width : 1;
        if (variable.in_memory) {
            Object object = object_of(variable);
            storage.object = add_object(std::move(object), type.alignment);
            shown.object = storage.object;
        } else {
            storage.registers = fresh_registers(type.width);
            shown.reg = storage.registers.front();
        }
        code_.variables.push_back(std::move(shown));
        return storage;
    }

    Storage& storage(const Variable& variable) {
        const auto found = storage_.find(&variable);
        if (found != storage_.end()) return found->second;
        if (variable.at_file_scope) constant_data(variable);
        return variable.at_file_scope ? storage_[&variable] : declare(variable);
    }

    void constant_data(const Variable& variable) {
        const SetWithin at(place_, &variable.place);
        Object object = object_of(variable);
        std::uint64_t bytes = object.bytes;
        for (const Object& other : code_.objects)
            bytes += other.initial.size();
        if (bytes > kMostConstantBytes)
            stop(fmt::format("the constants need more than {} bytes", kMostConstantBytes),
                 "Pass a buffer instead");
        object.initial.resize(variable.type->bytes);
        if (variable.initial != nullptr) write_constant(*variable.initial, object.initial.data());
        storage_[&variable].object = add_object(std::move(object), 16);
    }

    void write_constant(const Expression& expression, std::byte* to) {
        const SetWithin at(place_, &expression.place);
        using ExpressionKind = Expression::Kind;
        const std::uint8_t bytes = info(expression.type->scalar).bytes;
        if (expression.kind == ExpressionKind::initializer) {
            for (std::size_t i = 0; i < expression.operands.size(); ++i)
                write_constant(*expression.operands[i], to + expression.offsets[i]);
            return;
        }
        if (expression.type->is_vector() && expression.kind == ExpressionKind::build) {
            std::size_t index = 0;
            for (const Expression* part : expression.operands) {
                write_constant(*part, to + index * bytes);
                index += part->type->width;
            }
            for (; index < expression.type->width && expression.operands.size() == 1; ++index)
                write_constant(*expression.operands[0], to + index * bytes);
            return;
        }
        const auto bits = constant_of(expression);
        if (!bits) stop("what lives as long as the program begins with a constant");
        std::memcpy(to, &*bits, bytes);
    }

    void statement(const Statement& node) {
        const SetWithin at(place_, &node.place);
        count_step();
        const std::uint32_t top = top_;
        switch (node.kind) {
            case StatementKind::empty:
                return;
            case StatementKind::block:
                statements(node);
                break;
            case StatementKind::declare:
                declare(node);
                return;  // its registers stay
            case StatementKind::expression:
                effect(*node.condition);
                break;
            case StatementKind::if_:
                if_statement(node);
                break;
            case StatementKind::loop:
                loop(node, true);
                break;
            case StatementKind::do_:
                loop(node, false);
                break;
            case StatementKind::switch_:
                switch_statement(node);
                break;
            case StatementKind::break_:
                leave(break_slot_);
                break;
            case StatementKind::continue_:
                leave(continue_slot_);
                break;
            case StatementKind::return_:
                return_value(node);
                leave(frames_.back().return_slot);
                break;
        }
        top_ = top;
    }

    void statements(const Statement& block) {
        const std::uint32_t top = top_;
        const std::size_t first_shown = code_.variables.size();
        for (const Statement* each : block.statements)
            statement(*each);
        end_shown(first_shown);
        top_ = top;
    }

    // No return, break or continue leaves it.
    Registers statement_expression(const E& expr) {
        Registers result;
        if (!expr.operands.empty()) result = fresh_registers(expr.type->width);
        const std::uint32_t top = top_;
        const std::size_t first_shown = code_.variables.size();
        Patches leaving;
        {
            const SetWithin breaks(break_slot_, 0U), continues(continue_slot_, 0U);
            const SetWithin jumps(reconvergence_, &leaving);
            const std::size_t count = expr.body->statements.size() - expr.operands.size();
            for (std::size_t i = 0; i < count; ++i)
                statement(*expr.body->statements[i]);
            if (!expr.operands.empty()) move(result, value(*expr.operands[0]));
            end_shown(first_shown);
        }
        patch(leaving, here());
        top_ = top;
        return result;
    }

    void declare(const Statement& statement) {
        const Variable& variable = *statement.variable;
        const Type& type = *variable.type;
        // A function's local memory is one for all its calls.
        if (variable.space == Space::local && storage_.contains(&variable)) return;
        Storage& own = declare(variable);
        const std::uint32_t top = top_;
        if (own.object >= 0) {
            const std::uint32_t pointer = object_pointer(own.object);
            if (variable.initial == nullptr) return;
            if (variable.initial->kind == Expression::Kind::initializer) {
                initialize(pointer, variable.space, type, *variable.initial);
            } else if (type.is_structure()) {
                copy(*variable.initial, pointer, variable.space, type.alignment);
            } else {
                Location to = location(own, type);
                to.space = variable.space;
                store(to, value(*variable.initial));
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
            for (const std::uint32_t each : registers)
                emit({.op = Op::undefine, .type = type.scalar, .to = each});
            move(defined, constant(0));
            return;  // `defined` lives as long as the variable
        }
        const bool one = registers.size() == 1;
        move(registers, value(*variable.initial, one ? registers[0] : 0));
        top_ = top;
    }

    void join(std::uint32_t slot) {
        reconvergence_->push_back(emit({.op = Op::join,
                                        .to = slot,
                                        .a = break_slot_,
                                        .b = continue_slot_,
                                        .c = frames_.back().return_slot}));
    }

    void leave(std::uint32_t slot) {
        reconvergence_->push_back(emit({.op = Op::leave, .to = slot}));
    }

    // The slots of those who go on and of those who go the other way, and where these have to go.
    std::pair<std::uint32_t, std::size_t> begin_if(std::uint32_t condition,
                                                   const Place* place = nullptr) {
        const std::uint32_t masks = slot();
        (void)slot();
        return {masks, emit({.op = Op::if_, .to = masks, .a = condition}, place)};
    }

    void if_statement(const Statement& node) {
        if (const auto known = constant_of(*node.condition)) {
            const std::size_t taken = *known != 0 ? 0 : 1;
            if (taken < node.statements.size()) statement(*node.statements[taken]);
            return;
        }
        const std::uint32_t condition = scalar(*node.condition);
        const auto [masks, branch] = begin_if(condition, &node.condition->place);
        {
            Patches leaving{branch};
            const SetWithin jumps(reconvergence_, &leaving);
            statement(*node.statements[0]);
            patch(leaving, here());
            if (node.statements.size() > 1) {
                leaving.assign(1, emit({.op = Op::else_, .to = masks}, &node.condition->place));
                statement(*node.statements[1]);
                patch(leaving, here());
            }
        }
        join(masks);
    }

    void loop(const Statement& node, bool test_first) {
        const std::uint32_t top = top_;
        const std::size_t first_shown = code_.variables.size();
        if (node.initial != nullptr)  // its variables live as long as the loop
            for (const Statement* one : node.initial->statements)
                statement(*one);
        const std::uint32_t all = slot(), breaks = slot(), continues = slot();
        const Statement& body = *node.statements[0];
        Meetings meetings;
        const bool counted = meets_now_and_then(body, meetings) ||
                             (meetings.in(body) && goes_on_early(body)) ||
                             meetings.in(node.condition) || meetings.in(node.step);
        if (counted) turns_.push_back(operation(Op::move, constant(0)));
        emit({.op = Op::enter, .to = all, .a = breaks});
        Patches* const outer = reconvergence_;
        Patches out, next;

        const std::uint32_t start = here();
        emit({.op = Op::next_pass});
        ++loop_depth_;
        const auto test = [&] {
            if (node.condition == nullptr) return;
            const auto known = constant_of(*node.condition);
            if (known && *known != 0) return;
            const std::uint32_t temporaries = top_;
            const std::uint32_t condition = scalar(*node.condition);
            out.push_back(emit({.op = Op::test, .a = condition}, &node.condition->place));
            top_ = temporaries;
        };
        reconvergence_ = &next;
        if (test_first) test();
        {
            const SetWithin inner(break_slot_, breaks), again(continue_slot_, continues);
            statement(body);
        }
        const bool goes_on = std::any_of(
            code_.instructions.begin() + start, code_.instructions.end(),
            [&](const Instruction& each) { return each.op == Op::leave && each.to == continues; });
        if (goes_on) {
            patch(next, here());
            out.push_back(emit({.op = Op::again, .to = continues}));
        } else {  // who does not come to the end of the body does not come back
            out.insert(out.end(), next.begin(), next.end());
        }
        next.clear();
        if (!test_first) test();
        if (node.step != nullptr) {
            const std::uint32_t temporaries = top_;
            effect(*node.step);
            top_ = temporaries;
        }
        if (counted) {
            operation(typed(Op::add_i32, Number::u64), turns_.back(), constant(1), turns_.back());
            turns_.pop_back();
        }
        emit({.op = Op::jump, .target = start});
        reconvergence_ = outer;
        --loop_depth_;
        patch(out, here());
        patch(next, here());
        join(all);

        const bool shared =
            std::any_of(code_.instructions.begin() + start, code_.instructions.end(),
                        [](const Instruction& each) { return is_visible(each.op); });
        if (loop_depth_ == 0 && shared) {
            emit({.op = Op::next_pass, .imm = 1});
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

    // Gives the last instruction, which a group waits for together, one number for the turns of
    // all loops around here that are counted.
    void in_turns() {
        if (turns_.empty()) return;
        const Instruction waits = last();
        code_.instructions.pop_back();
        std::uint32_t turn = turns_.front();
        for (std::size_t i = 1; i < turns_.size(); ++i) {
            constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
            turn = operation(typed(Op::mul_i32, Number::u64), turn, constant(kFactor));
            turn = operation(typed(Op::add_i32, Number::u64), turn, turns_[i]);
        }
        emit(waits);
        last().flags |= kInTurns;
        last().c = turn;
    }

    // The register `chosen` tells the case that each item goes to; items join those inside as their
    // case comes by, so that they fall through together.
    void switch_statement(const Statement& node) {
        const std::uint32_t condition = scalar(*node.condition);
        const std::uint32_t chosen = choice(node, condition);
        const std::uint32_t all = slot(), breaks = slot();
        emit({.op = Op::enter, .to = all, .a = breaks});
        {
            Patches pending;
            const SetWithin inner(break_slot_, breaks);
            const SetWithin jumps(reconvergence_, &pending);
            const Statement& block = *node.statements[0];
            bool first = true;
            const std::uint32_t top = top_;
            for (std::size_t index = 0; index <= block.statements.size(); ++index) {
                for (std::size_t i = 0; i < node.cases.size(); ++i) {
                    if (node.cases[i].before != index) continue;
                    patch(pending, here());
                    pending.assign(
                        1,
                        emit({.op = Op::case_, .extra = first, .to = all, .a = chosen, .imm = i}));
                    first = false;
                }
                if (index < block.statements.size() && !first) statement(*block.statements[index]);
            }
            top_ = top;
            patch(pending, here());
        }
        join(all);
    }

    std::uint32_t choice(const Statement& statement, std::uint32_t condition) {
        const std::uint32_t chosen = fresh();
        std::size_t otherwise = statement.cases.size();
        for (std::size_t i = 0; i < statement.cases.size(); ++i)
            if (statement.cases[i].is_default) otherwise = i;
        move(chosen, constant(otherwise));
        for (std::size_t i = 0; i < statement.cases.size(); ++i) {
            if (statement.cases[i].is_default) continue;
            const std::uint32_t same =
                operation(Op::eq_i64, condition, constant(statement.cases[i].value));
            choose(same, constant(i), chosen, chosen);
            top_ = same;
        }
        return chosen;
    }

    void return_value(const Statement& statement) {
        const SetWithin at(place_, &statement.place);
        const InlinedCall frame = frames_.back();  // calls in the value move the others
        if (statement.condition != nullptr) {
            if (frame.function->result->is_void()) {
                effect(*statement.condition);
            } else if (frame.function->result->is_structure()) {
                const Expression& from = *statement.condition;
                copy(from, object_pointer(frame.result_object), Space::private_,
                     from.type->alignment);
            } else {
                move(frame.result, value(*statement.condition));
            }
        }
    }

    std::uint32_t scalar(const E& expr) { return value(expr).front(); }

    Registers value(const E& expr, std::uint32_t want = 0) {
        const SetWithin at(place_, &expr.place);
        switch (expr.kind) {
            case Kind::constant:
                return {constant(expr.bits)};
            case Kind::variable:
                return variable(expr);
            case Kind::unary:
                return unary(expr, want);
            case Kind::binary:
                return binary(expr, want);
            case Kind::logical_and:
            case Kind::logical_or:
                return logical(expr);
            case Kind::conditional:
                return conditional(expr);
            case Kind::assign:
                return assign(expr);
            case Kind::compound:
                return compound(expr);
            case Kind::increment:
                return increment(expr, true);
            case Kind::dereference:
            case Kind::member:
            case Kind::swizzle:
                if (expr.kind == Kind::swizzle && is_index(*expr.operands[0]))
                    for (const std::uint8_t lane : expr.lanes)
                        code_.dims = std::max(code_.dims, lane + 1U);
                if (!expr.lvalue && expr.kind == Kind::swizzle) {
                    const Registers from = value(*expr.operands[0]);
                    return mapped<std::uint32_t>(
                        expr.lanes, [&](const std::uint8_t lane) { return from[lane]; });
                }
                return load(location(expr), want);
            case Kind::address:
            case Kind::decay:
                return {pointer_to(*expr.operands[0], true)};
            case Kind::offset: {
                const std::uint32_t pointer = scalar(*expr.operands[0]);
                return {element_pointer(pointer, scalar(*expr.operands[1]), expr.minus, expr)};
            }
            case Kind::difference: {
                const std::uint32_t a = scalar(*expr.operands[0]), b = scalar(*expr.operands[1]);
                const std::uint32_t to = operation(Op::difference, a, b, want);
                last().imm = std::max<std::uint64_t>(1, expr.operands[0]->type->element->bytes);
                return {to};
            }
            case Kind::build:
                return build(expr);
            case Kind::convert:
                return convert(expr, want);
            case Kind::reinterpret:
                return reinterpret(expr);
            case Kind::call:
                return call(expr);
            case Kind::builtin:
                return builtin(expr, want);
            case Kind::statements:
                return statement_expression(expr);
            case Kind::comma:
                effect(*expr.operands[0]);
                if (expr.operands.size() == 1) return {};
                return value(*expr.operands[1], want);
            case Kind::initializer:
                break;
        }
        stop("this cannot be evaluated here");
    }

    // Evaluates it for its side effects only.
    void effect(const E& expr) {
        const SetWithin at(place_, &expr.place);
        if (expr.kind == Kind::increment) {
            increment(expr, false);
        } else if (expr.kind == Kind::comma) {
            for (const E* each : expr.operands)
                effect(*each);
        } else if (expr.kind == Kind::assign && expr.type->is_structure()) {
            const E& to = *expr.operands[0];
            copy(*expr.operands[1], pointer_to(to), to.space, alignment_of(to));
        } else if (expr.type->in_registers() || expr.type->is_void()) {
            (void)value(expr);
        } else if (expr.kind == Kind::call) {
            (void)call(expr);
        }
    }

    Registers unary(const E& expr, std::uint32_t want) {
        const Registers from = value(*expr.operands[0]);
        const Scalar type = expr.type->scalar;
        if (from.size() > 1) want = 0;
        Registers registers;
        for (const std::uint32_t each : from) {
            const Op op = expr.operator_ == Operator::negate
                              ? typed(Op::negate_i32, number_of(type))
                              : Op::complement;
            std::uint32_t to = operation(op, each, 0, want);
            if ((info(type).bytes < 4 || op == Op::complement) && !info(type).floating &&
                type != Scalar::long_ && type != Scalar::ulong)
                to = wrapped(to, type, to);
            registers.push_back(to);
        }
        return registers;
    }

    Registers compare(Operator how, const Type& type, const Registers& a, const Registers& b,
                      std::uint32_t want) {
        const bool swapped = how == Operator::gt || how == Operator::ge;
        const Op op = how == Operator::eq                          ? Op::eq_i32
                      : how == Operator::ne                        ? Op::ne_i32
                      : how == Operator::lt || how == Operator::gt ? Op::lt_i32
                                                                   : Op::le_i32;
        if (a.size() > 1) want = 0;
        Registers registers;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::uint32_t to = operation(typed(op, number_of(type.scalar)),
                                               swapped ? b[i] : a[i], swapped ? a[i] : b[i], want);
            last().flags |= kChooses;
            if (type.is_vector()) operation(Op::negate_i32, to, 0, to);
            registers.push_back(to);
        }
        return registers;
    }

    // Returns n, if a register is known to hold 2^n.
    std::optional<unsigned> exponent_of(std::uint32_t reg) const {
        if ((reg & kUniform) == 0) return std::nullopt;
        const Uniform& uniform = code_.uniforms[reg & ~kUniform];
        if (uniform.kind != Uniform::Kind::constant || !std::has_single_bit(uniform.value))
            return std::nullopt;
        return static_cast<unsigned>(std::countr_zero(uniform.value));
    }

    Registers arithmetic(Operator how, const Type& type, const Registers& a, const Registers& b,
                         std::uint32_t want) {
        static constexpr std::array<Op, 10> kOps{Op::add_i32, Op::sub_i32, Op::mul_i32, Op::div_i32,
                                                 Op::rem_i32, Op::shl_i32, Op::shr_i32, Op::and_,
                                                 Op::or_,     Op::xor_};
        const Op first = kOps[static_cast<std::size_t>(how)];
        const bool bitwise = first == Op::and_ || first == Op::or_ || first == Op::xor_;
        const bool shifts = how == Operator::shl || how == Operator::shr;
        const bool narrow = !type.is_floating() && info(type.scalar).bytes < 4;
        // An unsigned char or short is shifted and divided as int: its value is not negative.
        const Op op = bitwise ? first : typed(first, number_of(type.scalar));
        if (a.size() > 1) want = 0;
        Registers registers;
        const bool plain = is_integer(type.scalar) && !info(type.scalar).is_signed && !narrow;
        for (std::size_t i = 0; i < a.size(); ++i) {
            std::uint32_t count = b[i];
            const auto exponent = exponent_of(count);
            if (plain && exponent && how == Operator::div) {
                registers.push_back(operation(typed(Op::shr_i32, number_of(type.scalar)), a[i],
                                              constant(*exponent), want));
                continue;
            }
            if (plain && exponent && how == Operator::rem) {
                registers.push_back(
                    operation(Op::and_, a[i], constant((std::uint64_t{1} << *exponent) - 1), want));
                continue;
            }
            if (shifts && narrow)
                count = operation(Op::and_, count, constant(info(type.scalar).bytes * 8U - 1U));
            std::uint32_t to = operation(op, a[i], count, want);
            if (narrow && !bitwise) to = wrapped(to, type.scalar, to);
            registers.push_back(to);
        }
        return registers;
    }

    Registers binary(const E& expr, std::uint32_t want) {
        const Registers a = value(*expr.operands[0]);
        const Registers b = value(*expr.operands[1]);
        // A pointer may be compared with 0.
        const E& compared = *expr.operands[expr.operands[1]->type->is_pointer() ? 1 : 0];
        if (is_comparison(expr.operator_))
            return compare(expr.operator_, *compared.type, a, b, want);
        return arithmetic(expr.operator_, *expr.type, a, b, want);
    }

    // a && b, a || b: b only where a does not decide.
    Registers logical(const E& expr) {
        const bool both = expr.kind == Kind::logical_and;
        const std::uint32_t first = scalar(*expr.operands[0]);
        if (is_harmless(*expr.operands[1])) {
            const std::uint32_t left = operation(Op::truth, first);
            const std::uint32_t second = scalar(*expr.operands[1]);
            const std::uint32_t right = operation(Op::truth, second);
            return {operation(both ? Op::and_ : Op::or_, left, right, left)};
        }
        const std::uint32_t result = operation(Op::truth, first);
        const std::uint32_t asks = both ? result : operation(Op::not_, result);
        const auto [masks, branch] = begin_if(asks);
        const std::uint32_t second = scalar(*expr.operands[1]);
        operation(Op::truth, second, 0, result);
        patch({branch}, here());
        join(masks);
        return {result};
    }

    Registers conditional(const E& expr) {
        const E& question = *expr.operands[0];
        const std::uint32_t condition = scalar(question);
        const bool lineage = question.kind == Kind::binary && is_comparison(question.operator_);
        if (expr.type->is_structure() || expr.type->is_void())
            stop("'?' between structures is not supported here", "Write if and else");
        const std::size_t count = expr.type->width;
        const Registers registers = fresh_registers(count);
        if (is_harmless(*expr.operands[1]) && is_harmless(*expr.operands[2])) {
            const Registers yes = value(*expr.operands[1]), no = value(*expr.operands[2]);
            for (std::size_t i = 0; i < count; ++i)
                choose(condition, yes[i], no[i], registers[i]);
        } else {
            const auto [masks, branch] = begin_if(condition, &question.place);
            move(registers, value(*expr.operands[1]));
            patch({branch}, here());
            const std::size_t other = emit({.op = Op::else_, .to = masks}, &question.place);
            move(registers, value(*expr.operands[2]));
            patch({other}, here());
            join(masks);
        }
        if (lineage && count == 1 && expr.type->is_scalar())
            emit({.op = Op::lineage_of_choice, .to = registers[0], .a = condition});
        return registers;
    }

    Registers assign(const E& expr) {
        const E& to = *expr.operands[0];
        if (expr.type->is_structure()) {
            effect(expr);
            return {pointer_to(to)};
        }
        // A plain variable: its value is computed into its register.
        if (to.kind == Kind::variable && !to.variable->in_memory) {
            const Storage own = storage(*to.variable);
            const bool one = own.registers.size() == 1;
            const Registers given = value(*expr.operands[1], one ? own.registers[0] : 0);
            store(location(to), given);
            return own.registers;
        }
        const Location cell = location(to);
        const Registers given = value(*expr.operands[1]);
        store(cell, given);
        return given;
    }

    Registers compound(const E& expr) {
        const E& to = *expr.operands[0];
        const Location cell = location(to);
        // C reads the variable after the other operand is evaluated; only another's write could
        // tell.
        const Registers registers = value(*expr.operands[1]);
        Registers before = load(cell);
        Registers result;
        if (expr.type->is_pointer()) {
            result = {
                element_pointer(before[0], registers[0], expr.operator_ == Operator::sub, expr)};
        } else {
            const Scalar own = expr.type->scalar, computes = expr.compute->scalar;
            for (std::uint32_t& each : before)
                each = converted(each, own, computes, 0);
            std::uint32_t want = 0;  // a plain variable is computed in place
            if (cell.registers.size() == 1 && own == computes) want = cell.registers[0];
            result = arithmetic(expr.operator_, *expr.compute, before, registers, want);
            for (std::uint32_t& each : result)
                each = converted(each, computes, own, 0);
        }
        store(cell, result);
        return result;
    }

    Registers increment(const E& expr, bool used) {
        const E& to = *expr.operands[0];
        const Location cell = location(to);
        Registers before = load(cell);
        if (used && !expr.prefix && !cell.registers.empty()) {
            Registers kept;
            for (const std::uint32_t each : before)
                kept.push_back(operation(Op::move, each));
            before = kept;
        }
        Registers registers;
        if (expr.type->is_pointer()) {
            registers = {element_pointer(before[0], constant(1), expr.minus, expr)};
        } else {
            const Scalar type = expr.type->scalar;
            const std::uint64_t one = type == Scalar::float_    ? bits_of(1.0F)
                                      : type == Scalar::double_ ? bits_of(1.0)
                                                                : 1;
            const Registers by(before.size(), constant(one));
            std::uint32_t want = 0;  // a plain variable in a register is counted in place
            if (cell.registers.size() == 1 && info(type).bytes >= 4) want = cell.registers[0];
            if (type == Scalar::half_)
                registers = half_step(before, expr.minus);
            else if (type == Scalar::bool_)
                registers = {expr.minus ? operation(Op::xor_, before[0], constant(1))
                                        : constant(1)};
            else
                registers = arithmetic(expr.minus ? Operator::sub : Operator::add, *expr.type,
                                       before, by, want);
        }
        store(cell, registers);
        return expr.prefix || !used ? registers : before;
    }

    // `given`: the value of `of`, or of a structure the pointer to it.
    void pass_argument(const Variable& parameter, const E& expr, const Registers& given) {
        const SetWithin at(place_, &expr.place);
        const Type& type = *parameter.type;
        if (!type.is_structure() && !parameter.is_assigned && !parameter.in_memory) {
            storage_[&parameter] = {};
            storage_[&parameter].registers = given;
            return;
        }
        const Storage own = declare(parameter);
        if (type.is_structure()) {
            copy(type, object_pointer(own.object), Space::private_, given.front(), expr.space,
                 alignment_of(expr));
            return;
        }
        store(location(own, type), given);
    }

    Registers call(const E& expr) {
        const FunctionDefinition& function = *expr.function;
        if (function.body == nullptr)
            stop(fmt::format("'{}' is declared but has no body", function.name),
                 "Define it in this file");
        const bool again =
            any_of(frames_, [&](const InlinedCall& each) { return each.function == &function; });
        if (again)
            stop(fmt::format("'{}' calls itself", function.name),
                 tree_.types.of_cuda ? "Recursion is left out here: write a loop"
                                     : "OpenCL C has no recursion: write a loop");
        if (frames_.size() > kDeepestCalls)
            stop(fmt::format("more than {} functions call one another", kDeepestCalls),
                 "Call fewer functions from each other");
        if (function.is_kernel && function.body == kernel_.body)
            stop("a kernel cannot call itself");

        InlinedCall frame{&function, 0, {}, -1};
        if (function.result->is_structure()) {
            Object object{
                function.name, Space::private_, Scalar::uchar, function.result->bytes, 0, {}};
            frame.result_object = add_object(std::move(object), function.result->alignment);
        } else if (!function.result->is_void()) {
            frame.result = fresh_registers(function.result->width);
        }
        const std::uint32_t top = top_;
        // All values first: one of them may come from a call of the same function.
        std::vector<Registers> given;
        for (const E* each : expr.operands)
            given.push_back(each->type->is_structure() ? Registers{pointer_to(*each)}
                                                       : value(*each));
        for (std::size_t i = 0; i < expr.operands.size(); ++i)
            pass_argument(*function.parameters[i], *expr.operands[i], given[i]);

        if (expr.place.file != kPreludeFile) called_at_ = expr.place;
        count_step();
        const auto [known, is_new] = simple_.try_emplace(&function);
        if (is_new) known->second = returns_last(*function.body);
        const bool simple = known->second;
        const std::uint32_t all = simple ? 0 : slot();
        frame.return_slot = simple ? 0 : slot();
        if (!simple) emit({.op = Op::enter, .to = all, .a = frame.return_slot});
        Patches leaving;
        {
            const SetWithin breaks(break_slot_, 0U), continues(continue_slot_, 0U);
            const SetWithin jumps(reconvergence_, &leaving);
            frames_.push_back(frame);
            body_of(function, simple);
            frames_.pop_back();
        }
        patch(leaving, here());
        if (!simple) {
            emit({.op = Op::join, .to = all});  // everyone comes back
            last().target = here();
        }
        top_ = top;
        if (frame.result_object >= 0) return {object_pointer(frame.result_object)};
        return frame.result;
    }

    // Where the one return stands last, its value is all that is left to do.
    void body_of(const FunctionDefinition& function, bool simple) {
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

    // Conversions, vectors put together, bits seen as another type.

    std::uint32_t converted(std::uint32_t from, Scalar from_type, Scalar to, std::uint16_t how,
                            std::uint32_t want = 0) {
        if (from_type == to) return from;
        const bool floating = info(from_type).floating || info(to).floating;
        if (to == Scalar::bool_) {
            if (from_type == Scalar::half_) {
                from = converted(from, from_type, Scalar::float_, how);
                from_type = Scalar::float_;
            }
            return operation(typed(Op::ne_i32, number_of(from_type)), from, constant(0), want);
        }
        if (floating || (how & kSaturate) != 0) {
            const std::uint32_t converted = operation(Op::convert, from, 0, want);
            last().type = to;
            last().from = from_type;
            last().extra = how;
            return converted;
        }
        // Wider ones already hold it: see lang/code.h.
        const bool same =
            info(to).bytes == 8 || (info(to).bytes > info(from_type).bytes &&
                                    (info(to).is_signed || !info(from_type).is_signed));
        return same ? from : wrapped(from, to, want);
    }

    // Whether it is a member of a union that lies over pointers.
    static bool overlays_pointers(const E& member) {
        return member.operands[0]->type->overlaid && holds_pointers(*member.type);
    }

    Registers convert(const E& expr, std::uint32_t want) {
        const E& from = *expr.operands[0];
        if (expr.type->is_pointer() || from.type->is_pointer()) {
            const std::uint32_t given = scalar(from);
            if (expr.type->is_pointer()) {
                drops_const_ = drops_const_ || may_drop_const(from, *expr.type);
                return {given};
            }
            return {converted(given, Scalar::ulong, expr.type->scalar, 0, want)};
        }
        const Registers given = value(from);
        if (given.size() > 1) want = 0;
        const auto how = static_cast<std::uint16_t>(static_cast<unsigned>(expr.rounding) |
                                                    (expr.saturate ? kSaturate : 0U));
        return mapped<std::uint32_t>(given, [&](const std::uint32_t each) {
            return converted(each, from.type->scalar, expr.type->scalar, how, want);
        });
    }

    // Of all its operands, one after another.
    Registers values(const E& expr) {
        Registers all;
        for (const E* part : expr.operands) {
            const Registers given = value(*part);
            all.insert(all.end(), given.begin(), given.end());
        }
        return all;
    }

    Registers build(const E& expr) {
        Registers registers = values(expr);
        if (registers.size() == 1) registers.resize(expr.type->width, registers[0]);
        // Parts may be variables that change before the vector is used: only copies are safe.
        return mapped<std::uint32_t>(registers, [&](const std::uint32_t each) {
            return (each & kUniform) != 0 ? each : operation(Op::move, each);
        });
    }

    // One more, or one less: a half is computed with as a float.
    Registers half_step(const Registers& before, bool minus) {
        Registers after;
        for (const std::uint32_t each : before) {
            const std::uint32_t wide = converted(each, Scalar::half_, Scalar::float_, 0);
            const std::uint32_t next =
                operation(minus ? Op::sub_f32 : Op::add_f32, wide, constant(bits_of(1.0F)));
            after.push_back(converted(next, Scalar::float_, Scalar::half_, 0));
        }
        return after;
    }

    // The same bits: components are cut up or put together by way of shifts.
    Registers reinterpret(const E& expr) {
        const Type& from = *expr.operands[0]->type;
        const Type& to = *expr.type;
        const Registers given = value(*expr.operands[0]);
        const unsigned from_bits = info(from.scalar).bytes * 8U,
                       to_bits = info(to.scalar).bytes * 8U;
        Registers registers;
        const auto put = [&](std::uint32_t each) { registers.push_back(wrapped(each, to.scalar)); };
        for (unsigned i = 0; i < to.width; ++i) {
            const unsigned first = i * to_bits / from_bits;
            if (from_bits == to_bits) {
                put(given[std::min<std::size_t>(i, given.size() - 1)]);
            } else if (from_bits > to_bits) {
                const unsigned shift = i * to_bits % from_bits;
                put(operation(Op::shr_u64, given[std::min<std::size_t>(first, given.size() - 1)],
                              constant(shift)));
            } else {
                std::uint32_t joined = constant(0);
                for (unsigned part = 0; part < to_bits / from_bits; ++part) {
                    const std::size_t index = std::min<std::size_t>(first + part, given.size() - 1);
                    std::uint32_t piece = operation(Op::and_, given[index],
                                                    constant((std::uint64_t{1} << from_bits) - 1));
                    piece = operation(Op::shl_u64, piece, constant(part * from_bits));
                    joined = operation(Op::or_, joined, piece);
                }
                put(joined);
            }
        }
        return registers;
    }

    std::uint32_t offset_pointer(std::uint32_t pointer, std::uint32_t by, std::int64_t scale) {
        const std::uint32_t to = operation(Op::offset, pointer, by);
        last().imm = static_cast<std::uint64_t>(scale);
        return to;
    }

    // `by` elements on, or back; `expr`: the pointer that this gives.
    std::uint32_t element_pointer(std::uint32_t pointer, std::uint32_t by, bool back,
                                  const E& expr) {
        const auto size = static_cast<std::int64_t>(expr.type->element->bytes);
        return offset_pointer(pointer, by, back ? -size : size);
    }

    Registers variable(const E& expr) {
        if (expr.type->is_array() || expr.type->is_structure()) return {pointer_to(expr)};
        // A pointer outside of functions that stays what it is at first.
        const Variable& variable = *expr.variable;
        if (variable.at_file_scope && variable.type->is_pointer() && !variable.is_assigned &&
            variable.initial != nullptr && is_address(*variable.initial))
            return value(*variable.initial);
        return load(location(expr));
    }

    Location location(const Storage& own, const Type& type) {
        Location result;
        result.type = &type;
        result.place = place_;
        if (own.object >= 0)
            result.pointer = object_pointer(own.object);
        else
            result.registers = own.registers;
        return result;
    }

    Location location(const E& expr) {
        const SetWithin at(place_, &expr.place);
        Location result;
        result.type = expr.type;
        result.place = place_;
        result.space = expr.space;
        switch (expr.kind) {
            case Kind::variable: {
                if (expr.is_literal) begin_literal(expr);
                const Storage& own = storage(*expr.variable);
                result = location(own, *expr.type);
                result.space = expr.space;
                if (own.object < 0) result.variable = expr.variable;
                return result;
            }
            case Kind::swizzle: {
                const Location whole = location(*expr.operands[0]);
                result.variable = whole.variable;
                if (!whole.registers.empty()) {
                    for (const std::uint8_t lane : expr.lanes)
                        result.registers.push_back(whole.registers[lane]);
                    return result;
                }
                result.pointer = whole.pointer;
                result.space = whole.space;
                result.alignment = whole.alignment;
                for (const std::uint8_t lane : expr.lanes)
                    result.lanes.push_back(whole.lanes.empty() ? lane : whole.lanes[lane]);
                return result;
            }
            default:
                result.pointer = pointer_to(expr);
                result.alignment = alignment_of(expr);
                return result;
        }
    }

    // Returns the address of an lvalue, or of a structure's value; `beyond`: of an element it may
    // be that behind the last.
    std::uint32_t pointer_to(const E& expr, bool beyond = false) {
        const SetWithin at(place_, &expr.place);
        switch (expr.kind) {
            case Kind::variable: {
                if (expr.is_literal) begin_literal(expr);
                const Storage& own = storage(*expr.variable);
                if (own.object < 0) stop("this has no address");
                return object_pointer(own.object);
            }
            case Kind::dereference:
                if (is_inner_element(expr)) return element_of_inner(expr, beyond);
                return scalar(*expr.operands[0]);
            case Kind::member: {
                drops_const_ = drops_const_ || overlays_pointers(expr);
                const std::uint32_t whole = pointer_to(*expr.operands[0]);
                const std::uint64_t offset = expr.operands[0]->type->members[expr.index].offset;
                if (offset == 0) return whole;
                return offset_pointer(whole, constant(offset), 1);
            }
            case Kind::call:
                return call(expr).front();
            case Kind::assign:
                effect(expr);
                return pointer_to(*expr.operands[0]);
            case Kind::comma:
                effect(*expr.operands[0]);
                return pointer_to(*expr.operands[1]);
            case Kind::conditional: {
                const E& yes = *expr.operands[1];
                const E& no = *expr.operands[2];
                if (!yes.lvalue || !no.lvalue || yes.space != no.space)
                    stop("'?' between these structures is not supported here", "Write if and else");
                const std::uint32_t condition = scalar(*expr.operands[0]);
                const std::uint32_t a = pointer_to(yes), b = pointer_to(no);
                return choose(condition, a, b);
            }
            default:
                stop("this structure cannot be used in that way", "Copy it to a variable first");
        }
    }

    // Loads or stores `count` registers from `first` on. `alignment`: of what lies there; `flags`:
    // of the instruction, kAligned only if it lies so.
    void access(Op op, std::uint32_t pointer, Space space, Scalar type, std::size_t count,
                std::uint32_t first, std::uint64_t alignment, std::uint8_t flags) {
        const std::uint64_t bytes = info(type).bytes;
        if (alignment < bytes) flags |= kLoose;
        if (alignment < bytes * (count == 3 ? 4U : count))
            flags &= static_cast<std::uint8_t>(~kAligned);
        emit({.op = op,
              .type = type,
              .count = static_cast<std::uint8_t>(count),
              .flags = flags,
              .extra = static_cast<std::uint16_t>(space),
              .to = first,
              .a = pointer});
    }

    // Whether an access of such a width is several actions, one for each component.
    static bool is_split(Scalar type, std::size_t count, std::uint64_t alignment) {
        const std::uint64_t bytes = info(type).bytes;
        return count > 1 && alignment < bytes && bytes * count > kMostLoose;
    }

    Registers load_at(std::uint32_t pointer, Space space, Scalar type, std::uint8_t count,
                      std::uint64_t alignment = kAnyAlignment, std::uint8_t flags = 0,
                      std::uint32_t want = 0) {
        Registers registers;
        if (is_split(type, count, alignment)) {
            for (std::uint8_t i = 0; i < count; ++i)
                registers.push_back(load_at(offset_pointer(pointer, constant(i), info(type).bytes),
                                            space, type, 1, alignment, flags)
                                        .front());
            return registers;
        }
        registers = want != 0 && count == 1 ? Registers{want} : fresh_registers(count);
        access(space == Space::private_ ? Op::load_private : Op::load, pointer, space, type, count,
               registers[0], alignment, flags);
        return registers;
    }

    void store_at(std::uint32_t pointer, Space space, Scalar type, const Registers& value,
                  std::uint64_t alignment = kAnyAlignment, std::uint8_t flags = 0) {
        if (is_split(type, value.size(), alignment)) {
            for (std::size_t i = 0; i < value.size(); ++i)
                store_at(offset_pointer(pointer, constant(i), info(type).bytes), space, type,
                         {value[i]}, alignment, flags);
            return;
        }
        // The instruction takes registers in a row.
        std::uint32_t first = value[0];
        for (std::size_t i = 0; i < value.size(); ++i)
            if (value[i] != first + i || ((first & kUniform) != 0 && value.size() > 1)) {
                first = in_a_row(value);
                break;
            }
        access(space == Space::private_ ? Op::store_private : Op::store, pointer, space, type,
               value.size(), first, alignment, flags);
    }

    Registers load(const Location& from, std::uint32_t want = 0) {
        const SetWithin at(place_, from.place);
        if (!from.registers.empty()) {
            const Storage* own = from.variable == nullptr ? nullptr : &storage(*from.variable);
            if (own != nullptr && own->defined != 0)
                emit({.op = Op::check_defined, .a = own->defined, .imm = own->name});
            return from.registers;
        }
        const Type& type = *from.type;
        if (from.lanes.empty())
            return load_at(from.pointer, from.space, type.scalar, type.width, from.alignment,
                           type.is_vector() ? kAligned : std::uint8_t{0}, want);
        Registers result;
        for (const std::uint8_t lane : from.lanes) {
            const std::uint32_t index =
                lane == 0 ? from.pointer
                          : offset_pointer(from.pointer, constant(lane), info(type.scalar).bytes);
            result.push_back(load_at(index, from.space, type.scalar, 1, from.alignment).front());
        }
        return result;
    }

    void store(const Location& to, const Registers& value) {
        const SetWithin at(place_, to.place);
        if (!to.registers.empty()) {
            // Components of one vector may change places: v.xy = v.yx.
            Registers given = value;
            if (given.size() > 1)
                for (std::uint32_t& each : given)
                    if (contains(to.registers, each)) each = operation(Op::move, each);
            move(to.registers, given);
            if (to.variable != nullptr)
                if (const Storage& own = storage(*to.variable); own.defined != 0)
                    move(own.defined, constant(1));
            return;
        }
        const Type& type = *to.type;
        if (to.lanes.empty()) {
            store_at(to.pointer, to.space, type.scalar, value, to.alignment,
                     type.is_vector() ? kAligned : std::uint8_t{0});
            return;
        }
        for (std::size_t i = 0; i < to.lanes.size(); ++i) {
            const std::uint32_t index =
                offset_pointer(to.pointer, constant(to.lanes[i]), info(type.scalar).bytes);
            store_at(index, to.space, type.scalar, {value[i]}, to.alignment);
        }
    }

    void copy(const E& from, std::uint32_t to, Space to_space, std::uint64_t alignment) {
        const std::uint32_t pointer = pointer_to(from);
        copy(*from.type, to, to_space, pointer, from.space,
             std::min(alignment, alignment_of(from)));
    }

    // `alignment`: of the less aligned of the two.
    void copy(const Type& type, std::uint32_t to, Space to_space, std::uint32_t from,
              Space from_space, std::uint64_t alignment) {
        if (type.leaves > kMostLeaves)
            stop(fmt::format("a {} is too large to be copied at once", type.name));
        const std::uint32_t top = top_;
        const auto part = [&](const Type& part_type, std::uint64_t offset) {
            const std::uint32_t index = constant(offset);
            copy(part_type, offset == 0 ? to : offset_pointer(to, index, 1), to_space,
                 offset == 0 ? from : offset_pointer(from, index, 1), from_space,
                 alignment_at(alignment, offset));
        };
        if (type.overlaid) {
            // All of its bytes: whichever member holds as many, or one after another.
            const auto whole = std::find_if(
                type.members.begin(), type.members.end(), [&](const Type::Member& member) {
                    return member.type->bytes == type.bytes && !member.type->is_structure();
                });
            if (whole != type.members.end()) part(*whole->type, 0);
            for (std::uint64_t i = 0; i < type.bytes && whole == type.members.end(); ++i)
                part(*tree_.types.scalar(Scalar::uchar), i);
        } else if (type.in_registers()) {
            const Registers value =
                load_at(from, from_space, type.scalar, type.width, alignment, kFindsAny);
            store_at(to, to_space, type.scalar, value, alignment);
        } else {
            type.for_parts(part);
        }
        top_ = top;
    }

    void zero(const Type& type, std::uint32_t pointer, Space space, std::uint64_t offset,
              const E& list) {
        type.for_parts([&](const Type& part_type, std::uint64_t within) {
            zero(part_type, pointer, space, offset + within, list);
        });
        if (!type.in_registers()) return;
        for (std::size_t i = 0; i < list.offsets.size(); ++i) {
            const std::uint64_t size = list.operands[i]->type->bytes;
            if (offset >= list.offsets[i] && offset < list.offsets[i] + size) return;
        }
        const std::uint32_t top = top_;
        const std::uint32_t index = offset_pointer(pointer, constant(offset), 1);
        store_at(index, space, type.scalar, Registers(type.width, constant(0)),
                 alignment_at(list.type->alignment, offset));
        top_ = top;
    }

    void initialize(std::uint32_t pointer, Space space, const Type& type, const E& list) {
        const SetWithin at(place_, &list.place);
        if (type.leaves > kMostLeaves)
            stop(fmt::format("a {} is too large for a list of values", type.name),
                 "Fill it in a loop");
        zero(type, pointer, space, 0, list);
        for (std::size_t i = 0; i < list.operands.size(); ++i) {
            const std::uint32_t top = top_;
            const E& expr = *list.operands[i];
            const SetWithin part(place_, &expr.place);
            const std::uint32_t index = offset_pointer(pointer, constant(list.offsets[i]), 1);
            const std::uint64_t alignment = alignment_at(type.alignment, list.offsets[i]);
            if (expr.type->is_structure()) {
                copy(expr, index, space, alignment);
            } else {
                store_at(index, space, expr.type->scalar, value(expr), alignment);
            }
            top_ = top;
        }
    }

    // Calls of what OpenCL C brings along.

    std::uint32_t pure_operation(Fn fn, Scalar type, std::uint32_t a, std::uint32_t b = 0,
                                 std::uint32_t c = 0) {
        const std::uint32_t to = operation(Op::pure, a, b);
        last().c = c;
        last().type = type;
        last().extra = static_cast<std::uint16_t>(fn);
        return to;
    }

    Registers pure(const E& expr) {
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

    Registers builtin(const E& expr, std::uint32_t want) {
        // In the order of Builtin: each is for those from the one before it on.
        static constexpr std::array<std::pair<Builtin, Registers (Lowering::*)(const E&)>, 17>
            kCalls{{{Builtin::pure, &Lowering::pure},
                    {Builtin::all, &Lowering::any_or_all},
                    {Builtin::select, &Lowering::select},
                    {Builtin::shuffle2, &Lowering::shuffle},
                    {Builtin::normalize, &Lowering::geometric},
                    {Builtin::remquo, &Lowering::two_results},
                    {Builtin::print, &Lowering::print},
                    {Builtin::sub_group_local_id, &Lowering::where},
                    {Builtin::grid_barrier, &Lowering::barrier},
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
            const Op op = typed(what == Builtin::min ? Op::min_i32 : Op::max_i32,
                                number_of(expr.type->scalar));
            if (a.size() > 1) want = 0;
            Registers registers;
            for (std::size_t i = 0; i < a.size(); ++i)
                registers.push_back(operation(op, a[i], b[i], want));
            return registers;
        }
        if (what == Builtin::prefetch) return {};
        if (what == Builtin::assertion) return assertion(expr);
        if (expr.known.ordered || what >= Builtin::atomic_init) return ordered_atomic(expr);
        const auto* handler = find_if(kCalls, [&](const auto& each) { return what <= each.first; });
        return (this->*handler->second)(expr);
    }

    Registers fence(const E& expr) {
        return fence(expr, expr.known.builtin == Builtin::read_fence    ? kAcquires
                           : expr.known.builtin == Builtin::write_fence ? kReleases
                                                                        : kAcquires | kReleases);
    }

    // `does`: kAcquires, kReleases and the like. One of a work-item's own scope orders nothing that
    // others see.
    Registers fence(const E& expr, unsigned does) {
        if ((does & (kAcquires | kReleases)) == 0 || expr.known.scope == MemoryScope::item)
            return {};
        const std::uint64_t flags = constant_of(*expr.operands[0]).value_or(3) & 3U;
        emit({.op = Op::fence,
              .extra = static_cast<std::uint16_t>(flags | does | bits_of(expr.known.scope))});
        return {};
    }

    // Nothing but the first component chooses for scalars, the highest bit of each for vectors.
    Registers select(const E& expr) {
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
            result.push_back(choose(question, yes[i], no[i]));
        }
        return result;
    }

    Registers any_or_all(const E& expr) {
        const Registers from = value(*expr.operands[0]);
        const Scalar type = integer_of(info(expr.operands[0]->type->scalar).bytes, true);
        std::uint32_t result = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const std::uint32_t sign = operation(Op::lt_i64, wrapped(from[i], type), constant(0));
            result = i == 0 ? sign
                            : operation(expr.known.builtin == Builtin::any ? Op::or_ : Op::and_,
                                        result, sign);
        }
        return {result};
    }

    Registers shuffle(const E& expr) {
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
                choose(same, from[i], chosen, chosen);
            }
            registers.push_back(chosen);
        }
        return registers;
    }

    // Whether one of CUDA's own functions gives these indices or sizes.
    static bool is_index(const E& vector) {
        const bool named = vector.kind == Kind::variable && vector.variable->initial != nullptr;
        const E& from = named ? *vector.variable->initial : vector;
        return from.kind == Kind::call && from.function->place.file == kPreludeFile;
    }

    // One of the sizes and ids that a dimension has.
    std::uint32_t where_in(Builtin what, std::uint64_t dimension) {
        const auto index = static_cast<std::uint32_t>(dimension);
        const auto id = [&](Op op) {
            const std::uint32_t result = operation(op, 0);
            last().imm = dimension;
            return result;
        };
        const bool size = what == Builtin::global_size || what == Builtin::local_size ||
                          what == Builtin::num_groups;
        if (dimension > kLinear) return constant(size ? 1 : 0);
        return what == Builtin::global_size  ? uniform(Uniform::Kind::global_size, index, 0)
               : what == Builtin::local_size ? uniform(Uniform::Kind::local_size, index, 0)
               : what == Builtin::num_groups ? uniform(Uniform::Kind::num_groups, index, 0)
               : what == Builtin::global_id  ? id(Op::global_id)
               : what == Builtin::local_id   ? id(Op::local_id)
               : what == Builtin::group_id   ? id(Op::group_id)
                                             : uniform(Uniform::Kind::global_offset, index, 0);
    }

    Registers where(const E& expr) {
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
        const auto dimension = constant_of(*expr.operands[0]);
        if (expr.place.file != kPreludeFile && dimension.value_or(kDimensions - 1) < kDimensions)
            code_.dims = std::max(
                code_.dims, static_cast<std::uint32_t>(dimension.value_or(kDimensions - 1)) + 1);
        if (dimension) return {where_in(what, *dimension < kDimensions ? *dimension : kLinear + 1)};
        const std::uint32_t asked = scalar(*expr.operands[0]);
        std::uint32_t chosen = where_in(what, kLinear + 1);  // beyond those there are
        for (std::uint64_t each = kDimensions; each-- > 0;) {
            const std::uint32_t here = where_in(what, each);
            const std::uint32_t is_it = operation(Op::eq_i64, asked, constant(each));
            chosen = choose(is_it, here, chosen);
        }
        return {chosen};
    }

    // The bits of halves are loaded and stored as ushort.
    Registers vector_memory(const E& expr) {
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
            given = load_at(pointer, to.type->space, type, width, kAnyAlignment, flags);
            convert(Fn::half_value, type);
            return given;
        }
        convert(expr.known.rounding, expr.operands[0]->type->scalar);
        store_at(pointer, to.type->space, type, given, kAnyAlignment, flags);
        return {};
    }

    Registers atomic(const E& expr) {
        const std::uint32_t pointer = scalar(*expr.operands[0]);
        std::array<std::uint32_t, 2> operands{};
        for (std::size_t i = 1; i < expr.operands.size() && i < 3; ++i)
            operands[i - 1] = scalar(*expr.operands[i]);
        return {atomic_operation(expr.known.builtin, *expr.operands[0]->type, pointer, operands[0],
                                 operands[1],
                                 expr.known.scoped ? bits_of(expr.known.scope) : kPlainAtomic)};
    }

    Registers two_results(const E& expr) {
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

    // Of an lvalue in memory, or a structure.
    std::uint64_t alignment_of(const E& expr) const {
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

    // Whether it indexes an array that is part of something larger: what is behind its end exists.
    static bool is_inner_element(const E& element) {
        if (element.kind != Kind::dereference) return false;
        const Expression& pointer = *element.operands[0];
        return pointer.kind == Kind::offset && !pointer.minus &&
               pointer.operands[0]->kind == Kind::decay &&
               pointer.operands[0]->operands[0]->kind != Kind::variable;
    }

    std::uint32_t element_of_inner(const E& element, bool beyond) {
        const E& pointer = *element.operands[0];
        const E& array = *pointer.operands[0]->operands[0];
        const std::uint32_t whole = pointer_to(array);
        const std::uint64_t count = array.type->count + (beyond ? 1 : 0);
        const auto known = constant_of(*pointer.operands[1]);
        const std::uint32_t by = scalar(*pointer.operands[1]);
        if (!known || *known >= count) {
            const auto [number, is_new] = arrays_.try_emplace(
                name_of(array), static_cast<std::uint32_t>(code_.arrays.size()));
            if (is_new) code_.arrays.push_back(number->first);
            emit({.op = Op::check_index,
                  .extra = beyond,
                  .a = by,
                  .c = number->second,
                  .imm = count});
        }
        return offset_pointer(whole, by, static_cast<std::int64_t>(element.type->bytes));
    }

    // Its values, anew wherever the text comes by.
    void begin_literal(const E& expr) {
        const Variable& variable = *expr.variable;
        const Storage own = storage(variable);
        const Type& type = *variable.type;
        if (variable.initial != nullptr && variable.initial->kind == Kind::initializer)
            initialize(object_pointer(own.object), variable.space, type, *variable.initial);
    }

    // Calls that are more than arithmetic: geometry, half in memory, printf, barriers, and copies
    // that a group makes in the background.

    std::uint32_t dot(const Registers& a, const Registers& b, Scalar type) {
        const Number number = number_of(type);
        std::uint32_t sum = operation(typed(Op::mul_i32, number), a[0], b[0]);
        for (std::size_t i = 1; i < a.size(); ++i) {
            const std::uint32_t product = operation(typed(Op::mul_i32, number), a[i], b[i]);
            sum = operation(typed(Op::add_i32, number), sum, product);
        }
        return sum;
    }

    Registers geometric(const E& expr) {
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
            result.push_back(choose(length, to, each, to));
        }
        return result;
    }

    Registers print(const E& expr) {
        const Registers given = values(expr);
        emit({.op = Op::print,
              .count = static_cast<std::uint8_t>(given.size()),
              .to = given.empty() ? 0 : in_a_row(given),
              .imm = code_.prints.size()});
        code_.prints.push_back(*expr.format);
        return {constant(0)};
    }

    // A division by its condition: one by 0 is a fault wherever it stands.
    Registers assertion(const E& expr) {
        const std::uint32_t holds = scalar(*expr.operands[0]);
        emit({.op = Op::div_i32,
              .flags = kAsserts,
              .to = fresh(),
              .a = constant(1),
              .b = holds,
              .imm = code_.prints.size()});
        code_.prints.push_back(*expr.format);
        return {};
    }

    Registers barrier(const E& expr) {
        const auto flags = constant_of(*expr.operands[0]);
        std::uint32_t computed = 0;
        if (!flags) computed = scalar(*expr.operands[0]);
        emit({.op = Op::barrier,
              .extra = static_cast<std::uint16_t>(
                  (flags ? static_cast<std::uint16_t>(*flags & 3U) : kFenceComputed) |
                  bits_of(expr.known.scope) |
                  (expr.known.builtin == Builtin::grid_barrier ? kWholeGrid : 0)),
              .a = computed});
        in_turns();
        code_.has_barrier = true;
        return {};
    }

    Registers copy_together(const E& expr) {
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

    Registers wait_events(const E& expr) {
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

    // `imm` keeps what and how; see machine/collective.
    std::uint32_t collective_of(const E& expr, std::uint32_t given, std::uint32_t second) {
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

    Registers sub_group_barrier(const E& expr) {
        (void)collective_of(expr, constant(0), constant(0));  // all lanes must come
        const std::uint32_t mask = last().c;
        fence(expr, kAcquires | kReleases | kTogether);
        if (expr.known.named) {
            last().flags = kNamedLanes;
            last().a = mask;
        }
        return {};
    }

    Registers collective(const E& expr) {
        const Registers given =
            expr.operands.empty() ? Registers{constant(0)} : value(*expr.operands[0]);
        const std::uint32_t second =
            expr.operands.size() > 1 ? scalar(*expr.operands[1]) : constant(0);
        return mapped<std::uint32_t>(
            given, [&](const std::uint32_t each) { return collective_of(expr, each, second); });
    }

    // A ballot is 64 bits: as many as a warp may have lanes. The other half of a uint4 is 0.
    Registers ballot(const E& expr) {
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
            return Registers{
                operation(Op::and_, operation(Op::shr_u64, mask, number), constant(1))};
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
                return {pure_of(
                    Fn::popcount,
                    operation(Op::and_, mask, operation(Op::shr_u64, up_to(), constant(1))))};
            case Builtin::ballot_find_lsb:
                return {pure_of(Fn::ctz, mask)};
            default:
                return {operation(Op::sub_u64, constant(63), pure_of(Fn::clz, mask))};
        }
    }

    // On what the pointer of type `to_what` points to.
    std::uint32_t atomic_operation(Builtin what, const Type& to_what, std::uint32_t pointer,
                                   std::uint32_t b, std::uint32_t c, std::uint64_t order) {
        const std::uint32_t to = fresh();
        emit({.op = Op::atomic,
              .type = to_what.element->scalar,
              .flags = to_what.space == Space::local    ? kInLocal
                       : to_what.space == Space::global ? kInGlobal
                                                        : std::uint8_t{kInLocal | kInGlobal},
              .extra = static_cast<std::uint16_t>(what),
              .to = to,
              .a = pointer,
              .b = b,
              .c = c,
              .imm = order});
        return to;
    }

    Registers ordered_atomic(const E& expr) {
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
            const std::uint64_t failed = does_by(expr.known.order_of_failure) | scope | kOfFailure;
            const std::uint32_t old =
                atomic_operation(Builtin::atomic_cmpxchg, target, pointer, wanted, desired,
                                 does | scope | failed << kFailureShift);
            if (expr.known.weak) last().flags |= kMayFail;
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
        const std::uint32_t old = atomic_operation(
            operation_of, target, pointer, by, constant(0),
            does | scope | (operation_of == Builtin::atomic_store ? kStoresOnly : 0U));
        if (what == Builtin::atomic_flag_set) return {operation(Op::truth, old)};
        return {old};
    }

    const Tree& tree_;
    const FunctionDefinition& kernel_;
    Diagnostics& diagnostics_;
    bool drops_const_ = false;  // what points to const may also be reached by another pointer
    Code code_;
    const Place* place_;  // of the part that is being lowered, which its instructions have
    std::map<const Variable*, Storage> storage_;
    std::map<std::tuple<Uniform::Kind, std::uint32_t, std::uint64_t>, std::uint32_t> uniforms_;
    std::vector<InlinedCall> frames_;
    std::uint32_t top_ = 1;  // the next free register; 0 is never one
    std::uint32_t break_slot_ = 0, continue_slot_ = 0;
    Patches* reconvergence_ = nullptr;  // jumps of lanes that left, to where lanes may rejoin
    int loop_depth_ = 0;
    std::vector<std::uint32_t> turns_;  // registers that count the turns of loops around here
    Place called_at_;                   // the innermost call that the text makes
    std::size_t steps_ = 0;             // statements and calls so far: some emit no instruction
    std::map<const FunctionDefinition*, bool> simple_;  // whether it returns at its end only
    std::map<std::string, std::uint32_t> arrays_;       // places in Code::arrays
};

}  // namespace

Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics) {
    return Lowering(tree, kernel, diagnostics).code();
}

}  // namespace lab::lang
