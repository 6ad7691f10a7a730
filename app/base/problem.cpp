#include "base/problem.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace lab {

Problem::Problem(std::string what, std::string why_it, std::string hint_to, std::string where_at,
                 Exit exit_as)
    : what_happened(std::move(what)),
      why(std::move(why_it)),
      hint(std::move(hint_to)),
      where(std::move(where_at)),
      exit(exit_as) {
    text_ = where.empty() ? what_happened : fmt::format("{}: {}", where, what_happened);
    if (!why.empty()) text_ += fmt::format("\n  why:  {}", why);
    if (!hint.empty()) text_ += fmt::format("\n  hint: {}", hint);
}

void to_json(nlohmann::json& json, const Problem& problem) {
    json = {{"what", problem.what_happened},
            {"why", problem.why},
            {"hint", problem.hint},
            {"where", problem.where},
            {"exit", static_cast<int>(problem.exit)}};
}

void from_json(const nlohmann::json& json, Problem& problem) {
    problem = Problem(json.at("what"), json.value("why", ""), json.value("hint", ""),
                      json.value("where", ""), static_cast<Exit>(json.value("exit", 2)));
}

}  // namespace lab
