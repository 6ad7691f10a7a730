// A problem that a person can act on: the one form of every error in the program.
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/phrase.h"

namespace lab {

// How a program ends; the command line promises these numbers.
enum class Exit {
    done = 0,
    found = 1,
    usage = 2,
    no_device = 3,
    kernel_fault = 4,
    interrupted = 130  // by Ctrl+C, as shells count it
};

// Thrown where something cannot be done, caught once at the edge of each program, request or
// command. `what` happened, `why`, what to do (`hint`), and `where` (a file:line:column, a device,
// an option; empty where there is no place). All four are whole phrases without a final stop.
struct Problem : std::exception {
    std::string what_happened;
    std::string why;
    std::string hint;
    std::string where;
    Exit exit = Exit::usage;
    Said said;  // in the user's language, where that is known; not sent to other processes

    Problem() = default;
    Problem(std::string what, std::string why, std::string hint, std::string where = {},
            Exit exit = Exit::usage);

    // The whole problem as lines of text; also what what() gives.
    const std::string& text() const { return text_; }
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::string text_;
};

void to_json(nlohmann::json& json, const Problem& problem);
void from_json(const nlohmann::json& json, Problem& problem);

}  // namespace lab
