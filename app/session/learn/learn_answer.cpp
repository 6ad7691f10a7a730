// The answer to a page as it is being made: typed, picked, or acted out.
#include <algorithm>
#include <numeric>
#include <sstream>

#include "session/learn/learn_view.h"
#include "session/shell/session.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

using AskKind = lessons::Kind;

constexpr std::size_t kMostPicks = 128;
constexpr auto kDraftTime = std::chrono::milliseconds(400);

// Whether a picture of it can be taken in at a glance.
bool small(const lessons::Show& show) {
    constexpr std::uint64_t kMost = 64;
    return show.shape.n.value_or(0) <= kMost;
}

// As many as are shown as buttons.
std::vector<std::uint64_t> first_numbers(std::size_t count) {
    std::vector<std::uint64_t> numbers(std::min(count, kMostPicks));
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    return numbers;
}

// As the text has them, header and all, without blank ones.
std::vector<std::uint64_t> lines_of_code(const std::string& kernel) {
    const std::string_view header = lessons::header_of(kernel);
    std::vector<std::uint64_t> numbers;
    auto number = static_cast<std::uint64_t>(std::count(header.begin(), header.end(), '\n'));
    std::istringstream lines(kernel.substr(header.size()));
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") != std::string::npos) numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

bool LearnView::can_check() const {
    if (page() == nullptr || !page()->ask || shown_.problem || checking()) return false;
    switch (page()->ask->kind) {
        case AskKind::schedule:
            return race_ && race_->at_end();
        case AskKind::cells:
        case AskKind::number:
            return std::none_of(draft_.texts.begin(), draft_.texts.end(),
                                [](const std::string& text) { return text.empty(); });
        case AskKind::measure:
            if (page()->ask->predict == lessons::Predict::order)
                return draft_.texts.size() == page()->ask->kernels.size();
            return !draft_.picks.empty() ||
                   (!draft_.texts.empty() && !draft_.texts.front().empty());
        case AskKind::reflect:
        case AskKind::edit:
            return !draft_.texts.empty() && !draft_.texts.front().empty();
        default:
            return !draft_.picks.empty();
    }
}

void LearnView::set_text(std::size_t field, std::string text) {
    if (done()) return;  // a field that had the keys gives back what was in it
    if (field >= draft_.texts.size()) draft_.texts.resize(field + 1);
    draft_.texts[field] = std::move(text);
    keep_draft();
}

// As it is now, on its page, and soon in its file.
void LearnView::keep_draft() {
    if (page() == nullptr || !page()->ask || done()) return;
    auto& drafts = course_[lesson_].progress.drafts;
    const bool nothing =
        draft_.picks.empty() && std::all_of(draft_.texts.begin(), draft_.texts.end(),
                                            [](const auto& t) { return t.empty(); });
    const bool start = page()->ask->kind == AskKind::edit &&
                       draft_.texts == std::vector<std::string>{shown_.kernel};
    if ((nothing || start) && progress() == nullptr)
        drafts.erase(page()->id);
    else
        drafts[page()->id] = draft_;
    if (!draft_due_) draft_due_ = Clock::now() + kDraftTime;
}

bool LearnView::takes_digits() const {
    return page() != nullptr && page()->ask && !done() && !shown_.problem &&
           page()->ask->kind != AskKind::line && page()->ask->kind != AskKind::schedule;
}

const Replaced* LearnView::last_of(const std::vector<Replaced>& list) const {
    if (list.empty() || page() == nullptr) return nullptr;
    const Replaced& last = list.back();
    return last.lesson == lesson_id() && last.page == page_id() ? &last : nullptr;
}

std::optional<View::Clock::time_point> LearnView::undoable() const {
    const Replaced* last = checking() ? nullptr : last_of(replaced_);
    return last != nullptr ? std::optional(last->when) : std::nullopt;
}

std::optional<View::Clock::time_point> LearnView::redoable() const {
    const Replaced* last = checking() ? nullptr : last_of(brought_back_);
    return last != nullptr ? std::optional(last->when) : std::nullopt;
}

bool LearnView::just_replaced() const {
    const Replaced* last = last_of(replaced_);
    return last != nullptr && last->after == draft_;
}

// What was in its place can be brought back.
void LearnView::replace_draft(lessons::Answer draft) {
    constexpr std::size_t kMost = 50;
    ++replacements_;
    if (draft == draft_) return;
    if (replaced_.size() >= kMost) replaced_.erase(replaced_.begin());
    replaced_.push_back({lesson_id(), page_id(), draft_, draft, Clock::now()});
    brought_back_.clear();
    draft_ = std::move(draft);
}

void LearnView::swap_draft(std::vector<Replaced>& from, std::vector<Replaced>& to) {
    if (last_of(from) == nullptr) return;
    Replaced last = std::move(from.back());
    from.pop_back();
    std::swap(last.before, last.after);  // now the one that is brought back is `after`
    last.before = draft_;
    ++replacements_;
    again_ = again_ || done();
    lessons::Answer back = last.after;
    to.push_back(std::move(last));
    course_[lesson_].progress.drafts[page_id()] = back;
    work_out();
    save_progress();
}

void LearnView::undo() {
    swap_draft(replaced_, brought_back_);
}

void LearnView::redo() {
    swap_draft(brought_back_, replaced_);
}

void LearnView::toggle_pick(std::uint64_t pick, bool several) {
    auto& picks = draft_.picks;
    const auto found = std::find(picks.begin(), picks.end(), pick);
    if (found != picks.end())
        picks.erase(found);
    else if (several)
        picks.insert(std::lower_bound(picks.begin(), picks.end(), pick), pick);
    else
        picks = {pick};
    if (feedback_ && !feedback_->right && !feedback_->given_up) feedback_.reset();
    keep_draft();
}

std::vector<std::uint64_t> LearnView::choices() const {
    if (page() == nullptr || !page()->ask || done() || shown_.problem) return {};
    const AskKind kind = shown_.question.kind;
    if (kind == AskKind::line) return lines_of_code(shown_.kernel);
    if ((kind == AskKind::pick || kind == AskKind::items) && shown_.run != nullptr) {
        const auto& rows = shown_.run->table.rows;
        const analysis::Row& row = rows[std::min(shown_.question.row, rows.size() - 1)];
        return first_numbers(kind == AskKind::items ? row.global : row.cells.size());
    }
    return first_numbers(shown_.question.options.size());
}

void LearnView::point_next(int by) {
    if (schedules()) return pick_warp(by);
    const std::vector<std::uint64_t> all = choices();
    if (all.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    std::ptrdiff_t place = by > 0 ? 0 : count - 1;
    if (pointed_) {
        const auto found = std::find(all.begin(), all.end(), *pointed_);
        if (found != all.end()) place = (found - all.begin() + by + count) % count;
    } else if (!page()->show.lines.empty() && shown_.question.kind == AskKind::line) {
        // The marked lines are where one looks first.
        const auto first =
            std::lower_bound(all.begin(), all.end(), page()->show.lines.front().first);
        if (first != all.end()) place = first - all.begin();
    }
    pointed_ = all[static_cast<std::size_t>(place)];
}

bool LearnView::is_chosen(std::uint64_t choice) const {
    if (shown_.question.kind != AskKind::measure || page()->ask->predict != lessons::Predict::order)
        return std::find(draft_.picks.begin(), draft_.picks.end(), choice) != draft_.picks.end();
    return std::find(draft_.texts.begin(), draft_.texts.end(),
                     shown_.question.options[choice].text) != draft_.texts.end();
}

void LearnView::choose(std::uint64_t choice) {
    if (done()) return;
    const AskKind kind = shown_.question.kind;
    if (kind == AskKind::measure && page()->ask->predict == lessons::Predict::order) {
        const std::string& kernel = shown_.question.options[choice].text;
        if (std::erase(draft_.texts, kernel) == 0) draft_.texts.push_back(kernel);
        return keep_draft();
    }
    toggle_pick(choice, kind == AskKind::pick || kind == AskKind::items || shown_.question.several);
}

// Once a schedule was answered, its run stays the one that the verdict is about.
bool LearnView::can_act() const {
    return race_ != nullptr && !(page()->ask && done());
}

void LearnView::act(std::size_t place) {
    if (!can_act() || place >= race_->ready().size()) return;
    const analysis::WarpView& warp = *race_->ready()[place];
    race_->act(warp.group, warp.warp);
    if (feedback_ && !feedback_->right) feedback_.reset();
    draft_.texts = {text_of_turns(race_->turns())};
    keep_draft();
    picked_ = race_->ready().empty() ? 0 : std::min(picked_, race_->ready().size() - 1);
}

void LearnView::pick_warp(int by) {
    if (!race_ || race_->ready().empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(race_->ready().size());
    picked_ = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(picked_) + by + count) % count);
}

// After an edit: the run of the student's text, as far as it has one. A class sees the page's own.
void LearnView::show_edited() {
    if (presenting_ || !feedback_ || page()->ask->kind != AskKind::edit || shown_.run == nullptr)
        return;
    try {
        const bool at_end = row_ + 1 >= shown_.run->table.rows.size();
        const lessons::Show show = feedback_->failed && small(*feedback_->failed)
                                       ? *feedback_->failed
                                       : answered_show(*page(), draft_);
        shown_.run = &lessons::shown_run(show, *runs_);
        const std::size_t last = shown_.run->table.rows.size() - 1;
        row_ = at_end ? last : std::min(row_, last);
        show_table();
    } catch (const Problem&) {
        // It does not compile, which is said beside: what was seen stays.
    }
}

}  // namespace lab::session
