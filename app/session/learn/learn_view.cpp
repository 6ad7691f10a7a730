#include "session/learn/learn_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "session/race/race_view.h"
#include "session/shell/session.h"
#include "session/step/step_view.h"
#include "simulation/cancelled.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

namespace fs = std::filesystem;
using AskKind = lessons::Kind;

constexpr auto kStepTime = std::chrono::milliseconds(900);  // while playing

bool asks(const lessons::Page& page) {
    return page.ask && page.ask->kind != AskKind::reflect;
}

}  // namespace

std::size_t CourseEntry::asked() const {
    return static_cast<std::size_t>(std::count_if(lesson.pages.begin(), lesson.pages.end(), asks));
}

std::size_t CourseEntry::answered() const {
    return static_cast<std::size_t>(std::count_if(
        lesson.pages.begin(), lesson.pages.end(),
        [&](const lessons::Page& page) { return asks(page) && progress.done(page.id); }));
}

LearnView::LearnView(Session& session)
    : View(session), judge_(session.options().wake), worker_(session.worker_options()) {}
LearnView::~LearnView() = default;

const lessons::Lesson* LearnView::lesson() const {
    return lesson_ < course_.size() ? &course_[lesson_].lesson : nullptr;
}

const lessons::Page* LearnView::page() const {
    const lessons::Lesson* found = lesson();
    return found != nullptr && page_ < found->pages.size() ? &found->pages[page_] : nullptr;
}

const lessons::PageProgress* LearnView::progress() const {
    if (page() == nullptr) return nullptr;
    const auto& pages = course_[lesson_].progress.pages;
    const auto found = pages.find(page()->id);
    return found == pages.end() ? nullptr : &found->second;
}

bool LearnView::done() const {
    if (page() == nullptr) return false;
    return !page()->ask || (!again_ && course_[lesson_].progress.done(page()->id));
}

std::string LearnView::lesson_id() const {
    return lesson() != nullptr ? lesson()->id : wanted_lesson_;
}
std::string LearnView::page_id() const {
    return page() != nullptr ? page()->id : wanted_page_;
}

void LearnView::open_page(std::size_t place) {
    if (lesson() == nullptr || place >= lesson()->pages.size()) return;
    cancel();
    again_ = false;
    page_ = place;
    wanted_lesson_ = lesson_id();
    wanted_page_ = page_id();
    course_[lesson_].progress.page = page()->id;
    work_out();
    save_progress();
}

bool LearnView::next_page() {
    if (lesson() == nullptr) return false;
    if (page_ + 1 < lesson()->pages.size()) {
        open_page(page_ + 1);
        return true;
    }
    if (lesson_ + 1 >= course_.size()) return false;
    open_lesson(lesson_ + 1);
    return true;
}

bool LearnView::previous_page() {
    if (lesson() == nullptr || page_ == 0) return false;
    open_page(page_ - 1);
    return true;
}

// The page's run, its words with their values, and its question.
void LearnView::work_out() {
    const lessons::Page& page = *this->page();
    shown_ = LearnPage();
    shown_.version = shown_.opened = ++version_;
    feedback_.reset();
    reply_.clear();
    hints_shown_ = 0;
    race_.reset();
    playing_ = false;
    picked_ = 0;
    pointed_.reset();
    measured_ = {};
    try {
        shown_.question = question_of(page, *runs_);
        lessons::Show shown = page.show;
        if (page.ask && page.ask->kind == AskKind::edit) shown.kernel = page.ask->start;
        shown_.kernel = text_of(shown, runs_->library());
        if (page.ask && page.ask->kind == AskKind::schedule) {
            race_ = std::make_unique<Race>(subject_of(page.show, runs_->library()));
            shown_.table = runs_->facts(page.show).table();  // whose heading has the settings
        } else {
            lessons::Facts& facts = runs_->facts(page.show);
            shown_.run = &facts.run();
            const std::size_t row =
                std::min(row_of(page.show.at, facts), shown_.run->table.rows.size() - 1);
            row_ = row;
            if (page.show.hide_later && !done()) shown_.hidden_from = row + 1;
            show_table();
        }
    } catch (const Problem& problem) {
        shown_.problem = problem;
    }
    shown_.words = filled(page.words, filling());
    shown_.labels = filled(page.labels, filling());
    begin_draft();
}

