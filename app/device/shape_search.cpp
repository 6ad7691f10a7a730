#include "device/shape_search.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "device/device.h"

namespace lab::device {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRuns = 25;   // of each of two shapes; then one that clearly won is kept
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
    Candidate(const BenchmarkContext& context, const catalogue::Kernel& variant, Programs& programs,
              const catalogue::LaunchShape& launch)
        : variant_(variant) {
        BuiltLaunch built =
            built_launch(context.device, programs, variant, shape_for(variant, context.shape),
                         launch, catalogue::count_of(context.input));
        shape_ = std::move(built.shape);
        job_run_.emplace(context.device, built.program, std::move(built.job), &context.inputs);
        run();  // warms up
        if (!outcome_of(job_run_->result_cells(), job_run_->job(), context.right).verdict.right)
            throw Problem(fmt::format("{} is wrong with {}", variant.id, text_of(launch)), "", "");
    }

    double run() {
        job_run_->prepare();
        return job_run_->run().device_ms;
    }
    // What it comes to: two shapes may mean the same launch of the same code.
    Meaning meaning() const {
        const catalogue::Launch& first = job_run_->job().launches.at(0);
        const std::string_view code =
            std::string_view(variant_.text).substr(variant_.text.find("*/"));
        Meaning result{first.range.items(), first.range.group_items(), {}};
        for (const auto& [name, value] : shape_.set)
            if (code.find(name) != std::string_view::npos) result.set[name] = value;
        return result;
    }

  private:
    const catalogue::Kernel& variant_;
    catalogue::Shape shape_;
    std::optional<JobRun> job_run_;
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

KeptShape search_shape(const BenchmarkContext& context, const catalogue::Kernel& variant,
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
        for (const std::string& name : variant.plan.tune) {
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

namespace {

constexpr int kKeptSchema = 1;

// FNV-1a, 64 bits: the same on every machine, which std::hash need not be.
std::string number_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return fmt::format("{:016x}", hash);
}

LAB_JSON_SOME_FIELDS(ShapeKey, device, driver, variant, text, op, type, size)
LAB_JSON_SOME_FIELDS(KeptShape, ms, table_ms, tried, found)

nlohmann::json json_of(const KeptShape& shape) {
    nlohmann::json json{{"group", shape.shape.group}, {"set", shape.shape.set}};
    put_fields(json, shape.key);
    put_fields(json, shape);
    return json;
}

KeptShape shape_of(const nlohmann::json& json) {
    KeptShape shape;
    get_fields(json, shape.key);
    get_fields(json, shape);
    json.at("group").get_to(shape.shape.group);
    json.at("set").get_to(shape.shape.set);
    return shape;
}

std::vector<KeptShape> read_shapes(const fs::path& file, std::optional<Problem>& problem) {
    std::vector<KeptShape> shapes;
    if (!fs::exists(file)) return shapes;
    try {
        const nlohmann::json json = nlohmann::json::parse(read_file(file));
        if (json.at("schema").get<int>() != kKeptSchema) {
            problem = Problem("The launch shapes that were kept are not used",
                              "Another version of this program wrote them",
                              "The table's are used; --shapes search finds them anew, in the "
                              "place of those",
                              file.string());
            return shapes;
        }
        for (const nlohmann::json& each : json.at("shapes"))
            shapes.push_back(shape_of(each));
    } catch (const nlohmann::json::exception&) {
        problem = Problem("The launch shapes that were kept cannot be read", "The file is damaged",
                          "The table's are used; --shapes search finds them anew", file.string());
        return {};
    } catch (const Problem& unread) {
        problem = unread;
        return {};
    }
    return shapes;
}

void put(std::vector<KeptShape>& shapes, const KeptShape& shape) {
    put_by(shapes, shape, [](const KeptShape& each) { return each.key; });
}

}  // namespace

ShapeKey shape_key(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                   const catalogue::Shape& shape, std::uint64_t n) {
    return {device.name,
            device.driver,
            variant.id,
            number_of(variant.text),
            name_of(shape.op),
            info(shape.type).name,
            static_cast<unsigned>(n <= 1 ? 0 : std::bit_width(n - 1))};
}

fs::path kept_shapes_file() {
    return cache_folder() / "launch-shapes.json";
}

KeptShapes::KeptShapes(fs::path file)
    : file_(std::move(file)), shapes_(read_shapes(file_, problem_)) {}

const KeptShape* KeptShapes::find(const ShapeKey& key) const {
    return find_if(shapes_, [&](const KeptShape& shape) { return shape.key == key; });
}

void KeptShapes::keep(const KeptShape& shape) {
    std::optional<Problem> ignored;
    std::vector<KeptShape> others = read_shapes(file_, ignored);
    put(others, shape);
    put(shapes_, shape);
    nlohmann::json all = nlohmann::json::array();
    for (const KeptShape& each : others)
        all.push_back(json_of(each));
    write_file(file_, nlohmann::json{{"schema", kKeptSchema}, {"shapes", all}}.dump(1) + "\n");
}

}  // namespace lab::device
