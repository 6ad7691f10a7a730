// The app without its window: choice, undo, messages and views. Changed only by commands
// (session/view.h) and by answers of workers and threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/links.h"
#include "base/translations.h"
#include "session/background.h"
#include "session/glossary.h"
#include "session/kernels.h"
#include "session/notices.h"
#include "session/settings.h"
#include "session/view.h"
#include "worker/client.h"
namespace lab::session {

// Knows what is under the mouse, and what has to do with it: all of it lights up, wherever it is
// shown.

class Session;

class Pointed {
  public:
    // "cell 3 4", "line 12": see analysis::HighlightTarget; empty: nothing.
    const std::string& name() const { return name_; }
    bool lit(std::string_view name) const {
        return !name_.empty() && (name == name_ || linked_.contains(name));
    }

    void point_at(std::string_view name) { next_ = name; }  // in this frame; the last one holds
    void end_frame(const Session& session);

  private:
    std::string name_, next_;
    analysis::Names linked_;
    const void* view_ = nullptr;  // whose links these are
    std::uint64_t version_ = 0;
    std::size_t position_ = 0;
};

inline constexpr std::uint64_t kStandardElements = 8;

class Session {
  public:
    struct Options {
        std::span<const ViewType* const> views;  // in the order of their tabs and digits
        std::filesystem::path worker;            // reduction-lab-cli
        std::function<void()> wake;  // called from any thread when poll() has something to do
        bool remember = true;        // whether settings are written, and a new user gets hints
        bool recalled = false;       // what is chosen is as the last start left it
        std::function<void(const std::string&)> copy = {};  // to the clipboard
        // Writes what the view on screen shows to a file; throws Problem.
        std::function<void(const std::filesystem::path&)> export_shown = {};
    };

    Session(Options options, Settings settings, std::optional<Problem> problem = {});
    ~Session();

    // The user sees these.
    const Options& options() const { return options_; }
    const Settings& settings() const { return settings_; }
    // A text in CUDA has CUDA's terms where it is shown, unless the settings have others.
    const Translations& words() const { return words_; }
    // Whose terms are chosen, or those of the text that is shown.
    Api api() const;
    const catalogue::Catalogue& catalogue() const { return kernels.catalogue; }
    // Null if the chosen one does not exist (any more).
    const catalogue::Kernel* variant() const { return catalogue().known(settings_.choice.variant); }
    std::uint64_t elements() const;  // of what is chosen; of a file, as it was run last
    const CommandTable& commands() const { return commands_; }
    const Command& command(std::string_view id) const { return commands_.find(id); }
    bool can_undo() const { return history_.can_undo() || shown().undoable(); }
    bool can_redo() const { return history_.can_redo() || shown().redoable(); }
    bool busy() const;  // an answer is pending

    // The views.
    std::span<const std::unique_ptr<View>> views() const { return views_; }
    const View& shown() const { return *views_[shown_]; }
    View& shown() { return *views_[shown_]; }
    const ViewType& shown_type() const { return *options_.views[shown_]; }
    template <typename V>
    const V& view() const {
        for (const std::unique_ptr<View>& each : views_)
            if (const auto* found = dynamic_cast<const V*>(each.get())) return *found;
        throw std::logic_error("The session has no such view");
    }
    template <typename V>
    V& view() {
        return const_cast<V&>(std::as_const(*this).view<V>());
    }
    template <typename V>
    bool shows() const {
        return dynamic_cast<const V*>(&shown()) != nullptr;
    }
    // For a view on screen with a shape of its own.
    std::optional<RunShape> view_shape() const;
    void set_view_shape(RunShape shape);  // one step of undo
    const Walk& walk() const;             // of the view on screen; without positions if it has none
    Walk& walk() { return const_cast<Walk&>(std::as_const(*this).walk()); }
    template <typename V>
    void show_view() {
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (dynamic_cast<V*>(views_[i].get()) != nullptr) show_view(i);
    }
    void show_view(std::size_t place);
    // An unknown one is ignored; that of the devices was a view until version 0.1.
    void set_view(std::string_view id);

