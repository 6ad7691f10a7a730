#include "lang/dependence.h"

#include "lang/operands.h"

namespace lab::lang {
namespace {

class Taint {
  public:
    Taint(const Code& code, const std::vector<bool>& fixed)
        : code_(code), fixed_(fixed), tainted_(code.registers), moving_(code.registers) {}

    bool run() {
        for (changed_ = true; changed_ && !depends_;) {
            changed_ = false;
            for (std::size_t i = 0; i < code_.instructions.size() && !depends_; ++i)
                visit(i);
        }
        return depends_;
    }

  private:
    bool is_tainted(std::uint32_t reg) const { return (reg & kUniform) == 0 && tainted_[reg]; }
    // Whether the pointer may lead to memory that somebody writes.
    bool may_move(std::uint32_t reg) const {
        if ((reg & kUniform) == 0) return moving_[reg];
        const Uniform& of = code_.uniforms[reg & ~kUniform];
        return of.kind != Uniform::Kind::argument || of.index >= fixed_.size() || !fixed_[of.index];
    }
    static void set(std::vector<bool>& all, std::uint32_t reg, bool& changed) {
        if (all[reg]) return;
        all[reg] = true;
        changed = true;
    }

    void visit(std::size_t i) {
        const Instruction& of = code_.instructions[i];
        bool tainted = false;
        for_inputs(of, [&](std::uint32_t reg) { tainted = tainted || tainted_[reg]; });
        switch (of.op) {
            case Op::if_:
                if (is_tainted(of.a)) branch(i);
                return;
            case Op::test:
            case Op::case_:
                depends_ = depends_ || is_tainted(of.a);
                return;
            case Op::store:
                depends_ = depends_ || is_tainted(of.a);
                return;
            case Op::store_private:
                if (tainted && !private_) private_ = changed_ = true;
                return;
            case Op::load:
                depends_ = depends_ || is_tainted(of.a);
                tainted = static_cast<Space>(of.extra) != Space::constant && may_move(of.a);
                break;
            case Op::atomic:
                depends_ = depends_ || is_tainted(of.a);
                tainted = true;
                break;
            case Op::load_private:
                tainted = tainted || private_;
                break;
            case Op::group_collective:
            case Op::sub_collective:
                tainted = true;
                break;
            default:
                break;
        }
        // A pointer made of a fixed one is fixed; what is loaded or computed may be any.
        bool moves = of.op != Op::move && of.op != Op::offset;
        if (!moves) moves = may_move(of.a);
        if (of.op == Op::select) moves = may_move(of.a) || may_move(of.b);
        for_outputs(of, [&](std::uint32_t reg) {
            if (tainted) set(tainted_, reg, changed_);
            if (moves) set(moving_, reg, changed_);
        });
    }

    // What follows from a condition that is not known: values, if nothing visible is done in it.
    void branch(std::size_t from) {
        const std::uint32_t slot = code_.instructions[from].to;
        for (std::size_t i = from + 1; i < code_.instructions.size(); ++i) {
            const Instruction& of = code_.instructions[i];
            if (of.op == Op::join && of.to == slot) return;
            depends_ = depends_ || is_visible(of.op) || of.op == Op::leave || of.op == Op::enter;
            if (of.op == Op::store_private && !private_) private_ = changed_ = true;
            for_outputs(of, [&](std::uint32_t reg) { set(tainted_, reg, changed_); });
        }
    }

    const Code& code_;
    const std::vector<bool>& fixed_;
    std::vector<bool> tainted_;
    std::vector<bool> moving_;  // pointers that may lead to memory which somebody writes
    bool private_ = false;      // private memory may hold such values
    bool changed_ = false, depends_ = false;
};

}  // namespace

bool accesses_depend_on_data(const Code& code, const std::vector<bool>& fixed) {
    return Taint(code, fixed).run();
}

}  // namespace lab::lang
