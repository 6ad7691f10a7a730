#include "simulation/own_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "analysis/rows/trace_rows.h"
#include "catalogue/input.h"
#include "catalogue/number.h"
#include "lang/code/value.h"
#include "lang/text/compile.h"

namespace lab::simulation {
namespace {

using machine::Scalar;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

[[noreturn]] void bad_argument(const std::string& text, const std::string& why) {
    throw Problem(fmt::format("'{}' is no argument of a kernel", text), why,
                  "Write in:float[1024]=ramp, out:float[4], buf:local float[64], 1024 or null",
                  "--arg");
}

// The catalogue's type as wide and of the same kind, which knows how to read and make numbers.
catalogue::Type reader_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::uint:
            return catalogue::Type::uint_;
        case Scalar::long_:
            return catalogue::Type::long_;
        case Scalar::ulong:
            return catalogue::Type::ulong_;
        case Scalar::float_:
            return catalogue::Type::float_;
        case Scalar::double_:
            return catalogue::Type::double_;
        default:
            return catalogue::Type::int_;
    }
}

std::uint64_t bits_at(const catalogue::Values& values, std::size_t index) {
    const std::size_t size = catalogue::info(catalogue::type_of(values)).bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(catalogue::bytes_of(values)) + index * size,
                size);
    return bits;
}

std::vector<std::byte> narrowed(const catalogue::Values& values, Scalar scalar,
                                std::uint64_t count) {
    const std::size_t size = lang::info(scalar).bytes;
    const std::uint64_t given = catalogue::count_of(values);
    std::vector<std::byte> bytes(count * size);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t bits = bits_at(values, given == 1 ? 0 : i);
        std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
}

// NAME:[local ]TYPE[COUNT][=FILL]
struct BufferText {
    std::string name;
    bool local = false;
    Scalar scalar = Scalar::int_;
    std::uint8_t width = 1;
    std::uint64_t count = 0;
    std::string fill;
};

BufferText parse_buffer(const std::string& text) {
    BufferText made;
    const std::size_t colon = text.find(':');
    made.name = text.substr(0, colon);
    std::string rest = text.substr(colon + 1);
    for (const char* word : {"local ", "__local "})
        if (rest.rfind(word, 0) == 0) {
            made.local = true;
            rest = rest.substr(std::strlen(word));
        }
    const std::size_t open = rest.find('['), close = rest.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open)
        bad_argument(text, "A buffer's type needs its length between [ and ]");
    lang::Types types;
    const lang::Type* type = types.named(rest.substr(0, open));
    if (type == nullptr || !type->is_arithmetic())
        bad_argument(text, fmt::format("'{}' is no type of numbers", rest.substr(0, open)));
    made.scalar = type->scalar;
    made.width = type->width;
    made.count = catalogue::parse_size(rest.substr(open + 1, close - open - 1));
    const std::uint64_t size = lang::info(made.scalar).bytes;
    if (made.count == 0 || made.count > kMostBytes / (size * 16))
        bad_argument(text, "A buffer has 1 element at least, and not more than fit 1 GiB");
    const std::string after = rest.substr(close + 1);
    if (!after.empty() && after[0] != '=')
        bad_argument(text, "After ] stands nothing, or = and what fills it");
    made.fill = after.empty() ? "" : after.substr(1);
    if (made.local && !after.empty())
        bad_argument(text, "Local memory cannot be filled by the host");
    if (!after.empty() && made.fill.empty()) bad_argument(text, "Nothing stands after =");
    return made;
}

std::uint64_t cells_of(const BufferText& of) {
    return of.count * (of.width == 3 ? 4U : of.width);  // three components lie as four
}

machine::Buffer buffer_of(const BufferText& of) {
    machine::Buffer made;
    made.name = of.name;
    made.element = of.scalar;
    const std::uint64_t cells = cells_of(of), size = lang::info(of.scalar).bytes;
    made.element_bytes = size * (cells / of.count);
    made.bytes = cells * size;
    if (of.fill.empty()) return made;
    const catalogue::Input input = catalogue::parse_input(of.fill);
    const bool one = input.kind == catalogue::Input::Kind::values &&
                     input.text.find_first_of(", ;") == std::string::npos;
    const catalogue::Values values =
        make_values(input, reader_of(of.scalar), one ? std::uint64_t{1} : cells);
    made.initial = narrowed(values, of.scalar, cells);
    made.is_input = true;
    return made;
}

