#include "simulation/cancelled.h"

namespace lab::simulation {
namespace {

Problem cancelled(const char* key, const char* what, const char* hint) {
    Problem problem(what, "", hint, "", Exit::done);
    problem.phrases.what = {key, {}, {}};
    problem.phrases.hint = {std::string(key) + ".hint", {}, {}};
    return problem;
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

}  // namespace lab::simulation
