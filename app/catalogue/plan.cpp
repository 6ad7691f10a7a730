#include "catalogue/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/form.h"
#include "lang/code.h"

namespace lab::catalogue {
namespace {

using Kind = ArgumentPlan::Kind;
using Fill = ArgumentPlan::Fill;

constexpr std::size_t kMostLaunches = 10'000;  // launches of a job; more are refused
constexpr std::uint64_t kStandardGroup = 256;

[[noreturn]] void bad_plan(const Kernel& variant, std::string what, std::string why) {
    throw Problem(std::move(what), std::move(why), "Fix the header of the kernel file",
                  variant.file.filename().string(), Exit::kernel_fault);
}

// Works the launches out one after another.
class Planner {
  public:
    Planner(const Kernel& variant, const Shape& shape, std::uint64_t n, const Target& target,
            const CompiledKernel& code)
        : variant_(variant), shape_(shape), code_(code), count_(n) {
        job_.n = n;
        job_.expect = Expect::correct;
        job_.op = shape.op;
        job_.type = shape.type;
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
        job_.group = group(target);
        variables_["group"] = static_cast<std::int64_t>(job_.group);
    }

    // What is at fault: the operator or the type, where the condition is about these, else the
    // shape.
    [[noreturn]] void throw_illegal(const Legal& legal) const {
        const std::string why = fmt::format("It asks for {}", legal.text);
        const std::string file = variant_.file.filename().string();
        if (find_word(legal.text, "op") != std::string::npos)
            throw Problem(fmt::format("{} cannot reduce by {}", variant_.id, name_of(shape_.op)),
                          why, "Choose another operator, or a kernel without that limit", file);
        if (find_word(legal.text, "floating") != std::string::npos)
            throw Problem(
                fmt::format("{} cannot reduce {} like this", variant_.id, info(shape_.type).name),
                why, "Choose another type, or a kernel without that limit", file);
        throw Problem(fmt::format("{} cannot reduce {} elements in groups of {}", variant_.id,
                                  count_, job_.group),
                      why, "Choose another n or group, or a kernel without that limit", file);
    }

    Job job() {
        if (count_ > 0) {
            if (variant_.plan.kind == PlanKind::per_pass)
                variables_[variant_.plan.pass.name] = variant_.plan.pass.first(variables_);
            count_groups();
        }
        for (const Legal& legal : variant_.plan.legal)
            if (legal.condition(variables_) == 0) throw_illegal(legal);
        check_elements();
        check_arguments();
        if (count_ == 0) return std::move(job_);
        expect();
        switch (variant_.plan.kind) {
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
                job_.rounds = positive(variant_.plan.rounds, "rounds");
                launch({});
                break;
        }
        if (!variant_.plan.stuck.empty() && !job_.launches.empty())
            job_.stuck = buffer(variant_.plan.stuck);
        const Buffer* first =
            find_if(job_.buffers, [](const Buffer& each) { return each.takes_elements; });
        job_.start = first == nullptr ? job_.result.value_or(0)
                                      : static_cast<std::size_t>(first - job_.buffers.data());
        if (job_.rounds > 0 && job_.result) job_.buffers[*job_.result].is_input = true;
        return std::move(job_);
    }

  private:
    std::uint64_t group(const Target& target) const {
        if (shape_.group != 0) return shape_.group;
        if (variant_.plan.group.empty())
            return std::min({kStandardGroup, target.max_group, target.kernel_group});
        return positive(variant_.plan.group, "group");
    }

    void count_groups() {
        const std::uint64_t local = positive(variant_.plan.local, "local");
        const std::uint64_t global = positive(variant_.plan.global, "global");
        if (global % local != 0)
            bad_plan(variant_,
                     fmt::format("The global size {} is no multiple of the local size {}", global,
                                 local),
                     fmt::format("global: {}, local: {}", variant_.plan.global.text(),
                                 variant_.plan.local.text()));
        variables_["groups"] = static_cast<std::int64_t>(global / local);
    }

    void expect() {
        const Expectation& expectation = variant_.plan.expect;
        job_.expect = expectation.kind;
        if (expectation.kind == Expect::races && !expectation.when.empty() &&
            expectation.when(variables_) == 0)
            job_.expect = Expect::correct;
        if (expectation.kind != Expect::partial) return;
        job_.every = positive(variant_.plan.every, "every");
    }

    void passes() {
        const PassLoop& loop = variant_.plan.pass;
        std::int64_t value = loop.first(variables_);
        for (variables_[loop.name] = value; loop.condition(variables_) != 0;
             variables_[loop.name] = value) {
            launch(fmt::format("{} = {}", loop.name, value));
            value = loop.next(variables_);
        }
        if (job_.launches.empty()) make_buffers();
        job_.result = buffer(variant_.plan.result);
    }