    // Changes. Each keeps the rest as it is; a wrong word is ignored or shown as a Problem.
    bool run(const Command& command);  // if it is enabled; whether it was
    bool run(std::string_view command) { return run(commands_.find(command)); }
    void choose(RunChoice choice);  // runs it; one step of undo
    void amend(RunChoice choice);   // the same as part of what was chosen last: no step of undo
    void fit_group(RunChoice& choice) const;  // a group that the variant can take
    void restore(Settings settings);          // all but habits and looks; one step of undo
    // Sets one of the settings beside the choice, as one step of undo.
    template <typename Value>
    void set(Value Settings::*which, Value value, ChangeKind kind) {
        if (settings_.*which == value) return;
        history_.record(settings_, kind);
        edit().*which = std::move(value);
    }
    // The last change of the settings, or of the view on screen if that was later.
    void undo();
    void redo();
    void set_language(const std::string& language);
    void set_theme(const std::string& theme) { set(&Settings::theme, theme, kThemeChange); }
    // `terms` is one of kTerms.
    void set_terms(const std::string& terms) { set(&Settings::terms, terms, kTermsChange); }
    void set_scale(float scale);
    // The chosen one, or the largest that the window has room for.
    float scale() const { return std::min(settings_.scale, most_scale); }
    void set_window(int width, int height);        // pixels
    void note_solved(const std::string& variant);  // the race view's challenge
    void set_step(std::size_t step);               // where the next start begins
    // Where the page for browsers is served; what is no address of one changes nothing.
    void set_page(const std::string& address);
    void copy(const std::string& text) const;

    void start();  // requests what the first picture needs
    void poll();   // takes the workers' answers and advances playback
    // When to call poll() next if nothing happens; empty: never.
    std::optional<Clock::time_point> next_move() const;
    void save_settings();  // and the kernels that are open, if they changed; a failure becomes a
                           // Problem in view

    worker::Client::Options worker_options() const;
    // For a change of the settings that is no step of undo; they are saved.
    Settings& edit() {
        unsaved_ = true;
        return settings_;
    }

  private:
    void put(Settings settings);
    void use_language(const std::string& language);
    void notify_if_hidden(const char* key, ChangeKind kind);
    void announce_choice();
    void log_problems();

    Options options_;
    Settings settings_;
    bool unsaved_ = false;  // the settings changed since they were written
    Translations words_;
    CommandTable commands_;
    std::map<std::string, std::string> logged_;  // by place: the problem that it had last
    UndoHistory history_;
    bool started_ = false;

  public:
    Notices notices;  // short messages, problems that are not of one view, and the log of all
    Kernels kernels;
    FoundDevices devices;
    GlossaryBook glossary;
    std::string overlay;  // "menu", "palette", "help", "open", "export", "devices"; empty: none
    bool log_shown = false;
    bool presenting = false;  // the picture and its sentence alone, over the whole screen
    bool wants_to_quit = false;
    Pointed pointed;
    float most_scale = kLargestScale;  // at which the window has room for all controls
    std::uint64_t elements_run = kStandardElements;  // in the last run
    // The machine that was chosen when the device's run was recorded, which has one of its own:
    // without that run it is chosen again.
    std::optional<analysis::MachineUsed> before_recording;
    worker::Client worker;  // every view may ask it; one with long requests has its own

  private:
    std::size_t shown_ = 0;
    std::vector<std::unique_ptr<View>> views_;
};

// The folder of the last opened file, else the user's documents. Throws Problem if there is none.
std::filesystem::path folder_to_open(const Session& session);
// Says the translation, which has the file's {name}.
void say_of_file(Session& session, const char* key, const std::filesystem::path& file);

// Puts what a worker answers into the Asked that waits for it.

// `asked`, which outlives the request, waits from now on; takes the answer into it, and calls
// `then`.
template <typename Answer>
worker::Handler handler(Asked<Answer>& asked, std::function<void()> then = {}) {
    asked.waiting = true;
    worker::Handler handler;
    handler.result = [&asked, then](const nlohmann::json& result) {
        asked.answer = result.get<Answer>();
        asked.problem.reset();
        asked.waiting = false;
        if (then) then();
    };
    handler.problem = [&asked](const Problem& problem) {
        asked.problem = problem;
        asked.waiting = false;
    };
    return handler;
}

}  // namespace lab::session
