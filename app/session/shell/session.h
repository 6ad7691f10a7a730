// The app without its window: what is chosen, what is shown, what runs. Changed only by commands
// (session/commands.h) and by what the worker answers.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/outcomes/witness.h"
#include "analysis/rows/passes.h"
#include "base/translations.h"
#include "catalogue/variant.h"
#include "results/documents.h"
#include "results/result.h"
#include "session/kernels/own_desk.h"
#include "session/lattice/lattice.h"
#include "session/race/race_desk.h"
#include "session/shell/asked.h"
#include "session/shell/background.h"
#include "session/shell/notices.h"
#include "session/shell/settings.h"
#include "session/shell/undo.h"
#include "worker/client.h"

namespace lab::session {

struct JudgedRun;
struct MachineRun;

// How far one step goes.
enum class Grain : std::uint8_t {
    pass,
    line,    // until a warp comes to another line of the text
    action,  // one load, store, atomic or barrier of one warp
};

// A run of what is chosen: the shown one, or the one beside it.
struct MachineState {
    std::shared_ptr<MachineRun> run;  // of the last choice that could be run
    std::optional<Problem> problem;   // of the last choice, if it could not
    bool waiting = false;
    std::uint64_t version = 0;  // another one for each answer
};

// What the device has to say of the shown run.
struct WitnessState {
    Asked<analysis::Passes> device;         // its rows, of the last request
    std::optional<analysis::Witness> said;  // nothing: the device, or the search, is still at work
    bool waiting = false;
};

struct StepState {
    Asked<analysis::Passes> passes;
    std::uint64_t version = 0;  // another one for each answer
    std::size_t cursor = 0;     // the pass shown last; 0 is the start
    std::uint64_t time = 0;     // of the machine's run: the actions shown
    Grain grain = Grain::pass;
    bool playing = false;
    Clock::time_point asked;  // when the request under way was sent
    double passes_per_second = 1;
    Clock::time_point next_pass;
};

// Results of another machine, or of another day, shown beside those of this one.
struct AddedResults {
    std::filesystem::path file;
    results::Measurements results;
};

struct MeasureState {
    Asked<results::Measurements> results;  // while it runs, the rows so far
    std::uint64_t version = 0;             // another one whenever they change
    std::size_t done = 0, total = 0;
    double seconds_left = 0;  // about; 0: not known
    Clock::time_point started;
    std::vector<AddedResults> added;
};

inline constexpr std::uint64_t kStandardElements = 8;

class Session {
  public:
    struct Options {
        std::filesystem::path worker;  // reduction-lab-cli
        std::function<void()> wake;    // called from any thread when poll() has something to do
        bool remember = true;          // whether settings are written, and a new user gets hints
        std::function<void(const std::string&)> copy = {};  // to the clipboard
        // Writes what the view in force shows to a file; throws Problem.
        std::function<void(const std::filesystem::path&)> export_shown = {};
    };

    Session(Options options, Settings settings, std::optional<Problem> problem = {});
    ~Session();

    // What the user sees.
    const Settings& settings() const { return settings_; }
    const Translations& words() const { return words_; }
    const catalogue::Catalogue& catalogue() const { return catalogue_; }
    const catalogue::Variant* variant() const;  // nothing if the chosen one is not (any more) there
    const StepState& step() const { return step_; }
    const MachineState& machine() const { return machine_; }
    // Of what the toggle "broken across groups" leads to, where both are shown side by side.
    const MachineState& other() const { return other_; }
    const RaceDesk& race() const { return race_; }
    RaceDesk& race() { return race_; }
    const WitnessState& witness() const { return witness_; }
    bool broken() const;  // whether what is chosen races, by its header
    const OwnDesk& own() const { return own_; }
    const MeasureState& measure() const { return measure_; }
    const LatticeView& lattice() const { return lattice_; }
    LatticeView& lattice() { return lattice_; }
    const Asked<results::Devices>& devices() const { return devices_; }
    // What the documents measured; none if they cannot be read, which is among the problems.
    const std::vector<results::DocumentFigure>& document_figures() const {
        return document_figures_;
    }
    std::string device_in_use() const;  // its id; empty while the devices are not known
    // Short messages, problems that are not of one view, and the log of all.
    const Notices& notices() const { return notices_; }
    Notices& notices() { return notices_; }
    // What lies over the view: "menu", "palette", "help", "open", "export"; empty: nothing.
    const std::string& overlay() const { return overlay_; }
    bool overlay_takes_text() const;
    bool log_shown() const { return log_shown_; }
    bool gives_hints() const { return options_.remember; }
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    bool wants_to_quit() const { return wants_to_quit_; }
    bool busy() const;  // an answer is still to come
    WorkerProcess step_worker() const { return {stepper_.process(), stepper_.starts()}; }
    WorkerProcess measure_worker() const { return {measurer_.process(), measurer_.starts()}; }

    // Changes. Each keeps the rest as it is; a wrong word is ignored or becomes a Problem in view.
    void choose(Choice choice);                  // runs it; one step of undo
    void choose_variant(const std::string& id);  // of the catalogue, its toggles as they are
    void restore(Settings settings);             // all but habits; one step of undo
    void undo();
    void redo();

