#include "catalogue/form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/element.h"
#include "catalogue/number.h"
#include "lang/code.h"
#include "lang/lexer.h"

namespace lab::catalogue {

constexpr std::string_view kApart = " \t\r\n\f\v,;";

// Without the suffixes that C has for integers and floats.
static std::string_view without_suffix(std::string_view text, bool hexadecimal, bool floating) {
    const std::string_view all = text;
    const std::string_view suffixes = hexadecimal || !floating ? "uUlL" : "uUlLfFhH";
    while (!text.empty() && suffixes.find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    const bool digit =
        !text.empty() && (text.back() == '.' || (text.back() >= '0' && text.back() <= '9'));
    return hexadecimal || digit ? text : all;
}

static std::string plain(std::string_view text, bool floating) {
    if (text == "true") return "1";
    if (text == "false") return "0";
    if (text.size() > 2 && text.front() == '\'' && text.back() == '\'')
        if (const auto code = lang::character_of(text)) return std::to_string(*code);
    std::string_view number = text;
    const bool negative = number.starts_with('-');
    if (negative || number.starts_with('+')) number.remove_prefix(1);
    const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    number = without_suffix(number, hexadecimal, floating);
    const bool octal = !floating && number.size() > 1 && number.starts_with('0') &&
                       number.find_first_not_of("0123456789") == std::string_view::npos;
    if (!hexadecimal && !octal) return fmt::format("{}{}", negative ? "-" : "", number);
    if (hexadecimal) number.remove_prefix(2);
    std::uint64_t bits = 0;
    if (const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(),
                                                  bits, hexadecimal ? 16 : 8);
        error == std::errc{} && end == number.data() + number.size())
        return fmt::format("{}{}", negative ? "-" : "", bits);
    if (octal)
        throw Problem(fmt::format("'{}' is no number", text),
                      "What begins with 0 is octal: its digits are 0 to 7", "Leave the 0 away",
                      "--arg");
    double value = 0;  // 0x1.8p-3
    if (const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(),
                                                  value, std::chars_format::hex);
        floating && error == std::errc{} && end == number.data() + number.size())
        return fmt::format("{}", negative ? -value : value);
    return std::string(text);
}

std::string plain_numbers(std::string_view list, bool floating) {
    std::string result;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t word = std::min(list.find_first_not_of(kApart, at), list.size());
        result += list.substr(at, word - at);
        std::size_t end = std::min(list.find_first_of(kApart, word), list.size());
        if (word + 2 < list.size() && list[word] == '\'' && list[word + 2] == '\'')
            end = word + 3;  // ',' and ' '
        result += plain(list.substr(word, end - word), floating);
        at = end;
    }
    return result;
}

namespace {

// Files that a text includes, and bytes of one; others count as not found, which is an error.
constexpr std::size_t kMostFiles = 64, kMostFileBytes = std::size_t{1} << 20;

// One #include "name" or <name>: its line is text[first, end).
struct Included {
    std::size_t first = 0, end = 0;
    std::string name;
};

// In lines such as # include "name", whatever conditions say.
std::vector<Included> includes_in(std::string_view text) {
    std::vector<Included> found;
    constexpr std::string_view kWord = "include";
    for (std::size_t at = text.find(kWord); at != std::string_view::npos;
         at = text.find(kWord, at + 1)) {
        const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
        const std::string_view before = text.substr(line, at - line);
        const std::size_t sign = before.find_first_not_of(" \t");
        if (sign == std::string_view::npos || before[sign] != '#' ||
            before.find_first_not_of(" \t", sign + 1) != std::string_view::npos)
            continue;
        const std::size_t open = text.find_first_not_of(" \t", at + kWord.size());
        if (open == std::string_view::npos || (text[open] != '"' && text[open] != '<')) continue;
        const std::size_t close = text.find_first_of(text[open] == '"' ? "\"\n" : ">\n", open + 1);
        if (close == std::string_view::npos || text[close] == '\n') continue;
        const std::size_t end = std::min(text.find('\n', close), text.size());
        found.push_back({line, end, std::string(text.substr(open + 1, close - open - 1))});
    }
    return found;
}

bool says(const lang::Source& file, const char* word) {
    return file.text.find(word) != std::string::npos;
}

// `open`: the files that are being put together; `seen`: those that were.
std::string joined_text(const std::string& text, const lang::Sources& files,
                        std::vector<const lang::Source*>& open,
                        std::vector<const lang::Source*>& seen) {
    std::string joined;
    std::size_t at = 0;
    for (const Included& included : includes_in(text)) {
        const lang::Source* file =
            find_if(files, [&](const auto& each) { return each.included_as == included.name; });
        if (file == nullptr || joined.size() > kMostFileBytes) continue;
        const bool once = says(*file, "#pragma once");
        if (contains(open, file) && !once && !says(*file, "#ifndef")) continue;
        joined.append(text, at, included.first - at);
        at = included.end;
        if (contains(open, file) || (once && contains(seen, file))) continue;
        open.push_back(file);
        seen.push_back(file);
        joined += joined_text(file->text, files, open, seen);
        open.pop_back();
    }
    return joined.append(text, at);
}

}  // namespace

lang::Sources include_files(const std::string& file, const std::string& text,
                            const std::vector<std::string>& folders) {
    lang::Sources found;
    const auto add = [&](const std::string& name, const fs::path& beside) {
        if (found.size() == kMostFiles ||
            any_of(found, [&](const lang::Source& each) { return each.included_as == name; }))
            return;
        std::vector<fs::path> places{beside, fs::path(file).parent_path()};
        places.insert(places.end(), folders.begin(), folders.end());
        for (const fs::path& folder : places) {
            const fs::path path = folder / name;
            std::error_code error;
            if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostFileBytes)
                continue;
            found.push_back({path.lexically_normal().string(), read_file(path), name});
            return;
        }
    };
    for (const Included& each : includes_in(text))
        add(each.name, fs::path(file).parent_path());
    for (std::size_t i = 0; i < found.size(); ++i)  // grows meanwhile
        for (const Included& each : includes_in(std::string(found[i].text)))
            add(each.name, fs::path(found[i].name).parent_path());
    return found;
}

