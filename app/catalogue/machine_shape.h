// The shape of the simulated device, which is chosen with a run, and one table of what can be
// chosen of it: settings, requests, lessons, the window and the command line go through it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace lab::catalogue {

inline constexpr std::uint32_t kMostLanes = 64;  // of a warp; more are refused

struct MachineShape {
    std::uint32_t lanes = 4;     // per warp, in lockstep; 1: independent work-items
    std::uint32_t resident = 2;  // groups that run at once; 0: all of a launch
    std::uint32_t banks = 32;    // of local memory

    // Of what is more than a shape: `a.shape() = b`.
    MachineShape& shape() { return *this; }
    const MachineShape& shape() const { return *this; }
    bool operator==(const MachineShape&) const = default;
};

struct MachineOption {
    // Its name in JSON, in lessons and, as --ID, on the command line; texts "field.ID", "run.ID",
    // "command.ID.next".
    const char* id;
    std::uint32_t MachineShape::*field;
    std::uint32_t most;                      // from 1
    bool zero_is_all;                        // 0 is allowed, too, and written "all"
    bool always_said;                        // also where it is as usual
    std::span<const std::uint32_t> offered;  // in the window; empty: it has no field there
    const char* says;                        // for --help
    const char* refusal;                     // of a number, "A warp cannot have {} lanes"

    void check(std::uint32_t value) const;             // throws Problem
    std::uint32_t parse(std::string_view text) const;  // throws Problem
    std::string text_of(std::uint32_t value) const;    // as parse() reads it
    bool is_usual(const MachineShape& shape) const { return shape.*field == MachineShape().*field; }
};
std::span<const MachineOption> machine_options();
// Throws Problem for a shape that no machine has.
void check(const MachineShape& shape);

// What is left out is as usual.
void to_json(nlohmann::json& json, const MachineShape& shape);
void from_json(const nlohmann::json& json, MachineShape& shape);

// The options --lanes, --resident and so on.
struct MachineShapeOptions {
    std::vector<std::string> given = std::vector<std::string>(machine_options().size());

    // `usual`: what help says of those that are not given.
    void add_to(CLI::App& app, const std::string& usual = {});
    bool any() const;
    void apply_to(MachineShape& shape) const;  // throws Problem
};

}  // namespace lab::catalogue
