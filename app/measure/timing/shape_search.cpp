#include "measure/timing/shape_search.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <string_view>

#include "catalogue/launch_shape.h"
#include "device/needs.h"
#include "measure/checks/device_outcome.h"

namespace lab::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRuns = 25;   // of each of two shapes that are compared
constexpr std::size_t kFewestRuns = 9;  // …
constexpr double kLongMs = 40;          // of such runs, after which the fewest will do

struct Meaning {
    std::uint64_t global = 0, local = 0;
    std::map<std::string, std::string> set;  // toggles that the code, and not only the header, has
    auto operator<=>(const Meaning&) const = default;
};

// One shape, ready to run.
class Candidate {
  public:
    Candidate(const BenchmarkContext& context, const catalogue::Variant& variant,
              Programs& programs, const catalogue::LaunchShape& launch)
        : variant_(variant) {
        const catalogue::Shape asked = shape_for(variant, context.shape);
        shape_ = filled(asked, launch, 0);
        if (const auto problem = device::lacking(context.device.info, variant, shape_))
            throw Problem(*problem);
        const device::Program& program = programs.of(variant, shape_);
        shape_ = filled(asked, launch, program.most_group);
        reduction_.emplace(context.device, program,
                           make_plan(variant, shape_, catalogue::count_of(context.input),
                                     device::target_of(context.device.info, program.group)),
                           context.inputs);
        run();  // warms up
        if (!outcome_of(*reduction_, shape_, context.right).verdict.right)
            throw Problem(fmt::format("{} is wrong with {}", variant.id, text_of(launch)), "", "");
    }

    double run() {
        reduction_->prepare();
        return reduction_->run().device_ms;
    }
    // What it comes to: two shapes may mean the same launch of the same code.
    Meaning meaning() const {
        const catalogue::Launch& first = reduction_->plan().launches.at(0);
        const std::string_view code =
            std::string_view(variant_.text).substr(variant_.text.find("*/"));
        Meaning result{first.global, first.local, {}};
        for (const auto& [name, value] : shape_.set)
            if (code.find(name) != std::string_view::npos) result.set[name] = value;
        return result;
    }

  private:
    const catalogue::Variant& variant_;
    catalogue::Shape shape_;
    std::optional<device::Reduction> reduction_;
};

struct Compared {
    double first_ms = 0, second_ms = 0;
    bool second_better = false;
};

// In turns, so that what drifts drifts under both.
Compared compare(Candidate& first, Candidate& second) {
    std::vector<double> a, b;
    std::size_t won = 0;
    double spent = 0;
    while (a.size() < kMostRuns && (a.size() < kFewestRuns || spent < kLongMs)) {
        a.push_back(first.run());
        b.push_back(second.run());
        won += b.back() < a.back() ? 1 : 0;
        spent += a.back() + b.back();
    }
    // By the pairs that it won: two standard deviations more than chance would give it. Medians of
    // so few stray, on a busy machine far.
    const auto pairs = static_cast<double>(a.size());
    return {results::median(a), results::median(b),
            static_cast<double>(won) >= pairs / 2 + std::sqrt(pairs)};
}

}  // namespace

KeptShape search_shape(const BenchmarkContext& context, const catalogue::Variant& variant,
                       Programs& programs, const catalogue::LaunchShape& start, double limit_s) {
    const auto begun = Clock::now();
    const auto in_time = [&] {
        return std::chrono::duration<double>(Clock::now() - begun).count() < limit_s;
    };
    KeptShape kept;
    kept.key =
        shape_key(context.device.info, variant, context.shape, catalogue::count_of(context.input));
    kept.shape = start;
    kept.found = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    Candidate table(context, variant, programs, start);
    std::vector<double> runs(kFewestRuns);
    std::generate(runs.begin(), runs.end(), [&] { return table.run(); });
    kept.ms = kept.table_ms = results::median(runs);
    std::optional<Candidate> best;
    best.emplace(context, variant, programs, start);
    std::set<Meaning> seen{best->meaning()};
    bool better = true;
    while (better && in_time()) {
        better = false;
        for (const std::string& name : variant.tune) {
            if (context.shape.set.contains(name)) continue;  // it was asked for
            for (const catalogue::LaunchShape& next :
                 neighbours(variant, kept.shape, name, context.device.info.max_group)) {
                if (!in_time()) break;
                try {
                    Candidate candidate(context, variant, programs, next);
                    if (!seen.insert(candidate.meaning()).second) continue;
                    ++kept.tried;
                    const Compared compared = compare(*best, candidate);
                    if (!compared.second_better) continue;
                    kept.shape = next;
                    best.emplace(context, variant, programs, next);
                    better = true;
                } catch (const Problem& problem) {
                    if (problem.exit == Exit::no_device) throw;
                }
            }
        }
    }
    // Several times the better of two at random may come to nothing.
    const Compared last = compare(table, *best);
    kept.table_ms = last.first_ms;
    kept.ms = last.second_ms;
    if (last.second_better) return kept;
    kept.shape = start;
    kept.ms = kept.table_ms;
    return kept;
}

}  // namespace lab::measure
