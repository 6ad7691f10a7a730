#include "insight/race_detector.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace lab {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;

namespace {

ActionKind kind_of(const Race::Side& side) {
    return side.atomic ? ActionKind::atomic : side.writes ? ActionKind::store : ActionKind::load;
}

}  // namespace

void RaceDetector::begin(const machine::Machine& machine) {
    machine_ = &machine;
    context_ = nullptr;
    time_ = 0;
    races_.clear();
}

void RaceDetector::begin_launch(std::uint32_t launch) {
    context_ = &machine_->context(launch);
    order_.emplace(*context_->code);
    // Launches are ordered: what was touched before is forgotten. Buffers that two arguments name
    // share their cells.
    handovers_.clear();
    more_.clear();
    const auto& code = context_->code->instructions;
    has_atomics_ = std::any_of(code.begin(), code.end(), [](const lang::Instruction& each) {
        return each.op == lang::Op::atomic;
    });
    global_.assign(machine_->job().buffers.size(), {});
    local_.clear();
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
    const std::uint64_t key = std::uint64_t{action.group} << 8U | action.object;
    if (key != local_key_) {
        // Groups that have ended are never heard of again; without a bound on those that run at
        // once there is none on these.
        const std::size_t resident = machine_->job().config.resident;
        if (resident != 0 && local_.size() > 64 * (resident + 1) && !local_.contains(key))
            local_.clear();
        Cells& cells = local_[key];
        if (cells.empty()) cells.resize(count);
        local_key_ = key;
        local_cells_ = &cells;
    }
    return *local_cells_;
}

bool RaceDetector::unordered(const Touch& before, const Touch& now) const {
    if (!before.known || before.item == now.item || (before.atomic && now.atomic)) return false;
    const bool same_group = before.item / context_->local == now.item / context_->local;
    return !same_group || before.epoch == now.epoch;
}

