#include "analysis/spin_acceleration.h"

#include <algorithm>
#include <bit>

#include "analysis/conflicts.h"
#include "analysis/footprints.h"
#include "base/ranges.h"
#include "lang/code.h"
#include "machine/schedule.h"

namespace lab::analysis {

using machine::Context;
using machine::Group;
using machine::State;
using machine::Warp;
using machine::WarpRef;

// Actions of a schedule, which take seconds to replay; a longer wait is not skipped.
constexpr std::uint64_t kMostActions = std::uint64_t{1} << 28U;

// Once round the loop, by that warp alone.
struct SpinAcceleration::Round {
    State after;
    std::uint64_t actions = 0;
    std::vector<LoopCounter> counters;
};

SpinAcceleration::SpinAcceleration(machine::Machine& machine, const machine::StateKeys& keys)
    : machine_(machine), keys_(keys) {
    for (std::uint32_t i = 0; i < machine.job().launches.size(); ++i) {
        const lang::Code* code = machine.context(i).code;
        auto& known = loops_[code];
        if (!known) known = std::make_shared<const WaitLoops>(*code);
    }
}

std::optional<SpinAcceleration::Round> SpinAcceleration::go_round(const State& state,
                                                                  const WarpRef& choice) {
    constexpr std::uint64_t kMostAround = 32;  // actions of a round; a longer one is not skipped
    const Warp& warp = state.groups[choice.slot]->warps[choice.warp];
    const Context& context = machine_.context(state.launch);
    Round result;
    result.after = state;
    try {
        for (bool round = false; !round; ++result.actions) {
            if (result.actions == kMostAround) return std::nullopt;
            done_.clear();
            machine_.act(result.after, choice, done_);
            if (!may_go_on(result.after, state.launch, state.groups[choice.slot]->id, choice))
                return std::nullopt;
            round = result.after.groups[choice.slot]->warps[choice.warp].pc == warp.pc;
        }
    } catch (const machine::Fault&) {
        return std::nullopt;
    }
    const Group &before = *state.groups[choice.slot], &after = *result.after.groups[choice.slot];
    if (after.warps[choice.warp].exec != warp.exec) return std::nullopt;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.exec));
    for (const std::uint32_t reg : keys_.liveness(state.launch).before(warp.pc).running) {
        const std::size_t index = context.place(choice.warp, reg, lane);
        const std::uint64_t moved = after.registers[index] - before.registers[index];
        if (moved == 0) continue;
        if (moved + 1 > 2) return std::nullopt;  // neither 1 nor -1
        result.counters.push_back({reg, static_cast<std::int64_t>(moved), lang::Number::u32});
    }
    if (result.counters.empty()) return std::nullopt;  // it goes round forever
    return result;
}

// For how many iterations its lanes' comparisons come out as they do now; 0: nobody knows.
std::uint64_t SpinAcceleration::alike(const State& state, const WarpRef& choice, Round& round) {
    const Context& context = machine_.context(state.launch);
    const Group& group = *state.groups[choice.slot];
    const Warp& warp = group.warps[choice.warp];
    const WaitLoops::Loop& loop = *loops_[context.code]->around(warp.pc);
    const auto mask = [&](std::uint32_t slot) {
        return group.masks[std::size_t{choice.warp} * context.masks + slot];
    };
    // Nobody who waits for the others of the warp to come round.
    for (std::uint32_t pc = loop.first; pc < loop.last; ++pc) {
        const lang::Instruction& instruction = context.code->instructions[pc];
        if (instruction.op == lang::Op::again && mask(instruction.to) != 0) return 0;
    }
    std::optional<std::uint64_t> fewest;
    for (const std::uint32_t lane : machine::set_bits(warp.exec)) {
        if (fewest == 0U) break;
        std::vector<LoopCounter> counters = round.counters;
        const auto iterations = wait_iterations(
            {context, keys_.liveness(state.launch), loop, group, choice.warp, lane}, counters);
        const bool together =
            iterations && (!fewest || counters == round.counters) &&
            all_of(iterations->within, [&](std::uint32_t slot) { return mask(slot) == warp.exec; });
        fewest = together ? std::min(fewest.value_or(iterations->alike), iterations->alike) : 0;
        round.counters = std::move(counters);
    }
    return *fewest;
}

