#include "analysis/outcomes/footprints.h"

#include <algorithm>
#include <bit>

#include "machine/schedule.h"

namespace lab::analysis {

using machine::Choice;
using machine::Group;
using machine::State;

namespace {

constexpr std::uint64_t kMostWarps = 256;        // of a launch: pairs are compared
constexpr std::uint64_t kMostSteps = 3'000'000;  // instructions interpreted, of all work-items

}  // namespace

std::optional<Footprints> Footprints::of(const machine::Machine& machine, std::uint32_t launch,
                                         const machine::StateKeys& keys,
                                         const std::vector<bool>& written) {
    const machine::Context& context = machine.context(launch);
    if (std::uint64_t{context.groups} * context.warps > kMostWarps) return std::nullopt;
    Footprints result(context, keys.liveness(launch), written);
    const std::vector<lang::Instruction>& code = context.code->instructions;
    result.waits_ = std::any_of(code.begin(), code.end(), [](const lang::Instruction& each) {
        return lang::is_waiting(each.op);
    });
    const ItemWalker walker(context, result.liveness_, written);
    std::uint64_t steps = kMostSteps;
    for (std::uint32_t group = 0; group < context.groups; ++group)
        for (std::uint32_t local = 0; local < context.local; ++local) {
            auto walk = walker.walk(group, local, steps);
            if (!walk) return std::nullopt;
            result.items_.push_back(item_of(std::move(*walk), *context.code));
        }
    result.waits_ = result.waits_ &&
                    std::any_of(result.items_.begin(), result.items_.end(), [](const Item& item) {
                        return std::any_of(item.fates.begin(), item.fates.end(),
                                           [](const Fate& fate) { return fate.ends_writing; });
                    });
    for (const Item& item : result.items_) {
        result.bytes_ += sizeof(Item) + item.now.capacity() * 16 + item.first.capacity() * 4 +
                         item.walk.cells.capacity() * sizeof(Cells);
        for (const Standing& each : item.walk.places)
            result.bytes_ +=
                sizeof(Standing) + each.known.capacity() * sizeof(KnownRegister) +
                4 * (each.masks.capacity() + each.cells.capacity() + each.after.capacity() + 1);
    }
    return result;
}

// Backwards from what is touched, until nothing is added any more. What a group does where all of
// it has come, as a copy, is after its next barrier for all who have not.
Footprints::Item Footprints::item_of(ItemWalk walk, const lang::Code& code) {
    Item item;
    const std::size_t places = walk.places.size();
    item.words = (walk.cells.size() + 63) / 64;
    item.now.assign(places * item.words, 0);
    item.later.assign(places * item.words, 0);
    for (std::size_t place = 0; place < places; ++place) {
        auto& bits =
            lang::is_waiting(code.instructions[walk.places[place].pc].op) ? item.later : item.now;
        for (const std::uint32_t cell : walk.places[place].cells)
            bits[place * item.words + cell / 64] |= std::uint64_t{1} << (cell % 64U);
    }
    for (bool more = true; more;) {
        more = false;
        for (std::size_t place = places; place-- > 0;) {
            const bool waits = lang::is_waiting(code.instructions[walk.places[place].pc].op);
            for (std::size_t word = 0; word < item.words; ++word) {
                std::uint64_t& now = item.now[place * item.words + word];
                std::uint64_t& later = item.later[place * item.words + word];
                const std::uint64_t now_before = now, later_before = later;
                for (const std::uint32_t after : walk.places[place].after) {
                    (waits ? later : now) |= item.now[after * item.words + word];
                    later |= item.later[after * item.words + word];
                }
                more = more || now != now_before || later != later_before;
            }
        }
    }
    item.first.assign(code.instructions.size() + 1, 0);
    for (const Standing& each : walk.places)
        ++item.first[each.pc + 1];
    for (std::size_t pc = 1; pc < item.first.size(); ++pc)
        item.first[pc] += item.first[pc - 1];
    item.by_pc.resize(places);
    std::vector<std::uint32_t> next = item.first;
    for (std::uint32_t place = 0; place < places; ++place)
        item.by_pc[next[walk.places[place].pc]++] = place;
    item.fates = fates_of(walk, code);
    item.walk = std::move(walk);
    return item;
}

std::vector<Footprints::Fate> Footprints::fates_of(const ItemWalk& walk, const lang::Code& code) {
    std::vector<Fate> fates(walk.places.size());
    for (bool more = true; more;) {
        more = false;
        for (std::size_t place = fates.size(); place-- > 0;) {
            const Standing& at = walk.places[place];
            const lang::Instruction& instruction = code.instructions[at.pc];
            Fate fate{at.ends, false, false, at.ends};
            for (const std::uint32_t after : at.after) {
                fate.ends = fate.ends || fates[after].ends;
                fate.comes = fate.comes || fates[after].comes;
                fate.ends_writing = fate.ends_writing || fates[after].ends_writing;
                // A place at which it does nothing is no action of its own.
                if (!lang::is_visible(code.instructions[walk.places[after].pc].op))
                    fate.ends_next = fate.ends_next || fates[after].ends_next;
            }
            if (lang::is_waiting(instruction.op))
                fate = {false, true, false, fate.ends_next};
            else if (writes_cells(instruction))
                fate.ends_writing = fate.ends_writing || fate.ends_next;
            more = more || !(fate == fates[place]);
            fates[place] = fate;
        }
    }
    return fates;
}

// A warp ends when all its lanes do, and comes to a barrier without a fault only with all of them:
// so it does neither unless each lane that runs may. A ready warp has one that does.
Footprints::Fate Footprints::fate_of(const Group& group, std::uint32_t warp) const {
    // Who rests may end by anything.
    Fate fate{true, true, group.warps[warp].exec != group.warps[warp].live, true};
    for (std::uint64_t left = group.warps[warp].exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const Item& item = items_[group.id * context_.local + warp * context_.lanes + lane];
        const auto place = place_of(item, group, warp, lane);
        if (!place) {
            fate.ends_writing = true;
            continue;
        }
        fate.ends = fate.ends && item.fates[*place].ends;
        fate.comes = fate.comes && item.fates[*place].comes;
        fate.ends_writing = fate.ends_writing || item.fates[*place].ends_writing;
        fate.ends_next = fate.ends_next && item.fates[*place].ends_next;
    }
    fate.ends_writing = fate.ends_writing && fate.ends;
    return fate;
}

bool Footprints::ends_matter(const Group& group, std::uint32_t warp,
                             std::vector<std::uint32_t>* others) const {
    if (!waits_) return false;
    const lang::Op next = context_.code->instructions[group.warps[warp].pc].op;
    if (!lang::is_waiting(next) && !fate_of(group, warp).ends_next) return false;
    std::uint32_t end = 0, wait = 0, either = 0;
    for (std::uint32_t index = 0; index < group.warps.size(); ++index) {
        const machine::Status status = group.warps[index].status;
        Fate fate;
        fate.comes = status == machine::Status::waiting;
        if (status == machine::Status::ready) {
            fate = fate_of(group, index);
            if (others != nullptr && index != warp && (fate.ends || fate.comes))
                others->push_back(index);
        }
        end += fate.ends_writing ? 1 : 0;
        wait += fate.comes ? 1 : 0;
        either += fate.ends_writing || fate.comes ? 1 : 0;
    }
    // Not one and the same warp.
    return (end > 0 && wait > 0 && either > 1) || (end > 0 && !group.copies.empty());
}

bool Footprints::stands_at(const Standing& place, const Group& group, std::uint32_t warp,
                           std::uint32_t lane) const {
    const std::uint64_t* registers =
        group.registers.data() + std::size_t{warp} * context_.registers * context_.lanes + lane;
    return std::all_of(place.known.begin(), place.known.end(), [&](const KnownRegister& each) {
        const std::uint64_t bits = registers[std::size_t{each.reg} * context_.lanes];
        return each.object_only ? machine::object_in(bits) == machine::object_in(each.bits)
                                : bits == each.bits;
    });
}

// For a lane that runs.
std::optional<std::uint32_t> Footprints::place_of(const Item& item, const Group& group,
                                                  std::uint32_t warp, std::uint32_t lane) const {
    const std::uint32_t pc = group.warps[warp].pc;
    const std::uint64_t* masks = group.masks.data() + std::size_t{warp} * context_.masks;
    const auto in = [&](std::uint32_t slot) { return (masks[slot] >> lane & 1U) != 0; };
    std::size_t set = 0;
    for (const std::uint32_t slot : liveness_.before(pc).masks)
        if (slot < context_.masks && in(slot)) ++set;
    for (std::uint32_t i = item.first[pc]; i < item.first[pc + 1]; ++i) {
        const Standing& place = item.walk.places[item.by_pc[i]];
        if (place.runs && place.masks.size() == set &&
            std::all_of(place.masks.begin(), place.masks.end(), in) &&
            stands_at(place, group, warp, lane))
            return item.by_pc[i];
    }
    return std::nullopt;
}

Footprints::When Footprints::may_touch(std::span<const Cells> cells, std::uint32_t owner,
                                       std::uint32_t group, const Group* standing,
                                       std::uint32_t warp) const {
    When when = When::never;
    const std::uint32_t first = warp * context_.lanes;
    for (std::uint32_t lane = 0; lane < context_.lanes && first + lane < context_.local; ++lane) {
        const Item& item = items_[group * context_.local + first + lane];
        // Who rests may do all that it does from the start.
        const bool rests = standing == nullptr || (standing->warps[warp].exec >> lane & 1U) == 0;
        std::optional<std::uint32_t> place;
        if (!rests) {
            place = place_of(item, *standing, warp, lane);
            if (!place) return When::now;
        }
        // "Now" and "later" are told apart only from the place where it stands.
        const std::uint64_t* now = item.now.data() + place.value_or(0) * item.words;
        const std::uint64_t* later = item.later.data() + place.value_or(0) * item.words;
        for (std::size_t i = 0; i < item.walk.cells.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << (i % 64U);
            const bool is_now = (now[i / 64] & bit) != 0, is_later = (later[i / 64] & bit) != 0;
            if (!is_now && (!is_later || (when == When::after_barrier && !rests))) continue;
            const bool matters = std::any_of(cells.begin(), cells.end(), [&](const Cells& each) {
                return order_matters(each, item.walk.cells[i], owner == group);
            });
            if (!matters) continue;
            if (is_now || rests) return When::now;
            when = When::after_barrier;
        }
    }
    return when;
}

// A set of warps that is closed under these (stubborn_set.h) is persistent: the first action
// outside of it that is dependent on a member's next one would have to come from here, before its
// group's next barrier, or behind it; then one of those who have to come there first is a member,
// and has not.
const std::vector<Interferer>& FootprintInterference::with_next(std::uint32_t warp) const {
    if (found_[warp]) return *found_[warp];
    std::vector<Interferer>& found = found_[warp].emplace();
    add_touching(warp, found);
    const std::uint32_t owner = warp / context_.warps;
    const Group& group = *state_.groups[*machine::slot_of(state_, owner)];
    std::vector<std::uint32_t> others;
    if (footprints_.ends_matter(group, warp % context_.warps, &others))
        for (const std::uint32_t each : others)
            found.push_back({owner * context_.warps + each, false});
    return found;
}

void FootprintInterference::add_touching(std::uint32_t warp, std::vector<Interferer>& found) const {
    const std::uint32_t owner = warp / context_.warps;
    const auto own_slot = machine::slot_of(state_, owner);
    const std::vector<Cells> cells =
        next_cells(context_, footprints_.written(), state_, {*own_slot, warp % context_.warps});
    if (cells.empty()) return;
    std::size_t slot = 0;
    for (std::uint32_t group = 0; group < context_.groups; ++group) {
        while (slot < state_.groups.size() && state_.groups[slot]->id < group)
            ++slot;
        const bool resident = slot < state_.groups.size() && state_.groups[slot]->id == group;
        if (!resident && group < state_.next_group) continue;  // it has ended
        const Group* standing = resident ? &*state_.groups[slot] : nullptr;
        for (std::uint32_t index = 0; index < context_.warps; ++index) {
            const std::uint32_t other = group * context_.warps + index;
            if (other == warp ||
                (resident && standing->warps[index].status == machine::Status::done))
                continue;
            const Footprints::When when =
                footprints_.may_touch(cells, owner, group, standing, index);
            // A barrier of its own group keeps the later from coming first.
            if (when == Footprints::When::never ||
                (when == Footprints::When::after_barrier && group == owner))
                continue;
            found.push_back({other, when == Footprints::When::after_barrier});
        }
    }
}

}  // namespace lab::analysis
