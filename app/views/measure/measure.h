// The measure view: measurements, their progress, and results from other machines beside them.
#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/memory_traffic.h"
#include "results/documents.h"
#include "results/request.h"
#include "results/result.h"
#include "session/background.h"
#include "session/settings.h"
#include "session/view.h"
#include "worker/client.h"
namespace lab::session {

inline constexpr ChangeKind kMeasureChange{"measure", false, "measure"};
inline constexpr ChangeKind kCountChange{"measure", true, "measure"};

// Results from another machine or another day, shown beside this machine's.
struct AddedResults {
    std::filesystem::path file;
    results::Measurements results;
};

// One press of a button that times something.
struct MeasureRun {
    results::Measurements results;
    View::Clock::time_point began;
    std::time_t at = 0;  // the same, by the calendar
};

// How far a measurement has come.
struct MeasureProgress {
    std::size_t done = 0, total = 0;  // rows
    double seconds_left = 0;          // about; 0: not known
};
MeasureProgress read_progress(const nlohmann::json& progress);  // as the worker says it

struct MeasureState {
    Asked<results::Measurements> results;  // while it runs, the rows so far
    std::uint64_t version = 0;             // another one whenever they change
    MeasureProgress progress;
    View::Clock::time_point started;
    std::vector<AddedResults> added;
    // The oldest first, a dozen at most; `results` belongs to the one at `shown_run`.
    std::vector<MeasureRun> runs;
    std::size_t shown_run = 0;
};

class MeasureView : public View {
  public:
    explicit MeasureView(Session& session);

    const MeasureState& state() const { return state_; }
    // The documents' figures; empty if they cannot be read, which becomes a problem.
    std::vector<results::DocumentFigure> document_figures;
    // The kernel that charts show beside what was ticked, an id; empty: the fastest ones.
    std::string against;
    WorkerProcess worker() const { return {worker_.process(), worker_.starts()}; }

    // Returns what the simulator counts of a row's kernel on few numbers: null while it is not
    // counted, or where it cannot be run so.
    const analysis::RunCosts* costs_of(const results::Row& row) const;
    // About how long these take to time as the choice asks, in seconds: by earlier runs of them
    // here, else by what kernels reach at least. Empty where sizes are none.
    std::optional<double> seconds_for(const std::vector<std::string>& variants) const;

    void set(MeasureChoice choice);  // one step of undo
    void run();
    // Ticks these variants, and runs; `shown`, if it is not empty, says as what.
    void time(std::vector<std::string> variants, const std::string& shown);
    void time_user_kernel();           // the one that is chosen, as its launch describes it
    void show_run(std::size_t index);  // of MeasureState::runs, while none is under way
    void add(AddedResults added);      // replaces an earlier one from the same file
    void remove(std::size_t index);

    // View
    void poll() override;
    bool busy() const override { return state_.results.waiting; }
    std::optional<Clock::time_point> next_move() const override;
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override { return busy(); }
    void cancel() override;  // keeps the rows that are done
    // To the results of the run before, and back.
    std::optional<Clock::time_point> undoable() const override;
    std::optional<Clock::time_point> redoable() const override;
    void undo() override { show_run(state_.shown_run - 1); }
    void redo() override { show_run(state_.shown_run + 1); }
    ExportOffer export_offer() const override;

  private:
    void keep_shown();                      // in `runs`
    const results::Row* uncounted() const;  // whose costs are to be counted next
    void send(const results::MeasureRequest& request, nlohmann::json asked);

    MeasureState state_;
    std::map<std::string, std::optional<analysis::RunCosts>> costs_;  // by variant and toggles
    worker::Ticket ticket_ = 0;
    worker::Client worker_;  // separate, so that a long measurement does not block the step view
};

extern const ViewType kMeasureView;

// The results that the Measure view shows together: this machine's, and those that were added.

// True if added results have the same operator and type as the others shown, so that they can be
// drawn together. This machine's decide, else the first added ones.
bool is_comparable(const MeasureState& measure, const AddedResults& added);

// This machine's first, if there are any. They belong to `measure`.
std::vector<const results::Measurements*> shown_results(const MeasureState& measure);
// The same for charts, which do not report rows as missing while measuring.
std::vector<results::Measurements> results_to_draw(const MeasureState& measure);

// "lab-03.json: NVIDIA GeForce RTX 4090"
std::string name_of(const AddedResults& added);

}  // namespace lab::session