std::optional<SpinAcceleration::Skipped> SpinAcceleration::skip(State& state,
                                                                const WarpRef& choice) {
    if (!machine::is_ready(state, choice)) return std::nullopt;
    const Context& context = machine_.context(state.launch);
    const Warp& warp = state.groups[choice.slot]->warps[choice.warp];
    if (!loops_[context.code]->around(warp.pc)) return std::nullopt;
    auto round = go_round(state, choice);
    if (!round) return std::nullopt;
    const std::uint64_t all = alike(state, choice, *round);
    const auto lanes = static_cast<std::uint64_t>(std::popcount(warp.exec));
    if (all <= lanes || all > kMostActions / round->actions) return std::nullopt;
    const std::uint64_t count = all - lanes, exec = warp.exec;
    Group& group = state.groups[choice.slot].write();
    for (const LoopCounter& each : round->counters)
        for (const std::uint32_t lane : machine::set_bits(exec)) {
            std::uint64_t& counter = group.registers[context.place(choice.warp, each.reg, lane)];
            counter = each.after(counter, count);
        }
    return Skipped{count * round->actions, count * (round->after.steps - state.steps)};
}

namespace {

using lang::Instruction;
using lang::Number;
using lang::Op;

struct Value {
    enum class Kind : std::uint8_t { any, known, counter } kind = Kind::any;
    std::uint64_t bits = 0;  // of a counter: in the first of the iterations
    std::int8_t step = 0;    // of a counter
    bool typed = false;      // whether `number` is known
    Number number = Number::u32;
};

class Interpreter {
  public:
    Interpreter(const LoopEntry& entry, std::vector<LoopCounter>& counters)
        : entry_(entry),
          context_(entry.context),
          code_(*entry.context.code),
          pc_(entry.group.warps[entry.warp].pc),
          counters_(counters) {}

    std::optional<WaitIterations> run() {
        left_.push_back(start());
        for (std::size_t ways = 0; !left_.empty(); ++ways) {
            if (ways == kMostWays) return std::nullopt;
            Way way = std::move(left_.back());
            left_.pop_back();
            if (!follow(way)) return std::nullopt;
        }
        if (!returns_) return std::nullopt;
        return WaitIterations{alike_, std::move(within_)};
    }

  private:
    // Paths through an iteration, and instructions; one with more is not skipped.
    static constexpr std::uint64_t kMostWays = 64, kMostSteps = 4000;

    struct Way {
        std::uint32_t pc = 0;
        bool runs = true;                   // the lane's bit of the execution mask
        bool outside = false;               // it has left the loop
        std::vector<Value> values;          // by register
        std::vector<bool> masks;            // the lane's bits, by slot
        std::vector<std::uint32_t> within;  // conditions entered since the loop began again
    };

    std::uint64_t own(std::uint32_t reg) const {
        return machine::value_in(context_, entry_.group, entry_.warp, reg, entry_.lane);
    }
    bool own_mask(std::uint32_t slot) const {
        return (entry_.group.masks[std::size_t{entry_.warp} * context_.masks + slot] >>
                    entry_.lane &
                1U) != 0;
    }

    Way start() const {
        Way way;
        way.pc = pc_;
        for (std::uint32_t reg = 0; reg < context_.registers; ++reg)
            way.values.push_back({Value::Kind::known, own(reg), 0, false, Number::u32});
        for (const LoopCounter& each : counters_) {
            way.values[each.reg].kind = Value::Kind::counter;
            way.values[each.reg].step = static_cast<std::int8_t>(each.step);
        }
        for (std::uint32_t slot = 0; slot < context_.masks; ++slot)
            way.masks.push_back(own_mask(slot));
        return way;
    }

    // To its end; whether all on it is as it has to be.
    bool follow(Way& way) {
        for (bool first = true;; first = false) {
            if (++steps_ > kMostSteps) return false;
            if (!first && way.pc == pc_ && way.runs) return !way.outside && came_round(way);
            const bool inside = entry_.loop.contains(way.pc);
            if (inside && way.outside) return false;  // with a counter that is still needed
            way.outside = !inside;
            const Instruction& instruction = code_.instructions[way.pc];
            if (instruction.op == Op::end || (way.outside && way.runs && !needs_counter(way)))
                return true;
            if (!way.runs && !lang::adds_lanes(instruction.op)) return false;
            if (instruction.op >= Op::jump ? !control(way, instruction)
                                           : !compute(way, instruction))
                return false;
        }
    }

    bool needs_counter(const Way& way) const {
        const std::vector<std::uint32_t>& alive = entry_.liveness.before(way.pc).running;
        return any_of(alive, [&](std::uint32_t reg) { return is_counter(way.values[reg]); });
    }

    // Back where it began: nothing has changed but the counters.
    bool came_round(const Way& way) {
        const lang::Liveness::Alive& alive = entry_.liveness.before(pc_);
        for (const std::uint32_t reg : alive.running) {
            const Value& value = way.values[reg];
            const auto counter =
                std::find_if(counters_.begin(), counters_.end(),
                             [reg](const LoopCounter& each) { return each.reg == reg; });
            if (counter == counters_.end()) {
                if (value.kind != Value::Kind::known || value.bits != own(reg)) return false;
                continue;
            }
            if (value.kind != Value::Kind::counter || !value.typed || value.step != counter->step)
                return false;
            counter->number = value.number;
            if (value.bits != counter->after(own(reg), 1)) return false;
            // So that a wider type has the same numbers.
            alike_ =
                std::min(alike_, iterations_without_overflow(value.number, own(reg), value.step));
        }
        for (const std::uint32_t slot : alive.masks)
            if (slot < way.masks.size() && way.masks[slot] != own_mask(slot)) return false;
        for (const std::uint32_t slot : way.within)
            if (!contains(within_, slot)) within_.push_back(slot);
        return returns_ = true;
    }

