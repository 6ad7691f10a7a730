// host: the C++ program that runs a kernel.
#include <fmt/format.h>

#include <iostream>

#include "catalogue/host_program.h"
#include "catalogue/shape_options.h"
#include "cli/command.h"
#include "cli/shared.h"
#include "cli/subject.h"

namespace lab::cli {
namespace {

struct HostOptions {
    std::string variant, file;
    catalogue::ShapeOptions shape;
};

Exit print_program(const HostOptions& options) {
    const catalogue::HostProgram program =
        catalogue::host_program(variant_named(options.variant), options.shape.shape());
    if (options.file.empty()) {
        std::cout << program.text;
        return Exit::done;
    }
    save_program(program, options.file);
    std::cerr << fmt::format("wrote {}, and {} beside it\n", options.file, program.kernel_file);
    return Exit::done;
}

}  // namespace

Action host_command(CLI::App& app) {
    auto options = make<HostOptions>();
    app.add_option("variant", options->variant,
                   "Id of a variant, or the path of a file with such a header")
        ->required();
    options->shape.add_to(app);
    app.add_option("-o,--output", options->file,
                   "Write the program to a file, and the kernel beside it [print the program]")
        ->type_name("FILE.cpp");
    return [options] { return print_program(*options); };
}

}  // namespace lab::cli
