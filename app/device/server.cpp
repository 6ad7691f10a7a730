#include "device/server.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "catalogue/plan.h"
#include "device/all_devices.h"
#include "device/device.h"
#include "device/device_run.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::device {

results::Devices devices() {
    return find_devices();
}

analysis::StepTable step(const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                         const std::optional<analysis::MachineUsed>& machine) {
    const Device device = open_device(shape.device);
    DeviceCase::Options options;
    if (machine) {  // the plan is the shown run's, as far as the device takes it
        options.target = analysis::target_of({*machine});
        options.target->max_group =
            std::min<std::uint64_t>(options.target->max_group, device.info.max_group);
    }
    DeviceCase device_case(device, kernel, shape, options);
    return table_of(device_case, device_run(device_case));
}

results::Measurements measure(const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress) {
    if (!results::names_several(request.shape.device))
        return measure(open_device(request.shape.device), kernels, request, progress);
    if (kernels.front()->by_form())
        throw Problem("A kernel of one's own cannot be split over several devices",
                      "Its form describes one launch", "Choose one device", "--device");
    return measure_together(kernels, request, progress);
}

results::CheckReport check(const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request, const CheckProgress& on_progress) {
    return lab::device::check(open_device(request.shape.device), catalogue, request, on_progress);
}

results::Trials trials(const catalogue::Kernel& kernel, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    return lab::device::trials(open_device(request.shape.device), kernel, request, on_progress);
}

results::Recorded record(const catalogue::Kernel& kernel, const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    return lab::device::record(open_device(request.shape.device), kernel, request, on_progress);
}

using analysis::kernel_for;
using analysis::kernels_for;

static std::map<std::string, worker::Method> plain_methods() {
    using nlohmann::json;
    return {
        {"devices", [](const json&, const worker::Progress&) -> json { return devices(); }},
        {"step",
         [](const json& parameters, const worker::Progress&) -> json {
             const auto shape = parameters.at("shape").get<catalogue::Shape>();
             std::optional<analysis::MachineUsed> machine;
             if (parameters.contains("machine"))
                 machine = parameters.at("machine").get<analysis::MachineUsed>();
             return step(kernel_for(parameters), shape, machine);
         }},
        {"measure",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::MeasureRequest>();
             const auto on_progress = [&](const MeasureProgress& progress) {
                 report_progress({{"done", progress.done},
                                  {"total", progress.total},
                                  {"seconds_left", progress.seconds_left},
                                  {"results", *progress.results}});
             };
             if (parameters.contains("own")) {
                 const catalogue::Kernel kernel = kernel_for(parameters);
                 return measure({&kernel}, request, on_progress);
             }
             const catalogue::Catalogue catalogue = kernels_for(parameters);
             return measure(chosen(catalogue, request), request, on_progress);
         }},
        {"check",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             return check(kernels_for(parameters), parameters.get<results::CheckRequest>(),
                          [&](const results::CheckReport& report, std::size_t total) {
                              report_progress({{"done", report.lines.size()},
                                               {"total", total},
                                               {"device", report.device},
                                               {"driver", report.driver},
                                               {"line", report.lines.back()}});
                          });
         }},
        {"trials",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::TrialsRequest>();
             const auto on_progress = [&](const results::Trials& so_far) {
                 report_progress(so_far);
             };
             return trials(kernel_for(parameters), request, on_progress);
         }},
        {"record",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::RecordRequest>();
             const auto on_progress = [&](const results::Recorded& so_far) {
                 report_progress({{"done", so_far.recorded.runs},
                                  {"total", so_far.count},
                                  {"wrong", so_far.recorded.wrong}});
             };
             return record(kernel_for(parameters), request, on_progress);
         }},
    };
}

std::map<std::string, worker::Method> methods() {
    std::map<std::string, worker::Method> all = plain_methods();
    all.insert(analysis::requests().begin(), analysis::requests().end());
    for (auto& [name, method] : all)
        method = [act = method](const nlohmann::json& parameters,
                                const worker::Progress& report_progress) {
            try {
                return act(parameters, report_progress);
            } catch (const nlohmann::json::exception& error) {
                throw Problem("The request's parameters cannot be read", error.what(),
                              "Give them as the app does: worker/protocol.h has an example");
            }
        };
    return all;
}

}  // namespace lab::device
