#include "catalogue/variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/problem.h"
#include "catalogue/gain.h"
#include "catalogue/header.h"
#include "catalogue/launch_shape.h"

namespace lab::catalogue {
namespace {

constexpr std::array kExpectations{"correct", "partial", "races"};
constexpr std::string_view kCoResident = "correct if co-resident";
constexpr std::array kNeeds{"sub-groups", "group-collectives", "atomics", "ptx"};

// Reads the keys of one header into a variant.
class VariantReader {
  public:
    VariantReader(Variant& into, const Header& header) : into_(into), header_(header) {}

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
        into_.global = expression(header_.need("global"), header_.need("global").value);
        into_.local = expression(header_.need("local"), header_.need("local").value);
        read_arguments(header_.need("args"));
        read_result(header_.need("result"));
        if (const HeaderLine* line = header_.find("group"))
            into_.group = expression(*line, line->value);
        if (const HeaderLine* line = header_.find("needs")) read_needs(*line);
        if (const HeaderLine* line = header_.find("stuck")) read_stuck(*line);
        into_.depth = expression(header_.need("depth"), header_.need("depth").value);
        for (const HeaderLine& line : header_.all("legal"))
            into_.legal.push_back({expression(line, line.value), line.value});
        read_expectation(header_.need("expect"));
        if (const HeaderLine* line = header_.find("pair")) read_pair(*line);
        if (const HeaderLine* line = header_.find("pair")) read_pair(*line);
        read_launch_shapes(header_, into_);
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
        if (std::find(known_.begin(), known_.end(), toggle.name) != known_.end() &&
            into_.toggle(toggle.name) == nullptr)
            refuse(line, fmt::format("'{}' has a meaning already", toggle.name),
                   "Choose another name");
        check_name(line, toggle.name);
        known_.push_back(toggle.name);
        into_.toggles.push_back(std::move(toggle));
    }

    void read_plan(const HeaderLine& line) {
        if (line.value == "once") {
            into_.plan = PlanKind::once;
        } else if (line.value == "partials") {
            into_.plan = PlanKind::partials;
        } else if (line.value == "per-pass") {
            into_.plan = PlanKind::per_pass;
            read_pass(header_.need("pass"));
        } else if (line.value == "iterate") {
            into_.plan = PlanKind::iterate;
            into_.rounds = expression(header_.need("rounds"), header_.need("rounds").value);
        } else {
            refuse(line, fmt::format("'{}' is no launch plan", line.value),
                   "Choose one of: once, per-pass, partials, iterate");
        }
    }

    void read_pass(const HeaderLine& line) {
        const auto parts = split(line.value, ';');
        const auto first = split(parts[0], '=');
        if (parts.size() != 3 || first.size() != 2 || !is_name(first[0]))
            refuse(line, "", "Write a loop: span = 2; span < 2 * n; span * 2");
        into_.pass.name = first[0];
        into_.pass.first = expression(line, first[1]);
        known_.push_back(first[0]);
        into_.pass.condition = expression(line, parts[1]);
        into_.pass.next = expression(line, parts[2]);
    }

    void read_arguments(const HeaderLine& line) {
        for (const std::string& part : split(line.value, ',', true))
            read_argument(line, part);
        check_inputs(line);
    }

    // The elements come in once: by `= values` in the plan partials, by `= input` else.
    void check_inputs(const HeaderLine& line) const {
        using FillKind = Argument::Fill;
        int values = 0, written = 0;
        for (const Argument& argument : into_.arguments) {
            if (argument.fill == FillKind::values) ++values;
            if (argument.fill == FillKind::input && !argument.constant) ++written;
            if ((argument.fill == FillKind::input || argument.fill == FillKind::values) &&
                (argument.type || argument.count.text() != "n"))
                refuse(line, fmt::format("'{}' takes the elements", argument.name),
                       "There are n of them, of type T: write T[n]");
        }
        const bool partials = into_.plan == PlanKind::partials;
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
        if (std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end())
            refuse(line, fmt::format("'{}' has a meaning already", name), "Choose another name");
        if (std::find(names_.begin(), names_.end(), name) != names_.end())
            refuse(line, fmt::format("'{}' is there twice", name), "Choose another name");
        names_.push_back(name);
    }

    // name: type | name: type = value | name: [const] type[count] = fill | name: local type[count]
    void read_argument(const HeaderLine& line, const std::string& part) {
        const char* form = "Write name: T[n] = input, name: uint = n, or name: local T[group]";
        const auto colon = part.find(':');
        if (colon == std::string::npos) refuse(line, fmt::format("'{}' has no type", part), form);
        Argument argument;
        argument.name = trimmed(part.substr(0, colon));
        std::string rest(trimmed(part.substr(colon + 1)));
        std::string value;
        if (const auto equals = rest.find('='); equals != std::string::npos) {
            value = trimmed(rest.substr(equals + 1));
            rest = trimmed(rest.substr(0, equals));
        }
        if (rest.starts_with("local ")) {
            argument.kind = Argument::Kind::local;
            rest = trimmed(rest.substr(6));
        } else if (rest.starts_with("const ")) {
            argument.constant = true;
            rest = trimmed(rest.substr(6));
        }
        if (const auto bracket = rest.find('['); bracket != std::string::npos) {
            if (!rest.ends_with(']'))
                refuse(line, fmt::format("']' is missing in '{}'", part), form);
            if (argument.kind != Argument::Kind::local) argument.kind = Argument::Kind::buffer;
            argument.count = expression(line, rest.substr(bracket + 1, rest.size() - bracket - 2));
            rest = trimmed(rest.substr(0, bracket));
        } else if (argument.kind == Argument::Kind::local) {
            refuse(line, fmt::format("'{}' has no size", part), form);
        }
        if (!is_name(argument.name))
            refuse(line, fmt::format("'{}' is no name", argument.name), form);
        check_name(line, argument.name);
        if (rest != "T") argument.type = element_type(line, rest);
        read_value(line, argument, value);
        into_.arguments.push_back(std::move(argument));
    }

