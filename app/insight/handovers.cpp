#include "insight/handovers.h"

#include <algorithm>

namespace lab {

void Handovers::clear() {
    cells_.clear();
    items_.clear();
    groups_.clear();
}

void Handovers::join(Known& into, const Known& from) {
    for (const auto& [cell, version] : from) {
        std::uint32_t& mine = into[cell];
        mine = std::max(mine, version);
    }
}

// What the group took over before its last barrier, all its items know.
Handovers::Party& Handovers::group_at(std::uint32_t group, std::uint32_t epoch) {
    Party& party = groups_[group];
    if (party.epoch != epoch) {
        join(party.known, party.pending);
        party.pending.clear();
        party.epoch = epoch;
    }
    return party;
}

Handovers::Known& Handovers::take(const History& history, std::uint64_t cell, const Event& event) {
    Known& mine = items_[event.item];
    join(mine, history.carried);
    mine[cell] = history.versions;
    join(group_at(event.group, event.epoch).pending, mine);
    return mine;
}

void Handovers::poll(std::uint64_t cell, const Event& event) {
    const auto found = cells_.find(cell);
    if (found != cells_.end()) take(found->second, cell, event);
}

void Handovers::atomic(std::uint64_t cell, const Event& event) {
    History& history = cells_[cell];
    const Known& mine = take(history, cell, event);
    join(history.carried, mine);
    join(history.carried, groups_[event.group].known);
    const Mark by_item{event.time, ++history.versions};
    history.by_item[event.item].push_back(by_item);
    std::vector<Mark>& marks = history.by_group[event.group];
    if (marks.empty() || marks.back().at != event.epoch)
        marks.push_back({event.epoch, history.versions});
}

bool Handovers::knows(const Known& known, const Event& before, bool by_group) const {
    for (const auto& [cell, version] : known) {
        const History& history = cells_.at(cell);
        const auto found = [&, most = version](const auto& marks, std::uint32_t of,
                                               std::uint32_t after) {
            const auto own = marks.find(of);
            if (own == marks.end()) return false;
            const auto mark = std::upper_bound(
                own->second.begin(), own->second.end(), after,
                [](std::uint32_t asked, const Mark& each) { return asked < each.at; });
            return mark != own->second.end() && mark->version <= most;
        };
        if (found(history.by_item, before.item, before.time)) return true;
        if (by_group && found(history.by_group, before.group, before.epoch)) return true;
    }
    return false;
}

bool Handovers::handed_over(const Event& before, const Event& now, bool by_group) const {
    if (cells_.empty()) return false;
    if (const auto mine = items_.find(now.item);
        mine != items_.end() && knows(mine->second, before, by_group))
        return true;
    const auto group = groups_.find(now.group);
    if (group == groups_.end()) return false;
    const Party& party = group->second;
    return knows(party.known, before, by_group) ||
           (party.epoch < now.epoch && knows(party.pending, before, by_group));
}

}  // namespace lab
