#include "measure/timing/benchmark_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>

#include "base/paths.h"
#include "device/needs.h"
#include "device/resident.h"
#include "measure/timing/kept_shapes.h"

namespace lab::measure {
namespace {

// All that a variant's runs need, for as long as its entry lives.
struct Running {
    const device::Device& device;
    const catalogue::Variant& variant;
    const device::Program& program;
    catalogue::Shape shape;
    catalogue::Reference right;
    device::Reduction reduction;
    unsigned batch = 1;
    bool got_through = false;  // once

    Sample run() {
        // Long enough for the host's waiting to be no part of it worth the mention.
        constexpr double kLongMs = 10;
        Sample timed = run({batch, true});
        if (timed.gave_up || !timed.outcome.verdict.right || *timed.device_ms * batch > kLongMs)
            return timed;
        // The clock of events makes the host wait longer: what it waits is taken without.
        Sample plain = run({batch, false});
        plain.device_ms = timed.device_ms;
        return plain;
    }

    Sample run(const device::Runs& runs) {
        const auto times = device::try_run(reduction, runs);
        if (!times && got_through) return {{}, 0, {}, true};
        if (!times)
            throw device::not_resident(
                variant, reduction.plan(),
                device::most_groups(device, program, variant, shape, right.n));
        got_through = true;
        return {times->device_ms, times->wall_ms, outcome_of(reduction, shape, right), false, {}};
    }
};

const char* cache_of(bool cold) {
    return cold ? "cold" : "warm";
}

// Whether a run finds its input outside the cache: there are several copies, or one that is far
// larger than the cache. A kernel that works in place has just had its copy written.
bool is_cold(const BenchmarkContext& context, bool in_place) {
    const std::uint64_t bytes = context.inputs.elements().input.size();
    const bool larger = bytes > 4 * cache_bytes(context.device.info);
    return larger || (!in_place && context.inputs.copies() > 1);
}

bool works_in_place(const catalogue::Plan& plan) {
    return std::any_of(
        plan.buffers.begin(), plan.buffers.end(), [](const catalogue::PlannedBuffer& buffer) {
            return buffer.fill == catalogue::Argument::Fill::input && !buffer.constant;
        });
}

std::uint64_t groups_of(const catalogue::Plan& plan) {
    return plan.launches.empty() ? 0 : plan.launches[0].global / plan.launches[0].local;
}

// The words of the input, and their exclusive or, which tells whether all of it was read.
constexpr const char* kWordMacros =
    "#define T uint\n#define COMBINE(a, b) ((a) ^ (b))\n#define IDENTITY ((T)0)\n";

const catalogue::Variant& ceiling_variant() {
    static const catalogue::Variant variant = [] {
        const fs::path file = data_folder() / "assets/read_ceiling.cl";
        return catalogue::parse_variant(file, read_file(file));
    }();
    return variant;
}

// The forms in which reading may be the fastest: by the width of a load, the way through the memory
// and the size of a group.
std::vector<catalogue::Shape> ceiling_shapes(const device::Device& device) {
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
    device::Reduction reduction;
    std::uint32_t expected = 0;

    Sample run() {
        reduction.prepare();
        const device::Times times = reduction.run();
        const catalogue::Plan& plan = reduction.plan();
        const std::uint32_t got =
            words_mixed(reduction.read(*plan.result, plan.buffers[*plan.result].count));
        return {times.device_ms,
                times.wall_ms,
                {{got == expected, 0, 0}, fmt::format("{:#010x}", got)}};
    }
};

}  // namespace

std::uint64_t cache_bytes(const results::DeviceInfo& device) {
    constexpr std::uint64_t kLeast = std::uint64_t{64} << 20U;
    return std::max(device.cache_bytes, kLeast);
}

HostInputs::HostInputs(const catalogue::Values& input, std::uint64_t pool_bytes,
                       std::uint64_t cache)
    : input_(device::bytes_in(input)), cache_(cache) {
    if (input_.empty() || pool_bytes < 2 * input_.size()) return;
    copies_ = pool_bytes / input_.size();
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
                                 const catalogue::Variant& variant, const catalogue::Shape& asked,
                                 const catalogue::LaunchShape& kept, std::uint64_t n) {
    try {
        const catalogue::Shape shape = filled(shape_for(variant, asked), kept, device.max_group);
        for (const auto& [name, value] : kept.set)
            if (variant.toggle(name) == nullptr)
                throw Problem(fmt::format("There is no toggle {}", name), "", "");
        (void)make_plan(variant, shape, n, device::target_of(device));
    } catch (const Problem& problem) {
        return fmt::format(
            "The launch shape that was kept for {} cannot be used, but the table's: {}. It is in "
            "{}; --shapes search finds another one",
            variant.id, problem.what_happened, kept_shapes_file().string());
    }
    return {};
}

catalogue::Shape shape_for(const catalogue::Variant& variant, catalogue::Shape shape) {
    std::erase_if(shape.set, [&](const auto& set) { return variant.toggle(set.first) == nullptr; });
    return shape;
}

BenchmarkCase variant_case(const BenchmarkContext& context, const catalogue::Variant& variant,
                           Programs& programs, std::uint64_t group,
                           const LaunchChoice& launch_choice) {
    catalogue::Shape asked = shape_for(variant, context.shape);
    asked.group = group;
    catalogue::Shape shape = filled(asked, launch_choice.shape, 0);
    if (const auto problem = device::lacking(context.device.info, variant, shape))
        throw Problem(*problem);
    const device::Program& program = programs.of(variant, shape);
    shape = filled(asked, launch_choice.shape, program.most_group);
    catalogue::Plan plan = make_plan(variant, shape, catalogue::count_of(context.input),
                                     device::target_of(context.device.info, program.group));
    BenchmarkCase entry;
    entry.waits = !variant.stuck.empty();
    entry.on_host = context.device.info.kind == "CPU";
    entry.row.variant = variant.id;
    entry.row.title = variant.title;
    entry.row.expect = name_of(plan.expect);
    entry.row.set = asked.set;
    entry.row.batch = launch_choice.batch;
    for (const auto& [name, value] : shape.set)
        if (!asked.set.contains(name)) entry.row.chosen[name] = value;
    if (asked.group == 0 && launch_choice.shape.group != 0)
        entry.row.chosen["group"] = std::to_string(plan.group);
    if (!entry.row.chosen.empty()) entry.row.chosen_by = launch_choice.by;
    entry.row.n = catalogue::count_of(context.input);
    entry.row.group = plan.group;
    entry.row.groups = groups_of(plan);
    entry.row.launches = plan.launches.size();
    entry.row.bytes = entry.row.n * info(shape.type).bytes;
    entry.row.cache = cache_of(is_cold(context, works_in_place(plan)));
    catalogue::Reference right =
        plan.rounds == 0 ? context.right : right_for(plan, shape, context.input);
    entry.row.expected = catalogue::text_of(right.value, 0);
    entry.row.exact = unwrapped(right);
    const auto running = std::make_shared<Running>(
        Running{context.device, variant, program, shape, std::move(right),
                device::Reduction(context.device, program, std::move(plan), context.inputs),
                launch_choice.batch});
    entry.run = [running] { return running->run(); };
    return entry;
}

BenchmarkCase host_case(const BenchmarkContext& context, const HostLoop& loop) {
    BenchmarkCase entry;
    entry.row.variant = loop.id;
    entry.row.title = loop.title;
    entry.row.kind = "reference";
    entry.on_host = true;
    entry.row.n = catalogue::count_of(context.input);
    entry.row.bytes = device::bytes_in(context.input).size();
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

std::vector<CeilingForm> build_ceiling(const device::Device& device) {
    std::vector<CeilingForm> forms;
    const catalogue::Variant& variant = ceiling_variant();
    for (catalogue::Shape& shape : ceiling_shapes(device)) {
        // Groups of one width share their program.
        const bool built = !forms.empty() && forms.back().shape.set == shape.set;
        const device::Program program =
            built ? forms.back().program
                  : device::build(device, variant, kernel_text(variant, shape, kWordMacros));
        if (shape.group <= program.group) forms.push_back({std::move(shape), program});
    }
    return forms;
}

std::optional<BenchmarkCase> ceiling_case(const BenchmarkContext& context,
                                          const std::vector<CeilingForm>& forms) {
    const std::size_t bytes = device::bytes_in(context.input).size();
    if (bytes == 0 || forms.empty()) return {};  // its groups may be too large for the device
    const catalogue::Variant& variant = ceiling_variant();
    const std::uint32_t expected = words_mixed(device::bytes_in(context.input));
    std::shared_ptr<Ceiling> best;
    double best_ms = 0;
    for (const CeilingForm& form : forms) {
        const auto ceiling = std::make_shared<Ceiling>(Ceiling{
            device::Reduction(context.device, form.program,
                              make_plan(variant, form.shape, bytes / sizeof(expected),
                                        device::target_of(context.device.info, form.program.group)),
                              context.inputs, catalogue::Type::uint_),
            expected});
        ceiling->run();  // warms up
        std::vector<double> ms(5);
        for (double& each : ms)
            each = ceiling->run().device_ms.value_or(0);
        if (best && results::median(ms) >= best_ms) continue;
        best = ceiling;
        best_ms = results::median(ms);
    }
    BenchmarkCase entry;
    entry.row.variant = variant.id;
    entry.row.title = variant.title;
    entry.row.kind = "ceiling";
    entry.on_host = context.device.info.kind == "CPU";
    entry.row.n = catalogue::count_of(context.input);
    entry.row.group = best->reduction.plan().group;
    entry.row.groups = groups_of(best->reduction.plan());
    entry.row.launches = 1;
    entry.row.bytes = bytes;
    entry.row.cache = cache_of(is_cold(context, false));
    entry.row.expected = fmt::format("{:#010x}", expected);
    entry.run = [best] { return best->run(); };
    return entry;
}

}  // namespace lab::measure
