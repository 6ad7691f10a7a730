// What an executor does besides arithmetic and control: conversions, choices, who an item is, and
// what is told of variables without a value.
#include <bit>

#include <fmt/format.h>

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
         "What it holds then is anything",
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
        for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            to[lane] = value(lane);
        }
    };
    if constexpr (kLineage) {
        // Who I am has no lineage; what the register held before may have had one.
        if (instruction.op >= Op::global_id && instruction.op <= Op::warp_id &&
            (instruction.flags & lang::kCarries) != 0)
            for (std::uint64_t left = exec_; left != 0; left &= left - 1)
                nodes_out(instruction.to)[std::countr_zero(left)] = 0;
    }
    switch (instruction.op) {
        case Op::convert: {
            const auto rounding = static_cast<Rounding>(instruction.extra & 0xffU);
            const bool saturate = (instruction.extra & lang::kSaturate) != 0;
            const std::uint64_t* a = in(instruction.a);
            each([&](std::uint32_t lane) {
                return convert(a[lane], instruction.from, instruction.type, rounding, saturate);
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
                    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                        const int lane = std::countr_zero(left);
                        nodes_out(instruction.to)[lane] =
                            nodes_in(c[lane] != 0 ? instruction.a : instruction.b)[lane];
                    }
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
                for (std::uint64_t left = exec_; left != 0; left &= left - 1)
                    nodes_out(instruction.to)[std::countr_zero(left)] = kUnwritten;
            break;
        case Op::check_defined: {
            const std::uint64_t* defined = in(instruction.a);
            for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
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
                    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                        const int lane = std::countr_zero(left);
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
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        std::vector<std::uint64_t> values;
        for (std::uint32_t i = 0; i < instruction.count; ++i)
            values.push_back(in(instruction.to + i)[lane]);
        add_print(execution_.state.prints, {execution_.state.time, item(lane), context_.launch,
                                            instruction.place, text_of(format, values, text_at)});
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::check_index(const Instruction& instruction) const {
    const std::uint64_t* index = in(instruction.a);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        if (index[lane] >= instruction.imm)
            refuse_index(context_, instruction, static_cast<std::int64_t>(index[lane]), item(lane));
    }
}

template class Executor<false, false>;
template class Executor<false, true>;
template class Executor<true, false>;
template class Executor<true, true>;

}  // namespace lab::machine
