#include "device/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace lab::device {
namespace {

using Fill = catalogue::Argument::Fill;

constexpr std::size_t kUnwrittenBytes = std::size_t{1} << 20U;  // made to look so before each run

void check_group(const Device& device, const catalogue::Launch& launch) {
    if (launch.local > device.info.max_group)
        throw Problem(fmt::format("The group of {} work-items is too large", launch.local),
                      fmt::format("{} runs at most {}", device.info.name, device.info.max_group),
                      "Choose a smaller group", "--group");
}

void check_local(const Device& device, const catalogue::Launch& launch, catalogue::Type element) {
    std::uint64_t bytes = 0;
    for (const catalogue::PlannedArgument& argument : launch.arguments)
        if (argument.kind == catalogue::Argument::Kind::local)
            bytes += argument.count * info(argument.type.value_or(element)).bytes;
    if (bytes > device.info.local_bytes)
        throw Problem(fmt::format("A group needs {} bytes of local memory", bytes),
                      fmt::format("{} has {} a group", device.info.name, device.info.local_bytes),
                      "Choose a smaller group", "--group");
}

}  // namespace

Reduction::Reduction(const Device& device, const Program& program, catalogue::Plan plan,
                     Inputs& inputs, std::optional<catalogue::Type> element)
    : device_(device),
      kernel_(program.kernel),
      plan_(std::move(plan)),
      inputs_(inputs),
      element_(element.value_or(inputs.elements().type)),
      result_(inputs.elements().identity.begin(), inputs.elements().identity.end()) {
    result_.resize(info(element_).bytes);
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const catalogue::PlannedBuffer& planned = plan_.buffers[i];
        const bool fills = planned.fill == Fill::identity || planned.fill == Fill::number;
        if (fills && !planned.once) filled_.push_back(i);
    }
    for (const catalogue::Launch& launch : plan_.launches) {
        check_group(device, launch);
        check_local(device, launch, element_);
    }
    guarded("Making the buffers", device.info.name, [&] {
        buffers_.resize(plan_.buffers.size());
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            make_buffer(i);
    });
}

std::size_t Reduction::size_of(std::size_t buffer) const {
    return plan_.buffers[buffer].count * info(type_of(plan_.buffers[buffer])).bytes;
}

void Reduction::make_buffer(std::size_t buffer) {
    const catalogue::PlannedBuffer& planned = plan_.buffers[buffer];
    const std::size_t size = size_of(buffer);
    if (size > device_.info.largest_buffer)
        throw Problem(fmt::format("The buffer '{}' of {} bytes is too large", planned.name, size),
                      fmt::format("{} takes at most {} bytes a buffer", device_.info.name,
                                  device_.info.largest_buffer),
                      "Choose a smaller n", "--n");
    if (planned.fill == Fill::input) {
        if (!planned.constant) buffers_[buffer] = inputs_.work();
        return;  // else the input itself, another copy each time
    }
    buffers_[buffer] = cl::Buffer(device_.context, CL_MEM_READ_WRITE, size);
    device_.queue.enqueueFillBuffer(buffers_[buffer],
                                    static_cast<cl_uchar>(inputs_.elements().unwritten), 0, size);
    if (planned.once) fill(device_.queue, buffer, nullptr);
}

void Reduction::prepare() {
    guarded("Filling the buffers", device_.info.name, [&] {
        inputs_.rotate();
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            const catalogue::PlannedBuffer& planned = plan_.buffers[i];
            if (planned.fill == Fill::input && planned.constant)
                buffers_[i] = inputs_.current();
            else if (planned.fill == Fill::input)
                device_.queue.enqueueCopyBuffer(inputs_.current(), buffers_[i], 0, 0, size_of(i));
            else if (planned.fill == Fill::none)
                device_.queue.enqueueFillBuffer(buffers_[i],
                                                static_cast<cl_uchar>(inputs_.elements().unwritten),
                                                0, std::min(size_of(i), kUnwrittenBytes));
        }
        device_.queue.finish();
    });
}

void Reduction::reset() {
    prepare();
    guarded("Filling the buffers", device_.info.name, [&] {
        for (const std::size_t buffer : filled_)
            fill(device_.queue, buffer, nullptr);
        device_.queue.finish();
    });
}

bool Reduction::works_in_place() const {
    return std::any_of(plan_.buffers.begin(), plan_.buffers.end(),
                       [](const catalogue::PlannedBuffer& buffer) {
                           return buffer.fill == Fill::input && !buffer.constant;
                       });
}

void Reduction::next_input() {
    inputs_.rotate();
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (plan_.buffers[i].fill == Fill::input) buffers_[i] = inputs_.current();
}

// With the neutral element or a number. OpenCL's fill takes its pattern's type, hence the widths.
void Reduction::fill(const cl::CommandQueue& queue, std::size_t buffer, cl::Event* event) {
    const catalogue::PlannedBuffer& planned = plan_.buffers[buffer];
    const catalogue::Values number = one_value(type_of(planned), planned.number);
    const std::span<const std::byte> pattern =
        planned.fill == Fill::identity ? inputs_.elements().identity : bytes_in(number);
    const auto fill_with = [&](auto bits) {
        std::memcpy(&bits, pattern.data(), sizeof(bits));
        queue.enqueueFillBuffer(buffers_[buffer], bits, 0, size_of(buffer), nullptr, event);
    };
    if (pattern.size() == sizeof(cl_ulong))
        fill_with(cl_ulong{});
    else
        fill_with(cl_uint{});
}