machine::Argument value_of(const std::string& given, const lang::Parameter& parameter) {
    const std::size_t equals = given.find('=');
    const std::string text = equals == std::string::npos ? given : given.substr(equals + 1);
    machine::Argument made;
    std::size_t at = 0;
    for (const Scalar scalar : parameter.components) {
        if (at > text.size())
            bad_argument(given, fmt::format("'{}' takes {} numbers with commas between them",
                                            parameter.name, parameter.components.size()));
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string number = text.substr(at, end - at);
        const catalogue::Type type = reader_of(scalar);
        const bool floating = lang::info(scalar).floating;
        // 2^20 and 10Mi are numbers too, where an integer is asked for.
        const bool size = !floating && number.find_first_of("^KMGkie") != std::string::npos;
        const catalogue::Values value =
            size ? parse_values(std::to_string(catalogue::parse_size(number)), type, "--arg")
                 : parse_values(number, type, "--arg");
        if (catalogue::count_of(value) != 1) bad_argument(given, "It holds no number");
        made.components.push_back(lang::canonical(scalar, bits_at(value, 0)));
        at = end + 1;
    }
    if (at <= text.size())
        bad_argument(given, fmt::format("'{}' takes fewer numbers", parameter.name));
    return made;
}

// An array of the type that the kernel's pointer points to.
void check_buffer(const BufferText& of, const lang::Parameter& parameter,
                  const std::vector<lang::Parameter>& all, const std::string& given) {
    for (const lang::Parameter& other : all)
        if (other.name == of.name && parameter.name != of.name)
            bad_argument(given, fmt::format("It stands in the place of '{}': arguments come in the "
                                            "kernel's order",
                                            parameter.name));
    const bool local = parameter.kind == lang::Parameter::Kind::local;
    if (of.local != local)
        bad_argument(given, fmt::format("'{}' is a {}: {} memory is needed", parameter.name,
                                        parameter.type_name, local ? "local" : "global"));
    const bool numbers = parameter.element_bytes % lang::info(parameter.type).bytes == 0 &&
                         parameter.type != Scalar::uchar;
    if (numbers && of.scalar != parameter.type)
        bad_argument(given, fmt::format("'{}' is a {}: its elements are {}", parameter.name,
                                        parameter.type_name, lang::info(parameter.type).name));
}

machine::Argument argument_of(const std::string& given,
                              const std::vector<lang::Parameter>& parameters, std::size_t index,
                              std::vector<machine::Buffer>& buffers) {
    const lang::Parameter& parameter = parameters[index];
    if (parameter.kind == lang::Parameter::Kind::value) return value_of(given, parameter);
    machine::Argument made;
    if (given == "null") {
        made.kind = machine::Argument::Kind::null;
        return made;
    }
    if (given.find(':') == std::string::npos)
        bad_argument(given, fmt::format("'{}' is a {}", parameter.name, parameter.type_name));
    const BufferText of = parse_buffer(given);
    check_buffer(of, parameter, parameters, given);
    if (of.local) {
        made.kind = machine::Argument::Kind::local;
        made.bytes = cells_of(of) * lang::info(of.scalar).bytes;
    } else {
        made.kind = machine::Argument::Kind::buffer;
        made.buffer = buffers.size();
        buffers.push_back(buffer_of(of));
    }
    return made;
}

