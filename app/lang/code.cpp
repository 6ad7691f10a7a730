#include "lang/code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace lab::lang {
namespace {

// Whether the instruction computes a value from the values of its operands.
bool passes_values_on(Op op) {
    return op < Op::offset || op == Op::lineage_of_choice || op == Op::group_collective ||
           op == Op::sub_collective;
}

bool is_comparison(Op op) {
    return op >= Op::eq_i32 && op <= Op::le_f64;
}

class LineageMarker {
  public:
    explicit LineageMarker(Code& code) : code_(code), carries_(code.registers + 1) {}

    void run() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& each : code_.instructions)
                changed = mark(each) || changed;
        }
        for (Instruction& each : code_.instructions)
            if ((operands::writes(each) || each.op == Op::lineage_of_choice) && carries_[each.to])
                each.flags |= kCarries;
    }

  private:
    bool from(std::uint32_t reg) const { return (reg & kUniform) == 0 && carries_[reg]; }

    bool set(std::uint32_t reg) {
        if (carries_[reg]) return false;
        carries_[reg] = true;
        return true;
    }

    bool mark(const Instruction& instruction) {
        if (instruction.op == Op::load || instruction.op == Op::load_private) {
            bool changed = false;
            for (std::uint8_t i = 0; i < instruction.count; ++i)
                changed = set(instruction.to + i) || changed;
            return changed;
        }
        if (instruction.op == Op::atomic) return set(instruction.to);
        if (!passes_values_on(instruction.op)) return false;
        if (is_comparison(instruction.op) && (instruction.flags & kChooses) == 0) return false;
        if (from(instruction.a) || (instruction.op != Op::lineage_of_choice &&
                                    (from(instruction.b) || from(instruction.c))))
            return set(instruction.to);
        return false;
    }

    Code& code_;
    std::vector<bool> carries_;
};

}  // namespace

void mark_lineage(Code& code) {
    LineageMarker(code).run();
}

bool asks_who_is_there(const Instruction& instruction) {
    return instruction.op == Op::sub_collective && (instruction.flags & kNamedLanes) == 0 &&
           instruction.extra == static_cast<std::uint16_t>(Builtin::ballot);
}

bool asks_who_is_there(const Code& code) {
    const auto asks = [](const Instruction& each) { return asks_who_is_there(each); };
    return code.is_cuda && std::any_of(code.instructions.begin(), code.instructions.end(), asks);
}

bool depends_on_lanes(const Code& code) {
    const auto of_warp = [](const Instruction& each) {
        const bool scoped = each.op == Op::atomic || each.op == Op::fence || each.op == Op::barrier;
        const auto flags =
            each.op == Op::atomic ? static_cast<std::uint16_t>(each.imm) : each.extra;
        return each.op == Op::lane_id || each.op == Op::warp_id || each.op == Op::sub_collective ||
               (scoped && scope_of(flags) == MemoryScope::sub_group);
    };
    const auto of_lanes = [](const Uniform& each) {
        return each.kind == Uniform::Kind::lanes || each.kind == Uniform::Kind::warps;
    };
    return std::any_of(code.instructions.begin(), code.instructions.end(), of_warp) ||
           std::any_of(code.uniforms.begin(), code.uniforms.end(), of_lanes);
}

namespace {

template <typename T>
std::string text_of_floating(T value) {
    if (std::isnan(value)) return "nan";
    if (value == std::trunc(value) && std::abs(value) < T(1e7)) return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

}  // namespace

float value_of_half(std::uint16_t bits) {
    const int exponent = bits >> 10U & 0x1f;
    const auto mantissa = static_cast<float>(bits & 0x3ffU);
    const float size = exponent == 31
                           ? ((bits & 0x3ffU) != 0 ? std::numeric_limits<float>::quiet_NaN()
                                                   : std::numeric_limits<float>::infinity())
                       : exponent == 0 ? std::ldexp(mantissa, -24)
                                       : std::ldexp(mantissa + 1024.0F, exponent - 25);
    return (bits & 0x8000U) != 0 ? -size : size;
}

// A multiple of the distance between halves near it.
std::uint64_t half_of(double value, Rounding rounding) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000U : 0;
    const double size = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00U;
    if (std::isinf(value)) return sign | 0x7c00U;
    const bool outward = rounding == (sign != 0 ? Rounding::down : Rounding::up);
    const bool nearest = rounding == Rounding::none || rounding == Rounding::even;
    const int exponent = size == 0 ? -14 : std::max(-14, std::ilogb(size));
    if (exponent > 15) return sign | (nearest || outward ? 0x7c00U : 0x7bffU);
    const double steps = std::ldexp(size, 10 - exponent);
    const double whole = nearest   ? std::nearbyint(steps)
                         : outward ? std::ceil(steps)
                                   : std::floor(steps);
    return sign |
           ((static_cast<std::uint64_t>(exponent + 14) << 10U) + static_cast<std::uint64_t>(whole));
}

std::string text_of(std::uint64_t bits, Scalar scalar) {
    if (scalar == Scalar::half_)
        return text_of_floating(value_of_half(static_cast<std::uint16_t>(bits)));
    if (scalar == Scalar::float_) return text_of_floating(float_of(bits));
    if (scalar == Scalar::double_) return text_of_floating(double_of(bits));
    if (info(scalar).is_signed) return fmt::format("{}", static_cast<std::int64_t>(bits));
    return fmt::format("{}", bits);
}

}  // namespace lab::lang
