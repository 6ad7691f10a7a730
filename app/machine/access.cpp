// What a warp does to memory, and together: loads, stores, atomics, sub-group functions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lang/value.h"
#include "machine/collective.h"
#include "machine/executor.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

std::uint64_t load_bits(const std::byte* from, Scalar type) {
    const auto read = [from](auto value) {
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    switch (lang::info(type).bytes) {
        case 1:
            return lang::canonical(type, read(std::uint8_t{}));
        case 2:
            return lang::canonical(type, read(std::uint16_t{}));
        case 4:
            return lang::canonical(type, read(std::uint32_t{}));
        default:
            return read(std::uint64_t{});
    }
}

void store_bits(std::byte* to, Scalar type, std::uint64_t bits) {
    std::memcpy(to, &bits, lang::info(type).bytes);  // little-endian, as every device here
}

std::uint64_t atomic_result(lang::Builtin what, Scalar type, std::uint64_t old, std::uint64_t b,
                            std::uint64_t c) {
    using lang::Builtin;
    const bool is_signed = lang::info(type).is_signed;
    const auto less = [&](std::uint64_t x, std::uint64_t y) {
        return is_signed ? static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y) : x < y;
    };
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

const char* verb_of(Op op) {
    return op == Op::load || op == Op::load_private     ? "reads"
           : op == Op::store || op == Op::store_private ? "writes"
                                                        : "changes";
}

Said said_of_bounds(const std::string& verb, std::uint64_t item, const std::string& name,
                    std::int64_t index, std::uint64_t count) {
    Said made = said_of("fault.bounds",
                        {{"item", std::to_string(item)},
                         {"name", name},
                         {"cell", fmt::format("{}[{}]", name, index)},
                         {"last", count == 0 ? "" : fmt::format("{}[{}]", name, count - 1)}});
    made.what.key += "_" + verb;
    if (count == 0) made.why[0].key = "fault.bounds_empty.why";
    return made;
}

Phrase said_of_unwritten(const char* key, std::uint64_t item, const ObjectInfo& object,
                         std::uint64_t offset) {
    return {key,
            {{"item", std::to_string(item)},
             {"cell", fmt::format("{}[{}]", object.name,
                                  offset / std::max<std::uint64_t>(1, object.element_bytes))}},
            {}};
}

Phrase hint_of_unwritten(const ObjectInfo& object) {
    return {object.space == Space::local ? "fault.unwritten_local.hint" : "fault.unwritten.hint",
            {},
            {}};
}

Written& all_written() {
    static Written written = [] {
        Written made(std::size_t{1} << 21U);
        made.set_all();
        return made;
    }();
    return written;
}

}  // namespace

Done::Part part_at(const Context& context, const Group& group, std::uint32_t warp,
                   const Instruction& of, ActionKind kind, std::uint64_t mask, const Done& done) {
    Done::Part part;
    part.first = part.end = done.accesses.size();
    Action& action = part.action;
    action.mask = mask;
    action.group = group.id;
    action.pass = context.code->has_barrier ? group.passes : group.warps[warp].pass;
    action.epoch_local = group.epoch_local;
    action.epoch_global = group.epoch_global;
    action.place = of.place;
    action.launch = static_cast<std::uint16_t>(context.launch);
    action.turn = static_cast<std::uint16_t>(std::min(group.warps[warp].turn, kLastTurn));
    action.warp = warp & 0x7ffU;
    action.kind = kind;
    action.count = 0;
    return part;
}

void Done::add(const Detail& detail) {
    if (!details.empty() && details.back().part == parts.size()) {
        Detail& last = details.back().detail;
        const bool same = last.kind == detail.kind && last.group == detail.group &&
                          last.warp == detail.warp && last.flags == detail.flags;
        // A fence that follows itself: a loop without any access.
        if (same && (detail.kind == Detail::Kind::failed || last.mask == detail.mask)) {
            last.mask |= detail.mask;
            return;
        }
    }
    details.push_back({parts.size(), detail});
}

