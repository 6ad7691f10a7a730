#include "results/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "base/problem.h"

namespace lab::results {
namespace {

constexpr std::array kLaunchShapes{"table", "kept", "search"};

}  // namespace

const char* name_of(LaunchShapes shapes) {
    return kLaunchShapes[static_cast<std::size_t>(shapes)];
}

LaunchShapes parse_launch_shapes(std::string_view name) {
    const auto* found = std::find(kLaunchShapes.begin(), kLaunchShapes.end(), name);
    if (found == kLaunchShapes.end())
        throw Problem(fmt::format("'{}' is no source of launch shapes", name), "",
                      fmt::format("Choose one of: {}", fmt::join(kLaunchShapes, ", ")), "--shapes");
    return static_cast<LaunchShapes>(found - kLaunchShapes.begin());
}

LAB_JSON_SOME_FIELDS_OR_DEFAULT(MeasureRequest, groups, repeat, precision, limit_s, warm,
                                references, all, batch)

void to_json(nlohmann::json& json, const MeasureRequest& request) {
    json = {{"variants", request.variants},
            {"sizes", request.sizes},
            {"shape", request.shape},
            {"shapes", name_of(request.shapes)}};
    put_fields(json, request);
}

void from_json(const nlohmann::json& json, MeasureRequest& request) {
    json.at("variants").get_to(request.variants);
    json.at("sizes").get_to(request.sizes);
    json.at("shape").get_to(request.shape);
    get_fields(json, request);
    request.shapes = parse_launch_shapes(json.value("shapes", name_of(MeasureRequest().shapes)));
}

void to_json(nlohmann::json& json, const CheckRequest& request) {
    std::vector<std::string> ops, types;
    for (const catalogue::Op op : request.ops)
        ops.emplace_back(name_of(op));
    for (const catalogue::Type type : request.types)
        types.emplace_back(info(type).name);
    json = {{"variants", request.variants},
            {"sizes", request.sizes},
            {"groups", request.groups},
            {"ops", ops},
            {"types", types},
            {"shape", request.shape},
            {"limit_s", request.limit_s}};
}

void from_json(const nlohmann::json& json, CheckRequest& request) {
    request.limit_s = json.value("limit_s", request.limit_s);
    json.at("variants").get_to(request.variants);
    request.sizes = json.value("sizes", request.sizes);
    request.groups = json.value("groups", request.groups);
    for (const std::string& op : json.value("ops", std::vector<std::string>{}))
        request.ops.push_back(catalogue::parse_op(op));
    for (const std::string& type : json.value("types", std::vector<std::string>{}))
        request.types.push_back(catalogue::parse_type(type));
    json.at("shape").get_to(request.shape);
}

void to_json(nlohmann::json& json, const TrialsRequest& request) {
    json = {{"variant", request.variant}, {"shape", request.shape}, {"count", request.count}};
    if (request.delays) json["delays"] = *request.delays;
}

void from_json(const nlohmann::json& json, TrialsRequest& request) {
    json.at("variant").get_to(request.variant);
    json.at("shape").get_to(request.shape);
    request.count = json.value("count", request.count);
    if (json.contains("delays")) request.delays = json.at("delays").get<std::uint32_t>();
}

void to_json(nlohmann::json& json, const RecordRequest& request) {
    json = {{"variant", request.variant},
            {"shape", request.shape},
            {"until", request.until},
            {"count", request.count}};
    if (request.delays) json["delays"] = *request.delays;
}

void from_json(const nlohmann::json& json, RecordRequest& request) {
    json.at("variant").get_to(request.variant);
    json.at("shape").get_to(request.shape);
    request.until = json.value("until", request.until);
    request.count = json.value("count", request.count);
    if (json.contains("delays")) request.delays = json.at("delays").get<std::uint32_t>();
}

}  // namespace lab::results
