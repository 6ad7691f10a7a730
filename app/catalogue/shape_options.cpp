#include "catalogue/shape_options.h"

#include <fmt/format.h>

#include "base/problem.h"
#include "catalogue/number.h"

namespace lab::catalogue {

void ShapeOptions::add_to(CLI::App& app, bool with_group) {
    app.add_option("--n", n,
                   "Number of elements, as 1000, 2^20 or 10Mi [as many as the input has; 8]");
    if (with_group)
        app.add_option("--group", group,
                       "Work-items per group [4, or what suits a variant that cannot have that]");
    app.add_option("--op", op, "Operator: add, min, max, product")->capture_default_str();
    app.add_option("--type", type, "Element type: int, uint, long, ulong, float, double")
        ->capture_default_str();
    add_input_to(app);
}

void ShapeOptions::add_input_to(CLI::App& app) {
    app.add_option("--input", input, "Elements: 7,1,6,8 | @FILE | ramp | random:SEED | bits:SEED")
        ->capture_default_str();
    app.add_option("--set", set, "A toggle of the variant, as BARRIER_LOAD=off")
        ->type_name("NAME=VALUE");
    app.add_option("--device", device,
                   "Device, as platform:device; `reduction-lab-cli devices` lists them")
        ->type_name("P:D");
}

Shape ShapeOptions::shape() const {
    Shape result;
    if (!n.empty()) result.n = parse_size(n);
    if (!group.empty()) {
        result.group = parse_size(group);
        if (result.group == 0)
            throw Problem("A group has at least one work-item", "", "Write --group 256", "--group");
    }
    result.op = parse_op(op);
    result.type = parse_type(type);
    result.input = parse_input(input);
    result.device = device;
    for (const std::string& setting : set) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Problem(fmt::format("'{}' is no setting", setting), "",
                          "Write NAME=VALUE, as BARRIER_LOAD=off", "--set");
        result.set[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    return result;
}

}  // namespace lab::catalogue
