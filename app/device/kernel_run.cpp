#include "device/kernel_run.h"

#include <fmt/format.h>

#include <chrono>

#include "catalogue/number.h"

namespace lab::device {
namespace {

constexpr auto kUnwritten = static_cast<cl_uchar>(kUnwrittenByte);

void check_groups(const Device& device, const Program& program, const NDRange& range) {
    const std::string local = size_text(range.local, range.dims);
    for (std::uint32_t i = 0; i < range.dims; ++i)
        if (range.local[i] == 0 || range.global[i] == 0 || range.global[i] % range.local[i] != 0)
            throw Problem(fmt::format("{} work-items cannot be split into groups of {}",
                                      size_text(range.global, range.dims), local),
                          "The first must be a multiple of the second, neither 0",
                          "Choose other sizes", "--global, --local");
    if (range.group_items() > program.most_group)
        throw Problem(fmt::format("Groups of {} work-items are too large for the device", local),
                      fmt::format("{} runs this kernel in groups of {} at most", device.info.name,
                                  program.most_group),
                      "Choose a smaller local size", "--local");
    const auto most = device.device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    for (std::uint32_t i = 0; i < range.dims; ++i)
        if (i >= most.size() || range.local[i] > most[i])
            throw Problem(
                fmt::format("Groups of {} work-items are too large for the device", local),
                fmt::format("{} takes {} in {} at most", device.info.name,
                            i < most.size() ? most[i] : 0, "xyz"[i]),
                "Choose a smaller local size", "--local");
}

cl::NDRange cl_range(const Coordinates& sizes, std::uint32_t dims) {
    return dims == 1   ? cl::NDRange(sizes[0])
           : dims == 2 ? cl::NDRange(sizes[0], sizes[1])
                       : cl::NDRange(sizes[0], sizes[1], sizes[2]);
}

void check_buffers(const Device& device, const KernelLaunch& launch) {
    for (const KernelBuffer& buffer : launch.buffers)
        if (buffer.bytes > device.info.largest_buffer)
            throw Problem(fmt::format("'{}' does not fit into a buffer", buffer.name),
                          fmt::format("It takes {}; {} takes at most {} a buffer",
                                      catalogue::bytes_text(buffer.bytes), device.info.name,
                                      catalogue::bytes_text(device.info.largest_buffer)),
                          "Choose fewer elements", "--arg");
    std::uint64_t local = 0;
    for (const KernelArgument& argument : launch.arguments)
        local += argument.bytes;
    if (local > device.info.local_bytes)
        throw Problem("The arguments need more local memory than the device has",
                      fmt::format("They take {}; {} has {} a group", catalogue::bytes_text(local),
                                  device.info.name, catalogue::bytes_text(device.info.local_bytes)),
                      "Choose fewer elements of local memory", "--arg");
}

}  // namespace

KernelRun::KernelRun(const Device& device, const Program& program, KernelLaunch launch)
    : device_(device), kernel_(program.kernel), launch_(std::move(launch)) {
    check_groups(device, program, launch_.range);
    check_buffers(device, launch_);
    guarded("Making the buffers", device.info.name, [&] {
        for (const KernelBuffer& buffer : launch_.buffers) {
            const auto make = [&] {
                return cl::Buffer(device.context, CL_MEM_READ_WRITE, buffer.bytes);
            };
            cl::Buffer& made = buffers_.emplace_back(make());
            cl::Buffer& initial = initial_.emplace_back();
            if (buffer.initial.empty()) {
                device.queue.enqueueFillBuffer(made, kUnwritten, 0, buffer.bytes);
                continue;
            }
            device.queue.enqueueWriteBuffer(made, CL_TRUE, 0, buffer.bytes, buffer.initial.data());
            if (!buffer.written) continue;
            initial = make();
            device.queue.enqueueCopyBuffer(made, initial, 0, 0, buffer.bytes);
        }
        device.queue.finish();
        bind();
    });
}

void KernelRun::bind() {
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
        const KernelArgument& argument = launch_.arguments[i];
        const auto index = static_cast<cl_uint>(i);
        switch (argument.kind) {
            case KernelArgument::Kind::buffer:
                kernel_.setArg(index, buffers_[argument.buffer]);
                break;
            case KernelArgument::Kind::local:
                kernel_.setArg(index, cl::Local(argument.bytes));
                break;
            case KernelArgument::Kind::value:
                kernel_.setArg(index, argument.value.size(), argument.value.data());
                break;
            case KernelArgument::Kind::null:
                kernel_.setArg(index, sizeof(cl_mem), nullptr);
                break;
        }
    }
}

void KernelRun::prepare() {
    guarded("Filling the buffers", device_.info.name, [&] {
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            const std::uint64_t bytes = launch_.buffers[i].bytes;
            if (!launch_.buffers[i].written) continue;
            if (initial_[i]() == nullptr)
                device_.queue.enqueueFillBuffer(buffers_[i], kUnwritten, 0, bytes);
            else
                device_.queue.enqueueCopyBuffer(initial_[i], buffers_[i], 0, 0, bytes);
        }
        device_.queue.finish();
    });
}

Times KernelRun::run(bool timed) {
    return guarded("Running the kernel", device_.info.name, [&] {
        const cl::CommandQueue& queue = timed ? device_.queue : device_.plain;
        cl::Event event;
        const auto start = std::chrono::steady_clock::now();
        const NDRange& range = launch_.range;
        queue.enqueueNDRangeKernel(
            kernel_,
            range.offset == Coordinates{} ? cl::NullRange : cl_range(range.offset, range.dims),
            cl_range(range.global, range.dims), cl_range(range.local, range.dims), nullptr,
            timed ? &event : nullptr);
        queue.finish();
        Times times;
        times.wall_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        if (timed) {
            const auto begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
            const auto end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            times.device_ms = static_cast<double>(end - begin) * 1e-6;
        }
        return times;
    });
}

Launches::Memory KernelRun::memory(std::size_t, std::size_t parameter) const {
    const KernelArgument& argument = launch_.arguments.at(parameter);
    if (argument.kind == KernelArgument::Kind::buffer)
        return {argument.buffer, launch_.buffers[argument.buffer].bytes};
    return {0, argument.bytes};
}

std::vector<std::byte> KernelRun::contents(std::size_t buffer) const {
    if (!launch_.buffers[buffer].written) return {};
    return read(buffer);
}

std::vector<std::byte> KernelRun::read(std::size_t buffer) const {
    return guarded("Reading a buffer back", device_.info.name, [&] {
        std::vector<std::byte> bytes(launch_.buffers[buffer].bytes);
        device_.queue.enqueueReadBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(), bytes.data());
        return bytes;
    });
}

}  // namespace lab::device
