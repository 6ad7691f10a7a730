#include "catalogue/kernel.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"

namespace lab::catalogue {
namespace {

constexpr std::string_view kCoResident = "correct if co-resident";
constexpr std::array kNeeds{"sub-groups", "group-collectives", "atomics", "ptx"};

constexpr std::array kKeys{"title", "chapter", "origin", "teaches", "entry", "plan",   "pass",
                           "args",  "global",  "local",  "result",  "depth", "group",  "legal",
                           "needs", "expect",  "every",  "rounds",  "stuck", "toggle", "shape",
                           "tune",  "after",   "gain",   "why",     "pair"};
constexpr std::array kRepeatedKeys{"legal", "toggle", "shape"};

// The header comment of a kernel file: "key: value" lines in its first comment.

struct HeaderLine {
    std::string key, value;
    std::string where;  // file:line
};

// Throws a Problem about that line.
[[noreturn]] void refuse(const HeaderLine& line, std::string why, std::string hint) {
    throw Problem(fmt::format("The header's key '{}' cannot be read", line.key), std::move(why),
                  std::move(hint), line.where);
}

// A key's value continues on the lines below it that are indented deeper than the keys.
class Header {
  public:
    // Throws Problem if the file does not start with a /* comment, or has a line not "key: value".
    Header(std::string file, std::string_view text) : file_(std::move(file)) {
        const auto open = text.find_first_not_of(" \t\r\n");
        const auto close = text.find("*/");
        if (open == std::string_view::npos || !text.substr(open).starts_with("/*") ||
            close == std::string_view::npos)
            throw Problem("The kernel file has no header",
                          "It does not start with a comment /* … */",
                          "Start it with the keys that docs/kernels.md lists, title: first",
                          fmt::format("{}:1", file_));
        auto number = static_cast<int>(
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), '\n'));
        std::size_t key_column = 0;
        for (std::size_t index = open; index < close;) {
            const auto end = std::min(text.find('\n', index), close);
            std::string_view line = text.substr(index, end - index);
            index = end + 1;
            ++number;
            // What stands before the key: blanks, and the comment's own /* or *.
            const auto content = line.find_first_not_of(" \t/*");
            if (content == std::string_view::npos || trimmed(line.substr(content)).empty())
                continue;
            line = line.substr(content);
            const std::string where = fmt::format("{}:{}", file_, number);
            if (lines_.empty()) key_column = content;
            if (content > key_column) {
                lines_.back().value += " ";
                lines_.back().value += trimmed(line);
                continue;
            }
            const auto colon = line.find(':');
            if (colon == std::string_view::npos)
                throw Problem(
                    "A line of the header has no key", fmt::format("'{}'", trimmed(line)),
                    "Write key: value, or indent the line if it goes on from the one above", where);
            lines_.push_back({std::string(trimmed(line.substr(0, colon))),
                              std::string(trimmed(line.substr(colon + 1))), where});
        }
    }

    // Throws Problem for an unknown key, or one given twice that may be given only once.
    void check_keys() const {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const HeaderLine& line = lines_[i];
            if (!contains(kKeys, line.key))
                throw Problem(fmt::format("The header's key '{}' is unknown", line.key), "",
                              fmt::format("The keys are {}", fmt::join(kKeys, ", ")), line.where);
            const bool repeats = contains(kRepeatedKeys, line.key);
            for (std::size_t j = 0; j < i && !repeats; ++j)
                if (lines_[j].key == line.key)
                    throw Problem(fmt::format("The header's key '{}' is given twice", line.key), "",
                                  "Keep one of them", line.where);
        }
    }

    // Throws Problem if it is missing or empty.
    const HeaderLine& need(std::string_view key) const {
        for (const HeaderLine& line : lines_)
            if (line.key == key) {
                if (line.value.empty())
                    throw Problem(fmt::format("The header's key '{}' has no value", key), "",
                                  "Write a value after the colon", line.where);
                return line;
            }
        throw Problem(fmt::format("The header's key '{}' is missing", key), "",
                      fmt::format("Add a line '{}: …' to the header", key),
                      fmt::format("{}:1", file_));
    }

    // Null if it is not given.
    const HeaderLine* find(std::string_view key) const {
        for (const HeaderLine& line : lines_)
            if (line.key == key) return &need(key);
        return nullptr;
    }

    std::vector<HeaderLine> all(std::string_view key) const {
        std::vector<HeaderLine> found;
        for (const HeaderLine& line : lines_)
            if (line.key == key) found.push_back(line);
        return found;
    }

  private:
    std::string file_;
    std::vector<HeaderLine> lines_;
};

