#include "machine/execute/together.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "machine/execute/compute.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

constexpr std::uint32_t kMostTogether = 64;  // items: their registers stay in the nearest cache
constexpr std::uint32_t kMostSteps = 256;    // of an item

// Runs what cannot fault and what nobody sees, for items that stand at one instruction. Where a
// condition holds for some of them only, they go on as two sets.
class Together {
  public:
    Together(const ExecutionContext& execution, Group& group, std::uint32_t first,
             std::uint32_t count)
        : context_(execution.context),
          group_(group),
          first_(first),
          registers_(group.registers.data()),
          masks_(group.masks.data()) {
        std::iota(items_.begin(), items_.begin() + count, first);
        subsets_[0] = {0, count, group.warps[first].pc, 0, true};
        while (open_ > 0)
            run(subsets_[--open_]);
    }

    // Instructions that the item has done.
    std::uint32_t steps(std::uint32_t item) const { return steps_[item - first_]; }
    // Whether it stands before its next action, or has come to its end.
    bool stands(std::uint32_t item) const {
        const Op op = context_.code->instructions[group_.warps[item].pc].op;
        return op == Op::end || lang::is_visible(op);
    }
    // For all items, if each of them stands.
    std::optional<std::uint64_t> all_steps() const {
        return complete_ ? std::optional(all_steps_) : std::nullopt;
    }

  private:
    struct Subset {
        std::uint32_t begin, end;  // of items_
        std::uint32_t pc, steps;
        bool runs;
    };

    void run(Subset start) {
        begin_ = start.begin;
        end_ = start.end;
        pc_ = start.pc;
        runs_ = start.runs;
        for (steps_now_ = start.steps; steps_now_ < kMostSteps; ++steps_now_)
            if (!step(context_.code->instructions[pc_])) break;
        const Op op = context_.code->instructions[pc_].op;
        const bool ended = op == Op::end, stands = ended || lang::is_visible(op);
        steps_now_ += ended ? 2 : stands ? 1 : 0;  // as Executor::advance() counts them
        all_steps_ += std::uint64_t{steps_now_} * (end_ - begin_);
        complete_ = complete_ && stands;
        if (ended) group_.done += end_ - begin_;
        each([&](std::uint32_t item) {
            Warp& warp = group_.warps[item];
            warp.pc = pc_;
            warp.exec = runs_ ? 1 : 0;
            if (stands) warp.status = ended ? Status::done : Status::ready;
            if (stands && !ended) set_ready(group_, item, true);
            steps_[item - first_] = steps_now_;
        });
    }

    template <typename Call>
    void each(Call call) const {
        for (std::uint32_t i = begin_; i < end_; ++i)
            call(items_[i]);
    }

    // An operand of all items, by the row of an item's registers; one that they share has one row.
    struct Operand {
        const std::uint64_t* base;
        std::size_t mask;
        std::uint64_t operator[](std::size_t row) const { return base[row & mask]; }
    };
    Operand in(std::uint32_t reg) const {
        if ((reg & lang::kUniform) != 0)
            return {context_.uniforms.data() + (reg & ~lang::kUniform), 0};
        return {registers_ + reg, ~std::size_t{0}};
    }
    std::size_t row(std::uint32_t item) const { return std::size_t{item} * context_.registers; }
    std::uint64_t& mask(std::uint32_t item, std::uint32_t slot) {
        return masks_[std::size_t{item} * context_.masks + slot];
    }

    template <typename Value>
    void set(const Instruction& instruction, Value value) {
        std::uint64_t* const to = registers_ + instruction.to;
        each([&](std::uint32_t item) { to[row(item)] = value(item); });
        ++pc_;
    }

    // Those for whom it holds run on, the others go to the instruction's target. Asks once for
    // each.
    template <typename RunsOn>
    void branch(const Instruction& instruction, RunsOn runs_on) {
        const auto middle = static_cast<std::uint32_t>(
            std::partition(items_.begin() + begin_, items_.begin() + end_, runs_on) -
            items_.begin());
        runs_ = middle > begin_;
        if (runs_ && middle < end_)
            subsets_[open_++] = {middle, end_, instruction.target, steps_now_ + 1, false};
        if (runs_) end_ = middle;
        pc_ = runs_ ? pc_ + 1 : instruction.target;
    }

    // False: that one is left to an Executor.
    bool step(const Instruction& instruction) {
        if (instruction.op >= Op::jump) return control(instruction);
        const Operand a = in(instruction.a), b = in(instruction.b);
        const auto arithmetic = [&](auto f) {
            set(instruction, [&](std::uint32_t item) { return f(a[row(item)], b[row(item)]); });
        };
        if (compute(instruction, arithmetic)) return true;
        switch (instruction.op) {
            case Op::global_id: {
                const std::uint64_t start = std::uint64_t{group_.id} * context_.local;
                if (context_.plain && instruction.imm % lang::kLinear == 0)
                    set(instruction, [&](std::uint32_t item) { return start + item; });
                else
                    set(instruction, [&](std::uint32_t item) {
                        return context_.global_id(group_.id, item, instruction.imm);
                    });
                return true;
            }
            case Op::local_id:
                if (context_.plain && instruction.imm % lang::kLinear == 0)
                    set(instruction, [](std::uint32_t item) { return std::uint64_t{item}; });
                else
                    set(instruction, [&](std::uint32_t item) {
                        return context_.local_id(item, instruction.imm);
                    });
                return true;
            case Op::group_id: {
                const std::uint64_t id = context_.group_id(group_.id, instruction.imm);
                set(instruction, [&](std::uint32_t) { return id; });
                return true;
            }
            case Op::check_index: {
                bool inside = true;
                each(
                    [&](std::uint32_t item) { inside = inside && a[row(item)] < instruction.imm; });
                if (inside) ++pc_;
                return inside;
            }
            default:
                return false;
        }
    }

