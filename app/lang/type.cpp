#include "lang/type.h"

#include <algorithm>

#include <fmt/format.h>

namespace lab::lang {
namespace {

constexpr std::array<std::uint8_t, 5> kWidths{2, 3, 4, 8, 16};

struct Alias {
    std::string_view word;
    Scalar scalar;
};
// The atomic ones are told apart by the functions that touch them.
constexpr std::array<Alias, 18> kAliases{{{"size_t", Scalar::ulong},
                                          {"ptrdiff_t", Scalar::long_},
                                          {"intptr_t", Scalar::long_},
                                          {"uintptr_t", Scalar::ulong},
                                          {"atomic_int", Scalar::int_},
                                          {"atomic_uint", Scalar::uint},
                                          {"atomic_long", Scalar::long_},
                                          {"atomic_ulong", Scalar::ulong},
                                          {"atomic_float", Scalar::float_},
                                          {"atomic_double", Scalar::double_},
                                          {"atomic_flag", Scalar::int_},
                                          {"atomic_size_t", Scalar::ulong},
                                          {"atomic_ptrdiff_t", Scalar::long_},
                                          {"atomic_intptr_t", Scalar::long_},
                                          {"atomic_uintptr_t", Scalar::ulong},
                                          {"memory_order", Scalar::int_},
                                          {"memory_scope", Scalar::int_},
                                          {"cl_mem_fence_flags", Scalar::uint}}};

std::string pointer_name(const Type& target, Space space, bool to_const) {
    const std::string prefix =
        space == Space::private_ ? std::string() : fmt::format("{} ", name_of(space));
    return fmt::format("{}{}{}*", prefix, to_const ? "const " : "", target.name);
}

std::uint64_t rounded(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string ArrayShape::at(std::uint64_t index) const {
    std::string text;
    if (scalar) return text;
    std::uint64_t size = 1;
    for (const std::uint64_t each : rows)
        size *= each;
    for (const std::uint64_t each : rows) {
        text += '[' + std::to_string(index / size) + ']';
        index %= size;
        size /= each;
    }
    return text + '[' + std::to_string(index) + ']';
}

ArrayShape shape_of(const Type& type) {
    ArrayShape shape{type.is_scalar()};
    const Type* element = &type;
    for (; element->is_array(); element = element->element)
        if (element->element->is_array()) shape.rows.push_back(element->element->count);
    if (!element->is_scalar()) shape.rows.clear();
    return shape;
}

Scalar integer_of(std::uint8_t bytes, bool is_signed) {
    for (std::size_t i = static_cast<std::size_t>(Scalar::char_); i < kScalars.size(); ++i)
        if (!kScalars[i].floating && kScalars[i].bytes == bytes &&
            kScalars[i].is_signed == is_signed)
            return static_cast<Scalar>(i);
    return Scalar::int_;
}

const char* name_of(Space space) {
    static constexpr std::array kNames{"private", "local", "global", "constant", "generic"};
    return kNames.at(static_cast<std::size_t>(space));
}

Types::Types() {
    for (std::size_t i = 0; i < kScalars.size(); ++i) {
        Type type;
        type.scalar = type.unit = static_cast<Scalar>(i);
        type.bytes = kScalars[i].bytes;
        type.alignment = std::max<std::uint64_t>(1, type.bytes);
        type.name = kScalars[i].name;
        scalars_.push_back(add(std::move(type)));
    }
    Type event;
    event.kind = Type::Kind::pointer;
    event.element = scalars_.front();  // void: it points to nothing that can be reached
    event.scalar = event.unit = Scalar::ulong;
    event.bytes = event.alignment = 8;
    event.name = "event_t";
    event_ = add(std::move(event));
}

const Type* Types::add(Type type) {
    all_.push_back(std::move(type));
    return &all_.back();
}

const Type* Types::vector(Scalar scalar, std::uint8_t width) {
    if (width == 1) return this->scalar(scalar);
    for (const Type& type : all_)
        if (type.is_vector() && type.scalar == scalar && type.width == width) return &type;
    Type result;
    result.kind = Type::Kind::vector;
    result.scalar = scalar;
    result.width = width;
    result.unit = scalar;
    result.leaves = width;
    constexpr std::uint64_t kWidestOfCuda = 16;
    const std::uint64_t each = info(scalar).bytes;
    result.bytes = each * (width == 3 && !of_cuda ? 4U : width);
    result.alignment = !of_cuda     ? result.bytes
                       : width == 3 ? each
                                    : std::min(result.bytes, kWidestOfCuda);
    result.name = fmt::format("{}{}", info(scalar).name, width);
    return add(std::move(result));
}

const Type* Types::pointer(const Type* target, Space space, bool to_const) {
    const Type*& known = pointers_[{target, space, to_const}];
    if (known != nullptr) return known;
    Type type;
    type.kind = Type::Kind::pointer;
    type.element = target;
    type.space = space;
    type.to_const = to_const;
    type.scalar = type.unit = Scalar::ulong;
    type.bytes = type.alignment = 8;
    type.depth = target->depth + 1;
    type.name = pointer_name(*target, space, to_const);
    return known = add(std::move(type));
}

const Type* Types::array(const Type* element, std::uint64_t count) {
    const Type*& known = arrays_[{element, count}];
    if (known != nullptr) return known;
    Type type;
    type.kind = Type::Kind::array;
    type.element = element;
    type.count = count;
    type.bytes = element->bytes * count;
    type.unit = element->unit;
    type.leaves = element->leaves * count;
    type.depth = element->depth + 1;
    type.alignment = element->alignment;
    type.name = element->name;  // the outer length stands first: int[2][3]
    type.name.insert(std::min(type.name.find('['), type.name.size()), fmt::format("[{}]", count));
    return known = add(std::move(type));
}

const Type* Types::of_class(std::string_view name, const Type& plain, const Type* element,
                            std::uint64_t count) {
    const Type*& known = classes_[{std::string(name), &plain, element, count}];
    if (known != nullptr) return known;
    Type type = plain;
    type.class_name = type.name = name;
    type.element = element;
    type.count = count;
    if (element != nullptr)
        type.name += fmt::format("<{}>", element->name);
    else if (count != 0)
        type.name += fmt::format("<{}>", count);
    return known = add(std::move(type));
}

Type* Types::structure(std::string name) {
    Type type;
    type.kind = Type::Kind::structure;
    type.name = std::move(name);
    all_.push_back(std::move(type));
    return &all_.back();
}

void Types::set_members(Type& structure, std::vector<Type::Member> members, bool overlaid,
                        bool packed, std::uint64_t alignment) {
    structure.overlaid = overlaid;
    structure.leaves = 0;
    for (Type::Member& member : members) {
        const std::uint64_t own = member.alignment != 0 ? member.alignment
                                  : packed              ? 1
                                                        : member.type->alignment;
        const std::uint64_t start = overlaid ? 0 : rounded(structure.bytes, own);
        member.offset = start;
        structure.bytes = std::max(structure.bytes, start + member.type->bytes);
        structure.alignment = std::max(structure.alignment, own);
        structure.leaves += member.type->leaves;
        structure.depth = std::max(structure.depth, member.type->depth + 1);
    }
    structure.alignment = std::max(structure.alignment, alignment);
    structure.bytes = rounded(structure.bytes, structure.alignment);
    const bool alike = !overlaid && !members.empty() &&
                       std::all_of(members.begin(), members.end(), [&](const Type::Member& member) {
                           return member.type->unit == members.front().type->unit;
                       });
    structure.unit = alike ? members.front().type->unit : Scalar::uchar;
    structure.members = std::move(members);
}

const Type* Types::named(std::string_view word) {
    for (const Alias& alias : kAliases)
        if (word == alias.word) return scalar(alias.scalar);
    if (word == event_->name) return event_;
    for (std::size_t i = 0; i < kScalars.size(); ++i) {
        const std::string_view name = kScalars[i].name;
        if (word.substr(0, name.size()) != name) continue;
        if (word.size() == name.size()) return scalars_[i];
        const std::string_view digits = word.substr(name.size());
        if (i < static_cast<std::size_t>(Scalar::char_)) continue;
        for (const std::uint8_t width : kWidths)
            if (digits == std::to_string(width)) return vector(static_cast<Scalar>(i), width);
    }
    return nullptr;
}

}  // namespace lab::lang
