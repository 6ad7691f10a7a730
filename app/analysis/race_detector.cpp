#include "analysis/race_detector.h"

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

// Work-items whose last accesses are kept of each cell and place, to tell of their races.
constexpr unsigned kKept = 4, kKeptWithAtomics = 16;
// Of a group they stand for all in the archive, where barriers alone order: one of them is another
// work-item than whoever comes later.
constexpr unsigned kArchived = 2;
// Accesses that a search for races keeps, some 200 MB; more are forgotten, and that is said.
constexpr std::size_t kMostArchived = 4'000'000;
// Accesses of a cell that a search for races keeps; of more, the lines are not told apart.
constexpr std::size_t kMostRecent = 512;
// Pairs of lines that race; that there are more is said.
constexpr std::size_t kMostRaces = 1000;
constexpr std::size_t kFewRecent = 64;  // as kMostRecent, once there are so many races

ActionKind kind_of(const Race::Side& side) {
    return side.atomic ? ActionKind::atomic : side.writes ? ActionKind::store : ActionKind::load;
}

std::uint64_t local_key(std::uint32_t group, std::size_t object) {
    return std::uint64_t{group} << 8U | object;
}

// What orders work-items besides plain barriers.
struct Orders {
    bool any = false;         // fences or atomics
    bool narrow = false;      // some of it has a smaller scope than the device's
    bool sub_groups = false;  // barriers of sub-groups
    bool atomics = false;     // some hand over
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
    return {any, any && narrow, sub_groups, atomics && handed};
}

}  // namespace

void RaceDetector::begin(const machine::Machine& machine) {
    machine_ = &machine;
    context_ = nullptr;
    time_ = serial_ = 0;
    left_out_ = forgot_ = handed_over_ = legacy_between_groups_ = ended_before_barrier_ = false;
    failed_ = copies_ = 0;
    atomic_order_ = lang::kPlainAtomic;
    copy_began_ = 0;
    compared_ = 0;
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
    happens_before_ = {HappensBefore(lang::kFenceLocal, code.is_cuda),
                       HappensBefore(lang::kFenceGlobal, code.is_cuda)};
    if_wider_.reset();
    if (orders.narrow) if_wider_.emplace(lang::kFenceGlobal, code.is_cuda, true);
    by_lanes_.clear();
    if (orders.sub_groups && orders.atomics)
        by_lanes_.assign(happens_before_.begin(), happens_before_.end());
    lanes_alone_ = orders.sub_groups && !orders.atomics;
    atomics_in_ = 0;
    arrived_.clear();
    intervals_.assign(orders.sub_groups ? std::size_t{context_->groups} * context_->warps : 0, {});
    written_.assign(machine_->job().buffers.size(), false);
    for (std::size_t i = 1; i < context_->objects.size(); ++i) {  // 0 is no object
        const ObjectInfo& object = context_->objects[i];
        if (object.space == machine::Space::global && !object.read_only)
            written_[object.buffer] = true;
    }
    forget_cells();
    found_.clear();
}

