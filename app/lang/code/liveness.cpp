#include "lang/code/liveness.h"

#include <numeric>

#include "lang/code/operands.h"

namespace lab::lang {
namespace {

// Instructions times registers and slots that are analysed: memory grows with them.
constexpr std::size_t kMostBits = std::size_t{1} << 25U;

// A set of registers or of slots, a bit each.
class Set {
  public:
    explicit Set(std::size_t size = 0) : words_((size + 63) / 64) {}
    void add(std::uint32_t index) { words_[index / 64] |= std::uint64_t{1} << (index % 64U); }
    void remove(std::uint32_t index) { words_[index / 64] &= ~(std::uint64_t{1} << (index % 64U)); }
    bool has(std::uint32_t index) const { return (words_[index / 64] >> (index % 64U) & 1U) != 0; }
    // Whether that made it larger.
    bool join(const Set& other) {
        bool grown = false;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            grown = grown || (other.words_[i] & ~words_[i]) != 0;
            words_[i] |= other.words_[i];
        }
        return grown;
    }
    std::vector<std::uint32_t> members() const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < words_.size() * 64; ++i)
            if ((words_[i / 64] >> (i % 64U) & 1U) != 0) all.push_back(i);
        return all;
    }

  private:
    std::vector<std::uint64_t> words_;
};

// Puts lanes that rested back to work.
bool adds_lanes(Op op) {
    return op == Op::else_ || op == Op::join || op == Op::again || op == Op::case_;
}

bool divides(Op op) {
    return (op >= Op::div_i32 && op <= Op::div_u64) || (op >= Op::rem_i32 && op <= Op::rem_u64);
}

// Does nothing but to write a register: no memory, no fault.
bool computes_only(Op op) {
    return op < Op::load_private && op != Op::check_defined && op != Op::lineage_of_choice &&
           !divides(op);
}

class Analysis {
  public:
    explicit Analysis(const Code& code)
        : code_(code),
          running_(code.instructions.size() + 1, Set(code.registers)),
          resting_(running_),
          masks_(code.instructions.size() + 1, Set(code.masks + 1)) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = code.instructions.size(); i-- > 0;)
                changed = visit(i) || changed;
        }
    }

    Liveness::Alive at(std::size_t i) const {
        return {running_[i].members(), resting_[i].members(), masks_[i].members()};
    }

  private:
    bool visit(std::size_t i) {
        const Instruction& instruction = code_.instructions[i];
        Set resting(code_.registers), running(code_.registers), masks(code_.masks + 1);
        for (const std::size_t next : successors(code_, i)) {
            running.join(running_[next]);
            resting.join(resting_[next]);
            masks.join(masks_[next]);
        }
        if (adds_lanes(instruction.op)) resting.join(running_[i + 1]);
        // Who leaves goes on where something adds its lane again, not at the next instruction; who
        // leaves the kernel, nowhere.
        if (instruction.op == Op::leave)
            running = instruction.to == kReturnSlot ? Set(code_.registers) : resting;
        // What only goes into a value that nobody needs is not needed itself.
        bool needed = !computes_only(instruction.op);
        for_outputs(instruction, [&](std::uint32_t reg) {
            needed = needed || running.has(reg);
            running.remove(reg);
        });
        if (needed) for_inputs(instruction, [&](std::uint32_t reg) { running.add(reg); });
        // Lanes that rest are compared, too: one that waits for a later case is told from one that
        // left by a break only by what it chose.
        if (instruction.op == Op::case_)
            for_inputs(instruction, [&](std::uint32_t reg) { resting.add(reg); });
        slots(instruction, masks);
        const bool a = running_[i].join(running), b = resting_[i].join(resting);
        return masks_[i].join(masks) || a || b;
    }

    static void slots(const Instruction& instruction, Set& alive) {
        switch (instruction.op) {
            case Op::if_:
                alive.remove(instruction.to);
                alive.remove(instruction.to + 1);
                break;
            case Op::enter:
                alive.remove(instruction.to);
                alive.remove(instruction.a);
                break;
            case Op::else_:
                alive.add(instruction.to + 1);
                break;
            case Op::join:
                for (const std::uint32_t slot :
                     {instruction.to, instruction.a, instruction.b, instruction.c})
                    alive.add(slot);
                break;
            case Op::again:
            case Op::leave:
            case Op::case_:
                alive.add(instruction.to);
                break;
            default:
                break;
        }
    }

    const Code& code_;
    std::vector<Set> running_, resting_, masks_;
};

}  // namespace

std::array<std::size_t, 2> successors(const Code& code, std::size_t instruction) {
    const Instruction& of = code.instructions[instruction];
    if (of.op == Op::end) return {code.instructions.size(), code.instructions.size()};
    if (of.op == Op::jump || of.op == Op::leave) return {of.target, of.target};
    const bool turns = of.op == Op::if_ || of.op == Op::test || adds_lanes(of.op);
    return {instruction + 1, turns ? of.target : instruction + 1};
}

Liveness::Liveness(const Code& code) {
    if (code.instructions.size() * (std::size_t{code.registers} + code.masks) > kMostBits) {
        everything_ = true;
        Alive all;
        all.running.resize(code.registers);
        std::iota(all.running.begin(), all.running.end(), 0U);
        all.resting = all.running;
        all.masks.resize(code.masks);
        std::iota(all.masks.begin(), all.masks.end(), 0U);
        alive_.push_back(std::move(all));
        return;
    }
    const Analysis analysis(code);
    for (std::size_t i = 0; i < code.instructions.size(); ++i)
        alive_.push_back(analysis.at(i));
}

}  // namespace lab::lang
