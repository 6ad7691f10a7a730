#include "analysis/races/race_detector.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace lab::analysis {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;

namespace {

// Work-items that are kept of each cell and place: two would tell whether there is a race where
// barriers alone order; more, since an atomic may order some of them.
constexpr unsigned kKept = 4, kKeptWithAtomics = 16;

ActionKind kind_of(const Race::Side& side) {
    return side.atomic ? ActionKind::atomic : side.writes ? ActionKind::store : ActionKind::load;
}

std::uint64_t local_key(std::uint32_t group, std::size_t object) {
    return std::uint64_t{group} << 8U | object;
}

// What orders work-items besides plain barriers.
struct Orders {
    bool any = false, narrow = false;  // narrow: some of it has a smaller scope than the device's
};
Orders orders_in(const lang::Code& code) {
    constexpr unsigned kEither = lang::kAcquires | lang::kReleases;
    bool atomics = false, handed = false, sub_groups = false, narrow = false;
    for (const lang::Instruction& each : code.instructions) {
        const bool atomic = each.op == lang::Op::atomic, fence = each.op == lang::Op::fence;
        const auto flags = static_cast<std::uint16_t>(atomic ? each.imm : each.extra);
        const lang::MemoryScope scope = lang::scope_of(flags);
        atomics = atomics || atomic;
        sub_groups = sub_groups || (fence && (flags & lang::kTogether) != 0);
        handed = handed || fence || (atomic && (flags & kEither) != 0) ||
                 (each.op == lang::Op::barrier && scope != lang::MemoryScope::group);
        narrow = narrow || ((fence || atomic) && scope != lang::MemoryScope::device);
    }
    const bool any = sub_groups || (atomics && handed);
    return {any, any && narrow};
}

}  // namespace

template <typename Each>
void RaceDetector::for_each(Cell& cell, Each each) {
    const std::uint32_t inside = std::min<std::uint32_t>(cell.count, 2);
    for (std::uint32_t i = 0; i < inside; ++i)
        each(cell.first[i]);
    if (cell.count > 2)
        for (Touch& touch : *cell.more)
            each(touch);
}

void RaceDetector::begin(const machine::Machine& machine) {
    machine_ = &machine;
    context_ = nullptr;
    time_ = 0;
    failed_ = copies_ = 0;
    atomic_order_ = lang::kPlainAtomic;
    copy_began_ = 0;
    races_.clear();
}

void RaceDetector::begin_launch(std::uint32_t launch) {
    context_ = &machine_->context(launch);
    const lang::Code& code = *context_->code;
    order_.emplace(code);
    // Launches are ordered: what was touched before is forgotten. Buffers that two arguments name
    // share their cells.
    const Orders orders = orders_in(code);
    has_atomic_order_ = orders.any;
    for (HappensBefore& each : happens_before_)
        each.clear();
    if_wider_.reset();
    if (orders.narrow && context_->groups > 1) if_wider_.emplace(lang::kFenceGlobal, true);
    arrived_.clear();
    written_.assign(machine_->job().buffers.size(), false);
    for (std::size_t i = 1; i < context_->objects.size(); ++i) {  // 0 is no object
        const ObjectInfo& object = context_->objects[i];
        if (object.space == machine::Space::global && !object.read_only)
            written_[object.buffer] = true;
    }
    global_.clear();
    global_.resize(machine_->job().buffers.size());
    local_cells_.clear();
    local_key_ = ~std::uint64_t{0};
    found_.clear();
}

RaceDetector::Cells& RaceDetector::cells_of(const Action& action, const ObjectInfo& object) {
    const std::size_t count = (object.bytes >> object.shift) + 1;
    if (object.space == machine::Space::global) {
        Cells& cells = global_[object.buffer];
        if (cells.empty()) cells.resize(count);
        return cells;
    }
    const std::uint64_t key = local_key(action.group, action.object);
    return key == local_key_ ? *last_local_ : local_cells(key, count);
}

