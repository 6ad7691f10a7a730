// The virtual device: states, and the only way from one state to the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lang/dataflow.h"
#include "machine/executor.h"
#include "machine/job.h"
#include "machine/state.h"
namespace lab::machine {

// A warp in a state: `slot` is an index in State::groups.
struct WarpRef {
    std::size_t slot = 0;
    std::uint32_t warp = 0;
};

class Machine {
  public:
    // Throws Problem if the job cannot run. Without lineage it is faster.
    explicit Machine(Job job, bool lineage = true);

    const Job& job() const { return job_; }
    const Context& context(std::uint32_t launch) const { return *contexts_[launch]; }
    const Lineage& lineage() const { return lineage_; }
    std::uint64_t budget() const { return budget_; }
    // Returns the index space of all its launches, to name work-items and groups; where they
    // differ, numbers are names.
    IndexSpace space() const;

    // Makes `state` the initial one, with every warp of the resident groups in front of its first
    // action. Throws Fault; `state` is then what had been reached.
    void start(State& state, std::vector<Finding>* findings = nullptr);

    bool done(const State& state) const { return state.launch >= job_.launches.size(); }

    // Runs the next action of that warp, which must be ready, and everything that follows from it:
    // the warp moves on to its next action, a complete barrier opens, a finished group makes room.
    // Adds what happened to `done`. Throws Fault; the state is then only good for inspection.
    void act(State& state, const WarpRef& choice, StepResult& done,
             std::vector<Finding>* findings = nullptr);

    // The same for the lowest ready warp of that group, repeatedly, until the group has ended or
    // `done` has at least `parts` parts.
    void act_in_order(State& state, std::size_t slot, std::size_t parts, StepResult& done,
                      std::vector<Finding>* findings = nullptr);

    // Returns what a ready warp would do next.
    const lang::Instruction& next(const State& state, const WarpRef& choice) const;
    // The objects that this action would touch, one per active lane; see Context::objects.
    std::vector<std::uint64_t> next_objects(const State& state, const WarpRef& choice) const;

    // The element of a buffer, as a register holds it.
    std::uint64_t value(const State& state, std::size_t buffer, std::uint64_t index) const;
    std::vector<std::byte> bytes(const State& state, std::size_t buffer) const;

    void set_budget(std::uint64_t budget) { budget_ = budget; }
    // Reports to `flow` from now on; null: to nobody.
    void set_flow(Flow* flow) { flow_ = flow; }
    // Another thread sets it to stop what runs: a Fault of kind budget. Null: nobody does.
    void set_cancel(const std::atomic<bool>* cancel) { cancel_ = cancel; }

    // True if the groups of that launch come to their first actions without a fault.
    bool groups_begin(std::uint32_t launch);

  private:
    ExecutionContext execution_context(State& state, std::vector<Finding>* findings,
                                       StepResult* done);
    // Calls `call` with the two template arguments of the executors for a launch.
    template <typename Call>
    void with_kind(std::uint32_t launch, Call call);
    // One action of that warp. While `done` has fewer than `parts` parts, it goes on to its
    // barrier, where others standing there arrive with it; it must be the lowest ready warp then.
    template <bool kLineage, bool kOneLane>
    void act_as(const ExecutionContext& execution, Group& group, std::uint32_t index,
                std::size_t parts);
    template <bool kLineage, bool kOneLane>
    void arrive(const ExecutionContext& execution, Group& group, std::uint32_t index,
                std::size_t parts);
    template <bool kLineage, bool kOneLane>
    void release(const ExecutionContext& execution, Group& group);
    template <bool kLineage, bool kOneLane>
    void finish_copies(const ExecutionContext& execution, Group& group,
                       const lang::Instruction& instruction);
    template <bool kLineage>
    void compute_together(State& state, Group& group, const lang::Instruction& instruction);
    void settle(State& state, std::size_t slot, StepResult& done, std::vector<Finding>* findings);
    void open_grid(State& state, StepResult& done, std::vector<Finding>* findings);
    void fill(State& state, std::vector<Finding>* findings);
    void begin(State& state, Group& group, std::uint32_t id, std::vector<Finding>* findings);
    void add_program_variables();
    void name_members();
    PagedBuffer paged(const Buffer& buffer, std::uint32_t number, State& state);

    Job job_;
    bool with_lineage_;
    Lineage lineage_;
    std::uint64_t budget_;
    Flow* flow_ = nullptr;
    const std::atomic<bool>* cancel_ = nullptr;
    std::vector<std::unique_ptr<Context>> contexts_;
};

// Keys of states: states with the same future share one. Searches of all schedules remember keys.

struct StateKeyHash {
    std::size_t operator()(const StateKey& key) const { return key.low; }
};

// For one machine, which must outlive it. A key omits what neither a work-item nor a result can
// ever show again: registers and masks that are dead where a warp stands (liveness.h errs towards
// keeping), buffers that nobody writes, counts of time and barriers, lineage, and who printed
// first. It has which bytes were written, since results and findings tell these from others with
// the same value. The number of events given out is omitted: an event is only ever compared with
// others of its group, and a new one is new under any number.
class StateKeys {
  public:
    explicit StateKeys(const Machine& machine);
    StateKey of(const State& state) const;
    const lang::Liveness& liveness(std::uint32_t launch) const { return *liveness_[launch]; }

  private:
    const Machine& machine_;
    std::vector<bool> written_;                                    // by buffer
    std::vector<std::shared_ptr<const lang::Liveness>> liveness_;  // one per launch
};

}  // namespace lab::machine