    void partials() {
        job_.buffers.push_back(buffer_of("input", {}, count_));
        job_.buffers.back().takes_elements = job_.buffers.back().is_input = true;
        job_.buffers.back().constant =
            all_of(variant_.plan.arguments, [](const ArgumentPlan& argument) {
                return argument.fill != Fill::values || argument.constant;
            });
        running_ = 0;
        job_.result = running_;
        while (count_ > 1) {
            launch({});
            const std::uint64_t groups = job_.launches.back().range.groups();
            if (groups >= count_)
                bad_plan(variant_, fmt::format("A launch turns {} values into {}", count_, groups),
                         "The plan 'partials' never ends that way");
            count_ = groups;
            job_.launches.back().shows_count = count_;
            variables_["n"] = static_cast<std::int64_t>(count_);
            running_ = buffer(variant_.plan.result);
            job_.result = running_;
        }
    }

    // Appends a launch of the variables as they are now.
    void launch(std::string words) {
        if (job_.launches.size() == kMostLaunches)
            bad_plan(variant_, fmt::format("The plan has more than {} launches", kMostLaunches),
                     "Its loop does not end");
        Launch result;
        result.variables = std::move(words);
        count_groups();
        result.code = code_;
        result.range = {positive(variant_.plan.global, "global"),
                        positive(variant_.plan.local, "local")};
        if (variant_.plan.kind == PlanKind::partials) {
            names_.clear();
            make_buffers();
        } else if (job_.launches.empty()) {
            make_buffers();
        }
        for (const ArgumentPlan& argument : variant_.plan.arguments)
            result.arguments.push_back(argument_of(argument));
        result.shows = buffer(variant_.plan.result);
        result.shows_count = job_.buffers[result.shows].cells();
        job_.result = result.shows;
        const std::int64_t depth = variant_.plan.depth(variables_);
        if (depth < 0)
            bad_plan(variant_, fmt::format("The header's key 'depth' gives {}", depth),
                     "It counts combinations: 0 or more");
        job_.depth += static_cast<std::uint64_t>(depth);
        job_.launches.push_back(std::move(result));
    }

    std::uint64_t positive(const Expression& expression, const char* key) const {
        const std::int64_t value = expression(variables_);
        if (value <= 0)
            bad_plan(variant_, fmt::format("The header's key '{}' gives {}", key, value),
                     fmt::format("'{}' must be 1 or more", expression.text()));
        return static_cast<std::uint64_t>(value);
    }

    Buffer buffer_of(const std::string& name, std::optional<Type> given,
                     std::uint64_t count) const {
        const Type type = given.value_or(shape_.type);
        Buffer buffer;
        buffer.name = name;
        buffer.element = scalar_of(type);
        buffer.element_bytes = info(type).bytes;
        buffer.bytes = count * info(type).bytes;
        return buffer;
    }

    Values number_of(const ArgumentPlan& argument, Type type) const {
        const std::int64_t value = argument.value(variables_);
        const lang::ScalarInfo& scalar = lang::info(scalar_of(type));
        const bool fits = scalar.floating || scalar.bytes == 8
                              ? scalar.is_signed || value >= 0
                              : static_cast<std::int64_t>(lang::canonical(
                                    scalar_of(type), static_cast<std::uint64_t>(value))) == value;
        if (!fits)
            bad_plan(variant_,
                     fmt::format("The header's key 'args' gives {} for '{}'", value, argument.name),
                     fmt::format("It does not fit the type {}", info(type).name));
        return one_value(type, value);
    }

    // What the header says of the kernel's arguments.
    void check_arguments() const {
        const auto& arguments = variant_.plan.arguments;
        if (!code_) return;
        for (std::size_t i = 0; i < std::min(arguments.size(), code_->parameters.size()); ++i) {
            const lang::Parameter& has = code_->parameters[i];
            const Type type = arguments[i].type.value_or(shape_.type);
            const lang::ScalarInfo &own = lang::info(has.type), &said = lang::info(scalar_of(type));
            const bool value = arguments[i].kind == Kind::scalar;
            if (value && (own.bytes != said.bytes || own.floating != said.floating))
                bad_plan(variant_,
                         fmt::format("The header has '{}' as {}, the kernel as {}", has.name,
                                     info(type).name, has.type_name),
                         "What the host passes must be what the kernel takes");
        }
    }