std::string with_includes(const std::string& text, const lang::Sources& files) {
    std::vector<const lang::Source*> open, seen;
    return joined_text(text, files, open, seen);
}

namespace {

// Bytes of a buffer, were its elements vectors of 16; more are refused.
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
Type reader_of(Scalar scalar) {
    return scalar == Scalar::uint        ? Type::uint_
           : scalar == Scalar::long_     ? Type::long_
           : scalar == Scalar::ulong     ? Type::ulong_
           : scalar == Scalar::double_   ? Type::double_
           : lang::info(scalar).floating ? Type::float_
                                         : Type::int_;
}

std::uint64_t bits_at(const Values& values, std::size_t index) {
    const std::size_t size = info(type_of(values)).bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes_of(values)) + index * size, size);
    return bits;
}

// As a register holds it, of what reader_of() reads; `typed`: by someone, so that it must fit.
std::uint64_t bits_for(Scalar scalar, std::uint64_t bits, bool typed) {
    const bool half = scalar == Scalar::half_;
    const std::uint64_t held =
        half ? lang::half_of(lang::float_of(bits)) : lang::canonical(scalar, bits);
    const auto given = static_cast<std::int32_t>(bits);  // where it is narrower than int
    const bool fits =
        half ? std::isfinite(lang::value_of_half(static_cast<std::uint16_t>(held))) ||
                   !std::isfinite(lang::float_of(bits))
             : lang::info(scalar).bytes >= 4 || static_cast<std::int64_t>(held) == given;
    if (typed && !fits)
        throw Problem(
            half ? fmt::format("'{}' does not fit the type half", lang::float_of(bits))
                 : fmt::format("'{}' does not fit the type {}", given, lang::info(scalar).name),
            "The number is too large or too small", "Choose a wider type", "--arg");
    return held;
}

std::vector<std::byte> narrowed(const Values& values, Scalar scalar, std::uint64_t count,
                                bool typed) {
    const std::size_t size = lang::info(scalar).bytes;
    const std::uint64_t given = count_of(values);
    std::vector<std::byte> bytes(count * size);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t bits = bits_for(scalar, bits_at(values, given == 1 ? 0 : i), typed);
        std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
}

// NAME:[local ]TYPE[COUNT][=FILL]
struct BufferText {
    std::string name;
    bool local = false;
    Scalar scalar = Scalar::int_;
    std::uint64_t each = 1;  // numbers that an element has room for
    std::uint64_t count = 0;
    std::string fill;
};

std::string trimmed_text(const std::string& text) {
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
    buffer_text.name = trimmed_text(text.substr(0, colon));
    std::string rest = trimmed_text(text.substr(colon + 1));
    for (const char* word : {"local", "__local"}) {
        const std::size_t length = std::strlen(word);
        if (rest.rfind(word, 0) != 0 || rest.size() == length ||
            (rest[length] != ' ' && rest[length] != ':'))
            continue;
        buffer_text.local = true;
        rest = trimmed_text(rest.substr(length + 1));
    }
    const std::size_t open = rest.find('['), close = rest.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open)
        bad_argument(text, "A buffer's type needs its length between [ and ]");
    buffer_text.count = parse_size(rest.substr(open + 1, close - open - 1));
    const std::string named = trimmed_text(rest.substr(0, open));
    lang::Types types;
    const lang::Type* type = types.named(named);
    if (is_structure(named, parameter)) {
        buffer_text.scalar = parameter.type;
        buffer_text.count *= parameter.element_bytes / lang::info(parameter.type).bytes;
    } else if (type == nullptr || !type->is_arithmetic()) {
        bad_argument(text, fmt::format("'{}' is no type of numbers", named));
    } else {
        buffer_text.scalar = type->scalar;
        // Three components lie as four, but in CUDA.
        const bool as_four =
            type->width == 3 && parameter.element_bytes != 3U * lang::info(type->scalar).bytes;
        buffer_text.each = as_four ? 4 : type->width;
    }
    const std::uint64_t size = lang::info(buffer_text.scalar).bytes;
    if (buffer_text.count == 0 || buffer_text.count > kMostBytes / (size * 16))
        bad_argument(text, "A buffer has 1 element at least, and not more than fit 1 GiB");
    const std::string after = trimmed_text(rest.substr(close + 1));
    if (!after.empty() && after[0] != '=')
        bad_argument(text, "After ] stands nothing, or = and what fills it");
    buffer_text.fill = after.empty() ? "" : after.substr(1);
    if (buffer_text.local && !after.empty())
        bad_argument(text, "Local memory cannot be filled by the host");
    if (!after.empty() && buffer_text.fill.empty()) bad_argument(text, "Nothing stands after =");
    return buffer_text;
}

std::uint64_t cells_of(const BufferText& text) {
    return text.count * text.each;
}

Buffer buffer_of(const BufferText& text) {
    Buffer buffer;
    buffer.name = text.name;
    buffer.element = text.scalar;
    const std::uint64_t cells = cells_of(text), size = lang::info(text.scalar).bytes;
    buffer.element_bytes = size * (cells / text.count);
    buffer.bytes = cells * size;
    if (text.fill.empty()) return buffer;
    Input input = parse_input(text.fill);
    if (input.kind == Input::Kind::values)
        input.text = plain_numbers(input.text, lang::info(text.scalar).floating);
    const bool one =
        input.kind == Input::Kind::values && input.text.find_first_of(", ;") == std::string::npos;
    const Values values =
        make_values(input, reader_of(text.scalar), one ? std::uint64_t{1} : cells);
    buffer.initial = narrowed(values, text.scalar, cells, input.kind == Input::Kind::values);
    buffer.is_input = true;
    return buffer;
}

