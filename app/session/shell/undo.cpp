#include "session/shell/undo.h"

#include <utility>

namespace lab::session {
namespace {

constexpr std::size_t kMostSteps = 1000;
constexpr auto kJoining = std::chrono::milliseconds(1200);

}  // namespace

void UndoHistory::record(Settings before, ChangeKind kind, Clock::time_point now) {
    const bool goes_on = kind.joins && joins_until_ && now <= *joins_until_ && !past_.empty() &&
                         past_.back().kind.joins &&
                         std::string_view(past_.back().kind.id) == kind.id;
    future_.clear();
    joins_until_.reset();
    if (kind.joins) joins_until_ = now + kJoining;
    if (goes_on) return;
    past_.push_back({std::move(before), kind, now});
    if (past_.size() > kMostSteps) past_.erase(past_.begin());
}

std::optional<UndoHistory::Step> UndoHistory::move(std::vector<Step>& from, std::vector<Step>& to,
                                                   const Settings& now) {
    if (from.empty()) return {};
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({now, step.kind, step.made});
    step.settings = with_habits_of(std::move(step.settings), now);
    return step;
}

std::optional<UndoHistory::Step> UndoHistory::undo(const Settings& now) {
    joins_until_.reset();
    return move(past_, future_, now);
}

std::optional<UndoHistory::Step> UndoHistory::redo(const Settings& now) {
    joins_until_.reset();
    return move(future_, past_, now);
}

}  // namespace lab::session
