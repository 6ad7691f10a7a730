#include "session/learn/learn_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "lessons/answers/page_view.h"
#include "session/race/race_view.h"
#include "session/shell/session.h"
#include "session/step/step_view.h"
#include "simulation/cancelled.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

namespace fs = std::filesystem;
using AskKind = lessons::Kind;

bool asks(const lessons::Page& page) {
    return page.ask && page.ask->kind != AskKind::reflect;
}

// All that the judging of an edited kernel needs, on whatever thread.
struct Edit {
    const lessons::Page page;
    const lessons::Question question;
    const lessons::Answer draft;
    const catalogue::Catalogue catalogue;
    const std::filesystem::path folder;
    lessons::Runs runs{{catalogue, folder}};
    std::optional<lessons::EditInParts> parts = {};

    std::optional<lessons::Feedback> go_on() {
        if (!parts) parts.emplace(page, question, draft, runs);
        return parts->go_on();
    }
};

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
LearnView::~LearnView() {
    if (draft_due_) save_progress();
}

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
    page_ = place;
    again_ = course_[lesson_].progress.done(page()->id) &&
             course_[lesson_].progress.drafts.contains(page()->id);
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
    has_lattice_ = false;
    playing_ = false;
    picked_ = 0;
    pointed_.reset();
    measured_ = {};
    rows_ = {{}, {}, rows_.version + 1};
    panel_wanted_.reset();
    traced_.clear();
    stage_ = Stage::words;
    poll_.reset();
    right_words_.clear();
    right_ = {};
    try {
        shown_.question = question_of(page, *runs_);
        lessons::Show shown = page.show;
        if (page.ask && page.ask->kind == AskKind::edit) shown.kernel = page.ask->start;
        shown_.kernel = text_of(shown, runs_->library());
        if (auto refusal = cannot_show(page, *runs_)) throw Problem(*refusal);
        show_run(page);
    } catch (const Problem& problem) {
        shown_.problem = problem;
    }
    shown_.words = filled(page.words, filling());
    shown_.labels = filled(page.labels, filling());
    begin_draft();
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
        feedback_->given_up = before->given_up && !before->right;
        feedback_->measured = before->measured && !before->right;
        feedback_->right_fields.assign(shown_.question.fields.size(), true);
        show_reply(judged(*feedback_).reply);
    } else if (const auto& drafts = course_[lesson_].progress.drafts; drafts.contains(page()->id)) {
        draft_ = drafts.at(page()->id);
    } else if (before != nullptr && !again_ && !from_nothing_) {
        draft_ = before->answer;
    }
    if (!page()->ask) return;
    if (page()->ask->kind == AskKind::edit && draft_.texts.empty())
        draft_.texts = {shown_.kernel};
    else if (!shown_.question.fields.empty())
        draft_.texts.resize(shown_.question.fields.size());
    else if (page()->ask->kind == AskKind::reflect && draft_.texts.empty())
        draft_.texts = {""};
    if (page()->ask->kind == AskKind::schedule && race_ && !draft_.texts.empty() &&
        !draft_.texts.front().empty()) {
        try {
            race_->replace(machine::parse_turns(draft_.texts.front(), "turns"));
            std::uint64_t actions = 0;
            for (const machine::Turn& turn : machine::parse_turns(draft_.texts.front(), "turns"))
                actions += turn.count;
            race_->go_to(actions);
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
    if (auto refused = unreadable(shown_.question, draft_))
        return take(judged(std::move(*refused)));
    if (page.ask->kind == AskKind::measure && !measured_.answer) return measure();
    if (page.ask->kind == AskKind::schedule) draft_.texts = {text_of_turns(race_->all_turns())};
    if (page.ask->kind != AskKind::edit) {
        const lessons::Measured* measured = measured_.answer ? &*measured_.answer : nullptr;
        return take(judged(judge(page, shown_.question, draft_, *runs_, measured)));
    }
    // An edited kernel may take its time: it is judged beside, on runs of its own.
    auto edit = std::shared_ptr<Edit>(
        new Edit{page, shown_.question, draft_, session_.catalogue(), course_[lesson_].folder});
    judge_.start(
        [edit, given_up = has_given_up()](const std::atomic<bool>&) -> std::optional<Judged> {
            std::optional<lessons::Feedback> feedback = edit->go_on();
            if (!feedback) return std::nullopt;
            feedback->given_up = given_up && !feedback->right;
            lessons::Text reply =
                reply_to(edit->page, edit->question, edit->draft, *feedback, edit->runs);
            return Judged{std::move(*feedback), std::move(reply)};
        });
}

lessons::PageProgress& LearnView::progress_of_page() {
    return course_[lesson_].progress.pages[page()->id];
}

void LearnView::take(Judged judged) {
    const lessons::Feedback& feedback = judged.feedback;
    if (!feedback.no_try) record(feedback);
    feedback_ = std::move(judged.feedback);
    if (told()) show_table();
    show_reply(std::move(judged.reply));
    save_progress();
}

// What was right stays so, whatever is tried after it; what was shown stays on record, and so do
// the tries.
void LearnView::record(const lessons::Feedback& feedback) {
    lessons::PageProgress& kept = progress_of_page();
    const bool right = feedback.right || !shown_.question.graded;
    if (!kept.right) {
        ++kept.tries;
        if (!right && kept.wrong.size() < lessons::kMostWrong) kept.wrong.push_back(draft_);
    }
    if (right || !again_) kept.answer = draft_;
    kept.right = kept.right || right;
    kept.measured = kept.measured || feedback.measured;
    if (right || feedback.measured) {
        again_ = false;
        course_[lesson_].progress.drafts.erase(page()->id);
    }
}

bool LearnView::has_given_up() const {
    return progress() != nullptr && progress()->given_up && !progress()->right && !again_;
}

LearnView::Judged LearnView::judged(lessons::Feedback feedback) const {
    feedback.given_up = has_given_up() && !feedback.right;
    lessons::Text reply = reply_to(*page(), shown_.question, draft_, feedback, *runs_,
                                   measured_.answer ? &*measured_.answer : nullptr);
    return {std::move(feedback), std::move(reply)};
}

void LearnView::show_reply(lessons::Text reply) {
    ++reply_version_;
    reply_ = std::move(reply);
    show_edited();
}

void LearnView::show_hint() {
    if (page() != nullptr && hints_shown_ < page()->hints.size()) {
        ++hints_shown_;
        ++reply_version_;
    }
}

void LearnView::give_up() {
    if (page() == nullptr || !page()->ask || done()) return;
    if (again_) {  // the student's own right answer, or the one that was shown before
        again_ = false;
        course_[lesson_].progress.drafts.erase(page()->id);
        const lessons::Answer before = draft_;
        work_out();
        const lessons::Answer answer = std::exchange(draft_, before);
        replace_draft(answer);
        return save_progress();
    }
    lessons::PageProgress& kept = progress_of_page();
    kept.given_up = true;
    const lessons::Answer right = right_answer(*page(), shown_.question, *runs_);
    if (!right.empty()) replace_draft(right);
    kept.answer = draft_;
    course_[lesson_].progress.drafts.erase(page()->id);
    feedback_.emplace();
    feedback_->given_up = true;
    feedback_->right_fields.assign(shown_.question.fields.size(), true);
    show_table();
    if (schedules() && race_ && !draft_.texts.empty()) {
        race_->replace(machine::parse_turns(draft_.texts.front(), "turns"));
        race_->go_to(0);
    }
    show_reply(judged(*feedback_).reply);
    save_progress();
}

// A prediction is made before anything was measured, and so only once.
bool LearnView::can_start_again() const {
    const bool measures = page() != nullptr && page()->ask && page()->ask->kind == AskKind::measure;
    return page() != nullptr && page()->ask && !checking() && !measures &&
           (progress() != nullptr || course_[lesson_].progress.drafts.contains(page()->id));
}

void LearnView::start_again() {
    if (!can_start_again()) return;
    const lessons::Answer before = draft_;
    again_ = again_ || done();
    course_[lesson_].progress.drafts.erase(page()->id);
    from_nothing_ = true;
    work_out();
    from_nothing_ = false;
    const lessons::Answer start = std::exchange(draft_, before);
    replace_draft(start);
    keep_draft();
    save_progress();
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
    if (lessons::view_of(*page) == lessons::PageView::schedule)
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
            take(std::move(std::get<0>(*result)));
        }
    }
    move_on();
    if (draft_due_ && Clock::now() >= *draft_due_) save_progress();
    lattice_.poll();
    if (presenting_ != session_.presenting()) begin_presenting();
    if (!session_.shows<LearnView>()) return;
    if (watch_ && watch_->changed()) reload();
    if (!course_.empty() && language_ != session_.settings().language) reload();
}

std::optional<View::Clock::time_point> LearnView::next_move() const {
    if (draft_due_) return playing_ ? std::min(*draft_due_, next_step_) : *draft_due_;
    if (playing_) return next_step_;
    if (has_lattice_ && lattice_.moving()) return lattice_.next_move();
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
