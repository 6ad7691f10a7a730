#include "insight/race_detector.h"

#include <bit>

namespace lab {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;

const char* name_of(Race::Kind kind) {
    switch (kind) {
        case Race::Kind::read_after_write:
            return "RAW";
        case Race::Kind::write_after_read:
            return "WAR";
        case Race::Kind::write_after_write:
            return "WAW";
    }
    return "";
}

void RaceDetector::begin(const machine::Machine& machine) {
    machine_ = &machine;
    context_ = nullptr;
    races_.clear();
}

void RaceDetector::begin_launch(std::uint32_t launch) {
    context_ = &machine_->context(launch);
    // Launches are ordered: what was touched before is forgotten. Buffers that two arguments name
    // share their cells.
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

void RaceDetector::report(Race::Kind kind, const Touch& before, const Touch& now,
                          std::uint64_t index, bool same_value) {
    const bool across = before.item / context_->local != now.item / context_->local;
    const auto [at, news] =
        found_.try_emplace({before.place, now.place, kind, across}, races_.size());
    if (news) {
        Race made;
        made.kind = kind;
        made.launch = action_->launch;
        made.first = {before.place, before.item, before.atomic};
        made.second = {now.place, now.item, now.atomic};
        made.across_groups = across;
        made.object = action_->object;
        made.cell = index;
        races_.push_back(made);
    }
    Race& race = races_[at->second];
    ++race.count;
    race.same_value = race.same_value && same_value;
}

void RaceDetector::load(Cell& cell, const Touch& now, std::uint64_t index) {
    if (unordered(cell.write, now))
        report(Race::Kind::read_after_write, cell.write, now, index, false);
    const bool replaces =
        !cell.read.known || cell.read.item == now.item || !unordered(cell.read, now);
    if (replaces)
        cell.read = now;
    else
        cell.other_read = now;
}

void RaceDetector::store(Cell& cell, const Touch& now, std::uint64_t index, bool reads,
                         bool same_value) {
    if (unordered(cell.write, now))
        report(reads && !cell.write.atomic ? Race::Kind::read_after_write
                                           : Race::Kind::write_after_write,
               cell.write, now, index, same_value);
    for (const Touch* read : {&cell.read, &cell.other_read})
        if (unordered(*read, now))
            report(Race::Kind::write_after_read, *read, now, index, same_value);
    cell.write = now;
    cell.read.known = cell.other_read.known = false;
}

void RaceDetector::observe(const Action& action, std::span<const Access> accesses, bool) {
    if (context_ == nullptr || context_->launch != action.launch) begin_launch(action.launch);
    if (accesses.empty()) return;
    const ObjectInfo& object = context_->objects[action.object];
    if (object.space == machine::Space::constant) return;
    action_ = &action;
    Cells& cells = cells_of(action, object);
    Touch now;
    now.known = true;
    now.epoch = object.space == machine::Space::local ? action.epoch_local : action.epoch_global;
    now.place = action.place;
    now.atomic = action.kind == ActionKind::atomic;
    const auto first = static_cast<std::uint32_t>(std::uint64_t{action.group} * context_->local +
                                                  std::uint64_t{action.warp} * context_->lanes);
    // In units of the object's elements, which the access may be wider or narrower than.
    const unsigned size = lang::info(action.type).bytes;
    const std::uint64_t wide = std::max<std::uint64_t>(1, size >> object.shift);
    std::size_t at = 0;
    for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1) {
        now.item = first + static_cast<unsigned>(std::countr_zero(lanes));
        for (std::uint8_t i = 0; i < action.count; ++i, ++at) {
            const Access& access = accesses[at];
            const std::uint64_t index = std::uint64_t{access.index} * size >> object.shift;
            for (std::uint64_t k = index; k < index + wide; ++k)
                if (action.kind == ActionKind::load)
                    load(cells[k], now, k);
                else
                    store(cells[k], now, k, now.atomic, access.before == access.after);
        }
    }
}

}  // namespace lab
