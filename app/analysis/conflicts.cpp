#include "analysis/conflicts.h"

#include <map>
#include <unordered_map>

#include "base/ranges.h"
#include "lang/dataflow.h"
#include "machine/collectives.h"
#include "machine/schedule.h"

namespace lab::analysis {
namespace {

using machine::ActionKind;

struct Touch {
    std::uint32_t warp = 0, action = 0;
    std::uint32_t group = 0, pass = 0;
    std::size_t grids = 0;
    bool writes = false;
};

}  // namespace

std::vector<bool> launches_known(const machine::Job& job) {
    const std::vector<bool> written = catalogue::written_buffers(job);
    std::vector<bool> known;
    std::map<std::pair<const lang::Code*, std::vector<bool>>, bool> asked;
    for (const machine::Launch& launch : job.launches) {
        std::vector<bool> fixed;
        for (const machine::Argument& each : launch.arguments)
            fixed.push_back(each.kind == machine::Argument::Kind::buffer && !written[each.buffer]);
        const auto [at, news] = asked.try_emplace({launch.code.get(), fixed}, false);
        if (news) at->second = !lang::accesses_depend_on_data(*launch.code, fixed);
        known.push_back(at->second);
    }
    return known;
}

std::optional<Conflicts> Conflicts::of(const machine::Run& run, std::uint32_t launch) {
    // Pairs of accesses of one cell that a search compares; with more, it does without.
    constexpr std::uint64_t kMostPairs = 2'000'000;
    Conflicts result;
    std::vector<std::vector<Action>>& actions = result.actions_;
    std::uint64_t pairs = 0;
    const machine::Context& context = run.machine().context(launch);
    const machine::Trace& trace = run.trace();
    const bool one_by_one = run.machine().job().config.resident == 1;
    actions.resize(std::size_t{context.groups} * context.warps);
    std::unordered_map<std::uint64_t, std::vector<Touch>> cells;
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const machine::Action& action = trace.action(time);
        if (action.launch != launch) continue;
        const std::uint32_t warp = action.group * context.warps + action.warp;
        if (!trace.continues(time)) actions[warp].emplace_back();
        const auto number = static_cast<std::uint32_t>(actions[warp].size() - 1);
        const std::span<const machine::Access> accesses = trace.accesses(action);
        if (accesses.empty()) continue;
        const std::size_t grids = trace.grids_before(time);
        const machine::ObjectInfo& object = context.objects[action.object];
        if (object.space == machine::Space::constant) continue;
        const std::uint64_t memory = memory_bits(object, action);
        // Cells of elements: an access may be wider or narrower.
        const unsigned size = lang::info(action.type).bytes;
        const std::uint64_t wide = std::max<std::uint64_t>(1, size >> object.shift);
        for (const machine::Access& access : accesses) {
            const std::uint64_t first = std::uint64_t{access.index} * size >> object.shift;
            for (std::uint64_t k = first; k < first + wide; ++k)
                cells[memory + k].push_back({warp, number, action.group,
                                             context.code->has_barrier ? action.pass : 0, grids,
                                             action.kind != ActionKind::load});
        }
    }
    for (const auto& [cell, touches] : cells) {
        const bool written = any_of(touches, [](const Touch& each) { return each.writes; });
        if (!written) continue;
        pairs += touches.size() * touches.size();
        if (pairs > kMostPairs) return std::nullopt;
        for (const Touch& touch : touches)
            for (const Touch& other : touches) {
                if (touch.warp == other.warp || (!touch.writes && !other.writes)) continue;
                if (touch.group == other.group ? touch.pass != other.pass
                                               : one_by_one || touch.grids != other.grids)
                    continue;
                Action& action = actions[touch.warp][touch.action];
                const auto known =
                    std::find_if(action.begin(), action.end(),
                                 [&](const Last& last) { return last.warp == other.warp; });
                if (known == action.end())
                    action.push_back({other.warp, other.action});
                else
                    known->action = std::max(known->action, other.action);
            }
    }
    return result;
}

using lang::Instruction;
using lang::Op;

static std::optional<Cells> copied_side(const machine::Context& context,
                                        const std::vector<bool>& written, const machine::Copy& copy,
                                        bool writes) {
    if (copy.elements == 0) return std::nullopt;
    const Instruction& began = context.code->instructions[copy.instruction];
    const bool strided = writes != (began.extra != 0);  // the side in global memory
    const std::uint64_t piece = bytes_touched(began);
    const std::uint64_t step = strided ? copy.stride * began.imm : began.imm;
    const bool endless = step != 0 && copy.elements - 1 > (kNoEnd - piece) / step;
    std::optional<Cells> cells =
        cells_at(context, written, writes ? copy.to : copy.from,
                 endless ? kNoEnd : (copy.elements - 1) * step + piece, writes);
    if (!cells) return std::nullopt;
    cells->copies = true;
    if (step > piece && cells->object != kAnyObject) {
        cells->step = step;
        cells->piece = piece;
    }
    return cells;
}

