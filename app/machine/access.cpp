// What a warp does to memory, and together: loads, stores, atomics, sub-group functions.
#include "machine/executor.h"

#include <bit>
#include <cmath>

#include "machine/collectives.h"
#include "machine/job.h"
#include "machine/values.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

template <typename T>
std::uint64_t float_result(lang::Builtin what, T old, T by) {
    using lang::Builtin;
    return lang::bits_of(what == Builtin::atomic_add   ? old + by
                         : what == Builtin::atomic_sub ? old - by
                         : what == Builtin::atomic_min ? std::fmin(old, by)
                                                       : std::fmax(old, by));
}

bool computes(lang::Builtin what) {
    using lang::Builtin;
    return what == Builtin::atomic_add || what == Builtin::atomic_sub ||
           what == Builtin::atomic_min || what == Builtin::atomic_max;
}

std::uint64_t atomic_result(lang::Builtin what, Scalar type, std::uint64_t old, std::uint64_t b,
                            std::uint64_t c) {
    using lang::Builtin;
    const bool is_signed = lang::info(type).is_signed;
    const auto less = [&](std::uint64_t x, std::uint64_t y) {
        return is_signed ? static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y) : x < y;
    };
    if (type == Scalar::float_ && computes(what))
        return float_result(what, lang::float_of(old), lang::float_of(b));
    if (type == Scalar::double_ && computes(what))
        return float_result(what, lang::double_of(old), lang::double_of(b));
    switch (what) {
        case Builtin::atomic_add:
            return lang::canonical(type, old + b);
        case Builtin::atomic_sub:
            return lang::canonical(type, old - b);
        case Builtin::atomic_inc:
            return lang::canonical(type, old + 1);
        case Builtin::atomic_dec:
            return lang::canonical(type, old - 1);
        case Builtin::atomic_wrap_inc:
            return old >= b ? 0 : old + 1;
        case Builtin::atomic_wrap_dec:
            return old == 0 || old > b ? b : old - 1;
        case Builtin::atomic_xchg:
        case Builtin::atomic_store:
            return b;
        case Builtin::atomic_cmpxchg:
            return old == b ? c : old;
        case Builtin::atomic_min:
            return less(b, old) ? b : old;
        case Builtin::atomic_max:
            return less(old, b) ? b : old;
        case Builtin::atomic_and:
            return old & b;
        case Builtin::atomic_or:
            return old | b;
        case Builtin::atomic_xor:
            return old ^ b;
        default:
            return old;
    }
}

Written& all_written() {
    static Written written = [] {
        Written result(std::size_t{1} << 21U);
        result.set_all();
        return result;
    }();
    return written;
}

}  // namespace

void StepResult::add(const Detail& detail, std::size_t part) {
    if (!details.empty() && details.back().part == part) {
        Detail& last = details.back().detail;
        const bool same = last.kind == detail.kind && last.group == detail.group &&
                          last.warp == detail.warp && last.flags == detail.flags;
        // A fence that follows itself: a loop without any access.
        if (same && (detail.kind == Detail::Kind::failed || last.mask == detail.mask)) {
            last.mask |= detail.mask;
            return;
        }
    }
    details.push_back({part, detail});
}