RaceDetector::Cells& RaceDetector::local_cells(std::uint64_t key, std::size_t count) {
    const auto [at, news] = local_cells_.try_emplace(key);
    Cells& cells = at->second;
    if (news && !spare_.empty()) {
        cells = std::move(spare_.back());
        spare_.pop_back();
        for (Cell& cell : cells)
            cell.count = 0;
    }
    if (cells.size() != count) cells.resize(count);
    local_key_ = key;
    last_local_ = &cells;
    return cells;
}

HappensBefore::Who RaceDetector::who(std::uint32_t item) const {
    const std::uint32_t group = item / context_->local;
    return {item, group,
            group * context_->warps + (item - group * context_->local) / context_->lanes};
}

HappensBefore::Event RaceDetector::event_of(const Touch& touch) const {
    return {who(touch.item), touch.epoch, touch.time};
}

bool RaceDetector::ordered_by_atomics(const Touch& before, const Touch& now) const {
    if (!has_atomic_order_ || before.copy != 0 || now.copy != 0) return false;
    return happens_before_[local_ ? 0 : 1].ordered(event_of(before), event_of(now));
}

bool RaceDetector::ordered_if_wider(const Touch& before, const Touch& now) const {
    return if_wider_ && !local_ && before.copy == 0 && now.copy == 0 &&
           if_wider_->ordered(event_of(before), event_of(now));
}

bool RaceDetector::indivisible(const Touch& before, const Touch& now) const {
    if (!before.atomic || !now.atomic) return false;
    const auto scope = [&](const Touch& touch) {
        const lang::MemoryScope own = lang::scope_of(touch.order);
        return local_ && own == lang::MemoryScope::device ? lang::MemoryScope::group : own;
    };
    if (scope(before) != scope(now)) return false;
    switch (scope(now)) {
        case lang::MemoryScope::device:
            return true;
        case lang::MemoryScope::group:
            return group_of(before) == group_of(now);
        case lang::MemoryScope::sub_group:
            return who(before.item).warp == who(now.item).warp;
        default:
            return false;
    }
}

Race::Pair RaceDetector::pair_of(const Touch& before, const Touch& now, std::uint64_t index) const {
    const auto side = [](const Touch& touch) {
        return Race::Side{touch.place,  touch.item,   touch.pass,     touch.turn,
                          touch.writes, touch.atomic, touch.copy != 0};
    };
    const auto position = [&](const Race::Side& of) {
        return order_->position(of.place, kind_of(of), of.turn);
    };
    Race::Pair pair;
    pair.first = side(before);
    pair.second = side(now);
    pair.swapped = ProgramOrder::comes_before(position(pair.second), position(pair.first));
    pair.adjacent = before.current;
    pair.object = action_->object;
    pair.cell = index;
    pair.type = action_->type;
    pair.time = time_;
    const bool two_writes = before.writes && now.writes;
    const bool alike = before.type == now.type;
    const Touch& write = now.writes ? now : before;
    pair.before = write.before;
    pair.after = write.after;
    if (!now.writes && pair.adjacent) pair.after = now.before;
    if (two_writes && !pair.adjacent && alike) pair.before = before.after;
    pair.taken = !now.writes || !alike ? now.before : before.after;
    if (pair.swapped) std::swap(pair.first, pair.second);
    if (pair.swapped && two_writes) std::swap(pair.before, pair.after);
    return pair;
}

