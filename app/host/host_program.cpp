#include "host/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/paths.h"
#include "base/problem.h"
#include "catalogue/device_scope.h"
#include "catalogue/plan.h"
#include "host/cpp_expression.h"
#include "host/fixed_text.h"
#include "host/run_text.h"

namespace lab::host {
namespace {

using catalogue::Need;

// A device of which a program may ask all that its header allows: the real one answers for itself.
constexpr catalogue::Target kAnyDevice{1, 4096, true, 4096};

// Sets what the shape leaves open, as a step does.
catalogue::Shape settled(const catalogue::Variant& variant, catalogue::Shape shape) {
    using Kind = catalogue::Input::Kind;
    const bool listed =
        shape.input.kind == Kind::values || shape.input.kind == Kind::file || !shape.n;
    if (listed)
        shape.n =
            catalogue::count_of(catalogue::make_values(shape.input, shape.type, shape.n, shape.op));
    shape = small_shape(variant, shape, *shape.n, kAnyDevice);
    if (*shape.n == 0)
        throw Problem("There is nothing to launch", "A reduction of no elements is the identity",
                      "Give at least one element", "--n");
    return shape;
}

std::string head(const LaunchFacts& facts, const HostProgram& program, bool any_n,
                 catalogue::Expect expect) {
    const catalogue::Variant& variant = facts.variant;
    std::string text = comment(variant.title) + "//\n" + comment(variant.teaches);
    if (expect == catalogue::Expect::races)
        text += "//\n" + comment(fmt::format("It {}: a wrong result is what it can show.",
                                             variant.expect.text));
    if (variant.expect.co_resident)
        text += "//\n" + comment("It is right only where all its groups run at once.");
    return text +
           fmt::format(
               "//\n"
               "// The host's part of {0}. With both files in one folder:\n"
               "//\n"
               "//     c++ -std=c++17 -O2 {1}.cpp -o {1} -lOpenCL\n"
               "//     ./{1}{2} [group]\n"
               "//\n"
               "// It ends with 0 if the result is right, 1 if it is wrong, 2 after an error,\n"
               "// and 3 if the device cannot run the kernel.\n\n",
               program.kernel_file, program.name, any_n ? " [n]" : "");
}

struct Header {
    const char* name;
    std::array<const char*, 3> words;  // that need it
};
constexpr std::array kHeaders{Header{"cmath", {"std::abs", "std::f", "INFINITY"}},
                              Header{"cstdint", {"int64_t"}},
                              Header{"fstream", {"std::ifstream"}},
                              Header{"iomanip", {"std::setprecision"}},
                              Header{"iostream", {"std::cout"}},
                              Header{"limits", {"std::numeric_limits"}},
                              Header{"map", {"std::map"}},
                              Header{"sstream", {"std::stringstream"}},
                              Header{"stdexcept", {"std::runtime_error"}},
                              Header{"string", {"std::string"}},
                              Header{"vector", {"std::vector"}}};

// What the rest of the program includes.
std::string includes(const LaunchFacts& facts, const std::string& rest) {
    bool newer = false;
    for (const Need need : needs_of(facts.variant, facts.shape))
        newer = newer || need == Need::group_collectives;
    // Some CLHPP that are asked for OpenCL 3.0 do not compile without what was there before 1.2.
    std::string text = fmt::format(
        "#define CL_HPP_ENABLE_EXCEPTIONS\n"
        "#define CL_HPP_TARGET_OPENCL_VERSION {}\n"
        "#define CL_HPP_MINIMUM_OPENCL_VERSION {}\n"
        "#include <{}>\n"
        "\n",
        newer ? 300 : 120, newer ? 110 : 120, "CL/opencl.hpp");
    for (const Header& header : kHeaders)
        if (std::any_of(header.words.begin(), header.words.end(), [&](const char* word) {
                return word != nullptr && rest.find(word) != std::string::npos;
            }))
            text += fmt::format("#include <{}>\n", header.name);
    return text + "\n";
}

// "or 1, 4, 8", or "none; group is 1".
std::string other_values(const catalogue::Toggle& toggle, const std::string& chosen) {
    std::string text, words;
    for (const std::string& value : toggle.values) {
        const std::string number = fmt::format("{}", toggle.number_of(value));
        if (value != chosen)
            text +=
                (text.empty() ? "" : ", ") + (value == number ? value : value + " is " + number);
        if (value == chosen && value != number) words = value + "; ";
    }
    return words.empty() ? "or " + text : words + text;
}

// The toggles that the host's own sizes depend on.
std::string constants(const LaunchFacts& facts) {
    std::string text;
    for (const auto& [name, value] : toggle_settings(facts.variant, facts.shape)) {
        const catalogue::Toggle& toggle = *facts.variant.toggle(name);
        if (host_needs(facts, toggle))
            text += fmt::format("const int64_t {} = {};  // {}\n", name, toggle.number_of(value),
                                other_values(toggle, value));
    }
    return text.empty() ? "" : text + "\n";
}

std::string macros(const LaunchFacts& facts) {
    std::string text =
        "\n"
        "// What the kernel's text leaves open.\n"
        "const std::string macros = R\"(\n";
    const std::string all = kernel_text(facts.variant, facts.shape).macros;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = all.find('\n', at);
        std::string line = all.substr(at, end - at);
        at = end + 1;
        constexpr std::string_view kDefine = "#define ";
        if (line.starts_with(kDefine)) {
            const std::size_t stop = line.find_first_of(" (", kDefine.size());
            const std::string name = line.substr(kDefine.size(), stop - kDefine.size());
            const catalogue::Toggle* toggle = facts.variant.toggle(name);
            if (!kernel_needs(facts.variant, name) ||
                (toggle != nullptr && host_needs(facts, *toggle)))
                continue;
            if (toggle != nullptr)
                line += "  // " +
                        other_values(*toggle, toggle_settings(facts.variant, facts.shape).at(name));
        }
        text += line + "\n";
    }
    return text + ")\";\n\n";
}

// The device that was asked for, else the first that suits.
std::string pick_device(const std::string& id) {
    if (id.empty()) return kPickDevice;
    unsigned platform = 0, device = 0;
    const char* const last = id.data() + id.size();
    const auto [colon, bad] = std::from_chars(id.data(), last, platform);
    const bool parted = bad == std::errc() && colon != last && *colon == ':';
    const auto [end, worse] = parted ? std::from_chars(colon + 1, last, device)
                                     : std::from_chars_result{last, std::errc::invalid_argument};
    if (worse != std::errc() || end != last)
        throw Problem(fmt::format("'{}' is not one device", id), "A host program runs on one",
                      "Write P:D, as `reduction-lab-cli devices` lists them", "--device");
    return fmt::format(
        "\n"
        "// Device {1} of platform {0}.\n"
        "cl::Device pick_device()\n"
        "{{\n"
        "    std::vector<cl::Platform> platforms;\n"
        "    cl::Platform::get(&platforms);\n"
        "    std::vector<cl::Device> devices;\n"
        "    if (platforms.size() > {0})\n"
        "        platforms[{0}].getDevices(CL_DEVICE_TYPE_ALL, &devices);\n"
        "    if (devices.size() <= {1}) throw std::runtime_error(\"there is no device {0}:{1}\");\n"
        "    return devices[{1}];\n"
        "}}\n",
        platform, device);
}

// What finds out whether the device's compiler knows scopes, and what to do if not.
std::string scope_text() {
    return fmt::format(
        "\n"
        "// Only a fence for the whole device orders two groups. OpenCL C 1.2 has none,\n"
        "// and no query tells whether a compiler takes it: so this text is tried.\n"
        "const std::string scope_trial = R\"(\n{})\";\n"
        "// Where it does not compile. Devices do as much, but no standard promises it.\n"
        "const std::string scope_stand_in =\n"
        "    R\"({})\";\n"
        "\n"
        "bool compiles(const cl::Context& context, const cl::Device& device,\n"
        "              const std::string& text, const std::string& options)\n"
        "{{\n"
        "    try {{\n"
        "        cl::Program(context, text).build(device, options.c_str());\n"
        "    }} catch (const cl::Error&) {{\n"
        "        return false;\n"
        "    }}\n"
        "    return true;\n"
        "}}\n",
        catalogue::kScopeTrial, catalogue::kScopeStandIn);
}

std::string build(const LaunchFacts& facts, const std::string& kernel_file) {
    CppLines lines;
    std::string defines;
    for (const catalogue::Toggle& toggle : facts.variant.toggles)
        if (host_needs(facts, toggle) && kernel_needs(facts.variant, toggle.name))
            defines += fmt::format("options += \" -D {0}=\" + std::to_string({0});\n", toggle.name);
    std::string options = "options.c_str()";
    bool newer = false;
    for (const Need need : needs_of(facts.variant, facts.shape))
        newer = newer || need == Need::sub_groups || need == Need::group_collectives;
    const bool scopes = catalogue::names_scopes(facts.variant.text);
    if (newer || scopes) {
        lines.add(1,
                  "const bool is_3 = device.getInfo<CL_DEVICE_VERSION>().find(\"OpenCL 3\") == 0;");
        lines.add(1, "std::string options = is_3 ? \"-cl-std=CL3.0\" : \"-cl-std=CL2.0\";");
        if (scopes) {
            lines.add(1, "if (!compiles(context, device, scope_trial, options)) {");
            if (!newer) lines.add(2, "options = \"-cl-std=CL1.2\";");
            lines.add(2, "source = scope_stand_in + source;");
            lines.add(1, "}");
        }
    } else if (defines.empty()) {
        options = "\"-cl-std=CL1.2\"";
    } else {
        lines.add(1, "std::string options = \"-cl-std=CL1.2\";");
    }
    lines.add(1, defines);
    return fmt::format(
        "{3}"
        "\n"
        "// The kernel's file with the macros before it, compiled for the device.\n"
        "cl::Program build(const cl::Context& context, const cl::Device& device)\n"
        "{{\n"
        "    std::ifstream file(\"{0}\");\n"
        "    if (!file)\n"
        "        throw std::runtime_error(\"{0} is not in this folder\");\n"
        "    std::stringstream text;\n"
        "    text << macros << \"#line 1 \\\"{0}\\\"\\n\" << file.rdbuf();\n"
        "{4}"
        "{1}"
        "{5}"
        "    try {{\n"
        "        program.build(device, {2});\n"
        "    }} catch (const cl::BuildError&) {{\n"
        "        std::cerr << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device) << \"\\n\";\n"
        "        throw;\n"
        "    }}\n"
        "    return program;\n"
        "}}\n",
        kernel_file, lines.text(), options, scopes ? scope_text() : "",
        scopes ? "    std::string source = text.str();\n\n"
               : "    cl::Program program(context, text.str());\n\n",
        scopes ? "    cl::Program program(context, source);\n" : "");
}

bool demands(const LaunchFacts& facts) {
    for (const catalogue::Legal& legal : facts.variant.legal)
        if (is_checked(facts, legal)) return true;
    return false;
}

}  // namespace