constexpr std::array kShapeKinds{"cpu", "cpu-64", "gpu", "gpu-64", "nvidia", "nvidia-64"};
constexpr const char* kGroup = "group";

// "gpu: group = 512, K = 4", once the toggles are known.
void read_shape(const HeaderLine& line, Kernel& into) {
    const char* form = "Write a kind of device and what suits it: gpu: group = 512, K = 4";
    const auto colon = line.value.find(':');
    const std::string kind(trimmed(line.value.substr(0, colon)));
    if (!contains(kShapeKinds, kind))
        refuse(line, fmt::format("'{}' is no kind of device", kind),
               fmt::format("Choose of: {}", fmt::join(kShapeKinds, ", ")));
    if (colon == std::string::npos) refuse(line, "", form);
    if (into.plan.shapes.contains(kind))
        refuse(line, fmt::format("'{}' is there twice", kind), "Put both into one line");
    LaunchShape& shape = into.plan.shapes[kind];
    for (const std::string& part : split(line.value.substr(colon + 1), ',')) {
        const auto sides = split(part, '=');
        if (sides.size() != 2) refuse(line, fmt::format("'{}' sets nothing", part), form);
        if (sides[0] == kGroup) {
            shape.group = parse_number<std::uint64_t>(sides[1]).value_or(0);
            if (shape.group == 0)
                refuse(line, fmt::format("'{}' is no number of work-items", sides[1]), form);
            continue;
        }
        const Toggle* toggle = into.toggle(sides[0]);
        if (toggle == nullptr)
            refuse(line, fmt::format("'{}' is neither group nor a toggle", sides[0]), form);
        if (!toggle->has(sides[1]))
            refuse(line, fmt::format("'{}' is no value of {}", sides[1], sides[0]),
                   fmt::format("Choose one of: {}", fmt::join(toggle->values, ", ")));
        shape.set[sides[0]] = sides[1];
    }
}

// "group, K"
void read_tune(const HeaderLine& line, Kernel& into) {
    for (const std::string& name : split(line.value, ',')) {
        if (name != kGroup && into.toggle(name) == nullptr)
            refuse(line, fmt::format("'{}' is neither group nor a toggle", name),
                   "Write what is worth a search: group, K");
        into.plan.tune.push_back(name);
    }
}

constexpr std::array kGainKinds{"cpu", "gpu"};
constexpr const char* kForm = "Write a kind of device and a factor: gpu 1.7, cpu 1.0";

// "gpu 1.7"
void read_factor(const HeaderLine& line, const std::string& part, Gain& into) {
    const auto words = split(part, ' ');
    if (words.size() != 2) refuse(line, fmt::format("'{}' is no kind and factor", part), kForm);
    if (!contains(kGainKinds, words[0]))
        refuse(line, fmt::format("'{}' is no kind of device", words[0]),
               fmt::format("Choose of: {}", fmt::join(kGainKinds, ", ")));
    const double factor = parse_number<double>(words[1]).value_or(0);
    if (!(factor > 0) || factor > 1e6)
        refuse(line, fmt::format("'{}' is no factor", words[1]), kForm);
    if (!into.predicted.emplace(words[0], factor).second)
        refuse(line, fmt::format("'{}' is there twice", words[0]), "Keep one of them");
}

