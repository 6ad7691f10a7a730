// A whole run, from the job to its end or fault, with a recording of what is asked for.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "machine/machine.h"
#include "machine/schedule.h"
#include "machine/trace.h"
namespace lab::machine {

struct Recording {
    bool trace = true;  // and checkpoints, for state_at()
    bool lineage = true;
    bool flow = false;                       // where conditions split warps, and when items ended
    std::uint64_t most_events = 16'000'000;  // actions and accesses in a trace; more end the run
    std::vector<Observer*> observers;
    const std::atomic<bool>* cancel = nullptr;  // set by others to stop the run
};

class Run {
  public:
    // Runs the job. A fault ends it and is kept, as is everything recorded until then. Throws
    // Problem if the job cannot begin, or the order's turns do not fit it.
    Run(Job job, SchedulingPolicy order, const Recording& recording = {});
    // The same in parts, for callers that have other work in between: begun(), then go_on() until
    // it returns false.
    static std::unique_ptr<Run> begun(Job job, SchedulingPolicy order, const Recording& recording);
    // Does at least `actions` more, or all that are left. Returns whether there are more.
    bool go_on(std::uint64_t actions);

    const Machine& machine() const { return *machine_; }
    // For trying what would come next from one of its states; only its lineage grows.
    Machine& machine() { return *machine_; }
    const Trace& trace() const { return trace_; }
    const State& end() const { return end_; }
    const std::optional<Fault>& fault() const { return fault_; }
    const std::vector<Finding>& findings() const { return findings_; }
    const Flow& flow() const { return flow_; }
    // Returns what was printed, in the order of the run.
    std::vector<Print> prints() const { return end_.prints.all(); }
    bool cancelled() const { return cancelled_; }

    // The state after `time` actions, at most trace().size(): replayed from the nearest checkpoint.
    State state_at(std::uint64_t time);

    // For any fault or finding: it points into the code of its launch.
    Problem problem(const Fault& fault) const;
    Problem problem(const Finding& finding) const;

  private:
    struct Player {  // while there is more to do
        Schedule schedule;
        Recording recording;
        bool started = false;
        StepResult done;
    };
    Run() = default;
    void prepare(Job job, SchedulingPolicy order, const Recording& recording);
    bool play(std::uint64_t actions);
    void notify(const StepResult& done, const Recording& recording);
    void tell_parts(const StepResult& done, std::size_t first, std::size_t end,
                    const Recording& recording);
    void checkpoint(const Recording& recording);
    void check_room(const Recording& recording) const;

    std::unique_ptr<Player> player_;
    std::unique_ptr<Machine> machine_;
    Trace trace_;
    State end_;
    std::optional<Fault> fault_;
    std::vector<Finding> findings_;
    Flow flow_;
    bool cancelled_ = false;
    std::vector<State> checkpoints_;
    std::uint64_t time_ = 0;                // actions reported
    std::uint64_t since_ = 0, stride_ = 0;  // actions and accesses since the last, between two
};

// Explains why a run does not end: which warps spin, and what each of them waits for.

// Completes a Fault of kind budget: runs the machine on for a while and looks at what repeats.
void explain_spin(Machine& machine, const State& state, Fault& fault);

}  // namespace lab::machine