void RaceDetector::report(const Touch& before, const Touch& now, std::uint64_t index) {
    const bool by_atomics = ordered_by_atomics(before, now);
    const Race::Pair pair = pair_of(before, now, index);
    const std::uint32_t local = context_->local, lanes = context_->lanes;
    const bool across = group_of(before) != group_of(now);
    const unsigned key = (pair.first.writes ? 1U : 0U) | (pair.second.writes ? 2U : 0U) |
                         (across ? 4U : 0U) | (by_atomics ? 8U : 0U);
    const auto [at, news] =
        found_.try_emplace({pair.first.place, pair.second.place, key}, races_.size());
    if (news) {
        Race race;
        race.launch = action_->launch;
        race.across_groups = across;
        race.by_atomics = by_atomics;
        race.example = pair;
        races_.push_back(race);
    }
    Race& race = races_[at->second];
    if (!pair.adjacent) {
        ++race.apart;
    } else {
        if (race.in_order + race.swapped == 0) race.example = pair;
        ++(pair.swapped ? race.swapped : race.in_order);
        if (pair.swapped && pair.before != pair.after) {
            if (race.mattered == 0) race.example = pair;
            ++race.mattered;
        }
    }
    race.same_value = race.same_value && before.writes && now.writes && pair.before == pair.after &&
                      (pair.adjacent || before.type == now.type);
    race.lockstep = race.lockstep && !across && before.copy == 0 && now.copy == 0 &&
                    before.item % local / lanes == now.item % local / lanes;
    race.one_turn = race.one_turn && before.turn == now.turn;
    race.narrow_scope = race.narrow_scope && ordered_if_wider(before, now);
    if (pair.adjacent || race.in_order + race.swapped == 0) add_spot(race, pair);
}

void RaceDetector::add_spot(Race& race, const Race::Pair& pair) const {
    if (race.spots.size() >= Race::kMostSpots) return;
    Race::Spot spot;
    spot.object = pair.object;
    spot.group = action_->group;
    spot.pass = pair.first.writes ? pair.second.pass : pair.first.pass;
    spot.cell = pair.cell;
    const auto same = race.spots.lower_bound(spot);
    if (same != race.spots.end() && same->object == spot.object && same->group == spot.group &&
        same->pass == spot.pass && same->cell == spot.cell)
        return;
    spot.other_pass = pair.first.writes ? pair.first.pass : pair.second.pass;
    spot.first = pair.first.item;
    spot.second = pair.second.item;
    race.spots.insert(spot);
}

bool RaceDetector::concurrent(const Touch& before, const Touch& now) const {
    if (before.copy == 0 && now.copy == 0) return before.epoch == now.epoch;
    if (before.copy == now.copy) return false;  // parts of one
    if (before.copy == 0) return before.epoch >= now.epoch;
    // A copy that is done; concurrent is only another one that had begun by then.
    return now.copy != 0 && before.time > copy_began_;
}

void RaceDetector::compare(Cell& cell, const Touch& now, std::uint64_t index) {
    const bool one_group = local_ || context_->groups == 1;
    for_each(cell, [&](const Touch& before) {
        if ((!before.writes && !now.writes) || indivisible(before, now) ||
            (before.item == now.item && before.copy == now.copy))
            return;
        if (concurrent(before, now) || (!one_group && group_of(before) != group_of(now)))
            report(before, now, index);
    });
    if (now.writes) for_each(cell, [](Touch& each) { each.current = false; });
    keep(cell, now, one_group);
}

// What comes later and races with an older access of the same work-item at the same place races
// with this one, too; the same with one before a barrier of this group.
void RaceDetector::keep(Cell& cell, const Touch& now, bool one_group) {
    unsigned alike = 0, together = 0;
    bool one_warp = true;
    Touch* place = nullptr;
    Touch* oldest = nullptr;
    const std::uint32_t group = one_group ? 0 : group_of(now);
    const auto warp = [&](const Touch& touch) {
        return touch.item % context_->local / context_->lanes;
    };
    for_each(cell, [&](Touch& each) {
        if (each.place != now.place || each.writes != now.writes || each.atomic != now.atomic ||
            lang::scope_of(each.order) != lang::scope_of(now.order))
            return;
        ++alike;
        if (oldest == nullptr || each.time < oldest->time) oldest = &each;
        if (each.item == now.item) place = &each;
        if (!one_group && group_of(each) != group) return;
        if (each.epoch != now.epoch && place == nullptr) place = &each;
        if (each.epoch != now.epoch) return;
        ++together;
        one_warp = one_warp && (each.item == now.item || warp(each) == warp(now));
    });
    if (place == nullptr && alike >= (has_atomic_order_ ? kKeptWithAtomics : kKept)) {
        if (together > 1 && one_warp) return;
        place = oldest;
    }
    if (place != nullptr) {
        *place = now;
        return;
    }
    if (cell.count < 2) {
        cell.first[cell.count] = now;
    } else {
        if (!cell.more) cell.more = std::make_unique<std::vector<Touch>>();
        cell.more->push_back(now);
    }
    ++cell.count;
}