// Of two that overlap as a whole, at least one of them in pieces.
static bool pieces_meet(const Cells& a, const Cells& b) {
    if (a.step == 0) return pieces_meet(b, a);
    if (b.step != 0) {
        if (a.step != b.step) return true;
        const std::uint64_t apart = a.first <= b.first
                                        ? (b.first - a.first) % a.step
                                        : (a.step - (a.first - b.first) % a.step) % a.step;
        return apart < a.piece || a.step - apart < b.piece;
    }
    if (b.first <= a.first) return true;
    const std::uint64_t within = (b.first - a.first) % a.step;
    return within < a.piece || b.first + (a.step - within) < std::min(a.end, b.end);
}

bool writes_cells(const Instruction& instruction) {
    return instruction.op == Op::store ||
           (instruction.op == Op::atomic &&
            static_cast<lang::Builtin>(instruction.extra) != lang::Builtin::atomic_load);
}

bool reads_only(const Instruction& instruction, std::uint64_t operand) {
    using lang::Builtin;
    if (instruction.op != Op::atomic) return false;
    switch (static_cast<Builtin>(instruction.extra)) {
        case Builtin::atomic_load:
            return true;
        case Builtin::atomic_add:
        case Builtin::atomic_sub:
        case Builtin::atomic_or:
        case Builtin::atomic_xor:
            return operand == 0 && !lang::info(instruction.type).floating;  // -0.0 + 0.0 is 0.0
        default:
            return false;
    }
}

static bool lies_in(const machine::ObjectInfo& object, std::uint64_t pointer, std::uint64_t bytes) {
    const auto offset = static_cast<std::uint64_t>(machine::offset_in(pointer));
    return offset <= object.bytes && bytes <= object.bytes - offset;
}

std::optional<Cells> cells_at(const machine::Context& context, const std::vector<bool>& written,
                              std::uint64_t pointer, std::uint64_t bytes, bool writes) {
    const std::uint64_t number = machine::object_in(pointer);
    const auto offset = static_cast<std::uint64_t>(machine::offset_in(pointer));
    if (number == 0 || number > context.visible ||
        !lies_in(context.objects[number], pointer, bytes))
        return Cells{kAnyObject, 0, kNoEnd, true};
    const machine::ObjectInfo& object = context.objects[number];
    if (object.space == machine::Space::constant) {
        if (writes) return Cells{kAnyObject, 0, kNoEnd, true};
        return std::nullopt;
    }
    if (object.space == machine::Space::local)
        return Cells{kLocalObject | number, offset, offset + bytes, writes};
    if (!writes && !written[object.buffer]) return std::nullopt;
    return Cells{object.buffer, offset, offset + bytes, writes};
}

bool order_matters(const Cells& a, const Cells& b, bool one_group) {
    if (!a.writes && !b.writes) return false;
    if (a.object == kAnyObject || b.object == kAnyObject) return true;
    if (a.object != b.object || (a.object >= kLocalObject && !one_group)) return false;
    if (a.first >= b.end || b.first >= a.end) return false;
    return (a.step == 0 && b.step == 0) || pieces_meet(a, b);
}

std::vector<Cells> copied_cells(const machine::Context& context, const std::vector<bool>& written,
                                const machine::Copy& copy) {
    std::vector<Cells> cells;
    for (const bool writes : {false, true})
        if (const auto side = copied_side(context, written, copy, writes)) cells.push_back(*side);
    return cells;
}

std::vector<Cells> next_cells(const machine::Context& context, const std::vector<bool>& written,
                              const machine::State& state, const machine::WarpRef& choice) {
    const machine::Group& group = *state.groups[choice.slot];
    const machine::Warp& warp = group.warps[choice.warp];
    const Instruction& instruction = context.code->instructions[warp.pc];
    std::vector<Cells> cells;
    if (instruction.op == Op::group_copy && machine::comes_last(group))
        return copied_cells(context, written, machine::copy_at(context, group, choice.warp));
    if (instruction.op == Op::group_wait && machine::comes_last(group)) {
        const std::uint64_t event = machine::event_at(context, group, choice.warp);
        for (const machine::Copy& each : group.copies)
            if (each.event == event)
                for (const Cells& side : copied_cells(context, written, each))
                    cells.push_back(side);
        return cells;
    }
    if (instruction.op != Op::load && instruction.op != Op::store && instruction.op != Op::atomic)
        return cells;
    const auto value = [&](std::uint32_t reg, std::uint32_t lane) {
        return machine::value_in(context, group, choice.warp, reg, lane);
    };
    const std::uint64_t bytes = bytes_touched(instruction);
    for (const std::uint32_t lane : machine::set_bits(warp.exec)) {
        const std::uint64_t pointer = value(instruction.a, lane);
        const std::uint64_t number = machine::object_in(pointer);
        // A fault whatever anyone else does, and nobody sees what came before it.
        if (number == 0 || number >= context.objects.size() ||
            !lies_in(context.objects[number], pointer, bytes))
            return {};
        const auto each = cells_at(context, written, pointer, bytes, writes_cells(instruction));
        if (!each) continue;
        cells.push_back(*each);
        if (instruction.op == Op::atomic && context.objects[number].filled &&
            reads_only(instruction, value(instruction.b, lane)))
            cells.back().writes = each->object == kAnyObject;
    }
    return cells;
}

