#include "device/server.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "catalogue/plan.h"
#include "device/all_devices.h"
#include "device/check.h"
#include "device/device.h"
#include "device/device_run.h"
#include "results/request.h"

namespace lab::device {

namespace {

using analysis::kernel_for;
using analysis::kernels_for;

// The rows of a small run; of the given machine's plan, as far as the device takes it.
analysis::StepTable step(const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                         const std::optional<analysis::MachineUsed>& machine) {
    const Device device = open_device(shape.device);
    DeviceCase::Options options;
    if (machine) {
        options.target = analysis::target_of({*machine});
        options.target->max_group =
            std::min<std::uint64_t>(options.target->max_group, device.info.max_group);
    }
    DeviceCase device_case(device, kernel, shape, options);
    return table_of(device_case, device_run(device_case));
}

results::Measurements measured(const std::vector<const catalogue::Kernel*>& kernels,
                               const results::MeasureRequest& request,
                               const OnMeasureProgress& progress) {
    if (!results::names_several(request.shape.device))
        return measure(open_device(request.shape.device), kernels, request, progress);
    if (kernels.front()->by_form())
        throw Problem("A kernel of one's own cannot be split over several devices",
                      "Its form describes one launch", "Choose one device", "--device");
    return measure_together(kernels, request, progress);
}

std::map<std::string, worker::Method> plain_methods() {
    using nlohmann::json;
    return {
        {"devices", [](const json&, const worker::Progress&) -> json { return find_devices(); }},
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
                 return measured({&kernel}, request, on_progress);
             }
             const catalogue::Catalogue catalogue = kernels_for(parameters);
             return measured(chosen(catalogue, request), request, on_progress);
         }},
        {"check",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::CheckRequest>();
             const catalogue::Catalogue kernels = kernels_for(parameters);
             return check(open_device(request.shape.device), kernels, request,
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
             const catalogue::Kernel kernel = kernel_for(parameters);
             return trials(open_device(request.shape.device), kernel, request, on_progress);
         }},
        {"record",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::RecordRequest>();
             const auto on_progress = [&](const results::Recorded& so_far) {
                 report_progress({{"done", so_far.recorded.runs},
                                  {"total", so_far.count},
                                  {"wrong", so_far.recorded.wrong}});
             };
             const catalogue::Kernel kernel = kernel_for(parameters);
             return record(open_device(request.shape.device), kernel, request, on_progress);
         }},
    };
}

}  // namespace

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
