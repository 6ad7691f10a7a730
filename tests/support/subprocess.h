// Running a short helper program to its end, with what it wrote.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/child_process.h"

namespace lab {

struct Finished {
    int status = 0;        // its exit status, or 128 + the signal that ended it, as shells say it
    std::string out, err;  // all that it wrote on its standard output and standard error
};

struct RunOptions {
    EnvironmentChanges environment;
    std::string input;  // given on its standard input, which is then closed
    std::chrono::milliseconds limit = std::chrono::minutes(5);  // no criterion, only an end
    std::size_t most_output = std::size_t{256} << 20;  // bytes, of both streams together
};

// Runs `program` (a path, or a name to look up in PATH) and waits for its end; what it leaves
// running in its group is killed. Throws Problem if it cannot be started, or if it is past its
// limit of time or output, in which case it and its group are killed.
Finished run_program(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments, const RunOptions& options = {});

}  // namespace lab
