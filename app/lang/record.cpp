#include "lang/record.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/ranges.h"
#include "base/text.h"
#include "lang/code.h"
#include "lang/parser.h"

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
    static const std::map<Builtin, const char*> kAfter{
        {Builtin::atomic_add, "lab_old + lab_a"},
        {Builtin::atomic_sub, "lab_old - lab_a"},
        {Builtin::atomic_inc, "lab_old + 1"},
        {Builtin::atomic_dec, "lab_old - 1"},
        {Builtin::atomic_cmpxchg, "lab_old == lab_a ? lab_b : lab_old"},
        {Builtin::atomic_min, "min(lab_old, lab_a)"},
        {Builtin::atomic_max, "max(lab_old, lab_a)"},
        {Builtin::atomic_and, "lab_old & lab_a"},
        {Builtin::atomic_or, "lab_old | lab_a"},
        {Builtin::atomic_xor, "lab_old ^ lab_a"},
        {Builtin::atomic_wrap_inc, "lab_old >= lab_a ? 0 : lab_old + 1"},
        {Builtin::atomic_wrap_dec, "lab_old == 0 || lab_old > lab_a ? lab_a : lab_old - 1"},
        {Builtin::atomic_load, "lab_old"},
        {Builtin::atomic_flag_set, "1"},
        {Builtin::atomic_flag_clear, "0"}};
    const auto found = kAfter.find(what);
    return found != kAfter.end() ? found->second : "lab_a";  // exchanged
}

bool is_lvalue_kind(Kind kind) {
    return kind == Kind::variable || kind == Kind::dereference || kind == Kind::member ||
           kind == Kind::swizzle;
}

using StatementKind = Statement::Kind;

template <typename Float>
std::string float_text(Float value, const char* suffix, const std::string& bits) {
    if (!std::isfinite(value)) return bits;
    const std::string digits = fmt::format("{:a}{}", std::fabs(value), suffix);
    return std::signbit(value) ? fmt::format("(-{})", digits) : digits;
}

// Writes a kernel as OpenCL C from its typed tree, with calls in the place of its accesses to
// memory that others see. Everything is evaluated in the simulator's order.
class Printer {
  public:
    Printer(const Compiled& compiled, const RecordOptions& options)
        : compiled_(compiled),
          options_(options),
          kernel_(*compiled.kernel),
          cuda_(is_cuda(compiled.sources[kTextFile].name, compiled.sources[kTextFile].text)) {}

    RecordedText print() {
        const auto unit_of = [](const Type& type) {
            return std::max<std::uint64_t>(1, info(type.unit).bytes);
        };
        const auto add_objects = [&](Space space) {
            for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
                const Type& type = *kernel_.parameters[i]->type;
                if (type.is_pointer() && type.space == space)
                    made_.objects.push_back({kernel_.parameters[i]->name, space, true, i, 0,
                                             shape_pointed_to(*type.element),
                                             unit_of(*type.element)});
            }
        };
        add_objects(Space::global);
        made_.globals = made_.objects.size();
        add_objects(Space::local);
        for (const Variable& variable : compiled_.tree->variables)
            if (variable.space == Space::local && !variable.is_argument)
                made_.objects.push_back({variable.name, Space::local, false, 0,
                                         variable.type->bytes, shape_of(*variable.type),
                                         unit_of(*variable.type)});
        made_.parameters = kernel_.parameters.size();

