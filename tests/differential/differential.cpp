// Random kernels on the machine and on an OpenCL device: every byte of every buffer must agree.
//   differential [--from SEED] [--count N] [--seconds S] [--shrink] [--keep FOLDER] [--text FILE]
//                [--dims D]
//   differential --cases FOLDER
// --dims: of the launch, 1 to 3. --text: with the buffers of the seed's kernel, but this text.
// Ends with 1 if a kernel differs, or crashes the machine; prints its seed, and with --shrink a
// smaller one that differs too. A kernel that crashes the driver is counted and left out.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
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
    unsigned dims = 1;
    double seconds = 1e9;
    bool shrink = false;
    std::string keep, text, cases;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : "0"); };
        if (word == "--from") options.from = std::stoull(value());
        if (word == "--count") options.count = std::stoull(value());
        if (word == "--dims") options.dims = static_cast<unsigned>(std::stoul(value()));
        if (word == "--seconds") options.seconds = std::stod(value());
        if (word == "--keep") options.keep = value();
        if (word == "--shrink") options.shrink = true;
        if (word == "--text") options.text = value();
        if (word == "--cases") options.cases = value();
    }
    if (options.dims < 1 || options.dims > 3) throw std::runtime_error("--dims is 1, 2 or 3");
    return options;
}

// Another machine and order for each seed: none of them may change what comes out.
machine::Config config_of(std::uint64_t seed) {
    machine::Config config;
    const std::uint32_t lanes[] = {1, 4, 32, 64, 3};
    const std::uint32_t resident[] = {0, 1, 2, 0};
    config.lanes = lanes[seed % 5];
    config.resident = resident[seed / 5 % 4];
    return config;
}
machine::SchedulingPolicy order_of(std::uint64_t seed) {
    using Kind = machine::SchedulingPolicy::Kind;
    const Kind kinds[] = {Kind::in_order, Kind::round_robin, Kind::random};
    machine::SchedulingPolicy order;
    order.kind = kinds[seed / 3 % 3];
    order.seed = seed;
    return order;
}

struct Difference {
    enum class Kind { none, wrong, refused } kind = Kind::none;
    std::string text;
};

// Texts that use what the machine leaves out on purpose get a diagnostic that says so.
bool is_refusal(const std::string& problem) {
    return problem.find("' is not supported here") != std::string::npos;
}

std::string hex(const std::vector<std::byte>& bytes, std::size_t from) {
    std::string text;
    for (std::size_t i = from / 16 * 16; i < from / 16 * 16 + 16 && i < bytes.size(); ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x ", static_cast<unsigned>(bytes[i]));
        text += digits;
    }
    return text;
}

std::string first_difference(const GeneratedKernel& kernel, const MachineRun& ours,
                             const DeviceRun& theirs) {
    if (!theirs.problem.empty()) return "device: " + theirs.problem;
    for (std::size_t i = 0; i < ours.buffers.size(); ++i)
        for (std::size_t k = 0; k < ours.buffers[i].size(); ++k)
            if (ours.buffers[i][k] != theirs.buffers[i][k])
                return "buffer " + std::to_string(i) + " (" + kernel.buffers[i].type +
                       ") differs from byte " + std::to_string(k) + " on: machine " +
                       hex(ours.buffers[i], k) + ", device " + hex(theirs.buffers[i], k);
    return {};
}

// The device's compiler is asked without optimisation: PoCL 3.1 with it gets about one of two
// hundred of these kernels wrong (its own two results differ), mostly a switch before a barrier.
template <typename Progress>
Difference difference(Device& device, const GeneratedKernel& kernel, Progress& progress) {
    using Kind = Difference::Kind;
    progress.on_device = false;
    const MachineRun ours =
        run_on_machine(kernel, config_of(kernel.seed), order_of(kernel.seed), kernel.seed % 2 == 0);
    if (is_refusal(ours.problem)) return {Kind::refused, ours.problem};
    if (!ours.problem.empty()) return {Kind::wrong, "machine: " + ours.problem};
    progress.on_device = true;
    const DeviceRun plain = device.run(kernel, "-cl-opt-disable");
    std::string found = first_difference(kernel, ours, plain);
    if (!found.empty() && first_difference(kernel, ours, device.run(kernel)).empty())
        found.clear();  // the device is of two minds, and one of them is ours
    progress.on_device = false;
    return {found.empty() ? Kind::none : Kind::wrong, found};
}

void keep(const Options& options, const GeneratedKernel& kernel) {
    if (options.keep.empty()) return;
    std::filesystem::create_directories(options.keep);
    std::ofstream(options.keep + "/" + std::to_string(kernel.seed) + ".cl") << kernel.text;
}

