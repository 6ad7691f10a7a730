#include "device/benchmark_cases.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "analysis/outcomes.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "catalogue/number.h"
#include "catalogue/reference.h"
#include "device/device.h"
#include "device/shape_search.h"
#include "lang/code.h"

namespace lab::device {
namespace {

// All that a variant's runs need, for as long as its entry lives.
struct Running {
    const Device& device;
    const catalogue::Kernel& variant;
    const Program& program;
    catalogue::Shape shape;
    catalogue::Reference right;
    JobRun job_run;
    bool got_through = false;  // once

    Sample run(const Runs& runs) {
        const auto times = try_run(job_run, runs);
        if (!times && got_through) return {{}, 0, {}, true};
        if (!times)
            throw not_resident(variant, job_run.job(),
                               most_groups(device, program, variant, shape, right.n));
        got_through = true;
        return {times->device_ms,
                times->wall_ms,
                outcome_of(job_run.result_cells(), job_run.job(), right),
                false,
                {}};
    }
};

const char* cache_of(bool cold) {
    return cold ? "cold" : "warm";
}

// Begins the case of these launches, of `n` elements.
BenchmarkCase case_of(const Device& device, const catalogue::Kernel& variant,
                      const catalogue::Job& job, std::uint64_t n) {
    BenchmarkCase entry;
    entry.waits = !variant.plan.stuck.empty();
    entry.on_host = device.info.kind == "CPU";
    entry.row.variant = variant.id;
    entry.row.title = variant.title;
    entry.row.expect = name_of(job.expect);
    entry.row.n = n;
    entry.row.group = job.group;
    entry.row.groups = groups_of(job);
    entry.row.launches = job.launches.size();
    return entry;
}

// The words of the input, and their exclusive or, which tells whether all of it was read.
constexpr const char* kWordMacros =
    "#define T uint\n#define COMBINE(a, b) ((a) ^ (b))\n#define IDENTITY ((T)0)\n";

const catalogue::Kernel& ceiling_variant() {
    static const catalogue::Kernel variant = [] {
        const fs::path file = data_folder() / "assets/read_ceiling.cl";
        return catalogue::parse_kernel(file, read_file(file));
    }();
    return variant;
}

// The forms in which reading may be the fastest: by the width of a load, the way through the memory
// and the size of a group.
std::vector<catalogue::Shape> ceiling_shapes(const Device& device) {
    static constexpr std::array<std::uint64_t, 1> kCpuGroups{1};
    static constexpr std::array<std::uint64_t, 3> kGpuGroups{256, 512, 1024};
    const bool cpu = device.info.kind == "CPU";
    const std::span<const std::uint64_t> groups =
        cpu ? std::span<const std::uint64_t>(kCpuGroups) : kGpuGroups;
    std::vector<catalogue::Shape> shapes;
    for (const std::string& width : ceiling_variant().toggle("WIDE")->values)
        for (const char* strip : {"off", "on"})
            for (const std::uint64_t group : groups) {
                if (group > device.info.max_group || (cpu && strip == std::string_view("on")))
                    continue;
                catalogue::Shape shape;
                shape.type = catalogue::Type::uint_;
                shape.set = {{"WIDE", width}, {"STRIP", strip}};
                shape.group = group;
                shapes.push_back(shape);
            }
    return shapes;
}

std::uint32_t words_mixed(std::span<const std::byte> bytes) {
    std::uint32_t mix = 0;
    for (std::size_t index = 0; index + sizeof(mix) <= bytes.size(); index += sizeof(mix)) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + index, sizeof(word));
        mix ^= word;
    }
    return mix;
}

struct Ceiling {
    JobRun job_run;
    std::uint32_t expected = 0;

    Sample run() {
        job_run.prepare();
        const Times times = job_run.run();
        const catalogue::Job& job = job_run.job();
        const std::uint32_t got =
            words_mixed(job_run.read(*job.result, job.buffers[*job.result].bytes));
        return {times.device_ms,
                times.wall_ms,
                {{got == expected, 0, 0}, fmt::format("{:#010x}", got)}};
    }
};

}  // namespace

constexpr std::uint64_t kLeastCache = std::uint64_t{64} << 20U;

std::uint64_t cache_bytes(const results::DeviceInfo& device) {
    return std::max(device.cache_bytes, kLeastCache);
}

bool is_cold(const Device& device, const Inputs& inputs, bool in_place) {
    const bool larger = inputs.bytes() > 4 * cache_bytes(device.info);
    return larger || (!in_place && inputs.copies() > 1);
}