// The object behind a pointer, if everything is right with that.
template <bool kLineage>
const ObjectInfo& Executor<kLineage>::checked(const Instruction& of, std::uint64_t pointer,
                                              std::uint32_t lane, bool write) const {
    const std::uint64_t number = object_in(pointer);
    const std::int64_t offset = offset_in(pointer);
    const std::uint64_t size = lang::info(of.type).bytes;
    const bool known = number != 0 && number < context_.objects.size();
    if (!known)
        fault(
            Fault::Kind::out_of_bounds, of, lane,
            fmt::format("Work-item {} {} through a pointer to nothing", item(lane), verb_of(of.op)),
            "The pointer is null, or was made of a number", "Point it to a buffer or variable",
            said_of("fault.pointer", {{"item", std::to_string(item(lane))}}));
    const ObjectInfo& object = context_.objects[number];
    const bool is_private = of.op == Op::load_private || of.op == Op::store_private;
    const bool is_atomic = of.op == Op::atomic;
    const Space wanted = is_private  ? Space::private_
                         : is_atomic ? Space::global
                                     : static_cast<Space>(of.extra);
    const bool right = object.space == wanted || (is_atomic && object.space != Space::private_) ||
                       (wanted == Space::constant && object.space == Space::global);
    if (!right)
        fault(Fault::Kind::out_of_bounds, of, lane,
              fmt::format("Work-item {} {} {} memory through a pointer to {} memory", item(lane),
                          verb_of(of.op), lang::name_of(object.space), lang::name_of(wanted)),
              "A pointer was made of a number", "Keep pointers in variables of their own kind");
    const auto end = offset + static_cast<std::int64_t>(size * of.count);
    if (offset < 0 || end > static_cast<std::int64_t>(object.bytes)) {
        const auto unit =
            static_cast<std::int64_t>(std::max<std::uint64_t>(1, object.element_bytes));
        const std::int64_t index = offset >= 0 ? offset / unit : -((-offset + unit - 1) / unit);
        const std::uint64_t count = object.bytes / static_cast<std::uint64_t>(unit);
        fault(Fault::Kind::out_of_bounds, of, lane,
              fmt::format("Work-item {} {} {}[{}], which does not exist", item(lane),
                          verb_of(of.op), object.name, index),
              count == 0 ? fmt::format("'{}' has no elements", object.name)
                         : fmt::format(
                               "'{}' has {} element{} of {} byte{}: {}[0]{}", object.name, count,
                               count == 1 ? "" : "s", unit, unit == 1 ? "" : "s", object.name,
                               count == 1 ? "" : fmt::format(" to {}[{}]", object.name, count - 1)),
              "Compare the index with the number of elements first",
              said_of_bounds(verb_of(of.op), item(lane), object.name, index, count));
    }
    const bool vector = (of.flags & lang::kAligned) != 0;
    const std::uint64_t alignment = size * (vector ? of.count == 3 ? 4U : of.count : 1U);
    if ((static_cast<std::uint64_t>(offset) & (alignment - 1)) != 0) {
        const std::string type = fmt::format("{}{}", lang::info(of.type).name,
                                             vector ? std::to_string(of.count) : std::string());
        fault(Fault::Kind::out_of_bounds, of, lane,
              fmt::format("Work-item {} {} {} {} at byte {} of '{}'", item(lane), verb_of(of.op),
                          type.front() == 'i' ? "an" : "a", type, offset, object.name),
              fmt::format("A {} lies at multiples of {} bytes only: a GPU stops here", type,
                          alignment),
              vector ? "Use vload and vstore, which take any element" : "Mend the offset");
    }
    if (write && object.read_only)
        fault(Fault::Kind::read_only, of, lane,
              fmt::format("Work-item {} writes to the constant '{}'", item(lane), object.name),
              "Constant memory cannot be written", "Use a global buffer",
              said_of("fault.constant",
                      {{"item", std::to_string(item(lane))}, {"name", object.name}}));
    return object;
}

// `write`: it is to be changed, so it must not be shared with another state.
template <bool kLineage>
typename Executor<kLineage>::Cell Executor<kLineage>::cell(const ObjectInfo& object,
                                                           std::uint64_t offset, std::uint32_t lane,
                                                           bool write, bool needs_node) {
    if (object.space == Space::global) {
        PagedBuffer& buffer = around_.state.memory[object.buffer];
        Shared<Page>& shared = buffer.pages[offset >> kPageBits];
        const std::uint64_t at = offset & (kPageBytes - 1);
        Page& page = write ? shared.write() : const_cast<Page&>(*shared);
        if (kLineage && needs_node && page.nodes.empty())
            page.nodes.resize(kPageBytes >> buffer.shift);
        Node* node = page.nodes.empty() ? nullptr : &page.nodes[at >> buffer.shift];
        return {page.bytes.data() + at, &page.written, at, node};
    }
    if (object.space == Space::constant) {
        const auto& initial = context_.code->objects[object.buffer].initial;
        return {const_cast<std::byte*>(initial.data()) + offset, &all_written(), 0, nullptr};
    }
    const bool is_local = object.space == Space::local;
    Block& block = is_local ? group_.local : group_.own;
    const std::uint64_t row = is_local ? 0 : std::uint64_t{warp_index_} * lanes_ + lane;
    const std::uint64_t at = row * context_.private_bytes + object.base + offset;
    Node* node = nullptr;
    if (kLineage && !block.nodes.empty())
        node =
            &block
                 .nodes[row * context_.private_nodes + object.node_base + (offset >> object.shift)];
    return {block.bytes.data() + at, &block.written, at, node};
}

