// What a warp does to memory, and together: loads, stores, atomics, sub-group functions.
#include "machine/executor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

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
    if (!to.written->all(to.written_at, size)) {
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
    std::vector<Member> members;
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        Member member;
        member.value = in(instruction.a)[lane];
        member.second = in(instruction.b)[lane];
        member.lane = static_cast<std::uint32_t>(lane);
        if constexpr (kLineage) member.node = nodes_in(instruction.a)[lane];
        members.push_back(member);
    }
    const auto size = static_cast<std::uint32_t>(std::popcount(warp_.live));
    collect(instruction, size, members, execution_.state, execution_.lineage);
    for (const Member& each : members)
        if (each.from < size) check_source(context_, group_, warp_index_, each.lane, each.from);
    std::size_t i = 0;
    for (std::uint64_t left = exec_; left != 0; left &= left - 1, ++i) {
        const int lane = std::countr_zero(left);
        out(instruction.to)[lane] = members[i].result;
        if constexpr (kLineage) nodes_out(instruction.to)[lane] = members[i].made;
    }
    add_part(context_, group_, warp_index_, instruction, ActionKind::collective, exec_, done);
    ++pc_;
    warp_.pc = pc_;
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

// What a warp does to memory besides plain loads, stores and atomics, or is seldom: numbers at any
// byte, asynchronous copies, and what is said of memory that nobody has written.
namespace {

using lang::Instruction;
using lang::Op;

Phrase said_of_unwritten(const char* key, const std::string& item, const ObjectInfo& object,
                         std::uint64_t offset) {
    return {key,
            {{"item", item},
             {"cell", fmt::format("{}[{}]", object.name,
                                  offset / std::max<std::uint64_t>(1, object.element_bytes))}},
            {}};
}

Phrase hint_of_unwritten(const ObjectInfo& object) {
    return {object.space == Space::local ? "fault.unwritten_local.hint" : "fault.unwritten.hint",
            {},
            {}};
}

}  // namespace

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::find_unwritten(
    const Instruction& instruction, const ObjectInfo& object, std::uint32_t lane,
    std::uint64_t offset) {
    if ((instruction.flags & lang::kWhole) != 0 || !is_news(instruction)) return;
    const bool changes = instruction.op == Op::atomic;
    const bool local = object.space == Space::local;
    find(instruction, lane,
         fmt::format("Work-item {} {} {}[{}], which nobody has written yet", name(lane),
                     changes ? "changes" : "reads", object.name,
                     offset / std::max<std::uint64_t>(1, object.element_bytes)),
         changes && local ? "Let one work-item write it first, and wait at a barrier"
         : changes        ? "Let the host fill it"
         : local          ? "Write it first, and wait at a barrier"
                          : "Write it first, or let the host fill it",
         said_of_unwritten(changes ? "fault.unwritten_changed" : "fault.unwritten", name(lane),
                           object, offset),
         hint_of_unwritten(object));
}