// "SYNC=barrier and K=4"
void read_form(const HeaderLine& line, std::string_view text, const Kernel& variant, Gain& into) {
    while (!text.empty()) {
        const auto end = text.find(" and ");
        const auto sides = split(text.substr(0, end), '=');
        const Toggle* toggle = sides.size() == 2 ? variant.toggle(sides[0]) : nullptr;
        if (toggle == nullptr || !toggle->has(sides[1]))
            refuse(line,
                   fmt::format("'{}' is no toggle and value of this file",
                               trimmed(text.substr(0, end))),
                   "Write gpu 1.7, cpu 1.0 when NAME=VALUE");
        if (sides[1] != toggle->values.front()) into.set[sides[0]] = sides[1];
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 5);
    }
}

// Reads the keys `after` ("ladder-1-modulo"), `gain` ("gpu 1.7, cpu 1.0 when SYNC=barrier") and
// `why`: all of them or none, once the toggles are known. Throws Problem naming the line.
void read_gain(const Header& header, Kernel& into) {
    const HeaderLine* given = nullptr;
    for (const char* key : {"after", "gain", "why"})
        if (given == nullptr) given = header.find(key);
    if (given == nullptr) return;
    Gain& gain = into.gain;
    gain.after = header.need("after").value;
    gain.where = header.need("after").where;
    gain.why = header.need("why").value;
    const HeaderLine& line = header.need("gain");
    std::string_view factors = line.value;
    constexpr std::string_view kWhen = " when ";
    if (const auto when = factors.find(kWhen); when != std::string_view::npos) {
        const std::string_view form = trimmed(factors.substr(when + kWhen.size()));
        if (form.empty()) refuse(line, "", "Write gpu 1.7, cpu 1.0 when NAME=VALUE");
        read_form(line, form, into, gain);
        factors = factors.substr(0, when);
    }
    for (const std::string& part : split(factors, ','))
        read_factor(line, part, gain);
}

// Reads the keys of one header into a variant.
class KernelReader {
  public:
    KernelReader(Kernel& into, const Header& header) : into_(into), header_(header) {}

    void read() {
        header_.check_keys();
        into_.title = header_.need("title").value;
        read_chapter(header_.need("chapter"));
        into_.origin = header_.need("origin").value;
        into_.teaches = header_.need("teaches").value;
        into_.entry = header_.need("entry").value;
        for (const HeaderLine& line : header_.all("toggle"))
            read_toggle(line);
        read_plan(header_.need("plan"));
        into_.plan.global = expression("global");
        into_.plan.local = expression("local");
        const HeaderLine& arguments = header_.need("args");
        for (const std::string& part : split(arguments.value, ',', true))
            read_argument(arguments, part);
        check_inputs(arguments);
        const HeaderLine& result = header_.need("result");
        into_.plan.result = buffer_named(result, {}, "none of the buffers of T",
                                         "Name the buffer whose first element is the result");
        if (header_.find("group") != nullptr) into_.plan.group = expression("group");
        if (const HeaderLine* line = header_.find("needs")) read_needs(*line);
        if (const HeaderLine* line = header_.find("stuck"))
            into_.plan.stuck =
                buffer_named(*line, Type::uint_, "no uint buffer",
                             "Name the buffer that the kernel sets once a spin gives up");
        into_.plan.depth = expression("depth");
        for (const HeaderLine& line : header_.all("legal"))
            into_.plan.legal.push_back({expression(line, line.value), line.value});
        read_expectation(header_.need("expect"));
        if (const HeaderLine* line = header_.find("pair")) read_pair(*line);
        for (const HeaderLine& line : header_.all("shape"))
            read_shape(line, into_);
        if (const HeaderLine* line = header_.find("tune")) read_tune(*line, into_);
        read_gain(header_, into_);
    }

  private:
    Expression expression(const HeaderLine& line, std::string_view text) const {
        try {
            return {trimmed(text), known_};
        } catch (const Problem& problem) {
            refuse(line, fmt::format("{}: {}", problem.what_happened, problem.why),
                   fmt::format("The variables here are {}", fmt::join(known_, ", ")));
        }
    }

    Expression expression(const char* key) const {
        const HeaderLine& line = header_.need(key);
        return expression(line, line.value);
    }

    void read_chapter(const HeaderLine& line) {
        const auto parts = split(line.value, ' ');
        const auto order = parts.size() == 2 ? parse_number<int>(parts[1]) : std::nullopt;
        if (!order) refuse(line, "", "Write a chapter's letter and a place in it, as 'A 6'");
        into_.chapter = parts[0];
        into_.order = *order;
    }