    // A text that does not name its elements T is for one type, or for those of its size.
    void check_elements() const {
        const std::string& text = variant_.text;
        if (find_word(text, "T", text.find("*/")) != std::string::npos) return;
        CompiledKernel code = code_;
        try {
            if (!code) code = compile(variant_, shape_);
        } catch (const Problem&) {  // a device may take it
            return;
        }
        const TypeInfo& asked = info(shape_.type);
        const auto& arguments = variant_.plan.arguments;
        for (std::size_t i = 0; i < std::min(arguments.size(), code->parameters.size()); ++i) {
            const lang::Parameter& has = code->parameters[i];
            const lang::ScalarInfo& element = lang::info(has.type);
            if (arguments[i].kind == Kind::scalar || arguments[i].type ||
                element.bytes == 1 ||  // a structure's
                (element.bytes == asked.bytes && element.floating == asked.floating))
                continue;
            throw Problem(fmt::format("{} cannot reduce {} like this", variant_.id, asked.name),
                          fmt::format("Its argument '{}' is a {}", has.name, has.type_name),
                          "Choose another type, or a kernel without that limit",
                          variant_.file.filename().string());
        }
    }

    Argument argument_of(const ArgumentPlan& planned) const {
        const Type type = planned.type.value_or(shape_.type);
        Argument argument;
        switch (planned.kind) {
            case Kind::buffer:
                argument.kind = Argument::Kind::buffer;
                argument.buffer = buffer(planned.name);
                break;
            case Kind::local:
                argument.kind = Argument::Kind::local;
                argument.bytes = positive(planned.count, "args") * info(type).bytes;
                break;
            case Kind::scalar: {
                argument.value = bytes_in(number_of(planned, type));
                std::uint64_t bits = 0;
                std::memcpy(&bits, argument.value.data(), argument.value.size());
                argument.components = {lang::canonical(scalar_of(type), bits)};
                break;
            }
        }
        return argument;
    }

    void make_buffers() {
        for (const ArgumentPlan& argument : variant_.plan.arguments) {
            if (argument.kind != Kind::buffer) continue;
            if (argument.fill == Fill::values) {
                names_[argument.name] = running_;
                continue;
            }
            const Type type = argument.type.value_or(shape_.type);
            Buffer buffer =
                buffer_of(argument.name, argument.type, positive(argument.count, "args"));
            buffer.takes_elements = buffer.is_input = argument.fill == Fill::input;
            buffer.constant = argument.constant;
            buffer.once = argument.once;
            buffer.guessed = argument.guessed;
            if (argument.fill == Fill::identity)
                buffer.pattern = bytes_in(identity(shape_.op, type));
            if (argument.fill == Fill::number) buffer.pattern = bytes_in(number_of(argument, type));
            names_[argument.name] = job_.buffers.size();
            job_.buffers.push_back(std::move(buffer));
        }
    }

    std::size_t buffer(const std::string& name) const { return names_.at(name); }

