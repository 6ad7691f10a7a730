// The step view: a run of the choice, the position in it, and how the device compares.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "base/problem.h"
#include "catalogue/host_program.h"
#include "catalogue/kernel.h"
#include "results/report.h"
#include "session/background.h"
#include "session/settings.h"
#include "session/view.h"
#include "worker/client.h"

namespace lab::analysis {
struct JudgedRun;
struct MachineRun;
}  // namespace lab::analysis

namespace lab::session {

// Asks the page's worker for the run of a broken kernel that goes wrong: a page has one thread, and
// a search takes its time. The desktop looks for it on a thread, with what the device did.

class WrongOrder {
  public:
    // The worker outlives it.
    explicit WrongOrder(worker::Client& worker) : worker_(worker) {}
    ~WrongOrder() { cancel(); }
    WrongOrder(const WrongOrder&) = delete;
    WrongOrder& operator=(const WrongOrder&) = delete;

    // Calls `then` with the options to run the choice with; empty if there is no such
    // order, or if it could not be looked for. One question at a time: a newer one takes the place
    // of an older one.
    using Found = std::optional<analysis::SimulatorOptions>;
    void ask(const RunChoice& choice, std::function<void(Found)> then);
    void cancel() {
        if (ticket_ != 0) worker_.cancel(std::exchange(ticket_, 0));
    }

  private:
    worker::Client& worker_;
    worker::Ticket ticket_ = 0;
};

// Asks a worker for a run of the device that goes wrong, and makes that run the choice.

class DeviceRecorder {
  public:
    explicit DeviceRecorder(Session& session);

    Asked<results::Recorded> recorded;
    std::uint64_t runs = 0;  // so far, while it is at work
    WorkerProcess worker() const { return {client_.process(), client_.starts()}; }

    void start();  // for what is chosen
    void cancel();
    void poll() { client_.poll(); }

  private:
    void take(const results::Recorded& made);

    Session& session_;
    RunChoice asked_;
    worker::Ticket ticket_ = 0;
    worker::Client client_;
};

// A barrier that a kernel's text lacks, which is else that of another one.
struct MissingBarrier {
    RunChoice whole;         // that one, in the same shape
    std::size_t number = 0;  // from 0
    std::size_t all = 1;     // of the whole text
};

// The length of a step.
enum class StepUnit : std::uint8_t {
    pass,
    line,    // until a warp reaches another line of the text
    action,  // one load, store, atomic or barrier of one warp
};

// A run of the choice: the shown one, or the one beside it.
struct RunState {
    std::shared_ptr<analysis::MachineRun> run;  // of the last choice that could be run
    std::optional<Problem> problem;             // of the last choice, if it could not
    bool waiting = false;
    std::uint64_t version = 0;  // changes with each answer
};

// The device's comparison with the shown run.
struct WitnessState {
    Asked<analysis::StepTable> device;  // its rows, of the last request
    std::optional<analysis::DeviceComparison>
        answer;  // empty: the device or the search is still running
    bool waiting = false;
};

class StepView : public View, public Walk {
  public:
    explicit StepView(Session& session);
    ~StepView() override;

    // The rows of the shown run; its problem is that of the last choice that could not be run.
    Asked<analysis::StepTable> table;
    std::uint64_t version = 0;  // another one for each picture
    std::size_t cursor = 0;     // the last row shown; 0 is the start
    std::uint64_t time = 0;     // the run's actions that are shown
    StepUnit grain = StepUnit::pass;
    double passes_per_second = 1;
    Clock::time_point asked;  // when the current run was started
    RunState simulated;
    RunState other;  // of second(), if both are shown; in other views the counterpart's
    WitnessState witness;
    DeviceRecorder recorder;
    bool beside = false;                // second() beside what is chosen
    std::optional<RunChoice> compared;  // what was asked for there
    // The cell whose lineage is shown, pointed at last: "cell 3 4", a row and a cell.
    std::string traced;
    std::string side = "lanes";  // the open tab beside the steps
    // Each next row is to be foretold: its cells are hidden until they are uncovered, or the row is
    // stepped to.
    bool foretells = false;
    std::vector<std::size_t> uncovered;   // cells of that row, ascending
    std::optional<std::size_t> begin_at;  // where the next run is shown first

    // The row of the last action that is shown, which may not be complete; the cursor where one
    // goes pass by pass.
    std::size_t row() const;
    // True if what is chosen races, by its header, or is a text without one that lacks a barrier.
    bool broken() const { return pair().broken; }
    // Returns what the toggle leads to; empty where it leads nowhere.
    const std::optional<RunChoice>& counterpart() const { return pair().other; }
    // Returns the barrier that what is chosen lacks, or, where it is whole, what the toggle leads
    // to; empty if neither was made so.
    const std::optional<MissingBarrier>& missing_barrier() const { return pair().missing; }
    // Returns what is shown beside what is chosen: the kernel or the schedule that was asked for,
    // with the same input, else what the toggle leads to, else another schedule.
    const RunChoice& second() const { return pair().second; }
    bool is_second_counterpart() const { return counterpart() && second() == *counterpart(); }
    // True if there is a row to foretell now.
    bool hides_next() const { return foretells && grain == StepUnit::pass && cursor < last_pass(); }