    void read_toggle(const HeaderLine& line) {
        const auto parts = split(line.value, '=');
        if (parts.size() != 2) refuse(line, "", "Write NAME = default, other, …");
        Toggle toggle{parts[0], split(parts[1], ',')};
        if (!is_name(toggle.name))
            refuse(line, fmt::format("'{}' is no macro name", toggle.name), "Write NAME = on, off");
        for (const std::string& value : toggle.values)
            if (value.empty()) refuse(line, "A value is missing", "Write NAME = on, off");
        if (contains(known_, toggle.name) && into_.toggle(toggle.name) == nullptr)
            refuse(line, fmt::format("'{}' has a meaning already", toggle.name),
                   "Choose another name");
        check_name(line, toggle.name);
        known_.push_back(toggle.name);
        into_.toggles.push_back(std::move(toggle));
    }

    void read_plan(const HeaderLine& line) {
        const std::size_t kind = position_of(kPlanKinds, line.value);
        if (kind == kPlanKinds.size())
            refuse(line, fmt::format("'{}' is no launch plan", line.value),
                   fmt::format("Choose one of: {}", fmt::join(kPlanKinds, ", ")));
        into_.plan.kind = static_cast<PlanKind>(kind);
        if (into_.plan.kind == PlanKind::per_pass) read_pass(header_.need("pass"));
        if (into_.plan.kind == PlanKind::iterate) into_.plan.rounds = expression("rounds");
    }

    void read_pass(const HeaderLine& line) {
        const auto parts = split(line.value, ';');
        const auto first = split(parts[0], '=');
        if (parts.size() != 3 || first.size() != 2 || !is_name(first[0]))
            refuse(line, "", "Write a loop: span = 2; span < 2 * n; span * 2");
        into_.plan.pass.name = first[0];
        into_.plan.pass.first = expression(line, first[1]);
        known_.push_back(first[0]);
        into_.plan.pass.condition = expression(line, parts[1]);
        into_.plan.pass.next = expression(line, parts[2]);
    }

    // The elements come in once: by `= values` in the plan partials, by `= input` else.
    void check_inputs(const HeaderLine& line) const {
        using FillKind = ArgumentPlan::Fill;
        int values = 0, written = 0;
        for (const ArgumentPlan& argument : into_.plan.arguments) {
            if (argument.fill == FillKind::values) ++values;
            if (argument.fill == FillKind::input && !argument.constant) ++written;
            if ((argument.fill == FillKind::input || argument.fill == FillKind::values) &&
                (argument.type || argument.count.text() != "n"))
                refuse(line, fmt::format("'{}' takes the elements", argument.name),
                       "There are n of them, of type T: write T[n]");
        }
        const bool partials = into_.plan.kind == PlanKind::partials;
        if (values != (partials ? 1 : 0))
            refuse(line,
                   partials ? "The plan 'partials' needs one buffer that is '= values'"
                            : "Only the plan 'partials' has buffers that are '= values'",
                   "Write in: const T[n] = values there, and = input elsewhere");
        if (written > 1)
            refuse(line, "Several buffers take the elements to be written over",
                   "Make all but one of them const");
    }

    // What a toggle or an argument may not be called, and what is there twice.
    void check_name(const HeaderLine& line, const std::string& name) {
        static constexpr std::array kTaken{"T",    "COMBINE", "IDENTITY", "WITH_OPERATOR",
                                           "WORD", "AS_WORD", "AS_T",     "CMPXCHG"};
        if (contains(kTaken, name))
            refuse(line, fmt::format("'{}' has a meaning already", name), "Choose another name");
        if (contains(names_, name))
            refuse(line, fmt::format("'{}' is there twice", name), "Choose another name");
        names_.push_back(name);
    }

