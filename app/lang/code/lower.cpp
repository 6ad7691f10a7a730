#include "lang/code/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lang/code/lowering.h"
#include "lang/code/value.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostLocalBytes = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostConstantBytes = std::uint64_t{1} << 24;
constexpr std::size_t kMostObjects = 10'000;

}  // namespace

Number number_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::uint:
            return Number::u32;
        case Scalar::long_:
            return Number::i64;
        case Scalar::ulong:
            return Number::u64;
        case Scalar::float_:
            return Number::f32;
        case Scalar::double_:
            return Number::f64;
        default:
            return Number::i32;
    }
}

Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics) {
    return Lowering(tree, kernel, diagnostics).code();
}

Lowering::Lowering(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics)
    : tree_(tree), kernel_(kernel), diagnostics_(diagnostics) {
    code_.kernel = kernel.name;
    code_.required_group = kernel.required_group;
    code_.places.push_back(kernel.place);
}

Code Lowering::code() {
    try {
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
            parameter(i);
        Patches leaving;
        reconvergence_ = &leaving;
        Frame frame{&kernel_, slot(), {}, -1};  // the first: kReturnSlot
        frames_.push_back(frame);
        statement(*kernel_.body);
        patch(leaving, here());
        emit(Op::end, kernel_.body->place);
        compact();
        mark_lineage(code_);
        for (Parameter& each : code_.parameters)
            each.read_only = each.read_only && !drops_const_;
    } catch (const Stop&) {
    }
    return std::move(code_);
}

