#include "prelude.h"

#include "expressions.h"

namespace lab::differential {
namespace {

void enumeration(Context& context) {
    const std::string second = std::to_string(context.random.below(50));
    line(context, "enum Level { LOW, MIDDLE = " + second + ", HIGH, TOP = HIGH * 2 };");
    context.enumerators = {"LOW", "MIDDLE", "HIGH", "TOP"};
}

void alias(Context& context) {
    const Type type = random_type(context.random);
    const std::string alias = fresh(context, "alias");
    line(context, "typedef " + name(type) + " " + alias + ";");
    context.aliases.emplace_back(type, alias);
}

void table(Context& context) {
    const Type type{random_element(context.random), context.random.percent(75) ? 1U : 2U};
    const std::string table = fresh(context, "table");
    const auto count = 3 + static_cast<unsigned>(context.random.below(6));
    std::string text =
        "constant " + name(type) + " " + table + "[" + std::to_string(count) + "] = {";
    for (unsigned i = 0; i < count; ++i)
        text += (i == 0 ? "" : ", ") + literal(context.random, type);
    line(context, text + "};");
    context.places.push_back({table + "[safe_index($, " + std::to_string(count) + ")]", type});
}

Structure fields_of(Context& context) {
    Structure structure;
    const std::uint64_t count = 2 + context.random.below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
        Field field{std::string(1, static_cast<char>('a' + i)),
                    {random_element(context.random),
                     context.random.percent(75) ? 1 : random_vector_width(context.random)}};
        if (context.random.percent(20)) field.count = 2 + static_cast<unsigned>(i);
        structure.fields.push_back(field);
    }
    structure.taken = {random_element(context.random), random_width(context.random)};
    structure.made = structure.fields.front().type;
    structure.packed = structure.taken.width >= 4;
    return structure;
}

void structure_functions(Context& context, Structure& structure, const std::string& tag) {
    structure.take = "take_" + tag;
    structure.make = "make_" + tag;
    structure.change = "change_" + tag;
    const std::vector<Place> known = context.places;
    const auto read = [&](const std::string& prefix) {
        for (const Field& field : structure.fields) {
            const std::string length = std::to_string(field.count);
            context.places.push_back(
                {prefix + field.name + (field.count == 0 ? "" : "[safe_index($, " + length + ")]"),
                 field.type});
        }
    };
    const std::string first =
        structure.fields.front().name + (structure.fields.front().count == 0 ? "" : "[1]");
    read("s.");
    line(context, name(structure.taken) + " " + structure.take + "(" + structure.name +
                      " s) { return " + expression(context, structure.taken, 2) + "; }");
    context.places = known;
    const std::string parameter = name(structure.made) + " x) { ";
    line(context, structure.name + " " + structure.make + "(" + parameter + structure.name +
                      " s = {0}; s." + first + " = x; return s; }");
    read("s->");
    line(context, "void " + structure.change + "(" + structure.name + "* s, " + parameter + "s->" +
                      first + " = " + expression(context, structure.made, 1) + "; }");
    context.places = known;
}

void structure(Context& context) {
    const std::string tag = fresh(context, "S");
    Structure structure = fields_of(context);
    const bool has_typedef = context.random.percent(40);
    structure.name = has_typedef ? tag : "struct " + tag;
    const std::string layout = structure.packed ? "__attribute__((packed)) " : "";
    open(context, has_typedef ? "typedef struct " + layout + "{" : "struct " + layout + tag + " {");
    for (const Field& field : structure.fields) {
        const std::string length = "[" + std::to_string(field.count) + "]";
        line(context, name(field.type) + " " + field.name + (field.count == 0 ? "" : length) + ";");
    }
    close(context, has_typedef ? "} " + tag + ";" : "};");
    structure_functions(context, structure, tag);
    context.structures.push_back(structure);
}

}  // namespace

std::vector<std::string> header(std::uint64_t seed) {
    return {"// seed " + std::to_string(seed),
            "#pragma OPENCL FP_CONTRACT OFF",
            "#ifdef cl_khr_fp64",
            "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
            "#endif",
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable",
            "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable",
            "#define safe_index(i, n) ((uint)(i) % (n))",
            "#define safe_small(x) ((int)((x) & 0xff))",
            "#define safe_range(x, low, high) clamp((x), (low), (high))",
            "#define SALT 0x5bd1e995u",
            "#if defined(SALT) && (SALT >> 4) != 0",
            "#define MIX(a, b) ((a) ^ ((b) >> 3) ^ SALT)",
            "#else",
            "#error a branch that is not taken",
            "#endif",
            "#define PICK_LARGER(a, b) ((a) > (b) ? (a) : (b))",
            "#define PASTE(a, b) a##b",
            "#define SCRAMBLE(a, b) \\",
            "    (PASTE(rot, ate)((uint)(a), (uint)5) + \\",
            "     MIX(b, a))",
            "float through_half(float x) { ushort bits[1]; vstore_half_rtp(x, 0, (half*)bits);",
            "    return vload_half(0, (const half*)bits); }"};
}

void types_and_tables(Context& context) {
    if (context.random.percent(50)) enumeration(context);
    if (context.random.percent(50)) alias(context);
    line(context, "union Bits { uint word; uchar bytes[4]; short halves[2]; char4 quad; };");
    if (context.random.percent(60)) table(context);
    if (context.random.percent(45)) structure(context);
}

}  // namespace lab::differential
