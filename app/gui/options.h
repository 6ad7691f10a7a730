// The command line of the app.
#pragma once

#include <optional>
#include <string>

#include "session/settings.h"

namespace lab::gui {

struct Options {
    session::Settings settings;      // as remembered, with what the command line says
    std::optional<Problem> problem;  // of the remembered settings
    std::vector<std::string> files;  // to open
    std::string screenshot;          // file; empty: none
    std::optional<std::size_t> cursor;
    bool size_given = false;
    bool measure = false;        // start a measurement at once
    bool stats = false;          // print counts and times at the end
    bool pipe = false;           // answer requests on the standard streams
    bool check_display = false;  // only say whether a window can be opened
};

// Throws Problem for a wrong argument. Nothing is returned where the program has only to end with
// `exit` (--help, --version).
std::optional<Options> parse_options(int argc, char** argv, int& exit);

}  // namespace lab::gui
