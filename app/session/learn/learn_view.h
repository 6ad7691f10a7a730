// The view Learn: a course of lessons, the page at hand with its run and its question, and what the
// student has answered.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lessons/grading/check.h"
#include "lessons/grading/progress.h"
#include "results/result.h"
#include "session/files/file_watch.h"
#include "session/lattice/lattice_picture.h"
#include "session/learn/hand_poll.h"
#include "session/measure/measure_view.h"
#include "session/race/race.h"
#include "session/shell/asked.h"
#include "session/shell/background.h"
#include "session/shell/view.h"
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

// The page at hand, worked out.
struct LearnPage {
    lessons::Question question;
    std::optional<Problem> problem;  // why it cannot be shown
    lessons::Text words;             // filled
    std::vector<lessons::Paragraph> labels;
    std::string kernel;           // the text of the kernel that is shown
    std::size_t hidden_from = 0;  // rows from here on are not to be seen yet; 0: all are
    const simulation::MachineRun* run = nullptr;  // of up to 4096 numbers
    analysis::StepTable table;                    // its rows, without what would tell the answer
    std::uint64_t version = 0;                    // another one for each picture
    std::optional<std::uint32_t> memory_line;     // whose request the panel shows
    std::uint64_t opened = 0;                     // another one each time that it is opened
};

// What a page's measurement has given so far.
struct LearnRows {
    std::optional<results::Measurements> results;
    MeasureProgress progress;
    std::uint64_t version = 0;  // another one whenever they change
};

// How much of a page is presented: its words, then what it asks, then the answer.
enum class Stage : std::uint8_t { words, question, answer };

class LearnView : public View, public Walk {
  public:
    explicit LearnView(Session& session);
    ~LearnView() override;

    const std::vector<CourseEntry>& course() const { return course_; }
    const std::vector<Problem>& course_problems() const { return problems_; }
    std::size_t lesson_place() const { return lesson_; }
    std::size_t page_place() const { return page_; }
    const lessons::Lesson* lesson() const;
    const lessons::Page* page() const;  // null: no lesson could be read
    const LearnPage& shown_page() const { return shown_; }
    const lessons::PageProgress* progress() const;  // of the page; null: not tried yet
    bool done() const;                              // answered, given up, or nothing is asked
    // Whether the answer may be seen: it is done, or, presenting, it was revealed.
    bool told() const;
    // What is marked in the picture: the draft, or, presenting, the right answer once it is told.
    const lessons::Answer& marked() const;

    // The answer as it is being made, and what was said of the last one.
    const lessons::Answer& draft() const { return draft_; }
    const std::optional<lessons::Feedback>& feedback() const { return feedback_; }
    const lessons::Text& reply() const { return reply_; }  // filled; to a mistake, or `after`
    std::size_t hints_shown() const { return hints_shown_; }
    std::uint64_t reply_version() const { return reply_version_; }  // grows with each reply or hint
    lessons::Text hint(std::size_t place) const;
    bool can_check() const;
    bool checking() const { return judge_.running() || measured_.waiting; }
    const Race* race() const { return race_.get(); }  // of a page that shows a schedule
    bool schedules() const;                           // the student chooses it
    // Of a page that shows it; null: none.
    const LatticePicture* lattice() const { return has_lattice_ ? &lattice_ : nullptr; }
    LatticePicture* lattice() { return has_lattice_ ? &lattice_ : nullptr; }
    std::size_t picked() const { return picked_; }  // a place in race()->ready()
    const std::optional<lessons::Measured>& measured() const { return measured_.answer; }
    const LearnRows& measured_rows() const { return rows_; }
    bool measuring() const { return measured_.waiting; }
    bool can_measure_again() const;
    void measure();  // what the page names, on the device
    const std::optional<Problem>& measure_problem() const { return measured_.problem; }

    void open_lesson(std::size_t place);
    void open_page(std::size_t place);
    // Opens a folder of lessons, or one; says what is wrong with them.
    void open_folder(const std::filesystem::path& folder);
    bool next_page();  // or the next lesson; false: that was the last
    bool previous_page();
    bool can_open_lesson(int by) const;  // so many further on in the course
    // What stands beside the picture now: one of gui's parts of a run, "chart", or nothing (yet).
    std::string panel() const;
    bool panel_wanted(bool usual) const { return panel_wanted_.value_or(usual); }
    void want_panel(bool on) { panel_wanted_ = on; }
    // The cell whose lineage is shown: "cell 3 4", a row and a cell.
    const std::string& traced() const { return traced_; }
    void trace_cell(std::string cell) { traced_ = std::move(cell); }