// After an edit: the run of the student's text, as far as it has one.
void LearnView::show_edited() {
    if (!page()->ask || page()->ask->kind != AskKind::edit || shown_.run == nullptr) return;
    try {
        const bool at_end = row_ + 1 >= shown_.run->table.rows.size();
        shown_.run = &runs_->facts(answered_).run();
        const std::size_t last = shown_.run->table.rows.size() - 1;
        row_ = at_end ? last : std::min(row_, last);
        show_table();
    } catch (const Problem&) {
        // It does not compile, which is said beside: what was seen stays.
    }
}

// Where a line is asked for, only that the run stopped is said of a fault: its words name the line.
void LearnView::show_table() {
    if (shown_.run == nullptr) return;
    shown_.table = shown_.run->table;
    shown_.version = ++version_;
    if (done()) {
        shown_.hidden_from = 0;
        row_ = std::max(row_, std::min(shown_.question.row, shown_.run->table.rows.size() - 1));
    } else if (page()->ask->kind == AskKind::line && !shown_.table.fault.empty()) {
        shown_.table.fault = "which line is to blame?";
        shown_.table.fault_phrase = {"learn.fault_hidden", {}};
    }
    // The row after those that are seen is announced; room for more would make all of it smaller.
    auto& rows = shown_.table.rows;
    const std::size_t most = shown_.hidden_from + 1;
    if (shown_.hidden_from > 0 && rows.size() > most)
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
}

lessons::Filling LearnView::filling() const {
    return {page()->show, *runs_, &shown_.question, &draft_,
            measured_.answer ? &*measured_.answer : nullptr};
}

// What was answered before is shown again, with what there is to say of it.
void LearnView::begin_draft() {
    draft_ = {};
    const lessons::PageProgress* before = progress();
    if (before != nullptr && done()) {
        draft_ = before->answer;
        feedback_.emplace();
        feedback_->right = before->right;
        feedback_->given_up = before->given_up;
        feedback_->right_fields.assign(shown_.question.fields.size(), true);
        answered_ = answered_show(*page(), draft_);
        show_edited();
        fill_reply();
    } else if (before != nullptr && !again_) {
        draft_ = before->answer;
    }
    if (!page()->ask) return;
    if (page()->ask->kind == AskKind::edit && draft_.texts.empty())
        draft_.texts = {shown_.kernel};
    else if (!shown_.question.fields.empty())
        draft_.texts.resize(shown_.question.fields.size());
    else if (page()->ask->kind == AskKind::reflect && draft_.texts.empty())
        draft_.texts = {""};
    if (page()->ask->kind == AskKind::schedule && race_ && !draft_.texts.empty()) {
        try {
            race_->replace(machine::parse_turns(draft_.texts.front(), "turns"));
            race_->go_to(race_->length());
        } catch (const Problem&) {
            draft_ = {};  // of an older text of the page
        }
    }
}

lessons::Text LearnView::hint(std::size_t place) const {
    return filled(page()->hints[place], filling());
}

void LearnView::check() {
    if (!can_check()) return;
    const lessons::Page& page = *this->page();
    if (page.ask->kind == AskKind::measure && !measured_.answer) return measure();
    if (page.ask->kind == AskKind::schedule) draft_.texts = {text_of_turns(race_->all_turns())};
    if (page.ask->kind != AskKind::edit) {
        take_feedback(judge(page, shown_.question, draft_, *runs_,
                            measured_.answer ? &*measured_.answer : nullptr));
        return;
    }
    // An edited kernel may take its time: it is judged beside, on runs of its own.
    judge_.start([page, question = shown_.question, draft = draft_,
                  catalogue = session_.catalogue(),
                  folder = course_[lesson_].folder](const std::atomic<bool>&) {
        lessons::Runs runs({catalogue, folder});
        return judge(page, question, draft, runs);
    });
}

lessons::PageProgress& LearnView::progress_of_page() {
    return course_[lesson_].progress.pages[page()->id];
}

void LearnView::take_feedback(lessons::Feedback feedback) {
    lessons::PageProgress& kept = progress_of_page();
    feedback.given_up = kept.given_up && !feedback.right;
    const bool right = feedback.right || !shown_.question.graded;
    if (!again_ || right) {  // what was right stays so, whatever is tried after it
        ++kept.tries;
        kept.answer = draft_;
        kept.right = kept.right || right;
        if (!right && kept.wrong.size() < lessons::kMostWrong) kept.wrong.push_back(draft_);
        again_ = false;
    }
    feedback_ = std::move(feedback);
    answered_ = answered_show(*page(), draft_);
    if (done()) show_table();
    show_edited();
    fill_reply();
    save_progress();
}

