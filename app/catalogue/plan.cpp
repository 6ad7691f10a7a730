#include "catalogue/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "catalogue/header.h"

namespace lab::catalogue {
namespace {

using Kind = Argument::Kind;
using Fill = Argument::Fill;

constexpr std::size_t kMostLaunches = 10'000;
constexpr std::uint64_t kStandardGroup = 256;

bool has(const std::vector<Need>& needs, Need need) {
    return std::find(needs.begin(), needs.end(), need) != needs.end();
}

[[noreturn]] void bad_plan(const Variant& variant, std::string what, std::string why) {
    throw Problem(std::move(what), std::move(why), "Fix the header of the kernel file",
                  variant.file.filename().string(), Exit::kernel_fault);
}

// Whether a condition is about a variable.
bool names(const std::string& condition, std::string_view variable) {
    const auto is_part = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    for (std::size_t at = condition.find(variable); at != std::string::npos;
         at = condition.find(variable, at + 1)) {
        const std::size_t end = at + variable.size();
        if ((at == 0 || !is_part(condition[at - 1])) &&
            (end == condition.size() || !is_part(condition[end])))
            return true;
    }
    return false;
}

// Works the launches out one after another.
class Planner {
  public:
    Planner(const Variant& variant, const Shape& shape, std::uint64_t n, const Target& target)
        : variant_(variant), shape_(shape), count_(n) {
        for (const auto& [name, value] : toggle_settings(variant, shape))
            variables_[name] = variant.toggle(name)->number_of(value);
        for (const OpInfo& op : ops())
            variables_[op.name] = static_cast<std::int64_t>(op.op);
        variables_["op"] = static_cast<std::int64_t>(shape.op);
        variables_["floating"] = info(shape.type).floating ? 1 : 0;
        variables_["n"] = static_cast<std::int64_t>(n);
        variables_["units"] = static_cast<std::int64_t>(target.units);
        variables_["max_group"] = static_cast<std::int64_t>(target.max_group);
        variables_["kernel_group"] = static_cast<std::int64_t>(target.kernel_group);
        variables_["cpu"] = target.cpu ? 1 : 0;
        variables_["groups"] = 1;
        plan_.group = group(target);
        variables_["group"] = static_cast<std::int64_t>(plan_.group);
    }

    // What is at fault: the operator or the type, where the condition is about these, else the
    // shape.
    [[noreturn]] void throw_illegal(const Legal& legal) const {
        const std::string why = fmt::format("It asks for {}", legal.text);
        const std::string file = variant_.file.filename().string();
        if (names(legal.text, "op"))
            throw Problem(fmt::format("{} cannot reduce by {}", variant_.id, name_of(shape_.op)),
                          why, "Choose another operator, or a kernel without that limit", file);
        if (names(legal.text, "floating"))
            throw Problem(
                fmt::format("{} cannot reduce {} like this", variant_.id, info(shape_.type).name),
                why, "Choose another type, or a kernel without that limit", file);
        throw Problem(fmt::format("{} cannot reduce {} elements in groups of {}", variant_.id,
                                  count_, plan_.group),
                      why, "Choose another n or group, or a kernel without that limit", file);
    }

    Plan plan() {
        if (count_ > 0) {
            if (variant_.plan == PlanKind::per_pass)
                variables_[variant_.pass.name] = variant_.pass.first(variables_);
            count_groups();
        }
        for (const Legal& legal : variant_.legal)
            if (legal.condition(variables_) == 0) throw_illegal(legal);
        if (count_ == 0) return std::move(plan_);
        expect();
        switch (variant_.plan) {
            case PlanKind::once:
                launch({});
                break;
            case PlanKind::per_pass:
                passes();
                break;
            case PlanKind::partials:
                partials();
                break;
            case PlanKind::iterate:
                plan_.rounds = positive(variant_.rounds, "rounds");
                launch({});
                break;
        }
        if (!variant_.stuck.empty() && !plan_.launches.empty())
            plan_.stuck = buffer(variant_.stuck);
        return std::move(plan_);
    }

