// Calls of built-in functions whose results are exact: a table of patterns.
#include <array>

#include "expressions.h"

namespace lab::differential {
namespace {

// Which elements a pattern can have as its result.
enum Of : unsigned {
    i8 = 1,
    u8 = 2,
    i16 = 4,
    u16 = 8,
    i32 = 16,
    u32 = 32,
    i64 = 64,
    u64 = 128,
    f32 = 256,
    f64 = 512,
    signeds = i8 | i16 | i32 | i64,
    unsigneds = u8 | u16 | u32 | u64,
    integers = signeds | unsigneds,
    floats = f32 | f64,
};
enum class Widths { any, scalar, vector, even };  // even: not 1 and not 3

// @ and a letter stand for an operand, R being the type of the result:
//   R expression of R       S, U signed, unsigned integer like R    E scalar of R's element
//   H, h integers of half R's size, of R's sign and unsigned        F float like R
//   C float R, no NaN       Z no NaN and no -0, whose order with 0 is free for fmin
//   f float like R, no NaN  D any double scalar, no NaN             i int of R's width
//   L, B, G low ones and a high one    V any signed integers         N the name of R
//   m mask for shuffle      r  vector of R's element of any even width
//   k float4 of small whole numbers: sums of products are exact     t integers below 2^11
//   g scalar or vector of 1 to 7, of R                               1 signed 1, like R
struct Pattern {
    const char* text;
    unsigned of;
    Widths widths = Widths::any;
};

constexpr std::array patterns = {
    Pattern{"add_sat(@R, @R)", integers},
    Pattern{"sub_sat(@R, @R)", integers},
    Pattern{"hadd(@R, @R)", integers},
    Pattern{"rhadd(@R, @R)", integers},
    Pattern{"min(@R, @R)", integers},
    Pattern{"max(@R, @R)", integers},
    Pattern{"min(@R, @E)", integers, Widths::vector},
    Pattern{"max(@R, @E)", integers, Widths::vector},
    Pattern{"clamp(@R, @L, @G)", integers},
    Pattern{"clz(@R)", integers},
    Pattern{"popcount(@R)", integers},
    Pattern{"rotate(@R, @R)", integers},
    Pattern{"mul_hi(@R, @R)", integers},
    Pattern{"mad_hi(@R, @R, @R)", unsigneds},
    Pattern{"mad_hi(@R, @R, @L)", signeds},
    Pattern{"mad_sat(@R, @R, @R)", integers},
    Pattern{"abs(@S)", u8 | u16},
    Pattern{"abs(@S | @1)", u32 | u64},  // PoCL folds abs of the least int to anything
    Pattern{"abs(@R)", unsigneds},
    Pattern{"abs_diff(@S, @S)", u8 | u16},
    // PoCL folds it to anything where the difference does not fit the signed type.
    Pattern{"abs_diff((@S) >> 1, (@S) >> 1)", u32 | u64},
    Pattern{"abs_diff(@R, @R)", unsigneds},
    Pattern{"mul24(@t, @t)", i32 | u32},
    Pattern{"mad24(@t, @t, @t)", i32 | u32},
    Pattern{"mul24(@R & 0xffffff, @R & 0xffffff)", u32},
    Pattern{"mad24(@R & 0xffffff, @R & 0xffffff, @R)", u32},
    Pattern{"upsample(@H, @h)", i16 | u16 | i32 | u32 | i64 | u64},
    Pattern{"bitselect(@R, @R, @R)", integers},
    Pattern{"safe_@N(bitselect(@C, @C, @C))", floats},
    Pattern{"select(@R, @R, @S)", integers | floats},
    Pattern{"select(@R, @R, @U)", integers | floats},
    Pattern{"shuffle(@r, @m)", integers | floats, Widths::even},
    Pattern{"shuffle2(@r, @r, @m)", integers | floats, Widths::even},
    Pattern{"isequal(@F, @F)", i32},
    Pattern{"isequal(@F, @F)", i64, Widths::vector},
    Pattern{"isnotequal(@D, @D)", i32, Widths::scalar},
    Pattern{"isgreater(@F, @F)", i32},
    Pattern{"isgreaterequal(@F, @F)", i64, Widths::vector},
    Pattern{"isless(@F, @F)", i32},
    Pattern{"islessequal(@F, @F)", i32},
    Pattern{"islessgreater(@F, @F)", i32},
    Pattern{"isfinite(@F)", i32},
    Pattern{"isinf(@F)", i32},
    Pattern{"isnan(@F)", i32},
    Pattern{"isnan(@F)", i64, Widths::vector},
    Pattern{"isnormal(@F)", i32},
    Pattern{"isnormal(@D)", i32, Widths::scalar},
    Pattern{"isordered(@F, @F)", i32},
    Pattern{"isunordered(@F, @F)", i32},
    Pattern{"signbit(@f)", i32},
    Pattern{"signbit(@f)", i64, Widths::vector},
    Pattern{"signbit(@D)", i32, Widths::scalar},
    Pattern{"any(@V)", i32, Widths::scalar},
    Pattern{"all(@V)", i32, Widths::scalar},
    Pattern{"ilogb(clamp(@f, 0.001f, 1000.0f))", i32},
    Pattern{"ilogb(clamp(@D, 1e-5, 1e9))", i32, Widths::scalar},
    Pattern{"fabs(@R)", f64},
    Pattern{"fabs(@R)", f32, Widths::vector},
    Pattern{"through_half(fabs(@R))", f32, Widths::scalar},
    Pattern{"fmin(@Z, @Z)", floats},
    Pattern{"fmax(@Z, @Z)", floats},
    Pattern{"maxmag(@Z, @Z)", floats},
    Pattern{"minmag(@Z, @Z)", floats},
    Pattern{"clamp(@C, @L, @G)", floats},
    Pattern{"floor(@R)", floats},
    Pattern{"ceil(@R)", floats},
    Pattern{"trunc(@R)", floats},
    Pattern{"rint(@R)", floats},
    Pattern{"round(@R)", floats},
    Pattern{"copysign(@R, @C)", floats},
    Pattern{"fma(@R, @R, @R)", floats},
    Pattern{"sqrt(fabs(@R))", floats},
    Pattern{"step(@C, @C)", floats},
    Pattern{"sign(@C)", floats},
    Pattern{"fdim(@C, @C)", floats},
    Pattern{"nextafter(@C, @C)", floats},
    Pattern{"ldexp(@R, @i & 31)", floats},
    Pattern{"fmod(clamp(@C, @B, @G), @g)", floats},  // PoCL: wrong for large double16
    Pattern{"dot(@k, @k)", f32, Widths::scalar},
};

bool suits(const Pattern& pattern, Type type) {
    const unsigned bit = 1U << (static_cast<unsigned>(type.element) - 1);
    if ((pattern.of & bit) == 0) return false;
    switch (pattern.widths) {
        case Widths::scalar:
            return type.width == 1;
        case Widths::vector:
            return type.width > 1;
        case Widths::even:
            return type.width % 2 == 0;
        case Widths::any:
            break;
    }
    return true;
}

// What the operands of one call have in common.
struct Call {
    Type result;
    unsigned depth = 0;
    unsigned shuffled = 2;  // the width of @r
};

std::string clean(Context& context, Type type, unsigned depth) {
    return joined({safe_float(context, type), "(", expression(context, type, depth), ")"});
}

// Operands of other types than the result's.
std::string related_operand(Context& context, const Call& call, char letter) {
    const Type& type = call.result;
    const auto of = [&](Element element) {
        return expression(context, {element, type.width}, call.depth);
    };
    switch (letter) {
        case 'S':
            return of(to_signed(type.element));
        case 'U':
            return of(to_unsigned(type.element));
        case 'H':
            return of(half_of(type.element));
        case 'h':
            return of(to_unsigned(half_of(type.element)));
        case 'F':
            return of(to_float(type.element));
        case 'f':
            return clean(context, {to_float(type.element), type.width}, call.depth);
        case 'D':
            return clean(context, {Element::f64, 1}, call.depth);
        case 'i':
            return of(Element::i32);
        case 'm':
            return of(to_unsigned(type.element));
        default:
            return expression(context, {type.element, call.shuffled}, call.depth);
    }
}

std::string operand(Context& context, const Call& call, char letter) {
    const Type& type = call.result;
    switch (letter) {
        case 'R':
            return expression(context, type, call.depth);
        case 'E':
            return expression(context, {type.element, 1}, call.depth);
        case 'C':
            return clean(context, type, call.depth);
        case 'Z':  // -0 + 0 is 0
            return "(" + clean(context, type, call.depth) + " + " + splat(type, 0) + ")";
        case 'L':
            return splat(type, is_signed(type.element) ? -7 : 3);
        case 'B':
            return splat(type, -static_cast<int>(1 + context.random.below(1000)));
        case 'G':
            return splat(type, static_cast<int>(20 + context.random.below(100)));
        case 'g':
            return splat(type, static_cast<int>(1 + context.random.below(7)));
        case '1':
            return splat({to_signed(type.element), type.width}, 1);
        case 'V': {
            const Element element = to_signed(some_integer(context));
            const unsigned width = random_width(context.random);
            return expression(context, {element, width}, call.depth);
        }
        case 't':
            return joined(
                {"(", expression(context, type, call.depth), " & ", splat(type, 2047), ")"});
        case 'k':
            return joined({"convert_float4(", expression(context, {Element::u8, 4}, call.depth),
                           " & ", splat({Element::u8, 4}, 15), ")"});
        default:
            return related_operand(context, call, letter);
    }
}

}  // namespace

std::string builtin_call(Context& context, Type type, unsigned depth) {
    std::vector<const Pattern*> fitting;
    for (const Pattern& pattern : patterns) {
        if (suits(pattern, type)) fitting.push_back(&pattern);
    }
    if (fitting.empty()) return {};
    Call call{type, depth, 2U << context.random.below(4)};
    const std::string pattern = context.random.pick(fitting)->text;
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '@') {
            text += pattern[i];
        } else if (pattern[++i] == 'N') {
            safe_float(context, type);  // the pattern names it
            text += name(type);
        } else {
            text += operand(context, call, pattern[i]);
        }
    }
    return text;
}

}  // namespace lab::differential
