// The view Learn: a course of lessons, the page at hand with its run and its question, and what the
// student has answered.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_watch.h"
#include "base/ranges.h"
#include "lessons/grade.h"
#include "results/result.h"
#include "session/background.h"
#include "session/view.h"
#include "views/lattice/lattice.h"
#include "views/measure/measure.h"
#include "views/race/race.h"
#include "worker/client.h"

namespace lab::session {

// A lesson in the list.
struct CourseEntry {
    std::filesystem::path folder;
    lessons::Lesson lesson;
    lessons::Progress progress;
    std::size_t answered() const;  // pages that are done, of those that ask
    std::size_t asked() const;
};

// A poll of hands: how many in the room gave each answer to a page's question. It lasts as long as
// the page is open, and is never saved.
inline constexpr std::uint32_t kMostHands = 999;  // for one answer; more are not counted

struct PollChoice {
    std::optional<std::size_t> option;  // of the question, or of the page's reasons; else
    std::string text;                   // a value that somebody said
    bool right = false;
    std::uint32_t hands = 0;
};

struct HandPoll {
    std::vector<PollChoice> choices;
    bool by_value = false;  // values are said, and become choices as they come
    bool why = false;       // the choices are the page's reasons
    std::size_t place = 0;  // of the choice that is counted; behind the last: a value to come

    std::uint64_t all() const { return sum_of(choices, &PollChoice::hands); }
    // The wrong one with most hands, the first of several; empty: no hand is up for a wrong one.
    std::optional<std::size_t> common_mistake() const;
    std::size_t places() const { return choices.size() + (by_value ? 1 : 0); }
};

// Returns a count of hands as typed; empty: it is none.
std::optional<std::uint32_t> hands_of(const std::string& text);

// Returns what a value that was said answers: "8", or "0, 2, 4" for several fields or picks.
lessons::Answer answer_of_value(const lessons::Question& question, const std::string& value);

// Says how much of a page is presented: its words, then its question, its reasons, if it has some,
// and the answer.
enum class Stage : std::uint8_t { words, question, reasons, answer };

// The page at hand, worked out, and what has been made of it. Another page begins with a new one.
struct LearnPage {
    lessons::Question question;
    std::optional<Problem> problem;  // why it cannot be shown
    lessons::Text words;             // filled
    std::vector<lessons::Paragraph> labels;
    std::string kernel;         // the text of the kernel that is shown
    std::uint64_t opened = 0;   // another one each time that a page is opened
    std::uint64_t version = 0;  // another one for each picture

    // The run, and how much of it is seen.
    const analysis::MachineRun* run = nullptr;  // of up to 4096 numbers
    analysis::StepTable table;                  // its rows, without what would tell the answer
    std::size_t hidden_from = 0;       // rows from here on are not to be seen yet; 0: all are
    std::size_t row = 0, at = 0;       // the last row that is shown; the one where the page stands
    std::uint64_t at_time = 0;         // the same, as actions
    std::unique_ptr<Race> race;        // of a page that shows a schedule
    bool has_lattice = false;          // LearnView::lattice is of this page
    std::optional<bool> panel_wanted;  // by the student
    std::optional<std::uint32_t> memory_line;  // whose request the panel shows
    std::string traced;  // the cell whose lineage is shown: "cell 3 4", a row and a cell

    // The answer as it is being made, and what was said of the last one.
    lessons::Answer draft;
    std::optional<lessons::Feedback> feedback;
    lessons::Answer checked;     // the draft that `feedback` is about
    lessons::Text reply;         // filled; to a mistake, or `after`
    lessons::Text reason_reply;  // filled; to a wrong reason
    bool asks_why = false;       // an answer was made, and waits for its reason
    std::size_t hints_shown = 0;
    std::size_t picked = 0;                     // a place in race->ready()
    std::optional<std::uint64_t> pointed;       // the one of choices() that Enter picks
    std::optional<std::size_t> pointed_reason;  // the same of the page's reasons
    Asked<lessons::Measured> measured;
    std::optional<results::Measurements> rows;  // so far
    MeasureProgress progress;
    std::uint64_t rows_version = 0;  // another one whenever they change

