// What a student has answered, kept in a file for each lesson, and a hand-in made of it.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lessons/answers/question.h"

namespace lab::lessons {

void to_json(nlohmann::json& json, const Answer& answer);
void from_json(const nlohmann::json& json, Answer& answer);

struct PageProgress {
    Answer answer;  // the last that was checked
    // Given up stays so, whatever is answered afterwards. A prediction is made once: it was
    // measured, and is right or not.
    bool right = false, given_up = false, skipped = false, measured = false;
    std::uint32_t tries = 0;    // until it was right
    std::vector<Answer> wrong;  // earlier ones, the first kMostWrong of them
    bool operator==(const PageProgress&) const = default;
};
inline constexpr std::size_t kMostWrong = 8;
void to_json(nlohmann::json& json, const PageProgress& progress);
void from_json(const nlohmann::json& json, PageProgress& progress);

struct Progress {
    std::string lesson;  // its id
    std::string page;    // where one is
    std::map<std::string, PageProgress> pages;
    // What was typed or picked and not checked yet, by page; not handed in.
    std::map<std::string, Answer> drafts;

    bool done(const std::string& page) const;
    bool operator==(const Progress&) const = default;
};

void to_json(nlohmann::json& json, const Progress& progress);
void from_json(const nlohmann::json& json, Progress& progress);

std::filesystem::path progress_file(const std::string& lesson);
// Nothing answered if there is no file. A damaged one is kept beside, named FILE.damaged, and
// `problem` says so.
Progress load_progress(const std::string& lesson, std::optional<Problem>& problem);
void save_progress(const Progress& progress);  // whole or not at all; throws Problem

// A student's answers to some lessons, as handed in.
struct HandIn {
    std::string name;  // of the student
    std::vector<Progress> lessons;
};
void write_hand_in(const HandIn& hand_in, const std::filesystem::path& file);  // throws Problem
HandIn read_hand_in(const std::filesystem::path& file);                        // throws Problem

}  // namespace lab::lessons
