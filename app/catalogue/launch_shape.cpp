#include "catalogue/launch_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/problem.h"
#include "base/text.h"

namespace lab::catalogue {
namespace {

constexpr std::array kShapeKinds{"cpu", "cpu-64", "gpu", "gpu-64", "nvidia", "nvidia-64"};
constexpr const char* kGroup = "group";

void read_shape(const HeaderLine& line, Variant& into) {
    const char* form = "Write a kind of device and what suits it: gpu: group = 512, K = 4";
    const auto colon = line.value.find(':');
    const std::string kind(trimmed(line.value.substr(0, colon)));
    if (std::find(kShapeKinds.begin(), kShapeKinds.end(), kind) == kShapeKinds.end())
        refuse(line, fmt::format("'{}' is no kind of device", kind),
               fmt::format("Choose of: {}", fmt::join(kShapeKinds, ", ")));
    if (colon == std::string::npos) refuse(line, "", form);
    if (into.shapes.contains(kind))
        refuse(line, fmt::format("'{}' is there twice", kind), "Put both into one line");
    LaunchShape& shape = into.shapes[kind];
    for (const std::string& part : split(line.value.substr(colon + 1), ',')) {
        const auto sides = split(part, '=');
        if (sides.size() != 2) refuse(line, fmt::format("'{}' sets nothing", part), form);
        if (sides[0] == kGroup) {
            shape.group = parse_number<std::uint64_t>(sides[1]).value_or(0);
            if (shape.group == 0)
                refuse(line, fmt::format("'{}' is no number of work-items", sides[1]), form);
            continue;
        }
        const Toggle* toggle = into.toggle(sides[0]);
        if (toggle == nullptr)
            refuse(line, fmt::format("'{}' is neither group nor a toggle", sides[0]), form);
        const auto& values = toggle->values;
        if (std::find(values.begin(), values.end(), sides[1]) == values.end())
            refuse(line, fmt::format("'{}' is no value of {}", sides[1], sides[0]),
                   fmt::format("Choose one of: {}", fmt::join(values, ", ")));
        shape.set[sides[0]] = sides[1];
    }
}

void read_tune(const HeaderLine& line, Variant& into) {
    for (const std::string& name : split(line.value, ',')) {
        if (name != kGroup && into.toggle(name) == nullptr)
            refuse(line, fmt::format("'{}' is neither group nor a toggle", name),
                   "Write what is worth a search: group, K");
        into.tune.push_back(name);
    }
}

}  // namespace

void read_launch_shapes(const Header& header, Variant& into) {
    for (const HeaderLine& line : header.all("shape"))
        read_shape(line, into);
    if (const HeaderLine* line = header.find("tune")) read_tune(*line, into);
}

LaunchShape layered(LaunchShape under, const LaunchShape& over) {
    if (over.group != 0) under.group = over.group;
    for (const auto& [name, value] : over.set)
        under.set[name] = value;
    return under;
}

LaunchShape launch_shape(const Variant& variant, const std::vector<std::string>& kinds) {
    LaunchShape shape;
    for (const std::string& kind : kinds)
        if (const auto found = variant.shapes.find(kind); found != variant.shapes.end())
            shape = layered(std::move(shape), found->second);
    return shape;
}

std::string text_of(const LaunchShape& shape) {
    std::vector<std::string> parts;
    if (shape.group != 0) parts.push_back(fmt::format("group={}", shape.group));
    for (const auto& [name, value] : shape.set)
        parts.push_back(fmt::format("{}={}", name, value));
    return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<LaunchShape> neighbours(const Variant& variant, const LaunchShape& shape,
                                    const std::string& name, std::uint64_t most) {
    std::vector<LaunchShape> shapes;
    if (name == kGroup) {
        for (const std::uint64_t group :
             {shape.group / 2, shape.group * 2, shape.group / 8, shape.group * 8}) {
            if (group == 0 || group > most) continue;
            shapes.push_back(shape);
            shapes.back().group = group;
        }
        return shapes;
    }
    const Toggle& toggle = *variant.toggle(name);
    const auto set = shape.set.find(name);
    const std::string& now = set == shape.set.end() ? toggle.values.front() : set->second;
    for (const std::string& value : toggle.values) {
        if (value == now) continue;
        shapes.push_back(shape);
        shapes.back().set[name] = value;
    }
    return shapes;
}

}  // namespace lab::catalogue
