#include "device/measure.h"

#include <algorithm>
#include <ctime>
#include <new>
#include <random>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/platform.h"
#include "base/ranges.h"
#include "catalogue/kernel.h"
#include "catalogue/number.h"

namespace lab::device {
namespace {

constexpr double kSearchSeconds = 3;  // for a launch shape, a variant and size

class Measurer {
  public:
    Measurer(const Device& device, const std::vector<const catalogue::Kernel*>& kernels,
             const results::MeasureRequest& request, const OnMeasureProgress& on_progress)
        : device_(device),
          request_(request),
          rounds_(started(device.info, request), request, on_progress),
          programs_(device) {
        for (const catalogue::Kernel* variant : kernels)
            build(*variant);
        if (request.references) rounds_.attempt([&] { ceiling_ = build_ceiling(device); });
    }

    results::Measurements run() {
        const std::size_t references = request_.references ? 1 + host_loops().size() : 0;
        return rounds_.run(variants_.size() * rounds_.groups().size() + references,
                           [this](std::optional<std::uint64_t> n) { size(n); });
    }

  private:
    // A variant that this device cannot build is left out, and said so.
    void build(const catalogue::Kernel& variant) {
        const catalogue::Shape shape = shape_for(variant, request_.shape);
        if (const auto problem = lacking(device_.info, variant, shape)) {
            if (request_.all)
                rounds_.skip(fmt::format("{}: {}", problem->what_happened, problem->why));
            else
                rounds_.problem(*problem);
            return;
        }
        if (const auto problem = illegal_everywhere(variant)) {
            rounds_.leave_out(*problem, request_.sizes.front());
            return;
        }
        rounds_.attempt([&] {
            (void)programs_.of(variant, filled(shape, table_shape(variant), 0));
            variants_.push_back(&variant);
        });
    }

    catalogue::LaunchShape table_shape(const catalogue::Kernel& variant) const {
        return launch_shape(variant, kinds_of(device_.info, request_.shape.type));
    }

    // The shape in which a variant runs at the ground's n, as far as nobody asked for one.
    LaunchChoice launch_choice(const BenchmarkContext& context, const catalogue::Kernel& variant) {
        const std::uint64_t n = catalogue::count_of(context.input);
        const bool search = request_.shapes == results::LaunchShapes::search;
        if (!search || !request_.groups.empty() || variant.plan.shapes.empty() || n == 0)
            return rounds_.launch_choice(device_.info, variant, context.shape, n);
        const KeptShape found =
            search_shape(context, variant, programs_, table_shape(variant), kSearchSeconds);
        if (!request_.warm) rounds_.keep(found);  // else it is of other runs than those it is for
        return {found.shape, "search", request_.batch};
    }

    // Why the variant's header rules that n and group out; nothing if it does not.
    std::optional<Problem> illegal(const catalogue::Kernel& variant, std::uint64_t n,
                                   std::uint64_t group) const {
        catalogue::Shape shape = shape_for(variant, request_.shape);
        shape.group = group;
        auto problem =
            thrown_by([&] { (void)plan_job(variant, shape, n, target_of(device_.info)); });
        if (problem && problem->exit != Exit::usage) problem.reset();
        return problem;
    }

    // Why no size and group that is asked for will do; nothing if one will, or none is known yet.
    std::optional<Problem> illegal_everywhere(const catalogue::Kernel& variant) const {
        std::optional<Problem> first;
        if (rounds_.has_its_own_n()) return {};
        for (const std::uint64_t n : request_.sizes)
            for (const std::uint64_t group : rounds_.groups()) {
                const auto problem = illegal(variant, n, group);
                if (!problem) return {};
                if (!first) first = problem;
            }
        return first;
    }

    void size(std::optional<std::uint64_t> n) {
        const catalogue::Shape& shape = request_.shape;
        const catalogue::Values input = input_that_fits(device_.info, shape, n);
        const catalogue::Reference right = reference(input, shape.op);
        const std::uint64_t pool =
            pool_bytes(cache_bytes(device_.info), span_of(input).size(), request_.warm);
        Inputs inputs(device_, input, pool);
        HostInputs host_inputs(input, request_);
        const BenchmarkContext context{device_, shape, input, right, inputs, host_inputs};
        std::vector<BenchmarkCase> entries = entries_of(context);
        rounds_.take_turns(entries);
    }

