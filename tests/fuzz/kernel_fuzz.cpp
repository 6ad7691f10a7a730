// The whole way from any bytes to a bounded run: a text is compiled, launched over small buffers,
// traced, and played back. A Problem, an error or a fault is a good outcome; anything else is a
// bug.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "lang/code.h"
#include "lang/compile.h"
#include "machine/run.h"

namespace {

using namespace lab;

// How a text is run. Where it begins with a comment, //abcd, the four bytes after // choose, so
// that a file says all of it and a fuzzer can change each alone.
struct Setting {
    machine::Config config;
    machine::SchedulingPolicy order;
    bool lineage = true;
    std::uint64_t local = 4, global = 12;
    unsigned arguments = 0;  // which of them are unwritten, null, or of no bytes
};

Setting setting_of(std::string_view text) {
    Setting setting;
    if (text.substr(0, 2) != "//" || text.size() < 6) return setting;
    const auto byte = [&](std::size_t index) {
        return static_cast<unsigned char>(text[2 + index]);
    };
    constexpr std::array<machine::SchedulingPolicy::Kind, 3> kOrders{
        machine::SchedulingPolicy::Kind::round_robin, machine::SchedulingPolicy::Kind::in_order,
        machine::SchedulingPolicy::Kind::random};
    constexpr std::array<std::uint64_t, 4> kGroups{4, 12, 1, 6};
    setting.config.lanes = 1U + byte(0) % machine::kMostLanes;
    setting.config.resident = byte(1) % 4U;
    setting.local = kGroups[byte(1) / 4U % kGroups.size()];
    setting.order.kind = kOrders[byte(2) % kOrders.size()];
    setting.order.seed = byte(2);
    setting.lineage = byte(2) % 5U != 0;
    setting.arguments = byte(3);
    return setting;
}

// What the texts in kernels/ are written in, and their toggles: those are seeds as they stand.
constexpr const char* kElement =
    "#define T int\n#define COMBINE(a, b) ((a) + (b))\n#define IDENTITY ((T)0)\n"
    "#define WITH_OPERATOR(prefix) prefix##add\n#define WORD uint\n#define AS_WORD(x) as_uint(x)\n"
    "#define AS_T(w) as_int(w)\n#define CMPXCHG(p, old, new) atomic_cmpxchg(p, old, new)\n"
    "#define BARRIER 1\n#define BARRIER_LOAD 1\n#define BARRIER_LOOP 1\n#define SYNC 1\n"
    "#define LOOK 1\n#define FENCE 1\n"
    "#define ITEMS 4\n#define COARSEN 2\n#define K 4\n#define ROUNDS 2\n";

void unless(bool fine, const char* what) {
    if (fine) return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::abort();
}

std::uint64_t number(machine::Scalar type, unsigned value) {
    if (type == machine::Scalar::float_) return lang::bits_of(static_cast<float>(value));
    if (type == machine::Scalar::double_) return lang::bits_of(static_cast<double>(value));
    return lang::canonical(type, value);
}

machine::Buffer buffer_of(const lang::Parameter& parameter, bool written) {
    constexpr std::uint64_t kElements = 12, kMostBytes = 16'384;
    machine::Buffer buffer;
    buffer.name = parameter.name;
    buffer.element = parameter.type;
    buffer.element_bytes = parameter.element_bytes;
    buffer.bytes = std::min(kElements * std::min(parameter.element_bytes, kMostBytes), kMostBytes);
    if (!written) return buffer;
    buffer.is_input = true;
    buffer.initial.resize(buffer.bytes);
    const std::uint64_t bytes = std::max<std::uint64_t>(1, lang::info(parameter.type).bytes);
    for (std::uint64_t i = 0; (i + 1) * bytes <= buffer.bytes; ++i) {
        const std::uint64_t bits = number(parameter.type, static_cast<unsigned>(i + 1));
        std::memcpy(buffer.initial.data() + i * bytes, &bits, bytes);
    }
    return buffer;
}

machine::Argument argument_of(const lang::Parameter& parameter, unsigned choice,
                              machine::Job& job) {
    using Kind = machine::Argument::Kind;
    machine::Argument argument;
    if (parameter.kind == lang::Parameter::Kind::value) {
        for (const machine::Scalar part : parameter.components)
            argument.components.push_back(number(part, 12));
    } else if (choice == 3) {
        argument.kind = Kind::null;
    } else if (parameter.kind == lang::Parameter::Kind::local) {
        argument.kind = Kind::local;
        argument.bytes = 4 * std::min<std::uint64_t>(parameter.element_bytes, 4096);
    } else {
        argument.kind = Kind::buffer;
        argument.buffer = job.buffers.size();
        job.buffers.push_back(buffer_of(parameter, choice != 2));
    }
    return argument;
}

// What is large runs on a small machine, so that a run takes little time.
machine::Config config_of(const lang::Code& code, machine::Config config) {
    if (code.private_bytes > 4096 || code.local_bytes > 65'536 || code.registers > 1000) {
        config.lanes = std::min(config.lanes, 4U);
        config.resident = 1;
    }
    return config;
}

machine::Job job_of(lang::Code code, const Setting& setting) {
    machine::Job job;
    job.config = config_of(code, setting.config);
    job.budget = 20'000;
    machine::Launch launch;
    std::uint64_t local = setting.local;
    if (!code.required_group.empty() && code.required_group[0] <= 64)
        local = code.required_group[0];
    const std::uint64_t global =
        setting.global % std::max<std::uint64_t>(1, local) == 0 ? setting.global : 2 * local;
    launch.range = {global, local};
    // A kernel that asks for more dimensions gets them.
    if (const std::uint32_t dims = code.dims; dims > 1) {
        launch.range.dims = dims;
        launch.range.global[1] = launch.range.local[1] = 2;
        launch.range.global[2] = dims > 2 ? 2 : 1;
        launch.range.offset[0] = 1;
    }
    for (std::size_t i = 0; i < code.parameters.size(); ++i)
        launch.arguments.push_back(
            argument_of(code.parameters[i], setting.arguments >> 2 * (i % 4) & 3U, job));
    launch.code = std::make_shared<const lang::Code>(std::move(code));
    job.launches.push_back(std::move(launch));
    return job;
}

// That playing it back leads to the same memory, and to every time in between.
void play_back(machine::Run& run) {
    const std::uint64_t size = run.trace().size();
    for (std::uint64_t time = 0; time < size; ++time)
        unless(run.trace().accesses(run.trace().action(time)).size() <= 64U * 16U,
               "an action has few accesses");
    const machine::State half = run.state_at(size / 2);
    unless(half.time >= std::min(size / 2, run.end().time),
           "the machine is where it was asked to be");
    const machine::State end = run.state_at(size);
    unless(end.time == run.end().time && end.next_node == run.end().next_node,
           "playing it back takes as long");
    for (std::size_t i = 0; i < run.machine().job().buffers.size(); ++i)
        unless(run.machine().bytes(end, i) == run.machine().bytes(run.end(), i),
               "playing it back leads to the same memory");
}

void run(lang::Code code, const Setting& setting) {
    machine::Recording recording;
    recording.lineage = setting.lineage;
    machine::Run run(job_of(std::move(code), setting), setting.order, recording);
    if (run.fault()) static_cast<void>(run.problem(*run.fault()).text());
    for (const machine::Finding& finding : run.findings())
        static_cast<void>(run.problem(finding).text());
    play_back(run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    lang::Text text{"fuzz.cl", {reinterpret_cast<const char*>(data), size}, {}};
    if (text.text.find("COMBINE") != std::string::npos) text.macros = kElement;
    static_cast<void>(lang::expanded(text));
    lang::Compiled compiled = lang::compile(text);
    static_cast<void>(lang::text_of(compiled.diagnostics, compiled.sources));
    if (compiled.tree && compiled.tree->kernels().size() > 1)
        compiled = lang::compile(text, compiled.tree->kernels().front()->name);
    unless(compiled.code.has_value() != compiled.diagnostics.failed(),
           "a text has code or an error");
    if (!compiled.code) return 0;
    try {
        run(std::move(*compiled.code), setting_of(text.text));
    } catch (const Problem&) {
    }
    return 0;
}
