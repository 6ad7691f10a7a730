#include "analysis/outcomes/search_path.h"

namespace lab::analysis {

using machine::Choice;
using machine::Turn;

namespace {

// That a path takes. Nothing: it does not lead to that result, or cannot be gone.
std::optional<std::uint64_t> instructions_to(machine::Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             const SearchPath& path) {
    machine::State state;
    machine::Done done;
    std::uint64_t skipped = 0;
    try {
        machine.start(state);
        for (const PathPart& part : path) {
            const auto slot = machine::slot_of(state, part.turn.group);
            if (!slot || !machine::is_ready(state, {*slot, part.turn.warp})) return std::nullopt;
            const Choice choice{*slot, part.turn.warp};
            done.clear();
            if (!part.skipped) {
                machine.act(state, choice, done);
                continue;
            }
            const auto skip = spins.skip(state, choice);
            if (!skip || skip->actions != part.turn.count) return std::nullopt;
            skipped += skip->instructions;
        }
    } catch (const machine::Fault& fault) {
        if (fault.what != result) return std::nullopt;
        return state.steps + skipped;
    }
    if (!machine.done(state) || ending(machine, state).result != result) return std::nullopt;
    return state.steps + skipped;
}

}  // namespace

std::vector<Turn> turns_of(const SearchPath& path) {
    std::vector<Turn> turns;
    for (const PathPart& part : path)
        if (!turns.empty() && turns.back().group == part.turn.group &&
            turns.back().warp == part.turn.warp)
            turns.back().count += part.turn.count;
        else
            turns.push_back(part.turn);
    return turns;
}

std::optional<std::uint64_t> leave_out_skips(machine::Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             SearchPath& path) {
    std::optional<std::uint64_t> fewest;
    for (std::size_t i = path.size(); i-- > 0;) {
        if (!path[i].skipped) continue;
        SearchPath tried = path;
        tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
        const auto instructions = instructions_to(machine, spins, ending, result, tried);
        if (!instructions) continue;
        path = std::move(tried);
        fewest = instructions;
    }
    return fewest;
}

}  // namespace lab::analysis