// As a device takes it: three components of a vector take the room of four; a structure's lie as
// the compiler likes, so that only one of equal numbers is known, and nothing is the answer.
std::vector<std::byte> device_value(const Argument& argument, const lang::Parameter& parameter) {
    const auto& types = parameter.components;
    lang::Types known;
    const lang::Type* named = known.named(parameter.type_name);
    const bool vector = named != nullptr && named->is_arithmetic();
    if (!vector && any_of(types, [&](Scalar each) { return each != types.front(); })) return {};
    const std::size_t size = lang::info(types.front()).bytes;
    std::vector<std::byte> bytes(size * (vector && types.size() == 3 ? 4 : types.size()));
    for (std::size_t i = 0; i < types.size(); ++i)
        std::memcpy(bytes.data() + i * size, &argument.components[i], size);
    return bytes;
}

Argument value_of(const std::string& given, const lang::Parameter& parameter,
                  const std::vector<lang::Parameter>& all) {
    const std::size_t equals = given.find('=');
    if (equals != std::string::npos)
        check_name(trimmed_text(given.substr(0, equals)), trimmed_text(given), parameter, all);
    std::string text = trimmed_text(equals == std::string::npos ? given : given.substr(equals + 1));
    if (text.starts_with('{'))  // "{1, {2, 3}}" -> "1, 2, 3"
        std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    Argument argument;
    std::size_t index = 0;
    for (const Scalar scalar : parameter.components) {
        if (index > text.size())
            bad_argument(given, fmt::format("'{}' takes {} numbers with commas between them",
                                            parameter.name, parameter.components.size()));
        const std::size_t end = std::min(text.find(',', index), text.size());
        const Type type = reader_of(scalar);
        const bool floating = lang::info(scalar).floating;
        const std::string number =
            plain_numbers(trimmed_text(text.substr(index, end - index)), floating);
        // 2^20 and 10Mi are numbers too, where an integer is asked for.
        const bool size = !floating && number.find_first_of("^KMGkie") != std::string::npos;
        const Values value = size ? parse_values(std::to_string(parse_size(number)), type, "--arg")
                                  : parse_values(number, type, "--arg");
        if (count_of(value) != 1) bad_argument(given, "It holds no number");
        argument.components.push_back(bits_for(scalar, bits_at(value, 0), true));
        index = end + 1;
    }
    if (index <= text.size())
        bad_argument(given, fmt::format("'{}' takes fewer numbers", parameter.name));
    argument.value = device_value(argument, parameter);
    return argument;
}