// Takes out what does nothing: jumps to the next instruction.
void Lowering::compact() {
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

void Lowering::stop(const Place& place, std::string message, std::string hint) {
    diagnostics_.error(place, std::move(message), std::move(hint));
    throw Stop();
}

std::uint32_t Lowering::place_index(const Place& place) {
    auto& places = code_.places;
    // Neighbours mostly share a place.
    for (std::size_t back = 0; back < 8 && back < places.size(); ++back)
        if (places[places.size() - 1 - back] == place)
            return static_cast<std::uint32_t>(places.size() - 1 - back);
    places.push_back(place);
    return static_cast<std::uint32_t>(places.size() - 1);
}

void Lowering::count_step(const Place& place) {
    if (++steps_ > kMostInstructions || code_.instructions.size() >= kMostInstructions)
        stop(place,
             fmt::format("the kernel has more than {} instructions once its functions are "
                         "inlined",
                         kMostInstructions),
             "Call fewer functions from each other");
}

std::size_t Lowering::emit(Op op, const Place& place) {
    if (code_.instructions.size() >= kMostInstructions) count_step(place);
    Instruction instruction;
    instruction.op = op;
    instruction.place = place_index(place);
    code_.instructions.push_back(instruction);
    return code_.instructions.size() - 1;
}

void Lowering::patch(const Patches& jumps, std::uint32_t target) {
    for (const std::size_t jump : jumps)
        code_.instructions[jump].target = target;
}

std::uint32_t Lowering::fresh(std::size_t count) {
    const std::uint32_t first = top_;
    top_ += static_cast<std::uint32_t>(count);
    if (top_ > kMostRegisters)
        stop(code_.places.back(),
             fmt::format("the kernel needs more than {} registers", kMostRegisters),
             "Use fewer or smaller variables");
    code_.registers = std::max(code_.registers, top_);
    return first;
}

Registers Lowering::fresh_registers(std::size_t count) {
    const std::uint32_t first = fresh(count);
    Registers registers(count);
    for (std::size_t i = 0; i < count; ++i)
        registers[i] = first + static_cast<std::uint32_t>(i);
    return registers;
}

std::uint32_t Lowering::uniform(Uniform::Kind kind, std::uint32_t index, std::uint64_t value) {
    const auto [at, added] = uniforms_.try_emplace(
        {kind, index, value}, static_cast<std::uint32_t>(code_.uniforms.size()) | kUniform);
    if (added) code_.uniforms.push_back({kind, index, value});
    return at->second;
}

std::uint32_t Lowering::operation(Op op, const Place& place, std::uint32_t a, std::uint32_t b,
                                  std::optional<std::uint32_t> want) {
    const std::uint32_t to = want ? *want : fresh();
    emit(op, place);
    last().to = to;
    last().a = a;
    last().b = b;
    return to;
}

void Lowering::move(std::uint32_t to, std::uint32_t from, const Place& place) {
    if (to != from) operation(Op::move, place, from, 0, to);
}

void Lowering::parameter(std::size_t index) {
    const Variable& variable = *kernel_.parameters[index];
    const Type& type = *variable.type;
    Parameter result;
    result.name = variable.name;
    result.type_name = type.name;
    if (type.is_pointer()) {
        result.kind = type.space == Space::local ? Parameter::Kind::local : Parameter::Kind::buffer;
        result.type = type.element->unit;
        result.element_bytes = std::max<std::uint64_t>(1, type.element->bytes);
        result.read_only = type.to_const;
    } else {
        result.type = type.scalar;
        result.element_bytes = type.bytes;
        components_of(type, variable.place, result.components);
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
        spread(type, object_pointer(own.object), type.alignment, given, next, variable.place);
        return;
    }
    Location to;
    to.type = &type;
    if (own.object >= 0)
        to.pointer = object_pointer(own.object);
    else
        to.registers = own.registers;
    store(to, given, variable.place);
}

// The scalars that a value of this type is passed as.
void Lowering::components_of(const Type& type, const Place& place, std::vector<Scalar>& scalars) {
    if (scalars.size() > 1000 || type.is_pointer() || type.overlaid)
        stop(place, fmt::format("a kernel's argument cannot be or hold a {} here", type.name),
             "Pass a buffer of it");
    if (type.is_structure())
        for (const Type::Member& member : type.members)
            components_of(*member.type, place, scalars);
    else if (type.is_array())
        for (std::uint64_t i = 0; i < type.count; ++i)
            components_of(*type.element, place, scalars);
    else
        scalars.insert(scalars.end(), type.width, type.scalar);
}

// Stores the scalars one after another where a value of this type lies.
void Lowering::spread(const Type& type, std::uint32_t pointer, std::uint64_t alignment,
                      const Registers& given, std::size_t& next, const Place& place) {
    const auto part = [&](const Type& of, std::uint64_t offset) {
        spread(of, offset_pointer(pointer, constant(offset), 1, place),
               alignment_at(alignment, offset), given, next, place);
    };
    if (type.is_structure()) {
        for (const Type::Member& member : type.members)
            part(*member.type, member.offset);
    } else if (type.is_array()) {
        for (std::uint64_t i = 0; i < type.count; ++i)
            part(*type.element, i * type.element->bytes);
    } else {
        const auto first = given.begin() + static_cast<std::ptrdiff_t>(next);
        store_lying(pointer, Space::private_, type.scalar, Registers(first, first + type.width),
                    alignment, 0, place);
        next += type.width;
    }
}

std::int32_t Lowering::add_object(Object object, std::uint64_t alignment, const Place& place) {
    std::uint64_t* end = nullptr;
    if (object.space == Space::private_) end = &code_.private_bytes;
    if (object.space == Space::local) end = &code_.local_bytes;
    alignment = std::max<std::uint64_t>(alignment, 8);  // whatever it is cast to lies right in it
    if (end != nullptr) {
        object.offset = (*end + alignment - 1) / alignment * alignment;
        *end = object.offset + object.bytes;
        const std::uint64_t most =
            object.space == Space::local ? kMostLocalBytes : kMostPrivateBytes;
        if (*end > most)
            stop(place,
                 fmt::format("the kernel's {} variables need more than {} bytes",
                             name_of(object.space), most),
                 "Pass a buffer instead");
    }
    if (code_.objects.size() >= kMostObjects)
        stop(place, fmt::format("the kernel has more than {} arrays", kMostObjects));
    code_.objects.push_back(std::move(object));
    return static_cast<std::int32_t>(code_.objects.size() - 1);
}

std::uint32_t Lowering::object_pointer(std::int32_t object) {
    return uniform(Uniform::Kind::object, static_cast<std::uint32_t>(object), 0);
}

Lowering::Storage& Lowering::declare(const Variable& variable) {
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
        Object object{variable.name, variable.space, type.unit, type.bytes, 0, {}};
        storage.object = add_object(std::move(object), type.alignment, variable.place);
        shown.object = storage.object;
    } else {
        storage.registers = fresh_registers(type.width);
        shown.reg = storage.registers.front();
    }
    code_.variables.push_back(std::move(shown));
    return storage;
}

Lowering::Storage& Lowering::storage(const Variable& variable) {
    const auto found = storage_.find(&variable);
    if (found != storage_.end()) return found->second;
    if (variable.at_file_scope) constant_data(variable);
    return variable.at_file_scope ? storage_[&variable] : declare(variable);
}

void Lowering::constant_data(const Variable& variable) {
    Object object{variable.name, variable.space, variable.type->unit, variable.type->bytes, 0, {}};
    std::uint64_t bytes = object.bytes;
    for (const Object& other : code_.objects)
        bytes += other.initial.size();
    if (bytes > kMostConstantBytes)
        stop(variable.place,
             fmt::format("the constants need more than {} bytes", kMostConstantBytes),
             "Pass a buffer instead");
    object.initial.resize(variable.type->bytes);
    if (variable.initial != nullptr) write_constant(*variable.initial, object.initial.data());
    storage_[&variable].object = add_object(std::move(object), 16, variable.place);
}

void Lowering::write_constant(const Expression& expression, std::byte* to) {
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
    if (!bits) stop(expression.place, "constant data must be initialised by constants");
    std::memcpy(to, &*bits, bytes);
}

}  // namespace lab::lang
