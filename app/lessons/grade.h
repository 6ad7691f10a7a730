// Checks again what a class handed in: a table by student and page, and what was mostly wrong.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/problem.h"
#include "catalogue/kernel.h"
#include "lessons/question.h"
namespace lab::lessons {

enum class Mark : std::uint8_t {
    right,
    wrong,
    given_up,
    skipped,
    not_reached,
    // Answered, but nothing says whether rightly: a sentence, or a prediction of the student's own
    // device.
    unchecked,
};
const char* name_of(Mark mark);  // "right", "given up"

struct WrongAnswer {
    std::string text;          // as "27, 33", "line 24", "goal 2 fails"
    std::size_t students = 0;  // who gave it, at first or in the end
};

struct PageOfClass {
    std::string lesson, page, title, kind;
    std::vector<WrongAnswer> wrong;  // the most common first
    bool asks_why = false;
    std::vector<WrongAnswer> wrong_reasons;  // as "because group-0-first", of those given at first
};

struct StudentMarks {
    std::string name, file;
    std::vector<Mark> marks;  // by ClassGrade::pages
    // The counts of checked pages: right without a wrong answer before, answers that were shown,
    // and how often was checked, as the file says.
    std::size_t first_tries = 0, shown = 0, tries = 0;
    std::size_t hints = 0;          // shown before the answers to these pages, as the file says
    std::size_t right_reasons = 0;  // of those that were given at first, whatever the answer was
    bool exam = false;              // all of the answers were given in one
};

struct ClassGrade {
    std::vector<PageOfClass> pages;  // that ask something, of every lesson that somebody did
    std::vector<StudentMarks> students;
    std::vector<Problem> problems;  // files that cannot be read, answers to no lesson
    std::vector<Problem> doubts;    // whose answers they are: no name, or those of another
};

// Nothing that a file says of an answer is believed: each is judged anew. What a kernel or a
// schedule in it can cost is bounded, as in judge(). Lessons in the order of `folders`.
ClassGrade grade(const std::vector<std::filesystem::path>& files,
                 const std::vector<std::filesystem::path>& folders,
                 const catalogue::Catalogue& catalogue);

std::string text_of(const ClassGrade& graded);  // for a terminal
// A line a student and a column a page, as spreadsheets read it: no cell begins a formula.
std::string csv_of(const ClassGrade& graded);
// The results.json of a Gradescope autograder: a test for each page that can be checked, worth a
// point. Throws Problem: it is of one student, and there are none or several.
nlohmann::json gradescope_of(const ClassGrade& graded);

// Goes through a lesson as its author wants to know it: whether every page can be shown, has an
// answer, and can be solved; the same in every language.

struct CheckedPage {
    std::string id, title, kind;  // no kind: nothing is asked
    std::string answer;
    std::vector<std::string> reasons;        // their names
    std::size_t draws = 0;                   // answers that its draws have; 0: it does not vary
    std::vector<std::string> mistakes = {};  // that wrong choices come from, in words
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
void from_json(const nlohmann::json& json, CheckedLesson& lesson);

// An answer that is right, as a student would give it; empty where none can be told beforehand.
Answer right_answer(const Page& page, const Question& question, Runs& runs);

// Keeps what a student has answered in a file for each lesson, and a hand-in made of it.

void to_json(nlohmann::json& json, const Answer& answer);
void from_json(const nlohmann::json& json, Answer& answer);

struct PageProgress {
    Answer answer;  // the last that was checked
    // Given up stays so, whatever is answered afterwards. A prediction is made once: it was
    // measured, and is right or not.
    bool right = false, given_up = false, skipped = false, measured = false;
    std::uint32_t tries = 0;    // until it was right
    std::uint32_t hints = 0;    // shown until then
    std::vector<Answer> wrong;  // earlier ones, the first kMostWrong of them
    bool operator==(const PageProgress&) const = default;
};
inline constexpr std::size_t kMostWrong = 8;  // answers of a page; later ones are only counted
void to_json(nlohmann::json& json, const PageProgress& progress);
void from_json(const nlohmann::json& json, PageProgress& progress);

struct Progress {
    std::string lesson;      // its id
    std::string page;        // where one is
    std::uint64_t seed = 0;  // of an exam: its pages begin with this draw
    std::map<std::string, PageProgress> pages;
    // The answers that were typed or picked and not checked yet, by page; not handed in.
    std::map<std::string, Answer> drafts;

    bool done(const std::string& page) const;
    bool operator==(const Progress&) const = default;
};

void to_json(nlohmann::json& json, const Progress& progress);
void from_json(const nlohmann::json& json, Progress& progress);

std::filesystem::path progress_file(const std::string& lesson, std::uint64_t seed = 0);
// Nothing answered if there is no file. A damaged one is kept beside, named FILE.damaged, and
// `problem` says so.
Progress load_progress(const std::string& lesson, std::optional<Problem>& problem,
                       std::uint64_t seed = 0);
void save_progress(const Progress& progress);  // whole or not at all; throws Problem

// A student's answers to some lessons, as handed in.
struct HandIn {
    std::string name;  // of the student
    std::vector<Progress> lessons;
};
void write_hand_in(const HandIn& hand_in, const std::filesystem::path& file);  // throws Problem
HandIn read_hand_in(const std::filesystem::path& file);                        // throws Problem

}  // namespace lab::lessons