    const Kernel& variant_;
    const Shape& shape_;
    const CompiledKernel& code_;
    std::uint64_t count_;
    Variables variables_;
    std::map<std::string, std::size_t> names_;
    std::size_t running_ = 0;  // the buffer of the values so far, in the plan `partials`
    Job job_;
};

}  // namespace

std::map<std::string, std::string> toggle_settings(const Kernel& variant, const Shape& shape) {
    std::map<std::string, std::string> chosen;
    for (const Toggle& toggle : variant.toggles)
        chosen[toggle.name] = toggle.values.front();
    for (const auto& [name, value] : shape.set) {
        const Toggle* toggle = variant.toggle(name);
        if (toggle == nullptr) {
            auto names = mapped<std::string>(variant.toggles, &Toggle::name);
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

Job plan_job(const Kernel& kernel, const Shape& shape, std::uint64_t n, const Target& target,
             const CompiledKernel& code) {
    if (kernel.by_form()) return form_job(*kernel.plan.form, code ? code : compile(kernel, shape));
    try {
        return Planner(kernel, shape, n, target, code).job();
    } catch (const Problem& problem) {
        if (!problem.where.empty()) throw;
        bad_plan(kernel, problem.what_happened, problem.why);  // an expression of the header
    }
}

void fill(Job& job, const Values& input) {
    for (Buffer& buffer : job.buffers) {
        if (buffer.takes_elements) buffer.initial = bytes_in(input);
        if (buffer.pattern.empty()) continue;
        buffer.initial.clear();
        buffer.initial.reserve(buffer.bytes);
        while (buffer.initial.size() < buffer.bytes)
            buffer.initial.insert(buffer.initial.end(), buffer.pattern.begin(),
                                  buffer.pattern.end());
    }
}

std::uint64_t default_budget(const Job& job) {
    std::uint64_t budget = 4'000'000;
    for (const Launch& launch : job.launches)
        budget += 1000 * launch.range.items();
    return budget;
}

std::vector<bool> written_buffers(const Job& job) {
    std::vector<bool> written(job.buffers.size());
    for (const Launch& launch : job.launches)
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            if (launch.arguments[i].kind == Argument::Kind::buffer &&
                !launch.code->parameters[i].read_only)
                written[launch.arguments[i].buffer] = true;
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        if (job.buffers[i].of_program) written[i] = true;
    return written;
}

const char* name_of(Expect expect) {
    constexpr std::array kExpectations{"correct", "partial", "races", "unknown", "nothing"};
    return kExpectations[static_cast<std::size_t>(expect)];
}

Scalar scalar_of(Type type) {
    static constexpr std::array<Scalar, 6> kScalars{Scalar::int_,  Scalar::uint,   Scalar::long_,
                                                    Scalar::ulong, Scalar::float_, Scalar::double_};
    return kScalars[static_cast<std::size_t>(type)];
}

std::vector<std::byte> bytes_in(const Values& values) {
    std::vector<std::byte> bytes(count_of(values) * info(type_of(values)).bytes);
    if (!bytes.empty()) std::memcpy(bytes.data(), bytes_of(values), bytes.size());
    return bytes;
}

Shape small_shape(const Kernel& variant, Shape shape, std::uint64_t n, const Target& target) {
    constexpr std::uint64_t kSmallGroup = 4;
    if (shape.group != 0 || variant.by_form()) return shape;
    // Else the usual one, or, of a kernel of one group, that of all elements.
    for (const std::uint64_t group : {kSmallGroup, std::uint64_t{0}, n}) {
        shape.group = group;
        try {
            (void)plan_job(variant, shape, n, target);
            return shape;
        } catch (const Problem&) {  // not launched in such groups
        }
    }
    shape.group = 0;
    return shape;
}

std::vector<Need> needs_of(const Kernel& kernel, const Shape& shape) {
    std::vector<Need> needs;
    if (kernel.by_form()) {  // newer functions need a newer language
        if (kernel.text.find("sub_group_") != std::string::npos) needs.push_back(Need::sub_groups);
        if (kernel.text.find("work_group_reduce_") != std::string::npos)
            needs.push_back(Need::group_collectives);
        return needs;
    }
    Variables variables;
    for (const auto& [name, value] : toggle_settings(kernel, shape))
        variables[name] = kernel.toggle(name)->number_of(value);
    for (const Needed& needed : kernel.needs)
        if (needed.when.empty() || needed.when(variables) != 0) needs.push_back(needed.need);
    return needs;
}

lang::Text text_of(const Kernel& kernel, const Shape& shape,
                   const std::optional<std::string>& element) {
    if (kernel.by_form()) return text_of(*kernel.plan.form);
    lang::Text text;
    text.macros = element         ? *element
                  : kernel.macros ? *kernel.macros
                                  : element_macros(shape.op, shape.type);
    if (!element && !kernel.macros && contains(needs_of(kernel, shape), Need::atomics))
        text.macros += atomic_macros(shape.type);
    for (const auto& [name, value] : toggle_settings(kernel, shape))
        text.macros += fmt::format("#define {} {}\n", name, kernel.toggle(name)->number_of(value));
    text.text = kernel.text;
    const std::filesystem::path folder = kernel.file.parent_path().filename();
    text.name = kernel.chapter == kOpenedChapter ? kernel.file.filename().string()
                : folder == "kernels"            ? (folder / kernel.file.filename()).string()
                                                 : kernel.file.string();
    return text;
}

// What a host's program defines is named at once, with values that do.
[[noreturn]] static void miss_macros(const std::vector<lang::HostMacro>& macros,
                                     const lang::Text& text) {
    std::vector<std::string> names, options;
    for (const lang::HostMacro& macro : macros) {
        names.push_back(macro.name);
        options.push_back("--set " + lang::option_of(macro));
    }
    const lang::Place& place = macros.front().place;
    throw Problem(
        fmt::format("The text needs macros that its host program defines: {}",
                    fmt::join(names, ", ")),
        "The host passes them as -D options when it builds the text",
        fmt::format("Write {}, with the values that the host gives", fmt::join(options, " ")),
        place.file == lang::kTextFile ? fmt::format("{}:{}:{}", text.name, place.line, place.column)
                                      : std::string(),
        Exit::kernel_fault);
}

CompiledKernel compile(const Kernel& kernel, const Shape& shape) {
    const lang::Text text = text_of(kernel, shape);
    lang::Compiled compiled = lang::compile(text, kernel.entry);
    if (compiled.code) return std::make_shared<const lang::Code>(std::move(*compiled.code));
    if (kernel.by_form())
        if (const auto macros = lang::host_macros(text, kernel.entry); !macros.empty())
            miss_macros(macros, text);
    throw lang::problem_of(compiled.diagnostics, compiled.sources);
}

}  // namespace lab::catalogue
