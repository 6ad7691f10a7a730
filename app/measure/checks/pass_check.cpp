#include "measure/checks/pass_check.h"

#include <algorithm>
#include <array>
#include <optional>

#include "catalogue/outcome.h"
#include "device/needs.h"
#include "measure/checks/device_passes.h"

namespace lab::measure {
namespace {

// What is asked for where the request leaves it open: each costs a text of its own or two.
struct Case {
    catalogue::Op op;
    catalogue::Type type;
    std::uint64_t n;
    bool small;  // groups of 4, several of them; else what suits
};
constexpr std::array kCases{
    Case{catalogue::Op::add, catalogue::Type::int_, 23, true},
    Case{catalogue::Op::add, catalogue::Type::int_, 64, false},
    Case{catalogue::Op::max, catalogue::Type::int_, 8, true},
    Case{catalogue::Op::add, catalogue::Type::float_, 23, true},
};
constexpr std::uint64_t kMostElements = 4096;  // of sizes that are asked for

template <typename T>
bool asked_for(const std::vector<T>& of, T value) {
    return of.empty() || std::find(of.begin(), of.end(), value) != of.end();
}

// The case with what the request does say: a size and a group instead of ours.
std::optional<catalogue::Shape> shape_of(const Case& test_case,
                                         const results::CheckRequest& request,
                                         const std::map<std::string, std::string>& set) {
    if (!asked_for(request.ops, test_case.op) || !asked_for(request.types, test_case.type))
        return {};
    catalogue::Shape shape = request.shape;
    shape.op = test_case.op;
    shape.type = test_case.type;
    shape.set = set;
    shape.n = test_case.n;
    shape.group = 0;
    if (!request.sizes.empty())
        shape.n = test_case.small ? request.sizes.front() : request.sizes.back();
    if (!request.groups.empty())
        shape.group = test_case.small ? request.groups.front() : request.groups.back();
    if (*shape.n == 0 || *shape.n > kMostElements) return {};
    return shape;
}

// Empty if the header rules the case out.
std::optional<catalogue::Plan> plan_of(const device::Device& device,
                                       const catalogue::Variant& variant, catalogue::Shape& shape,
                                       bool small) {
    const catalogue::Target target = device::target_of(device.info);
    try {
        if (small) shape = small_shape(variant, shape, *shape.n, target);
        return make_plan(variant, shape, *shape.n, target);
    } catch (const Problem& problem) {
        if (problem.exit != Exit::usage) throw;
        return {};
    }
}

void leave(results::CheckLine& line, const std::string& why) {
    ++line.passes_left;
    if (line.why_left.empty()) line.why_left = why;
}

void check_case(results::CheckLine& line, const device::Device& device,
                const catalogue::Variant& variant, const catalogue::Shape& shape,
                const catalogue::Plan& plan) {
    if (plan.expect == catalogue::Expect::races) {
        ++line.passes_raced;
        return;
    }
    if (plan.stuck && plan.launches[0].global / plan.launches[0].local > device.info.compute_units)
        return leave(line, "the groups are not co-resident");
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n, shape.op);
    try {
        const DevicePasses passes = device_passes(device, variant, shape, plan, input);
        const Comparison found = compare(passes, shape, plan, right_for(plan, shape, input));
        line.passes += found.passes;
        if (!passes.optimised) ++line.passes_plain;
        if (found.first) line.differences.push_back(*found.first);
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        leave(line, problem.what_happened);
    }
}

}  // namespace

void check_passes(results::CheckLine& line, const device::Device& device,
                  const catalogue::Variant& variant, const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time) {
    for (const Case& test_case : kCases) {
        std::optional<catalogue::Shape> shape = shape_of(test_case, request, set);
        if (!shape || device::lacking(device.info, variant, *shape)) continue;
        const std::optional<catalogue::Plan> plan =
            plan_of(device, variant, *shape, test_case.small);
        if (!plan || plan->launches.empty()) continue;
        if (!in_time())
            leave(line, "the time was used up");
        else
            check_case(line, device, variant, *shape, *plan);
    }
}

}  // namespace lab::measure
