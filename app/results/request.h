// Requests to measure, check or try variants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "catalogue/shape.h"
#include "results/device_info.h"
namespace lab::results {

// Where a variant's group and toggles come from if they are not given.
enum class LaunchShapes : std::uint8_t {
    table,   // the header's table by kind of device
    kept,    // found by an earlier search on this device, else the table
    search,  // a new search, whose result is kept
};
const char* name_of(LaunchShapes shapes);
LaunchShapes parse_launch_shapes(std::string_view name);  // throws Problem for another word

struct MeasureRequest {
    std::vector<std::string> variants;  // ids
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> groups;  // work-items per group; empty: each variant's default
    catalogue::Shape shape;             // n and group are not used
    int repeat = 0;                     // counted runs per row; 0: by the next two
    double precision = 0.01;  // of a median, relative: half of its 95 % confidence interval
    double limit_s = 0.5;     // per row: then it is done, precise or not
    // Reductions enqueued before one wait; a sample is the batch's time divided by that number.
    // Only the last result of a batch is checked.
    unsigned batch = 1;
    LaunchShapes shapes = LaunchShapes::kept;
    bool warm = false;       // keep the input in the cache; else each run takes another copy
    bool references = true;  // the ceiling, and the host's own loops
    // True for `all`: what a variant's header or the device rules out is then left out, else it is
    // a problem.
    bool all = false;
};

// Many cases of each variant against the host's reference.
struct CheckRequest {
    std::vector<std::string> variants;
    std::vector<std::uint64_t> sizes, groups;  // none: the standard ones
    std::vector<catalogue::Op> ops;            // likewise
    std::vector<catalogue::Type> types;
    catalogue::Shape shape;  // the toggles, input and device
    double limit_s = 60;     // a setting of toggles: the cases after that are not run, and counted
};

// One case, many times; the rest of its JSON says which kernel.
struct TrialsRequest {
    catalogue::Shape shape;
    std::uint64_t count = 1000;
    // As many runs again, with short waits before their accesses.
    std::optional<std::uint32_t> delays = {};  // the seed of the waits
};

// One case, until a run comes out as wanted; its accesses are recorded.
struct RecordRequest {
    catalogue::Shape shape;
    std::string until = "wrong";   // or "right", "run:K" for the run of that number, or a result
    std::uint64_t count = 10'000;  // runs at most
    std::optional<std::uint32_t> delays = {};
};

void to_json(nlohmann::json& json, const MeasureRequest& request);
void from_json(const nlohmann::json& json, MeasureRequest& request);
void to_json(nlohmann::json& json, const CheckRequest& request);
void from_json(const nlohmann::json& json, CheckRequest& request);
void from_json(const nlohmann::json& json, TrialsRequest& request);
void from_json(const nlohmann::json& json, RecordRequest& request);

// Several devices that share one reduction, as plain data: how they are named and described.

inline constexpr const char* kAllDevices = "all";  // as --device takes it

// True if `device`, as --device takes it, is `all` or a list of ids: "0:0,1:0".
bool names_several(const std::string& device);
// The ids of such a list, each once, in its order. Throws Problem for a list with an empty place.
std::vector<std::string> listed_devices(const std::string& list);
// For what runs on one device only.
Problem only_measure_takes(const std::string& devices);

// All as one device: "2 x NVIDIA H200", "cpu A + gpu B"; sums of what adds up, minima of the rest.
// `id` as requested.
DeviceInfo together(const std::vector<DeviceInfo>& devices, const std::string& id);

// Reasons to doubt that they are separate pieces of hardware, one per line.
std::vector<std::string> doubts_about(const std::vector<DeviceInfo>& devices);

}  // namespace lab::results