// An array of the type that the kernel's pointer points to.
void check_buffer(const BufferText& text, const lang::Parameter& parameter,
                  const std::vector<lang::Parameter>& all, const std::string& given) {
    check_name(text.name, trimmed_text(given), parameter, all);
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

Argument argument_of(const std::string& given, const std::vector<lang::Parameter>& parameters,
                     std::size_t index, const std::vector<Argument>& before,
                     std::vector<Buffer>& buffers) {
    const lang::Parameter& parameter = parameters[index];
    if (parameter.kind == lang::Parameter::Kind::value)
        return value_of(given, parameter, parameters);
    Argument argument;
    if (given == "null") {
        argument.kind = Argument::Kind::null;
        return argument;
    }
    if (given.find(':') == std::string::npos)
        bad_argument(given, fmt::format("'{}' is a {}", parameter.name, parameter.type_name));
    if (const std::string start = parameter.name + ":="; given.starts_with(start)) {
        for (std::size_t i = 0; i < before.size(); ++i)
            if (parameters[i].name == trimmed_text(given.substr(start.size())) &&
                before[i].kind == Argument::Kind::buffer && parameters[i].type == parameter.type &&
                parameters[i].element_bytes == parameter.element_bytes)
                return before[i];
        bad_argument(given, "After := stands a buffer of the same type that comes before it");
    }
    const BufferText text = parse_buffer(given, parameter);
    check_buffer(text, parameter, parameters, given);
    if (text.local) {
        argument.kind = Argument::Kind::local;
        argument.bytes = cells_of(text) * lang::info(text.scalar).bytes;
    } else {
        argument.kind = Argument::Kind::buffer;
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

Job form_job(const LaunchForm& form, const CompiledKernel& code) {
    if (form.arguments.size() != code->parameters.size())
        throw Problem(fmt::format("The kernel '{}' takes {}, but {} {} given", code->kernel,
                                  counted_text(code->parameters.size(), "argument"),
                                  form.arguments.size(), form.arguments.size() == 1 ? "is" : "are"),
                      "Each needs an --arg, in the kernel's order",
                      code->parameters.empty() ? "Leave --arg away" : "Write " + suggestion(*code),
                      "--arg");
    if (!form.global.given() || !form.local.given())
        throw Problem("The launch has no size", "A kernel runs in groups of work-items",
                      "Write --global 1024 --local 64", "--global, --local");
    Job job;
    Launch launch;
    launch.code = code;
    launch.range = {form.global, form.local, form.offset};
    for (std::size_t i = 0; i < form.arguments.size(); ++i) {
        try {
            launch.arguments.push_back(
                argument_of(form.arguments[i], code->parameters, i, launch.arguments, job.buffers));
        } catch (const Problem& problem) {
            throw Problem(problem.what_happened, problem.why, problem.hint,
                          "--arg " + form.arguments[i], problem.exit);
        }
    }
    job.group = launch.range.group_items();
    while (job.start < job.buffers.size() && !job.buffers[job.start].is_input)
        ++job.start;
    if (job.start == job.buffers.size()) job.start = 0;
    job.n = job.buffers.empty() ? launch.range.items() : job.buffers[job.start].cells();
    launch.shows = job.start;
    launch.shows_count = job.n;
    job.launches.push_back(std::move(launch));
    const std::vector<bool> written = written_buffers(job);
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        job.buffers[i].constant = !written[i];
    return job;
}

lang::Text text_of(const LaunchForm& form) {
    lang::Text text{form.file, form.text, "", include_files(form.file, form.text, form.folders)};
    for (const std::string& define : form.defines)
        text.macros += lang::define_line(define);
    return text;
}

// Guesses a kernel's arguments from the parameters' names and types and their use in the text.
namespace {

using lang::Parameter;

constexpr std::array kCounts{"n",      "num",   "size",     "count", "len",
                             "length", "total", "elements", "items", "number"};
constexpr std::array kStarts{"offset", "first", "start", "begin", "base", "seed", "round"};

// Of a launch with several dimensions: the sides of what it works on.
constexpr std::array kWidths{"width",  "w", "cols", "columns", "nx",    "pitch",
                             "stride", "m", "k",    "side",    "order", "dim"};
constexpr std::array kHeights{"height", "h", "rows", "ny"};
constexpr std::array kDepths{"depth", "d", "slices", "nz"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "num_items", "nElements" -> {"num", "items"}, {"n", "elements"}
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool hump =
            std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
        if ((c == '_' || hump) && !words.back().empty()) words.emplace_back();
        if (c != '_') words.back() += static_cast<char>(std::tolower(c));
    }
    return words;
}

template <typename Names>
bool names_one_of(std::string_view name, const Names& names) {
    for (const std::string& word : words_of(name))
        for (const char* known : names)
            if (word == known) return true;
    return false;
}

// Whether a cell of it is updated where it lies: out[0] += x, atomic_add(out, x).
bool is_accumulated(const std::string& text, const std::string& name) {
    static constexpr std::array<std::string_view, 8> kUpdates{
        "+=", "-=", "*=", "/=", "|=", "&=", "^=", "++"};
    const lang::Sources sources{{"", text}};
    std::deque<std::string> spliced;
    lang::Diagnostics diagnostics;
    const std::vector<lang::Token> tokens = lang::lex(sources, 0, spliced, diagnostics);
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text != name) continue;
        std::size_t end = i;
        int depth = 0;
        do {
            ++end;
            depth += tokens[end].is("[") ? 1 : tokens[end].is("]") ? -1 : 0;
        } while (depth > 0 && end + 1 < tokens.size());
        if (end > i + 1 && end + 1 < tokens.size() && contains(kUpdates, tokens[end + 1].text))
            return true;
        const auto ends = [](const lang::Token& token) {
            return token.is("(") || token.is(")") || token.is(",") || token.is(";");
        };
        std::size_t open = i - 1;
        while (open > 0 && !ends(tokens[open]))
            --open;
        if (open > 0 && tokens[open].is("(") && !tokens[open].space_before &&
            tokens[open - 1].text.starts_with("atom"))
            return true;
    }
    return false;
}

class ArgumentGuess {
  public:
    ArgumentGuess(const TextFacts& facts, const LaunchForm& kernel)
        : facts_(facts),
          own_(kernel),
          elements_(std::max(kernel.global.items(), kGuessedElements)) {
        bool has_const = false;
        std::size_t integers = 0, first_integer = SIZE_MAX;
        for (std::size_t i = facts.parameters.size(); i-- > 0;) {
            const Parameter& parameter = facts.parameters[i];
            if (parameter.kind == Parameter::Kind::buffer && parameter.read_only) has_const = true;
            if (parameter.kind == Parameter::Kind::buffer) input_ = i;
            if (parameter.kind != Parameter::Kind::value || parameter.components.size() != 1 ||
                !lang::is_integer(parameter.type))
                continue;
            ++integers;
            first_integer = i;
            if (names_one_of(parameter.name, kCounts)) count_ = i;
        }
        if (has_const) input_ = SIZE_MAX;
        if (count_ == SIZE_MAX && integers == 1) count_ = first_integer;
    }

    // The count, fill or value of the parameter at that index.
    void fill(ArgumentRow& row, std::size_t place) const {
        if (row.kind == Parameter::Kind::value) {
            row.value = value_of(row, place);
            return;
        }
        row.count = row.kind == Parameter::Kind::local
                        ? std::max<std::uint64_t>(1, own_.local.items())
                        : elements_;
        if (row.kind == Parameter::Kind::buffer) row.fill = fill_of(row, place);
    }

  private:
    std::string fill_of(const ArgumentRow& row, std::size_t place) const {
        const Parameter& parameter = facts_.parameters[place];
        const bool bytes = row.each > 1 || parameter.type == lang::Scalar::uchar;
        if (parameter.read_only || place == input_) return bytes ? "0" : "ramp";
        const bool flags = parameter.type_name.find("volatile") != std::string::npos;
        return flags || is_accumulated(own_.text, row.name) ? "0" : "";
    }

    std::string value_of(const ArgumentRow& row, std::size_t place) const {
        if (own_.global.dims > 1 && row.each == 1) {
            const Coordinates& sides = own_.global.sizes;
            if (names_one_of(row.name, kHeights)) return std::to_string(sides[1]);
            if (names_one_of(row.name, kDepths)) return std::to_string(sides[2]);
            const bool side = place == count_ || names_one_of(row.name, kCounts);
            if (side || names_one_of(row.name, kWidths)) return std::to_string(sides[0]);
        }
        if (place == count_) return std::to_string(elements_);
        const std::string each = names_one_of(row.name, kStarts)   ? "0"
                                 : names_one_of(row.name, kCounts) ? std::to_string(elements_)
                                                                   : "1";
        return fmt::format("{}", fmt::join(std::vector<std::string>(row.each, each), ","));
    }

    const TextFacts& facts_;
    const LaunchForm& own_;
    std::uint64_t elements_ = 0;    // of the buffers
    std::size_t input_ = SIZE_MAX;  // the buffer that is reduced in place, if none is const
    std::size_t count_ = SIZE_MAX;  // the value that counts the elements
};

TextMark mark_of(const lang::Diagnostic& diagnostic) {
    using Severity = lang::Diagnostic::Severity;
    using Kind = TextMark::Kind;
    const Kind kind = diagnostic.severity == Severity::error ? Kind::error : Kind::warning;
    const bool of_text = diagnostic.place.file == lang::kTextFile;
    const lang::Place place = of_text ? diagnostic.place : lang::Place{};
    return {kind, place.line, place.column, place.length, diagnostic.message, {}, diagnostic.hint};
}

// What an array's argument calls its elements: numbers and vectors by their type, all else bytes.
void name_elements(ArgumentRow& row, const Parameter& parameter) {
    const lang::ScalarInfo& scalar = lang::info(parameter.type);
    const std::uint64_t width = parameter.element_bytes / std::max<std::uint64_t>(1, scalar.bytes);
    constexpr std::array<std::uint64_t, 4> kVectors{2, 4, 8, 16};
    row.element = scalar.name;
    const bool three =  // of CUDA, which lie so
        width == 3 && parameter.type_name.find(row.element + "3") != std::string::npos;
    if (three || (contains(kVectors, width) && parameter.type != lang::Scalar::uchar))
        row.element += std::to_string(width);
    else
        row.each = std::max<std::uint64_t>(1, width);
}

// Reads an argument into the row of its parameter; whether it was one of that name and type.
bool read_argument(const std::string& text, ArgumentRow& row) {
    if (row.kind == Parameter::Kind::value) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || text.find(':') != std::string::npos) return false;
        row.value = text.substr(equals + 1);
        return text.substr(0, equals) == row.name &&
               std::count(row.value.begin(), row.value.end(), ',') ==
                   static_cast<std::ptrdiff_t>(row.each) - 1;
    }
    if (row.kind == Parameter::Kind::buffer && text.starts_with(row.name + ":=")) {
        row.same = text.substr(row.name.size() + 2);
        return true;
    }
    const std::string start =
        row.name + ":" + (row.kind == Parameter::Kind::local ? "local " : "") + row.element + "[";
    const std::size_t close = text.find(']');
    if (!text.starts_with(start) || close == std::string::npos) return false;
    const std::string digits = text.substr(start.size(), close - start.size());
    const auto count = digits.size() > 12 ? std::nullopt : parse_number<std::uint64_t>(digits);
    if (!count) return false;
    row.count = *count / row.each;
    if (text.size() > close + 1 && text[close + 1] == '=') row.fill = text.substr(close + 2);
    return true;
}

}  // namespace

