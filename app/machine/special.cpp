// What an executor does besides arithmetic, control and plain accesses: conversions, choices, who
// an item is, seldom accesses, and what is told of those that are not allowed or find no value.
// Beside them access.cpp is small enough that compilers put the parts of an access into each other.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/text.h"
#include "lang/code.h"
#include "machine/executor.h"
#include "machine/values.h"

namespace lab::machine {

using lang::Instruction;
using lang::Op;

// Whether nobody has told of this place yet; counts it if so.
template <bool kLineage, bool kOneLane>
bool Executor<kLineage, kOneLane>::is_news(const Instruction& instruction) {
    if (execution_.findings == nullptr) return false;
    const lang::Place& place = context_.code->place(instruction);
    for (Finding& known : *execution_.findings)
        if (known.place == place && known.launch == context_.launch) {
            ++known.count;
            return false;
        }
    return true;
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::find(const Instruction& instruction, std::uint32_t lane,
                                        std::string what, std::string hint, Phrase phrase,
                                        Phrase hint_phrase) {
    execution_.findings->push_back(
        {std::move(what),
         "It may hold anything then",
         std::move(hint),
         context_.code->place(instruction),
         context_.launch,
         item(lane),
         1,
         {std::move(phrase), {{"fault.unwritten.why", {}, {}}}, std::move(hint_phrase)}});
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::others(const Instruction& instruction) {
    const auto each = [&](auto value) {
        std::uint64_t* to = out(instruction.to);
        for (const std::uint32_t lane : set_bits(exec_))
            to[lane] = value(lane);
    };
    if constexpr (kLineage) {
        // Who I am has no lineage; what the register held before may have had one.
        if (instruction.op >= Op::global_id && instruction.op <= Op::warp_id &&
            (instruction.flags & lang::kCarries) != 0)
            for (const std::uint32_t lane : set_bits(exec_))
                nodes_out(instruction.to)[lane] = 0;
    }
    switch (instruction.op) {
        case Op::convert: {
            const auto rounding = static_cast<Rounding>(instruction.extra & 0xffU);
            const std::uint64_t* a = in(instruction.a);
            each([&](std::uint32_t lane) {
                return convert(a[lane], instruction.from, instruction.type, rounding);
            });
            if constexpr (kLineage)
                if ((instruction.flags & lang::kCarries) != 0) carry(instruction);
            break;
        }
        case Op::select: {
            const std::uint64_t* a = in(instruction.a);
            const std::uint64_t* b = in(instruction.b);
            const std::uint64_t* c = in(instruction.c);
            if constexpr (kLineage)
                if ((instruction.flags & lang::kCarries) != 0)
                    for (const std::uint32_t lane : set_bits(exec_))
                        nodes_out(instruction.to)[lane] =
                            nodes_in(c[lane] != 0 ? instruction.a : instruction.b)[lane];
            each([&](std::uint32_t lane) { return c[lane] != 0 ? a[lane] : b[lane]; });
            break;
        }
        case Op::pure: {
            const PureFunction function =
                pure_function(static_cast<lang::Fn>(instruction.extra), instruction.type);
            const std::uint64_t* a = in(instruction.a);
            const std::uint64_t* b = in(instruction.b);
            const std::uint64_t* c = in(instruction.c);
            each([&](std::uint32_t lane) { return function(a[lane], b[lane], c[lane]); });
            if constexpr (kLineage)
                if ((instruction.flags & lang::kCarries) != 0) carry(instruction);
            break;
        }
        case Op::global_id:
            if (context_.plain && instruction.imm % lang::kLinear == 0)
                each([&](std::uint32_t lane) { return item(lane); });
            else
                each([&](std::uint32_t lane) {
                    return context_.global_id(group_.id, local(lane), instruction.imm);
                });
            break;
        case Op::local_id:
            if (context_.plain && instruction.imm % lang::kLinear == 0)
                each([&](std::uint32_t lane) { return local(lane); });
            else
                each([&](std::uint32_t lane) {
                    return context_.local_id(local(lane), instruction.imm);
                });
            break;
        case Op::group_id: {
            const std::uint64_t id = context_.plain && instruction.imm == 0
                                         ? group_.id
                                         : context_.group_id(group_.id, instruction.imm);
            each([&](std::uint32_t) { return id; });
            break;
        }
        case Op::lane_id:
            each([](std::uint32_t lane) { return std::uint64_t{lane}; });
            break;
        case Op::warp_id:
            each([&](std::uint32_t) { return std::uint64_t{warp_index_}; });
            break;
        case Op::undefine:
            each([&](std::uint32_t) {
                return lang::canonical(instruction.type, 0xA5A5A5A5A5A5A5A5U);
            });
            if constexpr (kLineage)
                for (const std::uint32_t lane : set_bits(exec_))
                    nodes_out(instruction.to)[lane] = kUnwritten;
            break;
        case Op::check_defined: {
            const std::uint64_t* defined = in(instruction.a);
            for (const std::uint32_t lane : set_bits(exec_)) {
                if (defined[lane] != 0 || !is_news(instruction)) continue;
                find(instruction, lane,
                     fmt::format("Work-item {} reads the variable '{}', which has no value yet",
                                 name(lane), context_.code->undefined_names[instruction.imm]),
                     "Give it a value where it is declared",
                     {"fault.unset",
                      {{"item", name(lane)},
                       {"name", context_.code->undefined_names[instruction.imm]}},
                      {}},
                     {"fault.unset.hint", {}, {}});
            }
            break;
        }
        case Op::lineage_of_choice:
            // A minimum by a < b ? a : b: both went in.
            if constexpr (kLineage)
                if ((instruction.flags & lang::kCarries) != 0)
                    for (const std::uint32_t lane : set_bits(exec_)) {
                        const Node asked = nodes_in(instruction.a)[lane];
                        Node& chosen = nodes_out(instruction.to)[lane];
                        if (asked == 0 || asked == kUnwritten || chosen == 0) continue;
                        const Origin& both = (*execution_.lineage)[asked];
                        if (!both.is_input && (both.left == chosen || both.right == chosen))
                            chosen = asked;
                    }
            break;
        case Op::print:
            print(instruction);
            break;
        case Op::check_index:
            check_index(instruction);
            break;
        case Op::load_private:
        case Op::store_private:
            private_access(instruction);
            break;
        default:
            break;
    }
}

// Of work-item after work-item.
template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::print(const Instruction& instruction) {
    const lang::PrintFormat& format = context_.code->prints[instruction.imm];
    const auto text_at = [this](std::uint64_t pointer) -> std::string {
        const std::uint64_t number = object_in(pointer);
        if (number == 0 || number >= context_.objects.size()) return "(null)";
        const ObjectInfo& object = context_.objects[number];
        const std::int64_t begin = offset_in(pointer);
        if (object.space != Space::constant || begin < 0 ||
            begin >= static_cast<std::int64_t>(object.bytes))
            return "(null)";
        std::string text;
        const auto& bytes = context_.code->objects[object.buffer].initial;
        for (auto i = static_cast<std::size_t>(begin); i < bytes.size() && bytes[i] != std::byte{};
             ++i)
            text += static_cast<char>(bytes[i]);
        return text;
    };
    // A text takes as long as thousands of other instructions.
    if (execution_.cancel != nullptr && execution_.cancel->load()) used_up(instruction);
    for (const std::uint32_t lane : set_bits(exec_)) {
        std::vector<std::uint64_t> values;
        for (std::uint32_t i = 0; i < instruction.count; ++i)
            values.push_back(in(instruction.to + i)[lane]);
        execution_.state.prints.add({execution_.state.time, item(lane), context_.launch,
                                     instruction.place, text_of(format, values, text_at)});
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::check_index(const Instruction& instruction) const {
    const std::uint64_t* index = in(instruction.a);
    for (const std::uint32_t lane : set_bits(exec_)) {
        if (index[lane] >= instruction.imm)
            refuse_index(context_, instruction, static_cast<std::int64_t>(index[lane]), item(lane));
    }
}

// What a warp does to memory besides plain loads, stores and atomics, or is seldom: numbers at any
// byte, asynchronous copies, and what is said of memory that nobody has written.
static Phrase said_of_unwritten(const char* key, const std::string& item, const ObjectInfo& object,
                                std::uint64_t offset) {
    return {key, {{"item", item}, {"cell", object.cell_of_byte(offset)}}, {}};
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::find_unwritten(
    const Instruction& instruction, const ObjectInfo& object, std::uint32_t lane,
    std::uint64_t offset) {
    if ((instruction.flags & lang::kFindsAny) != 0 || !is_news(instruction)) return;
    const bool changes =
        instruction.op == Op::atomic &&
        static_cast<lang::Builtin>(instruction.extra) != lang::Builtin::atomic_load;
    const bool local = object.space == Space::local, own = object.space == Space::private_;
    find(instruction, lane,
         fmt::format("Work-item {} {} {}, which nobody has written yet", name(lane),
                     changes ? "changes" : "reads", object.cell_of_byte(offset)),
         changes && local ? "Let one work-item write it first, and wait at a barrier"
         : changes        ? "Let the host fill it"
         : own            ? "Give it a value where it is declared"
         : local          ? "Write it first, and wait at a barrier"
         : own            ? "Write it first"
                          : "Write it first, or let the host fill it",
         said_of_unwritten(changes ? "fault.unwritten_changed" : "fault.unwritten", name(lane),
                           object, offset),
         {local ? "fault.unwritten_local.hint"
          : own ? "fault.unset.hint"
                : "fault.unwritten.hint",
          {},
          {}});
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
    for (const std::uint32_t lane : set_bits(mask)) {
        check(load, from[lane], lane);
        check(store, to[lane], lane);
    }
    part(load, from);
    for (const std::uint32_t lane : set_bits(mask)) {
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
    for (const std::uint32_t lane : set_bits(mask)) {
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
              "The pointer is null, or was made from a number", "Point it to a buffer or variable",
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
              count == 0
                  ? fmt::format("'{}' has no elements", object.name)
                  : fmt::format(
                        "'{}' has {} of {}: {}[0]{}", object.name, counted_text(count, "element"),
                        counted_text(static_cast<std::uint64_t>(unit), "byte"), object.name,
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
          fmt::format("'{}' has {}; what lies behind it belongs to something else", name,
                      counted_text(count, "element")),
          "Compare the index with the number of elements first",
          phrases_of("fault.inner", {{"item", who},
                                     {"name", name},
                                     {"cell", fmt::format("{}[{}]", name, index)},
                                     {"last", fmt::format("{}[{}]", name, count - 1)}}));
}

}  // namespace lab::machine
