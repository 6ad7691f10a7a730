#include "analysis/outcomes/found_results.h"

#include <algorithm>
#include <utility>

namespace lab::analysis {

void FoundResults::note(const End& end, const SearchPath& path, std::uint64_t instructions) {
    PossibleResult* known = nullptr;
    if (known_.contains(end.ending.result)) {
        known = &*std::find_if(results_.begin(), results_.end(), [&](const PossibleResult& each) {
            return each.ending.result == end.ending.result;
        });
        if (known->instructions == 0) return;
    }
    PossibleResult result;
    result.ending = end.ending;
    result.fault = end.fault;
    result.turns = turns_of(path);
    result.instructions = beyond_budget(instructions);
    if (result.instructions > 0) wait_less(result, path);
    if (known == nullptr)
        add(std::move(result));
    else if (result.instructions < known->instructions)
        *known = std::move(result);  // without the patience, or with less
}

// The search waits as long as it can wherever it may: without the waits that lead nowhere else.
void FoundResults::wait_less(PossibleResult& result, SearchPath path) {
    if (const auto instructions =
            leave_out_skips(machine_, spins_, ending_, result.ending.result, path)) {
        result.turns = turns_of(path);
        result.instructions = beyond_budget(*instructions);
    }
}

std::uint64_t FoundResults::beyond_budget(std::uint64_t instructions) const {
    return instructions > machine_.budget() ? instructions : 0;
}

void FoundResults::add(PossibleResult result) {
    if (!known_.insert(result.ending.result).second) return;
    constexpr std::uint64_t kBesides = 128;  // of the tree's node and of allocations
    bytes_ += sizeof(PossibleResult) + 2 * result.ending.result.capacity() +
              result.turns.capacity() * sizeof(machine::Turn) + kBesides;
    results_.push_back(std::move(result));
}

void sort(std::vector<PossibleResult>& results) {
    const auto rank = [](const PossibleResult& result) {
        return result.never_ends                    ? 3
               : result.fault                       ? 2
               : result.ending.right.value_or(true) ? 0
                                                    : 1;
    };
    std::stable_sort(
        results.begin(), results.end(), [&](const PossibleResult& a, const PossibleResult& b) {
            return std::pair(rank(a), a.turns.size()) < std::pair(rank(b), b.turns.size());
        });
}

}  // namespace lab::analysis