// At any byte, in a packed structure: byte after byte, all with the lineage of the whole.
template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::load_loose(
    const Instruction& instruction, const ObjectInfo& object, std::uint32_t lane,
    std::uint64_t offset, StepResult* done) {
    const unsigned size = lang::info(instruction.type).bytes;
    for (std::uint32_t i = 0; i < instruction.count; ++i) {
        std::array<std::byte, 8> bytes{};
        Node node = 0;
        for (unsigned k = 0; k < size; ++k, ++offset) {
            const Cell from = cell(object, offset, lane, false, false);
            bytes[k] = *from.bytes;
            Node own = from.node == nullptr ? 0 : *from.node;
            if (!from.written->all(from.written_at, 1)) {
                own = kUnwritten;
                find_unwritten(instruction, object, lane, offset);
            }
            if (k == 0) node = own;
            const auto bits = std::to_integer<std::uint64_t>(bytes[k]);
            if (done != nullptr)
                done->accesses.push_back({bits, bits, static_cast<std::uint32_t>(offset), own});
        }
        out(instruction.to + i)[lane] = load_bits(bytes.data(), instruction.type);
        if constexpr (kLineage) nodes_out(instruction.to + i)[lane] = node;
    }
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::store_loose(
    const Instruction& instruction, const ObjectInfo& object, std::uint32_t lane,
    std::uint64_t offset, StepResult* done) {
    const unsigned size = lang::info(instruction.type).bytes;
    for (std::uint32_t i = 0; i < instruction.count; ++i) {
        std::array<std::byte, 8> bytes{};
        store_bits(bytes.data(), instruction.type, in(instruction.to + i)[lane]);
        Node node = 0;
        if constexpr (kLineage) node = nodes_in(instruction.to + i)[lane];
        for (unsigned k = 0; k < size; ++k, ++offset) {
            const Cell to = cell(object, offset, lane, true, node != 0);
            const auto before = std::to_integer<std::uint64_t>(*to.bytes);
            *to.bytes = bytes[k];
            to.written->set(to.written_at, 1);
            if (to.node != nullptr) *to.node = node;
            if (done != nullptr)
                done->accesses.push_back({before, std::to_integer<std::uint64_t>(bytes[k]),
                                          static_cast<std::uint32_t>(offset), node});
        }
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::copy(const Instruction& load, const Instruction& store,
                                        std::uint64_t mask, const std::uint64_t* from,
                                        const std::uint64_t* to, const Copy& began,
                                        StepResult& done) {
    struct Value {
        std::uint64_t bits = 0;
        Node node = 0;
    };
    std::vector<Value> values;
    const unsigned size = lang::info(load.type).bytes;
    const auto part = [&](const Instruction& instruction, const std::uint64_t* pointers) {
        Action& action =
            add_part(context_, group_, warp_index_, instruction,
                     instruction.op == Op::load ? ActionKind::load : ActionKind::store, mask, done);
        action.type = instruction.type;
        action.count = instruction.count & 0x1fU;
        action.copies = 1;
        action.epoch_local = began.epoch_local;
        action.epoch_global = began.epoch_global;
        action.object = static_cast<std::uint8_t>(object_in(pointers[std::countr_zero(mask)]));
        done.parts.back().continues = true;
        ++execution_.state.time;
    };
    // All are checked first, so that a fault leaves nothing half done.
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        check(load, from[lane], lane);
        check(store, to[lane], lane);
    }
    part(load, from);
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const ObjectInfo& object = context_.objects[object_in(from[lane])];
        auto offset = static_cast<std::uint64_t>(offset_in(from[lane]));
        for (std::uint32_t i = 0; i < load.count; ++i, offset += size) {
            const Cell cell_read = cell(object, offset, lane, false, false);
            Value value{load_bits(cell_read.bytes, load.type),
                        cell_read.node == nullptr ? 0 : *cell_read.node};
            if (!cell_read.written->all(cell_read.written_at, size)) {
                value.node = kUnwritten;
                find_unwritten(load, object, lane, offset);
            }
            values.push_back(value);
            done.accesses.push_back(
                {value.bits, value.bits, static_cast<std::uint32_t>(offset / size), value.node});
        }
    }
    done.parts.back().end = done.accesses.size();
    part(store, to);
    auto next = values.begin();
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const ObjectInfo& object = context_.objects[object_in(to[lane])];
        auto offset = static_cast<std::uint64_t>(offset_in(to[lane]));
        for (std::uint32_t i = 0; i < store.count; ++i, offset += size, ++next) {
            const Cell written = cell(object, offset, lane, true, next->node != 0);
            const std::uint64_t before = load_bits(written.bytes, store.type);
            store_bits(written.bytes, store.type, next->bits);
            written.written->set(written.written_at, size);
            if (written.node != nullptr) *written.node = next->node;
            done.accesses.push_back(
                {before, next->bits, static_cast<std::uint32_t>(offset / size), next->node});
        }
    }
    done.parts.back().end = done.accesses.size();
}

template class Executor<false, false>;
template class Executor<false, true>;
template class Executor<true, false>;
template class Executor<true, true>;

namespace {

using lang::Instruction;
using lang::Op;

const char* verb_of(Op op) {
    return op == Op::load || op == Op::load_private     ? "reads"
           : op == Op::store || op == Op::store_private ? "writes"
                                                        : "changes";
}

ProblemPhrases phrases_of_bounds(const std::string& verb, const std::string& item,
                                 const std::string& name, std::int64_t index, std::uint64_t count) {
    ProblemPhrases phrases = phrases_of(
        "fault.bounds", {{"item", item},
                         {"name", name},
                         {"cell", fmt::format("{}[{}]", name, index)},
                         {"last", count == 0 ? "" : fmt::format("{}[{}]", name, count - 1)}});
    phrases.what.key += "_" + verb;
    if (count == 0) phrases.why[0].key = "fault.bounds_empty.why";
    return phrases;
}

[[noreturn]] void fault(const Context& context, const Instruction& instruction, std::uint64_t item,
                        Fault::Kind kind, std::string what, std::string why, std::string hint,
                        ProblemPhrases phrases = {}, std::string array = {},
                        std::uint64_t needed = 0) {
    throw Fault{kind,
                std::move(what),
                std::move(why),
                std::move(hint),
                context.code->place(instruction),
                context.launch,
                item,
                std::move(phrases),
                std::move(array),
                needed};
}

}  // namespace