static std::string line_of(const std::filesystem::path& file) {
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

// The total size of the last-level caches; at least 64 MiB, also if not known.
static std::uint64_t host_cache_bytes() {
    std::map<std::string, std::uint64_t> caches;  // by the processors that share one
    std::error_code none;
    for (const auto& cpu : std::filesystem::directory_iterator("/sys/devices/system/cpu", none)) {
        const auto level3 = cpu.path() / "cache/index3";
        const std::string size = line_of(level3 / "size");  // "32768K"
        if (!size.empty())
            caches[line_of(level3 / "shared_cpu_list")] = std::strtoull(size.c_str(), nullptr, 10)
                                                          << (size.ends_with('M')   ? 20U
                                                              : size.ends_with('K') ? 10U
                                                                                    : 0U);
    }
    return std::max(kLeastCache, sum_of(caches, [](const auto& cache) { return cache.second; }));
}

HostInputs::HostInputs(const catalogue::Values& input, const results::MeasureRequest& request)
    : input_(span_of(input)), cache_(host_cache_bytes()) {
    const std::uint64_t pool =
        request.references ? pool_bytes(cache_, input_.size(), request.warm) : 0;
    if (input_.empty() || pool < 2 * input_.size()) return;
    copies_ = pool / input_.size();
    pool_.resize(copies_ * input_.size());
    for (std::size_t i = 0; i < copies_; ++i)
        std::memcpy(pool_.data() + i * input_.size(), input_.data(), input_.size());
}

std::span<const std::byte> HostInputs::next() {
    if (pool_.empty()) return input_;
    at_ = (at_ + 1) % copies_;
    return {pool_.data() + at_ * input_.size(), input_.size()};
}

void check_toggles(const catalogue::Catalogue& catalogue, const std::vector<std::string>& ids,
                   const catalogue::Shape& shape) {
    for (const auto& [name, value] : shape.set) {
        bool known = false;
        for (const std::string& id : ids)
            if (const catalogue::Toggle* toggle = catalogue.find(id).toggle(name);
                toggle != nullptr) {
                (void)toggle->number_of(value);
                known = true;
            }
        if (!known)
            throw Problem(fmt::format("None of the variants has a toggle '{}'", name), "",
                          "`variants` lists the toggles of each",
                          fmt::format("--set {}={}", name, value));
    }
}

catalogue::Shape filled(catalogue::Shape asked, const catalogue::LaunchShape& under,
                        std::uint64_t most_group) {
    for (const auto& [name, value] : under.set)
        asked.set.try_emplace(name, value);
    if (asked.group == 0 && under.group != 0 && most_group != 0)
        asked.group = std::min(under.group, std::bit_floor(most_group));
    return asked;
}

std::optional<std::string> unfit(const results::DeviceInfo& device,
                                 const catalogue::Kernel& variant, const catalogue::Shape& asked,
                                 const catalogue::LaunchShape& kept, std::uint64_t n) {
    try {
        const catalogue::Shape shape = filled(shape_for(variant, asked), kept, device.max_group);
        for (const auto& [name, value] : kept.set)
            if (variant.toggle(name) == nullptr)
                throw Problem(fmt::format("There is no toggle {}", name), "", "");
        (void)plan_job(variant, shape, n, target_of(device));
    } catch (const Problem& problem) {
        return fmt::format(
            "The launch shape that was kept for {} cannot be used, but the table's: {}. It is in "
            "{}; --shapes search finds another one",
            variant.id, problem.what_happened, kept_shapes_file().string());
    }
    return {};
}

catalogue::Shape shape_for(const catalogue::Kernel& variant, catalogue::Shape shape) {
    std::erase_if(shape.set, [&](const auto& set) { return variant.toggle(set.first) == nullptr; });
    return shape;
}

Sample timed_twice(unsigned batch, const std::function<Sample(const Runs&)>& run) {
    constexpr double kLongMs = 10;  // then the waiting is no part of it worth the mention
    Sample timed = run({batch, true});
    if (timed.gave_up || !timed.outcome.verdict.right || *timed.device_ms * batch > kLongMs)
        return timed;
    Sample plain = run({batch, false});
    plain.device_ms = timed.device_ms;
    for (std::size_t i = 0; i < plain.parts.size(); ++i) {
        plain.parts[i].device_ms = timed.parts[i].device_ms;
        plain.parts[i].alone_device_ms = timed.parts[i].alone_device_ms;
    }
    return plain;
}

BuiltLaunch built_launch(const Device& device, Programs& programs, const catalogue::Kernel& variant,
                         const catalogue::Shape& asked, const catalogue::LaunchShape& suits,
                         std::uint64_t n) {
    catalogue::Shape shape = filled(asked, suits, 0);
    if (const auto problem = lacking(device.info, variant, shape)) throw Problem(*problem);
    const Program& program = programs.of(variant, shape);
    shape = filled(asked, suits, program.most_group);
    catalogue::Job job = plan_job(variant, shape, n, target_of(device.info, program.group));
    return {program, std::move(shape), std::move(job)};
}

BenchmarkCase variant_case(const BenchmarkContext& context, const catalogue::Kernel& variant,
                           Programs& programs, std::uint64_t group,
                           const LaunchChoice& launch_choice) {
    catalogue::Shape asked = shape_for(variant, context.shape);
    asked.group = group;
    BuiltLaunch built = built_launch(context.device, programs, variant, asked, launch_choice.shape,
                                     catalogue::count_of(context.input));
    const catalogue::Shape& shape = built.shape;
    JobRun job_run(context.device, built.program, std::move(built.job), &context.inputs);
    const catalogue::Job& job = job_run.job();
    BenchmarkCase entry = case_of(context.device, variant, job, catalogue::count_of(context.input));
    entry.row.set = asked.set;
    entry.row.batch = launch_choice.batch;
    for (const auto& [name, value] : shape.set)
        if (!asked.set.contains(name)) entry.row.chosen[name] = value;
    if (asked.group == 0 && launch_choice.shape.group != 0)
        entry.row.chosen["group"] = std::to_string(job.group);
    if (!entry.row.chosen.empty()) entry.row.chosen_by = launch_choice.by;
    entry.row.bytes = entry.row.n * info(shape.type).bytes;
    entry.row.cache = cache_of(is_cold(context.device, context.inputs, job_run.works_in_place()));
    catalogue::Reference right = job.rounds == 0 ? context.right : right_for(job, context.input);
    entry.row.expected = catalogue::text_of(right.value, 0);
    entry.row.exact = unwrapped(right);
    const auto running = std::make_shared<Running>(Running{
        context.device, variant, built.program, shape, std::move(right), std::move(job_run)});
    entry.run = [running, batch = launch_choice.batch] {
        return timed_twice(batch, [&](const Runs& runs) { return running->run(runs); });
    };
    return entry;
}

namespace {

constexpr std::size_t kShownValues = 4;  // of a buffer

// Sums of floating-point numbers depend on the order.
bool alike(std::uint64_t a, std::uint64_t b, machine::Scalar type) {
    if (a == b) return true;
    const auto close = [](double x, double y, double most) {
        return (std::isnan(x) && std::isnan(y)) ||
               std::abs(x - y) <= most * std::max(std::abs(x), std::abs(y));
    };
    if (type == machine::Scalar::float_)
        return close(std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                     std::bit_cast<float>(static_cast<std::uint32_t>(b)), 1e-4);
    return type == machine::Scalar::double_ &&
           close(std::bit_cast<double>(a), std::bit_cast<double>(b), 1e-9);
}

// What was left in the buffers that the kernel may write, on the device and on the simulator, as
// far as it was asked.
struct Contents {
    std::string device, simulator;
};

Contents contents_of(const machine::Job& job, const JobRun& on_device, machine::Run* run) {
    const std::vector<bool> written = catalogue::written_buffers(job);
    Contents contents;
    bool same = true;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        if (!written[i]) continue;
        const machine::Buffer& buffer = job.buffers[i];
        const unsigned size = lang::info(buffer.element).bytes;
        const std::vector<std::byte> bytes = on_device.read(i, buffer.bytes);
        std::vector<std::string> here, there;
        for (std::uint64_t k = 0; k < buffer.bytes / size; ++k) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, bytes.data() + k * size, size);
            const std::uint64_t value = lang::canonical(buffer.element, bits);
            if (k < kShownValues) here.push_back(lang::text_of(value, buffer.element));
            if (run == nullptr) {
                if (k >= kShownValues) break;
                continue;
            }
            const machine::Page& page =
                *run->end().memory[i].pages[(k * size) >> machine::kPageBits];
            const bool known = page.written.all((k * size) & (machine::kPageBytes - 1), size);
            const std::uint64_t simulated = run->machine().value(run->end(), i, k);
            if (k < kShownValues)
                there.push_back(known ? lang::text_of(simulated, buffer.element) : "?");
            same = same && (!known || alike(value, simulated, buffer.element));
        }
        const char* more = buffer.bytes / size > kShownValues ? " …" : "";
        const auto line = [&](const std::vector<std::string>& values) {
            return fmt::format("{}: {}{}", buffer.name, fmt::join(values, " "), more);
        };
        const char* between = contents.device.empty() ? "" : ", ";
        contents.device += between + line(here);
        if (run != nullptr) contents.simulator += between + line(there);
    }
    if (run != nullptr && same) contents.simulator = contents.device;
    if (run != nullptr && !same && contents.simulator == contents.device)
        contents.simulator += " (further on)";
    return contents;
}

}  // namespace

