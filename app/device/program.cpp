#include "device/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "base/ranges.h"
#include "catalogue/host_program.h"
#include "lang/record.h"
#include "results/device_info.h"

namespace lab::device {

constexpr const char* kNoDeviceScope = " -D NO_DEVICE_SCOPE";

// "PLACE:12:5: error: …" as clang writes it, or "error: PLACE:12:5: …" as PoCL does. PLACE is a
// path or a name such as <kernel> that no reader knows.
static const std::regex& place_in_log() {
    static const std::regex place(
        R"(^((?:fatal error|error|warning|note): )?([^\s:][^:\n]*):(\d+):(\d+): )",
        std::regex::ECMAScript | std::regex::multiline);
    return place;
}

// The place of the first error in a mapped log, or else of the first line with a place: a linker
// that stops may name none itself.
static std::string first_place(const std::string& log, const std::string& file) {
    std::string first = file;
    for (std::size_t index = log.find(file + ":"); index != std::string::npos;
         index = log.find(file + ":", index + 1)) {
        const std::size_t end = log.find(": ", index);
        std::string place = log.substr(index, end - index);
        if (end != std::string::npos && log.compare(end + 2, 5, "error") == 0) return place;
        if (first == file) first = place;
    }
    return first;
}

const char* newer_standard(const results::DeviceInfo& device) {
    return device.version.starts_with("OpenCL 3") ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
}

std::string build_options(const Device& device, const std::string& text,
                          const std::vector<catalogue::Need>& needs) {
    const auto is_newer = [](catalogue::Need need) {
        return need == catalogue::Need::sub_groups || need == catalogue::Need::group_collectives;
    };
    const bool scopes = catalogue::names_scopes(text);
    const bool lacking = scopes && !device.scopes->works();
    const bool newer = any_of(needs, is_newer);
    std::string options =
        newer || (scopes && !lacking) ? newer_standard(device.info) : "-cl-std=CL1.2";
    if (lacking) options += kNoDeviceScope;
    return options;
}

std::string mapped_log(const std::string& log, const lang::Text& text) {
    const auto macro_lines = std::count(text.macros.begin(), text.macros.end(), '\n');
    std::string mapped;
    auto position = log.cbegin();
    for (std::sregex_iterator place(log.begin(), log.end(), place_in_log()), end; place != end;
         ++place) {
        const std::smatch& match = *place;
        mapped.append(position, log.cbegin() + match.position());
        position = log.cbegin() + match.position() + match.length();
        const long line = std::stol(match[3].str());
        mapped += line > macro_lines
                      ? fmt::format("{}:{}:{}: {}", text.name, line - macro_lines, match[4].str(),
                                    match[1].str())
                      : fmt::format("macros:{}:{}: {}", line, match[4].str(), match[1].str());
    }
    mapped.append(position, log.cend());
    while (!mapped.empty() && (mapped.back() == '\n' || mapped.back() == '\0'))
        mapped.pop_back();
    return mapped;
}

Program build(const Device& device, const catalogue::Kernel& kernel,
              const catalogue::Shape& shape) {
    return build(device, text_of(kernel, shape), kernel.entry, needs_of(kernel, shape));
}

// What a text in CUDA C++ needs of the device. Throws Problem at the line that needs what it lacks.
static std::vector<catalogue::Need> needs_of(const Device& device, const lang::Text& text,
                                             const lang::RecordedText& printed) {
    std::vector<catalogue::Need> needs;
    const auto add = [&](catalogue::Need need, const lang::Place& place, bool has,
                         const char* what) {
        if (place.line == 0) return;
        needs.push_back(need);
        if (!has)
            throw Problem("The device lacks what the kernel needs",
                          fmt::format("{} has no {}", device.info.name, what),
                          "Step it on the simulator, or choose another device",
                          fmt::format("{}:{}:{}", text.name, place.line, place.column));
    };
    add(catalogue::Need::sub_groups, printed.sub_groups, device.info.sub_groups, "sub-groups");
    add(catalogue::Need::group_collectives, printed.collectives, device.info.group_collectives,
        "work_group_reduce");
    return needs;
}

// The line of the text in CUDA C++ that the line of a place, "k.cu, as OpenCL C:12:5", says again,
// or that calls what CUDA brings along.
static std::string place_in_cuda(const std::string& place, const lang::Text& text,
                                 const lang::RecordedText& printed) {
    const std::size_t colon = std::min(printed.text.name.size() + 1, place.size());
    const auto line = std::strtoul(place.c_str() + colon, nullptr, 10);
    if (line > 0 && line <= printed.lines.size() && !printed.lines[line - 1].empty())
        return fmt::format("{}:{}", text.name, printed.lines[line - 1].front());
    for (const lang::Place& called : {printed.sub_groups, printed.collectives})
        if (called.line != 0) return fmt::format("{}:{}:{}", text.name, called.line, called.column);
    return place;
}

Program build(const Device& device, const lang::Text& written, const std::string& entry,
              const std::vector<catalogue::Need>& written_needs, Optimise optimise) {
    const bool cuda = lang::is_cuda(written.name, written.text);
    lang::RecordedText printed;
    if (cuda) printed = lang::opencl_text(written, entry);
    const lang::Text& given = cuda ? printed.text : written;
    const std::vector<catalogue::Need> needs =
        cuda ? needs_of(device, written, printed) : written_needs;
    return guarded("Building the kernel", given.name, [&] {
        std::string options = build_options(device, given.text, needs);
        lang::Text text = given;
        if (options.ends_with(kNoDeviceScope)) text.macros = catalogue::kScopeStandIn + text.macros;
        cl::Program program(device.context, text.macros + text.text);
        if (optimise == Optimise::no) options += " -cl-opt-disable";
        bool failed = false;
        try {
            program.build({device.device}, options.c_str());
        } catch (const cl::BuildError&) {
            failed = true;
        }
        Program built;
        built.log = mapped_log(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device), text);
        if (failed)
            throw Problem("The kernel does not compile",
                          built.log.empty() ? "The compiler gave no reason" : built.log,
                          "Fix the kernel's text at the line named",
                          cuda ? place_in_cuda(first_place(built.log, text.name), written, printed)
                               : first_place(built.log, text.name),
                          Exit::kernel_fault);
        if (entry.empty() || cuda) {
            std::vector<cl::Kernel> kernels;
            program.createKernels(&kernels);
            built.kernel = kernels.at(0);
        } else {
            built.kernel = cl::Kernel(program, entry.c_str());
        }
        built.group = std::min<std::uint64_t>(
            device.info.max_group,
            built.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.device));
        built.most_group = is_nvidia(device.info) ? device.info.max_group : built.group;
        return built;
    });
}

}  // namespace lab::device
