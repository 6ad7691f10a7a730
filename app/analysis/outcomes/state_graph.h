// The states that a search has visited and the actions between them. Finds states from which no
// schedule ends, and cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lab::analysis {

class StateGraph {
  public:
    struct Step {
        std::uint32_t group = 0, warp = 0;
    };

    // States are numbered from 0, the start, without gaps. `step` leads from one to the other.
    void add(std::uint32_t from, std::uint32_t to, Step step) {
        edges_.push_back({from, to, step});
    }
    // The run ends there, or may end: what follows was not searched.
    void mark_ending(std::uint32_t state) { endings_.push_back(state); }
    std::uint64_t bytes() const {
        return edges_.size() * sizeof(Edge) + endings_.size() * sizeof(std::uint32_t);
    }

    struct Verdict {
        // The fewest steps from the start to a state from which no schedule ends; empty: there is
        // none.
        std::optional<std::vector<Step>> never_ends;
        // Some schedule goes round forever through states from which others end.
        bool may_go_round = false;
    };
    // `states`: how many there are, including the start.
    Verdict judge(std::uint32_t states) const;

  private:
    struct Edge {
        std::uint32_t from = 0, to = 0;
        Step step;
    };
    // Indices into edges_, sorted by one of their ends, and where each state's begin.
    struct Index {
        std::vector<std::uint32_t> begins, edges;
    };
    Index index_by(std::uint32_t Edge::*end, std::uint32_t states) const;
    std::vector<bool> ending_from(std::uint32_t states) const;
    std::optional<std::vector<Step>> way_outside(const std::vector<bool>& ending) const;
    bool goes_round(const std::vector<bool>& within) const;

    std::deque<Edge> edges_;  // a deque, so that growing moves nothing
    std::deque<std::uint32_t> endings_;
};

}  // namespace lab::analysis
