// A problem that the user can act on: every error in the program has this form.
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/phrase.h"

namespace lab {

// Exit codes; the command line guarantees these numbers.
enum class Exit {
    done = 0,
    found = 1,
    usage = 2,
    no_device = 3,
    kernel_fault = 4,
    interrupted = 130  // by Ctrl+C, as shells count it
};

// Thrown when something cannot be done, caught once at the edge of each program, request or
// command. `what` happened, `why`, what to do (`hint`), and `where` (a file:line:column, a device,
// an option; may be empty). All four are whole phrases without a full stop at the end.
struct Problem : std::exception {
    std::string what_happened;
    std::string why;
    std::string hint;
    std::string where;
    Exit exit = Exit::usage;
    ProblemPhrases phrases;  // for translation, where it has keys; not sent to other processes

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
