// Random kernels on the machine and on an OpenCL device: every byte of every buffer must agree.
//   differential [--from SEED] [--count N] [--seconds S] [--shrink] [--keep FOLDER]
// Ends with 1 if a kernel differs; prints its seed, and with --shrink a smaller one that does too.
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "device_run.h"
#include "machine_run.h"
#include "shrink.h"

namespace lab::differential {
namespace {

struct Options {
    std::uint64_t from = 1, count = 100;
    double seconds = 1e9;
    bool shrink = false;
    std::string keep;
};

Options parse(int argc, char** argv) {
    Options made;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : "0"); };
        if (word == "--from") made.from = std::stoull(value());
        if (word == "--count") made.count = std::stoull(value());
        if (word == "--seconds") made.seconds = std::stod(value());
        if (word == "--keep") made.keep = value();
        if (word == "--shrink") made.shrink = true;
    }
    return made;
}

// Another machine and order for each seed: none of them may change what comes out.
machine::Config config_of(std::uint64_t seed) {
    machine::Config made;
    const std::uint32_t lanes[] = {1, 4, 32, 64, 3};
    const std::uint32_t resident[] = {0, 1, 2, 0};
    made.lanes = lanes[seed % 5];
    made.resident = resident[seed / 5 % 4];
    return made;
}
machine::Order order_of(std::uint64_t seed) {
    using Kind = machine::Order::Kind;
    const Kind kinds[] = {Kind::in_order, Kind::round_robin, Kind::random};
    machine::Order made;
    made.kind = kinds[seed / 3 % 3];
    made.seed = seed;
    return made;
}

// What differs; empty if nothing does.
std::string difference(Device& device, const GeneratedKernel& kernel) {
    const MachineRun ours = run_on_machine(kernel, config_of(kernel.seed), order_of(kernel.seed),
                                           kernel.seed % 2 == 0);
    if (!ours.problem.empty()) return "machine: " + ours.problem;
    const DeviceRun theirs = device.run(kernel);
    if (!theirs.problem.empty()) return "device: " + theirs.problem;
    for (std::size_t i = 0; i < ours.buffers.size(); ++i)
        for (std::size_t k = 0; k < ours.buffers[i].size(); ++k)
            if (ours.buffers[i][k] != theirs.buffers[i][k])
                return "buffer " + std::to_string(i) + " (" + kernel.buffers[i].type +
                       ") differs from byte " + std::to_string(k) + " on";
    return {};
}

// A problem of the same kind: a shrunk text must not fail in another way.
std::string kind_of(const std::string& difference) {
    return difference.substr(0, difference.rfind("buffer", 0) == 0 ? 6 : 9);
}

void keep(const Options& options, const GeneratedKernel& kernel) {
    if (options.keep.empty()) return;
    std::filesystem::create_directories(options.keep);
    std::ofstream(options.keep + "/" + std::to_string(kernel.seed) + ".cl") << kernel.text;
}

int run(const Options& options) {
    Device device;
    std::uint64_t done = 0, different = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t seed = options.from; seed < options.from + options.count; ++seed, ++done) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
            options.seconds)
            break;
        const GeneratedKernel kernel = generate(seed);
        const std::string what = difference(device, kernel);
        if (what.empty()) continue;
        ++different;
        std::cout << "seed " << seed << ": " << what << '\n' << std::flush;
        keep(options, kernel);
        if (!options.shrink) continue;
        const GeneratedKernel small = shrink(kernel, [&](const GeneratedKernel& candidate) {
            const std::string now = difference(device, candidate);
            return !now.empty() && kind_of(now) == kind_of(what);
        });
        std::cout << difference(device, small) << '\n' << small.text << '\n' << std::flush;
    }
    std::cout << done << " kernels on " << device.name() << ", " << different << " differ\n";
    return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lab::differential

int main(int argc, char** argv) {
    try {
        return lab::differential::run(lab::differential::parse(argc, argv));
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 3;
    }
}
