#include "service/service.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "catalogue/plan.h"
#include "compute/devices.h"
#include "compute/steps.h"
#include "measure/reference.h"

namespace lab::service {
namespace {

constexpr std::uint64_t kStepGroup = 4;

std::vector<Cell> cells_of(const Values& values, const std::vector<compute::Origin>& origins) {
    std::vector<Cell> cells(count_of(values));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].value = text_of(values, i);
        if (i >= origins.size()) continue;
        cells[i].written = origins[i].written;
        cells[i].from = origins[i].from;
        cells[i].item = origins[i].item;
    }
    return cells;
}

// Whether every work-item that does anything shows in the cells: where each pass is a launch of
// its own and the kernel keeps nothing in local memory.
bool items_show(const Variant& variant) {
    if (variant.plan != PlanKind::per_pass) return false;
    for (const Argument& argument : variant.arguments)
        if (argument.kind == Argument::Kind::local) return false;
    return true;
}

compute::Device device_for(const Shape& shape) {
    compute::Device device = compute::open_device(shape.device);
    if (shape.type == Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    return device;
}

}  // namespace

Devices devices() {
    return compute::find_devices();
}

Passes step(const Catalogue& catalogue, const std::string& id, const Shape& shape) {
    const Variant& variant = catalogue.find(id);
    const Values input = make_values(shape.input, shape.type, shape.n);
    const std::uint64_t group = shape.group != 0 ? shape.group : kStepGroup;
    const compute::Device device = device_for(shape);
    const Plan plan = make_plan(variant, shape, count_of(input), group, device.info.compute_units);
    const std::vector<compute::Step> steps =
        compute::run_steps(device, variant, shape, plan, input);

    Passes made;
    made.variant = variant.id;
    made.title = variant.title;
    made.op = name_of(shape.op);
    made.type = info(shape.type).name;
    made.n = count_of(input);
    made.group = group;
    made.source = "device";
    made.device = device.info.name;
    made.passes.push_back({});
    made.passes.front().cells = cells_of(input, {});
    Values result = identity(shape.op, shape.type);
    if (made.n > 0) std::memcpy(bytes_of(result), bytes_of(input), info(shape.type).bytes);
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const Launch& launch = plan.launches[k];
        made.passes.push_back({static_cast<int>(k) + 1, launch.variables, launch.global,
                               launch.local, cells_of(steps[k].values, steps[k].origins),
                               items_show(variant)});
        std::memcpy(bytes_of(result), bytes_of(steps[k].values), info(shape.type).bytes);
    }
    const Reference right = reference(input, shape.op);
    made.result = text_of(result, 0);
    made.expected = text_of(right.value, 0);
    made.right = judge(result, right, shape.op, plan.depth).right;
    return made;
}

Measurements measure(const Catalogue& catalogue, const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress) {
    return lab::measure(device_for(request.shape), catalogue, request, progress);
}

namespace {

std::map<std::string, worker::Method> plain_methods() {
    using nlohmann::json;
    // The kernels are read anew for each request, so a file that was just edited is what runs.
    return {
        {"devices", [](const json&, const worker::Progress&) -> json { return devices(); }},
        {"step",
         [](const json& parameters, const worker::Progress&) -> json {
             return step(load_catalogue(), parameters.at("variant"),
                         parameters.at("shape").get<Shape>());
         }},
        {"measure",
         [](const json& parameters, const worker::Progress& tell) -> json {
             return measure(load_catalogue(), parameters.get<MeasureRequest>(),
                            [&](const MeasureProgress& at) {
                                json told = {{"done", at.done}, {"total", at.total}};
                                if (at.row != nullptr) told["row"] = *at.row;
                                tell(told);
                            });
         }},
    };
}

}  // namespace

std::map<std::string, worker::Method> methods() {
    std::map<std::string, worker::Method> all = plain_methods();
    for (auto& [name, method] : all)
        method = [act = method](const nlohmann::json& parameters, const worker::Progress& tell) {
            try {
                return act(parameters, tell);
            } catch (const nlohmann::json::exception& error) {
                throw Problem("The request's parameters cannot be read", error.what(),
                              "Give them as the app does: worker/protocol.h has an example");
            }
        };
    return all;
}

}  // namespace lab::service
