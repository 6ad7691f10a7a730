// Types, constants and lists of values as text.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "lang/code/value.h"
#include "lang/record/printer.h"

namespace lab::lang {
namespace {

template <typename Float>
std::string float_text(Float value, const char* suffix, const std::string& bits) {
    if (!std::isfinite(value)) return bits;
    const std::string digits = fmt::format("{:a}{}", std::fabs(value), suffix);
    return std::signbit(value) ? fmt::format("(-{})", digits) : digits;
}

}  // namespace

// A declarator, from the name outwards; qualifiers follow what they qualify.
std::string Printer::declared(const Type& type, const std::string& name) {
    if (type.is_array()) {
        const bool pointer = !name.empty() && name.front() == '*';
        return declared(*type.element,
                        fmt::format("{}[{}]", pointer ? "(" + name + ")" : name, type.count));
    }
    if (type.is_pointer()) {
        if (type.space == Space::generic)
            cannot(kernel_.place,
                   "A pointer to several memories cannot be written in OpenCL C 1.2");
        const std::string star = fmt::format("*{}", name);
        if (type.element->is_array()) {
            const Type* element = type.element;
            std::string inner = fmt::format("({})", star);
            for (; element->is_array(); element = element->element)
                inner += fmt::format("[{}]", element->count);
            return declared(*element, fmt::format("{}{} {}", name_of(type.space),
                                                  type.to_const ? " const" : "", inner));
        }
        return declared(*type.element, fmt::format("{}{} {}", name_of(type.space),
                                                   type.to_const ? " const" : "", star));
    }
    const std::string base = type.is_structure() ? structure_name(type) : type.name;
    return name.empty() ? base : base + " " + name;
}

const std::string& Printer::structure_name(const Type& type) {
    const auto [found, is_new] = structure_names_.try_emplace(&type);
    if (!is_new) return found->second;
    found->second =
        fmt::format("{} lab_s{}", type.overlaid ? "union" : "struct", structure_names_.size());
    std::string text = found->second + "\n{\n";
    for (std::size_t i = 0; i < type.members.size(); ++i)
        text += fmt::format("    {};\n", declared(*type.members[i].type, member_name(type, i)));
    structures_ += text + "};\n";
    return structure_names_.at(&type);
}

std::string Printer::member_name(const Type& type, std::size_t index) const {
    const std::string& name = type.members[index].name;
    return name.empty() ? fmt::format("lab_m{}", index) : name;
}

std::string Printer::constant(const Type& type, std::uint64_t bits) const {
    if (type.is_pointer()) return fmt::format("0");
    switch (type.scalar) {
        case Scalar::int_: {
            const auto value = static_cast<std::int64_t>(canonical(Scalar::int_, bits));
            if (value == INT32_MIN) return "(-2147483647 - 1)";
            return value < 0 ? fmt::format("({})", value) : std::to_string(value);
        }
        case Scalar::uint:
            return fmt::format("{}u", bits);
        case Scalar::long_: {
            const auto value = static_cast<std::int64_t>(bits);
            if (value == INT64_MIN) return "(-9223372036854775807L - 1)";
            return value < 0 ? fmt::format("({}L)", value) : fmt::format("{}L", value);
        }
        case Scalar::ulong:
            return fmt::format("{}UL", bits);
        case Scalar::half_:
            return fmt::format("as_half((ushort){})", bits);
        case Scalar::float_:
            return float_text(float_of(bits), "f", fmt::format("as_float({:#x}u)", bits));
        case Scalar::double_:
            return float_text(double_of(bits), "", fmt::format("as_double({:#x}UL)", bits));
        default:
            return fmt::format("(({}){})", info(type.scalar).name,
                               static_cast<std::int64_t>(canonical(type.scalar, bits)));
    }
}

std::string Printer::initializer(const E& list, const Type& type, std::uint64_t offset) {
    for (std::size_t i = 0; i < list.operands.size(); ++i)
        if (list.offsets[i] == offset && list.operands[i]->type == &type)
            return value(*list.operands[i]);
    std::string text;
    const auto add = [&](const Type& part, std::uint64_t at) {
        text += (text.empty() ? "" : ", ") + initializer(list, part, at);
    };
    if (type.is_array()) {
        for (std::uint64_t i = 0; i < type.count; ++i)
            add(*type.element, offset + i * type.element->bytes);
        return "{" + text + "}";
    }
    if (type.is_structure()) {
        for (const Type::Member& member : type.members) {
            add(*member.type, offset + member.offset);
            if (type.overlaid) break;
        }
        return "{" + text + "}";
    }
    if (type.is_vector()) return fmt::format("({})(0)", type.name);
    return "0";
}

}  // namespace lab::lang