namespace {
void say_parts(TextFacts& facts);
}

TextFacts facts_of(const lang::Text& text, const std::string& kernel) {
    TextFacts facts;
    std::string chosen = kernel;
    lang::Compiled compiled = lang::compile(text, chosen);
    if (compiled.tree)
        for (const lang::FunctionDefinition* each : compiled.tree->kernels())
            facts.kernels.push_back(each->name);
    const auto has = [&](const std::string& name) {
        return any_of(facts.kernels, [&](const std::string& each) {
            return each == name || each.starts_with(fmt::format("{}<", name));
        });
    };
    if (!facts.kernels.empty() && !has(chosen) && (facts.kernels.size() > 1 || !chosen.empty())) {
        chosen = facts.kernels.front();
        compiled = lang::compile(text, chosen);
    }
    facts.kernel = compiled.kernel != nullptr ? compiled.kernel->name : chosen;
    facts.host = std::move(compiled.host);
    for (const lang::Diagnostic& diagnostic : compiled.diagnostics.all())
        facts.marks.push_back(mark_of(diagnostic));
    if (compiled.code) {
        facts.parameters = compiled.code->parameters;
        say_parts(facts);
    }
    stable_sort(facts.marks, [](const TextMark& a, const TextMark& b) { return a.line < b.line; });
    if (!compiled.code) return facts;
    facts.required_group = compiled.code->required_group;
    facts.dims = compiled.code->dims;
    facts.compiles = true;
    facts.code = std::make_shared<const lang::Code>(std::move(*compiled.code));
    return facts;
}

TextFacts facts_of(const LaunchForm& kernel) {
    return facts_of(text_of(kernel), kernel.kernel);
}