// What the child tells its parent while it works: a driver's compiler may crash.
struct Progress {
    std::uint64_t seed = 0, done = 0, different = 0, refused = 0;
    bool on_device = false, finished = false;
};

// Whether clang, if it is here, sees no function without a value and no variable without one.
bool is_defined(const GeneratedKernel& kernel) {
    const std::string file =
        std::filesystem::temp_directory_path() / ("shrunk" + std::to_string(getpid()) + ".cl");
    std::ofstream(file) << kernel.text;
    const int status = std::system(
        ("command -v clang >/dev/null || exit 0; exec clang -x cl -cl-std=CL1.2 -Xclang "
         "-finclude-default-header -fsyntax-only -Werror=return-type -Werror=uninitialized "
         "-Werror=sometimes-uninitialized " +
         file + " 2>/dev/null")
            .c_str());
    std::filesystem::remove(file);
    return status == 0;
}

void one(const Options& options, Device& device, std::uint64_t seed, Progress& progress) {
    Size size;
    size.dims = options.dims;
    GeneratedKernel kernel = generate(seed, size);
    if (!options.text.empty()) {
        std::ifstream file(options.text);
        kernel.text.assign(std::istreambuf_iterator<char>(file), {});
    }
    const Difference what = difference(device, kernel, progress);
    // A kernel that made the device fail, such as by an access that it forbids, ends its context.
    if (what.text.rfind("device: clEnqueue", 0) == 0 ||
        what.text.rfind("device: clFinish", 0) == 0) {
        std::cout << "seed " << seed << ": " << what.text << '\n' << std::flush;
        progress.on_device = true;
        std::abort();
    }
    progress.refused += what.kind == Difference::Kind::refused ? 1 : 0;
    if (what.kind != Difference::Kind::wrong) return;
    ++progress.different;
    std::cout << "seed " << seed << ": " << what.text << '\n' << std::flush;
    keep(options, kernel);
    if (!options.shrink) return;
    const GeneratedKernel small = shrink(kernel, [&](const GeneratedKernel& candidate) {
        if (!is_defined(candidate)) return false;
        const Difference now = difference(device, candidate, progress);
        return now.kind == what.kind && now.text.substr(0, 7) == what.text.substr(0, 7);
    });
    std::cout << difference(device, small, progress).text << '\n'
              << small.text << '\n'
              << std::flush;
}

void work(const Options& options, std::uint64_t from, double seconds, Progress& progress) {
    Device device;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t seed = from; seed < options.from + options.count; ++seed) {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        if (spent.count() > seconds) break;
        progress.seed = seed;
        one(options, device, seed, progress);
        ++progress.done;
    }
    progress.finished = true;
}

// Texts that once differed, each with the seed of its buffers in its first line: "// seed 7 …".
int run_cases(const Options& options) {
    Device device;
    Progress progress;
    std::uint64_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options.cases)) {
        if (entry.path().extension() != ".cl") continue;
        Options one_case = options;
        one_case.text = entry.path();
        std::string comment, word;
        std::uint64_t seed = 0;
        std::ifstream file(entry.path());
        file >> comment >> word >> seed;
        std::cout << entry.path().filename().string() << '\n';
        one(one_case, device, seed, progress);
        ++count;
    }
    std::cout << count << " cases, " << progress.different << " differ\n";
    return progress.different == 0 && count > 0 ? 0 : 1;
}

int run(const Options& options) {
    if (!options.cases.empty()) return run_cases(options);
    void* memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    Progress& progress = *new (memory) Progress;
    std::uint64_t crashed = 0, ours = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t from = options.from; !progress.finished; from = progress.seed + 1) {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        if (spent.count() > options.seconds || from >= options.from + options.count) break;
        const pid_t child = fork();
        if (child == 0) {
            try {
                work(options, from, options.seconds - spent.count(), progress);
            } catch (const std::exception& error) {
                std::cerr << "error: " << error.what() << '\n';
                _exit(3);
            }
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
        if (progress.finished) break;
        ++(progress.on_device ? crashed : ours);
        std::cout << "seed " << progress.seed << ": "
                  << (progress.on_device ? "the device's driver crashed" : "OUR MACHINE CRASHED")
                  << '\n'
                  << std::flush;
    }
    std::cout << progress.done << " kernels, " << progress.different << " differ, "
              << progress.refused << " use what the machine leaves out, " << crashed
              << " crashed the driver, " << ours << " the machine\n";
    return progress.different + ours == 0 && progress.done > progress.refused ? 0 : 1;
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