void refuse_access(const Context& context, const Instruction& instruction, std::uint64_t pointer,
                   std::uint64_t item) {
    const std::string who = context.item_name(item);
    const std::uint64_t number = object_in(pointer);
    const std::int64_t offset = offset_in(pointer);
    const std::uint64_t size = lang::info(instruction.type).bytes;
    const bool known = number != 0 && number < context.objects.size();
    if (!known)
        fault(context, instruction, item, Fault::Kind::out_of_bounds,
              fmt::format("Work-item {} {} through a pointer to nothing", who,
                          verb_of(instruction.op)),
              "The pointer is null, or was made of a number", "Point it to a buffer or variable",
              phrases_of("fault.pointer", {{"item", who}}));
    const ObjectInfo& object = context.objects[number];
    if (!may_reach(instruction, object.space)) {
        const bool is_private =
            instruction.op == Op::load_private || instruction.op == Op::store_private;
        const Space wanted = is_private                     ? Space::private_
                             : instruction.op == Op::atomic ? Space::global
                                                            : static_cast<Space>(instruction.extra);
        fault(context, instruction, item, Fault::Kind::out_of_bounds,
              fmt::format("Work-item {} {} {} memory through a pointer to {} memory", who,
                          verb_of(instruction.op), lang::name_of(object.space),
                          lang::name_of(wanted)),
              "A pointer was made of a number", "Keep pointers in variables of their own kind");
    }
    const auto end = offset + static_cast<std::int64_t>(size * instruction.count);
    if (offset < 0 || end > static_cast<std::int64_t>(object.bytes)) {
        const auto unit =
            static_cast<std::int64_t>(std::max<std::uint64_t>(1, object.element_bytes));
        const std::int64_t index = offset >= 0 ? offset / unit : -((-offset + unit - 1) / unit);
        const std::uint64_t count = object.bytes / static_cast<std::uint64_t>(unit);
        fault(context, instruction, item, Fault::Kind::out_of_bounds,
              fmt::format("Work-item {} {} {}[{}], which does not exist", who,
                          verb_of(instruction.op), object.name, index),
              count == 0 ? fmt::format("'{}' has no elements", object.name)
                         : fmt::format(
                               "'{}' has {} element{} of {} byte{}: {}[0]{}", object.name, count,
                               count == 1 ? "" : "s", unit, unit == 1 ? "" : "s", object.name,
                               count == 1 ? "" : fmt::format(" to {}[{}]", object.name, count - 1)),
              "Compare the index with the number of elements first",
              phrases_of_bounds(verb_of(instruction.op), who, object.name, index, count),
              object.name, offset < 0 ? 0 : static_cast<std::uint64_t>(end));
    }
    const std::uint64_t alignment = alignment_of(instruction);
    if ((static_cast<std::uint64_t>(offset) & (alignment - 1)) != 0) {
        const bool vector = (instruction.flags & lang::kAligned) != 0;
        const std::string type =
            fmt::format("{}{}", lang::info(instruction.type).name,
                        vector ? std::to_string(instruction.count) : std::string());
        fault(context, instruction, item, Fault::Kind::out_of_bounds,
              fmt::format("Work-item {} {} {} {} at byte {} of '{}'", who, verb_of(instruction.op),
                          type.front() == 'i' ? "an" : "a", type, offset, object.name),
              fmt::format("A {} lies at multiples of {} bytes only: a GPU stops here", type,
                          alignment),
              vector ? "Use vload and vstore, which take any element" : "Fix the offset");
    }
    fault(context, instruction, item, Fault::Kind::read_only,
          fmt::format("Work-item {} writes to the constant '{}'", who, object.name),
          "Constant memory cannot be written", "Use a global buffer",
          phrases_of("fault.constant", {{"item", who}, {"name", object.name}}));
}

void refuse_index(const Context& context, const Instruction& instruction, std::int64_t index,
                  std::uint64_t item) {
    const std::string& name = context.code->arrays[instruction.c];
    const std::string who = context.item_name(item);
    const std::uint64_t count = instruction.imm - instruction.extra;
    fault(context, instruction, item, Fault::Kind::out_of_bounds,
          fmt::format("Work-item {} goes to {}[{}], which does not exist", who, name, index),
          fmt::format("'{}' has {} element{}; what lies behind it belongs to something else", name,
                      count, count == 1 ? "" : "s"),
          "Compare the index with the number of elements first",
          phrases_of("fault.inner", {{"item", who},
                                     {"name", name},
                                     {"cell", fmt::format("{}[{}]", name, index)},
                                     {"last", fmt::format("{}[{}]", name, count - 1)}}));
}

}  // namespace lab::machine