    // While it is presented.
    Stage stage = Stage::words;
    std::optional<HandPoll> poll;      // of the stage; with the answer, that of the question
    std::optional<HandPoll> why_poll;  // the other one
    lessons::Answer right;
    lessons::Text right_words;  // `after`, once it is told
};

// An answer that gave way to another one on its page.
struct Replaced {
    std::string lesson, page;
    lessons::Answer before, after;
    Clock::time_point when;
};

struct Judged {
    lessons::Feedback feedback;
    lessons::Text reply;
};

struct LearnView : View, Walk, ShowsLattice {
    explicit LearnView(Session& of);
    ~LearnView() override;

    const lessons::Lesson* lesson() const {
        return lesson_place < course.size() ? &course[lesson_place].lesson : nullptr;
    }
    // With the numbers that were drawn for it; null: no lesson could be read.
    const lessons::Page* page() const;
    const lessons::PageProgress* progress() const;  // of the page; null: not tried yet
    bool asks(lessons::Kind kind) const {
        return page() != nullptr && page()->ask && page()->ask->kind == kind;
    }
    bool asks_for(lessons::Picked picked) const {  // for a pick of those; not of options
        return page() != nullptr && page()->ask && open.question.picked == picked;
    }
    bool done() const;  // answered, given up, or nothing is asked
    // A wrong answer was given to these numbers: the next try is with others.
    bool spent() const;
    // To another answer. One whose reason is asked for stays: the reasons may tell the right one.
    bool closed() const { return done() || spent() || open.asks_why; }
    bool noted() const;  // in an exam: the answer as it stands is what will be handed in
    bool told() const;   // the answer may be seen: it is done, or, presenting, it was revealed
    bool checking() const { return judge.running() || open.measured.waiting; }
    // Where a saved moment, or the next start, begins.
    std::string lesson_id() const { return lesson() != nullptr ? lesson()->id : wanted_lesson; }
    std::string page_id() const { return page() != nullptr ? page()->id : wanted_page; }
    std::optional<std::uint64_t> seed() const;  // of the draw, where the page varies

    // Through the rows of the page's run, or the actions of its race.
    std::size_t position() const override { return open.race ? open.race->cursor() : open.row; }
    std::size_t last_position() const override;
    void go_to(std::size_t position) override;

    // Returns the page's; null: it has none.
    const LatticePicture* shown_lattice() const override {
        return open.has_lattice ? &lattice : nullptr;
    }

    Session& session;
    std::vector<CourseEntry> course;
    std::vector<Problem> course_problems;
    std::vector<std::filesystem::path> folders;
    bool own_folder = false;  // the lessons are the user's, and watched
    std::string exam;         // the name of who takes one; empty: nobody does
    std::string language;     // in which they were read
    Api api = Api::opencl;    // in whose terms
    std::size_t lesson_place = 0, page_place = 0;
    // How many hints were shown, by lesson and page.
    std::map<std::pair<std::string, std::string>, std::size_t> hints;
    std::string wanted_lesson, wanted_page;
    std::optional<std::uint64_t> wanted_seed;
    std::unique_ptr<lessons::Runs> runs;
    std::optional<lessons::Page> drawn;  // the page at hand
    LearnPage open;
    LatticePicture lattice;
    bool presenting = false;
    bool again = false;  // the page was done, and is tried once more
    std::vector<Replaced> replaced, brought_back;
    std::uint64_t replacements = 0;              // grows with each
    std::uint64_t reply_version = 0;             // grows with each reply or hint
    std::uint64_t version = 0;                   // of the last picture
    std::optional<Clock::time_point> draft_due;  // when it is written to its file
    Background<Judged> judge;
    worker::Client worker;
    worker::Ticket ticket = 0;
    std::unique_ptr<FileWatch> watch;