// What a kernel asks for, as --arg would give it.
std::string suggestion(const lang::Code& code) {
    std::vector<std::string> words;
    for (const lang::Parameter& of : code.parameters) {
        const char* type = lang::info(of.type).name;
        words.push_back(
            of.kind == lang::Parameter::Kind::local
                ? fmt::format("--arg '{}:local {}[64]'", of.name, type)
            : of.kind == lang::Parameter::Kind::buffer
                ? fmt::format("--arg {}:{}[1024]{}", of.name, type, of.read_only ? "=ramp" : "")
                : fmt::format("--arg {}=1024", of.name));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

machine::Job job_of(const OwnKernel& own, const machine::Config& config) {
    lang::Text text{own.file, own.text, ""};
    for (const std::string& define : own.defines)
        text.macros += lang::define_line(define);
    const auto code = std::make_shared<const lang::Code>(lang::compile_or_throw(text, own.kernel));
    if (own.arguments.size() != code->parameters.size())
        throw Problem(
            fmt::format("The kernel '{}' takes {} argument{}, but {} {} given", code->kernel,
                        code->parameters.size(), code->parameters.size() == 1 ? "" : "s",
                        own.arguments.size(), own.arguments.size() == 1 ? "is" : "are"),
            "Each needs an --arg, in the kernel's order",
            code->parameters.empty() ? "Leave --arg away" : "Write " + suggestion(*code), "--arg");
    if (own.global == 0 || own.local == 0)
        throw Problem("The launch has no size", "A kernel runs in groups of work-items",
                      "Write --global 1024 --local 64", "--global, --local");
    machine::Job job;
    job.config = config;
    machine::Launch launch;
    launch.code = code;
    launch.global = own.global;
    launch.local = own.local;
    for (std::size_t i = 0; i < own.arguments.size(); ++i) {
        try {
            launch.arguments.push_back(
                argument_of(own.arguments[i], code->parameters, i, job.buffers));
        } catch (const Problem& problem) {
            throw Problem(problem.what_happened, problem.why, problem.hint,
                          "--arg " + own.arguments[i], problem.exit);
        }
    }
    job.launches.push_back(std::move(launch));
    return job;
}

namespace {

// Of each element the text of its value, "?" where nobody has written.
std::vector<std::string> values_of(const machine::Machine& machine, const machine::State& state,
                                   std::size_t buffer) {
    const machine::Buffer& of = machine.job().buffers[buffer];
    const machine::PagedBuffer& memory = state.memory[buffer];
    const unsigned size = lang::info(of.element).bytes;
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i * size < of.bytes; ++i) {
        const std::uint64_t at = i * size;
        const machine::Page& page = *memory.pages[at >> machine::kPageBits];
        const bool known = page.written.all(at & (machine::kPageBytes - 1), size);
        values.push_back(known ? lang::text_of(machine.value(state, buffer, i), of.element) : "?");
    }
    return values;
}

}  // namespace

std::string contents_of(const machine::Machine& machine, const machine::State& state) {
    const machine::Job& job = machine.job();
    std::string text;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const auto& parameters = job.launches[0].code->parameters;
        const auto& arguments = job.launches[0].arguments;
        bool written = false;
        for (std::size_t k = 0; k < arguments.size(); ++k)
            written = written || (arguments[k].kind == machine::Argument::Kind::buffer &&
                                  arguments[k].buffer == i && !parameters[k].read_only);
        if (!written) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", job.buffers[i].name,
                            fmt::join(values_of(machine, state, i), " "));
    }
    return text;
}

std::size_t start_of(const machine::Job& job) {
    const auto first = std::find_if(job.buffers.begin(), job.buffers.end(),
                                    [](const machine::Buffer& each) { return each.is_input; });
    return first == job.buffers.end() ? 0 : static_cast<std::size_t>(first - job.buffers.begin());
}

analysis::StepTable head_of(const OwnKernel& own, const machine::Run& run, const Options& options) {
    analysis::StepTable made;
    const machine::Job& job = run.machine().job();
    made.variant = run.machine().context(0).code->kernel;
    made.title = title_of(own);
    if (!job.buffers.empty()) {
        const machine::Buffer& start = job.buffers[start_of(job)];
        made.type = lang::info(start.element).name;
        made.n = start.bytes / lang::info(start.element).bytes;
    }
    made.group = own.local;
    made.source = "machine";
    made.device = text_of(options);
    made.machine = analysis::machine_used(options.config, options.order);
    made.right = !run.fault();
    if (run.fault()) {
        made.fault = run.fault()->what;
        made.fault_said = run.fault()->said.what;
    }
    return made;
}

OwnResult result_of(const OwnKernel& own, const machine::Run& run, const Options& options) {
    OwnResult made;
    const machine::Machine& machine = run.machine();
    const machine::Job& job = machine.job();
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const machine::Buffer& buffer = job.buffers[i];
        OwnResult::Contents contents{buffer.name, lang::info(buffer.element).name, false,
                                     values_of(machine, run.end(), i)};
        contents.written = buffer.initial.empty() || buffer.initial != machine.bytes(run.end(), i);
        made.buffers.push_back(std::move(contents));
    }
    made.table = head_of(own, run, options);
    if (!job.buffers.empty())
        made.table.rows = analysis::stale_rows(run, start_of(job), &made.table.stale_known);
    return made;
}

std::string title_of(const OwnKernel& own) {
    const std::string name = std::filesystem::path(own.file).filename().string();
    return own.kernel.empty() ? name : fmt::format("{}: {}", name, own.kernel);
}

}  // namespace lab::simulation
