// One launch of the variant local-tree on the machine: 262,144 work-items in groups of 64, one
// element each, with hazards looked for. Prints seconds as JSON.
//   machine_bench [trace|hazards|plain] [--lanes W] [--resident G] [--n N]
//   machine_bench seek     seeking in a trace of a million events
//   machine_bench copy     copying the state of a run of 1024 elements
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "analysis/race_detector.h"
#include "base/paths.h"
#include "lang/compile.h"
#include "machine/run.h"

namespace {

using namespace lab;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

machine::Job job_of(std::uint64_t n, std::uint32_t lanes, std::uint32_t resident,
                    std::uint64_t group) {
    const char* macros =
        "#define T int\n#define COMBINE(a, b) ((a) + (b))\n#define IDENTITY ((T)0)\n"
        "#define ITEMS 1\n#define BARRIER_LOAD 1\n#define BARRIER_LOOP 1\n";
    const auto file = data_folder() / "kernels" / "local_tree.cl";
    machine::Launch launch;
    launch.code = std::make_shared<const lang::Code>(
        *lang::compile_or_throw({"kernels/local_tree.cl", read_file(file), macros}, "reduce").code);
    launch.range = {n, group};
    machine::Job job;
    job.config.lanes = lanes;
    job.config.resident = resident;
    machine::Buffer in{"in", machine::Scalar::int_, 4, n * 4, {}, true};
    in.initial.resize(n * 4);
    for (std::uint64_t i = 0; i < n; ++i) {
        const auto value = static_cast<std::int32_t>((i * 7 + 3) % 8 + 1);
        std::memcpy(in.initial.data() + i * 4, &value, 4);
    }
    job.buffers = {in, {"out", machine::Scalar::int_, 4, n / group * 4, {}, false}};
    using Kind = machine::Argument::Kind;
    launch.arguments = {{Kind::buffer, 0, 0, {}},
                        {Kind::value, 0, 0, {n}},
                        {Kind::buffer, 1, 0, {}},
                        {Kind::local, 0, group * 4, {}}};
    job.launches = {launch};
    return job;
}

int run(const std::string& mode, std::uint64_t n, std::uint32_t lanes, std::uint32_t resident) {
    const auto start = Clock::now();
    const machine::Job job = job_of(n, lanes, resident, 64);
    machine::SchedulingPolicy order;
    order.kind = machine::SchedulingPolicy::Kind::in_order;
    analysis::RaceDetector hazards;
    machine::Recording recording;
    recording.trace = mode == "trace";
    recording.lineage = mode == "trace";
    if (mode != "plain") recording.observers.push_back(&hazards);
    const machine::Run result(job, order, recording);
    const double seconds = seconds_since(start);
    fmt::print(
        "{{\"seconds\": {:.6f}, \"instructions\": {}, \"actions\": {}, \"events\": {}, "
        "\"races\": {}, \"fault\": {}}}\n",
        seconds, result.end().steps, result.end().time, result.trace().events(),
        hazards.races().size(), result.fault().has_value());
    return 0;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int seek() {
    machine::SchedulingPolicy order;
    machine::Run run(job_of(1 << 18, 32, 8, 64), order);
    std::mt19937_64 random(1);
    std::vector<double> times;
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t time = random() % run.trace().size();
        const auto start = Clock::now();
        const machine::State state = run.state_at(time);
        times.push_back(seconds_since(start) * 1e3);
        if (state.time < time) return 1;
    }
    const double worst = *std::max_element(times.begin(), times.end());
    fmt::print("{{\"events\": {}, \"seek_ms\": {:.3f}, \"worst_ms\": {:.3f}}}\n",
               run.trace().events(), median(times), worst);
    return 0;
}

// A copy, and the one action after it that makes what it changes its own.
int copy() {
    for (const std::uint32_t lanes : {1U, 4U, 32U}) {
        machine::SchedulingPolicy order;
        machine::Run run(job_of(1024, lanes, 0, 256), order);
        machine::State middle = run.state_at(run.trace().size() / 2);
        machine::Machine device(job_of(1024, lanes, 0, 256));
        std::vector<double> copies, acts;
        for (int i = 0; i < 2000; ++i) {
            auto start = Clock::now();
            machine::State state = middle;
            copies.push_back(seconds_since(start) * 1e6);
            start = Clock::now();
            state.groups[0].write();
            acts.push_back(seconds_since(start) * 1e6);
        }
        fmt::print("{{\"lanes\": {}, \"copy_us\": {:.2f}, \"own_group_us\": {:.2f}}}\n", lanes,
                   median(copies), median(acts));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "trace";
    std::uint64_t n = 1 << 18;
    std::uint32_t lanes = 32, resident = 1;
    for (int i = 2; i + 1 < argc; i += 2) {
        const std::string word = argv[i];
        const std::uint64_t value = std::stoull(argv[i + 1]);
        if (word == "--n") n = value;
        if (word == "--lanes") lanes = static_cast<std::uint32_t>(value);
        if (word == "--resident") resident = static_cast<std::uint32_t>(value);
    }
    if (mode == "seek") return seek();
    if (mode == "copy") return copy();
    return run(mode, n, lanes, resident);
}