std::vector<ArgumentRow> rows_of(const TextFacts& facts, const LaunchForm& kernel) {
    std::vector<ArgumentRow> rows;
    const ArgumentGuess guess(facts, kernel);
    for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
        const Parameter& parameter = facts.parameters[i];
        ArgumentRow row;
        row.kind = parameter.kind;
        row.name = parameter.name;
        row.type = parameter.type_name;
        if (row.kind == Parameter::Kind::value)
            row.each = std::max<std::size_t>(1, parameter.components.size());
        else
            name_elements(row, parameter);
        // What names no parameter is told by its place alone.
        if (kernel.arguments.size() == facts.parameters.size()) {
            const std::string& text = kernel.arguments[i];
            row.null = text == "null" && row.kind != Parameter::Kind::value;
            const bool named = text.find_first_of(":=") != std::string::npos || text == "null";
            if (!named && row.kind == Parameter::Kind::value) row.value = text;
        }
        const bool given = row.null || !row.value.empty() ||
                           any_of(kernel.arguments, [&](const std::string& text) {
                               ArgumentRow read = row;
                               if (!read_argument(text, read)) return false;
                               row = std::move(read);
                               return true;
                           });
        if (!given) guess.fill(row, i);
        for (const ArgumentRow& other : rows)
            if (!row.same.empty() && other.name == row.same) row.count = other.count;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string argument_of(const ArgumentRow& row) {
    if (row.kind == Parameter::Kind::value) return fmt::format("{}={}", row.name, row.value);
    if (row.null) return "null";
    if (!row.same.empty()) return fmt::format("{}:={}", row.name, row.same);
    const std::uint64_t count = row.count * row.each;
    if (row.kind == Parameter::Kind::local)
        return fmt::format("{}:local {}[{}]", row.name, row.element, count);
    return fmt::format("{}:{}[{}]{}{}", row.name, row.element, count, row.fill.empty() ? "" : "=",
                       row.fill);
}

namespace {

struct GuessedSizes {
    Extent global, local;
};

// `warps`: CUDA's, whose threads act together.
GuessedSizes guessed_sizes(std::uint32_t dims, bool warps = false) {
    if (dims == 1) return {kGuessedElements, warps ? 32 : 16};
    if (dims == 2) return {{8, 8}, {4, 4}};
    return {{4, 4, 4}, {2, 2, 2}};
}

// The group that the text requires, in `dims` dimensions at least; not given: any.
Extent required_group(const TextFacts& facts, std::uint32_t dims) {
    Extent group;
    if (facts.required_group.empty()) return group;
    group.dims = dims;
    for (std::uint32_t i = 0; i < group.sizes.size() && i < facts.required_group.size(); ++i) {
        group.sizes[i] = facts.required_group[i];
        if (group.sizes[i] != 1) group.dims = std::max(group.dims, i + 1);
    }
    return group;
}

// Work-items for whole groups, as many as `wanted` where they fit.
Extent whole_groups(const Extent& wanted, const Extent& group) {
    Extent global = group;
    for (std::uint32_t i = 0; i < group.dims; ++i) {
        const std::uint64_t each = std::max<std::uint64_t>(1, group.sizes[i]);
        global.sizes[i] = std::max(each, wanted.sizes[i] / each * each);
    }
    return global;
}

void take_rows(LaunchForm& kernel, const std::vector<ArgumentRow>& rows) {
    kernel.arguments.clear();
    for (const ArgumentRow& row : rows)
        kernel.arguments.push_back(argument_of(row));
}

// Work-items of a launch that host code makes, and elements of its buffers; of larger ones only the
// group is taken.
constexpr std::uint64_t kMostHostItems = 4096, kMostHostElements = 65'536;
// Variables of host code, each given its value by the next; beyond them it is not followed.
constexpr int kMostHostVariables = 16;

// Of a text that is one; the host may write it in ways of its own, as 1.0f.
std::optional<std::string> plain_number(const std::string& text, Scalar scalar) {
    std::string number = plain_numbers(text, lang::info(scalar).floating);
    std::erase(number, ' ');
    const char* signs = lang::info(scalar).floating    ? "-.0123456789"
                        : lang::info(scalar).is_signed ? "-0123456789"
                                                       : "0123456789";
    const bool plain = !number.empty() && number.find_first_not_of(signs) == std::string::npos;
    return plain ? std::optional(number) : std::nullopt;
}

class HostNumbers {
  public:
    explicit HostNumbers(const lang::HostCode& host) : host_(host) {}

    // Of an expression of constants.
    std::optional<std::uint64_t> of(const std::string& text, int depth = 0) const {
        Variables variables;
        std::vector<std::string> known;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t first = at;
            while (at < text.size() && is_word(text[at]))
                ++at;
            const std::string name = text.substr(first, at - first);
            const auto value = host_.values.find(name);
            if (host_.unsure.contains(name)) return std::nullopt;
            if (value == host_.values.end() || variables.contains(name)) continue;
            const auto [found, is_new] = known_.try_emplace(name);  // one in terms of itself: none
            if (is_new && depth < kMostHostVariables) found->second = of(value->second, depth + 1);
            if (!found->second) return std::nullopt;
            variables[name] = static_cast<std::int64_t>(*found->second);
            known.push_back(name);
        }
        try {
            const std::int64_t number = Expression(text, known)(variables);
            if (number >= 0) return static_cast<std::uint64_t>(number);
        } catch (const Problem&) {  // no constant
        }
        return std::nullopt;
    }

    // Not given: some part is no constant, or nothing.
    Extent of(const std::vector<std::string>& sizes) const {
        Extent extent;
        extent.dims = static_cast<std::uint32_t>(sizes.size());
        for (std::size_t i = 0; i < sizes.size() && i < extent.sizes.size(); ++i) {
            const auto number = of(sizes[i]);
            if (!number || *number == 0 || *number > kMostHostItems) return {};
            extent.sizes[i] = *number;
        }
        while (extent.dims > 1 && extent.sizes[extent.dims - 1] == 1)
            --extent.dims;
        return extent;
    }

    bool knows(const std::string& pointer) const {
        return host_.bytes.contains(pointer) && !host_.unsure.contains(pointer);
    }

    std::optional<std::uint64_t> bytes(const std::string& pointer) const {
        const auto found = host_.bytes.find(pointer);
        const bool sure = found != host_.bytes.end() && !host_.unsure.contains(pointer);
        return sure ? of(found->second) : std::nullopt;
    }

    // What the elements of its memory are; empty: nobody fills it. Nothing: that is not known.
    std::optional<std::string> fill(const std::string& pointer, const ArgumentRow& row,
                                    Scalar scalar) const {
        const auto found = host_.fills.find(pointer);
        if (host_.written.contains(pointer)) return std::nullopt;
        if (found == host_.fills.end()) return "";
        const auto count = of(found->second.count);
        const std::uint64_t each = lang::info(scalar).bytes * row.each;
        if (!count || *count < row.count * (found->second.of_bytes ? each : 1)) return std::nullopt;
        if (!found->second.of_bytes)
            return row.each == 1 ? plain_number(found->second.value, scalar) : std::nullopt;
        const auto byte = of(plain_numbers(found->second.value, false));
        if (!byte || (*byte & 0xffU) == 0)
            return byte ? std::optional<std::string>("0") : std::nullopt;
        if (lang::info(scalar).floating || !lang::is_integer(scalar)) return std::nullopt;
        const std::uint64_t bits = (*byte & 0xffU) * 0x0101'0101'0101'0101U;
        const unsigned unused = 64 - 8U * lang::info(scalar).bytes;
        return lang::info(scalar).is_signed
                   ? std::to_string(static_cast<std::int64_t>(bits << unused) >> unused)
                   : std::to_string(bits << unused >> unused);
    }

  private:
    const lang::HostCode& host_;
    mutable std::map<std::string, std::optional<std::uint64_t>> known_;
};

const lang::HostLaunch* host_launch(const TextFacts& facts) {
    const auto plain = [](const std::string& name) { return name.substr(0, name.find('<')); };
    const lang::HostLaunch* found = nullptr;
    for (const lang::HostLaunch& each : facts.host.launches) {
        if (each.kernel == facts.kernel) return &each;
        if (found == nullptr && plain(each.kernel) == plain(facts.kernel)) found = &each;
    }
    return found;
}

// A CUDA kernel that never asks which block it is in.
bool is_for_one_block(const lang::Code& code) {
    return code.is_cuda && none_of(code.instructions, [](const lang::Instruction& each) {
               return each.op == lang::Op::group_id;
           });
}

// The block that a CUDA kernel's longest shared array is made for: a thread for each element, as
// most are written. Not given: no array tells.
Extent block_by_shared(const lang::Code& code, std::uint32_t dims) {
    constexpr std::uint64_t kMostThreads =
        256;  // more are rather a table, or of several per thread
    std::uint64_t longest = 0;
    for (const lang::VariableInfo& variable : code.variables) {
        if (variable.object < 0) continue;
        const lang::Object& object = code.objects[static_cast<std::size_t>(variable.object)];
        const std::uint64_t count =
            object.bytes / (std::uint64_t{lang::info(object.element).bytes} * variable.width);
        // One cell per warp says nothing of how many there are.
        const bool of_warps = count <= 32 && lang::depends_on_lanes(code);
        if (object.space == lang::Space::local && count <= kMostThreads && !of_warps)
            longest = std::max(longest, count);
    }
    if (!code.is_cuda || longest < 2 || dims > 2) return {};
    if (dims == 1) return longest;
    std::uint64_t side = 1;  // of a tile, whose rows may have a cell more
    while ((side + 1) * (side + 1) <= longest)
        ++side;
    return longest == side * side || longest == side * (side + 1) ? Extent{side, side} : Extent{};
}

// Whether all of the launch is known, and not only its group.
bool take_sizes(LaunchForm& kernel, const lang::HostLaunch& launch, const HostNumbers& numbers) {
    Extent group = numbers.of(launch.block);
    Extent grid = numbers.of(launch.grid);
    if (!group.given()) return false;
    group.dims = std::max(group.dims, grid.dims);
    kernel.local = group;
    if (!grid.given()) return false;
    for (std::size_t i = 0; i < grid.sizes.size(); ++i)
        grid.sizes[i] *= group.sizes[i];
    grid.dims = group.dims;
    if (grid.items() > kMostHostItems) return false;
    kernel.global = grid;
    return true;
}

// `whole`: the launch is known, so its numbers belong together.
void take_arguments(std::vector<ArgumentRow>& rows, const TextFacts& facts,
                    const lang::HostLaunch& launch, const HostNumbers& numbers, bool whole,
                    HostGiven& known) {
    // A structure that holds pointers is one argument to the host, and several rows.
    const bool given = count_if(rows, [](const ArgumentRow& row) {
                           return row.kind != Parameter::Kind::local;
                       }) == launch.arguments.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ArgumentRow& row = rows[i];
        const bool buffer = given && row.kind == Parameter::Kind::buffer;
        for (std::size_t k = 0; k < i && buffer && row.same.empty(); ++k)
            if (launch.arguments[k] == launch.arguments[i] && numbers.knows(launch.arguments[i]) &&
                rows[k].kind == row.kind && facts.parameters[k].type == facts.parameters[i].type &&
                facts.parameters[k].element_bytes == facts.parameters[i].element_bytes)
                row.same = rows[k].name;
        for (ArgumentRow& other : rows)
            if (!row.same.empty() && other.name == row.same && other.fill.empty())
                other.fill = row.fill;
        if (!row.same.empty()) known.rows[i] = known.fills[i] = true;
        if (!row.same.empty() || !whole) continue;
        std::optional<std::uint64_t> bytes;
        if (row.kind == Parameter::Kind::local)
            bytes = numbers.of(launch.shared);
        else if (buffer)
            bytes = numbers.bytes(launch.arguments[i]);
        if (bytes) {
            const std::uint64_t count =
                *bytes / std::max<std::uint64_t>(1, facts.parameters[i].element_bytes);
            known.rows[i] = count > 0 && count <= kMostHostElements;
            if (known.rows[i]) row.count = count;
            const auto fill = known.rows[i] && buffer
                                  ? numbers.fill(launch.arguments[i], row, facts.parameters[i].type)
                                  : std::nullopt;
            known.fills[i] = fill.has_value() && (!fill->empty() || row.fill.empty());
            if (known.fills[i])
                row.fill = *fill;
            else if (buffer && !fill && row.fill.empty())
                row.fill = "0";  // the host does fill it
        } else if (given && row.kind == Parameter::Kind::value && row.each == 1) {
            const auto number = numbers.of(launch.arguments[i]);
            const auto value =
                number ? std::optional(std::to_string(*number))
                       : plain_number(launch.arguments[i], facts.parameters[i].components.front());
            known.rows[i] = value.has_value();
            if (value) row.value = *value;
        }
    }
}