void RaceDetector::report(const Touch& before, bool before_writes, const Touch& now,
                          bool now_writes, std::uint64_t index,
                          std::array<std::uint64_t, 2> values) {
    const auto side = [](const Touch& of, bool writes) {
        return Race::Side{of.place, of.item, of.pass, of.turn, writes, of.atomic};
    };
    Race::Pair pair;
    pair.first = side(before, before_writes);
    pair.second = side(now, now_writes);
    const auto position = [&](const Race::Side& of) {
        return order_->position(of.place, kind_of(of), of.turn);
    };
    pair.swapped = TextOrder::comes_before(position(pair.second), position(pair.first));
    pair.object = action_->object;
    pair.cell = index;
    pair.type = action_->type;
    pair.before = values[0];
    pair.after = values[1];
    pair.time = time_;
    const bool two_writes = before_writes && now_writes;
    if (pair.swapped) std::swap(pair.first, pair.second);
    if (pair.swapped && two_writes) std::swap(pair.before, pair.after);

    const std::uint32_t local = context_->local, lanes = context_->lanes;
    const std::uint32_t groups[] = {before.item / local, now.item / local};
    const bool across = groups[0] != groups[1];
    const bool global = context_->objects[action_->object].space == machine::Space::global;
    // An atomic function hands itself over.
    const std::uint32_t since = before.time - (before.atomic ? 1 : 0);
    const bool by_atomics =
        handovers_.handed_over({before.item, groups[0], before.epoch, since},
                               {now.item, groups[1], action_->epoch_global, now.time}, global);
    const unsigned key = (pair.first.writes ? 1U : 0U) | (pair.second.writes ? 2U : 0U) |
                         (across ? 4U : 0U) | (by_atomics ? 8U : 0U);
    const auto [at, news] =
        found_.try_emplace({pair.first.place, pair.second.place, key}, races_.size());
    if (news) {
        Race made;
        made.launch = action_->launch;
        made.across_groups = across;
        made.by_atomics = by_atomics;
        made.example = pair;
        races_.push_back(made);
    }
    Race& race = races_[at->second];
    ++(pair.swapped ? race.swapped : race.in_order);
    if (pair.swapped && pair.before != pair.after) {
        if (race.mattered == 0) race.example = pair;
        ++race.mattered;
    }
    race.same_value = race.same_value && two_writes && values[0] == values[1];
    race.lockstep =
        race.lockstep && !across && before.item % local / lanes == now.item % local / lanes;
    race.one_turn = race.one_turn && before.turn == now.turn;
    add_spot(race, pair);
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

// The last atomic function of somebody else, where one's own came after it.
void RaceDetector::other_atomic(const Touch& now, bool writes, std::uint64_t index,
                                std::array<std::uint64_t, 2> values) {
    const auto more = more_.find(key_);
    if (more != more_.end() && unordered(more->second.other_atomic, now))
        report(more->second.other_atomic, true, now, writes, index, values);
}

void RaceDetector::load(Cell& cell, const Touch& now, std::uint64_t index, std::uint64_t value) {
    if (unordered(cell.write, now))
        report(cell.write, true, now, false, index, {cell.before_write, value});
    else if (has_atomics_)
        other_atomic(now, false, index, {value, value});
    const auto replaces = [&](const Touch& read) {
        return !read.known || read.item == now.item || !unordered(read, now);
    };
    if (replaces(cell.read))
        cell.read = now;
    else if (!has_atomics_ || replaces(cell.other_read))
        cell.other_read = now;
    else
        more_[key_].readers[now.item] = now;
}

void RaceDetector::store(Cell& cell, const Touch& now, std::uint64_t index, const Access& access) {
    const std::array<std::uint64_t, 2> values{access.before, access.after};
    if (unordered(cell.write, now))
        report(cell.write, true, now, true, index, values);
    else if (has_atomics_)
        other_atomic(now, true, index, values);
    for (const Touch* read : {&cell.read, &cell.other_read})
        if (unordered(*read, now)) report(*read, false, now, true, index, values);
    if (has_atomics_) {
        const auto more = more_.find(key_);
        if (more != more_.end()) {
            for (const auto& [item, read] : more->second.readers)
                if (unordered(read, now)) report(read, false, now, true, index, values);
            more->second.readers.clear();
        }
        if (!now.atomic)
            more_.erase(key_);
        else if (cell.write.known && cell.write.atomic && cell.write.item != now.item)
            more_[key_].other_atomic = cell.write;
    }
    cell.write = now;
    cell.before_write = access.before;
    cell.read.known = cell.other_read.known = false;
}

// Before its cell is judged: what it takes over counts for it, and it passes on what it did before.
void RaceDetector::atomic(const Touch& now, std::uint64_t cell) {
    handovers_.atomic(cell, {now.item, action_->group, action_->epoch_global, now.time});
}

void RaceDetector::observe(const Action& action, std::span<const Access> accesses, bool) {
    if (context_ == nullptr || context_->launch != action.launch) begin_launch(action.launch);
    ++time_;
    if (accesses.empty()) return;
    const ObjectInfo& object = context_->objects[action.object];
    if (object.space == machine::Space::constant) return;
    action_ = &action;
    Cells& cells = cells_of(action, object);
    const bool local = object.space == machine::Space::local;
    Touch now;
    now.known = true;
    now.epoch = local ? action.epoch_local : action.epoch_global;
    now.place = action.place;
    now.pass = action.pass;
    now.time = time_;
    now.turn = action.turn;
    now.atomic = action.kind == ActionKind::atomic;
    const auto first = static_cast<std::uint32_t>(std::uint64_t{action.group} * context_->local +
                                                  std::uint64_t{action.warp} * context_->lanes);
    // Cells of all objects, for hand-overs.
    const std::uint64_t space =
        (local ? std::uint64_t{1} << 63U | std::uint64_t{action.group} << 40U |
                     std::uint64_t{action.object} << 32U
               : std::uint64_t{object.buffer} << 40U);
    // In units of the object's elements, which the access may be wider or narrower than.
    const unsigned size = lang::info(action.type).bytes;
    const std::uint64_t wide = std::max<std::uint64_t>(1, size >> object.shift);
    std::size_t at = 0;
    for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1) {
        now.item = first + static_cast<unsigned>(std::countr_zero(lanes));
        for (std::uint8_t i = 0; i < action.count; ++i, ++at) {
            const Access& access = accesses[at];
            const std::uint64_t index = std::uint64_t{access.index} * size >> object.shift;
            if (now.atomic) atomic(now, space + index);
            for (std::uint64_t k = index; k < index + wide; ++k) {
                Cell& cell = cells[k];
                key_ = space + k;
                if (action.kind != ActionKind::load) {
                    store(cell, now, k, access);
                    continue;
                }
                load(cell, now, k, access.before);
                if (cell.write.known && cell.write.atomic)
                    handovers_.poll(space + k,
                                    {now.item, action.group, action.epoch_global, now.time});
            }
        }
    }
}

}  // namespace lab
