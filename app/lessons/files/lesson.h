// A lesson: pages of words, a run to look at and a question, as docs/lessons.md describes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/translations.h"
#include "lessons/answers/expression.h"
#include "lessons/answers/facts.h"
#include "lessons/files/text.h"

namespace lab::lessons {

enum class Kind : std::uint8_t {
    cells,     // values are typed
    pick,      // cells are clicked
    items,     // work-items are clicked
    number,    // numbers are typed
    choose,    // options
    results,   // every possible result, among others
    line,      // a line of the kernel is clicked
    schedule,  // turns are chosen in the race view
    edit,      // the kernel is changed
    measure,   // a prediction, then a run on the device
    reflect,   // a sentence, not graded
};
const char* name_of(Kind kind);

// A condition on an edited kernel's runs, for each combination of these values of keys of Show.
struct Goal {
    Expression condition;
    std::vector<std::pair<std::string, std::vector<std::string>>> shapes;
    std::string text;
};

// A common condition in words, else as it is written; and the shapes that it is tried with.
std::string text_of(const Goal& goal, const Translations& tr);

enum class Predict : std::uint8_t { ratio, order, share };

struct Ask {
    Kind kind = Kind::reflect;
    std::uint32_t line = 0;  // of the file
    Place row{Place::Kind::end, 0};
    std::vector<std::uint64_t> cells;  // of Kind::cells; empty: all
    Facts::CellUse use = Facts::CellUse::missing;
    Facts::Activity state = Facts::Activity::active;
    std::vector<Expression> values, options, others;
    double within = 0;  // of numbers, relative; 0: exact if whole, else 1 %
    std::string unit;
    std::vector<std::string> kernels;  // to choose from, or to measure
    bool most = true;                  // of those: which has most, else which has least
    std::string right;                 // of Kind::line: a word; empty: the expression of `values`
    std::string until;                 // of a schedule: "wrong", "right", "hang", "result"
    Expression limit;                  // of a schedule: the most actions
    std::string start, solution;       // files of an edit
    std::vector<Goal> goals;
    bool only_barriers = false;
    Predict predict = Predict::ratio;
    std::string n;  // of a measurement
    std::uint64_t trials = 0;
    double band = 1.5;
};

// An answer to an expected mistake.
struct Reply {
    enum class Kind : std::uint8_t {
        any,
        value,     // one of the values given is that of `expression`
        option,    // `number`: chosen though wrong
        missing,   // `number`: right, but not chosen
        subset,    // some right ones are missing, none is wrong
        superset,  // all right ones, and more
        some,      // neither
        all,       // everything that is offered
        uses,      // the text has the word
        goal,      // `number` is the first that fails
        run,       // `expression` is true for the student's run
    } kind = Kind::any;
    Expression expression;
    std::size_t number = 0;  // from 1
    std::string word;
    Text words;
};

struct Page {
    std::string id;  // of its English heading: "two-groups"
    std::uint32_t line = 0;
    std::string title;
    Text words;
    std::vector<Paragraph> labels;  // of options, or of several numbers
    Show show;
    std::optional<Ask> ask;
    std::vector<Text> hints;
    std::vector<Reply> replies;
    Text after;
};

struct Lesson {
    std::string id;  // its folder's name
    std::filesystem::path folder;
    std::string language;  // of the words: English where there are no others
    std::string title, document, needs;
    std::uint32_t minutes = 0;
    std::vector<Page> pages;
};

struct ReadLesson {
    std::optional<Lesson> lesson;   // what could be read; empty if there is nothing to show
    std::vector<Problem> problems;  // with where = file:line:column
};

// Reads FOLDER/lesson.md, with the words of FOLDER/lesson.LANGUAGE.md if there is one. Throws
// nothing: what is wrong is in `problems`.
ReadLesson read_lesson(const std::filesystem::path& folder, const std::string& language,
                       const catalogue::Catalogue& catalogue);

// Folders with a lesson.md in `folder`, or `folder` itself if it has one; by name.
std::vector<std::filesystem::path> lesson_folders(const std::filesystem::path& folder);
// "Who waits for whom?" -> "who-waits-for-whom"
std::string id_of(const std::string& title);
bool is_lesson_folder(const std::filesystem::path& folder);

}  // namespace lab::lessons
