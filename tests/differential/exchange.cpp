#include "exchange.h"

#include <array>

#include "expressions.h"
#include "statements.h"

namespace lab::differential {
namespace {

void barrier(Context& context, const std::string& fence) {
    line(context, "barrier(" + fence + ");  // keep");
}

void local_barrier(Context& context) {
    barrier(context, context.random.percent(80) ? "CLK_LOCAL_MEM_FENCE"
                                                : "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE");
}

std::string times(const std::string& what, unsigned count) {
    return count == 1 ? what : what + " * " + std::to_string(count);
}

std::string within(unsigned count) {
    return "[safe_index($, " + std::to_string(count) + ")]";
}

std::string own_cell(const std::string& array, const std::string& item, unsigned cells) {
    if (cells == 1) return array + "[" + item + "]";
    return array + "[" + times(item, cells) + " + safe_index($, " + std::to_string(cells) + ")]";
}

// Statements that know one more place. Within a loop that has barriers they have no loops of their
// own: PoCL 3.1 makes kernels of that which never end.
void with(Context& context, const Place& place, unsigned statements) {
    const std::size_t known = context.places.size();
    context.places.push_back(place);
    block(context, statements, context.rounds ? 0 : 1);
    context.places.resize(known);
}

// A sink for what was read, so that it reaches the results.
void absorb(Context& context, const std::string& text, Type type) {
    line(context, "hash = hash * 31 + " + fold(context, type) + "(" + text + ");");
}

void write_own(Context& context, const Shared& shared) {
    for (unsigned i = 0; i < shared.per_item; ++i) {
        line(context, shared.name + "[" + times("lid", shared.per_item) + " + " +
                          std::to_string(i) + "] = " + expression(context, shared.type, 2) +
                          ";  // keep");
    }
}

void read_others(Context& context, const Shared& shared) {
    const auto count = static_cast<unsigned>(context.local) * shared.per_item;
    const Place place{shared.name + within(count), shared.type};
    absorb(context, spelled(context, place), shared.type);
    with(context, place, static_cast<unsigned>(context.random.below(3)));
}

void plain(Context& context, const Exchange& parts) {
    write_own(context, parts.shared);
    if (context.random.percent(50)) {
        with(context,
             {own_cell(parts.shared.name, "lid", parts.shared.per_item), parts.shared.type, true,
              Space::locally},
             1 + static_cast<unsigned>(context.random.below(2)));
    }
    local_barrier(context);
    read_others(context, parts.shared);
    local_barrier(context);
}

// The same in a loop that all work-items go through equally often.
void rounds(Context& context, const Exchange& parts) {
    const std::string round = fresh(context, "round");
    open(context, "for (int " + round + " = 0; " + round + " < " +
                      std::to_string(2 + context.random.below(2)) + "; ++" + round + ") {");
    context.small.push_back(round);
    context.rounds = true;
    plain(context, parts);
    context.rounds = false;
    context.small.pop_back();
    close(context);
}

// Half of the work-items combine with the other half, and so on: the textbook reduction.
void tree(Context& context, const Exchange& parts) {
    static constexpr std::array<const char*, 5> operators = {"+", "^", "|", "&", "*"};
    const std::string& name = parts.tally.name;
    const std::string stride = fresh(context, "stride");
    line(context, name + "[lid] = " + expression(context, {Element::u32, 1}, 2) + ";  // keep");
    local_barrier(context);
    open(context, "for (uint " + stride + " = group_size / 2; " + stride + " > 0; " + stride +
                      " /= 2) {  // keep");
    line(context, "if (lid < " + stride + ") " + name + "[lid] = " + name + "[lid] " +
                      context.random.pick(operators) + " " + name + "[lid + " + stride + "];");
    local_barrier(context);
    close(context, "}");
    absorb(context, name + "[0]", {Element::u32, 1});
    local_barrier(context);
}

// Every operation commutes with itself, and one kind alone changes a cell.
void local_atomics(Context& context, const Exchange& parts) {
    static constexpr std::array<const char*, 6> operations = {"add", "sub", "or",
                                                              "xor", "min", "max"};
    const std::string& name = parts.tally.name;
    const std::string operation = context.random.pick(operations);
    line(context, name + "[lid] = " + literal(context.random, {Element::u32, 1}) + ";  // keep");
    local_barrier(context);
    const std::string cell = "&" + name + within(static_cast<unsigned>(context.local));
    const std::size_t known = context.atomics.size();
    context.atomics.push_back("atomic_" + operation + "(" + cell + ", $);");
    if (operation == "add") context.atomics.push_back("atomic_inc(" + cell + ");");
    if (operation == "sub") context.atomics.push_back("atomic_dec(" + cell + ");");
    line(context, fill_in(context.atomics[known], [&] {
             return expression(context, {Element::u32, 1}, 1);
         }));
    block(context, 1 + static_cast<unsigned>(context.random.below(2)), 1);
    context.atomics.resize(known);
    local_barrier(context);
    read_others(context, parts.tally);
    local_barrier(context);
}

void group_copy(Context& context, const Exchange& parts) {
    const auto count = std::to_string(context.local * parts.shared.per_item);
    const std::string event = fresh(context, "copied");
    line(context, "event_t " + event + " = async_work_group_copy(" + parts.shared.name + ", " +
                      parts.copied + ", (size_t)" + count + ", 0);  // keep");
    line(context, "wait_group_events(1, &" + event + ");  // keep");
    read_others(context, parts.shared);
    local_barrier(context);
}

// Through global memory: the cells of the work-items of the same group.
void through_global(Context& context, const Exchange& parts) {
    const Output output = context.random.pick(parts.outputs);
    const Place own{own_cell(output.name, "gid", output.per_item), output.type};
    const std::string target = spelled(context, own);
    line(context, target + " = " + storable(context, output.type, 2) + ";");
    barrier(context, "CLK_GLOBAL_MEM_FENCE");
    const std::string first = times("first_gid", output.per_item);
    const auto count = std::to_string(context.local * output.per_item);
    const Place others{output.name + "[" + first + " + safe_index($, " + count + ")]", output.type};
    // Nothing else may be written here: statements could write the cells that others read.
    absorb(context, spelled(context, others), output.type);
    absorb(context, spelled(context, others), output.type);
    barrier(context, "CLK_GLOBAL_MEM_FENCE");
}

}  // namespace

void exchange(Context& context, const Exchange& parts) {
    open(context, "{");
    const std::size_t known = context.places.size();
    const std::uint64_t kind = context.random.below(10);
    if (kind == 0 && !parts.copied.empty()) {
        group_copy(context, parts);
    } else if (kind <= 1) {
        through_global(context, parts);
    } else if (kind <= 3) {
        local_atomics(context, parts);
    } else if (kind <= 4) {
        tree(context, parts);
    } else if (kind <= 6) {
        rounds(context, parts);
    } else {
        plain(context, parts);
    }
    context.places.resize(known);
    close(context);
}

}  // namespace lab::differential
