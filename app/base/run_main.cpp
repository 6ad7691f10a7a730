#include "base/run_main.h"

#include <fmt/format.h>

#include <iostream>

#include "base/problem.h"

namespace lab {

int run_main(const std::function<int()>& body) {
    try {
        const int status = body();
        std::cout.flush();
        if (!std::cout)
            throw Problem("The output could not be written", "Standard output is full or closed",
                          "Write it elsewhere");
        return status;
    } catch (const Problem& problem) {
        std::cerr << "error: " << problem.text() << '\n';
        return static_cast<int>(problem.exit);
    } catch (const std::exception& error) {
        std::cerr << fmt::format("error: {}\n  hint: please report this\n", error.what());
        return static_cast<int>(Exit::usage);
    }
}

}  // namespace lab
