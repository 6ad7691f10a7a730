#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "catalogue/outcome.h"
#include "catalogue/plan.h"
#include "device/device.h"
#include "device/devices.h"
#include "device/needs.h"
#include "device/steps.h"
#include "measure/checks/device_passes.h"
#include "measure/devices/all_devices.h"
#include "measure/timing/kernel_launch.h"
#include "measure/timing/size.h"
#include "measure/timing/user_kernel.h"
#include "results/device_team.h"
#include "results/result.h"
#include "simulation/plan_job.h"
#include "simulation/requests.h"
#include "simulation/subject.h"

namespace lab::server {
namespace {

constexpr const char* kWithoutOptimisation =
    "Compiled without optimisation: with it the device's compiler gets the copies after each "
    "barrier wrong";

// What a plan `iterate` starts from.
catalogue::Values ones(catalogue::Type type, std::size_t count) {
    catalogue::Values values = make_values(type, count);
    std::visit([](auto& of) { std::fill(of.begin(), of.end(), 1); }, values);
    return values;
}

// Rows of a reduction, and what its last launch left.
struct Rows {
    std::vector<analysis::Row> rows;
    catalogue::Values last;
    bool optimised = true;
    std::string note;
    std::uint32_t lanes = 0;  // see DevicePasses
};

Rows launch_rows(const device::Device& device, const catalogue::Variant& variant,
                 const catalogue::Shape& shape, const catalogue::Plan& plan,
                 const catalogue::Values& input) {
    const std::vector<catalogue::Values> steps =
        device::run_steps(device, variant, shape, plan, input);
    Rows rows;
    analysis::Row start;
    start.cells = simulation::cells_of(
        plan.rounds > 0 ? ones(shape.type, catalogue::count_of(input)) : input);
    rows.rows.push_back(std::move(start));
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const catalogue::Launch& launch = plan.launches[k];
        rows.rows.push_back({static_cast<int>(k) + 1, launch.variables, launch.global, launch.local,
                             simulation::cells_of(steps[k]), false, false});
    }
    rows.last = steps.empty() ? input : steps.back();
    return rows;
}

// Pass by pass, where the text with copies in it does what the plain one does.
Rows pass_rows(const device::Device& device, const catalogue::Variant& variant,
               const catalogue::Shape& shape, const catalogue::Plan& plan,
               const catalogue::Values& input) {
    measure::DevicePasses passes = measure::device_passes(device, variant, shape, plan, input);
    const catalogue::Reference right = right_for(plan, shape, input);
    const auto result = [&](const catalogue::Values& last) {
        return outcome_of(last, plan, shape, right).result;
    };
    if (plan.expect != catalogue::Expect::races) {
        const std::string plain = result(measure::plain_end(device, variant, shape, plan, input));
        const bool any_order = !passes.traces.empty() && passes.traces.back().any_order;
        if (plain != result(passes.last) && !any_order)
            throw Problem("The kernel cannot be watched on this device",
                          fmt::format("It gives {}, but {} when its arrays are copied after each "
                                      "barrier, so its compiler gets one of the two wrong",
                                      plain, result(passes.last)),
                          "Step it on the machine", device.info.name, Exit::kernel_fault);
    }
    const char* note = passes.optimised ? "" : kWithoutOptimisation;
    return {std::move(passes.rows), std::move(passes.last), passes.optimised, note, passes.lanes};
}

// Whether nothing speaks against it that all groups run at once, where they must.
bool may_be_resident(const device::Device& device, const catalogue::Plan& plan) {
    const catalogue::Launch& first = plan.launches.front();
    return !plan.stuck || first.global / first.local <= device.info.compute_units;
}

// Pass by pass where the kernel has barriers, and it can be watched there.
Rows rows_of(const device::Device& device, const catalogue::Variant& variant,
             const catalogue::Shape& shape, const catalogue::Plan& plan,
             const catalogue::Values& input) {
    std::string note;
    const bool small = catalogue::count_of(input) <= device::kMostSteppedElements;
    try {
        if (small && !plan.launches.empty() && may_be_resident(device, plan) &&
            measure::has_passes(variant, shape))
            return pass_rows(device, variant, shape, plan, input);
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        note = fmt::format("Only whole launches are shown: {}. {}", problem.what_happened,
                           problem.why.substr(0, problem.why.find('\n')));
    }
    Rows rows = launch_rows(device, variant, shape, plan, input);
    rows.note = std::move(note);
    return rows;
}

// Its values are what a device can tell; who wrote them, and of what, is the simulator's to say.
std::vector<analysis::Row> values_alone(std::vector<analysis::Row> rows) {
    for (analysis::Row& row : rows)
        for (analysis::Cell& cell : row.cells) {
            analysis::Cell bare;
            bare.value = cell.value;
            cell = std::move(bare);
        }
    return rows;
}

}  // namespace

