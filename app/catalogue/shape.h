// A shape says what is asked of a variant: how many elements of what, in which groups, with which
// toggles; a machine's shape, what is asked of the simulated device. Settings, requests, lessons,
// the window and the command line go through one table of the latter.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "catalogue/element.h"

namespace CLI {
class App;
}

namespace lab::catalogue {

struct Shape {
    std::optional<std::uint64_t> n;  // elements; empty: as many as the input has
    std::uint64_t group = 0;         // work-items per group; 0: a default for the device and n
    Op op = Op::add;
    Type type = Type::int_;
    Input input;
    std::map<std::string, std::string> set;  // toggle -> value; the others have their default
    std::string device;  // "platform:device"; empty: the first GPU, or the first

    bool operator==(const Shape&) const = default;
};

// "COARSEN=2 SYNC=none"
std::string settings_text(const std::map<std::string, std::string>& set);

void to_json(nlohmann::json& json, const Shape& shape);
void from_json(const nlohmann::json& json, Shape& shape);  // throws Problem for an unknown word

inline constexpr std::uint32_t kMostLanes = 64;  // of a warp; more are refused

struct MachineShape {
    std::uint32_t lanes = 4;     // per warp, in lockstep; 1: independent work-items
    std::uint32_t resident = 2;  // groups that run at once; 0: all of a launch
    std::uint32_t banks = 32;    // of local memory

    // A type that adds to a shape assigns that part of it by `a.shape() = b`.
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
    std::span<const std::uint32_t> offered;  // in the window; empty: no field, said if not as usual
    const char* says;                        // for --help
    const char* refusal;                     // of a number, "A warp cannot have {} lanes"

    std::uint32_t parse(const std::string& text) const;  // throws Problem
    std::string text_of(std::uint32_t value) const;      // as parse() reads it
    bool is_usual(const MachineShape& shape) const { return shape.*field == MachineShape().*field; }
};
std::span<const MachineOption> machine_options();
void check(const MachineShape& shape);  // throws Problem for a shape that no machine has

void to_json(nlohmann::json& json, const MachineShape& shape);
void from_json(const nlohmann::json& json, MachineShape& shape);  // keeps what is not in it

// The options --lanes, --resident and so on, as far as they are given.
struct MachineShapeOptions {
    std::vector<std::string> given = std::vector<std::string>(machine_options().size());

    // `usual`: what help says of those that are not given.
    void add_to(CLI::App& app, const std::string& usual = {});
    void apply_to(MachineShape& shape) const;  // throws Problem
    bool operator==(const MachineShapeOptions&) const = default;
};

// The options that describe a reduction: --n, --group, --op, --type, --input, --set, --device.

struct ShapeOptions {
    std::string n, group, op = "add", type = "int", input = "ramp", device;
    std::vector<std::string> set;
    bool op_is_given = false, type_is_given = false;

    void add_to(CLI::App& app, bool with_group = true);
    void add_operator_to(CLI::App& app);  // --op, --type only
    void add_input_to(CLI::App& app);     // --input, --set, --device only
    Shape shape() const;                  // throws Problem for what cannot be read
};

}  // namespace lab::catalogue
