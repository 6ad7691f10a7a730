#include "analysis/outcomes/state_graph.h"

#include <algorithm>

namespace lab::analysis {

StateGraph::Index StateGraph::index_by(std::uint32_t Edge::*end, std::uint32_t states) const {
    Index index;
    index.begins.assign(std::size_t{states} + 1, 0);
    for (const Edge& edge : edges_)
        ++index.begins[edge.*end + 1];
    for (std::size_t i = 1; i < index.begins.size(); ++i)
        index.begins[i] += index.begins[i - 1];
    index.edges.resize(edges_.size());
    std::vector<std::uint32_t> next = index.begins;
    for (std::uint32_t i = 0; i < edges_.size(); ++i)
        index.edges[next[edges_[i].*end]++] = i;
    return index;
}

// Backwards from the endings.
std::vector<bool> StateGraph::ending_from(std::uint32_t states) const {
    const Index into = index_by(&Edge::to, states);
    std::vector<bool> ending(states, false);
    std::vector<std::uint32_t> left;
    const auto reach = [&](std::uint32_t state) {
        if (ending[state]) return;
        ending[state] = true;
        left.push_back(state);
    };
    for (const std::uint32_t each : endings_)
        reach(each);
    while (!left.empty()) {
        const std::uint32_t state = left.back();
        left.pop_back();
        for (std::uint32_t i = into.begins[state]; i < into.begins[state + 1]; ++i)
            reach(edges_[into.edges[i]].from);
    }
    return ending;
}

// Breadth first from the start.
std::optional<std::vector<StateGraph::Step>> StateGraph::way_outside(
    const std::vector<bool>& ending) const {
    if (std::find(ending.begin(), ending.end(), false) == ending.end()) return std::nullopt;
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    const Index from = index_by(&Edge::from, static_cast<std::uint32_t>(ending.size()));
    std::vector<std::uint32_t> by(ending.size(), kNone);  // the edge by which it was reached
    std::vector<std::uint32_t> reached{0};
    for (std::size_t index = 0; index < reached.size(); ++index) {
        std::uint32_t state = reached[index];
        if (!ending[state]) {
            std::vector<Step> way;
            for (; state != 0; state = edges_[by[state]].from)
                way.push_back(edges_[by[state]].step);
            std::reverse(way.begin(), way.end());
            return way;
        }
        for (std::uint32_t i = from.begins[state]; i < from.begins[state + 1]; ++i) {
            const std::uint32_t to = edges_[from.edges[i]].to;
            if (to == 0 || by[to] != kNone) continue;
            by[to] = from.edges[i];
            reached.push_back(to);
        }
    }
    return std::nullopt;
}

// What is left once all states have gone that nothing (left) leads to: Kahn's topological sort.
bool StateGraph::goes_round(const std::vector<bool>& within) const {
    const auto states = static_cast<std::uint32_t>(within.size());
    const Index from = index_by(&Edge::from, states);
    const auto inside = [&](const Edge& edge) { return within[edge.from] && within[edge.to]; };
    std::vector<std::uint32_t> leading(states, 0), free;
    for (const Edge& edge : edges_)
        if (inside(edge)) ++leading[edge.to];
    std::uint64_t left = 0;
    for (std::uint32_t state = 0; state < states; ++state) {
        if (!within[state]) continue;
        ++left;
        if (leading[state] == 0) free.push_back(state);
    }
    while (!free.empty()) {
        const std::uint32_t state = free.back();
        free.pop_back();
        --left;
        for (std::uint32_t i = from.begins[state]; i < from.begins[state + 1]; ++i) {
            const Edge& edge = edges_[from.edges[i]];
            if (inside(edge) && --leading[edge.to] == 0) free.push_back(edge.to);
        }
    }
    return left > 0;
}

StateGraph::Verdict StateGraph::judge(std::uint32_t states) const {
    const std::vector<bool> ending = ending_from(states);
    return {way_outside(ending), goes_round(ending)};
}

}  // namespace lab::analysis