    void set_cursor(std::size_t pass);
    void set_foretells(bool on);
    void uncover(std::size_t cell);
    void uncover_next();  // from the left; where none is left, the row is stepped to
    void set_time(std::uint64_t actions);
    void set_grain(StepUnit unit);
    void set_beside(bool on);                          // second() beside what is chosen
    void compare_with(std::optional<RunChoice> with);  // empty: what the toggle leads to
    void toggle_broken();   // to the other of the two, and back to where one was
    void leave_out_next();  // another barrier than the one that is missing
    void run_other();
    // Once nothing is pending.
    void after_run(std::function<void(Session&)> act) { after_run_.push_back(std::move(act)); }

    // Walk
    std::size_t position() const override;
    std::size_t last_position() const override;
    const char* unit() const override;
    void go_to(std::size_t position) override;
    std::chrono::milliseconds pause() const override;

    // View
    void choice_changed() override;
    void shown() override {
        if (beside) run_other();
    }
    void poll() override;
    bool busy() const override;
    std::optional<Clock::time_point> next_move() const override;
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override { return table.waiting || recorder.recorded.waiting; }
    void cancel() override;  // ends a worker that takes too long
    using View::walk;
    const Walk* walk() const override { return this; }
    ExportOffer export_offer() const override;
    analysis::Names linked(const analysis::HighlightTarget& referent) const override;
    std::uint64_t links_version() const override { return simulated.version; }

  private:
    void begin_run();
    void ask_device();
    void judge();
    void show_wrong(WrongOrder::Found found);
    void publish(std::shared_ptr<analysis::MachineRun> run);
    void fail(const Problem& problem);
    bool falls_back(const Problem& problem);
    void take_table();
    void take_runs();
    std::size_t last_pass() const;

    bool device_again_ = false;  // the choice changed while a request was under way
    // The last toggle: what it left, and the row there, unless one has gone to another since; and
    // what it led to.
    struct Toggled {
        RunChoice left, to;
        std::optional<std::size_t> row;
    };
    std::optional<Toggled> toggled_;
    // Holds what follows from the choice and the number of elements, kept for each frame.
    struct Pair {
        RunChoice choice;
        std::uint64_t n = 0;
        bool broken = false;
        std::optional<RunChoice> other;
        std::optional<MissingBarrier> missing;
        RunChoice second;
    };
    const Pair& pair() const;
    RunChoice second_of(const RunChoice& choice, const std::optional<RunChoice>& toggled) const;
    std::optional<RunChoice> came_from(const RunChoice& now) const;
    std::optional<MissingBarrier> missing_from(const RunChoice& choice) const;
    mutable std::optional<Pair> pair_;
    bool begun_ = false, first_ = true;  // first_: until something has run, or could not
    std::vector<std::function<void(Session&)>> after_run_;
    worker::Ticket device_ticket_ = 0;
    WrongOrder wrong_order_, wrong_beside_;
    Background<std::shared_ptr<analysis::MachineRun>> runner_, other_runner_;
    Background<std::shared_ptr<analysis::JudgedRun>> judge_;
};

extern const ViewType kStepView;

// The counterpart of a kernel: for a broken one its cure, and for a correct one its broken form, as
// the switch "Show the broken version" leads from one to the other.

// True if the chosen variant races in this shape with `n` elements, according to its header.
bool is_broken(const RunChoice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

// The other of the two, with the same input: the same kernel with a toggle at another value, else
// the kernel that its header names as its pair, else, of a broken one, itself in one group, of a
// correct one its text without its first barrier. Empty where it has none of these. `own`: the
// opened kernels, whose texts may be those that lack a barrier.
std::optional<RunChoice> counterpart(const RunChoice& choice, const catalogue::Catalogue& catalogue,
                                     std::uint64_t n, std::span<const RunChoice> own = {});

// The chosen kernel as a text of its own that lacks a barrier; empty where it has no such barrier,
// or lacks one already. Its header, if it has one, says that it races, so that a run that goes
// wrong is looked for.
std::optional<RunChoice> without_barrier(const RunChoice& choice,
                                         const catalogue::Catalogue& catalogue, std::size_t number,
                                         std::span<const RunChoice> own = {});
// Tells which one that was; empty for any other kernel, and once the text is edited.
std::optional<MissingBarrier> missing_barrier(const RunChoice& choice,
                                              const catalogue::Catalogue& catalogue,
                                              std::span<const RunChoice> own = {});
// True if both mean the same kernel with the same toggles, whatever the shape and the order.
bool same_kernel(const RunChoice& a, const RunChoice& b);

// The C++ program that runs what is chosen: shown, copied, saved.

// True if what is chosen has a header, which says how the host launches it.
bool has_host_program(const Session& session);
catalogue::HostProgram host_program_of(const Session& session);  // throws Problem

void show_host_program(Session& session);  // in the tab beside the steps
void copy_host_program(Session& session);  // to the clipboard; what fails is reported
// The program and the kernel, in a new folder of the user's documents. What fails is reported.
void save_host_program(Session& session);

}  // namespace lab::session
