#include "results/request.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_fields.h"
#include "base/problem.h"
#include "base/ranges.h"

namespace lab::results {

constexpr std::array kLaunchShapes{"table", "kept", "search"};

const char* name_of(LaunchShapes shapes) {
    return kLaunchShapes[static_cast<std::size_t>(shapes)];
}

LaunchShapes parse_launch_shapes(std::string_view name) {
    const std::size_t shapes = position_of(kLaunchShapes, name);
    if (shapes == kLaunchShapes.size())
        throw Problem(fmt::format("'{}' is no source of launch shapes", name), "",
                      fmt::format("Choose one of: {}", fmt::join(kLaunchShapes, ", ")), "--shapes");
    return static_cast<LaunchShapes>(shapes);
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
    const auto ops = mapped<std::string>(request.ops, [](catalogue::Op op) { return name_of(op); });
    const auto types =
        mapped<std::string>(request.types, [](catalogue::Type type) { return info(type).name; });
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

void from_json(const nlohmann::json& json, TrialsRequest& request) {
    json.at("shape").get_to(request.shape);
    request.count = json.value("count", request.count);
    if (json.contains("delays")) request.delays = json.at("delays").get<std::uint32_t>();
}

void from_json(const nlohmann::json& json, RecordRequest& request) {
    json.at("shape").get_to(request.shape);
    request.until = json.value("until", request.until);
    request.count = json.value("count", request.count);
    if (json.contains("delays")) request.delays = json.at("delays").get<std::uint32_t>();
}

// What they have of it, each once: "580.95 + 3.1".
static std::string each_once(const std::vector<DeviceInfo>& devices,
                             std::string DeviceInfo::*text) {
    std::vector<std::string> seen;
    for (const DeviceInfo& device : devices)
        if (!contains(seen, device.*text)) seen.push_back(device.*text);
    return fmt::format("{}", fmt::join(seen, " + "));
}

static std::string names(const std::vector<DeviceInfo>& devices) {
    std::vector<std::pair<std::string, int>> counted;
    for (const DeviceInfo& device : devices) {
        const auto same = [&](const auto& of) { return of.first == device.name; };
        if (auto* found = find_if(counted, same))
            ++found->second;
        else
            counted.emplace_back(device.name, 1);
    }
    std::string text;
    for (const auto& [name, count] : counted) {
        if (!text.empty()) text += " + ";
        text += count > 1 ? fmt::format("{} x {}", count, name) : name;
    }
    return text;
}

bool names_several(const std::string& device) {
    return device == kAllDevices || device.find(',') != std::string::npos;
}

std::vector<std::string> listed_devices(const std::string& list) {
    std::vector<std::string> ids;
    for (std::size_t first = 0; first <= list.size();) {
        const std::size_t end = std::min(list.find(',', first), list.size());
        const std::string id = list.substr(first, end - first);
        if (id.empty())
            throw Problem(fmt::format("'{}' is no list of devices", list),
                          "There is nothing before or after one of its commas",
                          "Write ids with commas between them, as 0:0,1:0", "--device");
        if (!contains(ids, id)) ids.push_back(id);
        first = end + 1;
    }
    return ids;
}

Problem only_measure_takes(const std::string& devices) {
    return {fmt::format("This runs on one device, not on '{}'", devices),
            "Only measure splits its work over several",
            "Name one device; `reduction-lab-cli devices` lists them", "--device"};
}

DeviceInfo together(const std::vector<DeviceInfo>& devices, const std::string& id) {
    DeviceInfo all = devices.front();
    all.id = id;
    all.name = names(devices);
    for (const auto text : {&DeviceInfo::platform, &DeviceInfo::vendor, &DeviceInfo::driver,
                            &DeviceInfo::version, &DeviceInfo::c_version, &DeviceInfo::kind})
        all.*text = each_once(devices, text);
    for (std::size_t i = 1; i < devices.size(); ++i) {
        const DeviceInfo& info = devices[i];
        for (const auto sum : {&DeviceInfo::compute_units, &DeviceInfo::global_bytes,
                               &DeviceInfo::largest_buffer, &DeviceInfo::cache_bytes})
            all.*sum += info.*sum;
        for (const auto least : {&DeviceInfo::max_group, &DeviceInfo::local_bytes})
            all.*least = std::min(all.*least, info.*least);
        for (const auto most : {&DeviceInfo::buffer_align, &DeviceInfo::timer_ns})
            all.*most = std::max(all.*most, info.*most);
        for (const auto has : {&DeviceInfo::doubles, &DeviceInfo::wide_atomics,
                               &DeviceInfo::sub_groups, &DeviceInfo::group_collectives})
            all.*has = all.*has && info.*has;
    }
    return all;
}

std::vector<std::string> doubts_about(const std::vector<DeviceInfo>& devices) {
    std::vector<std::string> doubts;
    std::vector<std::string> processors;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const DeviceInfo& a = devices[i];
        if (a.kind == "CPU") processors.push_back(a.id);
        for (std::size_t k = i + 1; k < devices.size(); ++k) {
            const DeviceInfo& b = devices[k];
            if (a.name == b.name && a.platform != b.platform)
                doubts.push_back(fmt::format(
                    "{} ({}) and {} ({}) are both called {} and may be one device, which then "
                    "would be timed against itself; --device with a list names those to use",
                    a.id, a.platform, b.id, b.platform, a.name));
        }
    }
    if (processors.size() > 1)
        doubts.push_back(fmt::format(
            "{} are CPUs: of one machine they share its processors and memory, so that more "
            "of them are not faster",
            fmt::join(processors, ", ")));
    return doubts;
}

}  // namespace lab::results
