// What a warp does to memory besides plain loads, stores and atomics, or is seldom: numbers at any
// byte, asynchronous copies, and what is said of memory that nobody has written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "machine/execute/bits.h"
#include "machine/execute/executor.h"

namespace lab::machine {
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
    std::uint64_t offset, Done* done) {
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
    std::uint64_t offset, Done* done) {
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
                                        const std::uint64_t* to, const Copy& began, Done& done) {
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

}  // namespace lab::machine
