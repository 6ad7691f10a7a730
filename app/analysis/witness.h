// How a device's run compares with the shown run: pictures always show a run of the simulator, and
// the device is its witness.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/step_table.h"
#include "machine/schedule.h"
namespace lab::analysis {

struct Witness {
    enum class Verdict : std::uint8_t {
        absent,       // no device, or it could not run the kernel: see `why`
        unknown,      // no row in common with the run
        same,         // the same rows, floats up to rounding
        lucky,        // right on the device; the run shows how the kernel goes wrong
        explained,    // another schedule gives its rows: `like_device`
        unexplained,  // no schedule was found that gives its rows
    } verdict = Verdict::absent;
    Agreement agreement;    // between its rows and the run's
    bool complete = false;  // for unexplained: all schedules were tried
    std::string device;     // its name
    std::string result;     // on the device
    bool right = false;
    std::string note, why;  // may be empty

    // Where the run's schedule comes from.
    enum class Origin : std::uint8_t {
        chosen,     // by the user
        usual,      // the machine's usual order
        device,     // as on the device
        goes_wrong  // found by a search for a wrong result
    } origin = Origin::chosen;

    // For explained: what gives the device's rows.
    struct Schedule {
        machine::Config config;
        std::vector<machine::Turn> turns;
    };
    std::optional<Schedule> like_device;

    // The device's rows, to show a value beside the run's.
    std::optional<StepTable> rows;
};

const char* name_of(Witness::Verdict verdict);
const char* name_of(Witness::Origin origin);

// Without the rows.
void to_json(nlohmann::json& json, const Witness& witness);

// Names of orders that were found, as Order::name has them.
inline constexpr const char* kAsOnDevice = "as-on-device";
inline constexpr const char* kGoesWrong = "goes-wrong";
// That of a recorded run begins like this: "recorded on NAME, run 9,912".
inline constexpr const char* kRecordedOn = "recorded on ";
// That name, of an order that has it or whose turns begin with it as a remark; else empty.
std::string recorded_in(const std::string& order);

}  // namespace lab::analysis