std::uint32_t warp_number(const machine::Machine& machine, const machine::State& state,
                          const machine::WarpRef& choice) {
    return state.groups[choice.slot]->id * machine.context(state.launch).warps + choice.warp;
}

bool may_go_on(const machine::State& state, std::uint32_t launch, std::uint32_t group,
               const machine::WarpRef& choice) {
    return state.launch == launch && choice.slot < state.groups.size() &&
           state.groups[choice.slot]->id == group && machine::is_ready(state, choice);
}

std::vector<std::uint32_t> no_actions_done(const machine::Machine& machine,
                                           const machine::State& state) {
    if (machine.done(state)) return {};
    const machine::Context& context = machine.context(state.launch);
    return std::vector<std::uint32_t>(std::size_t{context.groups} * context.warps, 0);
}

using machine::Status;
using machine::WarpRef;

const std::vector<Interferer>& KnownInterference::with_next(std::uint32_t warp) const {
    found_.clear();
    const std::vector<Conflicts::Last>& all = conflicts_.with_next(warp, done_);
    looked += all.size();
    for (const Conflicts::Last& last : all)
        if (done_[last.warp] <= last.action) found_.push_back({last.warp, false});
    return found_;
}

StubbornSets::StubbornSets(const machine::Machine& machine, const machine::State& state,
                           const Interference& interference)
    : state_(state), context_(machine.context(state.launch)), interference_(interference) {}

void StubbornSets::add(Set& set, std::uint32_t number) {
    if (set.in[number]) return;
    set.in[number] = true;
    set.left.push_back(number);
}

// One of the group that has to act before the others of it go on.
void StubbornSets::add_one_of(Set& set, const machine::Group& group) const {
    std::optional<std::uint32_t> first;
    for (std::uint32_t warp = 0; warp < group.warps.size(); ++warp) {
        if (group.warps[warp].status != Status::ready) continue;
        const std::uint32_t number = number_of(group.id, warp);
        if (set.in[number]) return;
        if (!first) first = number;
    }
    if (first) add(set, *first);
}

void StubbornSets::close(Set& set, std::uint32_t number) const {
    const std::uint32_t id = number / context_.warps, warp = number % context_.warps;
    const auto slot = machine::slot_of(state_, id);
    if (!slot) {
        if (id < state_.next_group) return;  // it has ended
        // It begins when some resident group ends.
        for (const auto& group : state_.groups)
            add_one_of(set, *group);
        return;
    }
    const machine::Group& group = *state_.groups[*slot];
    if (group.warps[warp].status == Status::waiting) add_one_of(set, group);
    if (group.warps[warp].status != Status::ready) return;
    for (const Interferer& each : interference_.with_next(number)) {
        const auto other = each.after_barrier ? machine::slot_of(state_, each.warp / context_.warps)
                                              : std::nullopt;
        if (other)
            add_one_of(set, *state_.groups[*other]);
        else
            add(set, each.warp);
    }
}

std::vector<WarpRef> StubbornSets::smallest(const std::vector<WarpRef>& ready,
                                            const std::vector<WarpRef>& seeds) const {
    // Warps that are looked at for a state; for more, it is not reduced.
    constexpr std::uint64_t kMostLooked = 4'000'000;
    std::vector<WarpRef> best = ready;
    std::vector<bool> tried(std::size_t{context_.groups} * context_.warps);
    for (const WarpRef& seed : seeds) {
        Set set;
        set.in.resize(tried.size());
        add(set, number_of(state_.groups[seed.slot]->id, seed.warp));
        bool smaller = true;  // what brings in an earlier seed is no smaller than its set
        while (!set.left.empty() && smaller) {
            const std::uint32_t number = set.left.back();
            set.left.pop_back();
            smaller = !tried[number];
            close(set, number);
            if (interference_.looked > kMostLooked) return best;
        }
        tried[number_of(state_.groups[seed.slot]->id, seed.warp)] = true;
        if (!smaller) continue;
        std::vector<WarpRef> members;
        for (const WarpRef& each : ready)
            if (set.in[number_of(state_.groups[each.slot]->id, each.warp)]) members.push_back(each);
        if (members.size() < best.size()) best = std::move(members);
        if (best.size() == 1) break;
    }
    return best;
}

}  // namespace lab::analysis