// The name of memory that the host gives to two arguments which are two buffers here.
void say_parts(TextFacts& facts) {
    const lang::HostLaunch* launch = host_launch(facts);
    const std::size_t given = launch != nullptr ? launch->arguments.size() : 0;
    if (given != count_if(facts.parameters, [](const Parameter& each) {
            return each.kind != Parameter::Kind::local;
        }))
        return;
    const auto pointer_in = [&](const std::string& text) {
        for (const auto& [name, bytes] : facts.host.bytes)
            if (find_word(text, name) != std::string::npos) return name;
        return std::string();
    };
    for (std::size_t i = 0; i < given; ++i)
        for (std::size_t k = 0; k < i; ++k) {
            const Parameter &one = facts.parameters[k], &other = facts.parameters[i];
            const std::string name = pointer_in(launch->arguments[i]);
            const bool same = launch->arguments[i] == launch->arguments[k] &&
                              one.type == other.type && one.element_bytes == other.element_bytes;
            if (one.kind != Parameter::Kind::buffer || other.kind != one.kind || name.empty() ||
                name != pointer_in(launch->arguments[k]) || same)
                continue;
            const lang::Place& place = launch->place;
            facts.marks.push_back(
                {TextMark::Kind::warning,
                 place.line,
                 place.column,
                 place.length,
                 fmt::format("'{}' and '{}' lie in the host's '{}', but are two buffers here",
                             one.name, other.name, name),
                 {},
                 "What overlaps in it is not seen"});
            return;
        }
}

}  // namespace

