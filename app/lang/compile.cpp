#include "lang/compile.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lang/lower.h"
#include "lang/parser.h"
#include "lang/preprocess.h"

namespace lab::lang {
namespace {

// What OpenCL C 1.2 predefines (sections 6.10 and 6.12).
constexpr const char* kPrelude = R"(#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define CL_VERSION_2_0 200
#define __ENDIAN_LITTLE__ 1
#define __IMAGE_SUPPORT__ 0
#define __REDUCTION_LAB__ 1
#define cl_khr_fp64 1
#define cl_khr_fp16 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1
#define cl_khr_global_int32_base_atomics 1
#define cl_khr_global_int32_extended_atomics 1
#define cl_khr_local_int32_base_atomics 1
#define cl_khr_local_int32_extended_atomics 1
#define cl_khr_byte_addressable_store 1
#define cl_khr_subgroups 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_shuffle_relative 1
#define cl_khr_subgroup_ballot 1
#define cl_khr_subgroup_rotate 1
#define cl_khr_subgroup_non_uniform_vote 1
#define cl_khr_subgroup_non_uniform_arithmetic 1
#define __kernel_exec(x, t) kernel
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define memory_order_relaxed 0
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0
#define memory_scope_all_svm_devices 3
#define memory_scope_all_devices 3
#define memory_scope_work_item 0
#define memory_scope_sub_group 4
#define memory_scope_work_group 1
#define memory_scope_device 2
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1L)
#define ULONG_MAX 18446744073709551615UL
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP 308
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MIN_EXP (-1021)
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF as_float(0x7f800000U)
#define HUGE_VAL as_double(0x7ff0000000000000UL)
#define INFINITY as_float(0x7f800000U)
#define NAN as_float(0x7fc00000U)
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN 2147483647
#define NULL 0
#define true 1
#define false 0
#define M_E 2.718281828459045
#define M_LOG2E 1.4426950408889634
#define M_LOG10E 0.4342944819032518
#define M_LN2 0.6931471805599453
#define M_LN10 2.302585092994046
#define M_PI 3.141592653589793
#define M_PI_2 1.5707963267948966
#define M_PI_4 0.7853981633974483
#define M_1_PI 0.3183098861837907
#define M_2_PI 0.6366197723675814
#define M_2_SQRTPI 1.1283791670955126
#define M_SQRT2 1.4142135623730951
#define M_SQRT1_2 0.7071067811865476
#define M_E_F 2.718281828459045f
#define M_LOG2E_F 1.4426950408889634f
#define M_LOG10E_F 0.4342944819032518f
#define M_LN2_F 0.6931471805599453f
#define M_LN10_F 2.302585092994046f
#define M_PI_F 3.141592653589793f
#define M_PI_2_F 1.5707963267948966f
#define M_PI_4_F 0.7853981633974483f
#define M_1_PI_F 0.3183098861837907f
#define M_2_PI_F 0.6366197723675814f
#define M_2_SQRTPI_F 1.1283791670955126f
#define M_SQRT2_F 1.4142135623730951f
#define M_SQRT1_2_F 0.7071067811865476f
)";

Sources sources_of(const Text& text) {
    const bool cuda = is_cuda(text.name, text.text);
    Sources sources{
        {cuda ? "<CUDA>" : "<OpenCL C>", cuda ? std::string(kPrelude) + cuda_prelude() : kPrelude},
        {"<macros>", text.macros},
        {text.name, text.text}};
    sources.insert(sources.end(), text.includes.begin(), text.includes.end());
    return sources;
}

const FunctionDefinition* choose(const Tree& tree, std::string_view name, Diagnostics& diagnostics,
                                 const Place& start) {
    std::vector<std::string> names;
    const FunctionDefinition* found = nullptr;
    for (const FunctionDefinition* kernel : tree.kernels()) {
        names.push_back(kernel->name);
        const bool instance = kernel->name.starts_with(fmt::format("{}<", name));
        if (kernel->name == name || name.empty() || (instance && found == nullptr)) found = kernel;
    }
    if (names.empty()) {
        diagnostics.error(start, "there is no kernel in this text",
                          "A kernel begins with: kernel void name(global int* data)");
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

}  // namespace

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
    Code code = lower(*compiled.tree, *chosen, compiled.diagnostics);
    if (compiled.diagnostics.failed()) return compiled;
    code.sources = compiled.sources;
    code.ended_items_pass = cuda;
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
