#include "device/recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::device {
namespace {

namespace word = lang::trace_words;

lang::RecordedText text_for(const catalogue::Variant& variant, const catalogue::Shape& shape,
                            const lang::RecordOptions& options) {
    const catalogue::KernelText text = kernel_text(variant, shape);
    return lang::recorded_text({text.file, text.text, text.macros}, variant.entry, options);
}

catalogue::KernelText kernel_text_of(const lang::RecordedText& recorded,
                                     const catalogue::Variant& variant,
                                     const catalogue::Shape& shape) {
    catalogue::KernelText text;
    text.text = recorded.text.text;
    text.file = recorded.text.name + ", recorded";
    text.needs = needs_of(variant, shape);
    return text;
}

}  // namespace

Recorder::Recorder(const Device& device, const catalogue::Variant& variant,
                   const catalogue::Shape& shape, const catalogue::Plan& plan,
                   const catalogue::Values& input, const lang::RecordOptions& options,
                   Optimise optimise)
    : device_(device),
      element_(shape.type),
      records_(options.record),
      text_(text_for(variant, shape, options)),
      program_(build(device, variant, kernel_text_of(text_, variant, shape), optimise)),
      neutral_(identity(shape.op, shape.type)),
      inputs_(device, elements_of(input, neutral_)),
      reduction_(device, program_, plan, inputs_),
      traces_(plan.launches.size()) {
    for (std::size_t k = 0; k < traces_.size(); ++k)
        make(traces_[k], k, 0);
}

void Recorder::make(Trace& trace, std::size_t launch, std::uint32_t capacity) const {
    const catalogue::Launch& planned = reduction_.plan().launches[launch];
    const std::size_t groups = planned.global / planned.local;
    const std::size_t bases = text_.globals + (text_.objects.size() - text_.globals) * groups;
    trace.head = static_cast<std::uint32_t>(word::kBases + 2 * bases);
    trace.capacity = capacity;
    std::vector<cl_uint> head(trace.head);
    head[word::kCapacity] = capacity;
    head[word::kEntries] = trace.head;
    const std::size_t words = trace.head + std::size_t{capacity} * word::kEntry;
    guarded("Making the buffer of the recorded accesses", device_.info.name, [&] {
        trace.buffer = cl::Buffer(device_.context, CL_MEM_READ_WRITE, words * sizeof(cl_uint));
        device_.queue.enqueueWriteBuffer(trace.buffer, CL_TRUE, 0, head.size() * sizeof(cl_uint),
                                         head.data());
    });
}

bool Recorder::run_once(std::uint32_t seed) {
    reduction_.reset();
    before_ = buffers();
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        Trace& trace = traces_[k];
        guarded("Recording the kernel's accesses", device_.info.name, [&] {
            const cl_uint none = 0;
            device_.queue.enqueueWriteBuffer(trace.buffer, CL_TRUE, 0, sizeof none, &none);
            // The kernel is the very one that `reduction_` binds the other arguments of.
            cl::Kernel kernel = program_.kernel;
            kernel.setArg(static_cast<cl_uint>(text_.parameters), trace.buffer);
            kernel.setArg(static_cast<cl_uint>(text_.parameters + 1), cl_uint{seed});
            reduction_.launch(k);
            device_.queue.enqueueReadBuffer(trace.buffer, CL_TRUE, 0, sizeof trace.tickets,
                                            &trace.tickets);
        });
    }
    return !reduction_.stuck();
}

bool Recorder::run(std::uint32_t seed) {
    const bool ended = run_once(seed);
    if (!records_ || counted_ || !ended) return ended;
    counted_ = true;
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        const std::uint32_t tickets = traces_[k].tickets;
        if (tickets > kMostRecorded)
            throw Problem(fmt::format("The run is too long to be recorded: {} accesses", tickets),
                          fmt::format("{} of a launch fit into the buffer", kMostRecorded),
                          fmt::format("Choose an n about {} times as small, or fewer rounds",
                                      tickets / kMostRecorded + 1),
                          "--n");
        // Where items spin, another run may have more of them.
        make(traces_[k], k, std::min(kMostRecorded, 2 * tickets + 4096));
    }
    return run_once(seed);
}

std::vector<std::uint64_t> Recorder::bytes_of_objects(std::size_t launch) const {
    const catalogue::Plan& plan = reduction_.plan();
    std::vector<std::uint64_t> all;
    for (const lang::Watched& object : text_.objects) {
        std::uint64_t bytes = object.bytes;
        if (object.is_parameter) {
            const catalogue::PlannedArgument& argument =
                plan.launches[launch].arguments.at(object.parameter);
            const bool global = argument.kind == catalogue::Argument::Kind::buffer;
            const auto& type = global ? plan.buffers[argument.buffer].type : argument.type;
            const std::uint64_t count =
                global ? plan.buffers[argument.buffer].count : argument.count;
            bytes = count * info(type.value_or(element_)).bytes;
        }
        all.push_back(bytes);
    }
    return all;
}

std::vector<lang::RecordedLaunch> Recorder::read() const {
    std::vector<lang::RecordedLaunch> launches;
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        const Trace& trace = traces_[k];
        if (trace.tickets > trace.capacity) return {};
        std::vector<std::uint32_t> words(trace.head + std::size_t{trace.tickets} * word::kEntry);
        guarded("Reading the recorded accesses", device_.info.name, [&] {
            device_.queue.enqueueReadBuffer(trace.buffer, CL_TRUE, 0,
                                            words.size() * sizeof(cl_uint), words.data());
        });
        launches.push_back(
            lang::read_trace(text_, words, bytes_of_objects(k),
                             static_cast<std::uint32_t>(reduction_.plan().launches[k].local)));
    }
    return launches;
}

std::vector<std::vector<std::byte>> Recorder::buffers() const {
    const catalogue::Plan& plan = reduction_.plan();
    std::vector<std::vector<std::byte>> all(plan.buffers.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!plan.buffers[i].constant) all[i] = reduction_.read(i, plan.buffers[i].count);
    return all;
}

}  // namespace lab::device
