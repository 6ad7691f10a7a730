// The step view's way through what was run: passes, lines or actions.
#include <algorithm>

#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

// An action is seen sooner than a pass.
constexpr double kActionsAPass = 4;

}  // namespace

View::Clock::duration StepView::pause() const {
    const double faster = grain_ == Grain::pass ? 1 : kActionsAPass;
    return std::chrono::milliseconds(static_cast<int>(1000 / (passes_per_second_ * faster)));
}

std::size_t StepView::last_pass() const {
    const auto& answer = table_.answer;
    return answer && !answer->rows.empty() ? answer->rows.size() - 1 : 0;
}

void StepView::set_cursor(std::size_t pass) {
    cursor_ = std::min(pass, last_pass());
    if (!simulated_.run) return;
    const auto& ends = simulated_.run->row_ends;
    time_ = cursor_ >= last_pass()  ? simulated_.run->actions()
            : cursor_ < ends.size() ? ends[cursor_]
                                    : 0;
}

void StepView::set_time(std::uint64_t actions) {
    if (!simulated_.run) return;
    time_ = std::min(actions, simulated_.run->actions());
    const auto& ends = simulated_.run->row_ends;
    const auto after = std::upper_bound(ends.begin(), ends.end(), time_);
    const auto row =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - ends.begin() - 1, 0));
    cursor_ = std::min(row, last_pass());
}

void StepView::set_grain(Grain grain) {
    grain_ = grain;
    playing_ = false;
}

std::size_t StepView::position() const {
    if (grain_ == Grain::pass) return cursor_;
    if (grain_ == Grain::action || !simulated_.run) return time_;
    const auto& ends = simulated_.run->line_ends;
    const auto place = std::lower_bound(ends.begin(), ends.end(), time_);
    return time_ == 0 ? 0 : static_cast<std::size_t>(place - ends.begin()) + 1;
}

std::size_t StepView::last_position() const {
    if (grain_ == Grain::pass) return last_pass();
    if (!simulated_.run) return 0;
    return grain_ == Grain::action ? simulated_.run->actions() : simulated_.run->line_ends.size();
}

const char* StepView::unit() const {
    return grain_ == Grain::pass ? "pass" : grain_ == Grain::line ? "line" : "action";
}

void StepView::go_to(std::size_t position) {
    begin_at_.reset();  // one goes elsewhere before the first run is there
    if (toggled_) toggled_->row.reset();
    position = std::min(position, last_position());
    if (grain_ == Grain::pass)
        set_cursor(position);
    else if (grain_ == Grain::action)
        set_time(position);
    else
        set_time(position == 0 ? 0 : simulated_.run->line_ends[position - 1]);
    if (position == last_position()) playing_ = false;
}

void StepView::play(bool on) {
    playing_ = on && last_position() > 0;
    if (!playing_) return;
    if (position() >= last_position()) go_to(0);
    playing_ = true;
    next_pass_ = Clock::now() + pause();
}

void StepView::move_on() {
    if (!playing_ || Clock::now() < next_pass_) return;
    go_to(position() + 1);
    next_pass_ += pause();
}

std::optional<View::Clock::time_point> StepView::next_move() const {
    std::optional<Clock::time_point> next;
    if (playing_) next = next_pass_;
    // While an answer is awaited the picture says for how long.
    if (table_.waiting) {
        const Clock::time_point second = Clock::now() + std::chrono::seconds(1);
        next = std::min(next.value_or(second), second);
    }
    return next;
}

std::size_t StepView::row() const {
    if (grain_ == Grain::pass || !simulated_.run || simulated_.run->row_ends.empty())
        return cursor_;
    const auto& ends = simulated_.run->row_ends;
    const auto end = std::lower_bound(ends.begin(), ends.end(), time_);
    return std::min(static_cast<std::size_t>(end - ends.begin()), ends.size() - 1);
}

}  // namespace lab::session
