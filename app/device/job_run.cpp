#include "device/job_run.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/ranges.h"
#include "catalogue/number.h"

namespace lab::device {
namespace {

constexpr auto kUnwritten = static_cast<cl_uchar>(kUnwrittenByte);
// Of copies of the elements that take turns: made to look so before each run.
constexpr std::size_t kUnwrittenBytes = std::size_t{1} << 20U;

// A form's sizes are all told; a header's follow from the group.
const char* group_option(const catalogue::Job& job) {
    return job.expect == catalogue::Expect::unknown ? "--local" : "--group";
}

void check_groups(const Device& device, const Program& program, const catalogue::Job& job,
                  const NDRange& range) {
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
                      "Choose a smaller group", group_option(job));
    const auto most = device.device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    for (std::uint32_t i = 0; i < range.dims; ++i)
        if (i >= most.size() || range.local[i] > most[i])
            throw Problem(
                fmt::format("Groups of {} work-items are too large for the device", local),
                fmt::format("{} takes {} in {} at most", device.info.name,
                            i < most.size() ? most[i] : 0, "xyz"[i]),
                "Choose a smaller group", group_option(job));
}

void check_memory(const Device& device, const catalogue::Job& job) {
    for (const catalogue::Buffer& buffer : job.buffers)
        if (buffer.bytes > device.info.largest_buffer)
            throw Problem(fmt::format("'{}' does not fit into a buffer", buffer.name),
                          fmt::format("It takes {}; {} takes at most {} per buffer",
                                      catalogue::bytes_text(buffer.bytes), device.info.name,
                                      catalogue::bytes_text(device.info.largest_buffer)),
                          "Choose fewer elements",
                          job.expect == catalogue::Expect::unknown ? "--arg" : "--n");
    for (const catalogue::Launch& launch : job.launches) {
        const std::uint64_t local = sum_of(launch.arguments, &catalogue::Argument::bytes);
        if (local > device.info.local_bytes)
            throw Problem(
                "The arguments need more local memory than the device has",
                fmt::format("They take {}; {} has {} per group", catalogue::bytes_text(local),
                            device.info.name, catalogue::bytes_text(device.info.local_bytes)),
                "Choose a smaller group, or fewer elements of local memory", group_option(job));
    }
}

cl::NDRange cl_range(const Coordinates& sizes, std::uint32_t dims) {
    return dims == 1   ? cl::NDRange(sizes[0])
           : dims == 2 ? cl::NDRange(sizes[0], sizes[1])
                       : cl::NDRange(sizes[0], sizes[1], sizes[2]);
}

}  // namespace

JobRun::JobRun(const Device& device, const Program& program, catalogue::Job job, Inputs* inputs)
    : device_(device),
      kernel_(program.kernel),
      job_(std::move(job)),
      inputs_(inputs),
      result_(catalogue::bytes_in(identity(job_.op, job_.type))) {
    for (std::size_t i = 0; i < job_.buffers.size(); ++i)
        if (!job_.buffers[i].pattern.empty() && !job_.buffers[i].once) filled_.push_back(i);
    for (const catalogue::Launch& launch : job_.launches)
        check_groups(device, program, job_, launch.range);
    check_memory(device, job_);
    guarded("Making the buffers", device.info.name, [&] {
        buffers_.resize(job_.buffers.size());
        initial_.resize(job_.buffers.size());
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            make_buffer(i);
        device.queue.finish();
    });
}

void JobRun::make_buffer(std::size_t index) {
    const catalogue::Buffer& buffer = job_.buffers[index];
    if (of_inputs(buffer)) {
        if (!buffer.constant) buffers_[index] = inputs_->work();
        return;  // else the input itself, another copy each time
    }
    const auto make = [&] {
        return cl::Buffer(device_.context, CL_MEM_READ_WRITE,
                          std::max<std::size_t>(buffer.bytes, 1));
    };
    buffers_[index] = make();
    if (!buffer.pattern.empty()) {
        if (buffer.once) fill(device_.queue, index, nullptr);
        return;
    }
    if (buffer.initial.empty()) {
        device_.queue.enqueueFillBuffer(buffers_[index], kUnwritten, 0, buffer.bytes);
        return;
    }
    device_.queue.enqueueWriteBuffer(buffers_[index], CL_TRUE, 0, buffer.bytes,
                                     buffer.initial.data());
    if (buffer.constant) return;
    initial_[index] = make();
    device_.queue.enqueueCopyBuffer(buffers_[index], initial_[index], 0, 0, buffer.bytes);
}

