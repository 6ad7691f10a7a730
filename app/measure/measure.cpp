#include "measure/measure.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <new>

#include "catalogue/launch_shape.h"
#include "catalogue/number.h"
#include "compute/needs.h"
#include "measure/entries.h"
#include "measure/host.h"
#include "measure/kept_shapes.h"
#include "measure/shape_search.h"
#include "measure/size.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSamples = 300;  // a row
constexpr std::size_t kFewestRounds = 20;  // before precision counts: a short calm is none
constexpr std::size_t kFewestSamples = 3;  // … unless they take ten times the limit
constexpr double kSearchSeconds = 3;       // for a launch shape, a variant and size
constexpr auto kTellEvery = std::chrono::milliseconds(300);

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The variants asked for, each once.
std::vector<const Variant*> chosen(const Catalogue& catalogue, const MeasureRequest& request) {
    std::vector<const Variant*> variants;
    for (const std::string& id : request.variants) {
        const Variant* variant = &catalogue.find(id);
        if (std::find(variants.begin(), variants.end(), variant) == variants.end())
            variants.push_back(variant);
    }
    check_toggles(catalogue, request.variants, request.shape);
    return variants;
}

void add(Row& row, const Sample& sample, bool counted) {
    if (counted) {
        if (sample.device_ms) row.device_ms.push_back(*sample.device_ms);
        row.wall_ms.push_back(sample.wall_ms);
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

class Measurer {
  public:
    Measurer(const compute::Device& device, const Catalogue& catalogue,
             const MeasureRequest& request,
             const std::function<void(const MeasureProgress&)>& progress)
        : device_(device),
          request_(request),
          tell_(progress),
          programs_(device),
          kept_(kept_shapes_file()) {
        made_.program = LAB_VERSION;
        made_.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        made_.device = device.info;
        made_.host = this_host();
        made_.op = name_of(request.shape.op);
        made_.type = info(request.shape.type).name;
        made_.input = text_of(request.shape.input);
        made_.repeat = request.repeat;
        made_.precision = request.precision;
        made_.limit_s = request.limit_s;
        groups_ = request.groups;
        if (groups_.empty()) groups_.push_back(0);
        if (kept_.problem()) made_.problems.push_back(*kept_.problem());
        for (const Variant* variant : chosen(catalogue, request))
            build(*variant);
        if (!request.references) return;
        try {
            ceiling_ = build_ceiling(device);
        } catch (const Problem& problem) {
            made_.problems.push_back(problem);
        }
    }

    Measurements run() {
        std::vector<std::optional<std::uint64_t>> sizes(request_.sizes.begin(),
                                                        request_.sizes.end());
        if (has_its_own_n()) sizes = {std::nullopt};
        at_.total = sizes.size() * (variants_.size() * groups_.size() +
                                    (request_.references ? 1 + host_loops().size() : 0));
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
            made_.skipped.push_back(fmt::format("{} (from n = {} on)", words, size_text(least_n)));
        made_.rows = std::move(rows_);
        made_.complete = true;
        return std::move(made_);
    }

  private:
    // Values that are typed in or come from a file are as many as they are.
    bool has_its_own_n() const {
        const Input::Kind kind = request_.shape.input.kind;
        return kind == Input::Kind::values || kind == Input::Kind::file;
    }

    // A variant that this device cannot build is left out, and said so.
    void build(const Variant& variant) {
        const Shape shape = shape_for(variant, request_.shape);
        if (const auto problem = compute::lacking(device_.info, variant, shape)) {
            if (request_.all)
                made_.skipped.push_back(
                    fmt::format("{}: {}", problem->what_happened, problem->why));
            else
                made_.problems.push_back(*problem);
            return;
        }
        if (const auto problem = illegal_everywhere(variant)) {
            leave_out(*problem, request_.sizes.front());
            return;
        }
        try {
            (void)programs_.of(variant, filled(shape, table_shape(variant), 0));
            variants_.push_back(&variant);
        } catch (const Problem& problem) {
            made_.problems.push_back(problem);
        }
    }

    LaunchShape table_shape(const Variant& variant) const {
        return launch_shape(variant, compute::kinds_of(device_.info));
    }

    // The shape in which a variant runs at the ground's n, as far as nobody asked for one.
    Launching launching(const Ground& ground, const Variant& variant) {
        Launching made{table_shape(variant), "table", request_.batch};
        if (variant.shapes.empty()) {
            made.by.clear();
            return made;
        }
        const std::uint64_t n = count_of(ground.input);
        if (request_.shapes == LaunchShapes::table || n == 0) return made;
        if (request_.shapes == LaunchShapes::search && request_.groups.empty()) {
            KeptShape found = search_shape(ground, variant, programs_, made.shape, kSearchSeconds);
            made.shape = found.shape;
            made.by = "search";
            try {
                kept_.keep(std::move(found));
            } catch (const Problem& problem) {
                made_.problems.push_back(problem);  // it is used all the same
            }
            return made;
        }
        const KeptShape* kept = kept_.find(shape_key(device_.info, variant, ground.shape, n));
        if (kept == nullptr) return made;
        return {layered(made.shape, kept->shape), "kept", request_.batch};
    }

    // Why the variant's header rules that n and group out; nothing if it does not.
    std::optional<Problem> illegal(const Variant& variant, std::uint64_t n,
                                   std::uint64_t group) const {
        Shape shape = shape_for(variant, request_.shape);
        shape.group = group;
        try {
            (void)make_plan(variant, shape, n, compute::target_of(device_.info));
        } catch (const Problem& problem) {
            if (problem.exit == Exit::usage) return problem;
        }
        return {};
    }

    // Why no size and group that is asked for will do; nothing if one will, or none is known yet.
    std::optional<Problem> illegal_everywhere(const Variant& variant) const {
        std::optional<Problem> first;
        if (has_its_own_n()) return {};
        for (const std::uint64_t n : request_.sizes)
            for (const std::uint64_t group : groups_) {
                const auto problem = illegal(variant, n, group);
                if (!problem) return {};
                if (!first) first = problem;
            }
        return first;
    }

    void size(std::optional<std::uint64_t> n) {
        const Shape& shape = request_.shape;
        const Values input = input_that_fits(device_.info, shape, n);
        const Reference right = reference(input, shape.op);
        const Values neutral = identity(shape.op, shape.type);
        const std::uint64_t pool =
            pool_bytes(cache_bytes(device_.info), compute::bytes_in(input).size(), request_.warm);
        compute::Inputs inputs(device_, compute::elements_of(input, neutral), pool);
        const std::uint64_t host_pool =
            pool_bytes(host_cache_, compute::bytes_in(input).size(), request_.warm);
        HostInputs host_inputs(input, request_.references ? host_pool : 0, host_cache_);
        const Ground ground{device_, shape, input, right, inputs, host_inputs};
        std::vector<Entry> entries = entries_of(ground);
        for (Entry& entry : entries)
            turn(entry, false);
        drop_failed(entries);
        // All rows go on together, so that they cover the same rounds, until all are precise. Only
        // one that has used up its time leaves before.
        while (!all_done(entries)) {
            for (Entry& entry : entries)
                if (!entry.done) turn(entry, true);
            drop_failed(entries);
            tell_now_and_then(entries);
        }
        made_.rows.clear();
        for (Entry& entry : entries) {
            rows_.push_back(entry.row);
            made_.rows.push_back(std::move(entry.row));
        }
    }

    std::vector<Entry> entries_of(const Ground& ground) {
        std::vector<Entry> entries;
        if (request_.references) add_ceiling(ground, entries);
        for (const Variant* variant : variants_)
            for (const std::uint64_t group : groups_)
                add_variant(ground, *variant, group, entries);
        made_.build_options = programs_.options();
        if (request_.references)
            for (const HostLoop& loop : host_loops())
                entries.push_back(host_entry(ground, loop));
        return entries;
    }

    void add_variant(const Ground& ground, const Variant& variant, std::uint64_t group,
                     std::vector<Entry>& entries) {
        const std::uint64_t n = count_of(ground.input);
        if (known_stuck(variant, group, n)) return;
        if (const auto problem = illegal(variant, n, group)) {
            leave_out(*problem, n);
            return;
        }
        try {
            entries.push_back(
                variant_entry(ground, variant, programs_, group, launching(ground, variant)));
        } catch (const Problem& problem) {
            made_.problems.push_back(problem);
        }
    }

    void add_ceiling(const Ground& ground, std::vector<Entry>& entries) {
        try {
            if (auto ceiling = ceiling_entry(ground, ceiling_))
                entries.push_back(std::move(*ceiling));
        } catch (const Problem& problem) {
            made_.problems.push_back(problem);
        }
    }

    // Of `all`: one line for all the sizes that a variant does not take.
    void leave_out(const Problem& problem, std::uint64_t n) {
        if (!request_.all || problem.exit != Exit::usage) {
            made_.problems.push_back(problem);
            return;
        }
        const std::string id = problem.what_happened.substr(0, problem.what_happened.find(' '));
        left_out_.try_emplace(fmt::format("{}: {}", id, problem.why), n);
    }

    // One run. A problem ends the entry.
    void turn(Entry& entry, bool counted) {
        const auto start = Clock::now();
        try {
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

    void fail(Entry& entry, const Problem& problem) {
        entry.done = true;
        entry.run = nullptr;  // marks it; drop_failed takes it out
        if (entry.waits && problem.exit == Exit::kernel_fault) {
            stuck_.emplace_back(entry.row.variant, entry.row.group, entry.row.n);
            if (request_.all) {
                made_.skipped.push_back(fmt::format("{}. {}", problem.what_happened, problem.why));
                return;
            }
        }
        made_.problems.push_back(problem);
    }

    static void drop_failed(std::vector<Entry>& entries) {
        std::erase_if(entries, [](const Entry& of) { return of.run == nullptr; });
    }

    // What waited in vain at some n need not wait again at a larger one.
    bool known_stuck(const Variant& variant, std::uint64_t group, std::uint64_t n) const {
        return std::any_of(stuck_.begin(), stuck_.end(), [&](const Stuck& of) {
            return of.variant == variant.id && (group == 0 || of.group == group) && of.n <= n;
        });
    }

    // Whether it has had what it is due, whatever came of it.
    bool is_done(const Entry& entry) const {
        const std::size_t samples = entry.row.wall_ms.size();
        if (request_.repeat > 0) return samples >= static_cast<std::size_t>(request_.repeat);
        if (samples >= kMostSamples) return true;
        if (entry.row.kind == "ceiling") return false;  // as long as anything else goes on
        if (samples < kFewestSamples) return entry.spent_s >= 10 * request_.limit_s;
        return entry.spent_s >= request_.limit_s;
    }

    bool all_done(const std::vector<Entry>& entries) const {
        const auto has_its_due = [](const Entry& of) {
            return of.done || of.row.kind == "ceiling";
        };
        if (std::all_of(entries.begin(), entries.end(), has_its_due)) return true;
        if (request_.repeat > 0) return false;
        return std::all_of(entries.begin(), entries.end(), [this](const Entry& of) {
            if (of.done) return true;
            const auto precision = of.row.summary().precision;
            return of.row.wall_ms.size() >= kFewestRounds && precision &&
                   *precision <= request_.precision;
        });
    }

    void tell_now_and_then(const std::vector<Entry>& entries) {
        if (!tell_ || Clock::now() - told_ < kTellEvery) return;
        double left = 0;
        made_.rows.clear();
        for (const Entry& entry : entries) {
            made_.rows.push_back(entry.row);
            if (!entry.done && entry.row.kind != "ceiling")
                left += std::max(0.0, request_.repeat > 0
                                          ? entry.spent_s /
                                                    static_cast<double>(entry.row.wall_ms.size()) *
                                                    request_.repeat -
                                                entry.spent_s
                                          : request_.limit_s - entry.spent_s);
        }
        say(left);
    }

    // `left_s`: of the size under way. The sizes after it are taken to go on growing as the last
    // two.
    void say(double left_s) {
        if (!tell_) return;
        told_ = Clock::now();
        const double growth =
            before_last_s_ > 0 ? std::clamp(last_s_ / before_last_s_, 1.0, 2.0) : 1.0;
        double next = last_s_ > 0 ? last_s_ : left_s;
        at_.seconds_left = left_s;
        const std::size_t later = left_s > 0 ? sizes_left_ - 1 : sizes_left_;
        for (std::size_t i = 0; i < later; ++i)
            at_.seconds_left += next *= growth;
        at_.results = &made_;
        tell_(at_);
    }

    struct Stuck {
        std::string variant;
        std::uint64_t group, n;
        Stuck(std::string id, std::uint64_t g, std::uint64_t count)
            : variant(std::move(id)), group(g), n(count) {}
    };

    const compute::Device& device_;
    const MeasureRequest& request_;
    const std::function<void(const MeasureProgress&)>& tell_;
    Measurements made_;      // its rows: those of the size under way
    std::vector<Row> rows_;  // of the sizes that are done
    Programs programs_;
    KeptShapes kept_;
    std::vector<const Variant*> variants_;  // that build here
    std::vector<CeilingForm> ceiling_;
    const std::uint64_t host_cache_ = host_cache_bytes();
    std::vector<std::uint64_t> groups_;
    std::vector<Stuck> stuck_;
    std::map<std::string, std::uint64_t> left_out_;  // what and why -> the first n
    MeasureProgress at_;
    std::size_t sizes_left_ = 0;
    double last_s_ = 0, before_last_s_ = 0;  // that a size took
    Clock::time_point told_ = Clock::now();
};

}  // namespace

Measurements measure(const compute::Device& device, const Catalogue& catalogue,
                     const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress) {
    if (request.repeat < 0)
        throw Problem("The number of runs must be 1 or more", "", "Write --repeat 10", "--repeat");
    if (request.shape.type == Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    return Measurer(device, catalogue, request, progress).run();
}

}  // namespace lab
