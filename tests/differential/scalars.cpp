// Expressions of scalar types: operators and the conversions that C makes on its own.
#include <array>

#include "expressions.h"

namespace lab::differential {
namespace {

using Operators = std::array<const char*, 6>;
constexpr Operators relations = {"<", ">", "<=", ">=", "==", "!="};
constexpr Operators harmless = {"&", "|", "^", "&", "|", "^"};  // on any integers
constexpr std::array<const char*, 3> arithmetic = {"+", "-", "*"};
constexpr std::array<const char*, 2> shifts = {"<<", ">>"};

// What is not of the type by itself is cast to it; what is, sometimes.
std::string as_type(Context& context, Element element, Element from, const std::string& text) {
    if (element == from && context.random.percent(80)) return "(" + text + ")";
    return "(" + name({element, 1}) + ")(" + text + ")";
}

std::string some(Context& context, Element element, unsigned depth) {
    return expression(context, {element, 1}, depth);
}

// What brings a shift's count below the width.
std::string narrow_mask(Element element) {
    return bytes(element) == 1 ? "7" : "15";
}

// Two integers of any types: the usual arithmetic conversions at work.
std::string mixed(Context& context, Element element, unsigned depth) {
    const Element a = some_integer(context), b = some_integer(context);
    const Element both = common(a, b);
    const bool wraps = !is_signed(both);
    // Of narrow types + and - fit an int, and so does * unless both are ushort; else they are
    // unsigned here, for signed overflow is undefined.
    const bool fits = is_narrow(a) && is_narrow(b);
    const char* op =
        wraps || fits ? context.random.pick(arithmetic) : context.random.pick(harmless);
    if (fits && a == Element::u16 && b == Element::u16) op = "-";
    if (context.random.percent(30)) op = context.random.pick(harmless);
    return as_type(context, element, both,
                   joined({some(context, a, depth), " ", op, " ", some(context, b, depth)}));
}

// Signed arithmetic that would overflow, through the unsigned type.
std::string wrapped(Context& context, Element element, unsigned depth) {
    const Element wide = element <= Element::u32 ? Element::u32 : Element::u64;
    const std::string cast = "(" + name({wide, 1}) + ")";
    const auto operand = [&] { return cast + "(" + some(context, element, depth) + ")"; };
    std::string left = operand();
    return as_type(context, element, wide,
                   joined({left, " ", context.random.pick(arithmetic), " ", operand()}));
}

std::string quotient(Context& context, Element element, unsigned depth) {
    const Element promoted = common(element, element);
    const std::string left = some(context, element, depth);
    const std::string right =
        joined({safe_divisor(context, {element, 1}), "(", some(context, element, depth), ")"});
    return as_type(context, element, promoted,
                   left + (context.random.percent(50) ? " / " : " % ") + right);
}

std::string shifted(Context& context, Element element, unsigned depth) {
    // The count is taken modulo the width, so any will do; but the loop vectorizer of LLVM 14 and
    // 15 computes narrow shifts in the narrow type, for which counts of its width or more are
    // poison.
    const std::string left = some(context, element, depth);
    const std::string mask = is_narrow(element) ? " & " + narrow_mask(element) : "";
    const std::string op = std::string(" ") + context.random.pick(shifts) + " ";
    const std::string count = some(context, some_integer(context), depth);
    return as_type(context, element, common(element, element),
                   left + op + (mask.empty() ? count : "(" + count + mask + ")"));
}

std::string unary(Context& context, Element element, unsigned depth) {
    const Element promoted = common(element, element);
    const std::string operand = some(context, element, depth);
    // Minus on a signed type overflows at its least value, unless it is narrow.
    const bool minus = is_narrow(element) || !is_signed(element);
    const char* op = minus && context.random.percent(40) ? "-" : "~";
    if (context.random.percent(15)) op = "+";
    return as_type(context, element, promoted, std::string(op) + "(" + operand + ")");
}

// Operators of all ranks without parentheses, on unsigned operands: precedence at work.
std::string chain(Context& context, Element element) {
    static constexpr std::array<const char*, 12> operators = {"+",  "-",  "*", "&",  "|",  "^",
                                                              "<<", ">>", "<", "==", "&&", "*"};
    const Element wide = bytes(element) == 8 ? Element::u64 : Element::u32;
    std::string text = leaf(context, {wide, 1});
    const std::uint64_t count = 2 + context.random.below(3);
    // A comparison of a comparison gets brackets: "X < Y < Z" without them is an error from Clang
    // 20 on. What binds looser than a comparison begins a new part.
    std::size_t part = 0;
    bool compared = false;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string op = context.random.pick(operators);
        const bool compares = op == "<" || op == "==";
        if (compares && compared) text = text.substr(0, part) + "(" + text.substr(part) + ")";
        text += " " + op + " ";
        if (compares) compared = true;
        if (op == "&" || op == "|" || op == "^" || op == "&&") {
            compared = false;
            part = text.size();
        }
        if (context.random.percent(10)) text += "~";
        text += leaf(context, {wide, 1});
    }
    return "(" + name({element, 1}) + ")(" + text + ")";
}

std::string int_only(Context& context, unsigned depth) {
    switch (context.random.below(5)) {
        case 0:
            return small_integer(context);
        case 1:
            return joined({"(", some(context, some_element(context), depth), " ",
                           context.random.pick(relations), " ",
                           some(context, some_element(context), depth), ")"});
        case 2:
            return "!" + condition(context, depth);
        case 3:
            if (context.enumerators.empty()) return small_integer(context);
            return "(int)" + context.random.pick(context.enumerators);
        default:
            return joined({"(", condition(context, depth), " || ", condition(context, depth), ")"});
    }
}

std::string macro_call(Context& context, Element element, unsigned depth) {
    if (element != Element::u32) return mixed(context, element, depth);
    static constexpr std::array<const char*, 3> macros = {"MIX", "PICK_LARGER", "SCRAMBLE"};
    const char* macro = context.random.pick(macros);
    const std::string first = some(context, element, 0), second = some(context, element, 0);
    return std::string(macro) + "(" + first + ", " + second + ")";
}

std::string size_of(Context& context, Element element) {
    std::string what = name(some_type(context));
    if (!context.places.empty() && context.random.percent(40)) {
        const Place place = context.random.pick(context.places);
        what = fill_in(place.text, [] { return std::string("0"); });
    }
    return "(" + name({element, 1}) + ")sizeof(" + what + ")";
}

}  // namespace

