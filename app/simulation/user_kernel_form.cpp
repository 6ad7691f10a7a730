#include "simulation/user_kernel_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "lang/compile.h"
#include "simulation/argument_guess.h"
#include "simulation/user_kernel_code.h"

namespace lab::simulation {
namespace {

using lang::Parameter;

TextMark mark_of(const lang::Diagnostic& diagnostic) {
    TextMark mark;
    mark.kind = diagnostic.severity == lang::Diagnostic::Severity::error ? TextMark::Kind::error
                                                                         : TextMark::Kind::warning;
    mark.message = diagnostic.message;
    mark.hint = diagnostic.hint;
    if (diagnostic.place.file != lang::kTextFile) return mark;
    mark.line = diagnostic.place.line;
    mark.column = diagnostic.place.column;
    mark.length = diagnostic.place.length;
    return mark;
}

// What an array's argument calls its elements: numbers and vectors by their type, all else bytes.
void name_elements(ArgumentRow& row, const Parameter& parameter) {
    const lang::ScalarInfo& scalar = lang::info(parameter.type);
    const std::uint64_t width = parameter.element_bytes / std::max<std::uint64_t>(1, scalar.bytes);
    constexpr std::array<std::uint64_t, 4> kVectors{2, 4, 8, 16};
    row.element = scalar.name;
    if (std::find(kVectors.begin(), kVectors.end(), width) != kVectors.end() &&
        parameter.type != lang::Scalar::uchar)
        row.element += std::to_string(width);
    else
        row.each = std::max<std::uint64_t>(1, width);
}

ArgumentRow empty_row(const Parameter& parameter) {
    ArgumentRow row;
    row.kind = parameter.kind;
    row.name = parameter.name;
    row.type = parameter.type_name;
    if (parameter.kind != Parameter::Kind::value) name_elements(row, parameter);
    return row;
}

std::optional<std::uint64_t> number_in(const std::string& text) {
    if (text.empty() || text.size() > 12 ||
        text.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoull(text);
}

// Reads an argument into the row of its parameter; whether it was one of that name and type.
bool read_argument(const std::string& text, ArgumentRow& row) {
    if (row.kind == Parameter::Kind::value) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || text.find(':') != std::string::npos) return false;
        row.value = text.substr(equals + 1);
        return text.substr(0, equals) == row.name &&
               std::count(row.value.begin(), row.value.end(), ',') ==
                   static_cast<std::ptrdiff_t>(row.each) - 1;
    }
    const std::string start =
        row.name + ":" + (row.kind == Parameter::Kind::local ? "local " : "") + row.element + "[";
    const std::size_t close = text.find(']');
    if (!text.starts_with(start) || close == std::string::npos) return false;
    const auto count = number_in(text.substr(start.size(), close - start.size()));
    if (!count) return false;
    row.count = *count / row.each;
    if (text.size() > close + 1 && text[close + 1] == '=') row.fill = text.substr(close + 2);
    return true;
}

}  // namespace

TextFacts facts_of(const lang::Text& text, const std::string& kernel) {
    TextFacts facts;
    std::string chosen = kernel;
    lang::Compiled compiled = lang::compile(text, chosen);
    if (compiled.tree)
        for (const lang::FunctionDefinition* each : compiled.tree->kernels())
            facts.kernels.push_back(each->name);
    const auto has = [&](const std::string& name) {
        return std::find(facts.kernels.begin(), facts.kernels.end(), name) != facts.kernels.end();
    };
    if (!facts.kernels.empty() && !has(chosen) && (facts.kernels.size() > 1 || !chosen.empty())) {
        chosen = facts.kernels.front();
        compiled = lang::compile(text, chosen);
    }
    facts.kernel = compiled.kernel != nullptr ? compiled.kernel->name : chosen;
    for (const lang::Diagnostic& diagnostic : compiled.diagnostics.all())
        facts.marks.push_back(mark_of(diagnostic));
    std::stable_sort(facts.marks.begin(), facts.marks.end(),
                     [](const TextMark& a, const TextMark& b) { return a.line < b.line; });
    if (!compiled.code) return facts;
    facts.parameters = compiled.code->parameters;
    facts.required_group = compiled.code->required_group;
    facts.dims = lang::dimensions_of(*compiled.code);
    facts.compiles = true;
    return facts;
}

TextFacts facts_of(const UserKernel& kernel) {
    return facts_of(text_of(kernel), kernel.kernel);
}

std::vector<ArgumentRow> rows_of(const TextFacts& facts, const UserKernel& kernel) {
    std::vector<ArgumentRow> rows;
    const ArgumentGuess guess(facts, kernel);
    for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
        const Parameter& parameter = facts.parameters[i];
        ArgumentRow row = empty_row(parameter);
        if (row.kind == Parameter::Kind::value)
            row.each = std::max<std::size_t>(1, parameter.components.size());
        // What names no parameter is told by its place alone.
        if (kernel.arguments.size() == facts.parameters.size()) {
            const std::string& text = kernel.arguments[i];
            row.null = text == "null" && row.kind != Parameter::Kind::value;
            const bool named = text.find_first_of(":=") != std::string::npos || text == "null";
            if (!named && row.kind == Parameter::Kind::value) row.value = text;
        }
        const bool given = row.null || !row.value.empty() ||
                           std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                                       [&](const std::string& text) {
                                           ArgumentRow read = row;
                                           if (!read_argument(text, read)) return false;
                                           row = std::move(read);
                                           return true;
                                       });
        if (!given) guess.fill(row, i);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string argument_of(const ArgumentRow& row) {
    if (row.kind == Parameter::Kind::value) return fmt::format("{}={}", row.name, row.value);
    if (row.null) return "null";
    const std::uint64_t count = row.count * row.each;
    if (row.kind == Parameter::Kind::local)
        return fmt::format("{}:local {}[{}]", row.name, row.element, count);
    return fmt::format("{}:{}[{}]{}{}", row.name, row.element, count, row.fill.empty() ? "" : "=",
                       row.fill);
}

