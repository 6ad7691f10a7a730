// A shape says what is asked of a variant: how many elements of what, in which groups, with which
// toggles.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include "catalogue/element.h"
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

// The options that describe a reduction: --n, --group, --op, --type, --input, --set, --device.

struct ShapeOptions {
    std::string n, group, op = "add", type = "int", input = "ramp", device;
    std::vector<std::string> set;

    void add_to(CLI::App& app, bool with_group = true);
    void add_input_to(CLI::App& app);  // --input, --set, --device only
    Shape shape() const;               // throws Problem for what cannot be read
};

}  // namespace lab::catalogue
