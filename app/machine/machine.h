// The virtual device: states, and the one way from a state to the next.
#pragma once

#include <memory>
#include <vector>

#include "machine/context.h"
#include "machine/execute/executor.h"
#include "machine/fault.h"

namespace lab::machine {

// A warp of a state: `slot` is a place in State::groups.
struct Choice {
    std::size_t slot = 0;
    std::uint32_t warp = 0;
};

class Machine {
  public:
    // Throws Problem where the job cannot run. Without lineage values carry none, and it is faster.
    explicit Machine(Job job, bool lineage = true);

    const Job& job() const { return job_; }
    const Context& context(std::uint32_t launch) const { return *contexts_[launch]; }
    const Lineage& lineage() const { return lineage_; }
    std::uint64_t budget() const { return budget_; }

    // Before the first action, every warp of the resident groups in front of its own. Throws Fault;
    // then `state` is what came to be until it.
    void start(State& state, std::vector<Finding>* findings = nullptr);
    State start();

    bool done(const State& state) const { return state.launch >= job_.launches.size(); }

    // Lets that warp, which must be ready, do its next action, and all that follows of itself: the
    // warp stands before its next action then, a full barrier opens, a finished group makes room.
    // Adds what happened to `done`. Throws Fault; then the state is of no use but to be looked at.
    void act(State& state, const Choice& choice, Done& done,
             std::vector<Finding>* findings = nullptr);

    // The same for the lowest ready warp of that group, then for the one that is it by then, until
    // the group has ended or `done` has so many parts.
    void act_in_order(State& state, std::size_t slot, std::size_t parts, Done& done,
                      std::vector<Finding>* findings = nullptr);

    // What a ready warp would do next.
    const lang::Instruction& next(const State& state, const Choice& choice) const;
    // The objects that it would touch then, one a lane that runs; see Context::objects.
    std::vector<std::uint64_t> next_objects(const State& state, const Choice& choice) const;

    // The element of a buffer, as a register holds it.
    std::uint64_t value(const State& state, std::size_t buffer, std::uint64_t index) const;
    std::vector<std::byte> bytes(const State& state, std::size_t buffer) const;

    void set_budget(std::uint64_t budget) { budget_ = budget; }
    // From now on tells `flow`, until another is set; nothing: nobody.
    void set_flow(Flow* flow) { flow_ = flow; }

  private:
    Surroundings surroundings(State& state, std::vector<Finding>* findings, Done* done);
    // Calls it with the two parameters of the executors of a launch's warps.
    template <typename Call>
    void with_kind(std::uint32_t launch, Call call);
    // One action of that warp. Where `done` has fewer parts than `parts`, more follow up to its
    // barrier, at which others that stand there arrive with it: it is the lowest ready one then.
    template <bool kLineage, bool kOneLane>
    void act_as(const Surroundings& around, Group& group, std::uint32_t index, std::size_t parts);
    template <bool kLineage, bool kOneLane>
    void arrive(const Surroundings& around, Group& group, std::uint32_t index, std::size_t parts);
    template <bool kLineage, bool kOneLane>
    void release(const Surroundings& around, Group& group);
    template <bool kLineage>
    void compute_together(State& state, Group& group, const lang::Instruction& of);
    void settle(State& state, std::size_t slot, Done& done, std::vector<Finding>* findings);
    void fill(State& state, std::vector<Finding>* findings);
    void begin(State& state, Group& group, std::uint32_t id, std::vector<Finding>* findings);
    PagedBuffer paged(const Buffer& buffer, std::uint32_t number, State& state);

    Job job_;
    bool with_lineage_;
    Lineage lineage_;
    std::uint64_t budget_;
    Flow* flow_ = nullptr;
    std::vector<std::unique_ptr<Context>> contexts_;
};

}  // namespace lab::machine
