#include "lang/type.h"

#include <algorithm>
#include <charconv>

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

std::uint64_t rounded(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string ArrayShape::at(std::uint64_t index) const {
    std::string text;
    const std::uint64_t own = std::max<std::uint64_t>(1, element);
    if (!scalar) {
        std::uint64_t left = index / own, size = 1;
        for (const std::uint64_t each : rows)
            size *= each;
        for (const std::uint64_t each : rows) {
            text += '[' + std::to_string(left / size) + ']';
            left %= size;
            size /= each;
        }
        text += '[' + std::to_string(left) + ']';
    }
    const std::uint64_t within = index % own;
    for (const ArrayShape& part : parts)
        if (within >= part.first && within - part.first < part.cells)
            return text + part.name + part.at(within - part.first);
    return text;
}

std::optional<std::uint64_t> ArrayShape::index_of(std::string_view text) const {
    std::vector<std::uint64_t> indices;
    while (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        std::uint64_t index = 0;
        const char* const last = text.data() + std::min(end, text.size());
        const auto [rest, wrong] = std::from_chars(text.data() + 1, last, index);
        if (end == text.npos || wrong != std::errc() || rest != last) return std::nullopt;
        indices.push_back(index);
        text.remove_prefix(end + 1);
    }
    std::uint64_t found = 0;
    if (indices.size() > 1) {
        if (scalar || indices.size() != rows.size() + 1) return std::nullopt;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (i > 0 && indices[i] >= rows[i - 1]) return std::nullopt;
            found = found * (i > 0 ? rows[i - 1] : 1) + indices[i];
        }
    } else if (!indices.empty()) {
        found = indices.front();
    } else if (!scalar) {
        return std::nullopt;
    }
    if (found > ~std::uint64_t{0} / std::max<std::uint64_t>(1, element)) return std::nullopt;
    found *= std::max<std::uint64_t>(1, element);
    if (text.empty()) return found;
    for (const ArrayShape& part : parts) {
        if (!text.starts_with(part.name)) continue;
        const auto within = part.index_of(text.substr(part.name.size()));
        if (within && *within < part.cells) return found + part.first + *within;
    }
    return std::nullopt;
}

// Structures of structures may have more than there is memory for.
constexpr int kMostNamedMembers = 2000;  // members of a type; cells of one with more are numbered

// In cells of so many bytes each; `left`: how many members may still get names.
static ArrayShape shape_in(const Type& type, std::uint64_t bytes, bool indexed, int& left) {
    ArrayShape shape{!type.is_array() && !indexed};
    shape.cells = type.bytes / bytes;
    const Type* element = &type;
    if (indexed && element->is_array()) shape.rows.push_back(element->count);
    for (; element->is_array(); element = element->element)
        if (element->element->is_array()) shape.rows.push_back(element->element->count);
    shape.element = std::max<std::uint64_t>(1, element->bytes / bytes);
    const auto add = [&](ArrayShape part, std::string name, std::uint64_t offset) {
        part.name = std::move(name);
        part.first = offset / bytes;
        shape.parts.push_back(std::move(part));
    };
    if (element->is_vector()) {
        const std::uint64_t own = info(element->scalar).bytes;
        for (std::uint8_t i = 0; i < element->width; ++i)
            add({.scalar = true, .element = own / bytes, .cells = own / bytes},
                element->width <= 4 ? fmt::format(".{}", "xyzw"[i]) : fmt::format(".s{:x}", i),
                i * own);
    }
    if (!element->overlaid)  // a union's members lie on each other
        for (const Type::Member& member : element->members) {
            if (left <= 0) break;
            --left;
            add(shape_in(*member.type, bytes, false, left),
                member.name.empty() ? std::string() : '.' + member.name, member.offset);
        }
    return shape;
}

static ArrayShape shape_with_parts(const Type& type, bool indexed) {
    int left = kMostNamedMembers;
    ArrayShape shape =
        shape_in(type, std::max<std::uint64_t>(1, info(type.unit).bytes), indexed, left);
    if (left <= 0) shape.parts.clear();
    return shape;
}

ArrayShape shape_of(const Type& type) {
    return shape_with_parts(type, false);
}

ArrayShape shape_pointed_to(const Type& type) {
    return shape_with_parts(type, true);
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
    type.name =
        fmt::format("{}{}{}*", space == Space::private_ ? "" : fmt::format("{} ", name_of(space)),
                    to_const ? "const " : "", target->name);
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
        std::uint64_t& own = member.alignment;
        if (own == 0) own = packed ? 1 : member.type->alignment;
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
