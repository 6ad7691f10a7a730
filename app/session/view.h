// A view of the window: its state and commands. Declared by one ViewType; the window adds its
// panels (gui/ui.h).
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/links.h"
#include "base/problem.h"
#include "session/settings.h"
namespace lab::session {

// Everything that a person can tell the app to do, one table: menus, keys, tooltips and help are
// made from it.

class Session;
struct ViewType;

struct Command {
    const char* id;   // its text is the translations "command.<id>" and "command.<id>.tip"
    const char* key;  // as "Ctrl+Shift+Z", "Space", "1"; names as keyboards show them
    bool (*enabled)(const Session& session);
    void (*act)(Session& session);
    bool desktop = false;  // it needs what a browser does not have, and is not offered there
    // Where it is not enabled: the translation that says why, which its key shows; null: nothing.
    const char* (*why_not)(const Session& session) = nullptr;
};

bool is_missing(const Command& command);  // here

// Commands that belong together: a menu, a chapter of the help.
struct CommandGroup {
    const char* id;  // its name is the translation "menu.<id>"
    std::vector<Command> commands;
};

// The commands of the views, and of the app around them; "view.<id>" shows a view, and its key is
// the view's digit. In the order of menus; no two commands share an id or a key.
class CommandTable {
  public:
    explicit CommandTable(std::span<const ViewType* const> views);

    const std::vector<CommandGroup>& groups() const { return groups_; }
    const std::vector<Command>& all() const { return all_; }
    const Command& find(std::string_view id) const;  // throws Problem if there is none

  private:
    std::vector<std::string> view_ids_, view_keys_;  // that commands point to
    std::vector<CommandGroup> groups_;
    std::vector<Command> all_;
};

std::span<const char* const> themes();

// A new user reads them one at a time, until each has been done once.
struct Hint {
    const char* id;                             // its text is the translation "hints.<id>"
    std::span<const std::string_view> done_by;  // commands, any of which shows that it is known
};

// Steps through what a view shows: the passes, lines or actions of a run, or the turns of a
// schedule. Positions run from 0, the start, to last_position().
class Walk {
  public:
    virtual ~Walk() = default;

    virtual std::size_t position() const { return 0; }
    virtual std::size_t last_position() const { return 0; }
    virtual const char* unit() const { return "action"; }  // of positions: "pass", "line", …
    virtual void go_to(std::size_t /*position*/) {}        // as far as there is something
    // Between two steps while playing.
    virtual std::chrono::milliseconds pause() const { return {}; }

    bool playing() const { return playing_; }
    // From the start, where one is at the end; up to `last`.
    void play(bool on, std::size_t last = static_cast<std::size_t>(-1));
    // The shell goes on by a step once it is time; empty: it does not play.
    void go_on();
    std::optional<std::chrono::steady_clock::time_point> next_step() const;

  private:
    bool playing_ = false;
    std::size_t last_ = 0;
    std::chrono::steady_clock::time_point next_;
};

// The files to which a view can be exported.
struct ExportOffer {
    std::string name;                         // of the file, without folder and suffix
    std::span<const char* const> suffixes{};  // ".svg", …, the usual one first; none: no export
    const char* why_none = "export.none";     // the translation that says why there are none
};

struct PlacedProblem {
    const char* place;  // its name is the translation "log.<place>"
    const Problem* problem;
};
// Returns the problems that there are, but for requests that the user cancelled.
std::vector<PlacedProblem> placed(
    std::initializer_list<std::pair<const char*, const std::optional<Problem>&>> problems);

class View {
  public:
    using Clock = std::chrono::steady_clock;

    explicit View(Session& session) : session_(session) {}
    virtual ~View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // The shell calls these when something happens around the view.
    virtual void start() {}           // the app starts, or asks again for what is missing
    virtual void choice_changed() {}  // another kernel, shape or machine is chosen
    virtual void shown() {}           // it is now on screen
    virtual void poll() {}            // takes results of workers and threads

    virtual bool busy() const { return false; }  // an answer is still to come
    virtual std::optional<Clock::time_point> next_move() const { return {}; }
    virtual std::vector<PlacedProblem> problems() const { return {}; }
    virtual bool can_cancel() const { return false; }
    virtual void cancel() {}

    virtual const Walk* walk() const { return nullptr; }
    // Something on screen moves by itself.
    virtual bool moving() const { return walk() != nullptr && walk()->playing(); }
    Walk* walk() { return const_cast<Walk*>(std::as_const(*this).walk()); }

    // Changes of its own, not of the settings, that undo takes back: when the one was made that is
    // next; empty: there is none.
    virtual std::optional<Clock::time_point> undoable() const { return {}; }
    virtual std::optional<Clock::time_point> redoable() const { return {}; }
    virtual void undo() {}
    virtual void redo() {}

    // The schedule that a device was recorded with while this was on screen; the choice has it.
    virtual void take_turns(const std::string& /*turns*/) {}

    // It shows a kernel's text that can be edited.
    virtual bool edits_text() const;

    // It asks for something that is typed, or did: a digit is not to leave it.
    virtual bool takes_digits() const { return false; }

    virtual ExportOffer export_offer() const { return {}; }
    // Returns what has to do with a thing that is pointed at; and a number that changes with the
    // answer.
    virtual analysis::Names linked(const analysis::HighlightTarget& /*referent*/) const {
        return {};
    }
    virtual std::uint64_t links_version() const { return 0; }

  protected:
    Session& session_;
};

struct ViewType {
    const char* id;  // its title is the translation "command.view.<id>", its menu "menu.<id>"
    std::unique_ptr<View> (*create)(Session& session);
    std::span<const Command> commands{};
    std::span<const Hint> hints{};
    bool shows_choice = false;  // shows the choice; else a change of it is not visible here
    bool shows_kernel = false;  // shows the kernel's text and shape: keys change n and input
    // Where a view with a shape of its own keeps it.
    RunShape Settings::*view_shape = nullptr;
    // The view's part of a saved state; both or none. `read` reads all of it, or throws Problem or
    // nlohmann's exception; the returned function restores it.
    nlohmann::json (*save)(const Session& session) = nullptr;
    std::function<void(Session&)> (*read)(const nlohmann::json& part) = nullptr;
};

// For a view's part of a saved state: a count within sensible bounds. Throws Problem.
std::uint64_t saved_count(const nlohmann::json& part, const char* key);
// `what`: what it has, as a sentence.
Problem unknown_in_state(const std::string& what);

template <typename V>
std::unique_ptr<View> create_view(Session& session) {
    return std::make_unique<V>(session);
}

}  // namespace lab::session
