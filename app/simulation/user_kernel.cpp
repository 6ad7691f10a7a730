#include "simulation/user_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "catalogue/input.h"
#include "catalogue/number.h"
#include "lang/code.h"
#include "simulation/number_text.h"
#include "simulation/user_kernel_code.h"

namespace lab::simulation {
namespace {

using machine::Scalar;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

[[noreturn]] void bad_argument(
    const std::string& text, const std::string& why,
    const std::string& hint =
        "Write in:float[1024]=ramp, out:float[4], buf:local float[64], 1024 or null") {
    throw Problem(fmt::format("'{}' is no argument of a kernel", text), why, hint, "--arg");
}

// An argument that names itself has the name of the parameter in whose place it stands.
void check_name(const std::string& name, const std::string& given, const lang::Parameter& parameter,
                const std::vector<lang::Parameter>& all) {
    if (name == parameter.name) return;
    for (const lang::Parameter& other : all)
        if (other.name == name)
            bad_argument(given, fmt::format("It stands in the place of '{}': arguments come in the "
                                            "kernel's order",
                                            parameter.name));
    bad_argument(
        given,
        fmt::format("The kernel has no parameter '{}': '{}' comes here", name, parameter.name),
        fmt::format("Write '{}{}'", parameter.name, given.substr(name.size())));
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
        case Scalar::half_:
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

// As a register holds it, of what reader_of() reads.
std::uint64_t bits_for(Scalar scalar, std::uint64_t bits) {
    if (scalar == Scalar::half_) return lang::half_of(lang::float_of(bits));
    return lang::canonical(scalar, bits);
}

std::vector<std::byte> narrowed(const catalogue::Values& values, Scalar scalar,
                                std::uint64_t count) {
    const std::size_t size = lang::info(scalar).bytes;
    const std::uint64_t given = catalogue::count_of(values);
    std::vector<std::byte> bytes(count * size);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t bits = bits_for(scalar, bits_at(values, given == 1 ? 0 : i));
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

std::string trimmed_of(const std::string& text) {
    return std::string(trimmed(text));
}

// Whether the parameter points to a structure, which an argument may call by any name.
bool is_structure(const std::string& name, const lang::Parameter& parameter) {
    lang::Types types;
    const std::string target = parameter.type_name.substr(0, parameter.type_name.find('*'));
    const std::string word = target.substr(target.rfind(' ') + 1);  // npos + 1 is 0
    return !name.empty() && types.named(name) == nullptr && types.named(word) == nullptr;
}

BufferText parse_buffer(const std::string& text, const lang::Parameter& parameter) {
    BufferText buffer_text;
    const std::size_t colon = text.find(':');
    buffer_text.name = trimmed_of(text.substr(0, colon));
    std::string rest = trimmed_of(text.substr(colon + 1));
    for (const char* word : {"local", "__local"}) {
        const std::size_t length = std::strlen(word);
        if (rest.rfind(word, 0) != 0 || rest.size() == length ||
            (rest[length] != ' ' && rest[length] != ':'))
            continue;
        buffer_text.local = true;
        rest = trimmed_of(rest.substr(length + 1));
    }
    const std::size_t open = rest.find('['), close = rest.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open)
        bad_argument(text, "A buffer's type needs its length between [ and ]");
    buffer_text.count = catalogue::parse_size(rest.substr(open + 1, close - open - 1));
    const std::string named = trimmed_of(rest.substr(0, open));
    lang::Types types;
    const lang::Type* type = types.named(named);
    if (is_structure(named, parameter)) {
        buffer_text.scalar = parameter.type;
        buffer_text.count *= parameter.element_bytes / lang::info(parameter.type).bytes;
    } else if (type == nullptr || !type->is_arithmetic()) {
        bad_argument(text, fmt::format("'{}' is no type of numbers", named));
    } else {
        buffer_text.scalar = type->scalar;
        buffer_text.width = type->width;
    }
    const std::uint64_t size = lang::info(buffer_text.scalar).bytes;
    if (buffer_text.count == 0 || buffer_text.count > kMostBytes / (size * 16))
        bad_argument(text, "A buffer has 1 element at least, and not more than fit 1 GiB");
    const std::string after = trimmed_of(rest.substr(close + 1));
    if (!after.empty() && after[0] != '=')
        bad_argument(text, "After ] stands nothing, or = and what fills it");
    buffer_text.fill = after.empty() ? "" : after.substr(1);
    if (buffer_text.local && !after.empty())
        bad_argument(text, "Local memory cannot be filled by the host");
    if (!after.empty() && buffer_text.fill.empty()) bad_argument(text, "Nothing stands after =");
    return buffer_text;
}

std::uint64_t cells_of(const BufferText& text) {
    return text.count * (text.width == 3 ? 4U : text.width);  // three components lie as four
}

machine::Buffer buffer_of(const BufferText& text) {
    machine::Buffer buffer;
    buffer.name = text.name;
    buffer.element = text.scalar;
    const std::uint64_t cells = cells_of(text), size = lang::info(text.scalar).bytes;
    buffer.element_bytes = size * (cells / text.count);
    buffer.bytes = cells * size;
    if (text.fill.empty()) return buffer;
    catalogue::Input input = catalogue::parse_input(text.fill);
    if (input.kind == catalogue::Input::Kind::values)
        input.text = plain_numbers(input.text, lang::info(text.scalar).floating);
    const bool one = input.kind == catalogue::Input::Kind::values &&
                     input.text.find_first_of(", ;") == std::string::npos;
    const catalogue::Values values =
        make_values(input, reader_of(text.scalar), one ? std::uint64_t{1} : cells);
    buffer.initial = narrowed(values, text.scalar, cells);
    buffer.is_input = true;
    return buffer;
}

// "{1, {2, 3}}" -> "1, 2, 3"
std::string without_braces(std::string text) {
    if (text.starts_with('{')) std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    return text;
}

machine::Argument value_of(const std::string& given, const lang::Parameter& parameter,
                           const std::vector<lang::Parameter>& all) {
    const std::size_t equals = given.find('=');
    if (equals != std::string::npos)
        check_name(trimmed_of(given.substr(0, equals)), trimmed_of(given), parameter, all);
    const std::string text =
        without_braces(trimmed_of(equals == std::string::npos ? given : given.substr(equals + 1)));
    machine::Argument argument;
    std::size_t index = 0;
    for (const Scalar scalar : parameter.components) {
        if (index > text.size())
            bad_argument(given, fmt::format("'{}' takes {} numbers with commas between them",
                                            parameter.name, parameter.components.size()));
        const std::size_t end = std::min(text.find(',', index), text.size());
        const catalogue::Type type = reader_of(scalar);
        const bool floating = lang::info(scalar).floating;
        const std::string number =
            plain_numbers(trimmed_of(text.substr(index, end - index)), floating);
        // 2^20 and 10Mi are numbers too, where an integer is asked for.
        const bool size = !floating && number.find_first_of("^KMGkie") != std::string::npos;
        const catalogue::Values value =
            size ? parse_values(std::to_string(catalogue::parse_size(number)), type, "--arg")
                 : parse_values(number, type, "--arg");
        if (catalogue::count_of(value) != 1) bad_argument(given, "It holds no number");
        argument.components.push_back(bits_for(scalar, bits_at(value, 0)));
        index = end + 1;
    }
    if (index <= text.size())
        bad_argument(given, fmt::format("'{}' takes fewer numbers", parameter.name));
    return argument;
}

// An array of the type that the kernel's pointer points to.
void check_buffer(const BufferText& text, const lang::Parameter& parameter,
                  const std::vector<lang::Parameter>& all, const std::string& given) {
    check_name(text.name, trimmed_of(given), parameter, all);
    const bool local = parameter.kind == lang::Parameter::Kind::local;
    if (text.local != local)
        bad_argument(given, fmt::format("'{}' is a {}: {} memory is needed", parameter.name,
                                        parameter.type_name, local ? "local" : "global"));
    const bool numbers = parameter.element_bytes % lang::info(parameter.type).bytes == 0 &&
                         parameter.type != Scalar::uchar;
    const bool bits = parameter.type == Scalar::half_ && text.scalar == Scalar::ushort;
    if (numbers && !bits && text.scalar != parameter.type)
        bad_argument(given, fmt::format("'{}' is a {}: its elements are {}", parameter.name,
                                        parameter.type_name, lang::info(parameter.type).name));
}

machine::Argument argument_of(const std::string& given,
                              const std::vector<lang::Parameter>& parameters, std::size_t index,
                              std::vector<machine::Buffer>& buffers) {
    const lang::Parameter& parameter = parameters[index];
    if (parameter.kind == lang::Parameter::Kind::value)
        return value_of(given, parameter, parameters);
    machine::Argument argument;
    if (given == "null") {
        argument.kind = machine::Argument::Kind::null;
        return argument;
    }
    if (given.find(':') == std::string::npos)
        bad_argument(given, fmt::format("'{}' is a {}", parameter.name, parameter.type_name));
    const BufferText text = parse_buffer(given, parameter);
    check_buffer(text, parameter, parameters, given);
    if (text.local) {
        argument.kind = machine::Argument::Kind::local;
        argument.bytes = cells_of(text) * lang::info(text.scalar).bytes;
    } else {
        argument.kind = machine::Argument::Kind::buffer;
        argument.buffer = buffers.size();
        buffers.push_back(buffer_of(text));
    }
    return argument;
}

// What a kernel asks for, as --arg would give it.
std::string suggestion(const lang::Code& code) {
    std::vector<std::string> words;
    for (const lang::Parameter& parameter : code.parameters) {
        const char* type = lang::info(parameter.type).name;
        words.push_back(parameter.kind == lang::Parameter::Kind::local
                            ? fmt::format("--arg '{}:local {}[64]'", parameter.name, type)
                        : parameter.kind == lang::Parameter::Kind::buffer
                            ? fmt::format("--arg {}:{}[1024]{}", parameter.name, type,
                                          parameter.read_only ? "=ramp" : "")
                            : fmt::format("--arg {}=1024", parameter.name));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

machine::Job job_of(const UserKernel& kernel, const machine::Config& config) {
    const auto code = std::make_shared<const lang::Code>(code_of(kernel));
    if (kernel.arguments.size() != code->parameters.size())
        throw Problem(
            fmt::format("The kernel '{}' takes {} argument{}, but {} {} given", code->kernel,
                        code->parameters.size(), code->parameters.size() == 1 ? "" : "s",
                        kernel.arguments.size(), kernel.arguments.size() == 1 ? "is" : "are"),
            "Each needs an --arg, in the kernel's order",
            code->parameters.empty() ? "Leave --arg away" : "Write " + suggestion(*code), "--arg");
    if (!kernel.global.given() || !kernel.local.given())
        throw Problem("The launch has no size", "A kernel runs in groups of work-items",
                      "Write --global 1024 --local 64", "--global, --local");
    machine::Job job;
    job.config = config;
    machine::Launch launch;
    launch.code = code;
    launch.range = {kernel.global, kernel.local, kernel.offset};
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
        try {
            launch.arguments.push_back(
                argument_of(kernel.arguments[i], code->parameters, i, job.buffers));
        } catch (const Problem& problem) {
            throw Problem(problem.what_happened, problem.why, problem.hint,
                          "--arg " + kernel.arguments[i], problem.exit);
        }
    }
    job.launches.push_back(std::move(launch));
    return job;
}

std::size_t start_of(const machine::Job& job) {
    const auto first = std::find_if(job.buffers.begin(), job.buffers.end(),
                                    [](const machine::Buffer& each) { return each.is_input; });
    return first == job.buffers.end() ? 0 : static_cast<std::size_t>(first - job.buffers.begin());
}

std::string title_of(const UserKernel& kernel) {
    const std::string name = std::filesystem::path(kernel.file).filename().string();
    return kernel.kernel.empty() ? name : fmt::format("{}: {}", name, kernel.kernel);
}

}  // namespace lab::simulation