void RaceDetector::forget_cells() {
    archived_ = 0;
    global_.clear();
    global_.resize(machine_->job().buffers.size());
    local_cells_.clear();
    local_key_ = ~std::uint64_t{0};
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

// Of two that `happens_before_` orders.
bool RaceDetector::ordered_by_lanes(const Touch& before, const Touch& now) const {
    return lanes_alone_ || (!by_lanes_.empty() &&
                            by_lanes_[local_ ? 0 : 1].ordered(event_of(before), event_of(now)));
}

bool RaceDetector::ordered_if_wider(const Touch& before, const Touch& now) const {
    return if_wider_ && !local_ && before.copy == 0 && now.copy == 0 &&
           if_wider_->ordered(event_of(before), event_of(now));
}

bool RaceDetector::indivisible(const Touch& before, const Touch& now) {
    if (!before.atomic || !now.atomic) return false;
    // Each is indivisible for its own object; of another size it is another one (C11 5.1.2.4).
    if (lang::info(before.type).bytes != lang::info(now.type).bytes) return false;
    const auto scope = [&](const Touch& touch) {
        const lang::MemoryScope own = lang::scope_of(touch.order);
        return local_ && own == lang::MemoryScope::device ? lang::MemoryScope::group : own;
    };
    const auto includes_both = [&](lang::MemoryScope of) {
        return of == lang::MemoryScope::device ||
               (of == lang::MemoryScope::group && group_of(before) == group_of(now)) ||
               (of == lang::MemoryScope::sub_group && who(before.item).warp == who(now.item).warp);
    };
    // OpenCL asks for the same scope (3.0, 3.3.4), CUDA for scopes of which each includes the
    // other.
    const bool cuda = context_->code->is_cuda;
    if ((!cuda && scope(before) != scope(now)) || !includes_both(scope(before)) ||
        !includes_both(scope(now)))
        return false;
    legacy_between_groups_ =
        legacy_between_groups_ || (((before.order | now.order) & lang::kLegacyAtomic) != 0 &&
                                   group_of(before) != group_of(now));
    return true;
}

Race::Pair RaceDetector::pair_of(const Touch& before, const Touch& now, std::uint64_t index,
                                 bool adjacent) const {
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
    pair.adjacent = adjacent;
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
    if (two_writes && alike) pair.before = before.after;
    pair.taken = !now.writes || !alike ? now.before : before.after;
    pair.unwritten = now.writes ? before.unwritten : now.unwritten;
    if (pair.swapped) std::swap(pair.first, pair.second);
    if (pair.swapped && two_writes) std::swap(pair.before, pair.after);
    return pair;
}

void RaceDetector::report(const Touch& before, const Touch& now, std::uint64_t index, bool adjacent,
                          bool by_atomics) {
    const Race::Pair pair = pair_of(before, now, index, adjacent);
    const std::uint32_t local = context_->local, lanes = context_->lanes;
    const bool across = group_of(before) != group_of(now);
    const unsigned key = (pair.first.writes ? 1U : 0U) | (pair.second.writes ? 2U : 0U) |
                         (across ? 4U : 0U) | (by_atomics ? 8U : 0U);
    const std::tuple places{pair.first.place, pair.second.place, key};
    if (races_.size() >= kMostRaces && !found_.contains(places)) {
        left_out_ = true;
        return;
    }
    const auto [at, news] = found_.try_emplace(places, races_.size());
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
    race.same_value = race.same_value && before.writes && now.writes && !before.atomic &&
                      !now.atomic && pair.before == pair.after && before.type == now.type;
    race.lockstep = race.lockstep && !across && before.copy == 0 && now.copy == 0 &&
                    before.item % local / lanes == now.item % local / lanes &&
                    before.time != now.time;  // of one instruction in any order
    race.one_turn = race.one_turn && before.turn == now.turn;
    race.narrow_scope = race.narrow_scope && ordered_if_wider(before, now);
    race.atomics_in = atomics_in_;
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
    if (before.copy == 0 && now.copy == 0)
        return before.epoch == now.epoch &&
               (before.interval == now.interval || who(before.item).warp != who(now.item).warp);
    if (before.copy == now.copy) return false;  // parts of one
    if (before.copy == 0) return before.epoch >= now.epoch;
    // A copy that is done; concurrent is only another one that had begun by then.
    return now.copy != 0 && before.time > copy_began_;
}

bool RaceDetector::meet(const Touch& before, const Touch& now, std::uint64_t index, bool adjacent,
                        bool tell) {
    if ((before.bytes & now.bytes) == 0 || (!before.writes && !now.writes) ||
        (before.item == now.item && before.copy == now.copy) || indivisible(before, now))
        return false;
    if (group_of(before) == group_of(now) && !concurrent(before, now)) return false;
    const bool by_atomics = ordered_by_atomics(before, now);
    if (by_atomics && ordered_by_lanes(before, now)) return false;
    handed_over_ = handed_over_ || by_atomics;
    if (tell || !by_atomics) report(before, now, index, adjacent, by_atomics);
    return !by_atomics;
}

// Whether those bytes were not written since. `written` of a crowd is of all its accesses; the two
// of a cell without one are the last ones there.
bool RaceDetector::is_current(const Cell& cell, const Touch& touch, std::uint8_t bytes) {
    const unsigned of = touch.bytes & bytes;
    if (cell.more) {
        for (const unsigned byte : machine::set_bits(of))
            if (cell.more->written[byte] > touch.serial) return false;
        return true;
    }
    for (std::uint32_t i = 0; i < cell.count; ++i) {
        const Touch& other = cell.first[i];
        if (other.writes && other.serial > touch.serial && (other.bytes & of) != 0) return false;
    }
    return true;
}

void RaceDetector::compare(Cell& cell, const Touch& now, std::uint64_t index) {
    const bool one_group = local_ || context_->groups == 1;
    if (!cell.more) {
        for (std::uint32_t i = 0; i < cell.count; ++i)
            meet(cell.first[i], now, index, is_current(cell, cell.first[i], now.bytes), true);
    } else {
        Crowd& crowd = *cell.more;
        compared_ += crowd.recent.size();
        // That this cell has a race is enough where there are too many to tell each.
        const bool one_is_enough = crowd.coarse || races_.size() >= kMostRaces;
        bool enough = false;
        for (std::size_t i = 0; i < crowd.recent.size() && !enough; ++i) {
            const Touch& before = crowd.recent[i];
            enough = meet(before, now, index, is_current(cell, before, now.bytes), true) &&
                     one_is_enough;
        }
        left_out_ = left_out_ || enough;
        if (!crowd.older.empty() && !enough) ask_archive(crowd, now, index);
        if (now.writes)
            for (const unsigned byte : machine::set_bits(now.bytes))
                crowd.written[byte] = now.serial;
    }
    keep(cell, now, one_group);
}

// One race of each place, across groups and within the group, that those kept have not shown.
// Atomics of the device's scope are indivisible for each other wherever they are. Of a narrower
// one, on either side, the first of its kind tells nothing of those of another group: in CUDA
// scopes need not be the same.
void RaceDetector::ask_archive(Crowd& crowd, const Touch& now, std::uint64_t index) {
    for (const Archive& archive : crowd.older) {
        const Touch& kind = archive.kind;
        if ((kind.bytes & now.bytes) == 0 || (!kind.writes && !now.writes)) continue;
        if (kind.atomic && now.atomic && indivisible(kind, now) &&
            lang::scope_of(kind.order) == lang::MemoryScope::device &&
            lang::scope_of(now.order) == lang::MemoryScope::device)
            continue;
        const auto meets = [&](const Touch& before) {
            bool current = true;
            for (const unsigned byte : machine::set_bits(before.bytes & now.bytes))
                current = current && crowd.written[byte] <= before.serial;
            return meet(before, now, index, current, false);
        };
        const std::vector<Touch>& all = archive.touches;
        const auto [first, end] = std::equal_range(
            all.begin(), all.end(), now,
            [&](const Touch& a, const Touch& b) { return group_of(a) < group_of(b); });
        std::any_of(first, end, meets);
        if (!std::any_of(all.begin(), first, meets)) std::any_of(end, all.end(), meets);
    }
}

bool RaceDetector::alike(const Touch& a, const Touch& b, bool coarse) {
    return (coarse || a.place == b.place) && a.writes == b.writes && a.atomic == b.atomic &&
           a.bytes == b.bytes && (a.copy != 0) == (b.copy != 0) &&
           lang::scope_of(a.order) == lang::scope_of(b.order);
}

// What comes later and races with an older access of the same work-item at the same place races
// with this one, too; the same with one before a barrier of this group.
void RaceDetector::keep(Cell& cell, const Touch& now, bool one_group) {
    unsigned kept = 0, together = 0;
    bool one_warp = true;
    Touch* place = nullptr;
    Touch* oldest = nullptr;
    const std::uint32_t group = one_group ? 0 : group_of(now);
    const auto warp = [&](const Touch& touch) {
        return touch.item % context_->local / context_->lanes;
    };
    const bool coarse = cell.more && cell.more->coarse;
    const auto look = [&](Touch& each) {
        if (!alike(each, now, coarse)) return;
        ++kept;
        if (oldest == nullptr || each.serial < oldest->serial) oldest = &each;
        if (each.item == now.item && each.copy == now.copy) place = &each;
        if (now.copy != 0 || (!one_group && group_of(each) != group)) return;
        if (each.epoch != now.epoch && place == nullptr) place = &each;
        if (each.epoch != now.epoch) return;
        ++together;
        one_warp = one_warp && (each.item == now.item || warp(each) == warp(now));
    };
    if (!cell.more)
        for (std::uint32_t i = 0; i < cell.count; ++i)
            look(cell.first[i]);
    else
        for (Touch& each : cell.more->recent)
            look(each);
    if (place != nullptr) {
        *place = now;
        return;
    }
    if (!cell.more && cell.count < 2) {
        cell.first[cell.count++] = now;
        return;
    }
    if (!cell.more) {
        cell.more = std::make_unique<Crowd>();
        cell.more->recent.assign(cell.first.begin(), cell.first.end());
        for (const Touch& each : {cell.first[0], cell.first[1], now})
            for (const unsigned byte : machine::set_bits(each.writes ? each.bytes : 0U))
                cell.more->written[byte] = std::max(cell.more->written[byte], each.serial);
    }
    Crowd& crowd = *cell.more;
    if (kept >= (has_atomic_order_ ? kKeptWithAtomics : kKept)) {
        if (together > 1 && one_warp) {
            archive(crowd, now);
            return;
        }
        archive(crowd, std::exchange(*oldest, now));
        return;
    }
    // Where no further pair can be told, the places need not be told apart, either.
    const std::size_t most = races_.size() >= kMostRaces ? kFewRecent : kMostRecent;
    crowd.coarse = crowd.coarse || crowd.recent.size() >= most;
    crowd.recent.push_back(now);
}

void RaceDetector::clear(Cell& cell) {
    for (const Archive& archive : cell.more->older)
        archived_ -= archive.touches.size();
    cell.more.reset();
}

void RaceDetector::archive(Crowd& crowd, const Touch& touch) {
    auto archive = std::find_if(crowd.older.begin(), crowd.older.end(), [&](const Archive& each) {
        return alike(each.kind, touch, crowd.coarse);
    });
    if (archive == crowd.older.end()) {
        crowd.older.push_back({touch, {}});
        archive = crowd.older.end() - 1;
    }
    std::vector<Touch>& all = archive->touches;
    const std::uint32_t group = group_of(touch);
    const auto before = [&](const Touch& a, std::uint32_t of) { return group_of(a) < of; };
    const auto first = std::lower_bound(all.begin(), all.end(), group, before);
    auto end = first;
    unsigned together = 0;
    for (; end != all.end() && group_of(*end) == group; ++end) {
        if (touch.copy == 0 && (end->item == touch.item || end->epoch < touch.epoch)) {
            if (end->serial < touch.serial) *end = touch;
            return;
        }
        if (touch.copy == 0 && end->epoch > touch.epoch) return;
        ++together;
    }
    if (!has_atomic_order_ && touch.copy == 0 && together >= kArchived) {
        // One of each of two warps, if there are two: what lockstep orders is told from the rest.
        const auto warp = [&](const Touch& of) { return who(of.item).warp; };
        if (warp(*first) == warp(*(first + 1)) && warp(touch) != warp(*first)) *first = touch;
        return;
    }
    if (archived_ >= kMostArchived) {
        forgot_ = true;
        return;
    }
    ++archived_;
    all.insert(end, touch);
}

void RaceDetector::arrive(const Action& action) {
    const std::uint32_t first = action.group * context_->local + action.warp * context_->lanes;
    if (lang::scope_of(action.object) != lang::MemoryScope::group)
        for (const std::uint32_t lane : machine::set_bits(action.mask))
            for_orders(
                [&](HappensBefore& each) { each.arrive(who(first + lane), action.object, time_); });
    if (++arrived_[action.group] == context_->warps) open(action.group, action.object);
}

void RaceDetector::open(std::uint32_t group, std::uint16_t flags) {
    arrived_[group] = 0;
    for_barriers([&](HappensBefore& each) { each.barrier(group, flags); });
}

// The local memory of a group that has ended.
void RaceDetector::forget(std::uint32_t group) {
    for (std::size_t i = 1; i < context_->objects.size(); ++i) {
        if (context_->objects[i].space != machine::Space::local) continue;
        const auto cells = local_cells_.find(local_key(group, i));
        if (cells == local_cells_.end()) continue;
        for (Cell& cell : cells->second) {
            cell.count = 0;
            if (cell.more) clear(cell);
        }
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
    if (detail.kind == machine::Detail::Kind::grid) {
        forget_cells();
        return;
    }
    if (detail.kind == machine::Detail::Kind::opened) {
        ended_before_barrier_ = true;
        if (has_atomic_order_) open(detail.group, static_cast<std::uint16_t>(detail.flags));
        return;
    }
    if (!has_atomic_order_) return;
    const std::uint32_t first = detail.group * context_->local + detail.warp * context_->lanes;
    const auto flags = static_cast<std::uint16_t>(detail.flags);
    // One that all lanes come to ends an interval of them all, as a group's barrier does.
    if ((flags & lang::kTogether) != 0 &&
        static_cast<unsigned>(std::popcount(detail.mask)) == context_->lanes_in(detail.warp))
        for (unsigned space = 0; space < 2; ++space)
            intervals_[who(first).warp][space] += flags >> space & 1U;
    if ((flags & lang::kTogether) != 0)
        for_barriers([&](HappensBefore& each) {
            each.sub_group_barrier(who(first), detail.mask, flags, time_);
        });
    else
        for_orders([&](HappensBefore& each) {
            for (const std::uint32_t lane : machine::set_bits(detail.mask))
                each.fence(who(first + lane), flags, time_);
        });
}

void RaceDetector::observe(const Action& action, std::span<const Access> accesses, bool) {
    if (context_ == nullptr || context_->launch != action.launch) begin_launch(action.launch);
    const std::uint64_t failed = std::exchange(failed_, 0);
    ++time_;
    if (!accesses.empty()) touch(action, accesses, failed);
    atomic_order_ = lang::kPlainAtomic;
    if (!accesses.empty() || action.kind != ActionKind::barrier) return;
    if (static_cast<unsigned>(std::popcount(action.mask)) < context_->lanes_in(action.warp))
        ended_before_barrier_ = true;
    if (has_atomic_order_) arrive(action);
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
    if (now.atomic) atomics_in_ |= local_ ? lang::kFenceLocal : lang::kFenceGlobal;
    // In words of all objects.
    const std::uint64_t word =
        (local_ ? std::uint64_t{1} << 63U | std::uint64_t{action.group} << 40U |
                      std::uint64_t{action.object} << 32U
                : std::uint64_t{object.buffer} << 40U) |
        byte >> 2U;
    for_orders([&](HappensBefore& each) {
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
    });
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
    // Of a cell: all, or those of an access that is narrower than it.
    const unsigned cell_bytes = 1U << object.shift;
    const std::uint32_t interval =
        intervals_.empty() ? 0 : intervals_[who(first).warp][local_ ? 0 : 1];
    std::uint8_t bytes = 0xff;
    const Access* access = accesses.data();
    for (const std::uint32_t lane : machine::set_bits(action.mask)) {
        // In place: to copy what was just written costs more than writing it.
        const auto set = [&](Touch& now) {
            now.before = access->before;
            now.after = access->after;
            now.item = first + lane;
            now.epoch = epoch;
            now.place = action.place;
            now.pass = action.pass;
            now.time = time_;
            now.serial = ++serial_;
            now.turn = action.turn;
            now.interval = interval;
            now.type = action.type;
            now.writes = action.kind != ActionKind::load && (failed >> lane & 1U) == 0;
            now.atomic = action.kind == ActionKind::atomic;
            now.unwritten = action.kind == ActionKind::load && access->node == machine::kUnwritten;
            now.order = static_cast<std::uint16_t>(now.atomic && !now.writes &&
                                                           atomic_order_ >> lang::kFailureShift != 0
                                                       ? atomic_order_ >> lang::kFailureShift
                                                       : atomic_order_);
            now.bytes = bytes;
            now.copy = action.copies != 0 ? copies_ : 0;
        };
        for (unsigned left = action.count; left > 0; --left, ++access) {
            const std::uint64_t byte = std::uint64_t{access->index} * size;
            const std::uint64_t index = byte >> object.shift;
            if (size < cell_bytes)
                bytes = static_cast<std::uint8_t>(((1U << size) - 1U) << (byte % cell_bytes));
            if (has_atomic_order_ && action.kind != ActionKind::load) {
                Touch now;
                set(now);
                note_order(action, object, now, byte);
            }
            for (std::uint64_t k = index; k < index + wide; ++k) {
                Cell& cell = cells[k];
                if (cell.count == 0 ||
                    (one_group && action.copies == 0 && cell.first[0].epoch != epoch)) {
                    if (cell.more) clear(cell);
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
