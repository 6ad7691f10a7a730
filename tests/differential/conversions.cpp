// Casts, convert_T with all its suffixes, and as_T.
#include <array>

#include "expressions.h"

namespace lab::differential {
namespace {

constexpr std::array<const char*, 5> roundings = {"", "_rte", "_rtz", "_rtp", "_rtn"};

// Bounds that a float may be converted from without _sat.
std::string in_range(Context& context, Type from, Element to, const std::string& text) {
    std::string low = is_signed(to) ? "-1e6" : "0.0", high = "1e6";
    if (bytes(to) == 1) high = "100.0";
    if (bytes(to) == 1 && is_signed(to)) low = "-100.0";
    if (bytes(to) == 2) high = "30000.0";
    if (bytes(to) == 2 && is_signed(to)) low = "-30000.0";
    const char* suffix = from.element == Element::f32 ? "f" : "";
    return "safe_range(" + safe_float(context, from) + "(" + text + "), " + low + suffix + ", " +
           high + suffix + ")";
}

std::string float_to_integer(Context& context, Type type, unsigned depth) {
    const Type from{context.random.percent(60) ? Element::f32 : Element::f64, type.width};
    const std::string value = expression(context, from, depth);
    const std::string convert = "convert_" + name(type);
    if (context.random.percent(40)) {
        // NaN becomes 0 says the specification as "should".
        return joined({convert, "_sat", context.random.pick(roundings), "(",
                       safe_float(context, from), "(", value, "))"});
    }
    const std::string ranged = in_range(context, from, type.element, value);
    if (type.width == 1 && context.random.percent(50)) return "(" + name(type) + ")" + ranged;
    return convert + context.random.pick(roundings) + "(" + ranged + ")";
}

std::string integer_to_integer(Context& context, Type type, unsigned depth) {
    const Type from{some_integer(context), type.width};
    const std::string value = expression(context, from, depth);
    if (type.width == 1 && context.random.percent(50)) {
        return "(" + name(type) + ")(" + value + ")";
    }
    return joined({"convert_", name(type), (context.random.percent(50) ? "_sat" : ""),
                   context.random.pick(roundings), "(", value, ")"});
}

std::string to_floating(Context& context, Type type, unsigned depth) {
    const Type from{some_element(context), type.width};
    const std::string value = expression(context, from, depth);
    if (type.width == 1 && context.random.percent(50)) {
        return "(" + name(type) + ")(" + value + ")";
    }
    return "convert_" + name(type) + context.random.pick(roundings) + "(" + value + ")";
}

// The same bits read as another type of the same size; a vector of 3 has the size of 4.
std::string reinterpreted(Context& context, Type type, unsigned depth) {
    std::vector<Type> same;
    for (int i = static_cast<int>(Element::i8); i <= static_cast<int>(Element::f64); ++i) {
        const Element element = static_cast<Element>(i);
        const unsigned size = bytes(type.element) * type.width;
        for (const unsigned width : {1U, 2U, 4U, 8U, 16U}) {
            if (bytes(element) * width == size && type.width != 3) same.push_back({element, width});
        }
        if (type.width == 3 && bytes(element) == bytes(type.element)) same.push_back({element, 3});
    }
    const Type from = context.random.pick(same);
    std::string value = expression(context, from, depth);
    if (is_float(from.element)) value = safe_float(context, from) + "(" + value + ")";
    const std::string text = "as_" + name(type) + "(" + value + ")";
    return is_float(type.element) ? safe_float(context, type) + "(" + text + ")" : text;
}

}  // namespace

std::string conversion(Context& context, Type type, unsigned depth) {
    if (context.random.percent(30)) return reinterpreted(context, type, depth);
    if (is_float(type.element)) return to_floating(context, type, depth);
    if (context.random.percent(35)) return float_to_integer(context, type, depth);
    return integer_to_integer(context, type, depth);
}

}  // namespace lab::differential