results::Devices devices() {
    return device::find_devices();
}

analysis::StepTable step(const catalogue::Catalogue& catalogue, const std::string& id,
                         const catalogue::Shape& asked,
                         const std::optional<analysis::MachineUsed>& machine) {
    const catalogue::Variant& variant = catalogue.find(id);
    const device::Device device = device::open_device(asked.device);
    if (const auto problem = device::lacking(device.info, variant, asked)) throw Problem(*problem);
    measure::check_fits(device.info, asked.type, asked.n, "--n");
    const catalogue::Values input = make_values(asked.input, asked.type, asked.n, asked.op);
    // The plan is the shown run's, as far as the device takes it.
    catalogue::Target target = device::target_of(device.info);
    if (machine) {
        machine::Config config;
        config.lanes = machine->lanes;
        config.resident = machine->resident;
        const std::uint64_t most = target.max_group;
        target = simulation::target_of(config);
        target.max_group = std::min<std::uint64_t>(target.max_group, most);
    }
    const catalogue::Shape shape = small_shape(variant, asked, catalogue::count_of(input), target);
    const catalogue::Plan plan = make_plan(variant, shape, catalogue::count_of(input), target);
    Rows rows = rows_of(device, variant, shape, plan, input);

    analysis::StepTable table;
    table.variant = variant.id;
    table.title = variant.title;
    table.op = name_of(shape.op);
    table.type = info(shape.type).name;
    table.settings = catalogue::settings_text(asked.set);
    table.n = catalogue::count_of(input);
    table.group = plan.group;
    table.source = "device";
    table.device = device.info.name;
    if (rows.lanes > 0) table.machine = analysis::MachineUsed{rows.lanes, 0, "in-order"};
    table.rows = values_alone(std::move(rows.rows));
    table.optimised = rows.optimised;
    table.note = std::move(rows.note);
    const catalogue::Reference right = right_for(plan, shape, input);
    const catalogue::Values& last = catalogue::count_of(input) > 0 ? rows.last : right.value;
    const catalogue::Outcome outcome = outcome_of(last, plan, shape, right);
    table.result = outcome.result;
    table.expected = catalogue::text_of(right.value, 0);
    table.parts = plan.expect == catalogue::Expect::partial;
    table.right = outcome.verdict.right;
    table.exactness = exactness_of(outcome, right);
    return table;
}

analysis::StepTable step(const simulation::UserKernel& kernel, const std::string& device_name) {
    const machine::Job job = simulation::job_of(kernel, {});
    const NDRange& range = job.launches.front().range;
    const auto usual = measure::simulated(job);
    if (!usual)
        throw Problem("The launch is too large to be compared row by row",
                      fmt::format("{}: the simulator cannot run it in a moment", text_of(range)),
                      "Choose a smaller launch", "--global");
    const device::Device device = device::open_device(device_name);
    measure::DevicePasses passes = measure::device_passes(device, kernel);
    analysis::StepTable table = simulation::head_of(kernel, *usual, {});
    table.source = "device";
    table.device = device.info.name;
    table.machine.reset();
    if (passes.lanes > 0) table.machine = analysis::MachineUsed{passes.lanes, 0, "in-order"};
    table.rows = values_alone(std::move(passes.rows));
    table.optimised = passes.optimised;
    table.note = passes.optimised ? passes.note : kWithoutOptimisation;
    table.result = simulation::contents_on_device(usual->machine(), usual->end(), passes.after,
                                                  device::kUnwrittenByte);
    return table;
}

