#include "generate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "buffers.h"
#include "exchange.h"
#include "expressions.h"
#include "prelude.h"
#include "statements.h"

namespace lab::differential {
namespace {

// A kernel in the making: what its signature and its body are made of.
struct Draft {
    GeneratedKernel kernel;
    std::vector<std::string> parameters;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    Exchange exchange;
    std::vector<std::string> locals;  // declarations in the kernel
    bool exchanges = false;
    bool cells = false;  // has a buffer of structures
};

// A factor of `number`.
std::uint64_t some_factor(Random& random, std::uint64_t number) {
    std::vector<std::uint64_t> factors;
    for (std::uint64_t i = 1; i <= number; ++i)
        if (number % i == 0) factors.push_back(i);
    return random.pick(factors);
}

// As many work-items and groups, in several dimensions, from anywhere on. Draws numbers of its own,
// so that a seed's kernel of one dimension stays what it was.
NDRange spread(std::uint64_t seed, unsigned dims, std::uint64_t items, std::uint64_t group_items) {
    Random random(seed ^ 0x6e6472616e6765U);
    NDRange range;
    range.dims = dims;
    std::uint64_t groups = items / group_items;
    for (unsigned i = 0; i < dims; ++i) {
        const bool last = i + 1 == dims;
        const std::uint64_t local = last ? group_items : some_factor(random, group_items);
        const std::uint64_t count = last ? groups : some_factor(random, groups);
        group_items /= local;
        groups /= count;
        range.local[i] = local;
        range.global[i] = local * count;
        range.offset[i] = random.percent(50) ? 0 : random.below(40);
    }
    return range;
}

void launch(Context& context, Draft& draft, unsigned dims) {
    static constexpr std::array<unsigned, 9> sizes = {1, 2, 3, 4, 4, 6, 8, 8, 16};
    context.local = context.random.pick(sizes);
    context.global = context.local * (1 + context.random.below(3));
    context.dims = dims;
    draft.kernel.range = {context.global, context.local};
    if (dims == 1) return;
    context.global *= 2;
    draft.kernel.range = spread(draft.kernel.seed, dims, context.global, context.local);
}

void add_buffer(Context& context, Draft& draft, const std::string& qualifiers, Type type,
                const std::string& name_of_it, std::uint64_t count) {
    const bool plain = !qualifiers.starts_with("global") || context.random.percent(80);
    const std::string star = plain ? "* " : "* restrict ";
    draft.parameters.push_back(qualifiers + " " + name(type) + star + name_of_it);
    draft.kernel.buffers.push_back({name(type), count, random_bytes(context.random, type, count)});
}

void inputs(Context& context, Draft& draft) {
    static constexpr std::array<unsigned, 6> widths = {1, 1, 1, 2, 4, 8};
    const std::uint64_t count = 1 + context.random.below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
        const Type type{random_element(context.random), context.random.pick(widths)};
        const auto elements = 16 + static_cast<unsigned>(context.random.below(20));
        const std::string qualifiers = context.random.percent(25) ? "constant" : "global const";
        const Input input{"in" + std::to_string(i), qualifiers, type, elements};
        add_buffer(context, draft, qualifiers, type, input.name, elements);
        draft.inputs.push_back(input);
    }
}

void outputs(Context& context, Draft& draft) {
    add_buffer(context, draft, "global", {Element::u64, 1}, "hashes", context.global);
    const std::uint64_t count = 1 + context.random.below(2);
    for (std::uint64_t i = 0; i < count; ++i) {
        static constexpr std::array<unsigned, 8> widths = {1, 1, 1, 1, 2, 4, 8, 16};
        const Type type{random_element(context.random), context.random.pick(widths)};
        const auto cells = type.width > 4 ? 1 : 1 + static_cast<unsigned>(context.random.below(4));
        const Output output{"out" + std::to_string(i), type, cells};
        add_buffer(context, draft, "global", type, output.name, context.global * cells);
        draft.outputs.push_back(output);
    }
}

// A buffer of structures, one for each work-item. Structures of other sizes could have padding,
// whose bytes are free.
void cells(Context& context, Draft& draft) {
    draft.cells = context.random.percent(20);
    if (!draft.cells) return;
    line(context, "typedef struct { int a; float b; short c[2]; } Cell;");
    draft.parameters.emplace_back("global Cell* cells");
    GeneratedBuffer buffer{"Cell", context.global, {}};
    for (std::uint64_t i = 0; i < context.global; ++i) {
        for (const Element element : {Element::i32, Element::f32, Element::i16, Element::i16}) {
            const std::vector<std::byte> bytes = random_bytes(context.random, {element, 1}, 1);
            buffer.bytes.insert(buffer.bytes.end(), bytes.begin(), bytes.end());
        }
    }
    draft.kernel.buffers.push_back(std::move(buffer));
}

void cell_places(Context& context) {
    line(context, "global Cell* cell = cells + gid;");
    line(context, "Cell copy = *cell;");
    for (const char* prefix : {"cell->", "cells[gid].", "copy."}) {
        const std::string text = prefix;
        const Space space = text == "copy." ? Space::privately : Space::globally;
        context.places.push_back({text + "a", {Element::i32, 1}, true, space});
        context.places.push_back({text + "c[safe_index($, 2)]", {Element::i16, 1}, true, space});
        // Only through this name: NaN must not get into the buffer by way of the copy.
        if (space == Space::globally) {
            context.places.push_back({text + "b", {Element::f32, 1}, true, space});
        }
    }
}

// Counters that atomics change, one kind of operation each, and that nothing reads.
void counters(Context& context, Draft& draft) {
    if (context.random.percent(60)) return;
    const bool wide = context.random.percent(25);
    const Type type{wide                         ? Element::u64
                    : context.random.percent(50) ? Element::u32
                                                 : Element::i32,
                    1};
    add_buffer(context, draft, context.random.percent(30) ? "volatile global" : "global", type,
               "counts", 6);
    const std::string prefix = wide ? "atom_" : "atomic_";
    static constexpr std::array<const char*, 6> operations = {"add", "or",  "and",
                                                              "xor", "min", "max"};
    for (std::size_t i = 0; i < operations.size(); ++i) {
        context.atomics.push_back(prefix + operations[i] + "(&counts[" + std::to_string(i) +
                                  "], $);");
    }
    for (const char* also : {"inc(&counts[0]);", "dec(counts);", "sub(counts, $);"})
        context.atomics.push_back(prefix + also);
}

void shared_memory(Context& context, Draft& draft, const Size& size) {
    draft.exchanges = size.exchanges > 0 && context.random.percent(60);
    if (!draft.exchanges) return;
    Shared shared{"shared",
                  {random_element(context.random), 1},
                  1 + static_cast<unsigned>(context.random.below(2))};
    if (context.random.percent(25)) shared.type.width = random_vector_width(context.random);
    for (const Input& input : draft.inputs) {
        const bool whole = input.count >= context.local * shared.per_item;
        if (input.qualifiers == "global const" && whole && context.random.percent(50)) {
            shared.type = input.type;
            draft.exchange.copied = input.name;
        }
    }
    const Shared tally{"tally", {Element::u32, 1}, 1};
    draft.exchange.shared = shared;
    draft.exchange.tally = tally;
    draft.exchange.outputs = draft.outputs;
    for (const Shared& each : {shared, tally}) {
        const std::uint64_t count = context.local * each.per_item;
        if (context.random.percent(50)) {
            draft.parameters.push_back("local " + name(each.type) + "* " + each.name);
            draft.kernel.locals.push_back({name(each.type), count, count * stride(each.type)});
        } else {
            draft.locals.push_back("local " + name(each.type) + " " + each.name + "[" +
                                   std::to_string(count) + "];");
        }
    }
}

void work_item_places(Context& context) {
    const Type size{Element::u64, 1}, index{Element::u32, 1};
    for (const char* text : {"gid", "lid", "group_size"})
        context.places.push_back({text, index});
    for (const char* function : {"get_global_size", "get_local_size", "get_num_groups",
                                 "get_group_id", "get_global_offset", "get_local_id"}) {
        if (context.random.percent(20)) {
            context.places.push_back({"(ulong)" + std::string(function) + "(0)", size});
        }
        for (unsigned i = 1; context.dims > 1 && i < 3; ++i)
            if (context.random.percent(30))
                context.places.push_back(
                    {"(ulong)" + std::string(function) + "(" + std::to_string(i) + ")", size});
    }
    if (context.random.percent(20)) context.places.push_back({"get_work_dim()", index});
}

void input_places(Context& context, const Draft& draft) {
    for (const Input& input : draft.inputs) {
        const std::string count = std::to_string(input.count);
        const Type type = input.type;
        context.places.push_back({input.name + "[safe_index($, " + count + ")]", type});
        if (type.width == 1) {
            const unsigned width = random_vector_width(context.random);
            context.places.push_back({"vload" + std::to_string(width) + "(safe_index($, " +
                                          std::to_string(input.count / width) + "), " + input.name +
                                          ")",
                                      {type.element, width}});
        }
        // The same memory as vectors of 4, or as integers of the other sign.
        const std::string view = "((" + input.qualifiers + " ";
        if (type.width == 1 && context.random.percent(50)) {
            context.places.push_back({view + name({type.element, 4}) + "*)" + input.name +
                                          ")[safe_index($, " + std::to_string(input.count / 4) +
                                          ")]",
                                      {type.element, 4}});
        }
        if (!is_float(type.element) && context.random.percent(50)) {
            const Element other =
                is_signed(type.element) ? to_unsigned(type.element) : to_signed(type.element);
            context.places.push_back({view + name({other, type.width}) + "*)" + input.name +
                                          ")[safe_index($, " + count + ")]",
                                      {other, type.width}});
        }
    }
}

void output_places(Context& context, const Draft& draft) {
    for (const Output& output : draft.outputs) {
        const std::string cells = std::to_string(output.per_item);
        const std::string own = output.name + " + gid * " + cells;
        const bool pointer = context.random.percent(30);
        std::string text = output.name + "[gid]";
        if (output.per_item > 1) {
            text = output.name + "[gid * " + cells + " + safe_index($, " + cells + ")]";
        }
        if (pointer) {
            const std::string mine = fresh(context, "mine");
            line(context, "global " + name(output.type) + "* " + mine + " = " + own + ";");
            text = mine + "[safe_index($, " + cells + ")]";
        }
        context.places.push_back({text, output.type, true, Space::globally});
        if (output.type.width == 1) {
            context.runs.push_back({"&" + output.name + "[gid * " + cells + "]",
                                    output.type.element, output.per_item, true, Space::globally});
        }
        // What no other work-item touches may be exchanged for what was there.
        if (output.type == Type{Element::u32, 1}) {
            const std::string cell = "&" + output.name + "[gid * " + cells + "]";
            context.atomics.push_back("hash ^= atomic_xchg(" + cell + ", $);");
            context.atomics.push_back("hash += atomic_add(" + cell + ", $);");
            context.atomics.push_back("hash += atomic_cmpxchg(" + cell + ", $, $);");
        }
    }
}

void fold_places(Context& context) {
    std::vector<Place> mine;
    for (const Place& place : context.places) {
        if (place.space == Space::privately) mine.push_back(place);
    }
    constexpr std::size_t most = 10;  // the first are as good as any: the rest were made of them
    for (std::size_t i = 0; i < std::min(mine.size(), most); ++i) {
        const std::string text =
            fill_in(mine[i].text, [&] { return std::to_string(context.random.below(7)); });
        if (mine[i].type.element == Element::boolean) {
            line(context, "hash = hash * 31 + (ulong)" + text + ";");
        } else {
            line(context, "hash = hash * 31 + " + fold(context, mine[i].type) + "(" + text + ");");
        }
    }
}

void kernel_body(Context& context, const Draft& draft, const Size& size) {
    for (const std::string& local : draft.locals)
        line(context, local);
    if (context.dims == 1) {
        line(context, "const uint gid = (uint)get_global_id(0);");
        line(context, "const uint lid = (uint)get_local_id(0);");
        line(context, "const uint first_gid = gid - lid;");
        line(context, "const uint group_size = (uint)get_local_size(0);");
        line(context, "ulong hash = gid;");
    } else {  // numbers that count group after group
        line(context,
             "const uint group_size = (uint)(get_local_size(0) * get_local_size(1) * "
             "get_local_size(2));");
        line(context,
             "const uint lid = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
             "get_local_size(1) * get_local_id(2)));");
        line(context,
             "const uint first_gid = group_size * (uint)(get_group_id(0) + get_num_groups(0) * "
             "(get_group_id(1) + get_num_groups(1) * get_group_id(2)));");
        line(context, "const uint gid = first_gid + lid;");
        line(context,
             "ulong hash = get_global_id(0) + 131 * get_global_id(1) + 17161 * get_global_id(2);");
    }
    work_item_places(context);
    input_places(context, draft);
    output_places(context, draft);
    if (draft.cells) cell_places(context);
    unsigned exchanges = draft.exchanges ? size.exchanges : 0;
    for (unsigned i = 0; i < size.statements; ++i) {
        statement(context, size.depth - 1);
        if (exchanges > 0 && context.random.percent(30)) {
            exchange(context, draft.exchange);
            --exchanges;
        }
    }
    if (context.random.percent(15)) line(context, "if (" + condition(context, 1) + ") return;");
    fold_places(context);
    for (const Output& output : draft.outputs) {
        line(context, output.name + "[gid * " + std::to_string(output.per_item) +
                          "] = " + storable(context, output.type, 2) + ";");
    }
    if (draft.cells) line(context, "if ((hash & 1) != 0) cells[gid] = copy;");
    line(context, "hashes[gid] = hash;");
}

void signature(Context& context, const Draft& draft) {
    std::string text = context.random.percent(80) ? "kernel " : "__kernel ";
    if (context.random.percent(20)) {
        const Coordinates& local = draft.kernel.range.local;
        text += "__attribute__((reqd_work_group_size(" + std::to_string(local[0]) + ", " +
                std::to_string(local[1]) + ", " + std::to_string(local[2]) + "))) ";
    }
    text += "void test(";
    for (std::size_t i = 0; i < draft.parameters.size(); ++i)
        text += (i == 0 ? "" : ", ") + draft.parameters[i];
    line(context, text + ") {");
}

std::string assembled(const Context& context, std::uint64_t seed) {
    std::string text;
    for (const std::string& each : header(seed))
        text += each + "\n";
    for (const Guard& guard : context.guards)
        text += guard.definition + "\n";
    for (const std::string& each : context.lines)
        text += each + "\n";
    return text;
}

}  // namespace

GeneratedKernel generate(std::uint64_t seed, const Size& size) {
    Context context(seed);
    Draft draft;
    draft.kernel.seed = seed;
    launch(context, draft, size.dims);
    outputs(context, draft);
    inputs(context, draft);
    types_and_tables(context);
    const std::uint64_t helpers = context.random.below(size.helpers + 1);
    for (std::uint64_t i = 0; i < helpers; ++i)
        helper(context, draft.inputs);
    cells(context, draft);
    counters(context, draft);
    shared_memory(context, draft, size);
    signature(context, draft);
    context.indent = 1;
    context.in_kernel = true;
    kernel_body(context, draft, size);
    context.indent = 0;
    line(context, "}");
    draft.kernel.text = assembled(context, seed);
    return draft.kernel;
}

}  // namespace lab::differential
