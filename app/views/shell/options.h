// The command line of the app.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "session/settings.h"
#include "views/files/files.h"
#include "views/lattice/lattice.h"
namespace lab::gui {

struct Options {
    session::Settings settings;      // as remembered, with what the command line says
    std::optional<Problem> problem;  // of the remembered settings
    bool recalled = false;           // nothing else was chosen on the command line
    std::string screenshot;          // file; empty: none
    std::optional<std::size_t> cursor;
    std::string lesson;  // to begin with, and the number of its page
    std::size_t page = 1;
    std::optional<session::LatticeStart> place;
    std::optional<session::SavedState> state;  // whose settings are among `settings`
    std::vector<std::string> files;            // to be opened
    std::map<std::string, std::string> set;    // of the last of them: toggles or macros
    std::string overlay;                       // to be shown at once
    bool present = false;                      // begin with the picture alone
    bool example = false;                      // of the variant that is named, in its own shape
    bool measure = false;                      // start a measurement at once
    bool stats = false;                        // print counts and times at the end
    bool check_display = false;                // only say whether a window can be opened
};

// Throws Problem for a wrong argument. Nothing is returned where the program has only to end with
// `exit` (--help, --version).
std::optional<Options> parse_options(int argc, char** argv, int& exit);

}  // namespace lab::gui