    // Presenting: by +1 more of the page is revealed, then comes the next one; by -1 back.
    Stage stage() const { return stage_; }
    void reveal(int by);
    const lessons::Text& right_words() const { return right_words_; }  // `after`, once it is told
    const std::optional<HandPoll>& poll_of_hands() const { return poll_; }
    void count_hands(std::uint32_t hands);       // of the choice that is counted
    void count_value(const std::string& value);  // a value that somebody said
    void point_poll(std::size_t place);          // to another choice

    // Of the draft: a text of a field, a picked option, cell, item or line (one, or several).
    void set_text(std::size_t field, std::string text);
    // What can be picked now: places of options, items, cells, or line numbers.
    std::vector<std::uint64_t> choices() const;
    std::optional<std::uint64_t> pointed() const { return pointed_; }  // the one that Enter picks
    void point_next(int by);  // of choices(), or of the warps that can act
    bool is_chosen(std::uint64_t choice) const;
    void choose(std::uint64_t choice);  // or no longer
    bool can_act() const;
    void act(std::size_t place);  // of race()->ready()
    void check();
    void show_hint();
    void give_up();
    // This page's answer, from nothing. One that was right is kept until another is, too.
    void start_again();
    void explore();  // the page's run in the step view, or the race view
    void hand_in(const std::filesystem::path& file, const std::string& name) const;  // throws
    std::string hand_in_name() const;  // a file's, as suggested

    // Walk: through the rows of the page's run, or the actions of its race.
    std::size_t position() const override;
    std::size_t last_position() const override;
    const char* unit() const override { return race_ ? "action" : "pass"; }
    void go_to(std::size_t position) override;
    bool playing() const override { return playing_; }
    bool moving() const override { return playing_ || lattice_.moving(); }
    void play(bool on) override;

    // View
    void start() override;
    void shown() override;
    void poll() override;
    bool busy() const override { return checking(); }
    ExportOffer export_offer() const override { return {{}, {}, "export.none_learn"}; }
    std::optional<Clock::time_point> next_move() const override;
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override { return checking(); }
    void cancel() override;
    using View::walk;
    const Walk* walk() const override { return this; }

    // Where a saved moment, or the next start, begins.
    std::string lesson_id() const;
    std::string page_id() const;
    void go_to_page(std::string lesson, std::string page);

  private:
    void read_course(std::vector<std::filesystem::path> folders);
    void reload();
    void work_out();
    void show_table();
    void show_run(const lessons::Page& page);
    void show_edited();
    void begin_draft();
    void tell();
    void begin_presenting();
    void move_on();
    struct Judged {
        lessons::Feedback feedback;
        lessons::Text reply;
    };
    Judged judged(lessons::Feedback feedback) const;  // with the page's words to the draft
    void take(Judged judged);
    void show_reply(lessons::Text reply);
    bool has_given_up() const;
    void take_measurement(lessons::Measured measured);
    void save_progress();
    void toggle_pick(std::uint64_t pick, bool several);
    void pick_warp(int by);
    lessons::PageProgress& progress_of_page();
    lessons::Filling filling() const;

    std::vector<CourseEntry> course_;
    std::vector<Problem> problems_;
    std::string language_;
    bool own_folder_ = false;  // the lessons are the user's, and watched
    std::vector<std::filesystem::path> folders_;
    std::size_t lesson_ = 0, page_ = 0;
    std::string wanted_lesson_, wanted_page_;
    std::unique_ptr<lessons::Runs> runs_;
    LearnPage shown_;
    std::size_t row_ = 0, at_ = 0;  // the last row that is shown; the one where the page stands
    std::uint64_t at_time_ = 0;     // the same, as actions
    std::optional<bool> panel_wanted_;
    std::string traced_;
    bool presenting_ = false;
    Stage stage_ = Stage::words;
    std::optional<HandPoll> poll_;
    lessons::Answer right_;
    lessons::Text right_words_;
    bool again_ = false;  // the page was right, and is tried once more
    bool playing_ = false;
    Clock::time_point next_step_;
    lessons::Answer draft_;
    std::optional<lessons::Feedback> feedback_;
    lessons::Text reply_;
    std::size_t hints_shown_ = 0, picked_ = 0;
    std::optional<std::uint64_t> pointed_;
    std::uint64_t reply_version_ = 0;
    std::unique_ptr<Race> race_;
    LatticePicture lattice_;
    bool has_lattice_ = false;
    Background<Judged> judge_;
    Asked<lessons::Measured> measured_;
    LearnRows rows_;
    std::uint64_t version_ = 0;
    worker::Ticket ticket_ = 0;
    worker::Client worker_;
    std::unique_ptr<FileWatch> watch_;
};

extern const ViewType kLearnView;

}  // namespace lab::session
