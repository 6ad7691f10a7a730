#include "measure/checks/record.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "catalogue/outcome.h"
#include "device/needs.h"
#include "device/recorder.h"
#include "device/resident.h"
#include "measure/checks/device_outcome.h"
#include "measure/timing/size.h"
#include "simulation/recorded/recorded_run.h"

namespace lab::measure {
namespace {

constexpr std::uint64_t kMostRecordedElements = 65'536;  // of a plan that is to be replayed
constexpr std::uint64_t kRateRuns = 1000;  // that rates are taken from, with recording and without
constexpr auto kRateTime = std::chrono::seconds(3);  // for those, but the search may need more
constexpr auto kRecordTellEvery = std::chrono::milliseconds(200);
constexpr std::uint64_t kMostGivenUp = 2;  // runs in which a spin did

// Numbers alone, as a result is written.
bool could_be_result(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    bool any = false;
    while (words >> word) {
        char* end = nullptr;
        (void)std::strtod(word.c_str(), &end);
        if (*end != '\0' && !(*end == ',' && end[1] == '\0')) return false;
        any = true;
    }
    return any;
}

// What ends the search.
class Until {
  public:
    explicit Until(const std::string& text) : text_(text) {
        constexpr std::string_view kRun = "run:";
        if (!text.starts_with(kRun)) {
            if (text == "wrong" || text == "right" || could_be_result(text)) return;
            throw Problem(fmt::format("No run can end in '{}'", text), "A result is a number",
                          "Write wrong, right, a result such as 33, or run:100", "--until");
        }
        const auto end =
            std::from_chars(text.data() + kRun.size(), text.data() + text.size(), run_);
        if (end.ec != std::errc() || end.ptr != text.data() + text.size() || run_ == 0)
            throw Problem(fmt::format("'{}' is no number of a run", text), "They count from 1",
                          "Write run:100; or wrong, right, or a result", "--until");
    }

    bool is_met(std::uint64_t run, const catalogue::Outcome& outcome) const {
        if (run_ > 0) return run == run_;
        if (text_ == "wrong") return !outcome.verdict.right;
        if (text_ == "right") return outcome.verdict.right;
        return outcome.result == text_;
    }
    std::uint64_t run() const { return run_; }

  private:
    std::string text_;
    std::uint64_t run_ = 0;
};

class Session {
  public:
    Session(const device::Device& device, const catalogue::Catalogue& catalogue,
            const results::RecordRequest& request,
            const std::function<void(const results::Recorded&)>& on_progress)
        : device_(device),
          variant_(catalogue.find(request.variant)),
          request_(request),
          until_(request.until),
          on_progress_(on_progress) {}

