#include "session/kernels/own_copy.h"

#include <fmt/format.h>

#include "base/problem.h"
#include "catalogue/plan.h"
#include "lang/text/compile.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

std::string fill_of(const PlannedBuffer& buffer, const Shape& shape, Type type) {
    switch (buffer.fill) {
        case Argument::Fill::input:
        case Argument::Fill::values:
            return text_of(shape.input);
        case Argument::Fill::identity:
            return lab::text_of(identity(shape.op, type), 0);
        case Argument::Fill::number:
            return std::to_string(buffer.number);
        case Argument::Fill::none:
            break;
    }
    return "";
}

std::string argument_text(const Variant& variant, const Plan& plan, const Shape& shape,
                          std::size_t place) {
    const PlannedArgument& given = plan.launches.front().arguments[place];
    const std::string& name = variant.arguments[place].name;
    if (given.kind == Argument::Kind::scalar) return fmt::format("{}={}", name, given.value);
    if (given.kind == Argument::Kind::local)
        return fmt::format("{}:local {}[{}]", name, info(given.type.value_or(shape.type)).name,
                           given.count);
    const PlannedBuffer& buffer = plan.buffers[given.buffer];
    const Type type = buffer.type.value_or(shape.type);
    const std::string fill = fill_of(buffer, shape, type);
    return fmt::format("{}:{}[{}]{}{}", name, info(type).name, buffer.count,
                       fill.empty() ? "" : "=", fill);
}

// Without the header, which is of the shipped file alone, and the blank lines that macros leave.
std::string without_header(const std::string& text) {
    const std::size_t start = text.find("/*"), end = text.find("*/");
    std::string_view rest = text;
    if (start == text.find_first_not_of(" \t\r\n") && end != std::string::npos)
        rest.remove_prefix(end + 2);
    const std::size_t first = rest.find_first_not_of(" \t\r\n");
    return std::string(first == std::string_view::npos ? rest : rest.substr(first));
}

}  // namespace

std::string copy_name(const Variant& variant) {
    return variant.id + "-copy.cl";
}

simulation::OwnKernel plain_copy(const Variant& variant, const Shape& shape, std::uint64_t n) {
    const Plan plan = make_plan(variant, small_shape(variant, shape, n, {}), n, {});
    if (plan.launches.empty())
        throw Problem("There is nothing to copy", "Nothing is launched for no elements",
                      "Choose at least one element");
    const Launch& launch = plan.launches.front();
    simulation::OwnKernel made;
    made.file = variant.id + "-plain.cl";
    const KernelText text = kernel_text(variant, shape);
    made.text = without_header(lang::expanded({text.file, text.text, text.macros}));
    if (plan.launches.size() > 1)
        made.text = fmt::format("// The first of {} launches{}{}.\n", plan.launches.size(),
                                launch.variables.empty() ? "" : ": ", launch.variables) +
                    made.text;
    made.global = launch.global;
    made.local = launch.local;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        made.arguments.push_back(argument_text(variant, plan, shape, i));
    return made;
}

}  // namespace lab::session