    // name: type | name: type = value | name: [const] type[count] = fill | name: local type[count]
    void read_argument(const HeaderLine& line, const std::string& part) {
        const char* form = "Write name: T[n] = input, name: uint = n, or name: local T[group]";
        const auto colon = part.find(':');
        if (colon == std::string::npos) refuse(line, fmt::format("'{}' has no type", part), form);
        ArgumentPlan argument;
        argument.name = trimmed(part.substr(0, colon));
        std::string rest(trimmed(part.substr(colon + 1)));
        std::string value;
        if (const auto equals = rest.find('='); equals != std::string::npos) {
            value = trimmed(rest.substr(equals + 1));
            rest = trimmed(rest.substr(0, equals));
        }
        if (rest.starts_with("local ")) {
            argument.kind = ArgumentPlan::Kind::local;
            rest = trimmed(rest.substr(6));
        } else if (rest.starts_with("const ")) {
            argument.constant = true;
            rest = trimmed(rest.substr(6));
        }
        if (const auto bracket = rest.find('['); bracket != std::string::npos) {
            if (!rest.ends_with(']'))
                refuse(line, fmt::format("']' is missing in '{}'", part), form);
            if (argument.kind != ArgumentPlan::Kind::local)
                argument.kind = ArgumentPlan::Kind::buffer;
            argument.count = expression(line, rest.substr(bracket + 1, rest.size() - bracket - 2));
            rest = trimmed(rest.substr(0, bracket));
        } else if (argument.kind == ArgumentPlan::Kind::local) {
            refuse(line, fmt::format("'{}' has no size", part), form);
        }
        if (!is_name(argument.name))
            refuse(line, fmt::format("'{}' is no name", argument.name), form);
        check_name(line, argument.name);
        if (rest != "T") argument.type = element_type(line, rest);
        read_value(line, argument, value);
        into_.plan.arguments.push_back(std::move(argument));
    }

    static Type element_type(const HeaderLine& line, const std::string& name) {
        try {
            return parse_type(name);
        } catch (const Problem& problem) {
            refuse(line, problem.what_happened, problem.hint + ", or T");
        }
    }

    void read_value(const HeaderLine& line, ArgumentPlan& argument, std::string value) const {
        using FillKind = ArgumentPlan::Fill;
        if (constexpr std::string_view kOnce = " once"; value.ends_with(kOnce)) {
            argument.once = true;
            value.resize(value.size() - kOnce.size());
        }
        if (argument.kind == ArgumentPlan::Kind::scalar) {
            argument.value = expression(line, value.empty() ? argument.name : value);
        } else if (argument.kind == ArgumentPlan::Kind::local) {
            if (!value.empty())
                refuse(line, "Local memory has no value before the kernel runs", "");
        } else if (!value.empty()) {
            argument.fill = value == "input"      ? FillKind::input
                            : value == "values"   ? FillKind::values
                            : value == "identity" ? FillKind::identity
                                                  : FillKind::number;
            if (argument.fill == FillKind::number) argument.value = expression(line, value);
        }
    }

    // The line's value: a buffer of that type, T if it is empty.
    std::string buffer_named(const HeaderLine& line, std::optional<Type> type,
                             const char* else_it_is, const char* hint) const {
        for (const ArgumentPlan& argument : into_.plan.arguments)
            if (argument.name == line.value && argument.kind == ArgumentPlan::Kind::buffer &&
                argument.type == type)
                return line.value;
        refuse(line, fmt::format("'{}' is {} in args", line.value, else_it_is), hint);
    }

    // "atomics, sub-groups when WARP=subgroup"
    void read_needs(const HeaderLine& line) {
        const char* form = "Write sub-groups, or sub-groups when NAME=VALUE";
        for (const std::string& part : split(line.value, ',')) {
            const auto when = part.find(" when ");
            const std::string word(trimmed(part.substr(0, when)));
            const std::size_t need = position_of(kNeeds, word);
            if (need == kNeeds.size())
                refuse(line, fmt::format("'{}' is nothing that a device can have", word),
                       fmt::format("Choose of: {}", fmt::join(kNeeds, ", ")));
            Needed needed{static_cast<Need>(need), {}, part};
            if (when != std::string::npos)
                needed.when = expression(line, condition(line, part.substr(when + 6), form));
            into_.needs.push_back(std::move(needed));
        }
    }

