// A page's question, worked out: what is right, what is offered beside it, and how an answer is
// judged. Nothing of it is written down in the lesson.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/form.h"
#include "lessons/lesson.h"
namespace lab::lessons {

struct Field {                          // a value that is typed
    std::optional<std::uint64_t> cell;  // of which cell
    std::optional<std::size_t> label;   // else of which of the page's labels
    std::string expected;               // as it is shown
    double value = 0;
    double within = 0;  // relative
};

struct Option {
    std::optional<std::size_t> label;  // one of the page's
    std::string text;  // of the label; else a number, a kernel's id, or the key of a translation
    bool right = false;
    std::string name = {};  // in a list of several; empty: its text
    Phrase mistake = {};    // that it comes from, see Mistaken; empty: none
};

// Things that an answer's picks number: options, all of them one after another, or cells and items
// of the question's row.
enum class Picked : std::uint8_t { options, order, cells, items, line };

// Fields, options and picks are all that a window, a sheet of paper, the judge and the grader need
// of a question: what is answered by them is one entry in question_types().
struct Question {
    Kind kind = Kind::reflect;
    std::size_t row = 0;          // of cells and items
    std::vector<Field> fields;    // of cells, numbers, a ratio
    std::vector<Option> options;  // of choose, results, a share, an order of kernels or steps
    Picked picked = Picked::options;
    std::set<std::uint64_t> picks;  // the right ones
    bool several = false;           // all of them are asked for; else any one
    // The right one of Picked::order; options with the same text may change places. Empty: only a
    // device can tell.
    std::vector<std::uint64_t> order;
    std::string answer;  // as text; empty where there is none to tell
    bool graded = true;
};

struct QuestionType {
    Kind kind;
    const char* name;  // after "ask" in a lesson
    // Adds fields, options or picks. Throws Problem, see question_of().
    void (*work_out)(Question& question, const Page& page, Runs& runs) = nullptr;
    bool sets = false;   // "wrong subset" and the like fit its answers
    bool values = true;  // "wrong EXPRESSION" fits its answers
    // Keys of what is said where right picks are missing, else of the first wrong one, and what
    // that is called in it. Empty: nothing.
    const char *fewer = "", *wrong = "", *named = "";
};
std::span<const QuestionType> question_types();
const QuestionType& type_of(Kind kind);
void check_needs(const Ask& ask);  // throws Problem: something is missing

// Throws Problem: the page's run cannot be made, or an expression has no value.
Question question_of(const Page& page, Runs& runs);

// An answer has typed texts (of fields, of an edit, a schedule's turns, a sentence) or the places
// that were picked (options, items, cells, a line).
struct Answer {
    std::vector<std::string> texts;
    std::vector<std::uint64_t> picks;  // ascending: a set; of Picked::order as they were picked
    std::string reason = {};           // its name; empty: none was asked for, or given
    std::uint64_t seed = 0;            // of the page's draw that it answers

    bool empty() const { return texts.empty() && picks.empty(); }
    bool operator==(const Answer&) const = default;
};

// The values that a device gave, for questions of Kind::measure.
struct Measured {
    std::string device;
    std::map<std::string, double> seconds;        // by kernel
    std::uint64_t right = 0, runs = 0;            // trials
    std::map<std::string, std::uint64_t> counts;  // trials by result
};

struct Feedback {
    bool right = false;
    bool given_up = false;
    bool no_try = false;                     // it cannot be judged, and counts as no wrong answer
    bool measured = false;                   // a prediction, which stands beside what came out
    Phrase message;                          // what the run shows; empty: nothing to say
    bool names_mistake = false;              // that is the mistake which gives this answer
    std::optional<std::size_t> reply;        // the page's answer to this mistake
    std::vector<bool> right_fields;          // by field
    std::set<std::uint64_t> wrong, missing;  // picks: wrong ones, and right ones that are missing
    std::optional<std::string> result;       // of a schedule that came to an end
    std::optional<Problem> problem;          // of an edited kernel that does not compile or run
    // Where it does not compile; lines are of the text with its header.
    std::vector<catalogue::TextMark> errors;
    std::optional<Show> failed;  // of an edit: the run that does not meet its goal
    std::vector<bool> goals;     // of an edit: which are met, as far as they were tried
};

// A number with what counts as the same: `within`, else exact where it is whole, else 1 %.
Field field_of(double value, double within, std::string expected);

bool fits(double value, const Field& field);

// Returns what to say of a field that asks for a number and has none, with its place in `wrong`;
// that is no try.
std::optional<Feedback> unreadable(const Question& question, const Answer& answer);

// Throws Problem only where the page itself is at fault.
Feedback judge(const Page& page, const Question& question, const Answer& answer, Runs& runs,
               const Measured* measured = nullptr);

// judge() for an edited kernel in parts: each judges one shape of a goal, on numbers that nobody
// knows beforehand where the goal names none. The arguments must outlive it.
std::uint64_t fresh_seed();
class EditInParts {
  public:
    EditInParts(const Page& page, const Question& question, const Answer& answer, Runs& runs,
                std::uint64_t seed = fresh_seed());
    // Judges the next shape: empty while there are more.
    std::optional<Feedback> go_on();