    static Type element_type(const HeaderLine& line, const std::string& name) {
        try {
            return parse_type(name);
        } catch (const Problem& problem) {
            refuse(line, problem.what_happened, problem.hint + ", or T");
        }
    }

    void read_value(const HeaderLine& line, Argument& argument, std::string value) const {
        using FillKind = Argument::Fill;
        if (constexpr std::string_view kOnce = " once"; value.ends_with(kOnce)) {
            argument.once = true;
            value.resize(value.size() - kOnce.size());
        }
        if (argument.kind == Argument::Kind::scalar) {
            argument.value = expression(line, value.empty() ? argument.name : value);
        } else if (argument.kind == Argument::Kind::local) {
            if (!value.empty())
                refuse(line, "Local memory has no value before the kernel runs", "");
        } else if (value == "input") {
            argument.fill = FillKind::input;
        } else if (value == "values") {
            argument.fill = FillKind::values;
        } else if (value == "identity") {
            argument.fill = FillKind::identity;
        } else if (!value.empty()) {
            argument.fill = FillKind::number;
            argument.value = expression(line, value);
        }
    }

    void read_result(const HeaderLine& line) {
        into_.result = line.value;
        for (const Argument& argument : into_.arguments)
            if (argument.name == line.value && argument.kind == Argument::Kind::buffer &&
                !argument.type)
                return;
        refuse(line, fmt::format("'{}' is none of the buffers of T in args", line.value),
               "Name the buffer whose first element is the result");
    }

    // "atomics, sub-groups when WARP=subgroup"
    void read_needs(const HeaderLine& line) {
        const char* form = "Write sub-groups, or sub-groups when NAME=VALUE";
        for (const std::string& part : split(line.value, ',')) {
            const auto when = part.find(" when ");
            const std::string word(trimmed(part.substr(0, when)));
            const auto* found = std::find_if(kNeeds.begin(), kNeeds.end(),
                                             [&](const char* name) { return word == name; });
            if (found == kNeeds.end())
                refuse(line, fmt::format("'{}' is nothing that a device can have", word),
                       fmt::format("Choose of: {}", fmt::join(kNeeds, ", ")));
            Needed needed{static_cast<Need>(found - kNeeds.begin()), {}, part};
            if (when != std::string::npos)
                needed.when = expression(line, condition(line, part.substr(when + 6), form));
            into_.needs.push_back(std::move(needed));
        }
    }

    void read_stuck(const HeaderLine& line) {
        into_.stuck = line.value;
        for (const Argument& argument : into_.arguments)
            if (argument.name == line.value && argument.kind == Argument::Kind::buffer &&
                argument.type == Type::uint_)
                return;
        refuse(line, fmt::format("'{}' is no uint buffer in args", line.value),
               "Name the buffer that the kernel sets once a spin gives up");
    }

    void read_expectation(const HeaderLine& line) {
        const char* form =
            "Write correct, correct if co-resident, partial, races, or races when CONDITION, as "
            "'races when BARRIER=none "
            "or groups > 1'";
        into_.expect.text = line.value;
        std::string_view rest = line.value;
        if (rest == "correct") return;
        if (rest.starts_with(kCoResident)) {
            into_.expect.co_resident = true;
            rest = trimmed(rest.substr(kCoResident.size()));
            if (rest.empty()) return;
            if (!rest.starts_with("; ")) refuse(line, "", form);
            rest = trimmed(rest.substr(2));
        }
        if (rest == "partial") {
            into_.expect.kind = Expect::partial;
            into_.every = expression(header_.need("every"), header_.need("every").value);
            return;
        }
        if (!rest.starts_with("races")) refuse(line, "", form);
        into_.expect.kind = Expect::races;
        rest = trimmed(rest.substr(5));
        if (rest.empty()) return;
        if (!rest.starts_with("when ")) refuse(line, "", form);
        into_.expect.when = expression(line, condition(line, rest.substr(5), form));
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
        if (toggle == nullptr || std::find(toggle->values.begin(), toggle->values.end(),
                                           sides[1]) == toggle->values.end())
            refuse(line, fmt::format("'{}' is no toggle and value of this file", part), form);
        return fmt::format("{} {} {}", toggle->name,
                           differs ? "!=" : "==", toggle->number_of(sides[1]));
    }

    Variant& into_;
    const Header& header_;
    std::vector<std::string> names_;  // of toggles and arguments
    std::vector<std::string> known_ = {
        "n",  "group", "groups", "units", "max_group", "kernel_group", "cpu",
        "op", "add",   "min",    "max",   "product",   "floating"};
};

}  // namespace

const char* name_of(Expect expect) {
    return kExpectations[static_cast<std::size_t>(expect)];
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

const Toggle* Variant::toggle(std::string_view name) const {
    const auto found = std::find_if(toggles.begin(), toggles.end(),
                                    [&](const Toggle& of) { return of.name == name; });
    return found == toggles.end() ? nullptr : &*found;
}

Variant parse_variant(const std::filesystem::path& file, std::string text) {
    Variant variant;
    variant.file = file;
    variant.id = file.stem().string();
    std::replace(variant.id.begin(), variant.id.end(), '_', '-');
    const Header header(file.filename().string(), text);
    VariantReader(variant, header).read();
    variant.text = std::move(text);
    return variant;
}

}  // namespace lab::catalogue