    void read_expectation(const HeaderLine& line) {
        const char* form =
            "Write correct, correct if co-resident, partial, nothing, races, or races when "
            "CONDITION, as 'races when BARRIER=none or groups > 1'";
        into_.plan.expect.text = line.value;
        into_.plan.expect.kind = Expect::correct;
        std::string_view rest = line.value;
        if (rest == "correct") return;
        if (rest == "nothing") {
            into_.plan.expect.kind = Expect::nothing;
            return;
        }
        if (rest.starts_with(kCoResident)) {
            into_.plan.expect.co_resident = true;
            rest = trimmed(rest.substr(kCoResident.size()));
            if (rest.empty()) return;
            if (!rest.starts_with("; ")) refuse(line, "", form);
            rest = trimmed(rest.substr(2));
        }
        if (rest == "partial") {
            into_.plan.expect.kind = Expect::partial;
            into_.plan.every = expression("every");
            return;
        }
        if (!rest.starts_with("races")) refuse(line, "", form);
        into_.plan.expect.kind = Expect::races;
        rest = trimmed(rest.substr(5));
        if (rest.empty()) return;
        if (!rest.starts_with("when ")) refuse(line, "", form);
        into_.plan.expect.when = expression(line, condition(line, rest.substr(5), form));
    }

    // "span-modulo, BARRIER=group"
    void read_pair(const HeaderLine& line) {
        const auto parts = split(line.value, ',');
        into_.pair = parts.front();
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const auto sides = split(parts[i], '=');
            if (sides.size() != 2 || sides[0].empty() || sides[1].empty())
                refuse(line, fmt::format("'{}' is no toggle with a value", parts[i]),
                       "Write a kernel's id and its toggles, as 'span-modulo, BARRIER=group'");
            into_.pair_set[sides[0]] = sides[1];
        }
    }

    // "NAME=VALUE or groups > 1 and …" as an expression.
    std::string condition(const HeaderLine& line, std::string_view text, const char* form) const {
        std::string result;
        while (!text.empty()) {
            const auto either = text.find(" or ");
            const auto both = text.find(" and ");
            const auto end = std::min(either, both);
            result +=
                fmt::format("({})", toggle_condition(line, trimmed(text.substr(0, end)), form));
            if (end == std::string_view::npos) break;
            result += either < both ? " || " : " && ";
            text = text.substr(end + (either < both ? 4 : 5));
        }
        return result;
    }

    std::string toggle_condition(const HeaderLine& line, std::string_view part,
                                 const char* form) const {
        auto sides = split(part, '=');
        if (sides.size() != 2 || sides[0].ends_with('<') || sides[0].ends_with('>'))
            return std::string(part);
        const bool differs = sides[0].ends_with('!');
        if (differs) sides[0] = trimmed(std::string_view(sides[0]).substr(0, sides[0].size() - 1));
        const Toggle* toggle = into_.toggle(sides[0]);
        if (differs && toggle == nullptr) return std::string(part);
        if (toggle == nullptr || !toggle->has(sides[1]))
            refuse(line, fmt::format("'{}' is no toggle and value of this file", part), form);
        return fmt::format("{} {} {}", toggle->name,
                           differs ? "!=" : "==", toggle->number_of(sides[1]));
    }

    Kernel& into_;
    const Header& header_;
    std::vector<std::string> names_;  // of toggles and arguments
    std::vector<std::string> known_ = {
        "n",  "group", "groups", "units", "max_group", "kernel_group", "cpu",
        "op", "add",   "min",    "max",   "product",   "floating"};
};

