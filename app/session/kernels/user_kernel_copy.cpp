#include "session/kernels/user_kernel_copy.h"

#include <fmt/format.h>

#include "base/problem.h"
#include "catalogue/plan.h"
#include "lang/text/compile.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

std::string fill_of(const catalogue::PlannedBuffer& buffer, const catalogue::Shape& shape,
                    catalogue::Type type) {
    switch (buffer.fill) {
        case catalogue::Argument::Fill::input:
        case catalogue::Argument::Fill::values:
            return text_of(shape.input);
        case catalogue::Argument::Fill::identity:
            return catalogue::text_of(identity(shape.op, type), 0);
        case catalogue::Argument::Fill::number:
            return std::to_string(buffer.number);
        case catalogue::Argument::Fill::none:
            break;
    }
    return "";
}

std::string argument_text(const catalogue::Variant& variant, const catalogue::Plan& plan,
                          const catalogue::Shape& shape, std::size_t place) {
    const catalogue::PlannedArgument& given = plan.launches.front().arguments[place];
    const std::string& name = variant.arguments[place].name;
    if (given.kind == catalogue::Argument::Kind::scalar)
        return fmt::format("{}={}", name, given.value);
    if (given.kind == catalogue::Argument::Kind::local)
        return fmt::format("{}:local {}[{}]", name, info(given.type.value_or(shape.type)).name,
                           given.count);
    const catalogue::PlannedBuffer& buffer = plan.buffers[given.buffer];
    const catalogue::Type type = buffer.type.value_or(shape.type);
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

std::string copy_name(const catalogue::Variant& variant) {
    return variant.id + "-copy.cl";
}

simulation::UserKernel plain_copy(const catalogue::Variant& variant, const catalogue::Shape& shape,
                                  std::uint64_t n) {
    const catalogue::Plan plan = make_plan(variant, small_shape(variant, shape, n, {}), n, {});
    if (plan.launches.empty())
        throw Problem("There is nothing to copy", "Nothing is launched for no elements",
                      "Choose at least one element");
    const catalogue::Launch& launch = plan.launches.front();
    simulation::UserKernel kernel;
    kernel.file = variant.id + "-plain.cl";
    const catalogue::KernelText text = kernel_text(variant, shape);
    kernel.text = without_header(lang::expanded({text.file, text.text, text.macros}));
    if (plan.launches.size() > 1)
        kernel.text = fmt::format("// The first of {} launches{}{}.\n", plan.launches.size(),
                                  launch.variables.empty() ? "" : ": ", launch.variables) +
                      kernel.text;
    kernel.global = launch.global;
    kernel.local = launch.local;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        kernel.arguments.push_back(argument_text(variant, plan, shape, i));
    return kernel;
}

}  // namespace lab::session
