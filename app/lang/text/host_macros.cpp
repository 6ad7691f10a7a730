#include "lang/text/host_macros.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lab::lang {
namespace {

constexpr int kMostRounds = 64;
// What most types and numbers of a kernel are; the next where that does not compile: bits are no
// floats, and local memory has an end.
struct Usual {
    std::string_view type, number;
};
constexpr std::array<Usual, 4> kUsual{
    {{"float", "16"}, {"int", "16"}, {"uint", "16"}, {"float", "4"}}};

struct Named {
    std::string_view part, value;
};
constexpr std::array<Named, 13> kNamedTypes{{{"uint", "uint"},
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
    for (const Named& each : kNamedTypes)
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
    if (diagnostic.missing == Diagnostic::Missing::qualifier) {
        macro.kind = HostMacro::Kind::word;
    } else if (diagnostic.missing == Diagnostic::Missing::type) {
        macro.kind = HostMacro::Kind::type;
        macro.value = type_for(macro.name, usual.type);
    } else {
        macro.value = lower_of(macro.name).find("log") != std::string::npos ? "4" : usual.number;
    }
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
