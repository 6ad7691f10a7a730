#include "base/run_main.h"

#include <fmt/format.h>

#include <iostream>

#include "base/problem.h"

namespace lab {

int run_main(const std::function<int()>& body) {
    try {
        return body();
    } catch (const Problem& problem) {
        std::cerr << "error: " << problem.text() << '\n';
        return static_cast<int>(problem.exit);
    } catch (const std::exception& error) {
        std::cerr << fmt::format("error: {}\n  hint: please report this\n", error.what());
        return static_cast<int>(Exit::usage);
    }
}

}  // namespace lab