template <bool kLineage>
void Executor<kLineage>::load_lane(const Instruction& of, const ObjectInfo& object,
                                   std::uint32_t lane, std::uint64_t offset, Done* done) {
    const unsigned size = lang::info(of.type).bytes;
    for (std::uint32_t i = 0; i < of.count; ++i, offset += size) {
        const Cell from = cell(object, offset, lane, false, false);
        const std::uint64_t bits = load_bits(from.bytes, of.type);
        Node node = from.node == nullptr ? 0 : *from.node;
        if (!from.written->all(from.written_at, size)) {
            node = kUnwritten;
            if ((of.flags & lang::kWhole) == 0 && is_news(of))
                find(of, lane,
                     fmt::format("Work-item {} reads {}[{}], which nobody has written yet",
                                 item(lane), object.name,
                                 offset / std::max<std::uint64_t>(1, object.element_bytes)),
                     object.space == Space::local ? "Write it first, and wait at a barrier"
                                                  : "Write it first, or let the host fill it",
                     said_of_unwritten("fault.unwritten", item(lane), object, offset),
                     hint_of_unwritten(object));
        }
        out(of.to + i)[lane] = bits;
        if constexpr (kLineage) nodes_out(of.to + i)[lane] = node;
        if (done != nullptr)
            done->accesses.push_back({bits, bits, static_cast<std::uint32_t>(offset / size), node});
    }
}

template <bool kLineage>
void Executor<kLineage>::store_lane(const Instruction& of, const ObjectInfo& object,
                                    std::uint32_t lane, std::uint64_t offset, Done* done) {
    const unsigned size = lang::info(of.type).bytes;
    for (std::uint32_t i = 0; i < of.count; ++i, offset += size) {
        const std::uint64_t bits = in(of.to + i)[lane];
        Node node = 0;
        if constexpr (kLineage) node = nodes_in(of.to + i)[lane];
        const Cell to = cell(object, offset, lane, true, node != 0);
        const std::uint64_t before = load_bits(to.bytes, of.type);
        store_bits(to.bytes, of.type, bits);
        to.written->set(to.written_at, size);
        if (to.node != nullptr) *to.node = node;
        if (done != nullptr)
            done->accesses.push_back(
                {before, bits, static_cast<std::uint32_t>(offset / size), node});
    }
}

template <bool kLineage>
void Executor<kLineage>::atomic_lane(const Instruction& of, const ObjectInfo& object,
                                     std::uint32_t lane, std::uint64_t offset, Done* done) {
    using lang::Builtin;
    const unsigned size = lang::info(of.type).bytes;
    const auto what = static_cast<Builtin>(of.extra);
    const std::uint64_t b = in(of.b)[lane], c = in(of.c)[lane];
    Node given = 0;
    if constexpr (kLineage) given = nodes_in(what == Builtin::atomic_cmpxchg ? of.c : of.b)[lane];
    const Cell to = cell(object, offset, lane, true, given != 0);
    const std::uint64_t before = load_bits(to.bytes, of.type);
    const std::uint64_t after = atomic_result(what, of.type, before, b, c);
    Node old = to.node == nullptr ? 0 : *to.node;
    if (!to.written->all(to.written_at, size)) {
        old = kUnwritten;
        if (is_news(of))
            find(of, lane,
                 fmt::format("Work-item {} changes {}[{}], which nobody has written yet",
                             item(lane), object.name, offset / size),
                 object.space == Space::local
                     ? "Let one work-item write it first, and wait at a barrier"
                     : "Let the host fill it",
                 said_of_unwritten("fault.unwritten_changed", item(lane), object, offset),
                 hint_of_unwritten(object));
    }
    Node now = old;
    if constexpr (kLineage) {
        if (what == Builtin::atomic_xchg || what == Builtin::atomic_cmpxchg) {
            if (what == Builtin::atomic_xchg || before == b) now = given;
        } else {
            now = joined(old, given);
        }
        nodes_out(of.to)[lane] = old;
    }
    store_bits(to.bytes, of.type, after);
    to.written->set(to.written_at, size);
    if (to.node != nullptr) *to.node = now;
    out(of.to)[lane] = before;
    if (what == Builtin::atomic_cmpxchg && before != b)
        add_detail(Detail::Kind::failed, std::uint64_t{1} << lane, 0, *done);
    done->accesses.push_back({before, after, static_cast<std::uint32_t>(offset / size), now});
}