    // What Executor::control() does, where a mask is one bit.
    bool control(const Instruction& instruction) {
        const auto holds = [this, a = in(instruction.a)](std::uint32_t item) {
            return a[row(item)] != 0;
        };
        switch (instruction.op) {
            case Op::jump:
                pc_ = instruction.target;
                return true;
            case Op::if_:
                branch(instruction, [&](std::uint32_t item) {
                    mask(item, instruction.to) = 1;
                    mask(item, instruction.to + 1) = holds(item) ? 0 : 1;
                    return holds(item);
                });
                return true;
            case Op::else_:
                branch(instruction,
                       [&](std::uint32_t item) { return mask(item, instruction.to + 1) != 0; });
                return true;
            case Op::join:
                branch(instruction, [&](std::uint32_t item) {
                    return (mask(item, instruction.to) & ~mask(item, instruction.a) &
                            ~mask(item, instruction.b) & ~mask(item, instruction.c)) != 0;
                });
                return true;
            case Op::enter:
                each([&](std::uint32_t item) {
                    mask(item, instruction.to) = runs_ ? 1 : 0;
                    mask(item, instruction.a) = 0;
                });
                ++pc_;
                return true;
            case Op::test:
                branch(instruction, [&](std::uint32_t item) {
                    if (!holds(item)) group_.left[item] = instruction.place;
                    return holds(item);
                });
                return true;
            case Op::again: {
                const bool came = runs_;
                branch(instruction, [&](std::uint32_t item) {
                    return std::exchange(mask(item, instruction.to), 0) != 0 || came;
                });
                return true;
            }
            case Op::leave:
                each([&](std::uint32_t item) {
                    if (runs_) group_.left[item] = instruction.place;
                    mask(item, instruction.to) |= runs_ ? 1U : 0U;
                });
                runs_ = false;
                pc_ = instruction.target;
                return true;
            case Op::next_pass:
                each([&](std::uint32_t item) {
                    Warp& warp = group_.warps[item];
                    if (!context_.code->has_barrier) ++warp.pass;
                    warp.turn = instruction.imm != 0 ? 0 : warp.turn + 1;
                });
                ++pc_;
                return true;
            default:
                return false;
        }
    }

    const Context& context_;
    Group& group_;
    const std::uint32_t first_;
    std::uint64_t* const registers_;
    std::uint64_t* const masks_;
    std::array<std::uint32_t, kMostTogether> items_;  // those of a subset lie side by side
    std::array<std::uint32_t, kMostTogether> steps_;
    std::array<Subset, kMostTogether> subsets_;  // yet to run
    std::uint32_t open_ = 1;
    std::uint64_t all_steps_ = 0;
    bool complete_ = true;
    // The one at hand.
    std::uint32_t begin_ = 0, end_ = 0, pc_ = 0, steps_now_ = 0;
    bool runs_ = true;
};

}  // namespace

template <bool kLineage, bool kOneLane>
void advance_all(const ExecutionContext& execution, Group& group) {
    State& state = execution.state;
    const auto warps = static_cast<std::uint32_t>(group.warps.size());
    const auto advance = [&](std::uint32_t index) {
        Warp& warp = group.warps[index];
        warp.status = Status::ready;
        Executor<kLineage, kOneLane>(execution, group, index).advance();
        if (warp.status == Status::done)
            ++group.done;
        else
            set_ready(group, index, true);
    };
    for (std::uint32_t first = 0; first < warps; first += kMostTogether) {
        const std::uint32_t count = std::min(kMostTogether, warps - first);
        const bool together = kOneLane && !kLineage && execution.flow == nullptr &&
                              state.steps + std::uint64_t{count} * kMostSteps <= execution.budget;
        if (!together) {
            for (std::uint32_t i = first; i < first + count; ++i)
                advance(i);
            continue;
        }
        const Together sweep(execution, group, first, count);
        if (const auto steps = sweep.all_steps()) {
            state.steps += *steps;
            continue;
        }
        for (std::uint32_t i = first; i < first + count; ++i) {
            state.steps += sweep.steps(i);
            if (!sweep.stands(i)) advance(i);
        }
    }
}

template void advance_all<false, false>(const ExecutionContext&, Group&);
template void advance_all<false, true>(const ExecutionContext&, Group&);
template void advance_all<true, false>(const ExecutionContext&, Group&);
template void advance_all<true, true>(const ExecutionContext&, Group&);

}  // namespace lab::machine
