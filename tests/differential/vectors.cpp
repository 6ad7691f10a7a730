// Expressions of vector types: operators on components and literals put together from parts.
#include <array>

#include "expressions.h"

namespace lab::differential {
namespace {

constexpr std::array<const char*, 6> relations = {"<", ">", "<=", ">=", "==", "!="};

// (int4)(a, v.xy, 3): parts of any widths that add up.
std::string assembled(Context& context, Type type, unsigned depth) {
    std::string text = "(" + name(type) + ")(";
    unsigned left = type.width;
    while (left > 0) {
        unsigned part = context.random.percent(50) ? 1 : random_vector_width(context.random);
        // A 16 of single components would be a long line.
        if (type.width > 4 && part < type.width / 4) part = type.width / 4;
        while (part > left || part == type.width)
            part = part <= 3 ? part - 1 : part / 2;
        text += expression(context, {type.element, part}, part == 1 ? depth : 0);
        left -= part;
        if (left > 0) text += ", ";
    }
    return text + ")";
}

std::string integer_operator(Context& context, Type type, unsigned depth) {
    static constexpr std::array<const char*, 8> operators = {"+", "-", "*",  "&",
                                                             "|", "^", "<<", ">>"};
    const std::string left = expression(context, type, depth);
    if (context.random.percent(15)) {
        return joined({"(", left, (context.random.percent(50) ? " / " : " % "),
                       safe_divisor(context, type), "(", expression(context, type, depth), "))"});
    }
    // A scalar of the same element is spread over the components.
    const Type right{type.element, context.random.percent(25) ? 1 : type.width};
    return joined({"(", left, " ", context.random.pick(operators), " ",
                   expression(context, right, depth), ")"});
}

std::string float_operator(Context& context, Type type, unsigned depth) {
    static constexpr std::array<const char*, 5> operators = {"+", "-", "*", "/", "*"};
    const std::string left = expression(context, type, depth);
    const Type right{type.element, context.random.percent(25) ? 1 : type.width};
    return joined({"(", left, " ", context.random.pick(operators), " ",
                   expression(context, right, depth), ")"});
}

// Signed integers of 0 and -1, from operands of the same element size.
std::string comparison(Context& context, Type type, unsigned depth) {
    Type operand = type;
    if (context.random.percent(40)) operand.element = to_unsigned(type.element);
    if (bytes(type.element) >= 4 && context.random.percent(30)) {
        operand.element = to_float(type.element);
    }
    const std::string left = expression(context, operand, depth);
    const std::string right = expression(context, operand, depth);
    if (!is_float(operand.element) && context.random.percent(25)) {
        return "(" + left + (context.random.percent(50) ? " && " : " || ") + right + ")";
    }
    return "(" + left + " " + context.random.pick(relations) + " " + right + ")";
}

std::string unary(Context& context, Type type, unsigned depth) {
    const std::string operand = "(" + expression(context, type, depth) + ")";
    if (is_float(type.element)) return "(-" + operand + ")";
    if (is_signed(type.element) && context.random.percent(30)) return "(!" + operand + ")";
    return std::string(context.random.percent(50) ? "(-" : "(~") + operand + ")";
}

std::string selection(Context& context, Type type, unsigned depth) {
    const Type mask{to_signed(type.element), type.width};
    return joined({"(", expression(context, mask, depth), " ? ", expression(context, type, depth),
                   " : ", expression(context, type, depth), ")"});
}

}  // namespace

std::string vector_expression(Context& context, Type type, unsigned depth) {
    if (context.random.percent(25)) return assembled(context, type, depth);
    if (context.random.percent(15)) return unary(context, type, depth);
    if (context.random.percent(15)) return selection(context, type, depth);
    if (is_float(type.element)) return float_operator(context, type, depth);
    if (is_signed(type.element) && context.random.percent(25)) {
        return comparison(context, type, depth);
    }
    return integer_operator(context, type, depth);
}

}  // namespace lab::differential
