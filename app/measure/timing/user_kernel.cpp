#include "measure/timing/user_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "device/kernel_run.h"
#include "lang/code.h"
#include "measure/timing/kernel_launch.h"

namespace lab::measure {
namespace {

constexpr std::size_t kShownValues = 4;  // of a buffer

std::uint64_t bits_at(const std::vector<std::byte>& bytes, std::uint64_t index, unsigned size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * size, size);
    return bits;
}

// Sums of floating-point numbers depend on the order.
bool alike(std::uint64_t a, std::uint64_t b, machine::Scalar type) {
    if (a == b) return true;
    const auto close = [](double x, double y, double most) {
        return (std::isnan(x) && std::isnan(y)) ||
               std::abs(x - y) <= most * std::max(std::abs(x), std::abs(y));
    };
    if (type == machine::Scalar::float_)
        return close(std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                     std::bit_cast<float>(static_cast<std::uint32_t>(b)), 1e-4);
    return type == machine::Scalar::double_ &&
           close(std::bit_cast<double>(a), std::bit_cast<double>(b), 1e-9);
}

// What was left in the buffers that the kernel may write, on the device and on the simulator, as
// far as it was asked.
struct Contents {
    std::string device, simulator;
};

Contents contents_of(const machine::Job& job, const device::KernelRun& on_device,
                     machine::Run* run) {
    const std::vector<bool> written = machine::written_buffers(job);
    Contents contents;
    bool same = true;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        if (!written[i]) continue;
        const machine::Buffer& buffer = job.buffers[i];
        const unsigned size = lang::info(buffer.element).bytes;
        const std::vector<std::byte> bytes = on_device.read(i);
        std::vector<std::string> here, there;
        for (std::uint64_t k = 0; k < buffer.bytes / size; ++k) {
            const std::uint64_t value = lang::canonical(buffer.element, bits_at(bytes, k, size));
            if (k < kShownValues) here.push_back(lang::text_of(value, buffer.element));
            if (run == nullptr) {
                if (k >= kShownValues) break;
                continue;
            }
            const machine::Page& page =
                *run->end().memory[i].pages[(k * size) >> machine::kPageBits];
            const bool known = page.written.all((k * size) & (machine::kPageBytes - 1), size);
            const std::uint64_t simulated = run->machine().value(run->end(), i, k);
            if (k < kShownValues)
                there.push_back(known ? lang::text_of(simulated, buffer.element) : "?");
            same = same && (!known || alike(value, simulated, buffer.element));
        }
        const char* more = buffer.bytes / size > kShownValues ? " …" : "";
        const auto line = [&](const std::vector<std::string>& values) {
            return fmt::format("{}: {}{}", buffer.name, fmt::join(values, " "), more);
        };
        const char* between = contents.device.empty() ? "" : ", ";
        contents.device += between + line(here);
        if (run != nullptr) contents.simulator += between + line(there);
    }
    if (run != nullptr && same) contents.simulator = contents.device;
    if (run != nullptr && !same && contents.simulator == contents.device)
        contents.simulator += " (further on)";
    return contents;
}

BenchmarkCase case_of(const device::Device& device, const simulation::UserKernel& kernel,
                      const machine::Job& job) {
    const machine::Launch& launch = job.launches.front();
    const catalogue::KernelText text = kernel_text_of(kernel);
    check_needs(device.info, text);
    catalogue::Variant entry;
    entry.entry = launch.code->kernel;
    const device::Program program = device::build(device, entry, text);
    const auto run = std::make_shared<device::KernelRun>(device, program, launch_of(job));
    const auto expected = simulated(job);
    run->prepare();
    run->run(false);
    const Contents contents = contents_of(job, *run, expected.get());
    BenchmarkCase result;
    result.on_host = device.info.kind == "CPU";
    result.row.variant = result.row.title = simulation::title_of(kernel);
    result.row.expect = "unknown";
    result.row.n = elements_of(job);
    result.row.group = launch.range.group_items();
    result.row.groups = launch.range.groups();
    result.row.launches = 1;
    result.row.bytes = buffer_bytes(job);
    result.row.cache = result.row.bytes > 4 * cache_bytes(device.info) ? "cold" : "warm";
    result.row.expected = contents.simulator;
    result.run = [run, contents] {
        constexpr double kLongRunMs = 10;  // as of variants: the events' clock makes the host wait
        Sample sample;
        run->prepare();
        const device::Times timed = run->run(true);
        sample.device_ms = timed.device_ms;
        sample.wall_ms = timed.wall_ms;
        if (timed.device_ms < kLongRunMs) {
            run->prepare();
            sample.wall_ms = run->run(false).wall_ms;
        }
        sample.outcome = {{true, 0, 0}, contents.device};
        return sample;
    };
    return result;
}

}  // namespace

results::Measurements measure_user_kernel(const device::Device& device,
                                          const simulation::UserKernel& kernel,
                                          results::MeasureRequest request,
                                          const OnMeasureProgress& on_progress) {
    check_repeat(request);
    const machine::Job job = simulation::job_of(kernel, {});
    request.sizes = {elements_of(job)};
    request.shape.input = {};  // its form has what fills its buffers
    BenchmarkCase only = case_of(device, kernel, job);
    results::Measurements measurements = started(device.info, request);
    measurements.op = measurements.input = "";
    measurements.type =
        job.buffers.empty() ? "" : lang::info(job.buffers[simulation::start_of(job)].element).name;
    Rounds rounds(std::move(measurements), request, on_progress);
    rounds.built_with(device::build_options(device, kernel_text_of(kernel)));
    return rounds.run(1, [&](std::optional<std::uint64_t>) {
        std::vector<BenchmarkCase> cases;
        cases.push_back(std::move(only));
        rounds.take_turns(cases);
    });
}

}  // namespace lab::measure
