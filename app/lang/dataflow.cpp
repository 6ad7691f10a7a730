#include "lang/dataflow.h"

#include <numeric>

#include "base/ranges.h"

namespace lab::lang {
namespace {

// What is known of each register before an instruction.
struct LaneFacts {
    std::vector<bool> tainted;  // its value may depend on what memory holds
    std::vector<bool> moving;   // as a pointer it may lead to memory that somebody writes

    explicit LaneFacts(std::size_t registers) : tainted(registers), moving(registers) {}
    bool join(const LaneFacts& from) {  // whether it changed
        bool changed = false;
        for (std::size_t reg = 0; reg < tainted.size(); ++reg) {
            changed = changed || (from.tainted[reg] && !tainted[reg]) ||
                      (from.moving[reg] && !moving[reg]);
            tainted[reg] = tainted[reg] || from.tainted[reg];
            moving[reg] = moving[reg] || from.moving[reg];
        }
        return changed;
    }
};
// An instruction overwrites a register in the lanes that run; those that rest keep what it held,
// and go on with it when control flow lets them.
struct RegisterFacts {
    LaneFacts running, resting;
    explicit RegisterFacts(std::size_t registers) : running(registers), resting(registers) {}
};

class Taint {
  public:
    Taint(const Code& code, const std::vector<bool>& fixed, bool of_numbers = false)
        : code_(code),
          fixed_(fixed),
          of_numbers_(of_numbers),
          alive_(code),
          before_(code.instructions.size() + 1, RegisterFacts(code.registers)),
          decided_(code.instructions.size()) {}

    bool run() {
        for (changed_ = true; changed_ && !depends_;) {
            changed_ = false;
            for (std::size_t i = 0; i < code_.instructions.size() && !depends_; ++i)
                visit(i);
        }
        return depends_;
    }

  private:
    // Whether constant memory may be an argument; else it is part of the text.
    bool given_constants() const {
        return any_of(code_.parameters, [](const Parameter& each) {
            return each.type_name.find("constant") != std::string::npos;
        });
    }
    bool may_move(const RegisterFacts& known, std::uint32_t reg) const {
        if ((reg & kUniform) == 0) return known.running.moving[reg];
        const Uniform& uniform = code_.uniforms[reg & ~kUniform];
        return uniform.kind != Uniform::Kind::argument || uniform.index >= fixed_.size() ||
               !fixed_[uniform.index];
    }
    static bool meets_in_unknown_turns(const Instruction& instruction, const RegisterFacts& known) {
        return (instruction.flags & kInTurns) != 0 && is_tainted(known, instruction.c);
    }
    static bool is_tainted(const RegisterFacts& known, std::uint32_t reg) {
        return (reg & kUniform) == 0 && known.running.tainted[reg];
    }

    void visit(std::size_t i) {
        const Instruction& instruction = code_.instructions[i];
        const RegisterFacts known = alive(i);
        RegisterFacts after = known;
        bool tainted = decided_[i];
        for_inputs(instruction,
                   [&](std::uint32_t reg) { tainted = tainted || known.running.tainted[reg]; });
        judge(i, known, tainted);
        if (depends_) return;
        if (instruction.op == Op::load)
            tainted = decided_[i] || (static_cast<Space>(instruction.extra) == Space::constant
                                          ? of_numbers_ && given_constants()
                                          : may_move(known, instruction.a));
        else if (instruction.op == Op::atomic ||
                 (!of_numbers_ &&
                  (instruction.op == Op::group_collective || instruction.op == Op::sub_collective)))
            tainted = true;
        else if (instruction.op == Op::load_private)
            tainted = tainted || private_;
        // A pointer made of a fixed one is fixed; what is loaded or computed may be any.
        const bool moves = instruction.op == Op::move || instruction.op == Op::offset
                               ? may_move(known, instruction.a)
                           : instruction.op == Op::select
                               ? may_move(known, instruction.a) || may_move(known, instruction.b)
                               : true;
        for_outputs(instruction, [&](std::uint32_t reg) {
            after.running.tainted[reg] = tainted;
            after.running.moving[reg] = moves;
        });
        change_lanes(instruction.op, after);
        for (const std::size_t next : successors(code_, i))
            join(before_[next], after);
    }

    // Who runs may rest from here on, and the other way round.
    static void change_lanes(Op op, RegisterFacts& known) {
        const bool rests = op == Op::if_ || op == Op::else_ || op == Op::test || op == Op::leave ||
                           op == Op::case_;
        const LaneFacts ran = known.running;
        if (adds_lanes(op)) known.running.join(known.resting);
        if (rests) known.resting.join(ran);
    }

    // Without registers whose values nobody needs any more: they may be used again.
    RegisterFacts alive(std::size_t i) const {
        RegisterFacts left(code_.registers);
        const Liveness::Alive& alive = alive_.before(static_cast<std::uint32_t>(i));
        const auto keep = [](const std::vector<std::uint32_t>& registers, const LaneFacts& from,
                             LaneFacts& to) {
            for (const std::uint32_t reg : registers) {
                to.tainted[reg] = from.tainted[reg];
                to.moving[reg] = from.moving[reg];
            }
        };
        keep(alive.running, before_[i].running, left.running);
        keep(alive.resting, before_[i].resting, left.resting);
        return left;
    }

