#include "base/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <system_error>

#include "base/problem.h"

namespace lab {

void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t first, std::size_t end)>& act) {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t most = count / std::max<std::size_t>(least, 1);
    const std::size_t parts = std::clamp<std::size_t>(most, 1, processors);
    const std::size_t size = (count + parts - 1) / parts;
    std::vector<std::exception_ptr> failed(parts);
    const auto part = [&](std::size_t index) {
        try {
            const std::size_t first = std::min(count, index * size);
            const std::size_t end = std::min(count, first + size);
            if (first < end) act(first, end);
        } catch (...) {
            failed[index] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(parts - 1);
    std::size_t next = 1;
    try {
        for (; next < parts; ++next)
            threads.emplace_back(part, next);
    } catch (const std::system_error&) {  // no more threads: the rest is done here
    }
    part(0);
    for (; next < parts; ++next)
        part(next);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::exception_ptr& problem : failed)
        if (problem) std::rethrow_exception(problem);
}

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
