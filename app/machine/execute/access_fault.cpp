#include "machine/execute/access_fault.h"

#include <fmt/format.h>

#include "machine/fault.h"

namespace lab::machine {
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