  private:
    std::uint64_t group(const Target& target) const {
        if (shape_.group != 0) return shape_.group;
        if (variant_.group.empty())
            return std::min<std::uint64_t>(kStandardGroup,
                                           std::min(target.max_group, target.kernel_group));
        return positive(variant_.group, "group");
    }

    void count_groups() {
        const std::uint64_t local = positive(variant_.local, "local");
        const std::uint64_t global = positive(variant_.global, "global");
        if (global % local != 0)
            bad_plan(variant_,
                     fmt::format("The global size {} is no multiple of the local size {}", global,
                                 local),
                     fmt::format("global: {}, local: {}", variant_.global.text(),
                                 variant_.local.text()));
        variables_["groups"] = static_cast<std::int64_t>(global / local);
    }

    void expect() {
        const Expectation& expectation = variant_.expect;
        plan_.expect = expectation.kind;
        if (expectation.kind == Expect::races && !expectation.when.empty() &&
            expectation.when(variables_) == 0)
            plan_.expect = Expect::correct;
        if (expectation.kind != Expect::partial) return;
        plan_.every = positive(variant_.every, "every");
    }

    void passes() {
        const PassLoop& loop = variant_.pass;
        std::int64_t value = loop.first(variables_);
        for (variables_[loop.name] = value; loop.condition(variables_) != 0;
             variables_[loop.name] = value) {
            launch(fmt::format("{} = {}", loop.name, value));
            value = loop.next(variables_);
        }
        if (plan_.launches.empty()) make_buffers();
        plan_.result = buffer(variant_.result);
    }

    void partials() {
        plan_.buffers.push_back({"input", {}, count_, Fill::input, reads_only(), false, 0});
        running_ = 0;
        plan_.result = running_;
        while (count_ > 1) {
            launch({});
            const std::uint64_t groups = plan_.launches.back().global / plan_.launches.back().local;
            if (groups >= count_)
                bad_plan(variant_, fmt::format("A launch turns {} values into {}", count_, groups),
                         "The plan 'partials' never ends that way");
            count_ = groups;
            plan_.launches.back().shows_count = count_;
            variables_["n"] = static_cast<std::int64_t>(count_);
            running_ = buffer(variant_.result);
            plan_.result = running_;
        }
    }

    // Appends a launch of the variables as they are now.
    void launch(std::string words) {
        if (plan_.launches.size() == kMostLaunches)
            bad_plan(variant_, fmt::format("The plan has more than {} launches", kMostLaunches),
                     "Its loop does not end");
        Launch result;
        result.variables = std::move(words);
        count_groups();
        result.local = positive(variant_.local, "local");
        result.global = positive(variant_.global, "global");
        if (variant_.plan == PlanKind::partials) {
            names_.clear();
            make_buffers();
        } else if (plan_.launches.empty()) {
            make_buffers();
        }
        for (const Argument& argument : variant_.arguments) {
            PlannedArgument bound;
            bound.kind = argument.kind;
            bound.type = argument.type;
            if (argument.kind == Kind::buffer) bound.buffer = buffer(argument.name);
            if (argument.kind == Kind::local) bound.count = positive(argument.count, "args");
            if (argument.kind == Kind::scalar) bound.value = argument.value(variables_);
            result.arguments.push_back(bound);
        }
        result.shows = buffer(variant_.result);
        result.shows_count = plan_.buffers[result.shows].count;
        plan_.result = result.shows;
        plan_.depth +=
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, variant_.depth(variables_)));
        plan_.launches.push_back(std::move(result));
    }

    std::uint64_t positive(const Expression& expression, const char* key) const {
        const std::int64_t value = expression(variables_);
        if (value <= 0)
            bad_plan(variant_, fmt::format("The header's key '{}' gives {}", key, value),
                     fmt::format("'{}' must be 1 or more", expression.text()));
        return static_cast<std::uint64_t>(value);
    }