        used_functions(kernel_);
        std::vector<const Variable*> handed;  // the launch's shared memory, the kernel's first
        for (auto each = used_.rbegin(); each != used_.rend(); ++each)
            if ((*each)->is_dynamic) handed.push_back((*each)->parameters.back());
        for (const Variable& variable : compiled_.tree->variables)
            if (cuda_ && variable.space != Space::local && !variable.at_file_scope &&
                !contains(handed, &variable))
                taken_.insert(variable.name);
        for (const Variable* each : handed)
            names_[each] = unused_name(each->name);
        if (cuda_)
            for (const FunctionDefinition* each : used_)
                find_shared(*each->body);
        for (const Variable* each : compiled_.tree->globals)
            if (each->space == Space::local) shared_.push_back(each);
        (void)name(kernel_);
        std::string heads;
        for (const FunctionDefinition* each : used_)
            if (each != &kernel_) heads += head(*each) + ";\n";
        for (const FunctionDefinition* each : used_)
            function(*each);
        std::string constants;
        for (const Variable* variable : compiled_.tree->globals) {
            if (cuda_ && !names_.contains(variable)) continue;  // nobody uses it
            body_.clear();
            declare(*variable, 0);
            constants += body_;
        }
        made_.text.name = compiled_.sources[kTextFile].name + (cuda_ ? ", as OpenCL C" : "");
        take_marks(prelude() + structures_ + constants + helpers_ + heads + functions_);
        return std::move(made_);
    }

  private:
    using E = Expression;
    // An lvalue that others may see, and whose accesses count.
    struct SharedCell {
        std::string address;  // evaluated once
        Space space = Space::global;
        const Type* type = nullptr;       // of what lies at the address
        std::vector<std::uint8_t> lanes;  // of a vector that lies there; empty: all of it
    };

    // Behind a line that is written, each line of the kernel's text that it says again.
    static constexpr char kMark = '\1';

    static std::string marked(const Place& place) {
        return place.file == kTextFile ? fmt::format("{}{}", kMark, place.line) : "";
    }

    void take_marks(const std::string& text) {
        for (std::string_view line : text_lines(text)) {
            std::vector<std::uint32_t>& said = made_.lines.emplace_back();
            while (true) {
                const std::size_t mark = line.rfind(kMark);
                if (mark == std::string_view::npos || mark + 1 == line.size() ||
                    line.find_first_not_of("0123456789", mark + 1) != std::string_view::npos)
                    break;
                const auto number = std::stoul(std::string(line.substr(mark + 1)));
                said.insert(said.begin(), static_cast<std::uint32_t>(number));
                line = line.substr(0, mark);
            }
            made_.text.text += line;
            made_.text.text += '\n';
        }
        made_.text.text.pop_back();  // what follows the last end of a line is no line
        made_.lines.pop_back();
    }

    // Words of OpenCL C that are plain names in CUDA C++.
    static bool is_reserved(std::string_view word) {
        Types types;
        return cuda_specifier(word).empty() || find_function(word) ||
               types.named(word) != nullptr || word.starts_with("as_") ||
               word.starts_with("convert_") || word == "pipe" || word == "generic" ||
               (word.ends_with("_t") &&
                (word.starts_with("image") || word == "sampler_t" || word == "queue_t" ||
                 word == "clk_event_t" || word == "ndrange_t" || word == "reserve_id_t")) ||
               word == "memcpy" || word == "memset";
    }

    std::string unused_name(std::string_view wanted) {
        std::string base(wanted.substr(0, wanted.find('<')));
        for (char& each : base)  // of an operator
            if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
        if (is_reserved(base)) base += '_';
        std::string found = base;
        for (int i = 2; !taken_.insert(found).second; ++i)
            found = fmt::format("{}_{}", base, i);
        return found;
    }

    const std::string& name(const Variable& variable) {
        const bool is_literal = variable.name.starts_with('"');
        const bool is_static =
            variable.at_file_scope && !is_literal && variable.name.find(':') != std::string::npos;
        if (!cuda_ && !is_static && !is_literal) return variable.name;
        const auto [known, is_new] = names_.try_emplace(&variable);
        if (!is_new) return known->second;
        if (is_literal) return known->second = unused_name("lab_text");
        const bool shared = variable.space == Space::local || variable.at_file_scope;
        return known->second = shared                       ? unused_name(variable.name)
                               : is_reserved(variable.name) ? variable.name + "_"
                                                            : variable.name;
    }

    const std::string& name(const FunctionDefinition& function) {
        if (!cuda_) return function.name;
        const auto [known, is_new] = names_.try_emplace(&function);
        return is_new ? known->second = unused_name(function.name) : known->second;
    }

    void find_shared(const Statement& statement) {
        if (statement.kind == Statement::Kind::declare && statement.variable->space == Space::local)
            shared_.push_back(statement.variable);
        if (statement.initial != nullptr) find_shared(*statement.initial);
        for (const Statement* each : statement.statements)
            find_shared(*each);
    }

    // What every helper is given.
    std::string state() const {
        if (options_.plain) return {};
        return options_.delays ? "lab_trace, lab_noise" : "lab_trace";
    }

    // The same, declared.
    std::string parameters() const {
        if (options_.plain) return {};
        return options_.delays ? "volatile global uint* lab_trace, uint* lab_noise"
                               : "volatile global uint* lab_trace";
    }

    std::string base(std::size_t object, const std::string& address) const {
        const std::size_t locals = made_.objects.size() - made_.globals;
        if (object < made_.globals)
            return fmt::format("if (lab_item() == 0u) lab_base(lab_trace, {}u, {});", object,
                               address);
        return fmt::format(
            "if (lab_local() == 0u) lab_base(lab_trace, {}u + lab_group() * {}u, {});", object,
            locals, address);
    }

    // Lanes that act together wait together: neighbours by 32 have one random number.
    std::string kernel_begin() {
        std::string text;
        if (options_.delays)
            text +=
                "    uint lab_noise[2];\n"
                "    lab_noise[0] = lab_mixed(lab_seed + lab_mixed(lab_group() * 64u +\n"
                "                             lab_local() / 32u + 1u));\n"
                "    lab_noise[1] = 64u;\n";
        if (!options_.record) return text;
        for (std::size_t i = 0; i < made_.objects.size(); ++i)
            if (made_.objects[i].is_parameter)
                text +=
                    "    " +
                    base(i, fmt::format("(ulong){}",
                                        name(*kernel_.parameters[made_.objects[i].parameter]))) +
                    '\n';
        return text;
    }

    std::string prelude() const {
        // A device's own compiler may have ways that OpenCL C has no word for.
        std::string text = opencl_c_asset("extensions.cl");
        // Groups and work-items are numbered as the simulator has them (base/index_space.h).
        if (!options_.plain) text += opencl_c_asset("numbers.cl");
        // NVIDIA's mem_fence orders for the group only; tickets are the device's.
        if (options_.record) text += opencl_c_asset("tickets.cl");
        // One access in eight waits, most a little, few long: so that now and then one work-item
        // falls far behind. lab_noise: a random number, and how many waits are left, so that a loop
        // that spins ends.
        if (options_.delays) text += opencl_c_asset("delays.cl");
        return text;
    }

    // --- The accesses that are recorded: each is a call of a helper, which takes tickets, acts,
    // and notes.

    std::string pointer_temporary(Space space, const Type& target) {
        return temporary(fmt::format("{} {}* ", name_of(space), declared(target, "", true)),
                         nullptr);
    }

    SharedCell cell(const E& expr) {
        if (expr.kind != Kind::swizzle)
            return {fmt::format("(&{})", lvalue(expr)), expr.space, expr.type, {}};
        SharedCell whole = cell(*expr.operands[0]);
        std::vector<std::uint8_t> lanes;
        for (const std::uint8_t lane : expr.lanes)
            lanes.push_back(whole.lanes.empty() ? lane : whole.lanes[lane]);
        whole.lanes = std::move(lanes);
        return whole;
    }

    std::string lane_address(const std::string& pointer, const SharedCell& at, std::uint8_t lane) {
        return fmt::format("((({} {}*){}) + {})", name_of(at.space), info(at.type->scalar).name,
                           pointer, lane);
    }

    std::string load(const SharedCell& from, const Place& place) {
        if (from.lanes.empty()) return load_at(from.address, from.space, *from.type, place);
        const Type& scalar = *compiled_.tree->types.scalar(from.type->scalar);
        if (from.lanes.size() == 1)
            return load_at(lane_address(from.address, from, from.lanes[0]), from.space, scalar,
                           place);
        const std::string pointer = pointer_temporary(from.space, *from.type);
        std::string text = fmt::format("({} = {}", pointer, from.address), build;
        for (const std::uint8_t lane : from.lanes) {
            const std::string each = temporary("", &scalar);
            text +=
                fmt::format(", {} = {}", each,
                            load_at(lane_address(pointer, from, lane), from.space, scalar, place));
            build += (build.empty() ? "" : ", ") + each;
        }
        return fmt::format("{}, ({}{})({}))", text, info(scalar.scalar).name, from.lanes.size(),
                           build);
    }

    std::string store(const SharedCell& to, const std::string& value, const Place& place) {
        if (to.lanes.empty()) return store_at(to.address, to.space, *to.type, value, place);
        const Type& scalar = *compiled_.tree->types.scalar(to.type->scalar);
        if (to.lanes.size() == 1)
            return store_at(lane_address(to.address, to, to.lanes[0]), to.space, scalar, value,
                            place);
        const Type& type = *compiled_.tree->types.vector(
            to.type->scalar, static_cast<std::uint8_t>(to.lanes.size()));
        const std::string pointer = pointer_temporary(to.space, *to.type);
        const std::string given = temporary("", &type);
        std::string text = fmt::format("({} = {}, {} = {}", pointer, to.address, given, value);
        for (unsigned i = 0; i < to.lanes.size(); ++i)
            text += ", " + store_at(lane_address(pointer, to, to.lanes[i]), to.space, scalar,
                                    component(type, given, i), place);
        return fmt::format("{}, {})", text, given);
    }

    std::size_t site(Site::Kind kind, Space space, const Type& type, const Place& place) {
        Site site;
        site.kind = kind;
        site.space = space;
        site.type = type.scalar;
        site.count = type.is_vector() ? type.width : std::uint8_t{1};
        site.place = place;
        made_.sites.push_back(site);
        return made_.sites.size() - 1;
    }

    std::string helper(const std::string& name, const std::string& text) {
        // PoCL 3.1 goes round in circles on some texts with barriers and calls that are left.
        if (helper_names_.insert(name).second)
            helpers_ += "__attribute__((always_inline))\n" + text;
        return name;
    }

    std::string begins(std::size_t elements) const {
        std::string text;
        if (options_.delays) text += "    lab_wait(lab_trace, lab_noise);\n";
        if (options_.record)
            text +=
                fmt::format("    const uint lab_begin = lab_ticket(lab_trace, {}u);\n", elements);
        return text;
    }

    std::string ends() const {
        return options_.record ? "    const uint lab_end = lab_until(lab_trace);\n" : "";
    }

    // `before`, `after`: names of values of that type.
    std::string notes(const Type& type, const std::string& before, const std::string& after) const {
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

    std::string load_at(const std::string& address, Space space, const Type& type,
                        const Place& place) {
        if (is_packed(type))
            return packed_access("vload", space, type, place,
                                 "0, " + lane_address(address, {{}, space, &type, {}}, 0));
        if (!type.is_arithmetic()) cannot(place, "A pointer lies in memory that others see");
        const std::string name = fmt::format("lab_load_{}_{}", type.name, name_of(space));
        const char* is_volatile = space == Space::constant ? "" : "volatile ";
        helper(name,
               fmt::format("{0} {1}({2}, uint lab_site, {3}const {4} {0}* lab_p)\n{{\n{5}"
                           "    const {0} lab_value = *lab_p;\n{6}{7}    return lab_value;\n}}\n",
                           type.name, name, parameters(), is_volatile, name_of(space),
                           begins(type.width), ends(), notes(type, "lab_value", "lab_value")));
        return fmt::format("{}({}, {}u, {})", name, state(),
                           site(Site::Kind::load, space, type, place), address);
    }

    std::string store_at(const std::string& address, Space space, const Type& type,
                         const std::string& value, const Place& place) {
        if (is_packed(type))
            return packed_access(
                "vstore", space, type, place,
                fmt::format("{}, 0, {}", value, lane_address(address, {{}, space, &type, {}}, 0)));
        if (!type.is_arithmetic()) cannot(place, "A pointer lies in memory that others see");
        const std::string name = fmt::format("lab_store_{}_{}", type.name, name_of(space));
        helper(name,
               fmt::format(
                   "{0} {1}({2}, uint lab_site, volatile {3} {0}* lab_p, {0} lab_value)\n{{\n{4}"
                   "    *lab_p = lab_value;\n{5}{6}    return lab_value;\n}}\n",
                   type.name, name, parameters(), name_of(space), begins(type.width), ends(),
                   notes(type, "lab_value", "lab_value")));
        return fmt::format("{}({}, {}u, {}, {})", name, state(),
                           site(Site::Kind::store, space, type, place), address, value);
    }

    // Of halves the cells are their bits, as the simulator has them.
    std::string vector_memory(const E& expr) {
        const Function& known = expr.known;
        const bool halves =
            known.builtin == Builtin::vload_half || known.builtin == Builtin::vstore_half;
        const bool load = known.builtin == Builtin::vload || known.builtin == Builtin::vload_half;
        const E& pointer = *expr.operands[load ? 1 : 2];
        const Space space = pointer.type->space;
        if (space == Space::private_) return fmt::format("{}({})", known.name, operands(expr));
        const Type& cells = *compiled_.tree->types.vector(
            halves ? Scalar::ushort : pointer.type->element->scalar, known.number);
        const Type& type = !halves ? cells : load ? *expr.type : *expr.operands[0]->type;
        return vector_access(known, space, cells, type, expr.place, operands(expr));
    }

    // A packed vector, by the function for its components.
    std::string packed_access(std::string_view function, Space space, const Type& type,
                              const Place& place, const std::string& given) {
        return vector_access(*find_function(fmt::format("{}{}", function, type.width)), space, type,
                             type, place, given);
    }

    // `cells`: as they lie in memory; `type`: the value's; `given`: the value that is stored, an
    // offset in vectors, a pointer to components.
    std::string vector_access(const Function& known, Space space, const Type& cells,
                              const Type& type, const Place& place, const std::string& given) {
        const bool load = known.builtin == Builtin::vload || known.builtin == Builtin::vload_half;
        const bool halves =
            known.builtin == Builtin::vload_half || known.builtin == Builtin::vstore_half;
        const std::string_view element = halves ? "half" : info(cells.scalar).name;
        const std::string name =
            fmt::format("lab_{}_{}_{}", known.name, halves ? type.name : element, name_of(space));
        const std::string array =
            fmt::format("{}{}{} ", space == Space::constant ? "" : "volatile ",
                        load ? "const " : "", name_of(space));
        const std::string own = fmt::format(
            "    {0}{1}* lab_p = ({0}{1}*)lab_from + lab_offset * {2}u;\n    {3} lab_cells{4};\n",
            array, info(cells.scalar).name,
            known.aligned && type.width == 3 ? 4 : unsigned{type.width}, cells.name,
            load || halves ? "" : " = lab_value");
        std::string moves, in = "lab_cells", out;
        for (unsigned i = 0; i < type.width; ++i)
            moves +=
                load ? fmt::format("    {} = lab_p[{}];\n", component(cells, "lab_cells", i), i)
                     : fmt::format("    lab_p[{}] = {};\n", i, component(cells, "lab_cells", i));
        if (halves && load)
            in = fmt::format("vload_half{}(0, (const half*)&lab_cells)",
                             type.is_vector() ? std::to_string(type.width) : "");
        if (halves && !load) {
            std::string packed(known.name);
            if (known.aligned) packed.erase(packed.find("a_half"), 1);
            out = fmt::format("    {}(lab_value, 0, (half*)&lab_cells);\n", packed);
        }
        const std::string from = fmt::format("ulong lab_offset, {}{}* lab_from", array, element);
        const std::string rest = ends() + notes(cells, "lab_cells", "lab_cells");
        if (load)
            helper(name,
                   fmt::format("{} {}({}, uint lab_site, {})\n{{\n{}{}{}{}    return {};\n}}\n",
                               type.name, name, parameters(), from, own, begins(type.width), moves,
                               rest, in));
        else
            helper(name,
                   fmt::format("{0} {1}({2}, uint lab_site, {0} lab_value, {3})\n{{\n{4}{5}{6}{7}"
                               "{8}    return lab_value;\n}}\n",
                               type.name, name, parameters(), from, own, out, begins(type.width),
                               moves, rest));
        return fmt::format("{}({}, {}u, {})", name, state(),
                           site(load ? Site::Kind::load : Site::Kind::store, space, cells, place),
                           given);
    }

    // What acts within the helper: OpenCL 1.2's function, which every device has and whose order no
    // later one exceeds, as the helper has fences around it. Floats go as their bits.
    std::string atomic_action(const E& expr, const Type& type) {
        const Builtin what = expr.known.builtin;
        const bool wraps = what == Builtin::atomic_wrap_inc || what == Builtin::atomic_wrap_dec;
        if (wraps ||
            (type.is_floating() && (what == Builtin::atomic_add || what == Builtin::atomic_sub)))
            return fmt::format("{}(lab_p, lab_a)", atomic_loop(expr, type));
        std::string given;
        for (std::size_t i = 1; i < expr.operands.size(); ++i)
            given += fmt::format(", lab_{}", "ab"[i - 1]);
        if (!expr.known.ordered) return fmt::format("{}(lab_p{})", expr.known.name, given);
        const bool wide = info(type.scalar).bytes == 8;
        const std::string prefix = wide ? "atom_" : "atomic_";
        const std::string word = wide ? "ulong" : "uint";
        const std::string cell =
            fmt::format("(volatile {} {}*)lab_p", name_of(expr.operands[0]->type->space), word);
        const auto on_bits = [&](const std::string& call) {
            return fmt::format("as_{}({}{})", type.name, prefix, call);
        };
        switch (what) {
            case Builtin::atomic_load:
                return on_bits(fmt::format("or({}, 0)", cell));
            case Builtin::atomic_flag_set:
            case Builtin::atomic_flag_clear:
                return on_bits(
                    fmt::format("xchg({}, {})", cell, what == Builtin::atomic_flag_set ? 1 : 0));
            case Builtin::atomic_store:
            case Builtin::atomic_xchg:
                return on_bits(fmt::format("xchg({}, as_{}(lab_a))", cell, word));
            case Builtin::atomic_compare_exchange:
                return on_bits(
                    fmt::format("cmpxchg({}, as_{}(lab_a), as_{}(lab_b))", cell, word, word));
            default:
                break;
        }
        if (type.is_floating())
            cannot(expr.place,
                   "OpenCL 1.2, in which recordings are written, has no such atomic of "
                   "floating-point numbers");
        const std::string_view name = expr.known.name;  // atomic_fetch_add_explicit
        constexpr std::string_view kFetch = "atomic_fetch_";
        std::string_view act = name.substr(kFetch.size());
        act = act.substr(0, act.find('_'));
        return fmt::format("{}{}(lab_p{})", prefix, act, given);
    }

    // A function that does what OpenCL 1.2 has no atomic for.
    std::string atomic_loop(const E& expr, const Type& type) {
        const bool wide = info(type.scalar).bytes == 8;
        const char* space = name_of(expr.operands[0]->type->space);
        const std::string_view word = wide ? "ulong" : "uint";
        return helper(
            fmt::format("lab_loop_{}_{}_{}", expr.known.name, type.name, space),
            fmt::format(
                "{0} lab_loop_{1}_{0}_{2}(volatile {2} {0}* lab_p, {0} lab_a)\n{{\n"
                "    volatile {2} {3}* lab_cell = (volatile {2} {3}*)lab_p;\n"
                "    {3} lab_now = *lab_cell, lab_seen;\n    do {{\n"
                "        lab_seen = lab_now;\n        const {0} lab_old = as_{0}(lab_seen);\n"
                "        lab_now = {4}_cmpxchg(lab_cell, lab_seen, as_{3}(({0})({5})));\n"
                "    }} while (lab_now != lab_seen);\n    return as_{0}(lab_now);\n}}\n",
                type.name, expr.known.name, space, word, wide ? "atom" : "atomic",
                after_atomic(expr.known.builtin)));
    }

    // Whether it succeeds, and what it found goes where it was expected.
    std::string compare_exchange(const E& expr, const std::string& call) {
        const E& expected = *expr.operands[1];
        const Type& type = *expected.type->element;
        const std::string place = pointer_temporary(expected.type->space, type);
        const std::string old = temporary("", &type);
        const std::string same = temporary("", compiled_.tree->types.scalar(Scalar::int_));
        return fmt::format("({0} = {1}, {2} = {3}*{0}, {4}), {5} = ({2} == *{0}), *{0} = {2}, {5})",
                           place, value(expected), old, call, value(*expr.operands[2]), same);
    }

    // OpenCL 1.2's atomic between fences: they order no less than it asks for.
    std::string ordered_helper(const E& expr, const Type& type) {
        const bool compares = expr.known.builtin == Builtin::atomic_compare_exchange;
        const bool orders = expr.known.number != 0;
        const char* space = name_of(expr.operands[0]->type->space);
        // A mem_fence is for the group; the text of a kernel in CUDA has wider ones, too.
        const bool wide = orders && cuda_ && expr.known.scope == MemoryScope::device;
        const std::string name = fmt::format("lab_{}{}_{}_{}", expr.known.name,
                                             wide     ? "_ordered_device"
                                             : orders ? "_ordered"
                                                      : "",
                                             type.name, space);
        constexpr std::string_view kBoth = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
        const std::string fence = !orders ? ""
                                  : wide
                                      ? fmt::format(
                                            "    atomic_work_item_fence({}, memory_order_seq_cst, "
                                            "memory_scope_device);\n",
                                            kBoth)
                                      : fmt::format("    mem_fence({});\n", kBoth);
        std::string given;
        for (std::size_t i = 1; i < expr.operands.size(); ++i)
            given += fmt::format(", {} lab_{}", type.name, "ab"[i - 1]);
        helper(name, fmt::format("{0} {1}(volatile {2} {0}* lab_p{3})\n{{\n{4}"
                                 "    const {0} lab_old = {5};\n{4}    return lab_old;\n}}\n",
                                 type.name, name, space, given, fence, atomic_action(expr, type)));
        if (compares)
            return compare_exchange(expr, fmt::format("{}({}, ", name, value(*expr.operands[0])));
        return fmt::format("{}({})", name, operands(expr));
    }

    std::string atomic(const E& expr) {
        const E& pointer = *expr.operands[0];
        const Space space = pointer.type->space;
        const Type& type = *pointer.type->element;
        const Builtin what = expr.known.builtin;
        if (what == Builtin::atomic_init)
            return store_at(value(pointer), space, type, value(*expr.operands[1]), expr.place);
        if (options_.plain && expr.known.ordered) return ordered_helper(expr, type);
        if (options_.plain) {
            const std::string action = atomic_action(expr, type);
            return fmt::format("{}({})", action.substr(0, action.find('(')), operands(expr));
        }
        const bool compares = what == Builtin::atomic_compare_exchange;
        if (compares && expr.operands[1]->type->space != Space::private_)
            cannot(expr.place, "What it expects is in memory that others see");
        const std::string name =
            fmt::format("lab_{}_{}_{}", expr.known.name, type.name, name_of(space));
        std::string declared;
        for (std::size_t i = 1; i < expr.operands.size(); ++i)
            declared += fmt::format(", {} lab_{}", type.name, "ab"[i - 1]);
        const std::string after =
            options_.record ? fmt::format("    const {} lab_after = {};\n", type.name,
                                          after_atomic(compares ? Builtin::atomic_cmpxchg : what))
                            : "";
        helper(name, fmt::format("{0} {1}({2}, uint lab_site, volatile {3} {0}* lab_p{4})\n{{\n{5}"
                                 "    const {0} lab_old = {6};\n{7}{8}{9}"
                                 "    return lab_old;\n}}\n",
                                 type.name, name, parameters(), name_of(space), declared, begins(1),
                                 atomic_action(expr, type), ends(), after,
                                 notes(type, "lab_old", "lab_after")));
        const std::string call = fmt::format("{}({}, {}u, ", name, state(),
                                             site(Site::Kind::atomic, space, type, expr.place));
        if (compares) return compare_exchange(expr, call + value(pointer) + ", ");
        const std::string all = call + operands(expr) + ")";
        return what == Builtin::atomic_flag_set ? fmt::format("({} != 0)", all) : all;
    }

    // Of the function that is written: it takes sub-groups, or functions of whole groups.
    void need(bool lanes, const Place& place) {
        needing_[lanes ? 1 : 0].insert(function_);
        Place& first = lanes ? made_.sub_groups : made_.collectives;
        if (first.line == 0 && place.file == kTextFile) first = place;
    }

    // Of the function that is written: its work-items meet.
    void meet() {
        meeting_.insert(function_);
        meets_late_ = meets_late_ || early_return_;
    }

    std::string barrier(const E& expr) {
        meet();
        const Type& none = *compiled_.tree->types.scalar(Scalar::int_);
        static constexpr std::array kFlags{"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                           "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
        const auto flags = constant_of(*expr.operands[0]);
        if (options_.plain && flags)
            return fmt::format("{}({})", expr.known.name, kFlags[*flags & 3U]);
        std::string before;
        if (options_.record) {
            const std::string name = helper(
                "lab_arrive",
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

    [[noreturn]] void cannot(const Place& place, const std::string& why) const {
        throw Problem(
            options_.plain ? "The kernel cannot be written in OpenCL C"
                           : "The kernel's accesses cannot be recorded",
            why, "Step it on the simulator: `step` takes every kernel",
            fmt::format("{}:{}:{}", compiled_.sources[place.file].name, place.line, place.column),
            Exit::kernel_fault);
    }

    // Of an lvalue that others may see, and whose accesses count.
    bool is_shared(const E& expr) const { return !options_.plain && expr.space != Space::private_; }

    std::string operands(const E& expr) {
        std::string text;
        for (const E* each : expr.operands)
            if (!expr.known.named || each != expr.operands.back())
                text += (text.empty() ? "" : ", ") + value(*each);
        return text;
    }

    std::string value(const E& expr) {
        if (expr.place.file == kTextFile) said_.insert(expr.place.line);
        if (expr.lvalue && is_lvalue_kind(expr.kind) && !expr.type->is_array()) {
            if (!is_shared(expr)) return unpacked(expr);
            if (expr.type->is_structure())
                cannot(expr.place, "A structure is copied from memory that others see");
            return load(cell(expr), expr.place);
        }
        switch (expr.kind) {
            case Kind::constant:
                return constant(*expr.type, expr.bits);
            case Kind::variable:
            case Kind::dereference:
            case Kind::member:
            case Kind::swizzle:
                return unpacked(expr);
            case Kind::unary:
                return fmt::format("({}{})", sign_of(expr.operator_), value(*expr.operands[0]));
            case Kind::binary:
                return fmt::format("({} {} {})", value(*expr.operands[0]), sign_of(expr.operator_),
                                   value(*expr.operands[1]));
            case Kind::logical_and:
            case Kind::logical_or:
                return fmt::format("({} {} {})", value(*expr.operands[0]),
                                   expr.kind == Kind::logical_and ? "&&" : "||",
                                   value(*expr.operands[1]));
            case Kind::conditional:
                return fmt::format("({} ? {} : {})", value(*expr.operands[0]),
                                   value(*expr.operands[1]), value(*expr.operands[2]));
            case Kind::assign:
                if (lies_packed(*expr.operands[0]) && !is_shared(*expr.operands[0]))
                    return fmt::format("({}, {})", assign(expr), unpacked(*expr.operands[0]));
                return assign(expr);
            case Kind::compound:
                return compound(expr);
            case Kind::increment:
                return increment(expr);
            case Kind::address:
                return address(*expr.operands[0]);
            case Kind::decay:
                return lvalue(*expr.operands[0]);
            case Kind::offset:
                return fmt::format("({} {} {})", value(*expr.operands[0]), expr.minus ? "-" : "+",
                                   value(*expr.operands[1]));
            case Kind::difference:
                return fmt::format("({} - {})", value(*expr.operands[0]), value(*expr.operands[1]));
            case Kind::build:
                return fmt::format("(({})({}))", type_text(*expr.type), operands(expr));
            case Kind::convert:
                return converted(expr);
            case Kind::reinterpret:
                return fmt::format("as_{}({})", expr.type->name, value(*expr.operands[0]));
            case Kind::call:
                return call(expr);
            case Kind::builtin:
                return builtin(expr);
            case Kind::comma:
                if (expr.operands.size() == 1)
                    return fmt::format("((void){})", value(*expr.operands[0]));
                return fmt::format("({})", operands(expr));
            case Kind::statements:
                return statements(expr);
            case Kind::initializer:
                break;
        }
        cannot(expr.place, "This expression is not known");
    }

    // CUDA's float3 and the like lie otherwise than OpenCL C's: in memory they are structures.
    static bool is_packed(const Type& type) {
        return type.is_vector() && type.alignment != type.bytes;
    }

    static bool lies_packed(const E& expr) {
        return is_packed(*expr.type) &&
               (expr.kind == Kind::dereference || expr.kind == Kind::member ||
                (expr.kind == Kind::variable && expr.variable->space != Space::private_));
    }

    const std::string& packed_name(const Type& type) {
        const auto [found, is_new] = structure_names_.try_emplace(&type);
        if (!is_new) return found->second;
        std::string members;
        for (unsigned i = 0; i < type.width; ++i)
            members += fmt::format("{}s{}", i == 0 ? "" : ", ", i);
        const std::string aligned =
            type.alignment > info(type.scalar).bytes
                ? fmt::format("__attribute__((aligned({}))) ", type.alignment)
                : "";
        structures_ += fmt::format("struct {}lab_{}\n{{\n    {} {};\n}};\n", aligned, type.name,
                                   info(type.scalar).name, members);
        return found->second = fmt::format("struct lab_{}", type.name);
    }

    std::string unpacked(const E& expr) {
        if (!lies_packed(expr)) return lvalue(expr);
        const Type& type = *expr.type;
        std::string parts;
        for (unsigned i = 0; i < type.width; ++i)
            parts += fmt::format("{}lab_p.s{}", i == 0 ? "" : ", ", i);
        return fmt::format("{}({})",
                           helper(fmt::format("lab_unpacked_{}", type.name),
                                  fmt::format("{0} lab_unpacked_{0}({1} lab_p)\n{{\n"
                                              "    return ({0})({2});\n}}\n",
                                              type.name, packed_name(type), parts)),
                           lvalue(expr));
    }

    std::string packed(const E& expr) {
        const Type& type = *expr.type;
        std::string moves;
        for (unsigned i = 0; i < type.width; ++i)
            moves += fmt::format("    lab_p.s{0} = lab_value.s{0};\n", i);
        return fmt::format("{}({})",
                           helper(fmt::format("lab_packed_{}", type.name),
                                  fmt::format("{1} lab_packed_{0}({0} lab_value)\n{{\n"
                                              "    {1} lab_p;\n{2}    return lab_p;\n}}\n",
                                              type.name, packed_name(type), moves)),
                           value(expr));
    }

    std::string address(const E& of) {
        if (!of.lvalue && of.type->is_structure()) {
            const std::string held = temporary(type_text(*of.type) + " ", nullptr);
            return fmt::format("({} = {}, &{})", held, value(of), held);
        }
        const std::string text = fmt::format("(&{})", lvalue(of));
        return is_packed(*of.type) && !lies_packed(of)
                   ? fmt::format("(({}*){})", packed_name(*of.type), text)
                   : text;
    }

    // Without its value being read.
    std::string lvalue(const E& expr) {
        switch (expr.kind) {
            case Kind::variable: {
                const Variable& variable = *expr.variable;
                if (expr.is_literal) {
                    const std::string type = type_text(*variable.type);
                    const std::string text = fmt::format(
                        "(({}){})", type, initializer(*variable.initial, *variable.type, 0));
                    if (!variable.type->is_structure()) return text;
                    // The address of a literal names no memory to some compilers.
                    const std::string held = temporary(type + " ", nullptr);
                    return fmt::format("(*({} = {}, &{}))", held, text, held);
                }
                const bool given = cuda_ && variable.space == Space::local &&
                                   function_ != &kernel_ && !variable.type->is_array();
                return given ? fmt::format("(*{})", name(variable)) : name(variable);
            }
            case Kind::dereference:
                return fmt::format("(*{})", value(*expr.operands[0]));
            case Kind::member: {
                const E& whole = *expr.operands[0];
                return fmt::format("{}.{}", whole.lvalue ? lvalue(whole) : value(whole),
                                   member_name(*whole.type, expr.index));
            }
            case Kind::swizzle: {
                const E& whole = *expr.operands[0];
                const bool shared = whole.lvalue && is_shared(whole);
                std::string text =
                    whole.lvalue && !(shared && !expr.lvalue) ? lvalue(whole) : value(whole);
                text += ".s";
                for (const std::uint8_t lane : expr.lanes)
                    text += "0123456789abcdef"[lane];
                return text;
            }
            default:
                return value(expr);
        }
    }

    std::string converted(const E& expr) {
        const std::string from = value(*expr.operands[0]);
        if (expr.type == expr.operands[0]->type) return from;
        const bool plain = !expr.saturate && expr.rounding == Rounding::none;
        if (plain && !expr.type->is_vector())
            return fmt::format("(({}){})", type_text(*expr.type), from);
        return fmt::format("convert_{}{}{}({})", expr.type->name, expr.saturate ? "_sat" : "",
                           kRoundings[static_cast<std::size_t>(expr.rounding)], from);
    }

    // A temporary of the function's own, which keeps what is used twice.
    std::string temporary(const std::string& declaration_of_type, const Type* type) {
        const std::string name = fmt::format("lab_t{}", ++temporary_count_);
        temporaries_.push_back(type != nullptr ? declared(*type, name)
                                               : fmt::format("{}{}", declaration_of_type, name));
        return name;
    }

    std::string assign(const E& expr) {
        const E& to = *expr.operands[0];
        if (!is_shared(to))
            return fmt::format(
                "({} = {})", lvalue(to),
                lies_packed(to) ? packed(*expr.operands[1]) : value(*expr.operands[1]));
        if (expr.type->is_structure())
            cannot(expr.place, "A structure is copied to memory that others see");
        const SharedCell place = cell(to);
        return store(place, value(*expr.operands[1]), to.place);
    }

    std::string compound(const E& expr) {
        const E& to = *expr.operands[0];
        if (lies_packed(to)) cannot(expr.place, "CUDA has no such operator of vectors");
        const char* sign = sign_of(expr.operator_);
        if (!is_shared(to))
            return fmt::format("({} {}= {})", lvalue(to), sign, value(*expr.operands[1]));
        SharedCell place = cell(to);
        const std::string pointer = pointer_temporary(place.space, *place.type);
        const std::string other = temporary("", expr.operands[1]->type);
        const std::string begin = fmt::format("{} = {}, {} = {}", pointer, place.address, other,
                                              value(*expr.operands[1]));
        place.address = pointer;
        std::string before = load(place, to.place);
        const Type& type = *expr.type;
        const bool narrow = type.is_arithmetic() && expr.compute != nullptr;
        if (narrow && expr.compute != &type)
            before = expr.compute->is_vector()
                         ? fmt::format("convert_{}({})", expr.compute->name, before)
                         : fmt::format("(({}){})", expr.compute->name, before);
        std::string result = fmt::format("({} {} {})", before, sign, other);
        if (narrow)
            result = type.is_vector() ? fmt::format("convert_{}({})", type.name, result)
                                      : fmt::format("(({}){})", type.name, result);
        return fmt::format("({}, {})", begin, store(place, result, to.place));
    }

    std::string increment(const E& expr) {
        const E& to = *expr.operands[0];
        const char* twice = expr.minus ? "--" : "++";
        if (!is_shared(to))
            return expr.prefix ? fmt::format("({}{})", twice, lvalue(to))
                               : fmt::format("({}{})", lvalue(to), twice);
        SharedCell place = cell(to);
        const std::string pointer = pointer_temporary(place.space, *place.type);
        const std::string before = temporary("", expr.type);
        const std::string begin = fmt::format("{} = {}", pointer, place.address);
        place.address = pointer;
        const std::string from = load(place, to.place);
        const std::string to_text = store(
            place,
            fmt::format("({})({} {} 1)", type_text(*expr.type), before, expr.minus ? "-" : "+"),
            to.place);
        return expr.prefix
                   ? fmt::format("({}, {} = {}, {})", begin, before, from, to_text)
                   : fmt::format("({}, {} = {}, {}, {})", begin, before, from, to_text, before);
    }

    std::string call(const E& expr) {
        if (expr.function->result->is_void() && expr.operands.size() == 1 &&
            expr.operands[0]->type->class_name == "cg::grid_group")
            cannot(expr.place,
                   "OpenCL C has no barrier for all groups: let one launch follow another");
        if (meeting_.contains(expr.function)) meet();
        for (const bool lanes : {false, true})
            if (needing_[lanes ? 1 : 0].contains(expr.function)) need(lanes, expr.place);
        std::string text = state();
        // Of what is shared: an array as a pointer to its first element, all else as one to itself.
        for (const Variable* each : shared_)
            text += fmt::format(
                ", {}{}", function_ == &kernel_ && !each->type->is_array() ? "&" : "", name(*each));
        for (const E* each : expr.operands)
            text += ", " + value(*each);
        if (text.starts_with(", ")) text.erase(0, 2);
        return fmt::format("{}({})", name(*expr.function), text);
    }

    std::string builtin(const E& expr) {
        const Builtin what = expr.known.builtin;
        if (what == Builtin::atomic_fence) {
            // By name: compilers have numbers of their own.
            static constexpr std::array kOrders{"relaxed", "consume", "acquire",
                                                "release", "acq_rel", "seq_cst"};
            static constexpr std::array kScopes{"work_group", "device", "sub_group", "work_item"};
            // Others see a buffer once the kernel has ended: a wider scope has nothing to order.
            return fmt::format("atomic_work_item_fence({}, memory_order_{}, memory_scope_{}){}",
                               operands(expr), kOrders[expr.known.number],
                               kScopes[static_cast<std::size_t>(expr.known.scope)],
                               expr.known.name == "__threadfence_system"
                                   ? " /* for all devices in CUDA; this buffer is of one */"
                                   : "");
        }
        if (what == Builtin::assertion) {
            std::string text = expr.format->front().text;
            for (std::size_t end; (end = text.find("*/")) != std::string::npos;)
                text.insert(end + 1, 1, ' ');
            return fmt::format("((void)0) /* OpenCL C has no assert({}) */", text);
        }
        if (expr.known.ordered || what == Builtin::atomic_init) return atomic(expr);
        const bool of_sub_group =
            (what >= Builtin::sub_group_size && what <= Builtin::sub_group_local_id) ||
            what == Builtin::sub_group_barrier;
        if (of_sub_group || what >= Builtin::reduce)
            need(expr.known.name.find("sub_group") != std::string_view::npos, expr.place);
        if (options_.plain && (of_sub_group || what >= Builtin::reduce))
            return fmt::format("{}({})", expr.known.name, operands(expr));
        if (what >= Builtin::reduce)
            cannot(expr.place, "Its work-items act together, and nobody sees in what order");
        if (of_sub_group)
            cannot(expr.place,
                   "It depends on the device's sub-groups, and items are recorded alone");
        switch (what) {
            case Builtin::barrier:
                return barrier(expr);
            case Builtin::prefetch:
                return "((void)0)";
            case Builtin::print:
                return printed(expr);
            case Builtin::vload:
            case Builtin::vstore:
            case Builtin::vload_half:
            case Builtin::vstore_half:
                if (options_.plain) break;
                return vector_memory(expr);
            case Builtin::modf:
            case Builtin::fract:
            case Builtin::frexp:
            case Builtin::sincos:
                if (!options_.plain && expr.operands[1]->type->space != Space::private_)
                    cannot(expr.place, "Its second result goes to memory that others see");
                break;
            default:
                if (what >= Builtin::atomic_add && what <= Builtin::atomic_wrap_dec)
                    return atomic(expr);
                break;
        }
        return fmt::format("{}({})", expr.known.name, operands(expr));
    }

    // The format is written anew from its parts.
    std::string printed(const E& expr) {
        std::string format;
        for (const PrintPart& part : *expr.format) {
            for (const char c : part.text) {
                const std::size_t escaped = std::string_view("\n\t\r\"\\").find(c);
                format += c == '%' ? std::string("%%")
                          : escaped != std::string_view::npos
                              ? fmt::format("\\{}", "ntr\"\\"[escaped])
                              : std::string(1, c);
            }
            if (part.conversion == 0) continue;
            const bool is_long = is_integer(part.type) && info(part.type).bytes == 8;
            format += fmt::format("%{}{}{}{}", part.form,
                                  part.is_vector ? fmt::format("v{}", part.width) : "",
                                  part.narrow == 1   ? "hh"
                                  : part.narrow == 2 ? "h"
                                  : is_long          ? "l"
                                  : part.is_vector   ? "hl"
                                                     : "",
                                  part.conversion);
        }
        const std::string values = operands(expr);
        return fmt::format("printf(\"{}\"{}{})", format, values.empty() ? "" : ", ", values);
    }

    void line(int depth, const std::string& text) {
        body_ += std::string(static_cast<std::size_t>(depth) * 4, ' ') + text;
        for (const std::uint32_t each : std::exchange(said_, {}))
            body_ += fmt::format("{}{}", kMark, each);
        body_ += '\n';
    }

    void statement(const Statement& statement, int depth) {
        if (statement.place.file == kTextFile && statement.kind != StatementKind::block)
            said_.insert(statement.place.line);
        switch (statement.kind) {
            case StatementKind::empty:
                return line(depth, ";");
            case StatementKind::block:
                line(depth, "{");
                block(statement, depth + 1);
                return line(depth, "}");
            case StatementKind::declare:
                return declare(*statement.variable, depth);
            case StatementKind::expression: {
                const E& what = *statement.condition;
                return line(depth, (what.kind == Kind::assign ? assign(what) : value(what)) + ";");
            }
            case StatementKind::if_:
                line(depth, fmt::format("if ({}) {{", value(*statement.condition)));
                this->statement(*statement.statements[0], depth + 1);
                if (statement.statements.size() > 1) {
                    line(depth, "} else {");
                    this->statement(*statement.statements[1], depth + 1);
                }
                return line(depth, "}");
            case StatementKind::loop: {
                const SetWithin within(loops_, loops_ + 1);
                return loop(statement, depth);
            }
            case StatementKind::do_:
                line(depth, "do {");
                {
                    const SetWithin within(loops_, loops_ + 1);
                    this->statement(*statement.statements[0], depth + 1);
                }
                return line(depth, fmt::format("}} while ({});", value(*statement.condition)));
            case StatementKind::switch_:
                return cases(statement, depth);
            case StatementKind::break_:
                return line(depth, "break;");
            case StatementKind::continue_:
                return line(depth, "continue;");
            case StatementKind::return_:
                if (cuda_ && depth > 1 && function_ == &kernel_ && !early_return_) {
                    early_return_ = body_.size();
                    meets_late_ = loops_ > 0 && meeting_.contains(function_);
                }
                if (statement.condition == nullptr) return line(depth, "return;");
                if (statement.condition->type->is_void()) {
                    line(depth, value(*statement.condition) + ";");
                    return line(depth, "return;");
                }
                return line(depth, fmt::format("return {};", value(*statement.condition)));
        }
        cannot(statement.place, "This statement is not known");
    }

    void block(const Statement& statement, int depth) {
        for (const Statement* each : statement.statements)
            this->statement(*each, depth);
    }

    std::string statements(const E& expr) {
        std::string outer = std::exchange(body_, {});
        const std::size_t count = expr.body->statements.size() - expr.operands.size();
        for (std::size_t i = 0; i < count; ++i)
            statement(*expr.body->statements[i], 0);
        if (!expr.operands.empty()) line(0, value(*expr.operands[0]) + ";");
        return "({\n" + std::exchange(body_, std::move(outer)) + "})";
    }

    void declare(const Variable& variable, int depth) {
        if (cuda_ && variable.space == Space::local) return said_.clear();  // the kernel has it
        if (cuda_ && variable.space == Space::global)
            cannot(variable.place, "OpenCL C 1.2 has no variables of the device: pass a buffer");
        const char* space = variable.space == Space::local      ? "local "
                            : variable.space == Space::constant ? "constant "
                                                                : "";
        const bool in_memory = variable.space != Space::private_;
        std::string text = space + declared(*variable.type, name(variable), in_memory);
        if (variable.initial != nullptr)
            text += " = " + (variable.initial->kind == Expression::Kind::initializer
                                 ? initializer(*variable.initial, *variable.type, 0)
                             : in_memory ? part(*variable.initial)
                                         : value(*variable.initial));
        line(depth, text + ";");
        if (variable.space != Space::local || !options_.record) return;
        for (std::size_t i = 0; i < made_.objects.size(); ++i)
            if (!made_.objects[i].is_parameter && made_.objects[i].name == variable.name)
                line(depth, base(i, fmt::format("(ulong)&{}", variable.name)));
    }

    // What the head declares stands before the loop, in a block with it.
    void loop(const Statement& statement, int depth) {
        const bool declares = statement.initial != nullptr;
        if (declares) {
            line(depth++, "{");
            block(*statement.initial, depth);
        }
        line(depth, fmt::format("for (; {}; {}) {{",
                                statement.condition != nullptr ? value(*statement.condition) : "",
                                statement.step != nullptr ? value(*statement.step) : ""));
        this->statement(*statement.statements[0], depth + 1);
        line(depth, "}");
        if (declares) line(depth - 1, "}");
    }

    void cases(const Statement& statement, int depth) {
        line(depth, fmt::format("switch ({}) {{", value(*statement.condition)));
        const Statement& body = *statement.statements[0];
        for (std::size_t i = 0; i <= body.statements.size(); ++i) {
            for (const Statement::Case& each : statement.cases)
                if (each.before == i)
                    line(depth, each.is_default
                                    ? std::string("default:;")
                                    : fmt::format("case {}:;", constant(*statement.condition->type,
                                                                        each.value)));
            if (i < body.statements.size()) this->statement(*body.statements[i], depth + 1);
        }
        line(depth, "}");
    }

    std::string head(const FunctionDefinition& function) {
        const bool is_kernel = &function == &kernel_;
        std::string text = is_kernel ? "" : parameters();
        Types types;
        for (const Variable* each : is_kernel ? std::vector<const Variable*>() : shared_) {
            const Type* target = each->type->is_array() ? each->type->element : each->type;
            text += ", " + declared(*types.pointer(target, Space::local, false), name(*each));
        }
        for (const Variable* parameter : function.parameters)
            text += ", " + declared(*parameter->type, name(*parameter));
        if (text.starts_with(", ")) text.erase(0, 2);
        if (text.empty()) text = "void";
        if (is_kernel && !options_.plain)
            text = fmt::format("{}volatile global uint* lab_trace, uint lab_seed",
                               text == "void" ? "" : text + ", ");
        std::string attribute;
        if (is_kernel && !function.required_group.empty()) {
            std::vector<std::uint64_t> sizes = function.required_group;
            sizes.resize(3, 1);
            attribute = fmt::format("__attribute__((reqd_work_group_size({}, {}, {})))\n", sizes[0],
                                    sizes[1], sizes[2]);
        }
        return fmt::format("{}{}{} {}({})", is_kernel ? "kernel " : "", attribute,
                           type_text(*function.result), name(function), text);
    }

    void function(const FunctionDefinition& function) {
        body_.clear();
        said_.clear();
        temporaries_.clear();
        function_ = &function;
        block(*function.body, 1);
        functions_ += head(function) + marked(function.place) + "\n{\n";
        const std::vector<const Variable*> none;
        for (const Variable* each : &function == &kernel_ ? shared_ : none) {
            functions_ += fmt::format("    local {};{}\n", declared(*each->type, name(*each), true),
                                      marked(each->place));
            for (std::size_t i = 0; i < made_.objects.size() && options_.record; ++i)
                if (!made_.objects[i].is_parameter && made_.objects[i].name == each->name)
                    functions_ +=
                        fmt::format("    {}\n", base(i, fmt::format("(ulong)&{}", name(*each))));
        }
        if (meets_late_) {
            const std::size_t at = *early_return_, indent = body_.find_first_not_of(' ', at) - at;
            body_.insert(at, body_.substr(at, indent) +
                                 "// OpenCL C leaves open what the barriers of the others do then; "
                                 "in CUDA they go on.\n");
        }
        if (&function == &kernel_) functions_ += kernel_begin();
        for (const std::string& each : temporaries_)
            functions_ += fmt::format("    {};\n", each);
        functions_ += body_ + "}\n";
    }

    void used_functions(const FunctionDefinition& function) {
        if (contains(used_, &function)) return;
        for (const FunctionDefinition* called : function.calls)
            used_functions(*called);
        used_.push_back(&function);
    }

    // --- Types, constants and lists of values as text.

    std::string type_text(const Type& type) { return declared(type, ""); }

    // A declarator, from the name outwards; qualifiers follow what they qualify.
    std::string declared(const Type& type, const std::string& name, bool in_memory = false) {
        if (type.is_array()) {
            const bool pointer = !name.empty() && name.front() == '*';
            return declared(*type.element,
                            fmt::format("{}[{}]", pointer ? "(" + name + ")" : name, type.count),
                            true);
        }
        if (type.is_pointer()) {
            if (type.space == Space::generic)
                cannot(kernel_.place,
                       "A pointer to several memories cannot be written in OpenCL C 1.2");
            const Type* element = type.element;
            std::string inner = element->is_array() ? fmt::format("(*{})", name) : "*" + name;
            for (; element->is_array(); element = element->element)
                inner += fmt::format("[{}]", element->count);
            return declared(
                *element,
                fmt::format("{}{} {}", name_of(type.space), type.to_const ? " const" : "", inner),
                true);
        }
        const std::string base = type.is_structure()            ? structure_name(type)
                                 : in_memory && is_packed(type) ? packed_name(type)
                                 : type.class_name.empty()      ? type.name
                                                                : info(type.scalar).name;
        return name.empty() ? base : base + " " + name;
    }

    const std::string& structure_name(const Type& type) {
        const auto [found, is_new] = structure_names_.try_emplace(&type);
        if (!is_new) return found->second;
        const std::string_view kind = type.overlaid ? "union" : "struct";
        found->second = fmt::format("{} lab_s{}", kind, structure_names_.size());
        // Says how it lies where its members' types do not.
        const auto lies_as_its_type = [](const Type::Member& each) {
            return each.alignment == each.type->alignment;
        };
        std::uint64_t most = 1;
        for (const Type::Member& each : type.members)
            most = std::max(most, each.alignment);
        const bool told = type.alignment != most || !all_of(type.members, lies_as_its_type);
        const auto aligned = [](std::uint64_t alignment) {
            return fmt::format("__attribute__((packed, aligned({})))", alignment);
        };
        std::string text =
            fmt::format("{} {}lab_s{}\n{{\n", kind, told ? aligned(type.alignment) + " " : "",
                        structure_names_.size());
        for (std::size_t i = 0; i < type.members.size(); ++i)
            text += fmt::format("    {}{};\n",
                                declared(*type.members[i].type, member_name(type, i), true),
                                told ? " " + aligned(type.members[i].alignment) : "");
        structures_ += text + "};\n";
        return structure_names_.at(&type);
    }

    std::string member_name(const Type& type, std::size_t index) const {
        const std::string& name = type.members[index].name;
        return name.empty() ? fmt::format("lab_m{}", index) : name;
    }

    std::string constant(const Type& type, std::uint64_t bits) const {
        if (type.is_pointer()) return "0";
        switch (type.scalar) {
            case Scalar::bool_:
                return bits != 0 ? "true" : "false";
            case Scalar::int_: {
                const auto value = static_cast<std::int64_t>(canonical(Scalar::int_, bits));
                if (value == INT32_MIN) return "(-2147483647 - 1)";
                return value < 0 ? fmt::format("({})", value) : std::to_string(value);
            }
            case Scalar::uint:
                return fmt::format("{}u", bits);
            case Scalar::long_: {
                const auto value = static_cast<std::int64_t>(bits);
                if (value == INT64_MIN) return "(-9223372036854775807L - 1)";
                return value < 0 ? fmt::format("({}L)", value) : fmt::format("{}L", value);
            }
            case Scalar::ulong:
                return fmt::format("{}UL", bits);
            case Scalar::half_:
                return fmt::format("as_half((ushort){})", bits);
            case Scalar::float_:
                return float_text(float_of(bits), "f", fmt::format("as_float({:#x}u)", bits));
            case Scalar::double_:
                return float_text(double_of(bits), "", fmt::format("as_double({:#x}UL)", bits));
            default:
                return fmt::format("(({}){})", info(type.scalar).name,
                                   static_cast<std::int64_t>(canonical(type.scalar, bits)));
        }
    }

    // Of what lies in memory.
    std::string part(const E& expr) {
        if (!is_packed(*expr.type)) return value(expr);
        return expr.kind == Kind::build ? fmt::format("{{{}}}", operands(expr)) : packed(expr);
    }

    std::string initializer(const E& list, const Type& type, std::uint64_t offset) {
        for (std::size_t i = 0; i < list.operands.size(); ++i)
            if (list.offsets[i] == offset && list.operands[i]->type == &type)
                return part(*list.operands[i]);
        std::string text;
        const auto add = [&](const Type& part, std::uint64_t at) {
            text += (text.empty() ? "" : ", ") + initializer(list, part, at);
        };
        if (type.is_array()) {
            for (std::uint64_t i = 0; i < type.count; ++i)
                add(*type.element, offset + i * type.element->bytes);
            return "{" + text + "}";
        }
        if (type.is_structure()) {
            for (const Type::Member& member : type.members) {
                add(*member.type, offset + member.offset);
                if (type.overlaid) break;
            }
            return "{" + text + "}";
        }
        if (is_packed(type)) return "{0}";
        if (type.is_vector()) return fmt::format("({})(0)", type.name);
        return "0";
    }

    const Compiled& compiled_;
    const RecordOptions options_;
    const FunctionDefinition& kernel_;
    RecordedText made_;
    std::string body_, functions_, helpers_, structures_;
    std::vector<std::string> temporaries_;  // declarations at the start of a function
    std::size_t temporary_count_ = 0;
    std::set<std::uint32_t> said_;  // lines of the kernel's text that the next line says again
    std::set<std::string> helper_names_;
    std::map<const Type*, std::string> structure_names_;
    std::vector<const FunctionDefinition*> used_;
    const bool cuda_;
    const FunctionDefinition* function_ = nullptr;  // that is being written
    std::array<std::set<const FunctionDefinition*>, 2> needing_;
    std::set<const FunctionDefinition*> meeting_;  // that have a barrier, or call one that does
    std::optional<std::size_t> early_return_;      // of the kernel: where it stands in body_
    bool meets_late_ = false;                      // there is a barrier that it misses
    int loops_ = 0;                                // around the statement
    // CUDA's shared variables, which all functions may declare: the kernel does, for all of them.
    std::vector<const Variable*> shared_;
    std::map<const void*, std::string> names_;
    std::set<std::string, std::less<>> taken_;
};

namespace word = trace_words;

std::uint64_t wide(std::span<const std::uint32_t> words, std::size_t at) {
    return words[at] | std::uint64_t{words[at + 1]} << 32U;
}

}  // namespace

RecordedText recorded_text(const Text& text, std::string_view kernel,
                           const RecordOptions& options) {
    const Compiled compiled = compile_or_throw(text, kernel);
    return Printer(compiled, options).print();
}

RecordedText opencl_text(const Text& text, std::string_view kernel) {
    return recorded_text(text, kernel, {.record = false, .plain = true});
}

RecordedLaunch read_trace(const RecordedText& text, std::span<const std::uint32_t> words,
                          std::span<const std::uint64_t> bytes, std::uint32_t local) {
    RecordedLaunch made;
    made.local = local;
    const auto place = [&](RecordedAccess& access, const Site& site, std::uint64_t address) {
        const std::size_t locals = text.objects.size() - text.globals;
        for (std::size_t i = 0; i < text.objects.size(); ++i) {
            if (text.objects[i].space != site.space) continue;
            const std::size_t number = i < text.globals ? i : i + access.item / local * locals;
            const std::uint64_t base = wide(words, word::kBases + 2 * number);
            if (address < base || address - base >= bytes[i]) continue;
            access.object = static_cast<std::int32_t>(i);
            access.offset = address - base;
            return;
        }
    };
    const std::uint32_t count = std::min(words[word::kTickets], words[word::kCapacity]);
    for (std::uint32_t ticket = 0; ticket < count;) {
        const auto entry =
            words.subspan(words[word::kEntries] + std::size_t{ticket} * word::kEntry);
        const Site& site = text.sites.at(entry[word::kSite]);
        if (ticket + site.count > count) break;
        RecordedAccess access;
        access.begin = ticket;
        access.end = entry[word::kEnd];
        access.item = entry[word::kItem];
        access.site = entry[word::kSite];
        access.first = static_cast<std::uint32_t>(made.elements.size());
        if (site.kind != Site::Kind::barrier) place(access, site, wide(entry, word::kAddress));
        for (std::uint32_t i = 0; i < site.count; ++i) {
            const auto each = entry.subspan(std::size_t{i} * word::kEntry);
            made.elements.push_back({canonical(site.type, wide(each, word::kBefore)),
                                     canonical(site.type, wide(each, word::kAfter))});
        }
        made.accesses.push_back(access);
        ticket += site.count;
    }
    return made;
}

}  // namespace lab::lang
