#include "context.h"

#include <algorithm>

namespace lab::differential {
namespace {

void define(Context& context, const std::string& name, const std::string& definition) {
    const auto same = [&](const Guard& guard) { return guard.name == name; };
    if (std::any_of(context.guards.begin(), context.guards.end(), same)) return;
    context.guards.push_back({name, definition});
}

// 1 to 1024, or fewer for small types, or -1025 to -2: never what overflows.
std::string divisor_body(Context& context, Type type) {
    if (!is_signed(type.element)) return "x | " + splat(type, 1);
    const bool tiny = type.element == Element::i8;
    if (context.random.percent(50)) {
        return "(x & " + splat(type, tiny ? 63 : 1023) + ") + " + splat(type, 1);
    }
    return "(x & " + splat(type, tiny ? 63 : 1023) + ") - " + splat(type, tiny ? 65 : 1025);
}

std::string fold_scalar_body(Context& context, Element element) {
    if (!is_float(element)) return "(ulong)x";
    const std::string bits = element == Element::f32 ? "as_uint" : "as_ulong";
    return bits + "(" + safe_float(context, {element, 1}) + "(x))";
}

std::string fold_vector_body(Context& context, Type type) {
    const unsigned low = type.width == 3 ? 2 : type.width / 2;
    const std::string first = fold(context, {type.element, low});
    const std::string second = fold(context, {type.element, type.width - low});
    if (type.width == 2) return first + "(x.x) * 31 + " + second + "(x.y)";
    if (type.width == 3) return first + "(x.xy) * 31 + " + second + "(x.z)";
    return first + "(x.lo) * 31 + " + second + "(x.hi)";
}

}  // namespace

std::string joined(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts)
        text += part;
    return text;
}

std::string fresh(Context& context, const std::string& stem) {
    return stem + std::to_string(context.names++);
}

Type some_type(Context& context) {
    if (context.places.empty() || context.random.percent(45)) return random_type(context.random);
    const Type type = context.random.pick(context.places).type;
    return type.element == Element::boolean ? random_type(context.random) : type;
}

Element some_element(Context& context) {
    return some_type(context).element;
}

Element some_integer(Context& context) {
    const Element element = some_element(context);
    return is_float(element) ? random_integer(context.random) : element;
}

std::string spelled(Context& context, Type type) {
    for (const auto& [aliased, alias] : context.aliases) {
        if (aliased == type && context.random.percent(50)) return alias;
    }
    return name(type);
}

void line(Context& context, const std::string& text) {
    context.lines.push_back(std::string(std::size_t{4} * context.indent, ' ') + text);
}

void open(Context& context, const std::string& text) {
    line(context, text);
    ++context.indent;
}

void close(Context& context, const std::string& text) {
    --context.indent;
    line(context, text);
}

std::string safe_float(Context& context, Type type) {
    const std::string function = "safe_" + name(type);
    const std::string one = type.width == 1 ? "1" : splat(type, 1);
    define(context, function,
           name(type) + " " + function + "(" + name(type) + " x) { return isnan(x) ? " + one +
               " : x; }");
    return function;
}

std::string safe_divisor(Context& context, Type type) {
    const std::string function = "safe_divisor_" + name(type);
    define(context, function,
           name(type) + " " + function + "(" + name(type) + " x) { return " +
               divisor_body(context, type) + "; }");
    return function;
}

std::string fold(Context& context, Type type) {
    const std::string function = "fold_" + name(type);
    const std::string body =
        type.width == 1 ? fold_scalar_body(context, type.element) : fold_vector_body(context, type);
    define(context, function,
           "ulong " + function + "(" + name(type) + " x) { return " + body + "; }");
    return function;
}

}  // namespace lab::differential