HostProgram host_program(const catalogue::Variant& variant, const catalogue::Shape& asked) {
    const catalogue::Shape shape = settled(variant, asked);
    const catalogue::Plan plan = make_plan(variant, shape, *shape.n, kAnyDevice);
    const LaunchFacts facts = launch_facts(variant, shape, *shape.n);
    const bool iterates = variant.plan == catalogue::PlanKind::iterate;
    const InputText input = iterates ? InputText{} : input_text(shape);

    HostProgram program;
    program.name = variant.file.stem().string();
    program.kernel_file = variant.file.filename().string();
    program.kernel_text = variant.text;

    CppLines run;
    add_launches(run, facts, input);
    add_result(run, facts, plan.every);
    const std::string functions = function_definitions(facts.names);
    const std::string rest =
        constants(facts) + element_text(shape) + macros(facts) +
        "const char* doing = \"\";  // what the program is at, for its messages\n" +
        input.functions + pick_device(shape.device) + build(facts, program.kernel_file) + kNumber +
        (demands(facts) ? kDemand : "") + "\n" + functions + (functions.empty() ? "" : "\n") +
        "int run(int argc, char** argv)\n{\n" + run.text() + "}\n" + kErrorName + kMain;
    program.text =
        head(facts, program, takes_n(facts, input), plan.expect) + includes(facts, rest) + rest;
    return program;
}

void save_program(const HostProgram& program, const fs::path& file) {
    const fs::path kernel = file.parent_path() / program.kernel_file;
    std::error_code error;
    const bool there = fs::exists(kernel, error);
    if (there && read_file(kernel) != program.kernel_text)
        throw Problem(fmt::format("{} is there already, with another text", kernel.string()),
                      "The program needs the kernel beside it, under that name",
                      "Choose another folder, or rename that file", file.string());
    write_file(file, program.text);
    if (!there) write_file(kernel, program.kernel_text);
}

}  // namespace lab::host
