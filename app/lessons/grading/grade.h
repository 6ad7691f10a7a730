// What a class handed in, checked again: a table by student and page, and what was mostly wrong.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/variant.h"

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
};

struct StudentMarks {
    std::string name, file;
    std::vector<Mark> marks;  // by ClassGrade::pages
    // Of checked pages: right without a wrong answer before, answers that were shown, and how often
    // was checked, as the file says.
    std::size_t first_tries = 0, shown = 0, tries = 0;
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

}  // namespace lab::lessons