    // Kernels from anywhere. A file with a header is a variant, any other one a kernel of one's
    // own. Throws Problem where there is no text to read; one with mistakes is opened.
    void open_kernel(const std::filesystem::path& path);
    void choose_opened(const Choice& known);  // one of own().opened()
    void close_opened(const Choice& known);   // off the list; an undo of it brings it back
    void set_own(simulation::OwnKernel own);  // its launch, its macros
    void edit_own(std::string text) { own_.edit(std::move(text)); }
    void run_own();    // what was edited, without waiting for a pause
    void take_file();  // the file's text for the edited one
    void save_own();   // to its file; a copy gets one in the user's documents
    void copy_variant(bool expanded);
    void forget_own_problem() { own_.tell({}); }

    void set_cursor(std::size_t pass);
    void set_time(std::uint64_t actions);
    void set_grain(Grain grain);
    void after_run(std::function<void(Session&)> act);  // once nothing of it is under way
    void set_speed(double passes_per_second);
    void set_beside(bool on);  // what the toggle leads to, beside what is chosen
    bool beside() const { return beside_; }
    void toggle_broken();  // to the other of the two

    // The way through what the view shows: the passes, lines or actions of a run, or the turns of
    // the race. `go_to` goes as far as there is something.
    std::size_t position() const;
    std::size_t last_position() const;
    void go_to(std::size_t position);
    bool playing() const;
    void play(bool on);
    void cancel_step();  // ends a worker that takes too long
    void set_language(const std::string& language);
    void set_theme(const std::string& theme);
    void set_scale(float scale);
    void set_view(const std::string& view);
    void set_window(int width, int height);
    void set_measure(MeasureChoice choice);
    void set_lattice(LatticeChoice choice);
    void run_measure();
    void cancel_measure();  // keeps the rows that are done
    void ask_devices();
    void add_results(AddedResults added);  // in the place of an earlier one from the same file
    void remove_results(std::size_t index);
    void show(std::string overlay) { overlay_ = std::move(overlay); }
    void show_log(bool on) { log_shown_ = on; }
    void forget_hint(const std::string& id);
    void repeat_hints() { settings_.hints_done.clear(); }
    void set_export(ExportHabit habit);  // of the view in force
    void set_folder(const std::string& folder) { settings_.folder = folder; }
    void copy(const std::string& text) const;
    void export_shown(const std::filesystem::path& file) const;  // throws Problem
    void quit() { wants_to_quit_ = true; }

    void start();  // asks for what the first picture needs
    void poll();   // takes the worker's answers and moves on what plays
    // When poll() should be called next although nothing happens; nothing: never.
    std::optional<Clock::time_point> next_move() const;
    void save_settings();  // and the kernels that are open, if they changed; a failure becomes a
                           // Problem in view

  private:
    void put(Settings settings);
    void use_language(const std::string& language);
    void tell_unseen(const char* key, ChangeKind kind);
    void run_step();
    bool shows_lattice() const { return settings_.view == "lattice"; }
    void run_machine();
    void ask_device();
    void judge();
    void publish(std::shared_ptr<MachineRun> run);
    void fail(const Problem& problem);
    void run_other();
    void take_runs();
    void show_race();
    void show_own();
    void recall_opened();
    void save_opened();
    void poll_own();
    void run_text(std::string text);
    void tell_saved(const std::filesystem::path& file);
    bool in_race() const { return settings_.view == "race"; }
    std::uint64_t elements() const;
    void fit_group(Choice& choice) const;
    std::size_t last_pass() const;
    void move_on();
    void log_problems();

    Options options_;
    Settings settings_;
    Settings saved_;                  // as last written
    std::uint64_t saved_opened_ = 0;  // the desk's memory, likewise
    Translations words_;
    catalogue::Catalogue catalogue_;
    StepState step_;
    MachineState machine_, other_;
    WitnessState witness_;
    bool beside_ = false;
    MeasureState measure_;
    LatticeView lattice_;
    Asked<results::Devices> devices_;
    Notices notices_;
    std::map<std::string, std::string> logged_;  // by place: the problem that it had last
    std::vector<std::function<void(Session&)>> after_run_;
    std::string overlay_;
    bool log_shown_ = false;
    std::vector<results::DocumentFigure> document_figures_;
    UndoHistory history_;
    std::uint64_t wanted_group_ = 0;  // as asked for last, whatever a variant made of it
    bool wants_to_quit_ = false;
    bool started_ = false;
    bool device_again_ = false;  // the choice changed while a request was under way
    worker::Ticket device_ticket_ = 0, measure_ticket_ = 0;
    // Two workers, so that a long measurement never keeps stepping waiting.
    worker::Client stepper_, measurer_;
    RaceDesk race_;
    OwnDesk own_;
    Background<std::shared_ptr<MachineRun>> runner_, other_runner_;
    Background<std::shared_ptr<JudgedRun>> judge_;
};

}  // namespace lab::session