// The object behind a pointer, if everything is right with that.
template <bool kLineage, bool kOneLane>
inline const ObjectInfo& Executor<kLineage, kOneLane>::checked(const Instruction& instruction,
                                                               std::uint64_t pointer,
                                                               std::uint32_t lane,
                                                               bool write) const {
    const std::uint64_t number = object_in(pointer);
    if (number == 0 || number >= context_.objects.size())
        refuse_access(context_, instruction, pointer, item(lane));
    const ObjectInfo& object = context_.objects[number];
    const std::uint64_t bytes =
        std::uint64_t{lang::info(instruction.type).bytes} * instruction.count;
    const auto offset = static_cast<std::uint64_t>(offset_in(pointer));
    // A negative one is larger than any object.
    const bool inside = offset <= object.bytes && bytes <= object.bytes - offset;
    if (!inside || (offset & (alignment_of(instruction) - 1)) != 0 ||
        !may_reach(instruction, object.space) || (write && object.read_only))
        refuse_access(context_, instruction, pointer, item(lane));
    return object;
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::check(const Instruction& instruction, std::uint64_t pointer,
                                         std::uint32_t lane) const {
    checked(instruction, pointer, lane, instruction.op != Op::load);
}

// `write`: it is to be changed, so it must not be shared with another state.
template <bool kLineage, bool kOneLane>
typename Executor<kLineage, kOneLane>::Cell Executor<kLineage, kOneLane>::cell(
    const ObjectInfo& object, std::uint64_t offset, std::uint32_t lane, bool write,
    bool needs_node) {
    if (object.space == Space::global) {
        PagedBuffer& buffer = execution_.state.memory[object.buffer];
        Shared<Page>& shared = buffer.pages[offset >> kPageBits];
        const std::uint64_t index = offset & (kPageBytes - 1);
        Page& page = write ? shared.write() : const_cast<Page&>(*shared);
        if (kLineage && needs_node && page.nodes.empty())
            page.nodes.resize(kPageBytes >> buffer.shift);
        Node* node = page.nodes.empty() ? nullptr : &page.nodes[index >> buffer.shift];
        return {page.bytes.data() + index, &page.written, index, node};
    }
    if (object.space == Space::constant) {
        const auto& initial = context_.code->objects[object.buffer].initial;
        return {const_cast<std::byte*>(initial.data()) + offset, &all_written(), 0, nullptr};
    }
    const bool is_local = object.space == Space::local;
    Block& block = is_local ? group_.local : group_.own;
    const std::uint64_t row = is_local ? 0 : std::uint64_t{warp_index_} * lanes() + lane;
    const std::uint64_t position = row * context_.private_bytes + object.base + offset;
    Node* node = nullptr;
    if (kLineage && !block.nodes.empty())
        node =
            &block
                 .nodes[row * context_.private_nodes + object.node_base + (offset >> object.shift)];
    return {block.bytes.data() + position, &block.written, position, node};
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::load_lane(const Instruction& instruction,
                                             const ObjectInfo& object, std::uint32_t lane,
                                             std::uint64_t offset, StepResult* done) {
    if ((instruction.flags & lang::kLoose) != 0) [[unlikely]] {
        load_loose(instruction, object, lane, offset, done);
        return;
    }
    const unsigned size = lang::info(instruction.type).bytes;
    for (std::uint32_t i = 0; i < instruction.count; ++i, offset += size) {
        const Cell from = cell(object, offset, lane, false, false);
        const std::uint64_t bits = load_bits(from.bytes, instruction.type);
        Node node = from.node == nullptr ? 0 : *from.node;
        if (!from.written->all(from.written_at, size)) {
            node = kUnwritten;
            find_unwritten(instruction, object, lane, offset);
        }
        out(instruction.to + i)[lane] = bits;
        if constexpr (kLineage) nodes_out(instruction.to + i)[lane] = node;
        if (done != nullptr)
            done->accesses.push_back({bits, bits, static_cast<std::uint32_t>(offset / size), node});
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::store_lane(const Instruction& instruction,
                                              const ObjectInfo& object, std::uint32_t lane,
                                              std::uint64_t offset, StepResult* done) {
    if ((instruction.flags & lang::kLoose) != 0) [[unlikely]] {
        store_loose(instruction, object, lane, offset, done);
        return;
    }
    const unsigned size = lang::info(instruction.type).bytes;
    for (std::uint32_t i = 0; i < instruction.count; ++i, offset += size) {
        const std::uint64_t bits = in(instruction.to + i)[lane];
        Node node = 0;
        if constexpr (kLineage) node = nodes_in(instruction.to + i)[lane];
        const Cell to = cell(object, offset, lane, true, node != 0);
        const std::uint64_t before = load_bits(to.bytes, instruction.type);
        store_bits(to.bytes, instruction.type, bits);
        to.written->set(to.written_at, size);
        if (to.node != nullptr) *to.node = node;
        if (done != nullptr)
            done->accesses.push_back(
                {before, bits, static_cast<std::uint32_t>(offset / size), node});
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::atomic_lane(const Instruction& instruction,
                                               const ObjectInfo& object, std::uint32_t lane,
                                               std::uint64_t offset, StepResult* done) {
    using lang::Builtin;
    const unsigned size = lang::info(instruction.type).bytes;
    const auto what = static_cast<Builtin>(instruction.extra);
    const std::uint64_t b = in(instruction.b)[lane], c = in(instruction.c)[lane];
    Node given = 0;
    if constexpr (kLineage)
        given = nodes_in(what == Builtin::atomic_cmpxchg ? instruction.c : instruction.b)[lane];
    const Cell to = cell(object, offset, lane, true, given != 0);
    const std::uint64_t before = load_bits(to.bytes, instruction.type);
    const std::uint64_t after = atomic_result(what, instruction.type, before, b, c);
    Node old = to.node == nullptr ? 0 : *to.node;
    if (what != Builtin::atomic_store && !to.written->all(to.written_at, size)) {
        old = kUnwritten;
        find_unwritten(instruction, object, lane, offset);
    }
    Node now = old;
    if constexpr (kLineage) {
        const bool sets = what == Builtin::atomic_xchg || what == Builtin::atomic_store;
        if (sets || what == Builtin::atomic_cmpxchg) {
            if (sets || before == b) now = given;
        } else if (what != Builtin::atomic_load) {
            now = joined(old, given);
        }
        nodes_out(instruction.to)[lane] = old;
    }
    store_bits(to.bytes, instruction.type, after);
    to.written->set(to.written_at, size);
    if (to.node != nullptr) *to.node = now;
    out(instruction.to)[lane] = before;
    if ((what == Builtin::atomic_cmpxchg && before != b) || what == Builtin::atomic_load)
        add_detail(Detail::Kind::failed, std::uint64_t{1} << lane, 0, *done,
                   done->parts.size() - 1);
    done->accesses.push_back({before, after, static_cast<std::uint32_t>(offset / size), now});
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::sub_collective(StepResult& done) {
    const Instruction& instruction = code_[pc_];
    if ((instruction.flags & lang::kAllLanes) != 0) check_warp(context_, group_, warp_index_);
    const bool named = (instruction.flags & lang::kNamedLanes) != 0;
    const std::uint64_t* masks = in(instruction.c);
    for (const std::uint32_t lane : set_bits(named ? exec_ : 0))
        check_named(context_, group_, warp_index_, lane, masks[lane]);
    for (std::uint64_t left = exec_; left != 0;) {
        std::uint64_t together = left;
        if (named) {
            const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
            together = exec_ & masks[first];
            for (const std::uint32_t lane : set_bits(together))
                if (masks[lane] != masks[first])
                    refuse_masks(context_, group_, warp_index_, first, lane);
        }
        collect_lanes(instruction, together);
        left &= ~together;
    }
    add_part(context_, group_, warp_index_, instruction, ActionKind::collective, exec_, done);
    ++pc_;
    warp_.pc = pc_;
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::collect_lanes(const Instruction& instruction,
                                                 std::uint64_t lanes) {
    std::vector<Member> members;
    for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        Member member;
        member.value = in(instruction.a)[lane];
        member.second = in(instruction.b)[lane];
        member.lane = static_cast<std::uint32_t>(lane);
        if constexpr (kLineage) member.node = nodes_in(instruction.a)[lane];
        members.push_back(member);
    }
    const auto size = static_cast<std::uint32_t>(std::popcount(warp_.live));
    check_broadcast(context_, group_, instruction, members,
                    std::uint64_t{warp_index_} * context_.lanes, size);
    collect(instruction, size, members, execution_.state, execution_.lineage);
    // CUDA's shuffles take their own where OpenCL's go beyond the sub-group.
    const std::uint64_t beyond = context_.code->is_cuda ? 64 : size;
    for (const Member& each : members)
        if (each.from < beyond)
            check_source(context_, group_, warp_index_, each.lane, each.from, lanes);
    std::size_t i = 0;
    for (std::uint64_t left = lanes; left != 0; left &= left - 1, ++i) {
        const int lane = std::countr_zero(left);
        out(instruction.to)[lane] = members[i].result;
        if constexpr (kLineage) nodes_out(instruction.to)[lane] = members[i].made;
    }
}

// Those of the lanes in `mask`, which all point into one object.
template <bool kLineage, bool kOneLane>
inline void Executor<kLineage, kOneLane>::access_part(const Instruction& instruction,
                                                      std::uint64_t mask, bool continues,
                                                      StepResult& done) {
    Action& action = add_part(context_, group_, warp_index_, instruction,
                              instruction.op == Op::load    ? ActionKind::load
                              : instruction.op == Op::store ? ActionKind::store
                                                            : ActionKind::atomic,
                              mask, done);
    const bool loose = (instruction.flags & lang::kLoose) != 0;
    action.type = loose ? Scalar::uchar : instruction.type;
    action.count =
        (loose ? instruction.count * lang::info(instruction.type).bytes : instruction.count) &
        0x1fU;
    done.parts.back().continues = continues;
    const std::uint64_t* pointers = in(instruction.a);
    action.object = static_cast<std::uint8_t>(object_in(pointers[std::countr_zero(mask)]));
    if (instruction.op == Op::atomic && instruction.imm != lang::kPlainAtomic)
        add_detail(Detail::Kind::order, mask, static_cast<std::uint32_t>(instruction.imm), done,
                   done.parts.size() - 1);
    const auto access_lane = [&](std::uint32_t lane) {
        const ObjectInfo& object =
            checked(instruction, pointers[lane], lane, instruction.op != Op::load);
        const auto offset = static_cast<std::uint64_t>(offset_in(pointers[lane]));
        if (instruction.op == Op::load)
            load_lane(instruction, object, lane, offset, &done);
        else if (instruction.op == Op::store)
            store_lane(instruction, object, lane, offset, &done);
        else
            atomic_lane(instruction, object, lane, offset, &done);
    };
    std::uint64_t left = mask;
    try {
        if constexpr (kOneLane)
            access_lane(0);
        else
            for (; left != 0; left &= left - 1)
                access_lane(static_cast<std::uint32_t>(std::countr_zero(left)));
    } catch (const Fault&) {
        // What those before it did.
        done.parts.back().action.mask = mask & ~left;
        done.parts.back().end = done.accesses.size();
        if (left == mask) done.parts.pop_back();
        throw;
    }
    done.parts.back().end = done.accesses.size();
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::access(StepResult& done) {
    const Instruction& instruction = code_[pc_];
    const std::uint64_t* pointers = in(instruction.a);
    for (std::uint64_t left = exec_; left != 0;) {
        if constexpr (kOneLane) {
            access_part(instruction, left, false, done);
            break;
        }
        const std::uint64_t object = object_in(pointers[std::countr_zero(left)]);
        std::uint64_t same = 0;
        for (std::uint64_t each = left; each != 0; each &= each - 1) {
            const int lane = std::countr_zero(each);
            same |= std::uint64_t{object_in(pointers[lane]) == object} << lane;
        }
        access_part(instruction, same, left != exec_, done);
        left &= ~same;
    }
    ++pc_;
    warp_.pc = pc_;
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::private_access(const Instruction& instruction) {
    const std::uint64_t* pointers = in(instruction.a);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const ObjectInfo& object =
            checked(instruction, pointers[lane], lane, instruction.op == Op::store_private);
        const auto offset = static_cast<std::uint64_t>(offset_in(pointers[lane]));
        if (instruction.op == Op::load_private)
            load_lane(instruction, object, lane, offset, nullptr);
        else
            store_lane(instruction, object, lane, offset, nullptr);
    }
}

template class Executor<false, false>;
template class Executor<false, true>;
template class Executor<true, false>;
template class Executor<true, true>;

}  // namespace lab::machine