  private:
    void start() override;
    void shown() override;
    void poll() override;
    bool busy() const override { return checking(); }
    bool moving() const override { return playing() || lattice.moving; }
    std::optional<Clock::time_point> next_move() const override;
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override { return checking(); }
    void cancel() override;
    ExportOffer export_offer() const override { return {{}, {}, "export.none_learn"}; }
    // An answer that gave way to the start or to the right one.
    std::optional<Clock::time_point> undoable() const override;
    std::optional<Clock::time_point> redoable() const override;
    void undo() override;
    void redo() override;
    bool takes_digits() const override;
    bool edits_text() const override;
    const Walk* walk() const override { return this; }
    const char* unit() const override { return open.race ? "action" : "pass"; }
    std::chrono::milliseconds pause() const override { return std::chrono::milliseconds(900); }
};

// The course.
// Opens a folder of lessons, or one; throws Problem where there is none.
void open_folder(LearnView& view, const std::filesystem::path& folder);
bool can_open_lesson(const LearnView& view, int by);  // so many further on in the course
void open_lesson(LearnView& view, std::size_t place);
void open_page(LearnView& view, std::size_t place);
bool next_page(LearnView& view);  // or the next lesson; false: that was the last
bool previous_page(LearnView& view);
// By value: opening a page changes what is wanted. `seed`: of the draw; empty: the one at which the
// student is.
void go_to_page(LearnView& view, std::string lesson, std::string page,
                std::optional<std::uint64_t> seed = {});
void explore(LearnView& view);  // the page's run in the step view, or the race view
// The usual file, by which a teacher tells one from another.
std::filesystem::path hand_in_file(const std::string& name);
// Throws Problem, as where nothing was answered yet.
void hand_in(const LearnView& view, const std::filesystem::path& file, const std::string& name);
// From nothing, with numbers of one's own, until it ends by an empty name: also after another
// start. An exam that was begun goes on. Answers are only noted, and may change: nothing is said of
// them, and nothing is shown. Throws Problem: there is none to end.
void take_exam(LearnView& view, const std::string& name);
// Appends the moment that the step view or the race view shows to the lesson in `folder`, which is
// made if there is none. Throws Problem.
void add_moment(const Session& session, const std::filesystem::path& folder,
                const std::string& heading);

// These tell what is seen of the page.
// In the picture: the draft, or, presenting, the right answer once it is told.
const lessons::Answer& marked(const LearnView& view);
// Beside the picture now: one of gui's parts of a run, "chart", or nothing (yet).
std::string panel_of(const LearnView& view);
lessons::Text hint_of(const LearnView& view, std::size_t place);
lessons::Paragraph reason_words(const LearnView& view, std::size_t place);
bool can_show_hint(const LearnView& view);
void show_hint(LearnView& view);
// Presenting: by +1 more of the page is revealed, then comes the next one; by -1 back.
void reveal(LearnView& view, int by);
void count_hands(LearnView& view, std::uint32_t hands);       // of the choice that is counted
void count_value(LearnView& view, const std::string& value);  // a value that somebody said
void point_poll(LearnView& view, std::size_t place);          // to another choice

// The draft: a text of a field, a picked option, cell, item or line (one, or several).
void set_text(LearnView& view, std::size_t field, std::string text);
inline constexpr std::size_t kMostPicks = 128;  // work-items or cells; later ones cannot be picked
// True if an edit is made of lines that are put in order; the draft has their text as well.
bool arranges_lines(const LearnView& view);
// Returns what can be picked now: places of options, items, cells, or line numbers.
std::vector<std::uint64_t> choices(const LearnView& view);
// Goes on in choices(), in the reasons while one is asked for, or in the warps that can act.
void point_next(LearnView& view, int by);
bool is_chosen(const LearnView& view, std::uint64_t choice);
void choose(LearnView& view, std::uint64_t choice);  // or no longer
bool can_act(const LearnView& view);
void act(LearnView& view, std::size_t place);  // of race->ready()
// True if the draft is still what it was replaced by.
bool just_replaced(const LearnView& view);

// Its answer.
// Judges the answer with the reason that the page asks for; another answer needs a reason anew. An
// answer that was judged is not judged again until it changes.
bool can_check(const LearnView& view);
void check(LearnView& view);
void choose_reason(LearnView& view, std::size_t place);
// The reasons are seen from when one is asked for; after a verdict, with it.
bool shows_reasons(const LearnView& view);
void give_up(LearnView& view);
// This page's answer, from nothing. One that was right is kept until another is, too; and what was
// done before it stays on record.
bool can_start_again(const LearnView& view);
void start_again(LearnView& view);
// The page with other numbers, from nothing; in an exam only after a wrong answer.
bool can_draw_another(const LearnView& view);
void draw_another(LearnView& view);
bool can_measure_again(const LearnView& view);
void measure(LearnView& view);  // what the page names, on the device

extern const ViewType kLearnView;

}  // namespace lab::session
