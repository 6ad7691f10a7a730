// A lesson: pages of words, a run to look at and a question, as docs/lessons.md describes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/translations.h"
#include "lessons/facts.h"
#include "lessons/show.h"
namespace lab::lessons {

// The words of a page: paragraphs of spans, as CommonMark has them.

struct Span {
    std::string text;
    bool bold = false, italic = false, code = false;
    std::string link;  // an address; empty: none

    bool operator==(const Span&) const = default;
};

struct Paragraph {
    enum class Kind : std::uint8_t { plain, bullet, numbered } kind = Kind::plain;
    std::uint32_t number = 0;  // of a numbered one, from 1
    std::vector<Span> spans;
    // Where it begins in its file, from 1 (0: in none), and the places in its text, all spans in
    // one, at which a line of the file begins.
    std::uint32_t line = 0;
    std::vector<std::size_t> breaks = {};

    std::uint32_t line_at(std::size_t place) const;
    bool operator==(const Paragraph& other) const {
        return kind == other.kind && number == other.number && spans == other.spans;
    }
};
using Text = std::vector<Paragraph>;

// One plain paragraph; none if there is no text.
inline Text words_of(std::string text) {
    if (text.empty()) return {};
    return {{Paragraph::Kind::plain, 0, {{std::move(text), false, false, false, ""}}}};
}

// Without its styles.
std::string plain_text(const Paragraph& paragraph);
std::string plain_text(const Text& text);  // a line each

enum class Kind : std::uint8_t {
    cells,     // values are typed
    pick,      // cells are clicked
    items,     // work-items are clicked
    number,    // numbers are typed
    choose,    // options
    results,   // every possible result, among others
    line,      // a line of the kernel is clicked
    order,     // steps of a work-item, in the order in which they happen
    schedule,  // turns are chosen in the race view
    edit,      // the kernel is changed
    measure,   // a prediction, then a run on the device
    reflect,   // a sentence, not graded
    input,     // a row of numbers is typed, with which the goals hold
};
const char* name_of(Kind kind);

// Keys of Show, each with values to set it to.
using KeyValues = std::vector<std::pair<std::string, std::vector<std::string>>>;

// A condition on an edited kernel's runs, for each combination of these values.
struct Goal {
    Expression condition;
    KeyValues shapes;
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
    std::uint64_t par = 0;             // of a schedule: the fewest turns that do; 0: not said
    Expression item;                   // of an order: whose steps; empty: those of work-item 0
    std::vector<machine::ActionKind> steps;  // of an order: what counts as one; empty: all
    // An order asks for these alone; empty: for all. An edit has these of its start put in order;
    // empty: it is typed.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
    std::string start, solution;  // files of an edit; of an input, such a row
    std::vector<Goal> goals;      // of an edit or an input
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

// Says why an answer is right, or why a student may think so: it is given after the answer, and
// judged apart from it.
struct Reason {
    std::string name;  // of the misconception that it is; kRightReason: it is none
    Text words;        // one paragraph
    Text reply;        // what the run shows, to a wrong one

    bool right() const;
};
inline constexpr const char* kRightReason = "right";

struct Page {
    std::string id;  // of its English heading: "two-groups"
    std::uint32_t line = 0;
    std::string title;
    Text words;
    std::vector<Paragraph> labels;  // of options, or of several numbers
    Show show;
    KeyValues vary;  // of each key one value, in other draws of the page
    std::uint32_t vary_line = 0;
    std::uint64_t seed = 0;  // of the draw that this is; 0: as it is written
    std::optional<Ask> ask;
    std::vector<Reason> reasons;
    std::vector<Text> hints;
    std::vector<Reply> replies;
    Text after;
};

struct Lesson {
    std::string id;  // its folder's name
    std::filesystem::path folder;
    std::string language;  // of the words: English where there are no others
    std::string title, document, needs;
    std::uint32_t needs_line = 1;  // of `needs`, in the file
    std::uint32_t minutes = 0;
    std::vector<Page> pages;
};

struct ReadLesson {
    std::optional<Lesson> lesson;   // what could be read; empty if there is nothing to show
    std::vector<Problem> problems;  // with where = file:line:column
};

// Reads FOLDER/lesson.md, with the words of FOLDER/lesson.LANGUAGE.md if there is one, in the
// terms of that API. Throws nothing: what is wrong is in `problems`.
ReadLesson read_lesson(const std::filesystem::path& folder, const std::string& language,
                       const catalogue::Catalogue& catalogue, Api api = Api::opencl);

// Folders with a lesson.md in `folder`, or `folder` itself if it has one; by name, but each after
// the one that it needs.
std::vector<std::filesystem::path> lesson_folders(const std::filesystem::path& folder);
// "Who waits for whom?" -> "who-waits-for-whom"
std::string id_of(const std::string& title);
bool is_lesson_folder(const std::filesystem::path& folder);

// Reads the fenced blocks of a lesson.

// A "key: value" line.
struct Entry {
    std::string key, value;
    std::uint32_t line = 0;  // of the file
    std::size_t column = 1;  // of the value
    std::size_t key_column = 1;
};

// The first whose key stood above already, and is none of those that may; null: none.
const Entry* repeated(const std::vector<Entry>& entries,
                      std::initializer_list<std::string_view> may);
Problem twice_problem(const Entry& entry);  // where = line:column

// `first_line`: that of the body's first line. Throws Problem with where = line:column.
std::vector<Entry> read_entries(std::string_view body, std::uint32_t first_line);

// `kind`: the word after "ask". Throws Problem with where = line:column.
Ask read_ask(const std::string& kind, const std::vector<Entry>& entries, std::uint32_t line,
             const Library& library);

// "n=4,8 group=4,8 input=1..9". Throws Problem.
KeyValues read_vary(const std::string& text, const Library& library);

// `name`: the word after "reason"; `words`: its paragraphs. Throws Problem.
Reason read_reason(const std::string& name, Text words, const Page& page);

// `what`: the words after "wrong". Throws Problem.
Reply read_reply(const std::string& what, const Ask& ask, const Library& library);

// Adds a page to a lesson's file, so that a lesson can be made of moments worth showing.

// The `show` block of it, without its fences: only what is not as it would be anyway.
std::string show_text(const Show& show);

// Appends a page with that heading, whole or not at all; the first one begins the file. `kernel`:
// the text of show.variant where that is a file, which is written beside it. Throws Problem: the
// heading is empty or there already, a file cannot be written, or there is a kernel file of that
// name with another text.
void add_page(const std::filesystem::path& folder, const std::string& heading, const Show& show,
              const std::string& kernel = {});

// Reads CommonMark into headings, paragraphs and fenced blocks, each with its line.

struct Block {
    enum class Kind : std::uint8_t { heading, paragraph, fence } kind = Kind::paragraph;
    std::uint32_t line = 0;    // of the text, from 1; of a fence: of its opening line
    std::uint32_t level = 0;   // of a heading
    Paragraph paragraph;       // of a heading or paragraph
    bool begins_list = false;  // the first item of a list
    std::string info, body;    // of a fence
};

// `first_line`: the number of the text's first line. Throws Problem only if memory runs out.
std::vector<Block> read_markdown(std::string_view text, std::uint32_t first_line = 1);

// The same for the inside of a fence whose words are Markdown.
Text read_text(std::string_view text, std::uint32_t first_line = 1);

// True if it was meant as a table, which no page shows.
bool is_table(const Paragraph& paragraph);

}  // namespace lab::lessons