    void join(RegisterFacts& into, const RegisterFacts& from) {
        if (into.running.join(from.running)) changed_ = true;
        if (into.resting.join(from.resting)) changed_ = true;
    }

    // What the instruction makes of a value that is not known.
    void judge(std::size_t i, const RegisterFacts& known, bool tainted) {
        const Instruction& instruction = code_.instructions[i];
        switch (instruction.op) {
            case Op::if_:
                if (is_tainted(known, instruction.a)) branch(i);
                break;
            case Op::test:
            case Op::case_:
            case Op::load:
            case Op::store:
                depends_ = depends_ || is_tainted(known, instruction.a);
                break;
            case Op::atomic:  // whether a compare-exchange writes depends on what it finds
                depends_ = depends_ || is_tainted(known, instruction.a) ||
                           (of_numbers_ &&
                            static_cast<Builtin>(instruction.extra) == Builtin::atomic_cmpxchg);
                break;
            case Op::barrier:  // whom it orders, if its flags are computed
                depends_ = depends_ ||
                           ((instruction.extra & kFenceComputed) != 0 &&
                            is_tainted(known, instruction.a)) ||
                           meets_in_unknown_turns(instruction, known);
                break;
            case Op::group_collective:
            case Op::group_wait:
                depends_ = depends_ || meets_in_unknown_turns(instruction, known);
                break;
            case Op::group_copy:  // when it is done depends on more than the accesses before
                depends_ = depends_ || !of_numbers_ || tainted;
                break;
            case Op::store_private:
                if (tainted && !private_) private_ = changed_ = true;
                break;
            default:
                break;
        }
    }

    // What follows from a condition that is not known: values, if nothing visible is done in it.
    void branch(std::size_t from) {
        const std::uint32_t slot = code_.instructions[from].to;
        for (std::size_t i = from + 1; i < code_.instructions.size(); ++i) {
            const Instruction& instruction = code_.instructions[i];
            if (instruction.op == Op::join && instruction.to == slot) return;
            depends_ = depends_ || is_visible(instruction.op) || instruction.op == Op::leave ||
                       instruction.op == Op::enter;
            if (decided_[i]) continue;
            decided_[i] = changed_ = true;
        }
    }

    const Code& code_;
    const std::vector<bool>& fixed_;
    const bool of_numbers_;  // asked is what depends on the numbers at the start, not on the order
    const Liveness alive_;
    std::vector<RegisterFacts> before_;  // by instruction
    std::vector<bool> decided_;  // by instruction: only who met an unknown condition runs it
    bool private_ = false;       // private memory may hold such values
    bool changed_ = false, depends_ = false;
};

}  // namespace

bool accesses_depend_on_data(const Code& code, const std::vector<bool>& fixed) {
    return Taint(code, fixed).run();
}

bool accesses_depend_on_numbers(const Code& code) {
    return Taint(code, std::vector<bool>(code.parameters.size()), true).run();
}

namespace {

// Memory grows with them. Instructions times registers and masks that are analysed; beyond, all
// count as live, and a search tells more states apart.
constexpr std::size_t kMostBits = std::size_t{1} << 25U;

// A set of registers or of slots, a bit each.
class BitSet {
  public:
    explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64) {}
    void add(std::uint32_t index) { words_[index / 64] |= std::uint64_t{1} << (index % 64U); }
    void remove(std::uint32_t index) { words_[index / 64] &= ~(std::uint64_t{1} << (index % 64U)); }
    bool has(std::uint32_t index) const { return (words_[index / 64] >> (index % 64U) & 1U) != 0; }
    // Whether that made it larger.
    bool join(const BitSet& other) {
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

// Does nothing but to write a register: no memory, no fault.
bool computes_only(Op op) {
    return op < Op::load_private && op != Op::check_defined && op != Op::lineage_of_choice &&
           !divides(op);
}

class Analysis {
  public:
    explicit Analysis(const Code& code)
        : code_(code),
          running_(code.instructions.size() + 1, BitSet(code.registers)),
          resting_(running_),
          masks_(code.instructions.size() + 1, BitSet(code.masks + 1)) {
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
        BitSet resting(code_.registers), running(code_.registers), masks(code_.masks + 1);
        for (const std::size_t next : successors(code_, i)) {
            running.join(running_[next]);
            resting.join(resting_[next]);
            masks.join(masks_[next]);
        }
        if (adds_lanes(instruction.op)) resting.join(running_[i + 1]);
        // Who leaves goes on where something adds its lane again, not at the next instruction; who
        // leaves the kernel, nowhere.
        if (instruction.op == Op::leave)
            running = instruction.to == kReturnSlot ? BitSet(code_.registers) : resting;
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

    static void slots(const Instruction& instruction, BitSet& alive) {
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
    std::vector<BitSet> running_, resting_, masks_;
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

void mark_dropped(Code& code) {
    const auto is_exchange = [](const Instruction& each) {
        return each.op == Op::atomic && static_cast<Builtin>(each.extra) == Builtin::atomic_xchg;
    };
    if (!any_of(code.instructions, is_exchange)) return;
    const Liveness liveness(code);
    for (std::uint32_t i = 0; i + 1 < code.instructions.size(); ++i)
        if (Instruction& each = code.instructions[i];
            is_exchange(each) && !contains(liveness.before(i + 1).running, each.to))
            each.flags |= kFindsAny;
}

}  // namespace lab::lang
