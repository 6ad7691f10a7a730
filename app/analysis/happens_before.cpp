#include "analysis/happens_before.h"

#include <algorithm>

namespace lab::analysis {

using lang::MemoryScope;

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

std::size_t HappensBefore::HashKey::operator()(const Key& key) const {
    std::uint64_t hash = key.word * 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 29U ^ key.since) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ hash >> 32U ^ (std::uint64_t{key.within} << 4U | key.channel)) *
           0x94d049bb133111ebU;
    return hash ^ hash >> 31U;
}

void HappensBefore::mark(Marks& marks, std::uint32_t whose, Mark mark) {
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

template <typename Value>
Value& HappensBefore::of(ByChannel<Value>& all, unsigned channel) {
    for (auto& [number, value] : all)
        if (number == channel) return value;
    return all.emplace_back(channel, Value{}).second;
}

// In OpenCL the device's scope is the group's in local memory.
MemoryScope HappensBefore::scope_in(MemoryScope scope, Via via) const {
    const bool local = !is_cuda_ && (space_ == lang::kFenceLocal) == (via == Via::own);
    if (local && scope == MemoryScope::device) return MemoryScope::group;
    return widened_ && !local ? MemoryScope::device : scope;
}

// The channels of what has this scope: in CUDA those of narrower scopes, too.
template <typename Call>
void HappensBefore::for_scopes(MemoryScope scope, Via via, Call call) const {
    bool within = false;
    for (const MemoryScope each : {MemoryScope::device, MemoryScope::group, MemoryScope::sub_group})
        if (within = (within && is_cuda_) || each == scope_in(scope, via); within)
            call(Channel{via, each});
}

// By which channels a fence with these flags releases or acquires.
template <typename Call>
void HappensBefore::for_channels(std::uint16_t flags, Call call) const {
    const MemoryScope scope = lang::scope_of(flags);
    if (scope == MemoryScope::item) return;
    const bool own = is_cuda_ || (flags & space_) != 0,
               other = (flags & 3U & ~unsigned{space_}) != 0;
    if (own) for_scopes(scope, Via::own, call);
    if (is_cuda_) return;
    if (own && other) for_scopes(scope, Via::both, call);
    if (other && (flags & lang::kSeqCst) != 0) for_scopes(scope, Via::sequential, call);
}

constexpr std::uint32_t kNoChain = ~std::uint32_t{0};

std::uint32_t HappensBefore::chain_of(const Cell& cell, std::uint64_t word, Channel channel,
                                      const Who& who, bool make) {
    const std::uint32_t within = channel.scope == MemoryScope::device  ? 0
                                 : channel.scope == MemoryScope::group ? who.group
                                                                       : who.warp;
    const Key key{word, cell.since, within, channel.index()};
    if (!make) {
        const auto found = chain_of_.find(key);
        return found == chain_of_.end() ? kNoChain : found->second;
    }
    const auto [at, news] = chain_of_.try_emplace(key, static_cast<std::uint32_t>(chains_.size()));
    if (news) chains_.emplace_back();
    return at->second;
}

void HappensBefore::add(std::uint32_t chain, const Who& who, const Release& release) {
    Chain& to = chains_[chain];
    if (release.time > 0) mark(to.by_item, who.item, {release.time, numbers_});
    if (release.epoch > 0) mark(to.by_group, who.group, {release.epoch, numbers_});
    to.carried.join(release.known);
}

void HappensBefore::add(Cell& cell, std::uint64_t word, Channel channel, const Who& who,
                        const Release& release) {
    cell.used = static_cast<std::uint16_t>(cell.used | 1U << channel.index());
    add(chain_of(cell, word, channel, who, true), who, release);
}

HappensBefore::Release HappensBefore::release_of(const Who& who, std::uint32_t time) const {
    Release release;
    release.time = time + 1;
    if (const auto item = items_.find(who.item); item != items_.end())
        release.known = item->second.known;
    const auto group = groups_.find(who.group);
    if (group == groups_.end()) return release;
    release.epoch = group->second.epoch;
    release.known.join(group->second.known);
    return release;
}

HappensBefore::Item& HappensBefore::listed(const Who& who) {
    Item& item = items_[who.item];
    if (!item.listed) groups_[who.group].items.push_back(who.item);
    item.listed = true;
    return item;
}

void HappensBefore::atomic(const Event& event, const Atomic& atomic) {
    const Who& who = event.who;
    Cell& cell = cells_[atomic.word];
    cell.wide = atomic.wide;
    const Via via = is_cuda_ || atomic.space == space_ ? Via::own : Via::sequential;
    // What is said of the atomic itself counts in its own memory, or where both sides are
    // sequential: by these channels, a bit of each.
    unsigned own = 0;
    if (via == Via::own || (atomic.order & lang::kSeqCst) != 0)
        for_scopes(lang::scope_of(atomic.order), via,
                   [&](Channel channel) { own |= 1U << channel.index(); });
    // Where a fence hands over by it, too, in CUDA.
    const unsigned reached = is_cuda_ ? own : ~0U;
    if (cell.used != 0 && (atomic.order & lang::kStoresOnly) == 0) {
        Item& item = listed(who);
        for (unsigned channel = 0; channel < kChannels; ++channel) {
            if (((cell.used & reached) >> channel & 1U) == 0) continue;
            const Channel each{static_cast<Via>(channel / 3),
                               static_cast<MemoryScope>(channel % 3)};
            const std::uint32_t chain = chain_of(cell, atomic.word, each, who, false);
            if (chain == kNoChain) continue;
            const auto read = [&](Clock& into) {
                into.raise(chain, numbers_);
                into.join(chains_[chain].carried);
            };
            read(of(item.seen, channel));
            if ((own >> channel & 1U) != 0 && (atomic.order & lang::kAcquires) != 0)
                read(item.known);
        }
    }
    if (!atomic.writes) return;
    ++numbers_;
    if ((atomic.order & lang::kStoresOnly) != 0) {
        std::vector<Head> heads = std::move(cell.heads);
        cell.heads.clear();
        cell.since = numbers_;
        cell.used = 0;
        for (Head& head : heads)
            if (head.who.item == who.item) {
                add(cell, atomic.word, head.channel, who, head.release);
                cell.heads.push_back(std::move(head));
            }
    }
    if (const auto item = items_.find(who.item); item != items_.end())
        for (const auto& [channel, release] : item->second.ready) {
            const Channel each{static_cast<Via>(channel / 3),
                               static_cast<MemoryScope>(channel % 3)};
            if ((each.via == Via::own) == (via == Via::own) && (reached >> channel & 1U) != 0)
                add(cell, atomic.word, each, who, release);
        }
    if (own == 0 || (atomic.order & lang::kReleases) == 0) return;
    const Release release = release_of(who, event.time);
    for_scopes(lang::scope_of(atomic.order), via, [&](Channel channel) {
        add(cell, atomic.word, channel, who, release);
        const auto head = std::find_if(cell.heads.begin(), cell.heads.end(), [&](const Head& each) {
            return each.who.item == who.item && each.channel.index() == channel.index();
        });
        if (head != cell.heads.end())
            head->release = release;
        else
            cell.heads.push_back({who, channel, release});
    });
}

void HappensBefore::plain_store(std::uint64_t word) {
    if (cells_.empty()) return;
    const auto end = [&](std::uint64_t which) {
        const auto cell = cells_.find(which);
        if (cell == cells_.end() || (which != word && !cell->second.wide)) return;
        cell->second.since = ++numbers_;
        cell->second.used = 0;
        cell->second.heads.clear();
    };
    end(word);
    if ((word & 1U) != 0) end(word - 1);
}

void HappensBefore::acquire(const Who& who, std::uint16_t flags) {
    const auto found = items_.find(who.item);
    if (found == items_.end()) return;
    for_channels(flags, [&](Channel channel) {
        for (auto& [number, clock] : found->second.seen)
            if (number == channel.index()) {
                found->second.known.join(clock);
                clock.clear();
            }
    });
}

void HappensBefore::fence(const Who& who, std::uint16_t flags, std::uint32_t time) {
    if ((flags & lang::kAcquires) != 0) acquire(who, flags);
    if ((flags & lang::kReleases) == 0) return;
    std::optional<Release> release;
    for_channels(flags, [&](Channel channel) {
        if (!release) release = release_of(who, time);
        of(items_[who.item].ready, channel.index()) = *release;
    });
}

void HappensBefore::arrive(const Who& who, std::uint16_t flags, std::uint32_t time) {
    fence(who, static_cast<std::uint16_t>(flags | lang::kReleases), time);
}

void HappensBefore::sub_group_barrier(const Who& first, std::uint64_t lanes, std::uint16_t flags,
                                      std::uint32_t time) {
    const auto each = [&](auto call) {
        for (const std::uint32_t lane : machine::set_bits(lanes))
            call(Who{first.item + lane, first.group, first.warp});
    };
    const auto entry = static_cast<std::uint16_t>(flags & ~unsigned{lang::kAcquires});
    each([&](const Who& who) { fence(who, entry, time); });
    if ((flags & space_) != 0) {
        const auto [at, news] = chain_of_lanes_.try_emplace(
            {first.warp, lanes}, static_cast<std::uint32_t>(chains_.size()));
        if (news) chains_.emplace_back();
        ++numbers_;
        const std::uint32_t chain = at->second;
        each([&](const Who& who) { add(chain, who, release_of(who, time)); });
        each([&](const Who& who) {
            Item& item = listed(who);
            item.known.raise(chain, numbers_);
            item.known.join(chains_[chain].carried);
        });
    }
    each([&](const Who& who) { acquire(who, flags); });
}

void HappensBefore::barrier(std::uint32_t group, std::uint16_t flags) {
    Group& all = groups_[group];
    const auto acquire_all = [&] {  // others have nothing to acquire
        for (const std::uint32_t number : all.items)
            acquire({number, group, 0}, flags);
    };
    if (widened_) acquire_all();
    if ((flags & space_) != 0) {
        ++all.epoch;
        for (const std::uint32_t number : all.items) {
            Item& item = items_[number];
            all.known.join(item.known);
            item.known.clear();
        }
        std::erase_if(all.items, [&](std::uint32_t number) {
            Item& item = items_[number];
            item.listed = std::any_of(item.seen.begin(), item.seen.end(), [](const auto& each) {
                return !each.second.known().empty();
            });
            return !item.listed;
        });
    }
    acquire_all();
}

bool HappensBefore::knows(const Clock& clock, const Event& before) const {
    for (const auto& [number, most] : clock.known()) {
        const Chain& chain = chains_[number];
        if (has(chain.by_item, before.who.item, before.time, most) ||
            has(chain.by_group, before.who.group, before.epoch, most))
            return true;
    }
    return false;
}

bool HappensBefore::ordered(const Event& before, const Event& now) const {
    if (chains_.empty()) return false;
    if (const auto item = items_.find(now.who.item); item != items_.end())
        if (knows(item->second.known, before)) return true;
    const auto group = groups_.find(now.who.group);
    return group != groups_.end() && knows(group->second.known, before);
}

using lang::Op;
using machine::ActionKind;

static std::size_t column_of(ActionKind kind) {
    return kind == ActionKind::load ? 0 : kind == ActionKind::store ? 1 : 2;
}

ProgramOrder::ProgramOrder(const lang::Code& code) : spots_(code.places.size()) {
    std::vector<std::array<bool, 3>> known(spots_.size());
    std::uint32_t loops = 0, loop = 0;
    for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
        const lang::Instruction& instruction = code.instructions[i];
        if (instruction.op == Op::next_pass) loop = instruction.imm != 0 ? 0 : ++loops;
        const auto note = [&](std::size_t column) {
            if (known[instruction.place][column]) return;
            known[instruction.place][column] = true;
            spots_[instruction.place][column] = {i, loop};
        };
        if (instruction.op == Op::load || instruction.op == Op::group_copy) note(0);
        if (instruction.op == Op::store || instruction.op == Op::group_copy) note(1);
        if (instruction.op == Op::atomic) note(2);
    }
}

ProgramOrder::Position ProgramOrder::position(std::uint32_t place, ActionKind kind,
                                              std::uint32_t turn) const {
    const Spot& spot = spots_[place][column_of(kind)];
    return {spot.loop, spot.loop == 0 ? 0 : turn, spot.at};
}

}  // namespace lab::analysis
