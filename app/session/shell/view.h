// A view: one of the things that the window can show, with its state and what can be done in it.
// It is declared by one ViewType; the window adds its panels to that (gui/shell/window_view.h).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "session/shell/settings.h"

namespace lab::session {

class Session;
struct Command;

// A new user reads them one at a time, until each has been done once.
struct Hint {
    const char* id;                             // its text is the translation "hints.<id>"
    std::span<const std::string_view> done_by;  // commands, any of which shows that it is known
};

// The way through what a view shows: the passes, lines or actions of a run, or the turns of a
// schedule. Positions run from 0, the start, to last_position().
class Walk {
  public:
    virtual ~Walk() = default;

    virtual std::size_t position() const { return 0; }
    virtual std::size_t last_position() const { return 0; }
    virtual void go_to(std::size_t /*position*/) {}  // as far as there is something
    virtual bool playing() const { return false; }
    virtual void play(bool /*on*/) {}
};

// The files that what is shown can be written to.
struct ExportOffer {
    std::string name;                         // of the file, without folder and suffix
    std::span<const char* const> suffixes{};  // ".svg", …, the usual one first; none: no export
};

struct PlacedProblem {
    const char* place;  // its name is the translation "log.<place>"
    const Problem* problem;
};
// Adds the problem, unless there is none or it is only that the user cancelled.
inline void add_problem(std::vector<PlacedProblem>& to, const char* place,
                        const std::optional<Problem>& problem) {
    if (problem && problem->exit != Exit::done) to.push_back({place, &*problem});
}

class View {
  public:
    using Clock = std::chrono::steady_clock;

    explicit View(Session& session) : session_(session) {}
    virtual ~View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // What happens around it.
    virtual void start() {}           // the app has begun, or asks again for all that it lacks
    virtual void choice_changed() {}  // another kernel, shape or machine is chosen
    virtual void shown() {}           // it is the one on screen from now on
    virtual void poll() {}            // takes what workers and threads have finished

    virtual bool busy() const { return false; }  // an answer is still to come
    virtual std::optional<Clock::time_point> next_move() const { return {}; }
    virtual std::vector<PlacedProblem> problems() const { return {}; }
    virtual bool can_cancel() const { return false; }
    virtual void cancel() {}

    virtual const Walk* walk() const { return nullptr; }
    // Something on screen moves by itself.
    virtual bool moving() const { return walk() != nullptr && walk()->playing(); }
    Walk* walk() { return const_cast<Walk*>(std::as_const(*this).walk()); }

    virtual ExportOffer export_offer() const { return {}; }

  protected:
    Session& session_;
};

struct ViewType {
    const char* id;  // its title is the translation "command.view.<id>", its menu "menu.<id>"
    std::unique_ptr<View> (*create)(Session& session);
    std::span<const Command> commands{};
    std::span<const Hint> hints{};
    bool shows_choice = false;  // of what is chosen; else a change of it is not seen
    bool shows_kernel = false;  // the kernel's text and its shape are at hand
    // A view that runs what is chosen in a shape of its own keeps it there.
    RunShape Settings::*view_shape = nullptr;
    // What a saved moment keeps beside the settings; both or none. `read` reads all of it, or
    // throws Problem or nlohmann's exception; what it returns puts it in force.
    nlohmann::json (*save)(const Session& session) = nullptr;
    std::function<void(Session&)> (*read)(const nlohmann::json& part) = nullptr;
};

template <typename V>
std::unique_ptr<View> create_view(Session& session) {
    return std::make_unique<V>(session);
}

}  // namespace lab::session
