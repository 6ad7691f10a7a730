#include "session/shell/cancelled.h"

namespace lab::session {
namespace {

Problem cancelled(const char* key, const char* what, const char* hint) {
    Problem made(what, "", hint, "", Exit::done);
    made.said.what = {key, {}, {}};
    made.said.hint = {std::string(key) + ".hint", {}, {}};
    return made;
}

}  // namespace

Problem run_cancelled() {
    return cancelled("problem.run_cancelled", "The run was cancelled",
                     "Change anything, or press F5, to run it again");
}

Problem search_cancelled() {
    return cancelled("problem.search_cancelled", "The search was cancelled",
                     "Press F5 to search again");
}

}  // namespace lab::session
