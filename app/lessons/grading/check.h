// Goes through a lesson as its author wants to know it: whether every page can be shown, has an
// answer, and can be solved; the same in every language.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lessons/answers/question.h"

namespace lab::lessons {

struct CheckedPage {
    std::string id, title, kind;  // no kind: nothing is asked
    std::string answer;
};

struct CheckedLesson {
    std::string id, title;
    std::vector<std::string> languages;  // "en" first
    std::vector<CheckedPage> pages;
    std::vector<Problem> problems;  // with where = file:line:column
};

CheckedLesson check_lesson(const std::filesystem::path& folder,
                           const catalogue::Catalogue& catalogue);
void to_json(nlohmann::json& json, const CheckedLesson& lesson);

// An answer that is right, as a student would give it; empty where none can be told beforehand.
Answer right_answer(const Page& page, const Question& question, Runs& runs);

}  // namespace lab::lessons
