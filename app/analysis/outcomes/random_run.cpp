#include "analysis/outcomes/random_run.h"

#include <algorithm>

#include "analysis/outcomes/warp_actions.h"
#include "machine/schedule.h"

namespace lab::analysis {
namespace {

using machine::Choice;
using machine::State;

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15U) {}
    std::uint64_t below(std::uint64_t bound) {  // xorshift64*, Vigna 2016
        random_ ^= random_ >> 12U;
        random_ ^= random_ << 25U;
        random_ ^= random_ >> 27U;
        return (random_ * 0x2545f4914f6cdd1dU >> 32U) * bound >> 32U;
    }

  private:
    std::uint64_t random_;
};

}  // namespace

std::optional<RandomRun> random_run(machine::Machine& machine, const EndingOf& ending,
                                    std::uint64_t seed, std::vector<machine::Finding>* findings,
                                    const std::atomic<bool>* cancel, std::uint64_t& effort) {
    constexpr std::uint64_t kLongest = 24;  // actions a turn
    constexpr std::uint64_t kGroups = 16;   // whose turn is asked for in what an action takes
    if (effort == 0) return std::nullopt;
    RandomRun run;
    Chance chance(seed);
    State state;
    std::uint64_t spent = 0;  // instructions
    const auto spend = [&](std::uint64_t of) {
        effort -= std::min(effort, of + (state.steps - spent) / kUsualInstructions);
        spent = state.steps;
    };
    machine::Done parts;
    try {
        machine.start(state, findings);
        while (!machine.done(state)) {
            // It goes over all groups to choose one of them.
            spend(1 + state.groups.size() / kGroups);
            const Choice choice =
                machine::ready_choice(state, chance.below(machine::ready_warps(state)));
            const std::uint32_t group = state.groups[choice.slot]->id;
            const std::uint32_t launch = state.launch;
            run.turns.push_back({group, choice.warp, 0, 0});
            const std::uint64_t longest = seed % 2 == 0 ? 1 : 1 + chance.below(kLongest);
            for (std::uint64_t left = longest; left > 0; --left) {
                parts.clear();
                ++run.turns.back().count;
                machine.act(state, choice, parts, findings);
                spend(1);
                if (state.launch != launch || choice.slot >= state.groups.size() ||
                    state.groups[choice.slot]->id != group || !machine::is_ready(state, choice))
                    break;
            }
            if (effort == 0 || (cancel != nullptr && cancel->load())) return std::nullopt;
        }
        run.end = End{ending(machine, state), false};
    } catch (const machine::Fault& fault) {
        spend(1);
        if (cancel != nullptr && cancel->load()) return std::nullopt;
        if (fault.kind != machine::Fault::Kind::budget) run.end = End{{fault.what, {}}, true};
    }
    return run;
}

}  // namespace lab::analysis