// As it was at the start of a run, but for what is filled within it.
void JobRun::restore(std::size_t index) {
    const catalogue::Buffer& buffer = job_.buffers[index];
    if (of_inputs(buffer)) {
        if (buffer.constant)
            buffers_[index] = inputs_->current();
        else
            device_.queue.enqueueCopyBuffer(inputs_->current(), buffers_[index], 0, 0,
                                            buffer.bytes);
    } else if (initial_[index]() != nullptr) {
        device_.queue.enqueueCopyBuffer(initial_[index], buffers_[index], 0, 0, buffer.bytes);
    } else if (buffer.pattern.empty() && buffer.initial.empty() && buffer.bytes > 0) {
        const std::size_t bytes = inputs_ != nullptr
                                      ? std::min<std::size_t>(buffer.bytes, kUnwrittenBytes)
                                      : buffer.bytes;
        device_.queue.enqueueFillBuffer(buffers_[index], kUnwritten, 0, bytes);
    }
}

void JobRun::prepare() {
    guarded("Filling the buffers", device_.info.name, [&] {
        if (inputs_ != nullptr) inputs_->rotate();
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            restore(i);
        device_.queue.finish();
    });
}

void JobRun::reset() {
    prepare();
    guarded("Filling the buffers", device_.info.name, [&] {
        for (const std::size_t buffer : filled_)
            fill(device_.queue, buffer, nullptr);
        device_.queue.finish();
    });
}

bool JobRun::works_in_place() const {
    return any_of(job_.buffers,
                  [](const auto& buffer) { return buffer.takes_elements && !buffer.constant; });
}

void JobRun::next_input() {
    if (inputs_ == nullptr) return;
    inputs_->rotate();
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (of_inputs(job_.buffers[i])) buffers_[i] = inputs_->current();
}

// With the buffer's pattern. OpenCL's fill takes its pattern's type, hence the widths.
void JobRun::fill(const cl::CommandQueue& queue, std::size_t buffer, cl::Event* event) {
    const std::vector<std::byte>& pattern = job_.buffers[buffer].pattern;
    const auto fill_with = [&](auto bits) {
        std::memcpy(&bits, pattern.data(), sizeof(bits));
        queue.enqueueFillBuffer(buffers_[buffer], bits, 0, job_.buffers[buffer].bytes, nullptr,
                                event);
    };
    if (pattern.size() == sizeof(cl_ulong))
        fill_with(cl_ulong{});
    else
        fill_with(cl_uint{});
}

bool JobRun::stuck() const {
    if (!job_.stuck || job_.launches.empty()) return false;
    cl_uint value = 0;
    const std::vector<std::byte> bytes = read(*job_.stuck, sizeof(value));
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value != 0;
}

std::vector<std::byte> JobRun::read(std::size_t buffer, std::uint64_t size) const {
    return guarded("Reading a buffer back", device_.info.name, [&] {
        std::vector<std::byte> bytes(size);
        if (!bytes.empty())
            device_.queue.enqueueReadBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(),
                                            bytes.data());
        return bytes;
    });
}

std::vector<std::vector<std::byte>> JobRun::contents() const {
    std::vector<std::vector<std::byte>> all;
    for (std::size_t i = 0; i < job_.buffers.size(); ++i)
        all.push_back(job_.buffers[i].constant ? std::vector<std::byte>()
                                               : read(i, job_.buffers[i].bytes));
    return all;
}

catalogue::Values JobRun::result_cells() const {
    const bool all =
        !job_.launches.empty() && (job_.rounds > 0 || job_.expect == catalogue::Expect::partial);
    if (!all) return values_from(job_.type, result_);
    return values_from(job_.type, read(*job_.result, job_.buffers[*job_.result].bytes));
}