    std::vector<BenchmarkCase> entries_of(const BenchmarkContext& context) {
        std::vector<BenchmarkCase> entries;
        if (request_.references)
            rounds_.attempt([&] {
                if (auto ceiling = ceiling_case(context, ceiling_))
                    entries.push_back(std::move(*ceiling));
            });
        for (const catalogue::Kernel* variant : variants_)
            for (const std::uint64_t group : rounds_.groups())
                add_variant(context, *variant, group, entries);
        rounds_.built_with(programs_.options());
        if (request_.references) add_host_cases(context, entries);
        return entries;
    }

    void add_variant(const BenchmarkContext& context, const catalogue::Kernel& variant,
                     std::uint64_t group, std::vector<BenchmarkCase>& entries) {
        const std::uint64_t n = catalogue::count_of(context.input);
        if (rounds_.known_stuck(variant, group, n)) return;
        if (const auto problem = illegal(variant, n, group)) {
            rounds_.leave_out(*problem, n);
            return;
        }
        rounds_.attempt([&] {
            entries.push_back(
                variant_case(context, variant, programs_, group, launch_choice(context, variant)));
        });
    }

    const Device& device_;
    const results::MeasureRequest& request_;
    Rounds rounds_;
    Programs programs_;
    std::vector<const catalogue::Kernel*> variants_;  // that build here
    std::vector<CeilingForm> ceiling_;
};

// Of the request the runs count, not the sizes or the input: its form has what fills its buffers.
results::Measurements measure_form(const Device& device, const catalogue::Kernel& kernel,
                                   results::MeasureRequest request,
                                   const OnMeasureProgress& on_progress) {
    const catalogue::Job job = plan_job(kernel, {}, 0, target_of(device.info));
    request.sizes = {job.n};
    request.shape.input = {};
    BenchmarkCase only = form_case(device, kernel, job);
    results::Measurements measurements = started(device.info, request);
    measurements.op = measurements.input = "";
    measurements.type = job.buffers.empty() ? "" : lang::info(job.buffers[job.start].element).name;
    Rounds rounds(std::move(measurements), request, on_progress);
    rounds.built_with(build_options(device, kernel.text, needs_of(kernel, {})));
    return rounds.run(1, [&](std::optional<std::uint64_t>) {
        std::vector<BenchmarkCase> cases;
        cases.push_back(std::move(only));
        rounds.take_turns(cases);
    });
}

}  // namespace

results::Measurements measure(const Device& device,
                              const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const OnMeasureProgress& progress) {
    check_repeat(request);
    if (kernels.size() == 1 && kernels.front()->by_form())
        return measure_form(device, *kernels.front(), request, progress);
    if (request.shape.type == catalogue::Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    return Measurer(device, kernels, request, progress).run();
}

constexpr std::size_t kMostSamples = 300;  // of a row; with these it is done
constexpr std::size_t kFewestRounds = 20;  // before precision counts: a short calm is none
constexpr std::size_t kFewestSamples = 3;  // … unless they take ten times the limit
constexpr auto kProgressEvery = std::chrono::milliseconds(300);

static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A processor that had nothing to do for a while takes up to 0.3 ms to come back, more where it is
// virtual, and that would count against whoever runs after a serial loop.
static void wake_processors() {
    constexpr auto kAwake = std::chrono::microseconds(500);
    in_parallel(std::max(1U, std::thread::hardware_concurrency()), 1,
                [&](std::size_t, std::size_t) {
                    const auto start = std::chrono::steady_clock::now();
                    while (std::chrono::steady_clock::now() - start < kAwake) {
                    }
                });
}

static void add(results::Row& row, const Sample& sample, bool counted) {
    if (counted) {
        if (sample.device_ms) row.device_ms.push_back(*sample.device_ms);
        row.wall_ms.push_back(sample.wall_ms);
        for (std::size_t i = 0; i < sample.parts.size(); ++i) {
            row.parts[i].device_ms.push_back(sample.parts[i].device_ms);
            row.parts[i].alone_device_ms.push_back(sample.parts[i].alone_device_ms);
            row.parts[i].alone_wall_ms.push_back(sample.parts[i].alone_wall_ms);
        }
    }
    const bool first = !counted;
    // The row shows its first wrong result, else its last one.
    if (!first && !row.right) return;
    row.right = sample.outcome.verdict.right;
    row.error =
        first ? sample.outcome.verdict.error : std::max(row.error, sample.outcome.verdict.error);
    row.bound = sample.outcome.verdict.bound;
    row.result = sample.outcome.result;
}

static void drop_failed(std::vector<BenchmarkCase>& entries) {
    std::erase_if(entries, [](const BenchmarkCase& entry) { return entry.run == nullptr; });
}

results::Measurements started(const results::DeviceInfo& device,
                              const results::MeasureRequest& request) {
    results::Measurements measurements;
    measurements.program = LAB_VERSION;
    measurements.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    measurements.device = device;
    measurements.host = this_host();
    measurements.op = name_of(request.shape.op);
    measurements.type = info(request.shape.type).name;
    measurements.input = text_of(request.shape.input);
    measurements.repeat = request.repeat;
    measurements.precision = request.precision;
    measurements.limit_s = request.limit_s;
    return measurements;
}

void check_repeat(const results::MeasureRequest& request) {
    if (request.repeat < 0)
        throw Problem("The number of runs must be 1 or more", "", "Write --repeat 10", "--repeat");
}

std::vector<const catalogue::Kernel*> chosen(const catalogue::Catalogue& catalogue,
                                             const results::MeasureRequest& request) {
    std::vector<const catalogue::Kernel*> variants;
    for (const std::string& id : request.variants) {
        const catalogue::Kernel* variant = &catalogue.find(id);
        if (!contains(variants, variant)) variants.push_back(variant);
    }
    check_toggles(catalogue, request.variants, request.shape);
    return variants;
}

Rounds::Rounds(results::Measurements measurements, const results::MeasureRequest& request,
               const OnMeasureProgress& on_progress)
    : request_(request), on_progress_(on_progress), made_(std::move(measurements)) {}

bool Rounds::has_its_own_n() const {
    const catalogue::Input::Kind kind = request_.shape.input.kind;
    return kind == catalogue::Input::Kind::values || kind == catalogue::Input::Kind::file;
}

LaunchChoice Rounds::launch_choice(const results::DeviceInfo& device,
                                   const catalogue::Kernel& variant, const catalogue::Shape& asked,
                                   std::uint64_t n) {
    LaunchChoice choice{launch_shape(variant, kinds_of(device, asked.type)), "table",
                        request_.batch};
    if (variant.plan.shapes.empty()) choice.by.clear();
    if (choice.by.empty() || request_.shapes == results::LaunchShapes::table || n == 0)
        return choice;
    if (kept_.problem()) note(kept_.problem()->text());
    const KeptShape* kept = kept_.find(shape_key(device, variant, asked, n));
    if (kept == nullptr) return choice;
    if (const auto why = unfit(device, variant, asked, kept->shape, n)) {
        note(*why);
        return choice;
    }
    return {layered(std::move(choice.shape), kept->shape), "kept", request_.batch};
}

void Rounds::keep(const KeptShape& found) {
    if (const auto problem = thrown_by([&] { kept_.keep(found); }))
        note("The launch shape that was found is used, and not kept. " + problem->text());
}

void Rounds::note(const std::string& line) {
    if (!contains(made_.notes, line)) made_.notes.push_back(line);
}

results::Measurements Rounds::run(std::size_t rows_a_size, const Size& size) {
    std::vector<std::optional<std::uint64_t>> sizes(request_.sizes.begin(), request_.sizes.end());
    if (has_its_own_n()) sizes = {std::nullopt};
    at_.total = sizes.size() * rows_a_size;
    sizes_left_ = sizes.size();
    for (const std::optional<std::uint64_t> n : sizes) {
        const auto start = Clock::now();
        const std::size_t done = at_.done;
        made_.rows.clear();
        try {
            size(n);
        } catch (const Problem& problem) {
            made_.problems.push_back(problem);
        } catch (const std::bad_alloc&) {
            made_.problems.push_back(no_memory(n));
        }
        at_.done = done + at_.total / sizes.size();
        --sizes_left_;
        before_last_s_ = last_s_;
        last_s_ = seconds_since(start);
        say(0);
    }
    for (const auto& [words, least_n] : left_out_)
        made_.skipped.push_back(
            fmt::format("{} (from n = {} on)", words, catalogue::size_text(least_n)));
    made_.rows = std::move(rows_);
    made_.complete = true;
    return std::move(made_);
}

void Rounds::take_turns(std::vector<BenchmarkCase>& entries) {
    for (BenchmarkCase& entry : entries)
        turn(entry, false);
    drop_failed(entries);
    // Each round in another order: what a run leaves behind, in the caches and in the processors'
    // clocks, is left to all of the others alike.
    std::mt19937 random(1);
    while (!all_done(entries)) {
        std::vector<BenchmarkCase*> order;
        for (BenchmarkCase& entry : entries)
            if (!entry.done) order.push_back(&entry);
        std::shuffle(order.begin(), order.end(), random);
        for (BenchmarkCase* entry : order)
            turn(*entry, true);
        drop_failed(entries);
        tell_now_and_then(entries);
    }
    made_.rows.clear();
    for (BenchmarkCase& entry : entries) {
        rows_.push_back(entry.row);
        made_.rows.push_back(std::move(entry.row));
    }
}

void Rounds::leave_out(const Problem& problem, std::uint64_t n) {
    if (!request_.all || problem.exit != Exit::usage) {
        made_.problems.push_back(problem);
        return;
    }
    const std::string id = problem.what_happened.substr(0, problem.what_happened.find(' '));
    left_out_.try_emplace(fmt::format("{}: {}", id, problem.why), n);
}

// One run. A problem ends the entry.
void Rounds::turn(BenchmarkCase& entry, bool counted) {
    const auto start = Clock::now();
    try {
        if (entry.on_host) wake_processors();
        const Sample sample = entry.run();
        if (sample.gave_up) {  // a busy moment: what was measured before stands
            entry.done = true;
            if (entry.row.wall_ms.empty()) entry.run = nullptr;
            return;
        }
        add(entry.row, sample, counted);
    } catch (const Problem& problem) {
        fail(entry, problem);
        return;
    }
    if (!counted) return;
    entry.spent_s += seconds_since(start);
    entry.done = is_done(entry);
}

void Rounds::fail(BenchmarkCase& entry, const Problem& problem) {
    entry.done = true;
    entry.run = nullptr;  // marks it; drop_failed takes it out
    if (entry.waits && problem.exit == Exit::kernel_fault) {
        stuck_.push_back({entry.row.variant, entry.row.group, entry.row.n});
        if (request_.all) {
            made_.skipped.push_back(fmt::format("{}. {}", problem.what_happened, problem.why));
            return;
        }
    }
    made_.problems.push_back(problem);
}

bool Rounds::known_stuck(const catalogue::Kernel& variant, std::uint64_t group,
                         std::uint64_t n) const {
    return any_of(stuck_, [&](const Stuck& stuck) {
        return stuck.variant == variant.id && (group == 0 || stuck.group == group) && stuck.n <= n;
    });
}

// Whether it has had what it is due, whatever came of it.
bool Rounds::is_done(const BenchmarkCase& entry) const {
    const std::size_t samples = entry.row.wall_ms.size();
    if (request_.repeat > 0) return samples >= static_cast<std::size_t>(request_.repeat);
    if (samples >= kMostSamples) return true;
    if (entry.row.kind == "ceiling") return false;  // as long as anything else goes on
    if (samples < kFewestSamples) return entry.spent_s >= 10 * request_.limit_s;
    return entry.spent_s >= request_.limit_s;
}

bool Rounds::all_done(const std::vector<BenchmarkCase>& entries) const {
    const auto has_its_due = [](const BenchmarkCase& benchmark_case) {
        return benchmark_case.done || benchmark_case.row.kind == "ceiling";
    };
    if (all_of(entries, has_its_due)) return true;
    if (request_.repeat > 0) return false;
    return all_of(entries, [this](const BenchmarkCase& of) {
        if (of.done) return true;
        const auto precision = of.row.summary().precision;
        return of.row.wall_ms.size() >= kFewestRounds && precision &&
               *precision <= request_.precision;
    });
}

double Rounds::seconds_left(const BenchmarkCase& entry) const {
    if (entry.done || entry.row.kind == "ceiling") return 0;
    const double a_run = entry.spent_s / static_cast<double>(entry.row.wall_ms.size());
    const double all = request_.repeat > 0 ? a_run * request_.repeat : request_.limit_s;
    return std::max(0.0, all - entry.spent_s);
}

void Rounds::tell_now_and_then(const std::vector<BenchmarkCase>& entries) {
    if (!on_progress_ || Clock::now() - reported_ < kProgressEvery) return;
    double left = 0;
    made_.rows.clear();
    for (const BenchmarkCase& entry : entries) {
        made_.rows.push_back(entry.row);
        left += seconds_left(entry);
    }
    say(left);
}

// `left_s`: of the size under way. The sizes after it are taken to go on growing as the last
// two.
void Rounds::say(double left_s) {
    if (!on_progress_) return;
    reported_ = Clock::now();
    const double growth = before_last_s_ > 0 ? std::clamp(last_s_ / before_last_s_, 1.0, 2.0) : 1.0;
    double next = last_s_ > 0 ? last_s_ : left_s;
    at_.seconds_left = left_s;
    const std::size_t later = left_s > 0 ? sizes_left_ - 1 : sizes_left_;
    for (std::size_t i = 0; i < later; ++i)
        at_.seconds_left += next *= growth;
    at_.results = &made_;
    on_progress_(at_);
}

}  // namespace lab::device
