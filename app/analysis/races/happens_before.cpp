#include "analysis/races/happens_before.h"

#include <algorithm>

#include "lang/code/code.h"

namespace lab::analysis {

void HappensBefore::Clock::raise(std::uint32_t chain, std::uint32_t number) {
    const auto position = std::lower_bound(known_.begin(), known_.end(), std::pair(chain, 0U));
    if (position == known_.end() || position->first != chain)
        known_.insert(position, {chain, number});
    else
        position->second = std::max(position->second, number);
}

void HappensBefore::Clock::join(const Clock& other) {
    if (other.known_.size() <= 2) {
        for (const auto& [chain, number] : other.known_)
            raise(chain, number);
        return;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
    both.reserve(known_.size() + other.known_.size());
    auto mine = known_.begin();
    for (const auto& theirs : other.known_) {
        while (mine != known_.end() && mine->first < theirs.first)
            both.push_back(*mine++);
        const bool same = mine != known_.end() && mine->first == theirs.first;
        both.emplace_back(theirs.first,
                          same ? std::max(mine->second, theirs.second) : theirs.second);
        if (same) ++mine;
    }
    both.insert(both.end(), mine, known_.end());
    known_ = std::move(both);
}

void HappensBefore::clear() {
    atomics_ = 0;
    chains_.clear();
    chain_of_.clear();
    items_.clear();
    groups_.clear();
}

void HappensBefore::add(Marks& marks, std::uint32_t whose, Mark mark) {
    std::vector<Mark>& all = marks[whose];
    if (all.empty() || all.back().until < mark.until) all.push_back(mark);
}

bool HappensBefore::has(const Marks& marks, std::uint32_t whose, std::uint32_t index,
                        std::uint32_t most) {
    const auto own = marks.find(whose);
    if (own == marks.end()) return false;
    const auto mark =
        std::upper_bound(own->second.begin(), own->second.end(), index,
                         [](std::uint32_t asked, const Mark& each) { return asked < each.until; });
    return mark != own->second.end() && mark->number <= most;
}

std::uint32_t HappensBefore::atomic(const Event& event, std::uint16_t space) {
    const unsigned which = space == space_ ? 0 : 1;
    const auto [at, first] =
        chain_of_.try_emplace(event.cell, static_cast<std::uint32_t>(chains_.size()));
    if (first) {
        chains_.emplace_back();
        chains_.back().cell = event.cell;
        chains_.back().begin = chains_.back().last = atomics_;
    }
    Chain& chain = chains_[at->second];
    if (chain.last > chain.begin) {
        Item& item = items_[event.item];
        item.seen[which].raise(at->second, chain.last);
        item.seen[which].join(chain.carried);
        if (!item.listed) groups_[event.group].items.push_back(event.item);
        item.listed = true;
    }
    ++atomics_;
    if (!event.writes) return atomics_;
    chain.last = atomics_;
    release(chain, event, which);
    return atomics_;
}

void HappensBefore::release(Chain& chain, const Event& event, unsigned which) {
    const auto all = [&](const Release& of) {
        if (of.time > 0) add(chain.by_item, event.item, {of.time, atomics_});
        if (of.epoch > 0) add(chain.by_group, event.group, {of.epoch, atomics_});
        chain.carried.join(of.known);
    };
    if (const auto group = groups_.find(event.group); group != groups_.end())
        all(group->second.release[which]);
    const auto item = items_.find(event.item);
    if (item == items_.end()) return;
    all(item->second.release[which]);
    if (const std::uint32_t until = item->second.writes_until[which]; until > 0)
        add(chain.writes_by_item, event.item, {until, atomics_});
}

void HappensBefore::plain_store(std::uint64_t cell) {
    chain_of_.erase(cell);
}

void HappensBefore::fence(std::uint32_t item, std::uint32_t group, std::uint16_t flags,
                          std::uint32_t time) {
    if (!fences(flags, 0)) return;
    Item& mine = items_[item];
    const bool full = (flags & lang::kFenceReads) != 0 && (flags & lang::kFenceWrites) != 0;
    for (const unsigned which : {0U, 1U}) {
        if (!fences(flags, which) || (flags & lang::kFenceReads) == 0) continue;
        (full ? mine.known : mine.known_to_reads).join(mine.seen[which]);
        if (full) mine.seen[which].clear();
    }
    if ((flags & lang::kFenceWrites) == 0) return;
    const auto found = groups_.find(group);
    for (const unsigned which : {0U, 1U}) {
        if (!fences(flags, which)) continue;
        if (!full) {
            mine.writes_until[which] = time + 1;
            continue;
        }
        Release& release = mine.release[which];
        release.time = time + 1;
        release.known = mine.known;
        if (found == groups_.end()) continue;
        release.epoch = found->second.epoch;
        release.known.join(found->second.known);
    }
}

void HappensBefore::barrier(std::uint32_t group, std::uint16_t flags) {
    if (!fences(flags, 0)) return;
    Group& all = groups_[group];
    ++all.epoch;
    std::vector<std::uint32_t> left;
    for (const std::uint32_t number : all.items) {
        Item& item = items_[number];
        all.known.join(item.known);
        item.known.clear();
        for (const unsigned which : {0U, 1U}) {
            if (!fences(flags, which)) continue;
            all.known.join(item.seen[which]);
            item.seen[which].clear();
        }
        item.listed = !item.seen[1].known().empty();
        if (item.listed) left.push_back(number);
    }
    all.items = std::move(left);
    for (const unsigned which : {0U, 1U})
        if (fences(flags, which)) all.release[which] = {0, all.epoch, all.known};
}

bool HappensBefore::knows(const Clock& clock, const Event& before) const {
    for (const auto& [number, most] : clock.known()) {
        const Chain& chain = chains_[number];
        if (before.atomic > chain.begin && before.atomic <= most && before.cell == chain.cell &&
            before.writes)
            return true;
        if (has(chain.by_item, before.item, before.time, most) ||
            has(chain.by_group, before.group, before.epoch, most) ||
            (before.writes && has(chain.writes_by_item, before.item, before.time, most)))
            return true;
    }
    return false;
}

bool HappensBefore::ordered(const Event& before, const Event& now) const {
    if (chains_.empty()) return false;
    if (const auto item = items_.find(now.item); item != items_.end())
        if (knows(item->second.known, before) ||
            (!now.writes && knows(item->second.known_to_reads, before)))
            return true;
    const auto group = groups_.find(now.group);
    return group != groups_.end() && knows(group->second.known, before);
}

}  // namespace lab::analysis