template <bool kLineage>
void Executor<kLineage>::sub_collective(Done& done) {
    const Instruction& of = code_[pc_];
    std::vector<Member> members;
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        Member made{in(of.a)[lane], in(of.b)[lane], 0, 0, 0};
        if constexpr (kLineage) made.node = nodes_in(of.a)[lane];
        members.push_back(made);
    }
    collect(of, members, around_.state, around_.lineage);
    std::size_t i = 0;
    for (std::uint64_t left = exec_; left != 0; left &= left - 1, ++i) {
        const int lane = std::countr_zero(left);
        out(of.to)[lane] = members[i].result;
        if constexpr (kLineage) nodes_out(of.to)[lane] = members[i].made;
    }
    done.parts.push_back(
        part_at(context_, group_, warp_index_, of, ActionKind::collective, exec_, done));
    ++pc_;
    warp_.pc = pc_;
}

// Those of the lanes in `mask`, which all point into one object.
template <bool kLineage>
void Executor<kLineage>::access_part(const Instruction& of, std::uint64_t mask, std::uint64_t,
                                     Done& done) {
    Done::Part part = part_at(context_, group_, warp_index_, of,
                              of.op == Op::load    ? ActionKind::load
                              : of.op == Op::store ? ActionKind::store
                                                   : ActionKind::atomic,
                              mask, done);
    Action& action = part.action;
    action.type = of.type;
    action.count = of.count & 0x1fU;
    const std::uint64_t* pointers = in(of.a);
    std::uint64_t left = mask;
    const auto tell = [&] {
        action.mask = mask & ~left;
        part.end = done.accesses.size();
        if (action.mask != 0) done.parts.push_back(part);
    };
    try {
        for (; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            const ObjectInfo& object = checked(of, pointers[lane], lane, of.op != Op::load);
            action.object = static_cast<std::uint8_t>(object_in(pointers[lane]));
            const auto offset = static_cast<std::uint64_t>(offset_in(pointers[lane]));
            if (of.op == Op::load)
                load_lane(of, object, lane, offset, &done);
            else if (of.op == Op::store)
                store_lane(of, object, lane, offset, &done);
            else
                atomic_lane(of, object, lane, offset, &done);
        }
    } catch (const Fault&) {
        tell();  // what those before it did
        throw;
    }
    tell();
}

template <bool kLineage>
void Executor<kLineage>::access(Done& done) {
    const Instruction& of = code_[pc_];
    const std::uint64_t* pointers = in(of.a);
    for (std::uint64_t left = exec_; left != 0;) {
        const std::uint64_t object = object_in(pointers[std::countr_zero(left)]);
        std::uint64_t same = 0;
        for (std::uint64_t each = left; each != 0; each &= each - 1) {
            const int lane = std::countr_zero(each);
            same |= std::uint64_t{object_in(pointers[lane]) == object} << lane;
        }
        access_part(of, same, object, done);
        left &= ~same;
    }
    ++pc_;
    warp_.pc = pc_;
}

template <bool kLineage>
void Executor<kLineage>::private_access(const Instruction& of) {
    const std::uint64_t* pointers = in(of.a);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const ObjectInfo& object = checked(of, pointers[lane], lane, of.op == Op::store_private);
        const auto offset = static_cast<std::uint64_t>(offset_in(pointers[lane]));
        if (of.op == Op::load_private)
            load_lane(of, object, lane, offset, nullptr);
        else
            store_lane(of, object, lane, offset, nullptr);
    }
}

template class Executor<false>;
template class Executor<true>;

}  // namespace lab::machine