    void make_buffers() {
        for (const Argument& argument : variant_.arguments) {
            if (argument.kind != Kind::buffer) continue;
            if (argument.fill == Fill::values) {
                names_[argument.name] = running_;
                continue;
            }
            PlannedBuffer buffer;
            buffer.name = argument.name;
            buffer.type = argument.type;
            buffer.count = positive(argument.count, "args");
            buffer.fill = argument.fill;
            buffer.constant = argument.constant;
            buffer.once = argument.once;
            if (argument.fill == Fill::number) buffer.number = argument.value(variables_);
            names_[argument.name] = plan_.buffers.size();
            plan_.buffers.push_back(std::move(buffer));
        }
    }

    // Whether the kernel leaves the values alone that it is given.
    bool reads_only() const {
        return std::all_of(variant_.arguments.begin(), variant_.arguments.end(),
                           [](const Argument& argument) {
                               return argument.fill != Fill::values || argument.constant;
                           });
    }

    std::size_t buffer(const std::string& name) const { return names_.at(name); }

    const Variant& variant_;
    const Shape& shape_;
    std::uint64_t count_;
    Variables variables_;
    std::map<std::string, std::size_t> names_;
    std::size_t running_ = 0;  // the buffer of the values so far, in the plan `partials`
    Plan plan_;
};

}  // namespace

std::map<std::string, std::string> toggle_settings(const Variant& variant, const Shape& shape) {
    std::map<std::string, std::string> chosen;
    for (const Toggle& toggle : variant.toggles)
        chosen[toggle.name] = toggle.values.front();
    for (const auto& [name, value] : shape.set) {
        const Toggle* toggle = variant.toggle(name);
        if (toggle == nullptr) {
            std::vector<std::string> names;
            for (const Toggle& known : variant.toggles)
                names.push_back(known.name);
            throw Problem(fmt::format("{} has no toggle '{}'", variant.id, name), "",
                          names.empty() ? "This variant has no toggles"
                                        : fmt::format("Its toggles: {}", fmt::join(names, ", ")),
                          fmt::format("--set {}={}", name, value));
        }
        (void)toggle->number_of(value);  // throws for an unknown value
        chosen[name] = value;
    }
    return chosen;
}

Plan make_plan(const Variant& variant, const Shape& shape, std::uint64_t n, const Target& target) {
    try {
        return Planner(variant, shape, n, target).plan();
    } catch (const Problem& problem) {
        if (!problem.where.empty()) throw;
        bad_plan(variant, problem.what_happened, problem.why);  // an expression of the header
    }
}

Shape small_shape(const Variant& variant, Shape shape, std::uint64_t n, const Target& target) {
    constexpr std::uint64_t kSmallGroup = 4;
    if (shape.group != 0) return shape;
    shape.group = kSmallGroup;
    try {
        (void)make_plan(variant, shape, n, target);
    } catch (const Problem&) {
        shape.group = 0;
    }
    return shape;
}

std::vector<Need> needs_of(const Variant& variant, const Shape& shape) {
    Variables variables;
    for (const auto& [name, value] : toggle_settings(variant, shape))
        variables[name] = variant.toggle(name)->number_of(value);
    std::vector<Need> needs;
    for (const Needed& needed : variant.needs)
        if (needed.when.empty() || needed.when(variables) != 0) needs.push_back(needed.need);
    return needs;
}

KernelText kernel_text(const Variant& variant, const Shape& shape,
                       const std::optional<std::string>& element) {
    KernelText text;
    text.macros = element ? *element : element_macros(shape.op, shape.type);
    text.needs = needs_of(variant, shape);
    if (!element && has(text.needs, Need::atomics)) text.macros += atomic_macros(shape.type);
    for (const auto& [name, value] : toggle_settings(variant, shape))
        text.macros += fmt::format("#define {} {}\n", name, variant.toggle(name)->number_of(value));
    text.text = variant.text;
    text.macro_lines = static_cast<int>(std::count(text.macros.begin(), text.macros.end(), '\n'));
    const bool opened = variant.chapter == kOpenedChapter;
    text.file = (opened ? "" : "kernels/") + variant.file.filename().string();
    return text;
}

}  // namespace lab::catalogue