BenchmarkCase form_case(const Device& device, const catalogue::Kernel& kernel,
                        const catalogue::Job& job) {
    if (const auto problem = lacking(device.info, kernel, {})) throw Problem(*problem);
    const Program program = build(device, kernel, {});
    const auto run = std::make_shared<JobRun>(device, program, job);
    const auto expected = simulated(job);
    run->prepare();
    run->run({1, false});
    const Contents contents = contents_of(job, *run, expected.get());
    BenchmarkCase result = case_of(device, kernel, job, job.n);
    result.row.bytes = sum_of(job.buffers, &catalogue::Buffer::bytes);
    result.row.cache = cache_of(result.row.bytes > 4 * cache_bytes(device.info));
    result.row.expected = contents.simulator;
    result.run = [run, contents] {
        return timed_twice(1, [&](const Runs& runs) -> Sample {
            run->prepare();
            const Times times = run->run(runs);
            return {times.device_ms, times.wall_ms, {{true, 0, 0}, contents.device}};
        });
    };
    return result;
}

static BenchmarkCase host_case(const BenchmarkContext& context, const HostLoop& loop) {
    BenchmarkCase entry;
    entry.row.variant = loop.id;
    entry.row.title = loop.title;
    entry.row.kind = "reference";
    entry.on_host = true;
    entry.row.n = catalogue::count_of(context.input);
    entry.row.bytes = span_of(context.input).size();
    entry.row.cache = cache_of(context.host_inputs.is_cold());
    entry.row.expected = catalogue::text_of(context.right.value, 0);
    entry.row.exact = unwrapped(context.right);
    entry.run = [&context, &loop]() -> Sample {
        const std::span<const std::byte> input = context.host_inputs.next();
        loop.before();
        const auto before = std::chrono::steady_clock::now();
        const catalogue::Values result = loop.reduce(context.shape.op, context.shape.type, input);
        const std::chrono::duration<double, std::milli> wall =
            std::chrono::steady_clock::now() - before;
        loop.after();
        const catalogue::Verdict verdict = judge(result, context.right, context.shape.op,
                                                 loop.depth(catalogue::count_of(context.input)));
        return {{}, wall.count(), {verdict, catalogue::text_of(result, 0)}};
    };
    return entry;
}