// Returns what is wrong with the `after` of `variant`, which may be in the catalogue: there is no
// such variant, or the chain leads back to the start.
std::optional<Problem> problem_of_gain(const Catalogue& catalogue, const Kernel& variant) {
    const auto of = [&](const std::string& id) {
        return id == variant.id ? &variant
                                : catalogue.known(id);  // it may be newer than that there
    };
    std::vector<std::string> way{variant.id};
    for (const Kernel* at = &variant; !at->gain.after.empty(); at = of(at->gain.after)) {
        const std::string& before = at->gain.after;
        const bool known = of(before) != nullptr;
        if (!known && at != &variant) return std::nullopt;  // that one's problem
        if (!known)
            return Problem(
                fmt::format("'{}' comes after '{}', which is not there", variant.id, before), "",
                "Name a variant that can be read, or leave out after, gain and why",
                at->gain.where);
        const bool again = contains(way, before);
        way.push_back(before);
        if (again && before != variant.id) return std::nullopt;  // a circle, but of others
        if (again)
            return Problem(
                fmt::format("'{}' comes after itself", variant.id),
                fmt::format("{}", fmt::join(way, " after ")),
                "Let the first of them improve on none: leave out its after, gain and why",
                variant.gain.where);
    }
    return std::nullopt;
}

// Removes the gain of each variant with such a problem, and adds the problem to the catalogue.
void check_gains(Catalogue& catalogue) {
    std::vector<Kernel*> without;
    for (Kernel& variant : catalogue.variants)
        if (auto problem = problem_of_gain(catalogue, variant)) {
            catalogue.problems.push_back(std::move(*problem));
            without.push_back(&variant);
        }
    for (Kernel* variant : without)  // only now: each of a circle is told
        variant->gain = {};
}

}  // namespace

bool Toggle::has(std::string_view value) const {
    return contains(values, value);
}

std::int64_t Toggle::number_of(const std::string& value) const {
    std::int64_t words = 0;
    for (const std::string& known : values) {
        auto number = parse_number<std::int64_t>(known);
        if (!number) number = known == "off" || known == "none" ? 0 : ++words;
        if (known == value) return *number;
    }
    throw Problem(fmt::format("'{}' is no value of {}", value, name), "",
                  choices_hint(value, values), fmt::format("--set {}={}", name, value));
}

const Toggle* Kernel::toggle(std::string_view name) const {
    return find_if(toggles, [&](const Toggle& of) { return of.name == name; });
}

Kernel kernel_of(LaunchForm form) {
    Kernel kernel;
    kernel.file = form.file;
    kernel.id = kernel.title = title_of(form);
    kernel.text = form.text;
    kernel.entry = form.kernel;
    kernel.plan.expect.text = name_of(Expect::unknown);
    kernel.plan.form = std::move(form);
    return kernel;
}

std::string title_of(const LaunchForm& form) {
    const std::string name = std::filesystem::path(form.file).filename().string();
    return form.kernel.empty() ? name : fmt::format("{}: {}", name, form.kernel);
}

LAB_JSON_FIELDS_OR_DEFAULT(LaunchForm, file, text, kernel, defines, folders, global, local, offset,
                           arguments)

Kernel parse_kernel(const std::filesystem::path& file, std::string text) {
    Kernel variant;
    variant.file = file;
    variant.id = file.stem().string();
    std::replace(variant.id.begin(), variant.id.end(), '_', '-');
    const Header header(file.filename().string(), text);
    KernelReader(variant, header).read();
    variant.text = std::move(text);
    return variant;
}

LaunchShape layered(LaunchShape under, const LaunchShape& over) {
    if (over.group != 0) under.group = over.group;
    for (const auto& [name, value] : over.set)
        under.set[name] = value;
    return under;
}

LaunchShape launch_shape(const Kernel& variant, const std::vector<std::string>& kinds) {
    LaunchShape shape;
    for (const std::string& kind : kinds)
        if (const auto found = variant.plan.shapes.find(kind); found != variant.plan.shapes.end())
            shape = layered(std::move(shape), found->second);
    return shape;
}

