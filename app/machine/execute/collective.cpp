#include "machine/execute/collective.h"

#include <algorithm>

#include "lang/code/value.h"

namespace lab::machine {
namespace {

using lang::Builtin;
using lang::Scalar;
using How = lang::Collective::How;

template <typename T>
T combined_of(How how, T a, T b) {
    switch (how) {
        case How::add:
            return a + b;
        case How::mul:
            return a * b;
        case How::min:
            return std::min(a, b);
        default:
            return std::max(a, b);
    }
}

std::uint64_t combined(How how, Scalar type, std::uint64_t a, std::uint64_t b) {
    if (type == Scalar::float_)
        return lang::bits_of(combined_of(how, lang::float_of(a), lang::float_of(b)));
    if (type == Scalar::double_)
        return lang::bits_of(combined_of(how, lang::double_of(a), lang::double_of(b)));
    switch (how) {
        case How::add:
            return lang::canonical(type, a + b);
        case How::mul:
            return lang::canonical(type, a * b);
        case How::and_:
            return a & b;
        case How::or_:
            return a | b;
        case How::xor_:
            return a ^ b;
        default:
            break;
    }
    const bool less = lang::info(type).is_signed
                          ? static_cast<std::int64_t>(b) < static_cast<std::int64_t>(a)
                          : b < a;
    return less == (how == How::min) ? b : a;
}

std::uint64_t identity(How how, Scalar type) {
    if (how == How::add || how == How::or_ || how == How::xor_) return 0;
    if (how == How::and_) return lang::canonical(type, ~std::uint64_t{0});
    if (how == How::mul)
        return type == Scalar::float_    ? lang::bits_of(1.0F)
               : type == Scalar::double_ ? lang::bits_of(1.0)
                                         : 1;
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
    Collector(const lang::Instruction& instruction, std::uint32_t lanes,
              std::vector<Member>& members, State& state, Lineage* lineage)
        : of_(instruction),
          lanes_(lanes),
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
            case Builtin::sub_group_barrier:
                break;
            case Builtin::ballot:
            case Builtin::elect:
            case Builtin::all_equal:
                ask(what);
                break;
            default:
                for (Member& each : members_)
                    take(each, source(what, each));
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

    void ask(Builtin what) {
        std::uint64_t lanes = 0;
        bool equal = true;
        for (const Member& each : members_) {
            if (each.value != 0) lanes |= std::uint64_t{1} << each.lane;
            equal = equal && each.value == members_.front().value;
        }
        for (Member& each : members_)
            each.result = what == Builtin::ballot  ? lanes
                          : what == Builtin::elect ? (&each == &members_.front() ? 1U : 0U)
                                                   : (equal ? 1U : 0U);
    }

    // The lane that a member takes from.
    std::uint64_t source(Builtin what, const Member& own) const {
        const std::uint64_t by = own.second;
        switch (what) {
            case Builtin::sub_shuffle_xor:
                return own.lane ^ by;
            case Builtin::sub_shuffle_up:
                return own.lane - by;
            case Builtin::sub_shuffle_down:
                return own.lane + by;
            case Builtin::sub_rotate:
                return (own.lane + by) % lanes_;
            case Builtin::broadcast_first:
                return members_.front().lane;
            default:
                return by;
        }
    }

    // From no member: the user's own.
    void take(Member& to, std::uint64_t lane) {
        to.from = lane;
        const auto found = std::find_if(members_.begin(), members_.end(),
                                        [&](const Member& each) { return each.lane == lane; });
        const Member& source = found != members_.end() ? *found : to;
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
    const std::uint32_t lanes_;
    How how_;
    std::vector<Member>& members_;
    State& state_;
    Lineage* lineage_;
};

}  // namespace

void collect(const lang::Instruction& instruction, std::uint32_t lanes,
             std::vector<Member>& members, State& state, Lineage* lineage) {
    Collector(instruction, lanes, members, state, lineage).run();
}

}  // namespace lab::machine
