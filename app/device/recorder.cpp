#include "device/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/reduction.h"

namespace lab::device {
namespace {

namespace word = lang::trace_words;

lang::RecordedText text_for(const catalogue::Variant& variant, const catalogue::Shape& shape,
                            const lang::RecordOptions& options) {
    const catalogue::KernelText text = kernel_text(variant, shape);
    return lang::recorded_text({text.file, text.text, text.macros}, variant.entry, options);
}

Program program_of(const Device& device, const lang::RecordedText& recorded,
                   const std::string& entry, std::vector<catalogue::Need> needs,
                   Optimise optimise) {
    catalogue::KernelText text;
    text.text = recorded.text.text;
    text.file = recorded.text.name + ", recorded";
    text.needs = std::move(needs);
    catalogue::Variant variant;
    variant.entry = entry;
    return build(device, variant, text, optimise);
}

// A reduction with all that has to outlive it.
struct OwnReduction {
    OwnReduction(const Device& device, const Program& program, const catalogue::Shape& shape,
                 const catalogue::Plan& plan, const catalogue::Values& input)
        : neutral(identity(shape.op, shape.type)),
          inputs(device, elements_of(input, neutral)),
          reduction(device, program, plan, inputs) {}

    catalogue::Values neutral;
    Inputs inputs;
    Reduction reduction;
};

std::shared_ptr<Launches> reduction_of(const Device& device, const Program& program,
                                       const catalogue::Shape& shape, const catalogue::Plan& plan,
                                       const catalogue::Values& input) {
    const auto own = std::make_shared<OwnReduction>(device, program, shape, plan, input);
    return {own, &own->reduction};
}

}  // namespace

Recorder::Recorder(const Device& device, const catalogue::Variant& variant,
                   const catalogue::Shape& shape, const catalogue::Plan& plan,
                   const catalogue::Values& input, const lang::RecordOptions& options,
                   Optimise optimise)
    : device_(device),
      records_(options.record),
      text_(text_for(variant, shape, options)),
      program_(program_of(device, text_, variant.entry, needs_of(variant, shape), optimise)),
      launches_(reduction_of(device, program_, shape, plan, input)) {
    make_all();
}

Recorder::Recorder(const Device& device, const lang::Text& text, const std::string& entry,
                   KernelLaunch launch, const lang::RecordOptions& options, Optimise optimise)
    : device_(device),
      of_kernel_(true),
      records_(options.record),
      text_(lang::recorded_text(text, entry, options)),
      program_(program_of(device, text_, entry, {}, optimise)),
      launches_(std::make_shared<KernelRun>(device, program_, std::move(launch))) {
    make_all();
}

void Recorder::make_all() {
    traces_.resize(launches_->launches());
    for (std::size_t k = 0; k < traces_.size(); ++k)
        make(traces_[k], k, 0);
}

void Recorder::make(Trace& trace, std::size_t launch, std::uint32_t capacity) const {
    const std::size_t groups = launches_->range(launch).groups();
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
    launches_->reset();
    before_ = buffers();
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        Trace& trace = traces_[k];
        guarded("Recording the kernel's accesses", device_.info.name, [&] {
            const cl_uint none = 0;
            device_.queue.enqueueWriteBuffer(trace.buffer, CL_TRUE, 0, sizeof none, &none);
            // The kernel is the very one that `launches_` binds the other arguments of.
            cl::Kernel kernel = program_.kernel;
            kernel.setArg(static_cast<cl_uint>(text_.parameters), trace.buffer);
            kernel.setArg(static_cast<cl_uint>(text_.parameters + 1), cl_uint{seed});
            launches_->launch(k);
            device_.queue.enqueueReadBuffer(trace.buffer, CL_TRUE, 0, sizeof trace.tickets,
                                            &trace.tickets);
        });
    }
    return !launches_->stuck();
}

bool Recorder::run(std::uint32_t seed) {
    const bool ended = run_once(seed);
    if (!records_ || counted_ || !ended) return ended;
    counted_ = true;
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        const std::uint32_t tickets = traces_[k].tickets;
        const std::uint32_t times = tickets / kMostRecorded + 1;
        if (tickets > kMostRecorded)
            throw Problem(
                fmt::format("The run is too long to be recorded: {} accesses", tickets),
                fmt::format("{} of a launch fit into the buffer", kMostRecorded),
                of_kernel_
                    ? fmt::format("Choose a launch about {} times as small, or fewer rounds", times)
                    : fmt::format("Choose an n about {} times as small, or fewer rounds", times),
                of_kernel_ ? "--global" : "--n");
        // Where items spin, another run may have more of them.
        make(traces_[k], k, std::min(kMostRecorded, 2 * tickets + 4096));
    }
    return run_once(seed);
}

std::vector<std::uint64_t> Recorder::bytes_of_objects(std::size_t launch) const {
    std::vector<std::uint64_t> all;
    for (const lang::Watched& object : text_.objects)
        all.push_back(object.is_parameter ? launches_->memory(launch, object.parameter).bytes
                                          : object.bytes);
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
                             static_cast<std::uint32_t>(launches_->range(k).group_items())));
    }
    return launches;
}

}  // namespace lab::device