    Value value(const Way& way, std::uint32_t reg) const {
        if ((reg & lang::kUniform) == 0) return way.values[reg];
        return known(own(reg));
    }

    bool compute(Way& way, const Instruction& instruction) {
        const unsigned inputs = lang::operands::inputs(instruction);
        const Value a = inputs > 0 ? value(way, instruction.a) : Value();
        const Value b = inputs > 1 ? value(way, instruction.b) : Value();
        const Value c = inputs > 2 ? value(way, instruction.c) : Value();
        ++way.pc;
        if (instruction.op == Op::select && is_counter(c) && !is_counter(a) && !is_counter(b)) {
            way.values[instruction.to] = *condition(c) ? a : b;
            return true;
        }
        if (is_counter(a) || is_counter(b) || is_counter(c)) return count(way, instruction, a, b);
        switch (instruction.op) {
            case Op::store:
            case Op::store_private:
            case Op::print:
            case Op::barrier:
            case Op::group_collective:
            case Op::group_copy:
            case Op::group_wait:
            case Op::sub_collective:
                if (!way.outside) return false;
                break;
            case Op::check_index:
                if (a.kind != Value::Kind::known || a.bits >= instruction.imm) return false;
                break;
            case Op::atomic:
                if (!way.outside &&
                    !reads_only(instruction, b.kind == Value::Kind::known ? b.bits : 1))
                    return false;
                break;
            default:
                break;
        }
        bool stores_counter = false;
        lang::for_inputs(instruction, [&](std::uint32_t reg) {
            stores_counter = stores_counter || is_counter(way.values[reg]);
        });
        if (stores_counter) return false;
        const Value result = computed(instruction, inputs, a, b, c);
        lang::for_outputs(instruction, [&](std::uint32_t reg) { way.values[reg] = result; });
        return true;
    }

    Value computed(const Instruction& instruction, unsigned inputs, const Value& a, const Value& b,
                   const Value& c) const {
        const auto is = [](const Value& each, std::uint64_t bits) {
            return each.kind == Value::Kind::known && each.bits == bits;
        };
        if (instruction.op == Op::and_ && (is(a, 0) || is(b, 0))) return known(0);
        if ((inputs > 0 && a.kind == Value::Kind::any) ||
            (inputs > 1 && b.kind == Value::Kind::any) ||
            (inputs > 2 && c.kind == Value::Kind::any))
            return {};
        const std::uint64_t local = std::uint64_t{entry_.warp} * context_.lanes + entry_.lane;
        switch (instruction.op) {
            case Op::global_id:
                return known(context_.global_id(entry_.group.id, local, instruction.imm));
            case Op::local_id:
                return known(context_.local_id(local, instruction.imm));
            case Op::group_id:
                return known(context_.group_id(entry_.group.id, instruction.imm));
            default:
                break;
        }
        const auto result = result_of(instruction, a.bits, b.bits, c.bits);
        return result ? known(*result) : Value();
    }

    static Value known(std::uint64_t bits) {
        return {Value::Kind::known, bits, 0, false, Number::u32};
    }
    static bool is_counter(const Value& value) { return value.kind == Value::Kind::counter; }

    // An instruction that reads a counter; whether it does nothing with it but to count and
    // compare.
    bool count(Way& way, const Instruction& instruction, Value a, Value b) {
        const auto set = [&](const Value& result) {
            way.values[instruction.to] = result;
            return true;
        };
        switch (instruction.op) {
            case Op::move:
                return set(a);
            case Op::not_:
            case Op::truth:
                return set(known(std::uint64_t{condition(a) == (instruction.op == Op::truth)}));
            case Op::wrap:
                if (instruction.type != lang::Scalar::int_ &&
                    instruction.type != lang::Scalar::uint)
                    return false;
                if (a.typed && is_wide(a.number)) return false;
                a.typed = true;
                a.number = instruction.type == lang::Scalar::int_ ? Number::i32 : Number::u32;
                a.bits = canonical(a.number, a.bits);
                return set(a);
            default:
                break;
        }
        const auto how = arithmetic_of(instruction.op);
        Value& counter = is_counter(a) ? a : b;
        const Value& other = is_counter(a) ? b : a;
        if (!how || other.kind != Value::Kind::known || !becomes(counter, how->number))
            return false;
        const std::optional<std::uint64_t> result = result_of(instruction, a.bits, b.bits, 0);
        if (is_comparison(how->form)) {
            alike_ = std::min(alike_, iterations_alike(*how, counter.bits, counter.step, other.bits,
                                                       is_counter(b)));
            return set(known(*result));
        }
        if (how->form != Form::add && (how->form != Form::sub || is_counter(b))) return false;
        counter.bits = *result;
        return set(counter);
    }

