#include "device/recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::device {

namespace word = lang::trace_words;

static Program program_of(const Device& device, const lang::RecordedText& recorded,
                          const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                          Optimise optimise) {
    lang::Text text;
    text.text = recorded.text.text;
    text.name = recorded.text.name + ", recorded";
    return build(device, text, "", needs_of(kernel, shape), optimise);  // it has one kernel
}

Optimise first_choice(const Device& device) {
    return device.info.kind == "CPU" ? Optimise::no : Optimise::yes;
}

Recorder::Recorder(const Device& device, const catalogue::Kernel& kernel,
                   const catalogue::Shape& shape, catalogue::Job job, Inputs* inputs,
                   const lang::RecordOptions& options, Optimise optimise)
    : device_(device),
      records_(options.record),
      text_(lang::recorded_text(text_of(kernel, shape), kernel.entry, options)),
      program_(program_of(device, text_, kernel, shape, optimise)),
      run_(device, program_, std::move(job), inputs) {
    traces_.resize(run_.job().launches.size());
    for (std::size_t k = 0; k < traces_.size(); ++k)
        make(traces_[k], k, 0);
}

void Recorder::make(Trace& trace, std::size_t launch, std::uint32_t capacity) const {
    const std::size_t groups = run_.job().launches[launch].range.groups();
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
    run_.reset();
    before_ = buffers();
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        Trace& trace = traces_[k];
        guarded("Recording the kernel's accesses", device_.info.name, [&] {
            const cl_uint none = 0;
            device_.queue.enqueueWriteBuffer(trace.buffer, CL_TRUE, 0, sizeof none, &none);
            // The kernel is the very one that `run_` binds the other arguments of.
            cl::Kernel kernel = program_.kernel;
            kernel.setArg(static_cast<cl_uint>(text_.parameters), trace.buffer);
            kernel.setArg(static_cast<cl_uint>(text_.parameters + 1), cl_uint{seed});
            run_.launch(k);
            device_.queue.enqueueReadBuffer(trace.buffer, CL_TRUE, 0, sizeof trace.tickets,
                                            &trace.tickets);
        });
    }
    return !run_.stuck();
}

bool Recorder::run(std::uint32_t seed) {
    while (true) {
        const bool ended = run_once(seed);
        if (!records_ || !ended || make_room()) return ended;
    }
}

bool Recorder::make_room() {
    const bool by_form = run_.job().expect == catalogue::Expect::unknown;
    bool had_room = true;
    for (std::size_t k = 0; k < traces_.size(); ++k) {
        const std::uint32_t tickets = traces_[k].tickets;
        const std::uint32_t times = tickets / kMostRecorded + 1;
        if (tickets > kMostRecorded)
            throw TooLong(
                fmt::format("The run is too long to be recorded: {} accesses", tickets),
                fmt::format("{} of a launch fit into the buffer", kMostRecorded),
                by_form
                    ? fmt::format("Choose a launch about {} times as small, or fewer rounds", times)
                    : fmt::format("Choose an n about {} times as small, or fewer rounds", times),
                by_form ? "--global" : "--n");
        if (tickets <= traces_[k].capacity) continue;
        had_room = false;
        make(traces_[k], k, std::min(kMostRecorded, 2 * tickets + 4096));
    }
    return had_room;
}

std::vector<std::uint64_t> Recorder::bytes_of_objects(std::size_t launch) const {
    const catalogue::Job& job = run_.job();
    std::vector<std::uint64_t> all;
    for (const lang::Watched& object : text_.objects) {
        if (!object.is_parameter) {
            all.push_back(object.bytes);
            continue;
        }
        const auto& argument = job.launches[launch].arguments.at(object.parameter);
        const bool buffer = argument.kind == catalogue::Argument::Kind::buffer;
        all.push_back(buffer ? job.buffers[argument.buffer].bytes : argument.bytes);
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
        launches.push_back(lang::read_trace(
            text_, words, bytes_of_objects(k),
            static_cast<std::uint32_t>(run_.job().launches[k].range.group_items())));
    }
    return launches;
}

}  // namespace lab::device
