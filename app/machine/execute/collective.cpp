#include "machine/execute/collective.h"

#include <algorithm>

#include "lang/code/value.h"

namespace lab::machine {
namespace {

using lang::Builtin;
using lang::Scalar;
using How = lang::Collective::How;

std::uint64_t combined(How how, Scalar type, std::uint64_t a, std::uint64_t b) {
    const auto of = [how](auto x, auto y) {
        return how == How::add ? x + y : how == How::min ? std::min(x, y) : std::max(x, y);
    };
    switch (type) {
        case Scalar::float_:
            return lang::bits_of(of(lang::float_of(a), lang::float_of(b)));
        case Scalar::double_:
            return lang::bits_of(of(lang::double_of(a), lang::double_of(b)));
        default:
            break;
    }
    if (how == How::add) return lang::canonical(type, a + b);
    const bool less = lang::info(type).is_signed
                          ? static_cast<std::int64_t>(b) < static_cast<std::int64_t>(a)
                          : b < a;
    return less == (how == How::min) ? b : a;
}

std::uint64_t identity(How how, Scalar type) {
    if (how == How::add) return 0;
    const bool least = how == How::max;
    if (type == Scalar::float_) return least ? 0xff800000U : 0x7f800000U;
    if (type == Scalar::double_) return least ? 0xfff0000000000000U : 0x7ff0000000000000U;
    const unsigned bits = lang::info(type).bytes * 8U;
    const std::uint64_t all = ~std::uint64_t{0} >> (64U - bits);
    if (!lang::info(type).is_signed) return least ? 0 : all;
    return lang::canonical(type, least ? std::uint64_t{1} << (bits - 1U) : all >> 1U);
}

class Collector {
  public:
    Collector(const lang::Instruction& instruction, std::vector<Member>& members, State& state,
              Lineage* lineage)
        : of_(instruction),
          how_(static_cast<How>(instruction.imm)),
          members_(members),
          state_(state),
          lineage_(lineage) {}

    void run() {
        const auto what = static_cast<Builtin>(of_.extra);
        switch (what) {
            case Builtin::reduce:
            case Builtin::scan_inclusive:
            case Builtin::scan_exclusive:
                fold(what);
                break;
            case Builtin::vote_any:
            case Builtin::vote_all:
                vote(what == Builtin::vote_all);
                break;
            default:
                for (std::size_t i = 0; i < members_.size(); ++i)
                    take(members_[i], source(what, i));
        }
    }

  private:
    void fold(Builtin what) {
        std::uint64_t sum = identity(how_, of_.type);
        Node node = 0;
        bool first = true;
        for (Member& each : members_) {
            if (what == Builtin::scan_exclusive) {
                each.result = sum;
                each.made = node;
            }
            sum = first ? each.value : combined(how_, of_.type, sum, each.value);
            first = false;
            node = joined(node, each.node);
            if (what == Builtin::scan_inclusive) {
                each.result = sum;
                each.made = node;
            }
        }
        if (what != Builtin::reduce) return;
        for (Member& each : members_) {
            each.result = sum;
            each.made = node;
        }
    }

    void vote(bool all) {
        bool answer = all;
        for (const Member& each : members_)
            answer = all ? answer && each.value != 0 : answer || each.value != 0;
        for (Member& each : members_)
            each.result = answer ? 1 : 0;
    }

    std::size_t source(Builtin what, std::size_t own) const {
        const std::uint64_t by = members_[own].second;
        switch (what) {
            case Builtin::sub_shuffle_xor:
                return own ^ by;
            case Builtin::sub_shuffle_up:
                return own - by;
            case Builtin::sub_shuffle_down:
                return own + by;
            default:
                return by;
        }
    }

    // From nobody: the user's own.
    void take(Member& to, std::size_t from) {
        const Member& source = from < members_.size() ? members_[from] : to;
        to.result = source.value;
        to.made = source.node;
    }

    Node joined(Node a, Node b) {
        if (a == 0 || lineage_ == nullptr) return b;
        if (b == 0) return a;
        const Node node = lineage_->combine(state_.next_node, a, b);
        state_.next_node = node + 1;
        return node;
    }

    const lang::Instruction& of_;
    How how_;
    std::vector<Member>& members_;
    State& state_;
    Lineage* lineage_;
};

}  // namespace

void collect(const lang::Instruction& instruction, std::vector<Member>& members, State& state,
             Lineage* lineage) {
    Collector(instruction, members, state, lineage).run();
}

}  // namespace lab::machine