  private:
    bool is_met(const Goal& goal, const Show& show, const std::string& shape);
    void note_errors(const Show& show);
    Feedback ended();

    const Page& page_;
    const Question& question_;
    const Answer& answer_;
    Runs& runs_;
    Feedback feedback_;
    std::vector<std::vector<std::pair<Show, std::string>>> shapes_;  // by goal; the next one last
};

// What comes out by a common mistake, which the simulator made: a run of group 0 alone, one pass
// too few, a barrier left out.
struct Mistaken {
    Phrase words;                // which it is, but for "given": the answer that it gives
    std::vector<double> values;  // in place of the right ones: by field, or the one result
};
// Calls `take` for one mistake after another until that returns false. No two have the same
// values, and none the right ones alone.
void for_each_mistake(const Page& page, const Library& library,
                      const std::function<bool(const Mistaken&)>& take);

// Adds what a page says to a wrong answer: its own reply to it, or what the run shows.
Feedback with_reply(Feedback feedback, const Page& page, const Question& question,
                    const Answer& answer, Runs& runs);

Feedback judge_schedule(const Page& page, const std::string& turns, Runs& runs);
using Turns = std::vector<machine::ScheduleSlice>;
// Returns the fewest turns that solve the page, with the rest in order; empty: nothing does, or it
// is not known.
std::optional<Turns> fewest_turns(const Page& page, Runs& runs);

// Returns the page with other numbers, those of its `vary` that the seed chooses; seed 0: as it is
// written. Numbers with which the question has no single answer, or an expected mistake is right,
// give way to the next ones; throws Problem if none are left.
Page drawn(const Page& page, std::uint64_t seed, Runs& runs);
// Returns why the question cannot be asked: nothing solves it, or everything that is offered does;
// empty: it can.
std::optional<Problem> fault_of(const Page& page, const Question& question, Runs& runs);
// True if this key of `show` has that value.
bool has_value(const Show& show, const std::string& key, const std::string& value);
inline constexpr std::uint64_t kCheckedDraws = 20;  // of a page; a lesson's check tries no others
// Returns the name in small letters of any script, without blanks around it.
std::string compared_name(const std::string& name);
// Returns the seed of the draws that a student of this name gets.
std::uint64_t seed_of(const std::string& name);

// Returns the text of an edit whose lines are put in order: its start with the picked ones alone.
std::string arranged(const Page& page, const Question& question,
                     const std::vector<std::uint64_t>& picks, const Library& library);

// Returns what the page shows once this is answered: the edited kernel, or the schedule that was
// chosen.
Show answered_show(const Page& page, const Answer& answer);

// The row that a question is about, in the page's run.
std::size_t row_of(const Place& place, Facts& facts);

// The words with each {…} replaced by its value; one that has none stays as it is, and `problems`
// gets why.
struct Filling {
    const Show& show;
    Runs& runs;
    const Question* question = nullptr;  // for {answer}
    const Answer* given = nullptr;       // for {schedule}
    const Measured* measured = nullptr;  // for {device}, {measured}
};
Text filled(const Text& text, const Filling& with, std::vector<Problem>* problems = nullptr);

// The page's words to an answer, filled: what it says after a right one, or to a mistake. Empty:
// it says nothing.
Text reply_to(const Page& page, const Question& question, const Answer& answer,
              const Feedback& feedback, Runs& runs, const Measured* measured = nullptr);

// The reason that is given with an answer; null: none, or none of the page's.
const Reason* reason_of(const Page& page, const Answer& answer);
// The page's words to a wrong one, filled.
Text reply_to_reason(const Page& page, const Question& question, const Answer& answer, Runs& runs);

// A number as people type it: "2048", "2,048", "2 048", "2^11", "2*1024", "2Ki", "0x800", "55,9".
// Returns what a text may mean: one number, or two where a comma is a decimal one or stands between
// thousands. Empty: it is no number.
std::vector<double> typed_numbers(std::string_view text);
// Returns a row of them, such as "3, 0,-1", as `input` of `show` takes it; empty: it is none.
std::string typed_row(std::string_view text);

// Chooses what of a page is drawn: its picture, as `view` names it, and what stands beside it, as
// `panel`.

enum class PageView : std::uint8_t { rows, schedule, lattice, chart };
// A page that asks for a schedule shows one anyhow.
PageView view_of(const Page& page);

// Why the page cannot show what `view` and `panel` name; empty: it can. Throws Problem where the
// page's run cannot be made at all.
std::optional<Problem> cannot_show(const Page& page, Runs& runs);

// True if the panel would tell the answer, and so comes with it.
bool panel_waits(const Page& page);

// The line whose memory request is shown: a marked one, if there is one; empty: what costs most.
std::optional<std::uint32_t> memory_line(const Show& show, const machine::Run& run);

}  // namespace lab::lessons