namespace {

struct GuessedSizes {
    Extent global, local;
};

GuessedSizes guessed_sizes(std::uint32_t dims) {
    if (dims == 1) return {kGuessedElements, 16};
    if (dims == 2) return {{8, 8}, {4, 4}};
    return {{4, 4, 4}, {2, 2, 2}};
}

// The group that the text requires, in `dims` dimensions at least; not given: any.
Extent required_group(const TextFacts& facts, std::uint32_t dims) {
    Extent group;
    if (facts.required_group.empty()) return group;
    group.dims = dims;
    for (std::uint32_t i = 0; i < group.sizes.size() && i < facts.required_group.size(); ++i) {
        group.sizes[i] = facts.required_group[i];
        if (group.sizes[i] != 1) group.dims = std::max(group.dims, i + 1);
    }
    return group;
}

// Work-items for whole groups, as many as `wanted` where they fit.
Extent whole_groups(const Extent& wanted, const Extent& group) {
    Extent global = group;
    for (std::uint32_t i = 0; i < group.dims; ++i) {
        const std::uint64_t each = std::max<std::uint64_t>(1, group.sizes[i]);
        global.sizes[i] = std::max(each, wanted.sizes[i] / each * each);
    }
    return global;
}

// A group for so many work-items: the usual one as far as it divides them.
Extent group_within(const Extent& global) {
    Extent group = guessed_sizes(global.dims).local;
    for (std::uint32_t i = 0; i < group.dims; ++i)
        group.sizes[i] = std::gcd(group.sizes[i], global.sizes[i]);
    return group;
}

void take_rows(UserKernel& kernel, const std::vector<ArgumentRow>& rows) {
    kernel.arguments.clear();
    for (const ArgumentRow& row : rows)
        kernel.arguments.push_back(argument_of(row));
}

}  // namespace

void fit_launch(UserKernel& kernel, const TextFacts& facts) {
    if (!facts.compiles) return;
    kernel.kernel = facts.kernels.size() > 1 ? facts.kernel : "";
    const std::uint32_t dims = kernel.global.given()  ? kernel.global.dims
                               : kernel.local.given() ? kernel.local.dims
                                                      : facts.dims;
    const Extent required = required_group(facts, dims);
    if (required.given() && kernel.local != required) {
        const bool fits = kernel.global.given() && kernel.global.dims == required.dims;
        kernel.local = required;
        kernel.global =
            whole_groups(fits ? kernel.global : guessed_sizes(required.dims).global, required);
    }
    if (!kernel.local.given()) kernel.local = guessed_sizes(dims).local;
    if (!kernel.global.given())
        kernel.global = whole_groups(guessed_sizes(kernel.local.dims).global, kernel.local);
    take_rows(kernel, rows_of(facts, kernel));
}

void set_row(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
             const ArgumentRow& now) {
    rows.at(row) = now;
    take_rows(kernel, rows);
}

void set_count(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
               std::uint64_t count) {
    const std::string before = std::to_string(rows.at(row).count);
    rows[row].count = count;
    for (ArgumentRow& other : rows)
        if (rows[row].kind == Parameter::Kind::buffer && is_count(other) && other.value == before)
            other.value = std::to_string(count);
    take_rows(kernel, rows);
}

void set_fill(UserKernel& kernel, std::vector<ArgumentRow> rows, std::size_t row,
              const std::string& fill) {
    ArgumentRow& argument_row = rows.at(row);
    argument_row.fill = fill;
    std::uint64_t values = 0;
    for (std::size_t index = fill.find_first_not_of(" ,;"); index != std::string::npos; ++values)
        index =
            fill.find_first_not_of(" ,;", std::min(fill.find_first_of(" ,;", index), fill.size()));
    const std::size_t digits = argument_row.element.find_first_of("0123456789");
    const std::uint64_t width =
        digits == std::string::npos ? 1 : std::stoull(argument_row.element.substr(digits));
    const std::uint64_t cells = argument_row.each * width;
    const std::uint64_t count =
        values > 1 && values % cells == 0 ? values / cells : argument_row.count;
    set_count(kernel, std::move(rows), row, count);
}

void set_global(UserKernel& kernel, std::vector<ArgumentRow> rows, const Extent& global) {
    kernel.global = global;
    if (kernel.offset.dims != global.dims) kernel.offset = 0;
    if (kernel.local.dims != global.dims) set_local(kernel, std::move(rows), group_within(global));
}

void set_local(UserKernel& kernel, std::vector<ArgumentRow> rows, const Extent& local) {
    for (ArgumentRow& row : rows)
        if (row.kind == Parameter::Kind::local && row.count == kernel.local.items())
            row.count = local.items();
    kernel.local = local;
    if (kernel.offset.dims != local.dims) kernel.offset = 0;
    if (kernel.global.dims != local.dims)
        kernel.global = whole_groups(guessed_sizes(local.dims).global, local);
    take_rows(kernel, rows);
}

}  // namespace lab::simulation
