#include "measure/record.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "base/text.h"
#include "measure/device_run.h"

namespace lab::measure {
namespace {

constexpr std::uint64_t kRateRuns = 1000;  // that rates are taken from, with recording and without
constexpr auto kRateTime = std::chrono::seconds(3);  // for those, but the search may need more
constexpr auto kRecordTellEvery = std::chrono::milliseconds(200);
constexpr std::uint64_t kMostGivenUp = 2;                // runs in which a spin did
constexpr std::uint64_t kMostRecordedElements = 65'536;  // of a plan that is to be replayed

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
    Until(const std::string& text, bool of_kernel) : text_(text) {
        constexpr std::string_view kRun = "run:";
        if (!text.starts_with(kRun)) {
            if (text == "wrong" || text == "right" || could_be_result(text)) return;
            if (of_kernel && text.find(": ") != std::string::npos) return;  // "out: 4 5 6"
            const std::string what = fmt::format("No run can end in '{}'", text);
            if (of_kernel)
                throw Problem(what, "A result is what the buffers hold, as trials prints it",
                              "Write wrong, right, a result such as \"out: 4 5 6\", or run:100",
                              "--until");
            throw Problem(what, "A result is a number",
                          "Write wrong, right, a result such as 33, or run:100", "--until");
        }
        run_ = parse_number<decltype(run_)>(std::string_view(text).substr(kRun.size())).value_or(0);
        if (run_ == 0)
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
    Session(DeviceCase& device_case, const results::RecordRequest& request,
            const std::function<void(const results::Recorded&)>& on_progress)
        : device_(device_case.device()),
          case_(device_case),
          request_(request),
          until_(request.until, device_case.kernel().by_form()),
          on_progress_(on_progress) {}

    results::Recorded make() {
        describe();
        made_.until = request_.until;
        made_.count = until_.run() > 0 ? until_.run() : request_.count;
        made_.delays = request_.delays;
        const device::Optimise first = device::first_choice(device_);
        record(first);
        if (found_) replay();
        if (!made_.difference.empty() && first == device::Optimise::yes) try_plainly();
        plain();
        return std::move(made_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void describe() {
        const catalogue::Job& job = case_.job();
        const NDRange& range = job.launches.front().range;
        made_.device = device_.info.name;
        made_.driver = device_.info.driver;
        made_.variant = case_.kernel().id;
        made_.expect = name_of(job.expect);
        made_.n = job.n;
        made_.group = range.group_items();
        made_.groups = range.groups();
        made_.expected = case_.expected();
        made_.units = case_.target().units;
        made_.max_group = case_.target().max_group;
        made_.kernel_group = case_.target().kernel_group;
        made_.cpu = case_.target().cpu;
        if (case_.kernel().by_form()) {
            made_.launch = lab::text_of(range);
            return;
        }
        made_.group = job.group;
        made_.op = name_of(job.op);
        made_.type = info(job.type).name;
        made_.input = text_of(case_.shape().input);
        made_.set = toggle_settings(case_.kernel(), case_.shape());
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
        const auto owned = case_.recorder({true, request_.delays.has_value()}, optimise);
        device::Recorder& recorder = *owned;
        const auto start = Clock::now();
        for (std::uint64_t run = 1; run <= made_.count; ++run) {
            const bool enough =
                made_.recorded.runs >= kRateRuns || Clock::now() - start > kRateTime;
            if (found_ && enough) return;
            if (!recorder.run(delay_seed(request_.delays.value_or(0), run))) {
                if (++made_.gave_up >= kMostGivenUp && made_.recorded.runs == 0)
                    throw case_.not_resident();
                continue;
            }
            const catalogue::Outcome result = case_.outcome(recorder.buffers());
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
        const simulation::Replay replay = simulation::replay(case_.simulator_job(), *found_);
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
        const auto start = Clock::now();
        while (made_.plain.runs < made_.recorded.runs &&
               (made_.plain.runs < kRateRuns || Clock::now() - start < kRateTime)) {
            const std::optional<catalogue::Outcome> outcome = case_.run_plainly();
            if (!outcome) return;
            ++made_.plain.runs;
            if (!outcome->verdict.right) ++made_.plain.wrong;
            tell();
        }
    }

    const device::Device& device_;
    DeviceCase& case_;
    const results::RecordRequest& request_;
    const Until until_;
    const std::function<void(const results::Recorded&)>& on_progress_;
    std::optional<simulation::RecordedRun> found_;
    Clock::time_point told_ = Clock::now();
    results::Recorded made_;
};

}  // namespace

std::uint32_t delay_seed(std::uint32_t seed, std::uint64_t run) {
    return seed * 2654435761U + static_cast<std::uint32_t>(run);
}

results::Recorded record(const device::Device& device, const catalogue::Kernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    DeviceCase device_case(device, kernel, request.shape, {kMostRecordedElements, {}});
    if (device_case.job().launches.empty())
        throw Problem("There is nothing to record", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    return Session(device_case, request, on_progress).make();
}

}  // namespace lab::measure