std::string integer_expression(Context& context, Element element, unsigned depth) {
    if (element == Element::i32 && context.random.percent(35)) return int_only(context, depth);
    switch (context.random.below(10)) {
        case 0:
        case 1:
            return mixed(context, element, depth);
        case 2:
        case 3:
            return wrapped(context, element, depth);
        case 4:
            return quotient(context, element, depth);
        case 5:
            return shifted(context, element, depth);
        case 6:
            return unary(context, element, depth);
        case 7:
            return chain(context, element);
        case 8:
            return macro_call(context, element, depth);
        default:
            return context.random.percent(20) ? size_of(context, element)
                                              : mixed(context, element, depth);
    }
}

std::string float_expression(Context& context, Element element, unsigned depth) {
    static constexpr std::array<const char*, 5> operators = {"+", "-", "*", "/", "*"};
    const std::string left = some(context, element, depth);
    const std::string op = std::string(" ") + context.random.pick(operators) + " ";
    switch (context.random.below(6)) {
        case 0:
            return "(-" + left + ")";
        case 1: {  // an integer beside it, or a double that the result is rounded from
            const Element other = element == Element::f32 && context.random.percent(30)
                                      ? Element::f64
                                      : some_integer(context);
            const std::string right = some(context, other, depth);
            return as_type(context, element, other > element ? other : element, left + op + right);
        }
        default:
            return "(" + left + op + some(context, element, depth) + ")";
    }
}

}  // namespace lab::differential
