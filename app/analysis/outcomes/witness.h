// What a device says of the run that is shown: the picture is always a run of the simulator, and
// the device is its witness.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rows/agreement.h"
#include "machine/schedule.h"

namespace lab::analysis {

struct Witness {
    enum class Verdict : std::uint8_t {
        absent,       // no device was asked, or it could not run it: see `why`
        unknown,      // it has no row in common with the run
        same,         // its rows are the run's, floats up to rounding
        lucky,        // its result is right; the run shows how the same kernel goes wrong
        explained,    // its rows are those of another schedule: `like_device`
        unexplained,  // no schedule was found that gives its rows
    } verdict = Verdict::absent;
    Agreement agreement;    // of its rows with the run's
    bool complete = false;  // of unexplained: all schedules were tried
    std::string device;     // its name
    std::string result;     // what came out there
    bool right = false;
    std::string note, why;  // may be empty

    // Where the run's schedule is from.
    enum class Origin : std::uint8_t {
        chosen,     // by the user
        usual,      // nobody chose: the order that suits the machine
        device,     // as on the device
        goes_wrong  // a search found it: the result is wrong
    } origin = Origin::chosen;

    // Of explained: what gives the device's rows.
    struct Schedule {
        machine::Config config;
        std::vector<machine::Turn> turns;
    };
    std::optional<Schedule> like_device;

    // The device's rows, for who wants to name a value of it beside the run's.
    std::optional<StepTable> rows;
};

const char* name_of(Witness::Verdict verdict);
const char* name_of(Witness::Origin origin);

// Without the rows.
void to_json(nlohmann::json& json, const Witness& witness);

// Names of orders that were found, as Order::name has them.
inline constexpr const char* kAsOnDevice = "as-on-device";
inline constexpr const char* kGoesWrong = "goes-wrong";

}  // namespace lab::analysis
