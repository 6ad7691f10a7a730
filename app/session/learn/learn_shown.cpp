// What is seen of a page's run: the rows so far, what stands beside them, and how much is revealed
// while it is presented.
#include <algorithm>

#include "lessons/answers/page_view.h"
#include "session/learn/learn_view.h"
#include "session/shell/session.h"
#include "simulation/lattice_run.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

using AskKind = lessons::Kind;

constexpr auto kStepTime = std::chrono::milliseconds(900);  // while playing

}  // namespace

bool LearnView::told() const {
    if (!presenting_ || page() == nullptr || !page()->ask) return done();
    return stage_ == Stage::answer;
}

bool LearnView::schedules() const {
    return page() != nullptr && page()->ask && page()->ask->kind == AskKind::schedule;
}

// The picture that the page names, of its run. A schedule that is yet to be chosen has none.
void LearnView::show_run(const lessons::Page& page) {
    const lessons::PageView view = lessons::view_of(page);
    if (view == lessons::PageView::schedule)
        race_ = std::make_unique<Race>(subject_of(page.show, runs_->library()));
    lessons::Facts& facts = runs_->facts(page.show);
    if (schedules()) {
        shown_.table = facts.table();  // whose heading has the settings
        return;
    }
    shown_.run = &lessons::shown_run(page.show, *runs_);
    row_ = at_ = std::min(row_of(page.show.at, facts), shown_.run->table.rows.size() - 1);
    at_time_ = shown_.run->row_ends.empty() ? 0 : shown_.run->row_ends[at_];
    if (shown_.run->run != nullptr) shown_.memory_line = memory_line(page.show, *shown_.run->run);
    if (race_) race_->go_to(at_time_);
    if (view == lessons::PageView::lattice) {
        lattice_.show(simulation::lattice_of(facts.subject()));
        lattice_.return_to({});
        has_lattice_ = true;
    }
    show_table();
}

const lessons::Answer& LearnView::marked() const {
    return presenting_ ? right_ : draft_;
}

// Where a line is asked for, only that the run stopped is said of a fault: its words name the line.
void LearnView::show_table() {
    if (shown_.run == nullptr) return;
    const lessons::Page& page = *this->page();
    shown_.table = shown_.run->table;
    shown_.version = ++version_;
    shown_.hidden_from = page.show.hide_later && !told() ? at_ + 1 : 0;
    if (told()) {
        // The row that was asked for, or all of the run where the question was about the whole.
        const std::size_t last = shown_.run->table.rows.size() - 1, asked = shown_.question.row;
        if (asked > 0 || page.show.hide_later)
            row_ = asked > 0 ? std::max(row_, std::min(asked, last)) : last;
    } else if (page.ask->kind == AskKind::line && !shown_.table.fault.empty()) {
        shown_.table.fault = "which line is to blame?";
        shown_.table.fault_phrases = {{"learn.fault_hidden", {}, {}}, {}, {}};
    }
    row_ = std::min(row_, last_position());
    // The row after those that are seen is announced; room for more would make all of it smaller.
    auto& rows = shown_.table.rows;
    const std::size_t most = shown_.hidden_from + 1;
    if (shown_.hidden_from > 0 && rows.size() > most)
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
}

std::size_t LearnView::position() const {
    return race_ ? race_->cursor() : row_;
}

std::size_t LearnView::last_position() const {
    if (race_) {
        const bool hides = !schedules() && page()->show.hide_later && !told();
        return hides ? std::min<std::size_t>(at_time_, race_->length()) : race_->length();
    }
    if (shown_.run == nullptr) return 0;
    return shown_.hidden_from > 0 ? shown_.hidden_from - 1 : shown_.run->table.rows.size() - 1;
}

void LearnView::go_to(std::size_t position) {
    if (race_)
        race_->go_to(std::min(position, last_position()));
    else
        row_ = std::min(position, last_position());
}

void LearnView::play(bool on) {
    if (on && position() >= last_position()) go_to(0);
    playing_ = on && last_position() > 0;
    next_step_ = Clock::now() + kStepTime;
}

void LearnView::move_on() {
    if (!playing_ || Clock::now() < next_step_) return;
    go_to(position() + 1);
    playing_ = position() < last_position();
    next_step_ = Clock::now() + kStepTime;
}

std::string LearnView::panel() const {
    if (page() == nullptr || shown_.problem) return {};
    return panel_waits(*page()) && !told() ? "" : page()->show.panel;
}

// The words come first, whether or not the teacher has answered the page before.
void LearnView::begin_presenting() {
    presenting_ = session_.presenting();
    if (page() == nullptr) return;
    stage_ = Stage::words;
    right_ = {};
    if (shown_.problem) return;
    row_ = at_;
    show_table();
    if (race_ && !schedules()) race_->go_to(at_time_);
}

void LearnView::reveal(int by) {
    const lessons::Page* page = this->page();
    if (page == nullptr) return;
    const Stage last = page->ask && !shown_.problem ? Stage::answer : Stage::words;
    if (by > 0 && stage_ == last) {
        next_page();
        return;
    }
    if (by < 0 && stage_ == Stage::words) {
        previous_page();
        return;
    }
    stage_ = static_cast<Stage>(static_cast<int>(stage_) + by);
    if (stage_ == Stage::question && !poll_) poll_ = session::poll_of(*page, shown_.question);
    right_ = {};
    if (stage_ == Stage::answer) tell();
    row_ = std::max(row_, at_);
    show_table();
}

// Nothing of it is kept: the teacher's own answer stays as it was.
void LearnView::tell() {
    right_ = right_answer(*page(), shown_.question, *runs_);
    const lessons::Show show = answered_show(*page(), right_);
    lessons::Filling with = filling();
    with.given = &right_;
    if (page()->ask->kind == AskKind::edit)
        right_words_ = filled(page()->after, {show, *runs_, &shown_.question, &right_, nullptr});
    else
        right_words_ = filled(page()->after, with);
}

void LearnView::count_hands(std::uint32_t hands) {
    if (poll_ && poll_->place < poll_->choices.size())
        poll_->choices[poll_->place].hands = std::min(hands, kMostHands);
}

void LearnView::count_value(const std::string& value) {
    if (!poll_ || !poll_->by_value || value.empty()) return;
    const lessons::Answer answer = answer_of_value(shown_.question, value);
    add_value(*poll_, value, judge(*page(), shown_.question, answer, *runs_).right);
}

void LearnView::point_poll(std::size_t place) {
    if (poll_ && place < poll_->places()) poll_->place = place;
}

}  // namespace lab::session
