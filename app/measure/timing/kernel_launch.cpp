#include "measure/timing/kernel_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lang/code.h"
#include "lang/compile.h"
#include "results/device_needs.h"

namespace lab::measure {
namespace {

// What the simulator is asked first: a launch that it runs in a moment.
constexpr std::uint64_t kMostSimulatedItems = 4096, kMostSimulatedBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostSimulatedInstructions = 3'000'000;

// Three components of a vector take the room of four; a structure's lie as the compiler likes, so
// that only one of equal numbers is known.
std::vector<std::byte> value_of(const machine::Argument& argument,
                                const lang::Parameter& parameter) {
    const auto& types = parameter.components;
    lang::Types known;
    const lang::Type* named = known.named(parameter.type_name);
    const bool vector = named != nullptr && named->is_arithmetic();
    if (!vector && std::any_of(types.begin(), types.end(),
                               [&](machine::Scalar each) { return each != types.front(); }))
        throw Problem(
            fmt::format("'{}' is a structure of different types", parameter.name),
            "How it lies in memory is up to the device's compiler, so no value can be passed",
            "Pass its numbers one by one, or in a buffer", "--arg");
    const std::size_t size = lang::info(types.front()).bytes;
    std::vector<std::byte> bytes(size * (vector && types.size() == 3 ? 4 : types.size()));
    for (std::size_t i = 0; i < types.size(); ++i)
        std::memcpy(bytes.data() + i * size, &argument.components[i], size);
    return bytes;
}

}  // namespace

std::uint64_t buffer_bytes(const machine::Job& job) {
    std::uint64_t bytes = 0;
    for (const machine::Buffer& buffer : job.buffers)
        bytes += buffer.bytes;
    return bytes;
}

std::uint64_t elements_of(const machine::Job& job) {
    if (job.buffers.empty()) return job.launches.front().range.items();
    const machine::Buffer& start = job.buffers[simulation::start_of(job)];
    return start.bytes / lang::info(start.element).bytes;
}

catalogue::KernelText kernel_text_of(const simulation::UserKernel& kernel) {
    catalogue::KernelText text;
    text.text = kernel.text;
    text.file = kernel.file;
    for (const std::string& define : kernel.defines)
        text.macros += lang::define_line(define);
    text.macro_lines = static_cast<int>(std::count(text.macros.begin(), text.macros.end(), '\n'));
    // Newer functions need a newer language.
    if (text.text.find("sub_group_") != std::string::npos)
        text.needs.push_back(catalogue::Need::sub_groups);
    if (text.text.find("work_group_reduce_") != std::string::npos)
        text.needs.push_back(catalogue::Need::group_collectives);
    return text;
}

void check_needs(const results::DeviceInfo& device, const catalogue::KernelText& text) {
    for (const catalogue::Need need : text.needs)
        if (!results::has(device, need, catalogue::Type::int_))
            throw Problem("The device lacks what the kernel needs",
                          fmt::format("{} has no {}", device.name,
                                      need == catalogue::Need::sub_groups ? "sub-groups"
                                                                          : "work_group_reduce"),
                          "Step it on the simulator, or choose another device", text.file);
}

device::KernelLaunch launch_of(const machine::Job& job) {
    const machine::Launch& from = job.launches.front();
    device::KernelLaunch launch;
    launch.range = from.range;
    const std::vector<bool> written = machine::written_buffers(job);
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        launch.buffers.push_back(
            {job.buffers[i].name, job.buffers[i].bytes, job.buffers[i].initial, written[i]});
    for (std::size_t i = 0; i < from.arguments.size(); ++i) {
        using Kind = device::KernelArgument::Kind;
        const machine::Argument& argument = from.arguments[i];
        switch (argument.kind) {
            case machine::Argument::Kind::buffer:
                launch.arguments.push_back({Kind::buffer, argument.buffer, 0, {}});
                break;
            case machine::Argument::Kind::local:
                launch.arguments.push_back({Kind::local, 0, argument.bytes, {}});
                break;
            case machine::Argument::Kind::value:
                launch.arguments.push_back(
                    {Kind::value, 0, 0, value_of(argument, from.code->parameters[i])});
                break;
            case machine::Argument::Kind::null:
                launch.arguments.push_back({Kind::null, 0, 0, {}});
                break;
        }
    }
    return launch;
}

std::unique_ptr<machine::Run> simulated(machine::Job job) {
    const machine::Launch& launch = job.launches.front();
    if (launch.range.items() > kMostSimulatedItems ||
        launch.range.group_items() > job.config.max_group ||
        buffer_bytes(job) > kMostSimulatedBytes)
        return nullptr;
    job.budget = kMostSimulatedInstructions;
    const machine::Order order = machine::usual_order(job.config);
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    auto run = std::make_unique<machine::Run>(std::move(job), order, recording);
    if (!run->fault()) return run;
    if (run->fault()->kind == machine::Fault::Kind::budget) return nullptr;
    const Problem fault = run->problem(*run->fault());
    throw Problem(fault.what_happened,
                  fault.why + (fault.why.empty() ? "" : ". ") + "So it is not run on the device",
                  fault.hint, fault.where, fault.exit);
}

}  // namespace lab::measure