void JobRun::bind(const catalogue::Launch& launch) {
    using Kind = catalogue::Argument::Kind;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const catalogue::Argument& argument = launch.arguments[i];
        const auto index = static_cast<cl_uint>(i);
        switch (argument.kind) {
            case Kind::buffer:
                kernel_.setArg(index, buffers_[argument.buffer]);
                break;
            case Kind::local:
                kernel_.setArg(index, cl::Local(argument.bytes));
                break;
            case Kind::value:
                if (argument.value.empty())
                    throw Problem(
                        fmt::format("'{}' is a structure of different types",
                                    launch.code->parameters.at(i).name),
                        "How it lies in memory is up to the device's compiler, so no value can be "
                        "passed",
                        "Pass its numbers one by one, or in a buffer", "--arg");
                kernel_.setArg(index, argument.value.size(), argument.value.data());
                break;
            case Kind::null:
                kernel_.setArg(index, sizeof(cl_mem), nullptr);
                break;
        }
    }
}

void JobRun::enqueue(const cl::CommandQueue& queue, const catalogue::Launch& launch,
                     cl::Event* event) {
    bind(launch);
    const NDRange& range = launch.range;
    queue.enqueueNDRangeKernel(
        kernel_, range.offset == Coordinates{} ? cl::NullRange : cl_range(range.offset, range.dims),
        cl_range(range.global, range.dims), cl_range(range.local, range.dims), nullptr, event);
}

void JobRun::enqueue_all(const cl::CommandQueue& queue, cl::Event* first, cl::Event* last) {
    const std::size_t commands = filled_.size() + job_.launches.size();
    for (std::size_t i = 0; i < commands; ++i) {
        const bool is_first = i == 0 && first != nullptr;
        const bool is_last = i + 1 == commands && last != nullptr;
        cl::Event event;
        cl::Event* const asked = is_first || is_last ? &event : nullptr;
        if (i < filled_.size())
            fill(queue, filled_[i], asked);
        else
            enqueue(queue, job_.launches[i - filled_.size()], asked);
        if (is_first) *first = event;
        if (is_last) *last = event;
    }
}

void JobRun::launch(std::size_t launch) {
    guarded("Running the kernel", device_.info.name, [&] {
        cl::Event event;
        enqueue(device_.queue, job_.launches[launch], &event);
        event.wait();
    });
}

// All that goes before the read-back.
void JobRun::send(const Runs& runs) {
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
    if (job_.result)
        queue().enqueueReadBuffer(buffers_[*job_.result], CL_FALSE, 0, result_.size(),
                                  device_.pinned_result->bytes().data());
}

