#include "catalogue/host_program.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/element.h"
#include "catalogue/plan.h"
#include "lang/record.h"

namespace lab::catalogue {
namespace {

using Fill = ArgumentPlan::Fill;
using ArgumentKind = ArgumentPlan::Kind;

constexpr std::size_t kColumns = 80;
constexpr std::size_t kMostNumbers = 1024;  // that a program's text lists; more are refused

// A device of which a program may ask all that its header allows: the real one answers for itself.
constexpr Target kAnyDevice{1, 4096, true, 4096};

// --- Lines: places are filled in, and what is too long is broken.

// A line is broken best after a comma, = or ;, or before an operator that joins much.
bool reads_well(std::string_view line, std::size_t blank) {
    const std::string_view before = line.substr(0, blank), after = line.substr(blank + 1);
    if (before.ends_with(',') || before.ends_with(" =") || before.ends_with(';')) return true;
    for (const char* joint : {"?", ":", "<<", "&&", "||", "- "})
        if (after.starts_with(joint)) return true;
    return false;
}

// Of the blanks up to `most` that read well, outside of quotes and comments, the last that is in
// the fewest parentheses; 0: none.
std::size_t break_in(std::string_view line, std::size_t most) {
    std::size_t good = 0;
    int depth = 0, least = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < std::min({line.size(), most + 1, line.find("//")}); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        if (quoted) continue;
        if (line[i] == '(' || line[i] == '{') ++depth;
        if (line[i] == ')' || line[i] == '}') --depth;
        if (line[i] != ' ' || !reads_well(line, i) || (good != 0 && depth > least)) continue;
        good = i;
        least = depth;
    }
    return good;
}

// A comment continues after "// ", a statement indented by four more; macros are never broken.
void add_line(std::string& text, std::string_view line) {
    std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    const bool comment = line.starts_with("// ") && !line.starts_with("//  ");
    for (bool first = true;; first = false) {
        text.append(indent, ' ');
        if (comment && !first) text += "// ";
        const std::size_t most = kColumns - indent - (comment && !first ? 3 : 0);
        std::size_t at = 0;
        if (line.size() > most && !line.starts_with('#'))
            at = comment ? line.rfind(' ', most) : break_in(line, most);
        const bool whole = at == 0 || at == std::string_view::npos;
        text += line.substr(0, whole ? line.size() : at);
        text += '\n';
        if (whole) return;
        line.remove_prefix(at + 1);
        if (first && !comment) indent += 4;
    }
}

using Places = std::map<std::string, std::string, std::less<>>;

// Fills in {{name}}; alone on a line, it becomes as many lines as its text has. Lines from "%if
// name" to "%else" or "%end" stay where the place is not empty.
std::string filled(std::string_view form, const Places& places) {
    const auto place = [&](std::string_view name) -> const std::string& {
        return places.at(std::string(name));
    };
    std::string text;
    std::vector<bool> shown;
    while (!form.empty()) {
        const std::size_t end = form.find('\n');
        std::string line(form.substr(0, end));
        form.remove_prefix(std::min(end, form.size() - 1) + 1);
        if (line.starts_with("%if ")) {
            shown.push_back(!place(line.substr(4)).empty());
        } else if (line == "%else") {
            shown.back() = !shown.back();
        } else if (line == "%end") {
            shown.pop_back();
        } else if (!contains(shown, false)) {
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            const bool alone = line.compare(indent, 2, "{{") == 0 && line.ends_with("}}") &&
                               line.rfind("{{") == indent;
            for (std::size_t at = 0; (at = line.find("{{", at)) != std::string::npos;) {
                const std::size_t close = line.find("}}", at);
                const std::string& value = place(line.substr(at + 2, close - at - 2));
                line.replace(at, close + 2 - at, value);
                at += value.size();
            }
            if (alone && line.size() == indent) continue;
            for (std::string_view rest = line;; rest.remove_prefix(rest.find('\n') + 1)) {
                const std::string_view one = rest.substr(0, rest.find('\n'));
                const bool first = rest.size() == line.size();
                add_line(
                    text,
                    std::string(alone && !first && !one.empty() ? indent : 0, ' ').append(one));
                if (one.size() == rest.size()) break;
            }
        }
    }
    return text;
}

std::string lines_of(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

// --- What is reduced

// Sets what the shape leaves open, as a step does.
Shape settled(const Kernel& variant, Shape shape) {
    const bool listed = shape.input.kind == Input::Kind::values ||
                        shape.input.kind == Input::Kind::file || !shape.n;
    if (listed) shape.n = count_of(make_values(shape.input, shape.type, shape.n, shape.op));
    shape = small_shape(variant, shape, *shape.n, kAnyDevice);
    if (*shape.n == 0)
        throw Problem("There is nothing to launch", "A reduction of no elements is the identity",
                      "Give at least one element", "--n");
    return shape;
}

// As make_values computes it from an element's bits.
std::string random_text(const Shape& shape) {
    const bool product = shape.op == Op::product, all_bits = shape.input.kind == Input::Kind::bits;
    if (!info(shape.type).floating) {
        if (all_bits) return product ? "T(bits | 1)" : "T(bits)";
        return product ? "T(2 * ((bits >> 32) * 50 >> 32) + 1)" : "T((bits >> 32) * 100 >> 32)";
    }
    if (!all_bits && !product) return "T(bits >> 40) * T(0x1p-24)";
    return std::string(all_bits ? "(bits & 1 ? -1 : 1) * " : "") +
           (product ? "random_factor(bits, n)" : "random_magnitude(bits)");
}

std::string listed_text(const Shape& shape) {
    const Values values = make_values(shape.input, shape.type, shape.n, shape.op);
    const std::size_t count = count_of(values);
    if (count > kMostNumbers)
        throw Problem(fmt::format("{} numbers are too many for a program's text", count),
                      fmt::format("It takes {}", kMostNumbers), "Give fewer, or ramp or random:1",
                      "--input");
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = text_of(values, i);
        if (text == "nan")
            throw Problem("The program cannot hold NaN among its numbers",
                          "It compares its result with the host's, and NaN equals nothing",
                          "Leave nan out of the input", "--input");
        if (text.ends_with("inf")) text.replace(text.size() - 3, 3, "INFINITY");
        if (text == "-9223372036854775808") text = "INT64_MIN";
        numbers.push_back(shape.type == Type::ulong_ ? text + "u" : text);
    }
    return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

// --- The places of the text, from the header and the shape.

class HostWriter {
  public:
    HostWriter(const Kernel& variant, Shape shape)
        : variant_(variant),
          shape_(std::move(shape)),
          plan_(plan_job(variant, shape_, *shape_.n, kAnyDevice)),
          group_(shape_.group != 0             ? Expression()
                 : !variant.plan.group.empty() ? variant.plan.group
                                               : standard_group()) {
        for (const OpInfo& op : ops())
            numbers_[op.name] = static_cast<std::int64_t>(op.op);
        numbers_["op"] = static_cast<std::int64_t>(shape_.op);
        numbers_["floating"] = info(shape_.type).floating ? 1 : 0;
        for (const Expression* expression :
             {&group_, &variant.plan.global, &variant.plan.local, &variant.plan.rounds,
              &variant.plan.every, &variant.plan.pass.first, &variant.plan.pass.condition,
              &variant.plan.pass.next})
            note(*expression);
        for (const ArgumentPlan& argument : variant.plan.arguments) {
            note(argument.count);
            note(argument.value);
        }
        for (const Legal& legal : variant.plan.legal)
            if (is_checked(legal)) note(legal.condition);
    }

    Places places() {
        set_head();
        set_element_and_input();
        set_build();
        set_sizes();
        set_launches();
        set_result();
        return std::move(places_);
    }

  private:
    void set(const char* name, std::string text) { places_[name] = std::move(text); }
    void flag(const char* name, bool given) { places_[name] = given ? "yes" : ""; }
    void note(const Expression& expression) {
        names_.insert(expression.names().begin(), expression.names().end());
    }
    bool has(const char* name) const { return names_.contains(name); }
    std::string cpp(const Expression& expression, int least = 0) const {
        return cpp_text(expression, numbers_, least);
    }
    bool floating() const { return info(shape_.type).floating; }
    // Every order of combining rounds differently.
    bool rounds() const { return floating() && (shape_.op == Op::add || shape_.op == Op::product); }
    bool partials() const { return variant_.plan.kind == PlanKind::partials; }
    bool iterates() const { return variant_.plan.kind == PlanKind::iterate; }

    // The same for all, as plan_job() has it.
    static Expression standard_group() {
        static const std::array<std::string, 1> known{"kernel_group"};
        return Expression("min(256, kernel_group)", known);
    }

    // Whether it is for the program to check: a matter of n, the group or the device.
    bool is_checked(const Legal& legal) const {
        const std::set<std::string>& names = legal.condition.names();
        // How many groups there are differs from launch to launch in the plan `partials`.
        if (partials() && names.contains("groups")) return false;
        constexpr std::array kVary{"n",   "group",     "groups",      "units",
                                   "cpu", "max_group", "kernel_group"};
        return any_of(kVary, [&](const char* name) { return names.contains(name); });
    }

    // Whether the kernel's text, below its header, has the word.
    bool kernel_needs(std::string_view macro) const {
        const std::size_t header = variant_.text.find("*/");
        return find_word(variant_.text, macro, header == std::string::npos ? 0 : header) !=
               std::string::npos;
    }

    void set_head() {
        set("title", variant_.title);
        set("teaches", variant_.teaches);
        set("races", plan_.expect == Expect::races ? variant_.plan.expect.text : "");
        flag("co_resident", variant_.plan.expect.co_resident);
        set("name", variant_.file.stem().string());
        set("kernel_file", variant_.file.filename().string());
        set("entry", variant_.entry);
        const std::string& id = shape_.device;
        set("platform", id.substr(0, id.find(':')));
        set("device", id.substr(std::min(id.find(':'), id.size() - 1) + 1));
        for (const char* part : {"platform", "device"})
            if (!id.empty() && (id.find(':') == std::string::npos || places_[part].empty() ||
                                places_[part].size() > 9 ||
                                places_[part].find_first_not_of("0123456789") != std::string::npos))
                throw Problem(fmt::format("'{}' is not one device", id),
                              "A host program runs on one",
                              "Write P:D, as `reduction-lab-cli devices` lists them", "--device");
    }

    void set_element_and_input() {
        using Kind = Input::Kind;
        set("type", info(shape_.type).name);
        set("op", name_of(shape_.op));
        set("wide", !rounds() ? "T" : shape_.type == Type::float_ ? "double" : "long double");
        flag("floating", floating());
        flag("cmath", floating() && !(iterates() && rounds()));
        const bool least = shape_.op == Op::min, sum = shape_.op == Op::add,
                   product = shape_.op == Op::product, extreme = !sum && !product;
        flag("add", sum);
        flag("product", product);
        set("limits", !extreme || floating() ? "" : least ? "max" : "min");
        set("infinity", !extreme || !floating() ? "" : least ? "INFINITY" : "-INFINITY");
        set("sign", sum ? "+" : product ? "*" : least ? "<" : ">");
        flag("wraps", !extreme && (shape_.type == Type::int_ || shape_.type == Type::long_));
        const Kind kind = shape_.input.kind;
        const bool listed = !iterates() && (kind == Kind::values || kind == Kind::file);
        flag("ramp", !iterates() && kind == Kind::ramp);
        set("random", iterates() || listed || kind == Kind::ramp ? "" : random_text(shape_));
        for (const char* function : {"random_factor", "random_magnitude"})
            flag(function, places_["random"].find(function) != std::string::npos);
        set("seed", fmt::format("{}", shape_.input.seed));
        set("numbers", listed ? listed_text(shape_) : "");
        set("n_argument", listed ? "" : " [n]");
    }

    // "or 1, 4, 8", or "none; group is 1".
    static std::string other_values(const Toggle& toggle, const std::string& chosen) {
        std::string text, words;
        for (const std::string& value : toggle.values) {
            const std::string number = fmt::format("{}", toggle.number_of(value));
            if (value != chosen)
                text += (text.empty() ? "" : ", ") +
                        (value == number ? value : value + " is " + number);
            if (value == chosen && value != number) words = value + "; ";
        }
        return words.empty() ? "or " + text : words + text;
    }

    void set_build() {
        std::vector<std::string> constants, defines, macros;
        const auto settings = toggle_settings(variant_, shape_);
        for (const auto& [name, value] : settings) {
            if (!has(name.c_str())) continue;
            const Toggle& toggle = *variant_.toggle(name);
            constants.push_back(fmt::format("const int64_t {} = {};  // {}", name,
                                            toggle.number_of(value), other_values(toggle, value)));
        }
        for (const Toggle& toggle : variant_.toggles)
            if (has(toggle.name.c_str()) && kernel_needs(toggle.name))
                defines.push_back(
                    fmt::format("options += \" -D {0}=\" + std::to_string({0});", toggle.name));
        const std::string all = text_of(variant_, shape_).macros;
        for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) {
            std::string line = all.substr(at, all.find('\n', at) - at);
            constexpr std::string_view kDefine = "#define ";
            if (line.starts_with(kDefine)) {
                const std::size_t stop = line.find_first_of(" (", kDefine.size());
                const std::string name = line.substr(kDefine.size(), stop - kDefine.size());
                const Toggle* toggle = variant_.toggle(name);
                if (!kernel_needs(name) || (toggle != nullptr && has(name.c_str()))) continue;
                if (toggle != nullptr) line += "  // " + other_values(*toggle, settings.at(name));
            }
            macros.push_back(std::move(line));
        }
        set("constants", lines_of(constants));
        set("macros", lines_of(macros));
        set("defines", lines_of(defines));

        const auto needs = needs_of(variant_, shape_);
        const auto need = [&](Need one) { return contains(needs, one); };
        flag("doubles", shape_.type == Type::double_);
        flag("sub_groups", need(Need::sub_groups));
        flag("collectives", need(Need::group_collectives));
        flag("wide_atomics", need(Need::atomics) && info(shape_.type).bytes == 8);
        flag("ptx", need(Need::ptx));
        const bool newer = need(Need::sub_groups) || need(Need::group_collectives);
        const bool scopes = names_scopes(variant_.text);
        flag("scopes", scopes);
        flag("newer_c", newer || scopes);
        flag("older_c_without_scopes", !newer);
        set("scope_trial", std::string(trimmed(kScopeTrial)));
        set("scope_stand_in", kScopeStandIn);
        set("options",
            newer || scopes || !defines.empty() ? "options.c_str()" : "\"-cl-std=CL1.2\"");
    }

    void set_sizes() {
        for (const char* name : {"cpu", "units", "max_group", "kernel_group"})
            flag(name, has(name));
        for (const char* name :
             {"min", "max", "div_up", "round_up", "power_of_two", "power_of_two_up", "log2"}) {
            flag(name, has(name));
            flag("functions", has(name) || !places_["functions"].empty());
        }
        std::vector<std::string> demands;
        for (const Legal& legal : variant_.plan.legal)
            if (is_checked(legal))
                demands.push_back(
                    fmt::format("demand({}, \"{}\");", cpp(legal.condition), legal.text));
        set("demands", lines_of(demands));
        set("constant", partials() ? "" : "const ");
        set("n", fmt::format("{}", *shape_.n));
        set("group", shape_.group != 0 ? fmt::format("{}", shape_.group) : cpp(group_, 1));
        set("local", variant_.plan.local.text() == "group" ? "group" : "local");
        const bool each_time = partials() || in_pass(variant_.plan.global);
        set("sizes", each_time ? "" : sizes());
        set("loop_sizes", each_time ? sizes() : "");
    }
    std::string sizes() {
        std::string text = fmt::format("const int64_t global = {};", cpp(variant_.plan.global));
        if (variant_.plan.local.text() != "group")
            text += fmt::format("\nconst int64_t local = {};", cpp(variant_.plan.local));
        if (has("groups") || partials())
            text += fmt::format("\nconst int64_t groups = global / {};", places_["local"]);
        return text;
    }

    static std::string variable_of(const std::string& argument) {
        constexpr std::array kTaken{
            // by run() itself
            "argc",      "argv",    "n",          "group",  "groups", "global",   "local",
            "units",     "cpu",     "queue",      "kernel", "device", "context",  "input",
            "event",     "events",  "i",          "bits",   "result", "expected", "magnitude",
            "right",     "time",    "parts",      "doing",  "round",  "identity", "element",
            "max_group", "gave_up", "collectives"};
        return contains(kTaken, argument) ? argument + "_buffer" : argument;
    }
    static std::string type_of(const ArgumentPlan& argument) {
        return argument.type ? fmt::format("cl_{}", info(*argument.type).name) : "T";
    }
    std::string bytes(const ArgumentPlan& argument) const {
        const std::string each = fmt::format("sizeof({})", type_of(argument));
        return argument.count.text() == "1"
                   ? each
                   : fmt::format("{} * {}", cpp(argument.count, kFactor), each);
    }
    std::string buffer(const ArgumentPlan& argument) const {
        const std::string name = variable_of(argument.name);
        const bool changes = argument.fill == Fill::values;  // another one in each launch
        if (argument.fill == Fill::input || changes)
            return fmt::format(
                "{}cl::Buffer {}(context, {} | CL_MEM_COPY_HOST_PTR, {}, input.data());",
                changes ? "" : "const ", name,
                argument.constant && !changes ? "CL_MEM_READ_ONLY" : "CL_MEM_READ_WRITE",
                bytes(argument));
        std::string text = fmt::format("const cl::Buffer {}(context, CL_MEM_READ_WRITE, {});", name,
                                       bytes(argument));
        if (argument.fill == Fill::none) return text;
        const std::string value =
            argument.fill == Fill::identity
                ? "identity"
                : fmt::format("{}({})", type_of(argument), cpp(argument.value));
        return text + fmt::format("\nqueue.enqueueFillBuffer({}, {}, 0, {});", name, value,
                                  bytes(argument));
    }

    // Whether it has another value in each pass.
    bool in_pass(const Expression& expression) const {
        return variant_.plan.kind == PlanKind::per_pass &&
               expression.names().contains(variant_.plan.pass.name);
    }

    // "span * 2" as "span *= 2".
    std::string next() const {
        const std::string& name = variant_.plan.pass.name;
        const std::string next = cpp(variant_.plan.pass.next),
                          by = next.substr(next.rfind(' ') + 1);
        for (const char sign : {'*', '/', '%', '+', '-'})
            if (next == fmt::format("{} {} {}", name, sign, by) &&
                by.find_first_not_of("0123456789") == std::string::npos)
                return fmt::format("{} {}= {}", name, sign, by);
        return fmt::format("{} = {}", name, next);
    }

    void set_launches() {
        std::vector<std::string> once, each, buffers, each_buffers;
        std::string values;
        for (std::size_t i = 0; i < variant_.plan.arguments.size(); ++i) {
            const ArgumentPlan& of = variant_.plan.arguments[i];
            if (of.fill == Fill::values) values = variable_of(of.name);
            if (of.kind == ArgumentKind::buffer)
                (partials() && of.fill != Fill::values ? each_buffers : buffers)
                    .push_back(buffer(of));
            const std::string value = of.kind == ArgumentKind::buffer ? variable_of(of.name)
                                      : of.kind == ArgumentKind::local
                                          ? fmt::format("cl::Local({})", bytes(of))
                                          : fmt::format("{}({})", type_of(of), cpp(of.value));
            (partials() || in_pass(of.count) || in_pass(of.value) ? each : once)
                .push_back(fmt::format("kernel.setArg({}, {});", i, value));
        }
        set("buffers", lines_of(buffers));
        set("loop_buffers", lines_of(each_buffers));
        set("arguments", lines_of(once));
        set("loop_arguments", lines_of(each));
        const bool passes = variant_.plan.kind == PlanKind::per_pass;
        flag("once", !partials() && !passes);
        flag("partials", partials());
        const PassLoop& loop = variant_.plan.pass;
        set("loop", passes ? fmt::format("for (int64_t {} = {}; {}; {}) {{", loop.name,
                                         cpp(loop.first), cpp(loop.condition), next())
                           : "while (n > 1) {  // each launch leaves one value per group");
        set("values", values);
        set("result", variable_of(variant_.plan.result));
        // The last launch's result is what the next one would read.
        set("read", values.empty() ? places_["result"] : values);
    }

    void set_result() {
        set("stuck", variant_.plan.stuck.empty() ? "" : variable_of(variant_.plan.stuck));
        set("rounds", iterates() ? cpp(variant_.plan.rounds, 5) : "");
        set("every",
            variant_.plan.expect.kind == Expect::partial ? fmt::format("{}", plan_.every) : "");
        flag("rounding", rounds());
        // How far apart the two may be, as a part of all that was combined. A product rounds at
        // each of its factors, whatever the order.
        set("tolerance", shape_.type == Type::double_ ? "1e-12"
                         : shape_.op == Op::add       ? "1e-4"
                                                      : "1e-3");
        set("digits", shape_.type == Type::float_ ? "9" : "17");
    }

    const Kernel& variant_;
    const Shape shape_;  // with the group that suits it; 0: the program works it out
    const Job plan_;
    const Expression group_;  // where the shape sets none
    Variables numbers_;       // names of the header that are numbers here: op, add, floating …
    std::set<std::string> names_;  // variables and functions in the expressions of the host
    Places places_;
};

}  // namespace

HostProgram host_program(const Kernel& variant, const Shape& shape) {
    if (lang::is_cuda(variant.file.string(), variant.text)) {  // devices build OpenCL C
        Kernel printed = variant;
        printed.text = lang::opencl_text(text_of(variant, shape), variant.entry).text.text;
        printed.file.replace_extension(".cl");
        return host_program(printed, shape);
    }
    const std::string form = read_file(data_folder() / "assets" / "host_program.cpp.in");
    return {variant.file.stem().string(),
            filled(form, HostWriter(variant, settled(variant, shape)).places()),
            variant.file.filename().string(), variant.text};
}

void save_program(const HostProgram& program, const fs::path& file) {
    const fs::path kernel = file.parent_path() / program.kernel_file;
    std::error_code error;
    const bool there = fs::exists(kernel, error);
    if (there && read_file(kernel) != program.kernel_text)
        throw Problem(fmt::format("{} is there already, with another text", kernel.string()),
                      "The program needs the kernel beside it, under that name",
                      "Choose another folder, or rename that file", file.string());
    write_file(file, program.text);
    if (!there) write_file(kernel, program.kernel_text);
}

}  // namespace lab::catalogue
