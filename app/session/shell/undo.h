// The undo history: the settings before each change, and after what was undone.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/shell/settings.h"

namespace lab::session {

// The kind of a change; changes of one kind in a row, as of the scale, may join into one step.
struct ChangeKind {
    const char* id;  // its name is the translation "change.<id>"
    bool joins = false;
    const char* view = "";  // the only view in which it is visible; empty: all
};
inline constexpr ChangeKind kChoiceChange{"choice"}, kLanguageChange{"language"},
    kThemeChange{"theme"}, kScaleChange{"scale", true}, kStateChange{"state"};

class UndoHistory {
  public:
    using Clock = std::chrono::steady_clock;

    struct Step {
        Settings settings;         // to go to
        ChangeKind kind;           // of the change that is undone or done again
        Clock::time_point made{};  // when that change was made
    };

    // `before`: the settings as they were. A change that joins, and comes soon after one of its own
    // kind, is part of that one.
    void record(Settings before, ChangeKind kind, Clock::time_point now = Clock::now());

    // The step to take from `now`; empty if there is none.
    std::optional<Step> undo(const Settings& now);
    std::optional<Step> redo(const Settings& now);

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    // When the change was made that undo() or redo() would take; empty: there is none.
    std::optional<Clock::time_point> undoable() const { return made(past_); }
    std::optional<Clock::time_point> redoable() const { return made(future_); }

  private:
    static std::optional<Clock::time_point> made(const std::vector<Step>& steps) {
        return steps.empty() ? std::nullopt : std::optional(steps.back().made);
    }
    static std::optional<Step> move(std::vector<Step>& from, std::vector<Step>& to,
                                    const Settings& now);

    std::vector<Step> past_, future_;
    std::optional<Clock::time_point> joins_until_;
};

}  // namespace lab::session
