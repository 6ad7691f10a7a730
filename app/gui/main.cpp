// reduction-lab: the window.
#include <fmt/format.h>

#include <iostream>

#include "gui/shell/app.h"
#include "gui/shell/options.h"

int main(int argc, char** argv) {
    try {
        int exit = 0;
        const auto options = lab::gui::parse_options(argc, argv, exit);
        return options ? lab::gui::run_app(*options) : exit;
    } catch (const lab::Problem& problem) {
        std::cerr << "error: " << problem.text() << '\n';
        return static_cast<int>(problem.exit);
    } catch (const std::exception& error) {
        std::cerr << fmt::format("error: {}\n  hint: please report this\n", error.what());
        return static_cast<int>(lab::Exit::usage);
    }
}
