#include "lang/compile.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/paths.h"
#include "lang/parser.h"

namespace lab::lang {

static Sources sources_of(const Text& text) {
    static const std::string opencl = opencl_c_asset("predefined.cl");
    static const std::string cuda = opencl + opencl_c_asset("cuda.cu");
    const bool is_opencl = !is_cuda(text.name, text.text);
    Sources sources{{is_opencl ? "<OpenCL C>" : "<CUDA>", is_opencl ? opencl : cuda},
                    {"<macros>", text.macros},
                    {text.name, text.text}};
    sources.insert(sources.end(), text.includes.begin(), text.includes.end());
    return sources;
}

static const FunctionDefinition* choose(const Tree& tree, std::string_view name,
                                        Diagnostics& diagnostics, const Place& start) {
    std::vector<std::string> names;
    const FunctionDefinition* found = nullptr;
    for (const FunctionDefinition* kernel : tree.kernels()) {
        names.push_back(kernel->name);
        const bool instance = kernel->name.starts_with(fmt::format("{}<", name));
        if (kernel->name == name || name.empty() || (instance && found == nullptr)) found = kernel;
    }
    if (names.empty()) {
        diagnostics.error(start, "there is no kernel in this text",
                          tree.types.of_cuda
                              ? "A kernel begins with: __global__ void name(int* data)"
                              : "A kernel begins with: kernel void name(global int* data)");
        return nullptr;
    }
    if (name.empty() && names.size() > 1) {
        diagnostics.error(start, "there are several kernels in this text",
                          fmt::format("Name one with --kernel: {}", fmt::join(names, ", ")));
        return nullptr;
    }
    if (found == nullptr)
        diagnostics.error(start, fmt::format("there is no kernel '{}' in this text", name),
                          fmt::format("There is {}", fmt::join(names, ", ")));
    return found;
}

std::string opencl_c_asset(const char* name) {
    return read_file(data_folder() / "assets" / "opencl_c" / name);
}

Compiled compile(const Text& text, std::string_view kernel) {
    Compiled compiled;
    compiled.sources = sources_of(text);
    compiled.preprocessed = preprocess(compiled.sources, compiled.diagnostics);
    if (compiled.diagnostics.failed()) return compiled;
    const bool cuda = is_cuda(text.name, text.text);
    if (cuda) compiled.host = take_host_code(compiled.preprocessed.tokens);
    compiled.tree =
        parse(compiled.preprocessed.tokens, compiled.diagnostics, cuda ? &compiled.host : nullptr);
    if (compiled.diagnostics.failed()) return compiled;
    Place start;
    start.file = kTextFile;
    start.line = start.column = start.length = 1;
    const FunctionDefinition* chosen = choose(*compiled.tree, kernel, compiled.diagnostics, start);
    compiled.kernel = chosen;
    if (chosen == nullptr) return compiled;
    for (const Diagnostic& error : chosen->errors)
        compiled.diagnostics.add(error);
    if (compiled.diagnostics.failed()) return compiled;
    Code code = lower(*compiled.tree, *chosen, compiled.diagnostics);
    if (compiled.diagnostics.failed()) return compiled;
    code.sources = compiled.sources;
    code.is_cuda = cuda;
    compiled.code = std::move(code);
    return compiled;
}

Compiled compile_or_throw(const Text& text, std::string_view kernel) {
    Compiled compiled = compile(text, kernel);
    if (!compiled.code) throw problem_of(compiled.diagnostics, compiled.sources);
    return compiled;
}

std::string define_line(std::string_view option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos) return fmt::format("#define {} 1\n", option);
    return fmt::format("#define {} {}\n", option.substr(0, equals), option.substr(equals + 1));
}

std::string expanded(const Text& text) {
    return expanded_text(sources_of(text), kTextFile);
}

std::set<std::uint32_t> left_out_lines(const Text& text) {
    const Sources sources = sources_of(text);
    Diagnostics diagnostics;
    const Passages read = preprocess_passages(sources, sources.size(), diagnostics);
    std::set<std::uint32_t> lines;
    for (const ExpansionRange& passage : read.passages) {
        if (passage.kind != ExpansionRange::Kind::left_out) continue;
        bool directive = false;
        for (std::size_t i = passage.first; i < passage.last; ++i) {
            const Token& token = read.text[i];
            if (token.line_start) directive = token.is("#");
            if (token.place.file == kTextFile && !directive) lines.insert(token.place.line);
        }
    }
    return lines;
}