void RaceDetector::arrive(const Action& action) {
    const std::uint32_t first = action.group * context_->local;
    const auto each_order = [&](auto call) {
        for (HappensBefore& each : happens_before_)
            call(each);
        if (if_wider_) call(*if_wider_);
    };
    if (lang::scope_of(action.object) != lang::MemoryScope::group)
        for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1) {
            const unsigned lane = action.warp * context_->lanes +
                                  static_cast<unsigned>(std::countr_zero(lanes));
            each_order([&](HappensBefore& each) {
                each.arrive(who(first + lane), action.object, time_);
            });
        }
    std::uint32_t& warps = arrived_[action.group];
    if (++warps < context_->warps) return;
    warps = 0;
    each_order([&](HappensBefore& each) {
        each.barrier(action.group, first, context_->local, action.object);
    });
}

// The local memory of a group that has ended.
void RaceDetector::forget(std::uint32_t group) {
    for (std::size_t i = 1; i < context_->objects.size(); ++i) {
        if (context_->objects[i].space != machine::Space::local) continue;
        const auto cells = local_cells_.find(local_key(group, i));
        if (cells == local_cells_.end()) continue;
        spare_.push_back(std::move(cells->second));
        local_cells_.erase(cells);
    }
    local_key_ = ~std::uint64_t{0};
    arrived_.erase(group);
}

void RaceDetector::detail(const machine::Detail& detail) {
    if (context_ == nullptr || context_->launch != detail.launch) begin_launch(detail.launch);
    if (detail.kind == machine::Detail::Kind::failed) {
        failed_ = detail.mask;
        return;
    }
    if (detail.kind == machine::Detail::Kind::order) {
        atomic_order_ = detail.flags;
        return;
    }
    if (detail.kind == machine::Detail::Kind::copy) {
        ++copies_;
        copy_began_ = detail.mask;
        return;
    }
    if (detail.kind == machine::Detail::Kind::ended) {
        forget(detail.group);
        return;
    }
    if (!has_atomic_order_) return;
    const std::uint32_t first = detail.group * context_->local + detail.warp * context_->lanes;
    const auto flags = static_cast<std::uint16_t>(detail.flags);
    const auto pass = [&](HappensBefore& each) {
        if ((flags & lang::kTogether) != 0)
            each.sub_group_barrier(who(first), detail.mask, flags, time_);
        else
            for (std::uint64_t lanes = detail.mask; lanes != 0; lanes &= lanes - 1)
                each.fence(who(first + static_cast<unsigned>(std::countr_zero(lanes))), flags,
                           time_);
    };
    for (HappensBefore& each : happens_before_)
        pass(each);
    if (if_wider_) pass(*if_wider_);
}

void RaceDetector::observe(const Action& action, std::span<const Access> accesses, bool) {
    if (context_ == nullptr || context_->launch != action.launch) begin_launch(action.launch);
    const std::uint64_t failed = std::exchange(failed_, 0);
    ++time_;
    if (!accesses.empty()) touch(action, accesses, failed);
    atomic_order_ = lang::kPlainAtomic;
    if (!accesses.empty()) return;
    if (has_atomic_order_ && action.kind == ActionKind::barrier) arrive(action);
}