// Of what is done.
Times JobRun::times() const {
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

Times JobRun::run(const Runs& runs) {
    start(runs);
    return finish();
}

void JobRun::start(const Runs& runs) {
    guarded("Running the kernel", device_.info.name, [&] { send(runs); });
}

Times JobRun::finish() {
    return guarded("Running the kernel", device_.info.name, [&] {
        queue().finish();
        const Times result = times();
        if (job_.result)
            std::copy_n(device_.pinned_result->bytes().begin(), result_.size(), result_.begin());
        return result;
    });
}

// Of `n` elements: how many groups, if they all got through.
static std::optional<std::uint64_t> groups_through(const Device& device, const Program& program,
                                                   const catalogue::Kernel& kernel,
                                                   const catalogue::Shape& shape, std::uint64_t n) {
    const catalogue::Values input = make_values(shape.type, n);
    Inputs inputs(device, input);
    JobRun run(device, program, plan_job(kernel, shape, n, target_of(device.info, program.group)),
               &inputs);
    if (!try_run(run)) return {};
    return groups_of(run.job());
}

std::uint64_t groups_of(const catalogue::Job& job) {
    return job.launches.empty() ? 0 : job.launches.front().range.groups();
}

std::optional<Times> try_run(JobRun& run, const Runs& runs) {
    constexpr int kMostAttempts = 5;  // at a run that gets stuck; then that is said
    constexpr double kPatienceMs = 500;
    double waited_ms = 0;
    for (int attempt = 0; attempt < kMostAttempts && waited_ms < kPatienceMs; ++attempt) {
        run.prepare();
        const Times times = run.run(runs);
        if (!run.stuck()) return times;
        waited_ms += times.wall_ms;
    }
    return {};
}

std::uint64_t most_groups(const Device& device, const Program& program,
                          const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                          std::uint64_t n) {
    const std::uint64_t step =
        plan_job(kernel, shape, n, target_of(device.info, program.group)).group;
    std::uint64_t through = 0;
    std::uint64_t low = 0, high = (n + step - 1) / step;  // in groups' worth of elements
    while (low + 1 < high) {  // `high` is known to fail, `low` to get through (or to be none)
        const std::uint64_t middle = low + (high - low) / 2;
        const auto groups = groups_through(device, program, kernel, shape, middle * step);
        if (groups) through = *groups;
        (groups ? low : high) = middle;
    }
    return through;
}

Problem not_resident(const catalogue::Kernel& kernel, const catalogue::Job& job,
                     std::uint64_t most_groups) {
    const bool races = job.expect == catalogue::Expect::races;
    return {fmt::format("{}: {} groups of {} wait for each other, but {}", kernel.id,
                        groups_of(job), job.group,
                        races ? "they do not run at the same time, or look only once"
                              : "this device does not run them at the same time"),
            fmt::format(
                "{}. {}", races ? "A spin gave up" : "They are not co-resident, so a spin gave up",
                most_groups == 0
                    ? "Not even one group of that size gets through here"
                    : fmt::format("The largest number that got through is {}", most_groups)),
            "Choose a larger group, a smaller n, or a barrier that this device can keep",
            kernel.file.filename().string(), Exit::kernel_fault};
}

std::span<const std::byte> span_of(const catalogue::Values& values) {
    return {static_cast<const std::byte*>(catalogue::bytes_of(values)),
            catalogue::count_of(values) * catalogue::info(catalogue::type_of(values)).bytes};
}

Inputs::Inputs(const Device& device, std::span<const std::byte> elements, std::uint64_t pool_bytes)
    : device_(device), elements_(elements) {
    const std::uint64_t bytes = elements.size();
    if (bytes == 0) return;
    if (bytes > device.info.largest_buffer)
        throw Problem(
            fmt::format("{} of elements do not fit into a buffer", catalogue::bytes_text(bytes)),
            fmt::format("{} takes at most {} per buffer", device.info.name,
                        catalogue::bytes_text(device.info.largest_buffer)),
            "Choose a smaller n", "--n");
    const std::uint64_t align = std::max<std::uint64_t>(device.info.buffer_align, 256);
    stride_ = (bytes + align - 1) / align * align;
    const std::uint64_t most = std::min(device.info.largest_buffer, device.info.global_bytes / 8);
    copies_ = std::max<std::uint64_t>(1, std::min(pool_bytes, most) / stride_);
    guarded("Making the buffers", device.info.name, [&] {
        pool_ =
            cl::Buffer(device.context, CL_MEM_READ_WRITE, copies_ == 1 ? bytes : copies_ * stride_);
        const cl::CommandQueue& queue = device.queue;
        queue.enqueueWriteBuffer(pool_, CL_TRUE, 0, bytes, elements.data());
        // The copies double until there are enough.
        for (std::uint64_t result = 1; result < copies_; result *= 2)
            queue.enqueueCopyBuffer(pool_, pool_, 0, result * stride_,
                                    std::min(result, copies_ - result) * stride_);
        queue.finish();
        at_ = copies_ - 1;
        rotate();
    });
}

void Inputs::rotate() {
    if (copies_ == 1) {
        view_ = pool_;
        return;
    }
    views_.resize(copies_);
    at_ = (at_ + 1) % copies_;
    if (views_[at_]() == nullptr) {
        const cl_buffer_region region{at_ * stride_, elements_.size()};
        views_[at_] =
            pool_.createSubBuffer(CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region);
    }
    view_ = views_[at_];
}

const cl::Buffer& Inputs::work() {
    if (work_() == nullptr && !elements_.empty())
        work_ = cl::Buffer(device_.context, CL_MEM_READ_WRITE, elements_.size());
    return work_;
}

}  // namespace lab::device