bool Reduction::stuck() const {
    if (!plan_.stuck || plan_.launches.empty()) return false;
    cl_uint value = 0;
    const std::vector<std::byte> bytes = read(*plan_.stuck, 1);
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value != 0;
}

void Reduction::write(std::size_t buffer, std::span<const std::byte> bytes) {
    guarded("Writing a buffer", device_.info.name, [&] {
        device_.queue.enqueueWriteBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(), bytes.data());
    });
}

std::vector<std::byte> Reduction::read(std::size_t buffer, std::uint64_t elements) const {
    return guarded("Reading a buffer back", device_.info.name, [&] {
        std::vector<std::byte> bytes(elements * info(type_of(plan_.buffers[buffer])).bytes);
        if (!bytes.empty())
            device_.queue.enqueueReadBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(),
                                            bytes.data());
        return bytes;
    });
}

Launches::Memory Reduction::memory(std::size_t launch, std::size_t parameter) const {
    const catalogue::PlannedArgument& argument = plan_.launches[launch].arguments.at(parameter);
    if (argument.kind == catalogue::Argument::Kind::buffer)
        return {argument.buffer, size_of(argument.buffer)};
    return {0, argument.count * info(argument.type.value_or(element_)).bytes};
}

std::vector<std::byte> Reduction::contents(std::size_t buffer) const {
    if (plan_.buffers[buffer].constant) return {};
    return read(buffer, plan_.buffers[buffer].count);
}

void Reduction::bind(cl_uint index, const catalogue::PlannedArgument& argument) {
    switch (argument.kind) {
        case catalogue::Argument::Kind::buffer:
            kernel_.setArg(index, buffers_[argument.buffer]);
            break;
        case catalogue::Argument::Kind::local:
            kernel_.setArg(
                index, cl::Local(argument.count * info(argument.type.value_or(element_)).bytes));
            break;
        case catalogue::Argument::Kind::scalar: {
            const catalogue::Values value =
                one_value(argument.type.value_or(catalogue::Type::int_), argument.value);
            kernel_.setArg(index, catalogue::info(catalogue::type_of(value)).bytes,
                           catalogue::bytes_of(value));
            break;
        }
    }
}

void Reduction::enqueue(const cl::CommandQueue& queue, const catalogue::Launch& launch,
                        cl::Event* event) {
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        bind(static_cast<cl_uint>(i), launch.arguments[i]);
    queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(launch.global),
                               cl::NDRange(launch.local), nullptr, event);
}

void Reduction::enqueue_all(const cl::CommandQueue& queue, cl::Event* first, cl::Event* last) {
    const std::size_t commands = filled_.size() + plan_.launches.size();
    for (std::size_t i = 0; i < commands; ++i) {
        const bool is_first = i == 0 && first != nullptr;
        const bool is_last = i + 1 == commands && last != nullptr;
        cl::Event event;
        cl::Event* const asked = is_first || is_last ? &event : nullptr;
        if (i < filled_.size())
            fill(queue, filled_[i], asked);
        else
            enqueue(queue, plan_.launches[i - filled_.size()], asked);
        if (is_first) *first = event;
        if (is_last) *last = event;
    }
}

void Reduction::launch(std::size_t launch) {
    guarded("Running the kernel", device_.info.name, [&] {
        cl::Event event;
        enqueue(device_.queue, plan_.launches[launch], &event);
        event.wait();
    });
}

// All that goes before the read-back.
void Reduction::send(const Runs& runs) {
    if (runs.batch > 1 && works_in_place())
        throw Problem("The kernel cannot be run in a batch",
                      "It writes over its input, so that a second run would find another one",
                      "Leave --batch out, or choose another variant", "--batch");
    runs_ = runs;
    first_ = last_ = {};
    started_ = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < runs.batch; ++i) {
        if (i > 0) next_input();
        enqueue_all(queue(), runs.timed && i == 0 ? &first_ : nullptr,
                    runs.timed && i + 1 == runs.batch ? &last_ : nullptr);
    }
    // The device starts now, and not when the host gets round to waiting: 7 of 24 us on an H200.
    queue().flush();
    if (plan_.result)
        queue().enqueueReadBuffer(buffers_[*plan_.result], CL_FALSE, 0, result_.size(),
                                  device_.pinned_result->bytes().data());
}

// Of what is done.
Times Reduction::times() const {
    const std::chrono::duration<double, std::milli> wall =
        std::chrono::steady_clock::now() - started_;
    Times result;
    result.wall_ms = wall.count() / runs_.batch;
    if (first_() != nullptr) {
        const auto start = first_.getProfilingInfo<CL_PROFILING_COMMAND_START>();
        const auto end = last_.getProfilingInfo<CL_PROFILING_COMMAND_END>();
        result.device_ms = static_cast<double>(end - start) * 1e-6 / runs_.batch;
    }
    return result;
}

Times Reduction::run(const Runs& runs) {
    start(runs);
    return finish();
}

void Reduction::start(const Runs& runs) {
    guarded("Running the kernel", device_.info.name, [&] { send(runs); });
}

Times Reduction::finish() {
    return guarded("Running the kernel", device_.info.name, [&] {
        queue().finish();
        const Times result = times();
        if (plan_.result)
            std::copy_n(device_.pinned_result->bytes().begin(), result_.size(), result_.begin());
        return result;
    });
}

}  // namespace lab::device
