#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/record/printer.h"

namespace lab::lang {

using StatementKind = Statement::Kind;

void Printer::line(int depth, const std::string& text) {
    body_ += std::string(static_cast<std::size_t>(depth) * 4, ' ') + text + '\n';
}

void Printer::statement(const Statement& statement, int depth) {
    switch (statement.kind) {
        case StatementKind::empty:
            return line(depth, ";");
        case StatementKind::block:
            line(depth, "{");
            block(statement, depth + 1);
            return line(depth, "}");
        case StatementKind::declare:
            return declare(*statement.variable, depth);
        case StatementKind::expression:
            return line(depth, value(*statement.condition) + ";");
        case StatementKind::if_:
            line(depth, fmt::format("if ({}) {{", value(*statement.condition)));
            this->statement(*statement.statements[0], depth + 1);
            if (statement.statements.size() > 1) {
                line(depth, "} else {");
                this->statement(*statement.statements[1], depth + 1);
            }
            return line(depth, "}");
        case StatementKind::loop:
            return loop(statement, depth);
        case StatementKind::do_:
            line(depth, "do {");
            this->statement(*statement.statements[0], depth + 1);
            return line(depth, fmt::format("}} while ({});", value(*statement.condition)));
        case StatementKind::switch_:
            return cases(statement, depth);
        case StatementKind::break_:
            return line(depth, "break;");
        case StatementKind::continue_:
            return line(depth, "continue;");
        case StatementKind::return_:
            if (statement.condition == nullptr) return line(depth, "return;");
            if (statement.condition->type->is_void()) {
                line(depth, value(*statement.condition) + ";");
                return line(depth, "return;");
            }
            return line(depth, fmt::format("return {};", value(*statement.condition)));
    }
    cannot(statement.place, "This statement is not known");
}

void Printer::block(const Statement& statement, int depth) {
    for (const Statement* each : statement.statements)
        this->statement(*each, depth);
}

std::string Printer::statements(const E& expr) {
    std::string outer = std::exchange(body_, {});
    const std::size_t count = expr.body->statements.size() - expr.operands.size();
    for (std::size_t i = 0; i < count; ++i)
        statement(*expr.body->statements[i], 0);
    if (!expr.operands.empty()) line(0, value(*expr.operands[0]) + ";");
    return "({\n" + std::exchange(body_, std::move(outer)) + "})";
}

void Printer::declare(const Variable& variable, int depth) {
    const char* space = variable.space == Space::local      ? "local "
                        : variable.space == Space::constant ? "constant "
                                                            : "";
    std::string text = space + declared(*variable.type, variable.name);
    if (variable.initial != nullptr)
        text += " = " + (variable.initial->kind == Expression::Kind::initializer
                             ? initializer(*variable.initial, *variable.type, 0)
                             : value(*variable.initial));
    line(depth, text + ";");
    if (variable.space != Space::local || !options_.record) return;
    for (std::size_t i = 0; i < made_.objects.size(); ++i)
        if (!made_.objects[i].is_parameter && made_.objects[i].name == variable.name)
            line(depth, base(i, fmt::format("(ulong)&{}", variable.name)));
}

// What the head declares stands before the loop, in a block with it.
void Printer::loop(const Statement& statement, int depth) {
    const bool declares = statement.initial != nullptr;
    if (declares) {
        line(depth++, "{");
        block(*statement.initial, depth);
    }
    line(depth, fmt::format("for (; {}; {}) {{",
                            statement.condition != nullptr ? value(*statement.condition) : "",
                            statement.step != nullptr ? value(*statement.step) : ""));
    this->statement(*statement.statements[0], depth + 1);
    line(depth, "}");
    if (declares) line(depth - 1, "}");
}

void Printer::cases(const Statement& statement, int depth) {
    line(depth, fmt::format("switch ({}) {{", value(*statement.condition)));
    const Statement& body = *statement.statements[0];
    for (std::size_t i = 0; i <= body.statements.size(); ++i) {
        for (const Statement::Case& each : statement.cases)
            if (each.before == i)
                line(depth, each.is_default
                                ? std::string("default:;")
                                : fmt::format("case {}:;",
                                              constant(*statement.condition->type, each.value)));
        if (i < body.statements.size()) this->statement(*body.statements[i], depth + 1);
    }
    line(depth, "}");
}

std::string Printer::head(const FunctionDefinition& function) {
    const bool is_kernel = &function == &kernel_;
    std::string text = is_kernel ? "" : parameters();
    for (const Variable* parameter : function.parameters)
        text += (text.empty() ? "" : ", ") + declared(*parameter->type, parameter->name);
    if (is_kernel)
        text += fmt::format("{}volatile global uint* lab_trace, uint lab_seed",
                            text.empty() ? "" : ", ");
    std::string attribute;
    if (is_kernel && !function.required_group.empty()) {
        std::vector<std::uint64_t> sizes = function.required_group;
        sizes.resize(3, 1);
        attribute = fmt::format("__attribute__((reqd_work_group_size({}, {}, {})))\n", sizes[0],
                                sizes[1], sizes[2]);
    }
    return fmt::format("{}{}{} {}({})", is_kernel ? "kernel " : "", attribute,
                       type_text(*function.result), function.name, text);
}

void Printer::function(const FunctionDefinition& function) {
    body_.clear();
    temporaries_.clear();
    block(*function.body, 1);
    functions_ += head(function) + "\n{\n";
    if (&function == &kernel_) functions_ += kernel_begin();
    for (const std::string& each : temporaries_)
        functions_ += fmt::format("    {};\n", each);
    functions_ += body_ + "}\n";
}

void Printer::used_functions(const FunctionDefinition& function) {
    if (std::find(used_.begin(), used_.end(), &function) != used_.end()) return;
    for (const FunctionDefinition* called : function.calls)
        used_functions(*called);
    used_.push_back(&function);
}

}  // namespace lab::lang
