#include "measure/trials.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "measure/benchmark_cases.h"
#include "measure/device_run.h"
#include "measure/record.h"

namespace lab::measure {
namespace {

constexpr auto kTrialsTellEvery = std::chrono::milliseconds(200);

std::uint64_t total(const results::TrialResult& result) {
    return result.count + result.delayed;
}

void count(std::vector<results::TrialResult>& results, const catalogue::Outcome& outcome,
           bool delayed) {
    auto found =
        std::find_if(results.begin(), results.end(), [&](const results::TrialResult& result) {
            return result.result == outcome.result && result.right == outcome.verdict.right;
        });
    if (found == results.end())
        found = results.insert(found, {outcome.result, 0, outcome.verdict.right});
    ++(delayed ? found->delayed : found->count);
    // A step up past those that are now rarer.
    while (found != results.begin() && total(*(found - 1)) < total(*found)) {
        std::iter_swap(found, found - 1);
        --found;
    }
}

}  // namespace

results::Trials trials(const device::Device& device, const catalogue::Kernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    DeviceCase device_case(device, kernel, request.shape);
    const catalogue::Job& job = device_case.job();
    results::Trials result;
    result.variant = kernel.id;
    result.device = device.info.name;
    result.driver = device.info.driver;
    result.expect = name_of(job.expect);
    result.n = job.n;
    result.group = job.group;
    result.groups = job.launches.empty() ? 0 : job.launches.front().range.groups();
    result.expected = device_case.expected();
    if (kernel.by_form()) {
        result.launch = lab::text_of(job.launches.front().range);
    } else {
        result.op = name_of(job.op);
        result.type = info(job.type).name;
        result.input = text_of(request.shape.input);
        result.set = toggle_settings(kernel, device_case.shape());
    }
    result.predicted = predict(device_case);
    std::unique_ptr<device::Recorder> waits;
    if (request.delays) result.delays = request.delays;
    if (request.delays && !job.launches.empty())
        waits = device_case.recorder({false, true}, device::Optimise::yes);
    auto last_told = std::chrono::steady_clock::now();
    while (result.count < request.count) {
        const std::optional<catalogue::Outcome> outcome = device_case.run_plainly();
        if (!outcome) throw device_case.not_resident();
        count(result.results, *outcome, false);
        ++result.count;
        if (waits && waits->run(delay_seed(*request.delays, result.count))) {
            count(result.results, device_case.outcome(waits->buffers()), true);
            ++result.delayed;
        }
        if (!on_progress || std::chrono::steady_clock::now() - last_told < kTrialsTellEvery)
            continue;
        last_told = std::chrono::steady_clock::now();
        on_progress(result);
    }
    return result;
}

}  // namespace lab::measure
