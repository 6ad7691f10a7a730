// The accesses that are recorded: each is a call of a helper, which takes tickets, acts, and notes.
#include <fmt/format.h>

#include "lang/record/printer.h"

namespace lab::lang {
namespace {

using Kind = Expression::Kind;

std::string raw_bits(const Type& type, const std::string& value) {
    if (type.is_half()) return fmt::format("(ulong)as_ushort({})", value);
    if (type.scalar == Scalar::float_) return fmt::format("(ulong)as_uint({})", value);
    if (type.scalar == Scalar::double_) return fmt::format("as_ulong({})", value);
    return fmt::format("(ulong)({})", value);
}

std::string component(const Type& type, const std::string& vector, unsigned lane) {
    return type.is_vector() ? fmt::format("{}.s{:x}", vector, lane) : vector;
}

// What is in memory after an atomic of `lab_old`, `lab_a` and `lab_b`.
const char* after_atomic(Builtin what) {
    switch (what) {
        case Builtin::atomic_add:
            return "lab_old + lab_a";
        case Builtin::atomic_sub:
            return "lab_old - lab_a";
        case Builtin::atomic_inc:
            return "lab_old + 1";
        case Builtin::atomic_dec:
            return "lab_old - 1";
        case Builtin::atomic_cmpxchg:
            return "lab_old == lab_a ? lab_b : lab_old";
        case Builtin::atomic_min:
            return "min(lab_old, lab_a)";
        case Builtin::atomic_max:
            return "max(lab_old, lab_a)";
        case Builtin::atomic_and:
            return "lab_old & lab_a";
        case Builtin::atomic_or:
            return "lab_old | lab_a";
        case Builtin::atomic_xor:
            return "lab_old ^ lab_a";
        default:
            return "lab_a";  // exchanged
    }
}

}  // namespace

std::string Printer::pointer_temporary(Space space, const Type& target) {
    return temporary(fmt::format("{} {}* ", name_of(space), type_text(target)), nullptr);
}

Printer::Cell Printer::cell(const E& expr) {
    if (expr.kind != Kind::swizzle)
        return {fmt::format("(&{})", lvalue(expr)), expr.space, expr.type, {}};
    Cell whole = cell(*expr.operands[0]);
    std::vector<std::uint8_t> lanes;
    for (const std::uint8_t lane : expr.lanes)
        lanes.push_back(whole.lanes.empty() ? lane : whole.lanes[lane]);
    whole.lanes = std::move(lanes);
    return whole;
}

std::string Printer::lane_address(const std::string& pointer, const Cell& at, std::uint8_t lane) {
    return fmt::format("((({} {}*){}) + {})", name_of(at.space), info(at.type->scalar).name,
                       pointer, lane);
}

std::string Printer::load(const Cell& from, const Place& place) {
    if (from.lanes.empty()) return load_at(from.address, from.space, *from.type, place);
    const Type& scalar = *compiled_.tree->types.scalar(from.type->scalar);
    if (from.lanes.size() == 1)
        return load_at(lane_address(from.address, from, from.lanes[0]), from.space, scalar, place);
    const std::string pointer = pointer_temporary(from.space, *from.type);
    std::string text = fmt::format("({} = {}", pointer, from.address), build;
    for (const std::uint8_t lane : from.lanes) {
        const std::string each = temporary("", &scalar);
        text += fmt::format(", {} = {}", each,
                            load_at(lane_address(pointer, from, lane), from.space, scalar, place));
        build += (build.empty() ? "" : ", ") + each;
    }
    return fmt::format("{}, ({}{})({}))", text, info(scalar.scalar).name, from.lanes.size(), build);
}

std::string Printer::store(const Cell& to, const std::string& value, const Place& place) {
    if (to.lanes.empty()) return store_at(to.address, to.space, *to.type, value, place);
    const Type& scalar = *compiled_.tree->types.scalar(to.type->scalar);
    if (to.lanes.size() == 1)
        return store_at(lane_address(to.address, to, to.lanes[0]), to.space, scalar, value, place);
    const Type& type =
        *compiled_.tree->types.vector(to.type->scalar, static_cast<std::uint8_t>(to.lanes.size()));
    const std::string pointer = pointer_temporary(to.space, *to.type);
    const std::string given = temporary("", &type);
    std::string text = fmt::format("({} = {}, {} = {}", pointer, to.address, given, value);
    for (unsigned i = 0; i < to.lanes.size(); ++i)
        text += ", " + store_at(lane_address(pointer, to, to.lanes[i]), to.space, scalar,
                                component(type, given, i), place);
    return fmt::format("{}, {})", text, given);
}

std::size_t Printer::site(Site::Kind kind, Space space, const Type& type, const Place& place) {
    Site site;
    site.kind = kind;
    site.space = space;
    site.type = type.scalar;
    site.count = type.is_vector() ? type.width : std::uint8_t{1};
    site.place = place;
    made_.sites.push_back(site);
    return made_.sites.size() - 1;
}

std::string Printer::helper(const std::string& name, const std::string& text) {
    if (helper_names_.insert(name).second) helpers_ += text;
    return name;
}

std::string Printer::begins(std::size_t elements) const {
    std::string text;
    if (options_.delays) text += "    lab_wait(lab_trace, lab_noise);\n";
    if (options_.record)
        text += fmt::format("    const uint lab_begin = lab_ticket(lab_trace, {}u);\n", elements);
    return text;
}

std::string Printer::ends() const {
    return options_.record ? "    const uint lab_end = lab_until(lab_trace);\n" : "";
}

// `before`, `after`: names of values of that type.
std::string Printer::notes(const Type& type, const std::string& before,
                           const std::string& after) const {
    if (!options_.record) return {};
    std::string text;
    for (unsigned i = 0; i < type.width; ++i)
        text += fmt::format(
            "    lab_note(lab_trace, lab_begin + {}u, lab_end, lab_site,\n"
            "             (ulong)lab_p + {}u, {},\n             {});\n",
            i, i * info(type.scalar).bytes, raw_bits(type, component(type, before, i)),
            raw_bits(type, component(type, after, i)));
    return text;
}

std::string Printer::load_at(const std::string& address, Space space, const Type& type,
                             const Place& place) {
    if (!type.is_arithmetic()) cannot(place, "A pointer lies in memory that others see");
    const std::string name = fmt::format("lab_load_{}_{}", type.name, name_of(space));
    const char* is_volatile = space == Space::constant ? "" : "volatile ";
    helper(name, fmt::format("{0} {1}({2}, uint lab_site, {3}const {4} {0}* lab_p)\n{{\n{5}"
                             "    const {0} lab_value = *lab_p;\n{6}{7}    return lab_value;\n}}\n",
                             type.name, name, parameters(), is_volatile, name_of(space),
                             begins(type.width), ends(), notes(type, "lab_value", "lab_value")));
    return fmt::format("{}({}, {}u, {})", name, state(), site(Site::Kind::load, space, type, place),
                       address);
}

std::string Printer::store_at(const std::string& address, Space space, const Type& type,
                              const std::string& value, const Place& place) {
    if (!type.is_arithmetic()) cannot(place, "A pointer lies in memory that others see");
    const std::string name = fmt::format("lab_store_{}_{}", type.name, name_of(space));
    helper(name, fmt::format(
                     "{0} {1}({2}, uint lab_site, volatile {3} {0}* lab_p, {0} lab_value)\n{{\n{4}"
                     "    *lab_p = lab_value;\n{5}{6}    return lab_value;\n}}\n",
                     type.name, name, parameters(), name_of(space), begins(type.width), ends(),
                     notes(type, "lab_value", "lab_value")));
    return fmt::format("{}({}, {}u, {}, {})", name, state(),
                       site(Site::Kind::store, space, type, place), address, value);
}

std::string Printer::vector_memory(const E& expr) {
    const bool load = expr.known.builtin == Builtin::vload;
    const E& pointer = *expr.operands[load ? 1 : 2];
    const Space space = pointer.type->space;
    if (space == Space::private_) return fmt::format("{}({})", expr.known.name, operands(expr));
    const Type& element = *pointer.type->element;
    const Type& type = *compiled_.tree->types.vector(element.scalar, expr.known.number);
    const std::string name =
        fmt::format("lab_{}_{}_{}", expr.known.name, element.name, name_of(space));
    const char* is_volatile = space == Space::constant ? "" : "volatile ";
    std::string moves;
    for (unsigned i = 0; i < type.width; ++i)
        moves += load ? fmt::format("    lab_value.s{:x} = lab_p[{}];\n", i, i)
                      : fmt::format("    lab_p[{}] = lab_value.s{:x};\n", i, i);
    const std::string at = fmt::format("{}{}{} {}* lab_from", is_volatile, load ? "const " : "",
                                       name_of(space), element.name);
    const std::string own =
        fmt::format("    {}{}{} {}* lab_p = lab_from + lab_offset * {}u;\n", is_volatile,
                    load ? "const " : "", name_of(space), element.name, type.width);
    const std::string rest = ends() + notes(type, "lab_value", "lab_value");
    if (load)
        helper(name, fmt::format("{0} {1}({2}, uint lab_site, ulong lab_offset, {3})\n{{\n{4}{5}"
                                 "    {0} lab_value;\n{6}{7}    return lab_value;\n}}\n",
                                 type.name, name, parameters(), at, own, begins(type.width), moves,
                                 rest));
    else
        helper(name, fmt::format(
                         "void {1}({2}, uint lab_site, {0} lab_value, ulong lab_offset, {3})\n{{\n"
                         "{4}{5}{6}{7}}}\n",
                         type.name, name, parameters(), at, own, begins(type.width), moves, rest));
    return fmt::format("{}({}, {}u, {})", name, state(),
                       site(load ? Site::Kind::load : Site::Kind::store, space, type, expr.place),
                       operands(expr));
}

std::string Printer::atomic(const E& expr) {
    const E& pointer = *expr.operands[0];
    const Space space = pointer.type->space;
    const Type& type = *pointer.type->element;
    const std::string name =
        fmt::format("lab_{}_{}_{}", expr.known.name, type.name, name_of(space));
    std::string declared, given;
    for (std::size_t i = 1; i < expr.operands.size(); ++i) {
        declared += fmt::format(", {} lab_{}", type.name, "ab"[i - 1]);
        given += fmt::format(", lab_{}", "ab"[i - 1]);
    }
    const std::string after = options_.record
                                  ? fmt::format("    const {} lab_after = {};\n", type.name,
                                                after_atomic(expr.known.builtin))
                                  : "";
    helper(name,
           fmt::format("{0} {1}({2}, uint lab_site, volatile {3} {0}* lab_p{4})\n{{\n{5}"
                       "    const {0} lab_old = {6}(lab_p{7});\n{8}{9}{10}"
                       "    return lab_old;\n}}\n",
                       type.name, name, parameters(), name_of(space), declared, begins(1),
                       expr.known.name, given, ends(), after, notes(type, "lab_old", "lab_after")));
    return fmt::format("{}({}, {}u, {})", name, state(),
                       site(Site::Kind::atomic, space, type, expr.place), operands(expr));
}

std::string Printer::barrier(const E& expr) {
    const Type& none = *compiled_.tree->types.scalar(Scalar::int_);
    std::string before;
    if (options_.record) {
        const std::string name =
            helper("lab_arrive",
                   fmt::format("void lab_arrive({}, uint lab_site)\n{{\n{}{}"
                               "    lab_note(lab_trace, lab_begin, lab_end, lab_site, 0, 0, 0);\n"
                               "}}\n",
                               parameters(), begins(1), ends()));
        before = fmt::format("{}({}, {}u), ", name, state(),
                             site(Site::Kind::barrier, Space::global, none, expr.place));
    } else if (options_.delays) {
        before = "lab_wait(lab_trace, lab_noise), ";
    }
    return fmt::format("({}{}({}))", before, expr.known.name, value(*expr.operands[0]));
}

}  // namespace lab::lang
