// Helper functions: by value, reading a buffer, and writing through a pointer.
#include <array>

#include "expressions.h"
#include "prelude.h"
#include "statements.h"

namespace lab::differential {
namespace {

const char* keyword(Space space) {
    if (space == Space::globally) return "global ";
    return space == Space::locally ? "local " : "";
}

// Statements, some returns, and the last return.
void body(Context& context, Type result) {
    const std::size_t runs = context.runs.size();
    const std::uint64_t count = context.random.below(4);
    for (std::uint64_t i = 0; i < count; ++i)
        statement(context, 1);
    if (context.random.percent(40)) {
        line(context, joined({"if (", condition(context, 1), ") return ",
                              expression(context, result, 1), ";"}));
    }
    line(context, "return " + expression(context, result, 2) + ";");
    context.runs.resize(runs);
}

void value_function(Context& context, const std::vector<Input>& inputs) {
    Function function{fresh(context, "helper"), some_type(context), {}};
    const std::vector<Place> known = context.places;
    std::string parameters;
    const std::uint64_t count = 1 + context.random.below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
        const Type type = some_type(context);
        const std::string parameter = fresh(context, "x");
        parameters += (i == 0 ? "" : ", ") + spelled(context, type) + " " + parameter;
        function.parameters.push_back({type, ""});
        context.places.push_back({parameter, type, true, Space::privately});
    }
    if (!inputs.empty() && context.random.percent(30)) {
        const Input& input = context.random.pick(inputs);
        parameters += ", " + input.qualifiers + " " + name(input.type) + "* from";
        function.parameters.push_back({input.type, input.name});
        context.places.push_back(
            {"from[safe_index($, " + std::to_string(input.count) + ")]", input.type});
    }
    const std::string signature =
        name(function.result) + " " + function.name + "(" + parameters + ")";
    if (context.random.percent(25)) line(context, signature + ";");
    open(context, signature + " {");
    body(context, function.result);
    close(context);
    context.places = known;
    context.functions.push_back(function);
}

void poke_function(Context& context) {
    static constexpr std::array<Space, 4> spaces = {Space::privately, Space::privately,
                                                    Space::globally, Space::locally};
    const Poke poke{fresh(context, "poke"), some_type(context), context.random.pick(spaces)};
    const std::vector<Place> known = context.places;
    const std::string type = name(poke.type);
    open(context,
         "void " + poke.name + "(" + keyword(poke.space) + type + "* target, " + type + " x) {");
    context.places.push_back({"(*target)", poke.type, true, poke.space});
    context.places.push_back({"x", poke.type, true, Space::privately});
    const std::size_t runs = context.runs.size();
    const std::uint64_t count = 1 + context.random.below(2);
    for (std::uint64_t i = 0; i < count; ++i)
        statement(context, 1);
    if (context.random.percent(30)) {
        line(context, "if (" + condition(context, 1) + ") return;");
    }
    line(context, "*target = " + storable(context, poke.type, 2) + ";");
    close(context);
    context.runs.resize(runs);
    context.places = known;
    context.pokes.push_back(poke);
}

}  // namespace

void helper(Context& context, const std::vector<Input>& inputs) {
    if (context.random.percent(65)) return value_function(context, inputs);
    poke_function(context);
}

}  // namespace lab::differential
