#include "simulation/user_kernel_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lang/compile.h"
#include "simulation/include_files.h"

namespace lab::simulation {

lang::Text text_of(const UserKernel& kernel) {
    lang::Text text{kernel.file, kernel.text, "",
                    include_files(kernel.file, kernel.text, kernel.folders)};
    for (const std::string& define : kernel.defines)
        text.macros += lang::define_line(define);
    return text;
}

namespace {

// What a host's program defines is named at once, with values that do.
[[noreturn]] void miss_macros(const std::vector<lang::HostMacro>& macros, const lang::Text& text) {
    std::vector<std::string> names, options;
    for (const lang::HostMacro& macro : macros) {
        names.push_back(macro.name);
        options.push_back("--set " + lang::option_of(macro));
    }
    const lang::Place& place = macros.front().place;
    throw Problem(
        fmt::format("The text needs macros that its host program defines: {}",
                    fmt::join(names, ", ")),
        "The host passes them as -D options when it builds the text",
        fmt::format("Write {}, with the values that the host gives", fmt::join(options, " ")),
        place.file == lang::kTextFile ? fmt::format("{}:{}:{}", text.name, place.line, place.column)
                                      : std::string(),
        Exit::kernel_fault);
}

}  // namespace

lang::Code code_of(const UserKernel& kernel) {
    const lang::Text text = text_of(kernel);
    lang::Compiled compiled = lang::compile(text, kernel.kernel);
    if (compiled.code) return std::move(*compiled.code);
    if (const auto macros = lang::host_macros(text, kernel.kernel); !macros.empty())
        miss_macros(macros, text);
    throw lang::problem_of(compiled.diagnostics, compiled.sources);
}

}  // namespace lab::simulation
