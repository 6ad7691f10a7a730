#include "analysis/footprints.h"

#include <algorithm>

#include "base/ranges.h"
#include "machine/collectives.h"
#include "machine/schedule.h"
#include "machine/values.h"

namespace lab::analysis {

using machine::Group;
using machine::State;
using machine::WarpRef;

// Warps of a launch, as pairs are compared; for more, a search does without what they may touch.
constexpr std::uint64_t kMostWarps = 256;
// Instructions that are interpreted, of all work-items; for more, a search does without.
constexpr std::uint64_t kMostSteps = 3'000'000;

std::optional<Footprints> Footprints::of(const machine::Machine& machine, std::uint32_t launch,
                                         const machine::StateKeys& keys,
                                         const std::vector<bool>& written) {
    const machine::Context& context = machine.context(launch);
    if (std::uint64_t{context.groups} * context.warps > kMostWarps) return std::nullopt;
    Footprints result(context, keys.liveness(launch), written);
    const std::vector<lang::Instruction>& code = context.code->instructions;
    result.waits_ =
        any_of(code, [](const lang::Instruction& each) { return lang::is_waiting(each.op); });
    const ItemWalker walker(context, result.liveness_, written);
    std::uint64_t steps = kMostSteps;
    for (std::uint32_t group = 0; group < context.groups; ++group)
        for (std::uint32_t local = 0; local < context.local; ++local) {
            auto walk = walker.walk(group, local, steps);
            if (!walk) return std::nullopt;
            result.items_.push_back(item_of(std::move(*walk), *context.code));
        }
    result.waits_ =
        result.waits_ && any_of(result.items_, [](const Item& item) {
            return any_of(item.fates, [](const Fate& fate) { return fate.ends_writing; });
        });
    for (const Item& item : result.items_) {
        result.bytes_ += sizeof(Item) + item.now.capacity() * 16 + item.first.capacity() * 4 +
                         item.walk.cells.capacity() * sizeof(Cells);
        for (const AbstractState& each : item.walk.places)
            result.bytes_ +=
                sizeof(AbstractState) + each.known.capacity() * sizeof(KnownRegister) +
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
    for (const AbstractState& each : walk.places)
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
            const AbstractState& at = walk.places[place];
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
    for (const std::uint32_t lane : machine::set_bits(group.warps[warp].exec)) {
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

bool Footprints::stands_at(const AbstractState& place, const Group& group, std::uint32_t warp,
                           std::uint32_t lane) const {
    const std::uint64_t* registers =
        group.registers.data() + std::size_t{warp} * context_.registers * context_.lanes + lane;
    return all_of(place.known, [&](const KnownRegister& each) {
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
        const AbstractState& place = item.walk.places[item.by_pc[i]];
        if (place.runs && place.masks.size() == set && all_of(place.masks, in) &&
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
            const bool matters = any_of(cells, [&](const Cells& each) {
                return order_matters(each, item.walk.cells[i], owner == group);
            });
            if (!matters) continue;
            if (is_now || rests) return When::now;
            when = When::after_barrier;
        }
    }
    return when;
}

// A set of warps that is closed under these (conflicts.h) is persistent: the first action
// outside of it that is dependent on a member's next one would have to come from here, before its
// group's next barrier, or behind it; then one of those who have to come there first is a member,
// and has not.
const std::vector<Interferer>& FootprintInterference::with_next(std::uint32_t warp) const {
    if (found_[warp]) return *found_[warp];
    looked += std::uint64_t{context_.groups} * context_.warps;
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

using lang::Instruction;
using lang::Op;

namespace {

struct Abstract {
    enum class Kind : std::uint8_t { any, object, known } kind = Kind::any;
    std::uint64_t bits = 0;
};

class Walk {
  public:
    Walk(const ItemWalker& walker, std::uint32_t group, std::uint32_t local, std::uint64_t& steps)
        : walker_(walker),
          context_(walker.context()),
          code_(*context_.code),
          group_(group),
          local_(local),
          steps_(steps),
          places_(code_.instructions.size()) {}

    std::optional<ItemWalk> run() {
        Way start;
        start.values.assign(context_.registers, {});
        start.masks.assign(context_.masks, false);
        places_.stand(standing(start));
        while (const auto place = places_.next())
            if (!go_on_from(*place)) return std::nullopt;
        add_to_waits();
        return ItemWalk{places_.take(), std::move(cells_)};
    }

  private:
    // Places that a work-item may come to; for more, a search does without.
    static constexpr std::size_t kMostPlaces = 6000;

    struct Way {
        std::uint32_t pc = 0;
        bool runs = true;
        bool chose = false, chose_now = false;
        bool back = false;             // it has just jumped back to where a loop begins
        std::vector<Abstract> values;  // by register
        std::vector<bool> masks;       // by slot
    };

    // All ways from there to the next places.
    bool go_on_from(std::uint32_t place) {
        if (steps_ == 0) return false;
        --steps_;
        Way start = way_from(place);
        const Instruction& instruction = code_.instructions[start.pc];
        if (lang::is_visible(instruction.op)) {
            if (!start.runs) return false;
            touch(start, place);
        } else if (!step(start)) {
            note_end(place);
            return true;
        }
        ways_.push_back(std::move(start));
        while (!ways_.empty()) {
            Way way = std::move(ways_.back());
            ways_.pop_back();
            while (!walker_.is_place(way.pc) || passes(way)) {
                if (steps_ == 0) return false;
                --steps_;
                if (!step(way)) break;
            }
            if (ended_) {
                note_end(place);
                continue;
            }
            const std::uint32_t to = places_.stand(standing(way));
            if (places_.size() > kMostPlaces) return false;
            std::vector<std::uint32_t>& after = places_[place].after;
            if (!contains(after, to)) after.push_back(to);
        }
        return true;
    }

    void note_end(std::uint32_t place) {
        places_[place].ends = true;
        ended_ = false;
    }

    // Where only known conditions led, it need not stand between its actions.
    bool passes(const Way& way) const {
        return !way.chose && !lang::is_visible(code_.instructions[way.pc].op);
    }

    Way way_from(std::uint32_t place) const {
        const AbstractState& at = places_[place];
        Way way;
        way.pc = at.pc;
        way.runs = at.runs;
        way.chose = at.chose;
        way.chose_now = at.chose_now;
        way.values.assign(context_.registers, {});
        for (const KnownRegister& each : at.known)
            way.values[each.reg] = {
                each.object_only ? Abstract::Kind::object : Abstract::Kind::known, each.bits};
        way.masks.assign(context_.masks, false);
        for (const std::uint32_t slot : at.masks)
            way.masks[slot] = true;
        return way;
    }

    AbstractState standing(const Way& way) const {
        AbstractState at;
        at.pc = way.pc;
        at.runs = way.runs;
        at.chose = way.chose;
        at.chose_now = way.chose_now;
        const lang::Liveness::Alive& alive = walker_.liveness().before(way.pc);
        for (const std::uint32_t slot : alive.masks)
            if (slot < way.masks.size() && way.masks[slot]) at.masks.push_back(slot);
        sort(at.masks);
        for (const std::uint32_t reg : way.runs ? alive.running : alive.resting) {
            const Abstract& value = way.values[reg];
            if (value.kind == Abstract::Kind::any || !walker_.matters(reg)) continue;
            const bool object_only = value.kind == Abstract::Kind::object;
            at.known.push_back({reg, object_only, value.bits});
        }
        const auto* changed = walker_.changed_from(way.pc);
        if (changed != nullptr && way.chose_now && way.back) {
            std::erase_if(at.known, [&](const KnownRegister& each) {
                return std::binary_search(changed->begin(), changed->end(), each.reg);
            });
        }
        if (changed != nullptr) at.chose_now = false;
        sort(at.known, [](const auto& a, const auto& b) { return a.reg < b.reg; });
        return at;
    }

    Abstract value(const Way& way, std::uint32_t reg) const {
        if ((reg & lang::kUniform) == 0) return way.values[reg];
        const std::size_t index =
            std::size_t{reg & ~lang::kUniform} * context_.lanes + local_ % context_.lanes;
        return {Abstract::Kind::known, context_.uniforms[index]};
    }

    // What is done at a place that others see.
    void touch(Way& way, std::uint32_t place) {
        const Instruction& instruction = code_.instructions[way.pc++];
        const Abstract pointer = value(way, instruction.a);
        const Abstract operand =
            instruction.op == Op::atomic ? value(way, instruction.b) : Abstract();
        if (instruction.op == Op::group_copy) touch_copied(way, instruction, place);
        lang::for_outputs(instruction, [&](std::uint32_t reg) { way.values[reg] = {}; });
        if (instruction.op != Op::load && instruction.op != Op::store &&
            instruction.op != Op::atomic)
            return;
        const bool writes = writes_cells(instruction);
        std::optional<Cells> cells = Cells{kAnyObject, 0, kNoEnd, writes};
        if (pointer.kind == Abstract::Kind::known) {
            cells = cells_at(context_, walker_.written(), pointer.bits, bytes_touched(instruction),
                             writes);
        } else if (pointer.kind == Abstract::Kind::object) {
            const std::uint64_t base = pointer.bits & ~machine::kOffsetMask;
            cells = cells_at(context_, walker_.written(), base, 0, writes);
            if (cells && cells->object != kAnyObject) cells->end = kNoEnd;
        }
        if (cells && cells->object != kAnyObject && operand.kind == Abstract::Kind::known &&
            context_.objects[machine::object_in(pointer.bits)].filled &&
            reads_only(instruction, operand.bits))
            cells->writes = false;
        if (cells) add(*cells, place);
    }

    void add(const Cells& cells, std::uint32_t place) {
        const auto known = std::find(cells_.begin(), cells_.end(), cells);
        const auto number = static_cast<std::uint32_t>(known - cells_.begin());
        if (known == cells_.end()) cells_.push_back(cells);
        add(number, place);
    }
    void add(std::uint32_t number, std::uint32_t place) {
        std::vector<std::uint32_t>& all = places_[place].cells;
        if (!contains(all, number)) all.push_back(number);
    }

    // Both sides of a copy: whole objects where it is open which part.
    void touch_copied(const Way& way, const Instruction& instruction, std::uint32_t place) {
        Abstract given[lang::kCopyOperands];
        for (std::uint32_t i = 0; i < lang::kCopyOperands; ++i)
            given[i] = value(way, instruction.a + i);
        using How = Abstract::Kind;
        if (std::all_of(given, given + 4,
                        [](const Abstract& each) { return each.kind == How::known; })) {
            machine::Copy copy;
            copy.to = given[0].bits;
            copy.from = given[1].bits;
            copy.elements = given[2].bits;
            copy.stride = std::min(given[3].bits, machine::kMostStride);
            copy.instruction = static_cast<std::uint32_t>(&instruction - code_.instructions.data());
            for (const Cells& each : copied_cells(context_, walker_.written(), copy))
                add(each, place);
            return;
        }
        for (const bool writes : {false, true}) {
            const Abstract& pointer = given[writes ? 0 : 1];
            std::optional<Cells> cells = Cells{kAnyObject, 0, kNoEnd, true, true};
            if (pointer.kind != How::any) {
                cells = cells_at(context_, walker_.written(), pointer.bits & ~machine::kOffsetMask,
                                 0, writes);
                if (cells && cells->object != kAnyObject) cells->end = kNoEnd;
                if (cells) cells->copies = true;
            }
            if (cells) add(*cells, place);
        }
    }

    // Which copies a wait is for depends on events: any may be.
    void add_to_waits() {
        for (std::uint32_t place = 0; place < places_.size(); ++place) {
            if (code_.instructions[places_[place].pc].op != Op::group_wait) continue;
            for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
                if (cells_[cell].copies) add(cell, place);
        }
    }

    // One instruction that nobody sees; whether there is one after it.
    bool step(Way& way) {
        const Instruction& instruction = code_.instructions[way.pc];
        if (instruction.op == Op::end) {
            ended_ = true;
            return false;
        }
        way.back = instruction.op == Op::jump && instruction.target <= way.pc;
        if (instruction.op >= Op::jump)
            control(way, instruction);
        else
            compute(way, instruction);
        return true;
    }

    void compute(Way& way, const Instruction& instruction) {
        ++way.pc;
        if (!way.runs) return;
        const unsigned inputs = lang::operands::inputs(instruction);
        const Abstract a = inputs > 0 ? value(way, instruction.a) : Abstract();
        const Abstract b = inputs > 1 ? value(way, instruction.b) : Abstract();
        const Abstract c = inputs > 2 ? value(way, instruction.c) : Abstract();
        const Abstract result = computed(instruction, inputs, a, b, c);
        lang::for_outputs(instruction, [&](std::uint32_t reg) { way.values[reg] = result; });
    }

    Abstract computed(const Instruction& instruction, unsigned inputs, const Abstract& a,
                      const Abstract& b, const Abstract& c) const {
        using How = Abstract::Kind;
        const auto known = [](std::uint64_t bits) { return Abstract{How::known, bits}; };
        switch (instruction.op) {
            case Op::global_id:
                return known(context_.global_id(group_, local_, instruction.imm));
            case Op::local_id:
                return known(context_.local_id(local_, instruction.imm));
            case Op::group_id:
                return known(context_.group_id(group_, instruction.imm));
            case Op::lane_id:
                return known(local_ % context_.lanes);
            case Op::warp_id:
                return known(local_ / context_.lanes);
            case Op::load_private:
            case Op::undefine:
                return {};
            case Op::move:
                return a;
            case Op::offset:
                if (a.kind == How::any || (a.kind == How::known && b.kind == How::known)) break;
                return {How::object, a.bits};
            case Op::select:
                if (c.kind == How::known) return c.bits != 0 ? a : b;
                if (a.kind == How::any || b.kind == How::any) return {};
                if (a.kind == b.kind && a.bits == b.bits) return a;
                if (machine::object_in(a.bits) == 0 ||
                    machine::object_in(a.bits) != machine::object_in(b.bits))
                    return {};
                return {How::object, a.bits};
            default:
                break;
        }
        if ((inputs > 0 && a.kind != How::known) || (inputs > 1 && b.kind != How::known) ||
            (inputs > 2 && c.kind != How::known))
            return {};
        const auto result = result_of(instruction, a.bits, b.bits, c.bits);
        return result ? known(*result) : Abstract();
    }

    void control(Way& way, const Instruction& instruction) {
        const auto go = [&](Way& on) { on.pc = on.runs ? on.pc + 1 : instruction.target; };
        switch (instruction.op) {
            case Op::if_:
            case Op::test:
                choose(way, asked(way, instruction, way.runs), 0, [&](Way& on, bool holds) {
                    const bool came = on.runs;
                    if (instruction.op == Op::if_) {
                        on.masks[instruction.to] = came;
                        on.masks[instruction.to + 1] = came && !holds;
                    }
                    on.runs = came && holds;
                    go(on);
                });
                return;
            case Op::case_:
                choose(way, asked(way, instruction, way.masks[instruction.to]), instruction.imm,
                       [&](Way& on, bool differs) {
                           const bool enters = on.masks[instruction.to] && !differs;
                           on.runs = enters || (instruction.extra == 0 && on.runs);
                           go(on);
                       });
                return;
            default:
                if (!follow_masks(way, instruction)) ++way.pc;  // next_pass, fence
                return;
        }
    }

    // A condition; who does not ask gets any answer.
    Abstract asked(const Way& way, const Instruction& instruction, bool asks) const {
        return asks ? value(way, instruction.a) : Abstract{Abstract::Kind::known, 0};
    }

    // Goes on as it has to if the value is not `than`, and if it is; both ways where that is open.
    template <typename GoOn>
    void choose(Way& way, const Abstract& value, std::uint64_t than, GoOn go_on) {
        if (value.kind == Abstract::Kind::known) {
            go_on(way, value.bits != than);
            return;
        }
        way.chose = way.chose_now = true;
        Way other = way;
        go_on(other, false);
        ways_.push_back(std::move(other));
        go_on(way, true);
    }

    const ItemWalker& walker_;
    const machine::Context& context_;
    const lang::Code& code_;
    const std::uint32_t group_, local_;
    std::uint64_t& steps_;
    WalkPlaces places_;
    std::vector<Cells> cells_;
    std::vector<Way> ways_;  // to be followed
    bool ended_ = false;
};

}  // namespace

std::optional<ItemWalk> ItemWalker::walk(std::uint32_t group, std::uint32_t local,
                                         std::uint64_t& steps) const {
    return Walk(*this, group, local, steps).run();
}

// What all items of a launch share in a walk: which registers matter, and where they may stand.

ItemWalker::ItemWalker(const machine::Context& context, const lang::Liveness& liveness,
                       const std::vector<bool>& written)
    : context_(context), liveness_(liveness), written_(written) {
    find_what_matters();
    find_places();
}

void ItemWalker::find_what_matters() {
    const lang::Code& code = *context_.code;
    matters_.assign(context_.registers, false);
    for (const lang::Instruction& each : code.instructions) {
        if (each.op == lang::Op::group_copy)
            lang::for_inputs(each, [&](std::uint32_t reg) { matters_[reg] = true; });
        if (each.op == lang::Op::if_ || each.op == lang::Op::test || each.op == lang::Op::case_ ||
            each.op == lang::Op::load || each.op == lang::Op::store || each.op == lang::Op::atomic)
            if ((each.a & lang::kUniform) == 0) matters_[each.a] = true;
    }
    for (bool more = true; more;) {
        more = false;
        for (const lang::Instruction& each : code.instructions) {
            if (lang::is_visible(each.op) || each.op >= lang::Op::jump) continue;
            bool writes = false;
            lang::for_outputs(each, [&](std::uint32_t reg) { writes = writes || matters_[reg]; });
            if (!writes) continue;
            lang::for_inputs(each, [&](std::uint32_t reg) {
                more = more || !matters_[reg];
                matters_[reg] = true;
            });
        }
    }
}

void ItemWalker::find_places() {
    const std::vector<lang::Instruction>& code = context_.code->instructions;
    place_.assign(code.size(), false);
    changed_.resize(code.size());
    for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
        if (lang::is_visible(code[pc].op) || code[pc].op == lang::Op::join) place_[pc] = true;
        if (code[pc].op != lang::Op::jump || code[pc].target > pc) continue;
        const std::uint32_t head = code[pc].target;
        const bool innermost = std::none_of(
            code.begin() + head, code.begin() + pc, [&](const lang::Instruction& each) {
                const auto at = static_cast<std::uint32_t>(&each - code.data());
                return each.op == lang::Op::jump && each.target <= at && each.target >= head;
            });
        place_[head] = true;
        if (!innermost) continue;
        for (std::uint32_t at = head; at < pc; ++at)
            lang::for_outputs(code[at], [&](std::uint32_t reg) { changed_[head].push_back(reg); });
        sort(changed_[head]);
    }
}

static bool covers(const std::vector<KnownRegister>& less, const std::vector<KnownRegister>& more) {
    auto at = more.begin();
    for (const KnownRegister& each : less) {
        while (at != more.end() && at->reg < each.reg)
            ++at;
        if (at == more.end() || at->reg != each.reg) return false;
        if (each.object_only ? machine::object_in(each.bits) != machine::object_in(at->bits)
                             : *at != each)
            return false;
    }
    return true;
}

static void join(std::vector<KnownRegister>& known, const std::vector<KnownRegister>& with) {
    std::erase_if(known, [&](KnownRegister& each) {
        const auto other = std::find_if(with.begin(), with.end(),
                                        [&](const auto& at) { return at.reg == each.reg; });
        if (other == with.end()) return true;
        if (*other == each) return false;
        each.object_only = true;
        return machine::object_in(other->bits) != machine::object_in(each.bits) ||
               machine::object_in(each.bits) == 0;
    });
}

std::uint32_t WalkPlaces::stand(AbstractState at) {
    std::vector<std::uint32_t>& alike = by_pc_[at.pc];
    std::size_t same = 0;
    for (const std::uint32_t number : alike) {
        AbstractState& known = places_[number];
        if (known.runs != at.runs || known.masks != at.masks) continue;
        ++same;
        if (!covers(known.known, at.known)) continue;
        note_choices(number, at);
        return number;
    }
    if (!at.chose || same < kMostAlike) {
        alike.push_back(add(std::move(at)));
        return alike.back();
    }
    // The last one takes in all that come from now on.
    for (std::size_t i = alike.size(); i-- > 0;) {
        AbstractState& known = places_[alike[i]];
        if (known.runs != at.runs || known.masks != at.masks) continue;
        join(known.known, at.known);
        note_choices(alike[i], at);
        queue(alike[i]);
        return alike[i];
    }
    return 0;
}

std::uint32_t WalkPlaces::add(AbstractState at) {
    places_.push_back(std::move(at));
    queued_.push_back(false);
    const auto number = static_cast<std::uint32_t>(places_.size() - 1);
    queue(number);
    return number;
}

void WalkPlaces::queue(std::uint32_t number) {
    if (queued_[number]) return;
    queued_[number] = true;
    left_.push_back(number);
}

std::optional<std::uint32_t> WalkPlaces::next() {
    if (left_.empty()) return std::nullopt;
    const std::uint32_t number = left_.back();
    left_.pop_back();
    queued_[number] = false;
    return number;
}

void WalkPlaces::note_choices(std::uint32_t number, const AbstractState& at) {
    AbstractState& known = places_[number];
    if ((known.chose || !at.chose) && (known.chose_now || !at.chose_now)) return;
    known.chose = known.chose || at.chose;
    known.chose_now = known.chose_now || at.chose_now;
    queue(number);
}

using lang::Number;

namespace {

std::uint64_t most_of(Number number) {
    return is_wide(number) ? kAlways : 0xffffffffU;
}

// A place in the order of the numbers: 0 is the lowest.
std::uint64_t place_of(Number number, std::uint64_t bits) {
    const bool is_signed = number == Number::i32 || number == Number::i64;
    return (bits & most_of(number)) ^ (is_signed ? most_of(number) / 2 + 1 : 0);
}

// Nothing: it is a fault.
template <typename T>
std::optional<std::uint64_t> divided(std::uint64_t a, std::uint64_t b, bool rest) {
    const T x = machine::get<T>(a), y = machine::get<T>(b);
    if (y == 0) return std::nullopt;
    if constexpr (std::is_signed_v<T>)
        if (y == -1) return machine::put<T>(rest ? T(0) : machine::Negate()(x, x));
    return machine::put<T>(static_cast<T>(rest ? x % y : x / y));
}

}  // namespace

bool is_wide(Number number) {
    return number == Number::i64 || number == Number::u64;
}

std::uint64_t canonical(Number number, std::uint64_t bits) {
    return number == Number::i32   ? lang::canonical(lang::Scalar::int_, bits)
           : number == Number::u32 ? lang::canonical(lang::Scalar::uint, bits)
                                   : bits;
}

std::optional<Arithmetic> arithmetic_of(Op op) {
    constexpr std::pair<Op, Form> kFirst[] = {
        {Op::add_i32, Form::add},       {Op::sub_i32, Form::sub}, {Op::mul_i32, Form::mul},
        {Op::min_i32, Form::min},       {Op::max_i32, Form::max}, {Op::eq_i32, Form::eq},
        {Op::ne_i32, Form::ne},         {Op::lt_i32, Form::lt},   {Op::le_i32, Form::le},
        {Op::negate_i32, Form::negate}, {Op::shl_i32, Form::shl}, {Op::shr_i32, Form::shr}};
    for (const auto& [first, form] : kFirst) {
        const int number = static_cast<int>(op) - static_cast<int>(first);
        if (number >= 0 && number <= static_cast<int>(Number::u64))
            return Arithmetic{form, static_cast<Number>(number)};
    }
    return std::nullopt;
}

std::optional<std::uint64_t> result_of(const Instruction& instruction, std::uint64_t a,
                                       std::uint64_t b, std::uint64_t c) {
    std::uint64_t result = 0;
    if (machine::compute(instruction, [&](auto f) { result = f(a, b); })) return result;
    switch (instruction.op) {
        case Op::div_i32:
        case Op::rem_i32:
            return divided<std::int32_t>(a, b, instruction.op == Op::rem_i32);
        case Op::div_u32:
        case Op::rem_u32:
            return divided<std::uint32_t>(a, b, instruction.op == Op::rem_u32);
        case Op::div_i64:
        case Op::rem_i64:
            return divided<std::int64_t>(a, b, instruction.op == Op::rem_i64);
        case Op::div_u64:
        case Op::rem_u64:
            return divided<std::uint64_t>(a, b, instruction.op == Op::rem_u64);
        case Op::convert:
            return machine::convert(a, instruction.from, instruction.type,
                                    static_cast<machine::Rounding>(instruction.extra & 0xffU));
        case Op::pure:
            return machine::pure_function(static_cast<lang::Fn>(instruction.extra),
                                          instruction.type)(a, b, c);
        case Op::select:
            return c != 0 ? a : b;
        default:
            return std::nullopt;
    }
}

std::uint64_t iterations_alike(const Arithmetic& comparison, std::uint64_t value, std::int64_t step,
                               std::uint64_t bound, bool bound_first) {
    const Number number = comparison.number;
    const std::uint64_t most = most_of(number);
    const std::uint64_t index = place_of(number, bound), now = place_of(number, value);
    // It is true, or for `ne` false, of the places first … last.
    std::uint64_t first = 0, last = most;
    if (comparison.form == Form::eq || comparison.form == Form::ne) {
        first = last = index;
    } else if (bound_first) {
        if (comparison.form == Form::lt && index == most) return kAlways;
        first = comparison.form == Form::lt ? index + 1 : index;
    } else {
        if (comparison.form == Form::lt && index == 0) return kAlways;
        last = comparison.form == Form::lt ? index - 1 : index;
    }
    if (first == 0 && last == most) return kAlways;
    const bool inside = now >= first && now <= last;
    const std::uint64_t way =
        inside ? (step > 0 ? last - now : now - first) + 1 : (step > 0 ? first - now : now - last);
    return way & most;
}

std::uint64_t iterations_without_overflow(Number number, std::uint64_t value, std::int64_t step) {
    const std::uint64_t place = place_of(number, value);
    return step > 0 ? most_of(number) - place : place;
}

}  // namespace lab::analysis