void add_host_cases(const BenchmarkContext& context, std::vector<BenchmarkCase>& entries) {
    for (const HostLoop& loop : host_loops())
        entries.push_back(host_case(context, loop));
}

std::vector<CeilingForm> build_ceiling(const Device& device) {
    std::vector<CeilingForm> forms;
    const catalogue::Kernel& variant = ceiling_variant();
    for (catalogue::Shape& shape : ceiling_shapes(device)) {
        // Groups of one width share their program.
        const bool built = !forms.empty() && forms.back().shape.set == shape.set;
        const Program program = built ? forms.back().program
                                      : build(device, text_of(variant, shape, kWordMacros),
                                              variant.entry, needs_of(variant, shape));
        if (shape.group <= program.group) forms.push_back({std::move(shape), program});
    }
    return forms;
}

std::optional<BenchmarkCase> ceiling_case(const BenchmarkContext& context,
                                          const std::vector<CeilingForm>& forms) {
    const std::size_t bytes = span_of(context.input).size();
    if (bytes == 0 || forms.empty()) return {};  // its groups may be too large for the device
    const catalogue::Kernel& variant = ceiling_variant();
    const std::uint32_t expected = words_mixed(span_of(context.input));
    std::shared_ptr<Ceiling> best;
    double best_ms = 0;
    for (const CeilingForm& form : forms) {
        const auto ceiling = std::make_shared<Ceiling>(
            Ceiling{JobRun(context.device, form.program,
                           plan_job(variant, form.shape, bytes / sizeof(expected),
                                    target_of(context.device.info, form.program.group)),
                           &context.inputs),
                    expected});
        ceiling->run();  // warms up
        std::vector<double> ms(5);
        for (double& each : ms)
            each = ceiling->run().device_ms.value_or(0);
        if (best && results::median(ms) >= best_ms) continue;
        best = ceiling;
        best_ms = results::median(ms);
    }
    BenchmarkCase entry =
        case_of(context.device, variant, best->job_run.job(), catalogue::count_of(context.input));
    entry.row.kind = "ceiling";
    entry.row.bytes = bytes;
    entry.row.cache = cache_of(is_cold(context.device, context.inputs, false));
    entry.row.expected = fmt::format("{:#010x}", expected);
    entry.run = [best] { return best->run(); };
    return entry;
}