results::Measurements measure(
    const catalogue::Catalogue& catalogue, const results::MeasureRequest& request,
    const std::function<void(const measure::MeasureProgress&)>& progress) {
    if (results::names_several(request.shape.device))
        return measure_together(catalogue, request, progress);
    return measure::measure(device::open_device(request.shape.device), catalogue, request,
                            progress);
}

results::Measurements measure(
    const simulation::UserKernel& kernel, const results::MeasureRequest& request,
    const std::function<void(const measure::MeasureProgress&)>& progress) {
    if (results::names_several(request.shape.device))
        throw Problem("A kernel of one's own cannot be split over several devices",
                      "Its form describes one launch", "Choose one device", "--device");
    return measure::measure_user_kernel(device::open_device(request.shape.device), kernel, request,
                                        progress);
}

results::CheckReport check(const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request,
                           const measure::CheckProgress& on_progress) {
    return lab::measure::check(device::open_device(request.shape.device), catalogue, request,
                               on_progress);
}

results::Trials trials(const catalogue::Catalogue& catalogue, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    return lab::measure::trials(device::open_device(request.shape.device), catalogue, request,
                                on_progress);
}

results::Trials trials(const simulation::UserKernel& kernel, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    return lab::measure::trials(device::open_device(request.shape.device), kernel, request,
                                on_progress);
}

results::Recorded record(const catalogue::Catalogue& catalogue,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    return lab::measure::record(device::open_device(request.shape.device), catalogue, request,
                                on_progress);
}

results::Recorded record(const simulation::UserKernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    return lab::measure::record(device::open_device(request.shape.device), kernel, request,
                                on_progress);
}

namespace {

using simulation::kernels_for;

std::map<std::string, worker::Method> plain_methods() {
    using nlohmann::json;
    return {
        {"devices", [](const json&, const worker::Progress&) -> json { return devices(); }},
        {"step",
         [](const json& parameters, const worker::Progress&) -> json {
             const auto shape = parameters.at("shape").get<catalogue::Shape>();
             if (parameters.contains("own"))
                 return step(parameters.at("own").get<simulation::UserKernel>(), shape.device);
             const std::string id = parameters.at("variant");
             std::optional<analysis::MachineUsed> machine;
             if (parameters.contains("machine"))
                 machine = parameters.at("machine").get<analysis::MachineUsed>();
             return step(kernels_for(parameters), id, shape, machine);
         }},
        {"measure",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::MeasureRequest>();
             const auto on_progress = [&](const measure::MeasureProgress& progress) {
                 report_progress({{"done", progress.done},
                                  {"total", progress.total},
                                  {"seconds_left", progress.seconds_left},
                                  {"results", *progress.results}});
             };
             if (parameters.contains("own"))
                 return measure(parameters.at("own").get<simulation::UserKernel>(), request,
                                on_progress);
             return measure(kernels_for(parameters), request, on_progress);
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
        {"outcomes", simulation::outcomes_asked},
        {"wrong_order", simulation::wrong_order_asked},
        {"trials",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::TrialsRequest>();
             const auto on_progress = [&](const results::Trials& so_far) {
                 report_progress(so_far);
             };
             if (parameters.contains("own"))
                 return trials(parameters.at("own").get<simulation::UserKernel>(), request,
                               on_progress);
             return trials(kernels_for(parameters), request, on_progress);
         }},
        {"record",
         [](const json& parameters, const worker::Progress& report_progress) -> json {
             const auto request = parameters.get<results::RecordRequest>();
             const auto on_progress = [&](const results::Recorded& so_far) {
                 report_progress({{"done", so_far.recorded.runs},
                                  {"total", so_far.count},
                                  {"wrong", so_far.recorded.wrong}});
             };
             if (parameters.contains("own"))
                 return record(parameters.at("own").get<simulation::UserKernel>(), request,
                               on_progress);
             return record(kernels_for(parameters), request, on_progress);
         }},
    };
}

}  // namespace

std::map<std::string, worker::Method> methods() {
    std::map<std::string, worker::Method> all = plain_methods();
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

}  // namespace lab::server