bool HostGiven::all() const {
    return sizes && all_of(rows, [](bool each) { return each; }) &&
           all_of(fills, [](bool each) { return each; });
}

HostGiven fit_launch(LaunchForm& kernel, const TextFacts& facts) {
    HostGiven known;
    known.rows.resize(facts.parameters.size());
    known.fills.resize(facts.parameters.size());
    if (!facts.compiles) return known;
    kernel.kernel = facts.kernels.size() > 1 ? facts.kernel : "";
    const bool fresh = !kernel.global.given() && !kernel.local.given() && kernel.arguments.empty();
    const lang::HostLaunch* launch = fresh ? host_launch(facts) : nullptr;
    const HostNumbers numbers(facts.host);
    const bool whole = launch != nullptr && take_sizes(kernel, *launch, numbers);
    const LaunchForm host = kernel;
    const bool warps = facts.code->is_cuda && lang::depends_on_lanes(*facts.code);
    const std::uint32_t dims = kernel.global.given()  ? kernel.global.dims
                               : kernel.local.given() ? kernel.local.dims
                                                      : facts.dims;
    const Extent required = required_group(facts, dims);
    if (required.given() && kernel.local != required) {
        const bool fits = kernel.global.given() && kernel.global.dims == required.dims;
        kernel.local = required;
        kernel.global =
            whole_groups(fits ? kernel.global : guessed_sizes(required.dims).global, required);
    }
    if (fresh && !kernel.local.given()) kernel.local = block_by_shared(*facts.code, dims);
    if (!kernel.local.given()) kernel.local = guessed_sizes(dims, warps).local;
    if (!kernel.global.given())
        kernel.global = fresh && is_for_one_block(*facts.code)
                            ? kernel.local
                            : whole_groups(guessed_sizes(kernel.local.dims).global, kernel.local);
    std::vector<ArgumentRow> rows = rows_of(facts, kernel);
    known.group = launch != nullptr && host.local.given() && kernel.local == host.local;
    known.sizes = whole && kernel.local == host.local && kernel.global == host.global;
    if (launch != nullptr) take_arguments(rows, facts, *launch, numbers, known.sizes, known);
    for (std::size_t i = 0; i < rows.size(); ++i)
        known.fills[i] = known.fills[i] || rows[i].kind != Parameter::Kind::buffer;
    take_rows(kernel, rows);
    return known;
}

void set_row(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
             const ArgumentRow& now) {
    rows.at(row) = now;
    take_rows(kernel, rows);
}

void set_count(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
               std::uint64_t count) {
    const std::string before = std::to_string(rows.at(row).count);
    rows[row].count = count;
    const auto counts = [&](const ArgumentRow& each) {
        return each.kind == Parameter::Kind::value && each.each == 1 &&
               names_one_of(each.name, kCounts) && each.value == before;
    };
    for (ArgumentRow& other : rows)
        if (rows[row].kind == Parameter::Kind::buffer && counts(other))
            other.value = std::to_string(count);
    take_rows(kernel, rows);
}

void set_fill(LaunchForm& kernel, std::vector<ArgumentRow> rows, std::size_t row,
              const std::string& fill) {
    ArgumentRow& argument_row = rows.at(row);
    argument_row.fill = fill;
    std::uint64_t values = 0;
    for (std::size_t index = fill.find_first_not_of(" ,;"); index != std::string::npos; ++values)
        index =
            fill.find_first_not_of(" ,;", std::min(fill.find_first_of(" ,;", index), fill.size()));
    const std::size_t digits = argument_row.element.find_first_of("0123456789");
    const std::uint64_t width =
        digits == std::string::npos ? 1 : std::stoull(argument_row.element.substr(digits));
    const std::uint64_t cells = argument_row.each * width;
    const std::uint64_t count =
        values > 1 && values % cells == 0 ? values / cells : argument_row.count;
    set_count(kernel, std::move(rows), row, count);
}

void set_global(LaunchForm& kernel, std::vector<ArgumentRow> rows, const Extent& global) {
    kernel.global = global;
    if (kernel.offset.dims != global.dims) kernel.offset = 0;
    if (kernel.local.dims == global.dims) return;
    Extent group = guessed_sizes(global.dims).local;  // as far as it divides the work-items
    for (std::uint32_t i = 0; i < group.dims; ++i)
        group.sizes[i] = std::gcd(group.sizes[i], global.sizes[i]);
    set_local(kernel, std::move(rows), group);
}

LaunchForm resized(LaunchForm kernel, const TextFacts& facts, std::uint64_t n,
                   std::uint64_t group) {
    if (is_for_one_block(*facts.code)) n = group;
    set_local(kernel, rows_of(facts, kernel), group);
    const std::uint64_t before = kernel.global.items();
    const std::size_t count = rows_of(facts, kernel).size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<ArgumentRow> rows = rows_of(facts, kernel);
        if (rows[i].kind == Parameter::Kind::buffer && rows[i].count == before)
            set_count(kernel, rows, i, n);
    }
    set_global(kernel, rows_of(facts, kernel), (n + group - 1) / group * group);
    return kernel;
}

void set_local(LaunchForm& kernel, std::vector<ArgumentRow> rows, const Extent& local) {
    for (ArgumentRow& row : rows)
        if (row.kind == Parameter::Kind::local && row.count == kernel.local.items())
            row.count = local.items();
    kernel.local = local;
    if (kernel.offset.dims != local.dims) kernel.offset = 0;
    if (kernel.global.dims != local.dims)
        kernel.global = whole_groups(guessed_sizes(local.dims).global, local);
    take_rows(kernel, rows);
}

}  // namespace lab::catalogue