std::string text_of(const LaunchShape& shape) {
    std::string text = shape.group != 0 ? fmt::format("group={}", shape.group) : "";
    for (const auto& [name, value] : shape.set)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::vector<LaunchShape> neighbours(const Kernel& variant, const LaunchShape& shape,
                                    const std::string& name, std::uint64_t most) {
    std::vector<LaunchShape> shapes;
    if (name == kGroup) {
        for (const std::uint64_t group :
             {shape.group / 2, shape.group * 2, shape.group / 8, shape.group * 8}) {
            if (group == 0 || group > most) continue;
            shapes.push_back(shape);
            shapes.back().group = group;
        }
        return shapes;
    }
    const Toggle& toggle = *variant.toggle(name);
    const auto set = shape.set.find(name);
    const std::string& now = set == shape.set.end() ? toggle.values.front() : set->second;
    for (const std::string& value : toggle.values) {
        if (value == now) continue;
        shapes.push_back(shape);
        shapes.back().set[name] = value;
    }
    return shapes;
}

std::vector<GainStep> gain_steps(const Catalogue& catalogue) {
    std::vector<GainStep> steps;
    for (const Kernel& variant : catalogue.variants)
        if (!variant.gain.after.empty()) steps.push_back({variant.id, variant.gain});
    return steps;
}

const GainStep* find_step(std::span<const GainStep> steps, std::string_view id) {
    return find_if(steps, [&](const GainStep& step) { return step.id == id; });
}

std::vector<std::string> in_order(std::span<const GainStep> steps) {
    std::vector<std::string> texts;
    const auto add = [&](const auto& self, const std::string& id) -> void {
        texts.push_back(id);
        for (const GainStep& step : steps)
            if (step.gain.after == id) self(self, step.id);
    };
    std::set<std::string> begun;
    for (const GainStep& step : steps)
        if (find_step(steps, step.gain.after) == nullptr && begun.insert(step.gain.after).second)
            add(add, step.gain.after);
    return texts;
}

// The variants of a folder: those that can be read, and the problems of the others.

const Kernel* Catalogue::known(std::string_view id) const {
    return find_if(variants, [&](const Kernel& variant) { return variant.id == id; });
}

const Kernel& Catalogue::find(std::string_view id) const {
    if (const Kernel* variant = known(id)) return *variant;
    throw Problem(fmt::format("There is no variant '{}'", id), "",
                  choices_hint(id, mapped<std::string>(variants, &Kernel::id)));
}

Catalogue load_catalogue(const fs::path& folder) {
    Catalogue catalogue;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cl") continue;
        try {
            Kernel variant =
                parse_kernel(entry.path(), read_file(entry.path(), std::size_t{1} << 22));
            if (const Kernel* other = catalogue.known(variant.id))
                throw Problem(fmt::format("There are two variants '{}'", variant.id),
                              fmt::format("{} and {}", other->file.filename().string(),
                                          entry.path().filename().string()),
                              "Rename one of the files", entry.path().filename().string() + ":1");
            catalogue.variants.push_back(std::move(variant));
        } catch (const Problem& problem) {
            catalogue.problems.push_back(problem);
        }
    }
    if (error)
        throw Problem(fmt::format("The folder of kernels {} cannot be read", folder.string()),
                      error.message(), "Install the program again");
    sort(catalogue.variants, [](const Kernel& a, const Kernel& b) {
        return std::tie(a.chapter, a.order, a.id) < std::tie(b.chapter, b.order, b.id);
    });
    check_gains(catalogue);
    return catalogue;
}

Catalogue load_catalogue() {
    return load_catalogue(data_folder() / "kernels");
}

// Kernel files from elsewhere, which stand in the catalogue beside the program's own.

bool has_header(std::string_view text) {
    try {
        const Header header("", text);
        return header.find("entry") != nullptr;
    } catch (const Problem&) {
        // A header with a mistake in it is one all the same.
        const auto close = text.find("*/");
        return close != std::string_view::npos &&
               text.substr(0, close).find("entry:") != std::string_view::npos;
    }
}

Kernel parse_opened(const Catalogue& catalogue, const std::filesystem::path& file,
                    std::string text) {
    Kernel variant = parse_kernel(file, std::move(text));
    variant.chapter = kOpenedChapter;
    if (any_of(catalogue.variants, [&](const Kernel& other) {
            return other.id == variant.id && other.chapter != kOpenedChapter;
        }))
        variant.id += "-opened";
    if (const auto problem = problem_of_gain(catalogue, variant)) throw Problem(*problem);
    return variant;
}

void add_opened(Catalogue& catalogue, Kernel variant) {
    put_by(catalogue.variants, std::move(variant), [](const Kernel& each) { return each.id; });
}

}  // namespace lab::catalogue
