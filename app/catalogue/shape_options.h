// The options that describe a reduction: --n, --group, --op, --type, --input, --set, --device.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "catalogue/shape.h"

namespace lab::catalogue {

struct ShapeOptions {
    std::string n, group, op = "add", type = "int", input = "ramp", device;
    std::vector<std::string> set;

    void add_to(CLI::App& app, bool with_group = true);
    void add_input_to(CLI::App& app);  // --input, --set, --device only
    Shape shape() const;               // throws Problem for what cannot be read
};

}  // namespace lab::catalogue