    results::Recorded make() {
        prepare();
        record(device::Optimise::yes);
        if (found_) replay();
        if (!made_.difference.empty()) try_plainly();
        plain();
        return std::move(made_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void prepare() {
        const catalogue::Shape& asked = request_.shape;
        if (const auto problem = device::lacking(device_.info, variant_, asked))
            throw Problem(*problem);
        program_ = device::build(device_, variant_, kernel_text(variant_, asked));
        target_ = device::target_of(device_.info, program_.group);
        check_fits(device_.info, asked.type, asked.n, "--n");
        if (asked.n.value_or(0) <= kMostRecordedElements)
            input_ = make_values(asked.input, asked.type, asked.n, asked.op);
        const std::uint64_t n = std::max(asked.n.value_or(0), catalogue::count_of(input_));
        if (n > kMostRecordedElements)
            throw Problem(fmt::format("{} elements are too many to be recorded", n),
                          fmt::format("Every access is kept, and {} elements are the most",
                                      kMostRecordedElements),
                          "Choose a smaller n: what races with thousands races with dozens", "--n");
        shape_ = small_shape(variant_, asked, n, target_);
        plan_ = make_plan(variant_, shape_, n, target_);
        if (plan_.launches.empty())
            throw Problem("There is nothing to record", "Nothing is launched for no elements",
                          "Choose at least one element", "--n");
        right_ = right_for(plan_, shape_, input_);
        made_.variant = variant_.id;
        made_.device = device_.info.name;
        made_.driver = device_.info.driver;
        made_.op = name_of(shape_.op);
        made_.type = info(shape_.type).name;
        made_.input = text_of(shape_.input);
        made_.until = request_.until;
        made_.set = toggle_settings(variant_, shape_);
        made_.expect = name_of(plan_.expect);
        made_.n = n;
        made_.group = plan_.group;
        made_.groups = plan_.launches[0].global / plan_.launches[0].local;
        made_.count = until_.run() > 0 ? until_.run() : request_.count;
        made_.expected = catalogue::text_of(right_.value, 0);
        made_.delays = request_.delays;
        made_.units = target_.units;
        made_.max_group = target_.max_group;
        made_.kernel_group = target_.kernel_group;
        made_.cpu = target_.cpu;
    }

    catalogue::Outcome outcome(const device::Reduction& reduction) const {
        const std::size_t result = *plan_.result;
        return outcome_of(
            values_from(shape_.type, reduction.read(result, plan_.buffers[result].count)), plan_,
            shape_, right_);
    }

    void tell() {
        if (!on_progress_ || Clock::now() - told_ < kRecordTellEvery) return;
        told_ = Clock::now();
        on_progress_(made_);
    }

    // A compiler may translate a text correctly, but not with recording in it: PoCL 3.1 does that.
    // So where the simulator differs, a run is looked for once more, without optimisation.
    void try_plainly() {
        const results::Recorded first = made_;
        found_.reset();
        made_.recorded = {};
        made_.run = made_.gave_up = made_.too_long = 0;
        record(device::Optimise::no);
        if (found_) replay();
        if (found_ && made_.difference.empty())
            made_.optimised = false;
        else
            made_ = first;
    }

    // Until one is found, and then as many as tell how often runs go wrong.
    void record(device::Optimise optimise) {
        device::Recorder recorder(device_, variant_, shape_, plan_, input_,
                                  {true, request_.delays.has_value()}, optimise);
        const auto start = Clock::now();
        for (std::uint64_t run = 1; run <= made_.count; ++run) {
            const bool enough =
                made_.recorded.runs >= kRateRuns || Clock::now() - start > kRateTime;
            if (found_ && enough) return;
            if (!recorder.run(delay_seed(request_.delays.value_or(0), run))) {
                if (++made_.gave_up >= kMostGivenUp && made_.recorded.runs == 0)
                    throw device::not_resident(
                        variant_, plan_,
                        device::most_groups(device_, program_, variant_, shape_, made_.n));
                continue;
            }
            const catalogue::Outcome result = outcome(recorder.reduction());
            ++made_.recorded.runs;
            if (!result.verdict.right) ++made_.recorded.wrong;
            if (!found_ && until_.is_met(run, result)) keep(recorder, run, result);
            tell();
        }
    }

    void keep(const device::Recorder& recorder, std::uint64_t run,
              const catalogue::Outcome& outcome) {
        simulation::RecordedRun kept;
        kept.launches = recorder.read();
        if (kept.launches.empty()) {
            ++made_.too_long;
            return;
        }
        kept.sites = recorder.text().sites;
        kept.objects = recorder.text().objects;
        kept.before = recorder.before();
        kept.after = recorder.buffers();
        kept.result = outcome.result;
        found_ = std::move(kept);
        made_.run = run;
        made_.result = outcome.result;
        made_.right = outcome.verdict.right;
        made_.order = simulation::recorded_name(device_.info.name, run);
    }

    void replay() {
        const simulation::Replay replay = simulation::replay(
            simulation::prepare(variant_, shape_, simulation::replay_options(target_)), *found_);
        made_.accesses = replay.accesses;
        made_.barriers = replay.barriers;
        made_.exchanged = replay.exchanged;
        made_.slack = replay.slack;
        made_.turns = machine::text_of(replay.turns);
        made_.difference = replay.difference;
        made_.tried_all = replay.tried_all;
    }

    // As many runs of the kernel as it is.
    void plain() {
        const catalogue::Values neutral = identity(shape_.op, shape_.type);
        device::Inputs inputs(device_, device::elements_of(input_, neutral));
        device::Reduction reduction(device_, program_, plan_, inputs);
        const auto start = Clock::now();
        while (made_.plain.runs < made_.recorded.runs &&
               (made_.plain.runs < kRateRuns || Clock::now() - start < kRateTime)) {
            if (!device::try_run(reduction)) return;
            ++made_.plain.runs;
            if (!outcome(reduction).verdict.right) ++made_.plain.wrong;
            tell();
        }
    }

    const device::Device& device_;
    const catalogue::Variant& variant_;
    const results::RecordRequest& request_;
    const Until until_;
    const std::function<void(const results::Recorded&)>& on_progress_;
    device::Program program_;
    catalogue::Target target_;
    catalogue::Shape shape_;
    catalogue::Plan plan_;
    catalogue::Values input_;
    catalogue::Reference right_;
    std::optional<simulation::RecordedRun> found_;
    Clock::time_point told_ = Clock::now();
    results::Recorded made_;
};

}  // namespace

std::uint32_t delay_seed(std::uint32_t seed, std::uint64_t run) {
    return seed * 2654435761U + static_cast<std::uint32_t>(run);
}

results::Recorded record(const device::Device& device, const catalogue::Catalogue& catalogue,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    return Session(device, catalogue, request, on_progress).make();
}

}  // namespace lab::measure
