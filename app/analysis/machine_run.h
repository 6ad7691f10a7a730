// A run of the choice on the machine, within the app, with all that the panels show of it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/barrier_places.h"
#include "analysis/hazards.h"
#include "analysis/memory_traffic.h"
#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "analysis/timeline.h"
#include "analysis/warps.h"
#include "base/platform.h"
#include "base/problem.h"
#include "catalogue/kernel.h"
namespace lab::analysis {

// A notable place in a run to go to.
struct Mark {
    enum class Kind : std::uint8_t { barrier, launch, race, fault } kind = Kind::barrier;
    std::uint64_t time = 0;  // actions before it
};

struct MachineRun {
    RunSpec spec;
    Simulation simulation;
    std::vector<BufferContents> buffers;  // at the end, where they are all that there is as result
    machine::Run* run = nullptr;          // the simulation's; empty if nothing was launched

    StepTable table;
    std::vector<std::uint64_t> row_ends;   // by row: actions until it was complete
    std::vector<std::uint64_t> line_ends;  // actions after which a warp came to another line
    std::vector<Mark> marks;               // by time
    std::vector<Hazard> hazards;
    RaceCaveats caveats;  // of those, or of that there are none
    std::vector<PrintedText> prints;
    std::vector<PassActivity> activity;
    Lanes lanes;
    Timeline timeline;
    std::map<std::uint32_t, LineCost> lines;
    std::optional<Problem> fault;            // what stopped the run
    std::unique_ptr<RaceDetector> detector;  // of a run that waits for add_insight()

    std::uint64_t actions() const { return run != nullptr ? run->trace().size() : 0; }
};

// Bounds a run in the app, so that the panels' data do not hold a page up. Loads, stores and
// atomics of a run, some 40 bytes each; more end the run.
inline constexpr std::uint64_t kMostEvents = platform::kBrowser ? 300'000 : 2'000'000;

// The run to show, and how the device compares.
struct JudgedRun {
    std::shared_ptr<MachineRun> run;  // empty: the shown one stays
    DeviceComparison witness;
};

// Throws Problem if it cannot run like that. A fault of the kernel ends the run and is kept.
std::shared_ptr<MachineRun> run_on_machine(RunSpec spec, const std::atomic<bool>* cancel = nullptr);
// The same in two: the run with its table and fault, which is quick, then what follows from it,
// row_ends to lines, for which the job is run in other orders, too.
std::shared_ptr<MachineRun> play_on_machine(RunSpec spec,
                                            const std::atomic<bool>* cancel = nullptr);
void add_insight(MachineRun& machine_run);

// run_on_machine() in parts of some milliseconds, for a page of a browser, which has one thread.
class RunInParts {
  public:
    explicit RunInParts(RunSpec spec, const std::atomic<bool>* cancel = nullptr);
    // Does the next part: empty while there are more. Throws as run_on_machine().
    std::shared_ptr<MachineRun> go_on();

  private:
    enum class Part : std::uint8_t { begin, play, table, elsewhere, places, lanes, timeline };
    RunSpec spec_;
    const std::atomic<bool>* cancel_;
    Part part_ = Part::begin;
    std::shared_ptr<MachineRun> machine_run_;
    std::unique_ptr<RacesInOtherSchedules> elsewhere_;
    std::unique_ptr<BarrierPlaces> places_;
};

// Returns what shown_run() makes of the spec, run if its order is another one than the spec's.
JudgedRun judge_run(const RunSpec& spec, bool automatic, const std::optional<StepTable>& device,
                    const std::atomic<bool>* cancel);

// Says that its user cancelled something.

Problem run_cancelled();
Problem search_cancelled();

// Chooses the run of a kernel to show if the user chose no schedule, and compares the device with
// it.

struct ShownRun {
    SimulatorOptions options;  // to simulate() with
    DeviceComparison witness;
};

// `device`: its rows, or null. `automatic`: the user chose no order; then the schedule
// is
//
// - the one that the device recorded, if the rows differ from those of `asked`;
// - for a kernel that races by its header, one that goes wrong, if the device was lucky or there is
//   none, and such a one is found;
// - else that of `asked`.
//
// A recorded run is one of independent items, all groups at once, which is all that OpenCL
// guarantees; the search for one that goes wrong starts on the machine of `asked` and goes on with
// these. Throws Problem if the kernel does not allow this shape, and like run_cancelled().
ShownRun shown_run(const RunSpec& asked, bool automatic, const StepTable* device,
                   const std::atomic<bool>* cancel = nullptr);

// Answers requests in JSON that need no device.

// The shipped kernels, read again, with those of the request: "opened": [{"file", "text"}].
catalogue::Catalogue kernels_for(const nlohmann::json& asked);
// The one kernel of a request that holds a RunChoice.
catalogue::Kernel kernel_for(const nlohmann::json& asked);

// Every result over all schedules of the machine, of a RunChoice; "states", "bytes" and "samples"
// bound the search. Returns
// Outcomes; `on_progress` gets {"states", "samples", "results"}, counts so far. Throws
// Problem.
nlohmann::json outcomes_asked(const nlohmann::json& asked,
                              const std::function<void(const nlohmann::json&)>& on_progress);

// An order in which a variant that races by its header goes wrong, where that of the RunChoice is
// right. Returns a machine::MachineShape with "turns", or null if none was found. Throws Problem.
nlohmann::json wrong_order_asked(const nlohmann::json& asked,
                                 const std::function<void(const nlohmann::json&)>& on_progress);

// All of them by name: those two, and what `sizes`, `inputs` and `barriers` find of a RunChoice,
// whose input counts for `inputs` alone. "sizes" takes the map's "rows" and "columns", the usual
// ones where a kernel has no such pair; `on_progress` gets the map so far. They return a SizeMap,
// an InputSearchResult and a BarrierReport.
using RequestMethod = nlohmann::json (*)(const nlohmann::json& asked,
                                         const std::function<void(const nlohmann::json&)>&);
const std::map<std::string, RequestMethod>& requests();

}  // namespace lab::analysis
