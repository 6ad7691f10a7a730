#include "measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "compute/reduction.h"
#include "measure/reference.h"

namespace lab {
namespace {

struct Work {
    const compute::Device& device;
    const MeasureRequest& request;
    const Values& input;
    const Reference& right;
};

Row measure_row(const Work& work, const Variant& variant, const compute::Program& program) {
    const Shape& shape = work.request.shape;
    Row row;
    row.variant = variant.id;
    row.title = variant.title;
    row.n = count_of(work.input);
    row.group = shape.group != 0 ? shape.group : standard_group(work.device.info);
    row.bytes = row.n * info(shape.type).bytes;
    const Plan plan = make_plan(variant, shape, row.n, row.group, work.device.info.compute_units);
    const Values neutral = identity(shape.op, shape.type);
    compute::Reduction reduction(work.device, program, plan,
                                 compute::elements_of(work.input, neutral));
    Values result = make_values(shape.type, 1);
    row.right = true;
    for (int run = -1; run < work.request.repeat; ++run) {  // -1: the warm-up
        reduction.reset();
        const compute::Times times = reduction.run();
        std::memcpy(bytes_of(result), reduction.result().data(), reduction.result().size());
        const Verdict verdict = judge(result, work.right, shape.op, plan.depth);
        if (run >= 0) {
            row.device_ms.push_back(times.device_ms);
            row.wall_ms.push_back(times.wall_ms);
        }
        // The row shows its first wrong result, else its last one.
        if (!row.right) continue;
        row.right = verdict.right;
        row.error = std::max(row.error, verdict.error);
        row.bound = verdict.bound;
        row.result = text_of(result, 0);
    }
    row.expected = text_of(work.right.value, 0);
    return row;
}

}  // namespace

std::uint64_t standard_group(const DeviceInfo& device) {
    return std::min<std::uint64_t>(256, device.max_group);
}

Measurements measure(const compute::Device& device, const Catalogue& catalogue,
                     const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress) {
    const Shape& shape = request.shape;
    if (info(shape.type).type == Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    if (request.repeat < 1)
        throw Problem("The number of runs must be 1 or more", "", "Write --repeat 10", "--repeat");

    Measurements made{device.info,
                      name_of(shape.op),
                      info(shape.type).name,
                      text_of(shape.input),
                      request.repeat,
                      {},
                      {}};
    std::vector<std::pair<const Variant*, compute::Program>> programs;
    for (const std::string& id : request.variants) {
        const Variant& variant = catalogue.find(id);
        programs.emplace_back(&variant,
                              compute::build(device, kernel_text(variant, shape), variant.entry));
    }
    const bool given =
        shape.input.kind == Input::Kind::values || shape.input.kind == Input::Kind::file;
    std::vector<std::optional<std::uint64_t>> sizes(request.sizes.begin(), request.sizes.end());
    if (given) sizes = {std::nullopt};  // as many as there are
    MeasureProgress at{0, programs.size() * sizes.size(), nullptr};
    for (const std::optional<std::uint64_t> n : sizes) {
        const Values input = make_values(shape.input, shape.type, n);
        const Reference right = reference(input, shape.op);
        for (const auto& [variant, program] : programs) {
            at.row = nullptr;
            try {
                made.rows.push_back(
                    measure_row({device, request, input, right}, *variant, program));
                at.row = &made.rows.back();
            } catch (const Problem& problem) {
                made.problems.push_back(problem);
            }
            ++at.done;
            if (progress) progress(at);
        }
    }
    return made;
}

}  // namespace lab