void RaceDetector::observe_all(std::span<const machine::Part> parts,
                               std::span<const Access> accesses) {
    for (const machine::Part& part : parts)
        RaceDetector::observe(part.action, accesses.subspan(part.first, part.end - part.first),
                              part.continues);
}

// Tells of it who keeps the order by atomics. `byte`: where it begins in its object.
void RaceDetector::note_order(const Action& action, const ObjectInfo& object, const Touch& now,
                              std::uint64_t byte) {
    if (!now.writes && !now.atomic) return;
    // In words of all objects.
    const std::uint64_t word =
        (local_ ? std::uint64_t{1} << 63U | std::uint64_t{action.group} << 40U |
                      std::uint64_t{action.object} << 32U
                : std::uint64_t{object.buffer} << 40U) |
        byte >> 2U;
    const auto tell = [&](HappensBefore& each) {
        if (!now.atomic) {
            each.plain_store(word);
            if (lang::info(now.type).bytes == 8) each.plain_store(word + 1);
            return;
        }
        HappensBefore::Atomic atomic;
        atomic.space = local_ ? lang::kFenceLocal : lang::kFenceGlobal;
        atomic.word = word;
        atomic.wide = lang::info(now.type).bytes == 8;
        atomic.order = now.order;
        atomic.writes = now.writes;
        each.atomic(event_of(now), atomic);
    };
    for (HappensBefore& each : happens_before_)
        tell(each);
    if (if_wider_) tell(*if_wider_);
}

void RaceDetector::touch(const Action& action, std::span<const Access> accesses,
                         std::uint64_t failed) {
    const ObjectInfo& object = context_->objects[action.object];
    if (object.space == machine::Space::constant) return;
    local_ = object.space == machine::Space::local;
    if (!local_ && !written_[object.buffer]) return;
    action_ = &action;
    Cells& cells = cells_of(action, object);
    const std::uint32_t epoch = local_ ? action.epoch_local : action.epoch_global;
    const std::uint32_t first = action.group * context_->local + action.warp * context_->lanes;
    // All of them are of this group: what came before its last barrier is over.
    const bool one_group = local_ || context_->groups == 1;
    // In units of the object's elements, which the access may be wider or narrower than.
    const unsigned size = lang::info(action.type).bytes;
    const std::uint64_t wide = std::max<std::uint64_t>(1, size >> object.shift);
    const Access* access = accesses.data();
    for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        // In place: to copy what was just written costs more than writing it.
        const auto set = [&](Touch& now) {
            now.before = access->before;
            now.after = access->after;
            now.item = first + lane;
            now.epoch = epoch;
            now.place = action.place;
            now.pass = action.pass;
            now.time = time_;
            now.turn = action.turn;
            now.type = action.type;
            now.writes = action.kind != ActionKind::load && (failed >> lane & 1U) == 0;
            now.atomic = action.kind == ActionKind::atomic;
            now.order = static_cast<std::uint16_t>(
                now.atomic && !now.writes && atomic_order_ >> lang::kFailureShift != 0
                    ? atomic_order_ >> lang::kFailureShift
                    : atomic_order_);
            now.current = true;
            now.copy = action.copies != 0 ? copies_ : 0;
        };
        for (unsigned left = action.count; left > 0; --left, ++access) {
            const std::uint64_t byte = std::uint64_t{access->index} * size;
            const std::uint64_t index = byte >> object.shift;
            if (has_atomic_order_) {
                Touch now;
                set(now);
                note_order(action, object, now, byte);
            }
            for (std::uint64_t k = index; k < index + wide; ++k) {
                Cell& cell = cells[k];
                if (cell.count == 0 ||
                    (one_group && action.copies == 0 && cell.first[0].epoch != epoch)) {
                    if (cell.more) cell.more->clear();
                    cell.count = 1;
                    Touch& now = cell.first[0];
                    set(now);
                } else {
                    Touch now;
                    set(now);
                    compare(cell, now, k);
                }
            }
        }
    }
}

}  // namespace lab::analysis
