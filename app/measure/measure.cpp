#include "measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "catalogue/number.h"
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

// Of several variants each takes the toggles that it has.
Shape shape_for(const Variant& variant, Shape shape) {
    std::erase_if(shape.set, [&](const auto& set) { return variant.toggle(set.first) == nullptr; });
    return shape;
}

// The variants asked for, each once. Throws Problem for a toggle that none of them has.
std::vector<const Variant*> chosen(const Catalogue& catalogue, const MeasureRequest& request) {
    std::vector<const Variant*> variants;
    for (const std::string& id : request.variants) {
        const Variant* variant = &catalogue.find(id);
        if (std::find(variants.begin(), variants.end(), variant) == variants.end())
            variants.push_back(variant);
    }
    for (const auto& [name, value] : request.shape.set) {
        const auto has = [&name = name](const Variant* of) { return of->toggle(name) != nullptr; };
        if (std::none_of(variants.begin(), variants.end(), has))
            throw Problem(fmt::format("None of the variants has a toggle '{}'", name), "",
                          "`variants` lists the toggles of each",
                          fmt::format("--set {}={}", name, value));
    }
    return variants;
}

// Throws Problem where neither the device nor this machine could hold the elements.
Values input_that_fits(const DeviceInfo& device, const Shape& shape,
                       std::optional<std::uint64_t> n) {
    const char* hint = "Choose smaller sizes";
    if (n && *n > device.largest_buffer / info(shape.type).bytes)
        throw Problem(fmt::format("{} elements do not fit into a buffer", size_text(*n)),
                      fmt::format("{} takes at most {} a buffer", device.name,
                                  bytes_text(device.largest_buffer)),
                      hint, "--sizes");
    try {
        return make_values(shape.input, shape.type, n);
    } catch (const std::bad_alloc&) {
        throw Problem(
            fmt::format("There is not enough memory for {} elements", size_text(n.value_or(0))),
            "The input and its copy on the device must fit", hint, "--sizes");
    }
}

Row measure_row(const Work& work, const Variant& variant, const compute::Program& program) {
    const Shape shape = shape_for(variant, work.request.shape);
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
    for (const Variant* variant : chosen(catalogue, request))
        programs.emplace_back(
            variant, compute::build(device, kernel_text(*variant, shape_for(*variant, shape)),
                                    variant->entry));
    const bool given =
        shape.input.kind == Input::Kind::values || shape.input.kind == Input::Kind::file;
    std::vector<std::optional<std::uint64_t>> sizes(request.sizes.begin(), request.sizes.end());
    if (given) sizes = {std::nullopt};  // as many as there are
    MeasureProgress at{0, programs.size() * sizes.size(), nullptr};
    for (const std::optional<std::uint64_t> n : sizes) {
        Values input;
        try {
            input = input_that_fits(device.info, shape, n);
        } catch (const Problem& problem) {
            made.problems.push_back(problem);
            at.done += programs.size();
            if (progress) progress(at);
            continue;
        }
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