const Program& Programs::of(const catalogue::Kernel& variant, const catalogue::Shape& shape) {
    const lang::Text text = text_of(variant, shape);
    const auto key = std::make_pair(variant.id, text.macros);
    if (const auto found = built_.find(key); found != built_.end()) return found->second;
    const auto result = built_.emplace(key, build(device_, variant, shape)).first;
    const std::string told = build_options(device_, text.text, needs_of(variant, shape));
    if (options_.find(told) == std::string::npos)
        options_ += (options_.empty() ? "" : " | ") + told;
    return result->second;
}

std::uint64_t pool_bytes(std::uint64_t cache, std::uint64_t input, bool warm) {
    if (warm || input > 4 * cache) return 0;
    return std::max(2 * cache, 2 * (input + 4096));
}

Problem no_memory(std::optional<std::uint64_t> n) {
    return {fmt::format("There is not enough memory for {} elements",
                        catalogue::size_text(n.value_or(0))),
            "The input and its copies must fit", "Choose smaller sizes", "--sizes"};
}

void check_fits(const results::DeviceInfo& device, catalogue::Type type,
                std::optional<std::uint64_t> n, const char* where) {
    const std::uint64_t each = info(type).bytes;
    const std::uint64_t most = device.largest_buffer / each;
    if (!n || *n <= most) return;
    const std::uint64_t bytes = *n > UINT64_MAX / each ? UINT64_MAX : *n * each;
    throw Problem(fmt::format("{} elements do not fit into a buffer", catalogue::size_text(*n)),
                  fmt::format("They take {}; {} has {} and takes at most {} per buffer",
                              catalogue::bytes_text(bytes), device.name,
                              catalogue::bytes_text(device.global_bytes),
                              catalogue::bytes_text(device.largest_buffer)),
                  fmt::format("Choose at most {}", catalogue::size_text(most)), where);
}

catalogue::Values input_that_fits(const results::DeviceInfo& device, const catalogue::Shape& shape,
                                  std::optional<std::uint64_t> n) {
    check_fits(device, shape.type, n, "--sizes");
    try {
        return make_values(shape.input, shape.type, n, shape.op);
    } catch (const std::bad_alloc&) {
        throw Problem(no_memory(n));
    }
}

static std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (const auto colon = line.find(": ");
            line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    return "not known";
}

results::Host this_host() {
    results::Host host;
    host.processor = processor_name();
    host.processors = std::max(1U, std::thread::hardware_concurrency());
    utsname system{};
    if (uname(&system) == 0)
        host.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
#ifdef __VERSION__
    host.compiler = __VERSION__;
#endif
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0)
        host.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    return host;
}

// States of a search for what may come out; more leave it INCOMPLETE, and random runs follow.
constexpr std::uint64_t kMostStates = 30'000, kSamples = 100;
// Work-items of a run whose results are predicted, in all launches; of more, it is said why not.
constexpr std::uint64_t kMostItems = 1024;
// Elements of a run whose results are predicted; of more, it is said why not.
constexpr std::uint64_t kMostPredicted = 4096;

static void search(results::Prediction& prediction, const machine::Job& job) {
    analysis::OutcomesOptions options;
    options.most_states = kMostStates;
    options.samples = kSamples;
    options.shortest = false;
    const analysis::Outcomes found = outcomes_of(job, analysis::ending_of(job, false), options);
    prediction.complete = found.complete;
    prediction.states = found.states;
    prediction.samples = found.samples;
    prediction.unwritten = found.unwritten;
    for (const analysis::PossibleResult& each : found.results)
        (each.fault || each.never_ends ? prediction.faults : prediction.results)
            .push_back(each.ending.result);
}

results::Prediction predict(const DeviceCase& device_case) {
    results::Prediction prediction;
    const catalogue::Job& job = device_case.job();
    const std::uint64_t items =
        sum_of(job.launches, [](const catalogue::Launch& launch) { return launch.range.items(); });
    if (items > kMostItems || job.n > kMostPredicted) {
        prediction.why_not = fmt::format(
            "{} elements and {} work-items are too many to try all orders of", job.n, items);
        return prediction;
    }
    if (job.launches.empty()) {
        prediction.results = {device_case.outcome({}).result};
        prediction.complete = true;
        return prediction;
    }
    if (const auto problem = thrown_by([&] { search(prediction, device_case.simulator_job()); }))
        prediction.why_not = problem->what_happened;
    return prediction;
}

}  // namespace lab::device
