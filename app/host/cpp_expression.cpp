#include "host/cpp_expression.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace lab::host {
namespace {

using ExpressionStep = catalogue::Expression::Step;

constexpr int kChoice = 0;   // ?: binds least of all
constexpr int kPrefix = 7;   // ! and -
constexpr int kPrimary = 8;  // a number, a name, a call

struct Part {
    std::string text;
    int precedence;
};

std::string within(const Part& part, int least) {
    return part.precedence < least ? "(" + part.text + ")" : part.text;
}

Part joined(const ExpressionStep& step, const std::vector<Part>& operands) {
    if (step.name == "!") return {"!" + within(operands[0], kPrefix), kPrefix};
    if (step.name == "negate") return {"-" + within(operands[0], kPrimary), kPrefix};
    if (step.name == "choose")
        return {fmt::format("{} ? {} : {}", within(operands[0], kChoice + 1),
                            within(operands[1], kChoice + 1), within(operands[2], kChoice)),
                kChoice};
    if (step.precedence > 0) {
        // && within || is right without them, but compilers ask for the parentheses.
        const int least = step.name == "||" ? step.precedence + 2 : step.precedence;
        return {fmt::format("{} {} {}", within(operands[0], least), step.name,
                            within(operands[1], least + 1)),
                step.precedence};
    }
    std::string text = step.name + "(";
    for (std::size_t i = 0; i < operands.size(); ++i)
        text += (i > 0 ? ", " : "") + operands[i].text;
    return {text + ")", kPrimary};
}

struct Function {
    const char *name, *text;
};

constexpr std::array kFunctions{
    Function{"min", "int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }\n"},
    Function{"max", "int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }\n"},
    Function{"div_up", "int64_t div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }\n"},
    Function{"round_up",
             "int64_t round_up(int64_t a, int64_t b) { return (a + b - 1) / b * b; }\n"},
    Function{"power_of_two",
             "bool power_of_two(int64_t a) { return a > 0 && (a & (a - 1)) == 0; }\n"},
    Function{"power_of_two_up",
             "int64_t power_of_two_up(int64_t a)\n"
             "{\n"
             "    int64_t power = 1;\n"
             "    while (power < a) power *= 2;\n"
             "    return power;\n"
             "}\n"},
    Function{"log2",
             "int64_t log2(int64_t a)  // rounded up\n"
             "{\n"
             "    int64_t exponent = 0;\n"
             "    while ((int64_t(1) << exponent) < a) ++exponent;\n"
             "    return exponent;\n"
             "}\n"},
};

}  // namespace

std::string cpp_text(const catalogue::Expression& expression, const catalogue::Variables& numbers,
                     int least) {
    std::vector<Part> stack;
    for (const ExpressionStep& step : expression.steps()) {
        if (step.kind == ExpressionStep::Kind::number) {
            stack.push_back({fmt::format("{}", step.number), kPrimary});
        } else if (step.kind == ExpressionStep::Kind::variable) {
            const auto known = numbers.find(step.name);
            stack.push_back(
                {known == numbers.end() ? step.name : fmt::format("{}", known->second), kPrimary});
        } else {
            const auto first = stack.end() - step.operands;
            const Part part = joined(step, {first, stack.end()});
            stack.erase(first, stack.end());
            stack.push_back(part);
        }
    }
    return stack.empty() ? "" : within(stack.back(), least);
}

std::set<std::string> names_in(const catalogue::Expression& expression) {
    std::set<std::string> names;
    for (const ExpressionStep& step : expression.steps())
        if (step.kind != ExpressionStep::Kind::number) names.insert(step.name);
    return names;
}

std::string function_definitions(const std::set<std::string>& names) {
    std::string text;
    for (const Function& function : kFunctions)
        if (names.contains(function.name)) text += function.text;
    return text;
}

}  // namespace lab::host