void LearnView::fill_reply() {
    ++reply_version_;
    reply_.clear();
    if (!feedback_) return;
    lessons::Filling with{answered_, *runs_, &shown_.question, &draft_,
                          measured_.answer ? &*measured_.answer : nullptr};
    // After a schedule or a mended kernel, words about "the run" mean the page's own, unless they
    // answer a mistake.
    const lessons::Filling own = filling();
    if (feedback_->right || feedback_->given_up)
        reply_ =
            filled(page()->after, page()->ask && page()->ask->kind == AskKind::edit ? with : own);
    else if (feedback_->reply)
        reply_ = filled(page()->replies[*feedback_->reply].words, with);
}

void LearnView::show_hint() {
    if (page() != nullptr && hints_shown_ < page()->hints.size()) {
        ++hints_shown_;
        ++reply_version_;
    }
}

void LearnView::give_up() {
    if (page() == nullptr || !page()->ask || done()) return;
    if (std::exchange(again_, false)) return work_out();  // the student's own right answer
    lessons::PageProgress& kept = progress_of_page();
    kept.given_up = true;
    const lessons::Answer right = right_answer(*page(), shown_.question, *runs_);
    if (!right.empty()) draft_ = right;
    kept.answer = draft_;
    feedback_.emplace();
    feedback_->given_up = true;
    feedback_->right_fields.assign(shown_.question.fields.size(), true);
    show_table();
    if (race_ && !draft_.texts.empty()) {
        race_->replace(machine::parse_turns(draft_.texts.front(), "turns"));
        race_->go_to(0);
    }
    answered_ = answered_show(*page(), draft_);
    show_edited();
    fill_reply();
    save_progress();
}

void LearnView::start_again() {
    if (page() == nullptr) return;
    const lessons::PageProgress* before = progress();
    again_ = before != nullptr && before->right;
    if (!again_) course_[lesson_].progress.pages.erase(page()->id);
    work_out();
    save_progress();
}

std::size_t LearnView::position() const {
    return race_ ? race_->cursor() : row_;
}

std::size_t LearnView::last_position() const {
    if (race_) return race_->length();
    if (shown_.run == nullptr) return 0;
    return shown_.hidden_from > 0 ? shown_.hidden_from - 1 : shown_.run->table.rows.size() - 1;
}

void LearnView::go_to(std::size_t position) {
    if (race_)
        race_->go_to(position);
    else
        row_ = std::min(position, last_position());
}

void LearnView::play(bool on) {
    if (on && position() >= last_position()) go_to(0);
    playing_ = on && last_position() > 0;
    next_step_ = Clock::now() + kStepTime;
}

void LearnView::explore() {
    const lessons::Page* page = this->page();
    if (page == nullptr) return;
    const lessons::Show show = answered_show(*page, draft_);
    Choice choice;
    choice.shape = page->show.shape;
    choice.machine = {show.lanes, show.resident, show.order.empty() ? kAutomatic : show.order};
    if (!show.kernel.ends_with(".cl")) {
        choice.variant = show.kernel;
        session_.choose(std::move(choice));
    } else {
        session_.kernels().open(course_[lesson_].folder / show.kernel);
        Choice opened = session_.settings().choice;
        opened.shape = page->show.shape;
        opened.machine = choice.machine;
        session_.choose(std::move(opened));
    }
    if (page->ask && page->ask->kind == AskKind::schedule)
        session_.show_view<RaceView>();
    else
        session_.show_view<StepView>();
}

void LearnView::poll() {
    worker_.poll();
    if (auto result = judge_.take()) {
        if (auto* problem = std::get_if<Problem>(&*result)) {
            feedback_.emplace();
            feedback_->problem = *problem;
        } else {
            take_feedback(std::move(std::get<0>(*result)));
        }
    }
    if (playing_ && Clock::now() >= next_step_) {
        go_to(position() + 1);
        playing_ = position() < last_position();
        next_step_ = Clock::now() + kStepTime;
    }
    if (!session_.shows<LearnView>()) return;
    if (watch_ && watch_->changed()) reload();
    if (!course_.empty() && language_ != session_.settings().language) reload();
}

std::optional<View::Clock::time_point> LearnView::next_move() const {
    if (playing_) return next_step_;
    return watch_ && session_.shows<LearnView>() ? watch_->next_look() : std::nullopt;
}

void LearnView::cancel() {
    judge_.cancel();
    if (measured_.waiting) worker_.cancel(ticket_);
    measured_.waiting = false;
}

std::vector<PlacedProblem> LearnView::problems() const {
    std::vector<PlacedProblem> found;
    add_problem(found, "learn", shown_.problem);
    add_problem(found, "learn", measured_.problem);
    return found;
}

}  // namespace lab::session