namespace {

constexpr int kMostRounds = 64;  // of adding macros that a text lacks; then none are offered
// What most types and numbers of a kernel are; the next where that does not compile: bits are no
// floats, and local memory has an end.
struct Usual {
    std::string_view type, number;
};
constexpr std::array<Usual, 4> kUsual{
    {{"float", "16"}, {"int", "16"}, {"uint", "16"}, {"float", "4"}}};

struct NamedType {
    std::string_view part, value;
};
constexpr std::array<NamedType, 13> kNamedTypes{{{"uint", "uint"},
                                                 {"u32", "uint"},
                                                 {"uchar", "uchar"},
                                                 {"u8", "uchar"},
                                                 {"byte", "uchar"},
                                                 {"ushort", "ushort"},
                                                 {"u16", "ushort"},
                                                 {"ulong", "ulong"},
                                                 {"u64", "ulong"},
                                                 {"double", "double"},
                                                 {"int", "int"},
                                                 {"key", "int"},
                                                 {"idx", "int"}}};

std::string lower_of(std::string_view name) {
    std::string lower;
    for (const char c : name)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

// "REAL4" is a float4; `usual` where the name says nothing.
std::string type_for(std::string_view name, std::string_view usual) {
    const std::string lower = lower_of(name);
    std::string type(lower.find("vec") != std::string::npos ? std::string(usual) + "4"
                                                            : std::string(usual));
    for (const NamedType& each : kNamedTypes)
        if (lower.find(each.part) != std::string::npos) {
            type = each.value;
            break;
        }
    for (const std::string_view width : {"16", "2", "3", "4", "8"})
        if (lower.size() > width.size() && lower.ends_with(width) && lower[0] != 'u')
            return type + std::string(width);
    return type;
}

// A name in small letters is rather a slip of the pen.
bool may_be_macro(const Diagnostic& diagnostic) {
    const std::string& name = diagnostic.name;
    return diagnostic.missing != Diagnostic::Missing::no &&
           (lower_of(name) != name ||
            (diagnostic.missing == Diagnostic::Missing::type && name.ends_with("_t")));
}

HostMacro macro_for(const Diagnostic& diagnostic, const Usual& usual) {
    HostMacro macro;
    macro.name = diagnostic.name;
    macro.place = diagnostic.place;
    if (diagnostic.missing == Diagnostic::Missing::type)
        macro.value = type_for(macro.name, usual.type);
    else if (diagnostic.missing != Diagnostic::Missing::qualifier)
        macro.value = lower_of(macro.name).find("log") != std::string::npos ? "4" : usual.number;
    return macro;
}

// Whether some kernel of it does, if none is named.
bool compiles(const Compiled& compiled, const Text& text, std::string_view kernel) {
    if (compiled.code) return true;
    if (!kernel.empty() || !compiled.tree || compiled.tree->kernels().size() < 2) return false;
    return compile(text, compiled.tree->kernels().front()->name).code.has_value();
}

// With types that are the usual one; nothing if the text does not compile with these.
std::vector<HostMacro> macros_with(const Text& text, std::string_view kernel, const Usual& usual) {
    Text tried = text;
    std::vector<HostMacro> found;
    for (int round = 0; round < kMostRounds; ++round) {
        const Compiled compiled = compile(tried, kernel);
        if (compiles(compiled, tried, kernel)) return found;
        const std::size_t before = found.size();
        for (const Diagnostic& diagnostic : compiled.diagnostics.all()) {
            if (!may_be_macro(diagnostic)) continue;
            const auto named = [&](const HostMacro& one) { return one.name == diagnostic.name; };
            if (std::any_of(found.begin(), found.end(), named)) continue;
            found.push_back(macro_for(diagnostic, usual));
            tried.macros += define_line(option_of(found.back()));
        }
        if (found.size() == before) return {};
    }
    return {};
}

}  // namespace

std::vector<HostMacro> host_macros(const Text& text, std::string_view kernel) {
    for (const Usual& usual : kUsual)
        if (std::vector<HostMacro> found = macros_with(text, kernel, usual); !found.empty())
            return found;
    return {};
}

std::string option_of(const HostMacro& macro) {
    return fmt::format("{}={}", macro.name, macro.value);
}

}  // namespace lab::lang
