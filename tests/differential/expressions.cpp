#include "expressions.h"

#include <array>

namespace lab::differential {
namespace {

std::string helper_call(Context& context, Type type, unsigned depth) {
    std::vector<const Function*> fitting;
    for (const Function& function : context.functions) {
        bool reachable = context.in_kernel;
        if (!reachable) {
            reachable = true;
            for (const Parameter& parameter : function.parameters) {
                reachable = reachable && parameter.fixed.empty();
            }
        }
        if (function.result == type && reachable) fitting.push_back(&function);
    }
    if (fitting.empty()) return {};
    // By value: arguments may not add functions, but the reference would not outlive it if they
    // did.
    const Function function = *context.random.pick(fitting);
    std::string text = function.name + "(";
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const Parameter& parameter = function.parameters[i];
        if (i != 0) text += ", ";
        text +=
            parameter.fixed.empty() ? expression(context, parameter.type, depth) : parameter.fixed;
    }
    return text + ")";
}

// For a vector: v.s3, or a part of a larger one.
std::string part_of_vector(Context& context, Type type, unsigned depth) {
    const unsigned from = random_vector_width(context.random);
    std::string swizzle;
    if (type.width > 1 && from == 2 * type.width && context.random.percent(60)) {
        static constexpr std::array<const char*, 4> halves = {"lo", "hi", "even", "odd"};
        swizzle = context.random.pick(halves);
    } else if (type.width == 1) {
        swizzle =
            component(context.random, from, static_cast<unsigned>(context.random.below(from)));
    } else {
        const bool letters = from <= 4 && type.width <= 4 && context.random.percent(50);
        swizzle = letters ? "" : "s";
        for (unsigned i = 0; i < type.width; ++i) {
            swizzle += (letters ? "xyzw" : "0123456789abcdef")[context.random.below(from)];
        }
    }
    return "(" + expression(context, {type.element, from}, depth) + ")." + swizzle;
}

std::string ternary(Context& context, Type type, unsigned depth) {
    const std::string text =
        joined({"(", condition(context, depth, Scalars::integers), " ? ",
                expression(context, type, depth), " : ", expression(context, type, depth), ")"});
    // Narrow operands have become int.
    return type.width == 1 && is_narrow(type.element) ? "(" + name(type) + ")" + text : text;
}

std::string comma(Context& context, Type type, unsigned depth) {
    return joined(
        {"(", leaf(context, some_type(context)), ", ", expression(context, type, depth), ")"});
}

// Statements in an expression, as GNU C has them.
std::string statements(Context& context, Type type, unsigned depth) {
    return joined({"({ ", name(type), " part = ", expression(context, type, depth), "; if (",
                   condition(context, depth), ") part = ", expression(context, type, depth),
                   "; part; })"});
}

}  // namespace

std::string spelled(Context& context, const Place& place) {
    const std::string text = place.text;
    if (context.in_index) {
        return fill_in(text, [&] { return std::to_string(context.random.below(16)); });
    }
    context.in_index = true;
    std::string filled =
        fill_in(text, [&] { return index(context, context.random.percent(20) ? 1 : 0); });
    context.in_index = false;
    return filled;
}

std::string leaf(Context& context, Type type) {
    std::vector<const Place*> fitting;
    for (const Place& place : context.places) {
        if (place.type == type) fitting.push_back(&place);
    }
    if (!fitting.empty() && context.random.percent(80)) {
        return spelled(context, *context.random.pick(fitting));
    }
    if (type.width > 1 && context.random.percent(40)) {
        return "(" + name(type) + ")(" + leaf(context, {type.element, 1}) + ")";
    }
    return literal(context.random, type);
}

std::string expression(Context& context, Type type, unsigned depth) {
    if (depth == 0) return leaf(context, type);
    --depth;
    if (type.element == Element::boolean) return "(bool)(" + condition(context, depth) + ")";
    std::string text;
    const std::uint64_t choice = context.random.below(100);
    if (choice < 10) return leaf(context, type);
    if (choice < 28) text = builtin_call(context, type, depth);
    if (choice >= 28 && choice < 40) text = conversion(context, type, depth);
    if (choice >= 40 && choice < 46) text = part_of_vector(context, type, depth);
    if (choice >= 46 && choice < 52) return ternary(context, type, depth);
    if (choice == 52) return comma(context, type, depth);
    if (choice == 53) return statements(context, type, depth);
    if (choice >= 54 && choice < 62) text = helper_call(context, type, depth);
    if (!text.empty()) return text;
    if (type.width > 1) return vector_expression(context, type, depth);
    if (is_float(type.element)) return float_expression(context, type.element, depth);
    return integer_expression(context, type.element, depth);
}

std::string condition(Context& context, unsigned depth, Scalars scalars) {
    static constexpr std::array<const char*, 6> relations = {"<", ">", "<=", ">=", "==", "!="};
    const unsigned below = depth == 0 ? 0 : depth - 1;
    const auto scalar = [&] { return Type{some_element(context), 1}; };
    switch (context.random.below(depth == 0 ? 3 : 7)) {
        case 0:
            return leaf(context, {Element::boolean, 1});
        case 1:
            return joined({"(", leaf(context, scalar()), " ", context.random.pick(relations), " ",
                           leaf(context, scalar()), ")"});
        case 2:
            return leaf(
                context,
                {scalars == Scalars::any ? some_element(context) : some_integer(context), 1});
        case 3:
            return "!" + condition(context, below);
        case 4:
            return joined({"(", condition(context, below), " && ", condition(context, below), ")"});
        case 5:
            return joined({"(", condition(context, below), " || ", condition(context, below), ")"});
        default:
            return joined({"(", expression(context, scalar(), below), " ",
                           context.random.pick(relations), " ",
                           expression(context, scalar(), below), ")"});
    }
}

std::string index(Context& context, unsigned depth) {
    if (!context.small.empty() && context.random.percent(40)) {
        const std::string counter = context.random.pick(context.small);
        if (context.random.percent(60)) return counter;
        return counter + " + " + std::to_string(context.random.below(5));
    }
    return expression(context, {some_integer(context), 1}, depth);
}

std::string small_integer(Context& context) {
    const auto operand = [&]() -> std::string {
        if (!context.small.empty() && context.random.percent(50)) {
            return context.random.pick(context.small);
        }
        if (!context.enumerators.empty() && context.random.percent(25)) {
            return context.random.pick(context.enumerators);
        }
        if (context.random.percent(25)) return std::to_string(context.random.below(100));
        return "safe_small(" + leaf(context, {some_integer(context), 1}) + ")";
    };
    switch (context.random.below(5)) {
        case 0:
            return joined({"(", operand(), " - ", operand(), ")"});
        case 1:
            return joined({"(", operand(), " * ", operand(), ")"});
        case 2:
            return joined({"(-", operand(), " + 3 * ", operand(), ")"});
        case 3:
            return joined({"(", operand(), " * ", operand(), " - ", operand(), ")"});
        default:
            return joined({"(", operand(), " + ", operand(), ")"});
    }
}

std::string storable(Context& context, Type type, unsigned depth) {
    const std::string value = expression(context, type, depth);
    if (!is_float(type.element)) return value;
    return safe_float(context, type) + "(" + value + ")";
}

}  // namespace lab::differential