    // Whether it is the same number in that type, as long as it does not overflow.
    bool becomes(Value& counter, Number number) {
        if (canonical(number, counter.bits) != counter.bits) return false;
        if (counter.typed && is_wide(counter.number) != is_wide(number)) {
            if (!is_wide(number)) return false;
            alike_ = std::min(
                alike_, iterations_without_overflow(counter.number, counter.bits, counter.step));
        }
        counter.typed = true;
        counter.number = number;
        return true;
    }

    // Whether it holds; empty: it may or may not.
    std::optional<bool> condition(const Value& value) {
        if (value.kind == Value::Kind::any) return std::nullopt;
        if (is_counter(value))
            alike_ = std::min(alike_,
                              iterations_alike({Form::eq, value.typed ? value.number : Number::u64},
                                               value.bits, value.step, 0, false));
        return value.bits != 0;
    }

    bool control(Way& way, const Instruction& instruction) {
        const auto go = [&](Way& on) { on.pc = on.runs ? on.pc + 1 : instruction.target; };
        switch (instruction.op) {
            case Op::jump:
                if (way.pc == entry_.loop.last) way.within.clear();
                break;
            case Op::next_pass:
                ++way.pc;
                return true;
            case Op::if_:
            case Op::test: {
                const std::optional<bool> holds = condition(value(way, instruction.a));
                if (!holds) {
                    Way other = way;
                    branch(other, instruction, false);
                    go(other);
                    left_.push_back(std::move(other));
                }
                branch(way, instruction, holds.value_or(true));
                go(way);
                return true;
            }
            case Op::join: {
                const auto position =
                    std::find(way.within.begin(), way.within.end(), instruction.to);
                if (position != way.within.end()) way.within.erase(position);
                break;
            }
            case Op::enter:
                way.within.push_back(instruction.to);
                break;
            default:
                break;
        }
        return follow_masks(way, instruction);
    }

    void branch(Way& way, const Instruction& instruction, bool holds) {
        if (instruction.op == Op::if_) {
            way.masks[instruction.to] = true;
            way.masks[instruction.to + 1] = !holds;
            way.within.push_back(instruction.to);
        }
        way.runs = holds;
        // What a condition was that did not hold: `a && b` asks for `a` again.
        if (!holds && (instruction.a & lang::kUniform) == 0 &&
            way.values[instruction.a].kind == Value::Kind::any)
            way.values[instruction.a] = known(0);
    }

    const LoopEntry& entry_;
    const machine::Context& context_;
    const lang::Code& code_;
    const std::uint32_t pc_;
    std::vector<LoopCounter>& counters_;
    std::vector<Way> left_;
    std::uint64_t steps_ = 0, alike_ = kAlways;
    std::vector<std::uint32_t> within_;
    bool returns_ = false;
};

}  // namespace

std::uint64_t LoopCounter::after(std::uint64_t bits, std::uint64_t count) const {
    return canonical(number, bits + static_cast<std::uint64_t>(step) * count);
}

WaitLoops::WaitLoops(const lang::Code& code) : loops_(code.instructions.size()) {
    constexpr std::uint32_t kLongest = 200;  // instructions of a loop; a longer one is not skipped
    for (std::uint32_t last = 0; last < code.instructions.size(); ++last) {
        const Instruction& jump = code.instructions[last];
        if (jump.op != Op::jump || jump.target > last || last - jump.target > kLongest) continue;
        const Loop loop{jump.target, last};
        const auto waits = [](const Instruction& instruction) {
            return !lang::is_waiting(instruction.op) && instruction.op != Op::sub_collective &&
                   instruction.op != Op::store_private && instruction.op != Op::print &&
                   instruction.op != Op::case_;
        };
        const auto begin = code.instructions.begin();
        if (!std::all_of(begin + loop.first, begin + loop.last, waits)) continue;
        // Inner loops end, and so come, before those around them.
        for (std::uint32_t pc = loop.first; pc < loop.last; ++pc) {
            const Op op = code.instructions[pc].op;
            if ((op == Op::load || op == Op::atomic) && !loops_[pc]) loops_[pc] = loop;
        }
    }
}

std::optional<WaitIterations> wait_iterations(const LoopEntry& entry,
                                              std::vector<LoopCounter>& counters) {
    return Interpreter(entry, counters).run();
}

}  // namespace lab::analysis
