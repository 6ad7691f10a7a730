// Declarations: each with its initial value, for nothing may be read before it is written.
#include <algorithm>

#include "expressions.h"
#include "statements.h"

namespace lab::differential {
namespace {

void variable(Context& context, unsigned depth) {
    Type type = some_type(context);
    if (context.random.percent(7)) type = {Element::boolean, 1};
    const std::string variable = fresh(context, "v");
    const bool constant = context.random.percent(12);
    const bool is_volatile = !constant && type.width == 1 && context.random.percent(6);
    const std::string qualifier = constant ? "const " : is_volatile ? "volatile " : "";
    const std::string spelled_type = spelled(context, type);
    line(context, qualifier + spelled_type + " " + variable + " = " +
                      expression(context, type, depth) + ";");
    const bool plain = !constant && !is_volatile;
    context.places.push_back({variable, type, !constant, plain ? Space::privately : Space::none});
}

std::string list(Context& context, Type type, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
        text += (i == 0 ? "" : ", ") + expression(context, type, i < 2 ? 1 : 0);
    return text + "}";
}

std::string indexed(const std::string& pointer, unsigned count) {
    return pointer + "[safe_index($, " + std::to_string(count) + ")]";
}

// Other ways to the elements of an array: vloadN, and the integer of the other sign.
void views(Context& context, const std::string& array, Element element, unsigned count) {
    context.runs.push_back({array, element, count, true, Space::privately});
    const unsigned width = count >= 4 && context.random.percent(60) ? 4 : 2;
    const std::string load = "vload" + std::to_string(width);
    context.places.push_back(
        {load + "(safe_index($, " + std::to_string(count / width) + "), " + array + ")",
         {element, width}});
    if (!is_integer(element)) return;
    const Element other = is_signed(element) ? to_unsigned(element) : to_signed(element);
    context.places.push_back({indexed("((" + name({other, 1}) + "*)" + array + ")", count),
                              {other, 1},
                              true,
                              Space::privately});
}

// A pointer that starts inside of the array, or one that walks over it.
void pointer_into(Context& context, const std::string& array, Type type, unsigned count) {
    const std::string pointer = fresh(context, "p");
    if (context.random.percent(50)) {
        line(context, joined({name(type), "* ", pointer, " = ", array, " + safe_index(",
                              index(context, 1), ", ", std::to_string(count - 1), ");"}));
        context.places.push_back({indexed(pointer, 2), type, true, Space::privately});
        return;
    }
    const std::string end = array + " + " + std::to_string(count);
    const std::string start = name(type) + "* " + pointer + " = " + array;
    if (context.random.percent(50)) {
        line(context, joined({"for (", start, "; ", pointer, " < ", end, "; ++", pointer, ") *",
                              pointer, " = ", expression(context, type, 1), ";"}));
    } else {
        line(context, joined({"for (", start, "; ", pointer, " != ", end, ";) *", pointer,
                              "++ = ", expression(context, type, 1), ";"}));
    }
}

void array(Context& context) {
    const Type type{some_element(context),
                    context.random.percent(75) ? 1 : random_vector_width(context.random)};
    const auto count = 2 + static_cast<unsigned>(context.random.below(5));
    const std::string array = fresh(context, "a");
    const std::string length = "[" + std::to_string(count) + "]";
    line(context, joined({name(type), " ", array, context.random.percent(25) ? "[]" : length, " = ",
                          list(context, type, count), ";"}));
    context.places.push_back({indexed(array, count), type, true, Space::privately});
    if (type.width == 1) views(context, array, type.element, count);
    if (context.random.percent(50)) pointer_into(context, array, type, count);
}

void grid(Context& context) {
    const Type type{some_element(context), 1};
    const auto rows = 2 + static_cast<unsigned>(context.random.below(2));
    const auto columns = 2 + static_cast<unsigned>(context.random.below(3));
    const std::string grid = fresh(context, "grid");
    std::string text = name(type) + " " + grid + "[" + std::to_string(rows) + "][" +
                       std::to_string(columns) + "] = {";
    for (unsigned row = 0; row < rows; ++row)
        text += (row == 0 ? "" : ", ") + list(context, type, columns);
    line(context, text + "};");
    context.places.push_back({indexed(indexed(grid, rows), columns), type, true, Space::privately});
}

std::string structure_value(Context& context, const Structure& structure) {
    if (context.random.percent(30)) {
        return structure.make + "(" + expression(context, structure.made, 1) + ")";
    }
    std::string text = "{";
    for (const Field& field : structure.fields) {
        if (text.size() > 1) text += ", ";
        text += field.count == 0 ? expression(context, field.type, 1)
                                 : list(context, field.type, field.count);
    }
    return text + "}";
}

void fields(Context& context, const Structure& structure, const std::string& prefix) {
    for (const Field& field : structure.fields) {
        const std::string text = prefix + field.name;
        context.places.push_back({field.count == 0 ? text : indexed(text, field.count), field.type,
                                  true, structure.packed ? Space::none : Space::privately});
    }
}

// What else can be done with a structure: copy it, pass it, change it through a pointer.
void use_structure(Context& context, const Structure& structure, const std::string& value) {
    const std::string taken = fresh(context, "v");
    switch (context.random.below(4)) {
        case 0:
            line(context, structure.name + " " + taken + " = " + value + ";");
            return fields(context, structure, taken + ".");
        case 1:
            line(context,
                 name(structure.taken) + " " + taken + " = " + structure.take + "(" + value + ");");
            context.places.push_back({taken, structure.taken, true, Space::privately});
            return;
        case 2:
            line(context, structure.name + "* " + taken + " = &" + value + ";");
            return fields(context, structure, taken + "->");
        default:
            line(context, joined({structure.change, "(&", value, ", ",
                                  expression(context, structure.made, 1), ");"}));
    }
}

void structure_variable(Context& context) {
    const Structure structure = context.random.pick(context.structures);
    const std::string variable = fresh(context, "s");
    if (context.random.percent(25)) {
        std::string text = structure.name + " " + variable + "[2] = {";
        text += structure_value(context, structure) + ", ";
        text += structure_value(context, structure) + "};";
        line(context, text);
        fields(context, structure, indexed(variable, 2) + ".");
        return use_structure(context, structure, variable + "[1]");
    }
    line(context,
         structure.name + " " + variable + " = " + structure_value(context, structure) + ";");
    fields(context, structure, variable + ".");
    if (context.random.percent(70)) use_structure(context, structure, variable);
}

void bits_union(Context& context) {
    const std::string variable = fresh(context, "u");
    line(context,
         "union Bits " + variable + " = {" + expression(context, {Element::u32, 1}, 1) + "};");
    const auto add = [&](const std::string& member, Type type) {
        context.places.push_back({variable + "." + member, type, true, Space::privately});
    };
    add("word", {Element::u32, 1});
    add("bytes[safe_index($, 4)]", {Element::u8, 1});
    add("halves[safe_index($, 2)]", {Element::i16, 1});
    add("quad", {Element::i8, 4});
}

// A pointer to a variable, and a variable's bytes.
void pointer(Context& context) {
    std::vector<Place> fitting;
    for (const Place& place : context.places) {
        const bool element = place.text.find('$') != std::string::npos;
        if (place.space == Space::privately && !element) fitting.push_back(place);
    }
    if (fitting.empty()) return variable(context, 2);
    const Place place = context.random.pick(fitting);
    if (is_integer(place.type.element) && place.type.width != 3 && context.random.percent(40)) {
        const unsigned size = bytes(place.type.element) * place.type.width;
        context.places.push_back({indexed("((uchar*)&" + place.text + ")", size),
                                  {Element::u8, 1},
                                  true,
                                  Space::privately});
        return variable(context, 2);
    }
    const std::string pointer = fresh(context, "p");
    const std::string constant = context.random.percent(30) ? "const " : "";
    line(context, constant + name(place.type) + "* " + pointer + " = &" + place.text + ";");
    const bool writable = constant.empty();
    context.places.push_back({context.random.percent(50) ? "(*" + pointer + ")" : pointer + "[0]",
                              place.type, writable, writable ? Space::privately : Space::none});
}

}  // namespace

void declaration(Context& context, unsigned depth) {
    const std::uint64_t choice = context.random.below(100);
    if (choice < 60) return variable(context, depth);
    if (choice < 73) return array(context);
    if (choice < 78) return grid(context);
    if (choice < 89 && !context.structures.empty()) return structure_variable(context);
    if (choice < 92) return bits_union(context);
    return pointer(context);
}

}  // namespace lab::differential
