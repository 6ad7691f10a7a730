#include "catalogue/shape.h"

#include <array>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "catalogue/number.h"

namespace lab::catalogue {

static std::uint64_t count(const nlohmann::json& json, const char* name) {
    if (!json.is_number_unsigned())
        throw Problem(fmt::format("'{}' is {}, which is no count", name, json.dump()), "",
                      "Give a whole number from 0 up", name);
    return json.get<std::uint64_t>();
}

constexpr std::array<std::uint32_t, 6> kOfferedLanes{1, 2, 4, 8, 32, 64};
constexpr std::array<std::uint32_t, 5> kOfferedGroups{1, 2, 4, 8, 0};

constexpr std::array kMachineOptions{
    MachineOption{"lanes", &MachineShape::lanes, kMostLanes, false, kOfferedLanes,
                  "work-items in lockstep, 1 to 64", "A warp cannot have {} lanes"},
    MachineOption{"resident", &MachineShape::resident, 1'000'000, true, kOfferedGroups,
                  "groups that run at once, or all", "{} groups cannot run at once"},
    MachineOption{"banks", &MachineShape::banks, 64, false, std::span<const std::uint32_t>(),
                  "banks of local memory, 1 to 64", "Local memory cannot have {} banks"}};

static void check_number(const MachineOption& option, std::uint64_t value) {
    if (value >= 1 && value <= option.most) return;
    throw Problem(
        fmt::format(fmt::runtime(option.refusal), value), "",
        fmt::format("Choose 1 to {}{}", option.most, option.zero_is_all ? ", or all" : ""),
        fmt::format("--{}", option.id));
}

std::string settings_text(const std::map<std::string, std::string>& set) {
    std::string text;
    for (const auto& [name, value] : set)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

void to_json(nlohmann::json& json, const Shape& shape) {
    json = {
        {"group", shape.group},          {"op", name_of(shape.op)}, {"type", info(shape.type).name},
        {"input", text_of(shape.input)}, {"set", shape.set},        {"device", shape.device}};
    if (shape.n) json["n"] = *shape.n;
}

void from_json(const nlohmann::json& json, Shape& shape) {
    if (json.contains("n")) shape.n = count(json.at("n"), "n");
    if (json.contains("group")) shape.group = count(json.at("group"), "group");
    shape.op = parse_op(json.value("op", "add"));
    shape.type = parse_type(json.value("type", "int"));
    shape.input = parse_input(json.value("input", "ramp"));
    shape.set = json.value("set", std::map<std::string, std::string>{});
    shape.device = json.value("device", "");
}

std::uint32_t MachineOption::parse(const std::string& text) const {
    if (zero_is_all && text == "all") return 0;
    const std::uint64_t value = parse_size(text, fmt::format("--{}", id));
    check_number(*this, value);
    return static_cast<std::uint32_t>(value);
}

std::string MachineOption::text_of(std::uint32_t value) const {
    return zero_is_all && value == 0 ? "all" : std::to_string(value);
}

std::span<const MachineOption> machine_options() {
    return kMachineOptions;
}

void check(const MachineShape& shape) {
    for (const MachineOption& option : kMachineOptions)
        if (!option.zero_is_all || shape.*option.field != 0)
            check_number(option, shape.*option.field);
}

void to_json(nlohmann::json& json, const MachineShape& shape) {
    for (const MachineOption& option : kMachineOptions)
        if (!option.offered.empty() || !option.is_usual(shape))
            json[option.id] = shape.*option.field;
}

void from_json(const nlohmann::json& json, MachineShape& shape) {
    for (const MachineOption& option : kMachineOptions)
        shape.*option.field = json.value(option.id, shape.*option.field);
}

void MachineShapeOptions::add_to(CLI::App& app, const std::string& usual) {
    for (std::size_t i = 0; i < given.size(); ++i)
        app.add_option(fmt::format("--{}", kMachineOptions[i].id), given[i],
                       fmt::format("Of the machine: {}{}", kMachineOptions[i].says, usual))
            ->type_name("N");
}

void MachineShapeOptions::apply_to(MachineShape& shape) const {
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!given[i].empty()) shape.*kMachineOptions[i].field = kMachineOptions[i].parse(given[i]);
}

void ShapeOptions::add_to(CLI::App& app, bool with_group) {
    app.add_option("--n", n,
                   "Number of elements, as 1000, 2^20 or 10Mi [as many as the input has; 8]");
    if (with_group)
        app.add_option("--group", group,
                       "Work-items per group [4, or what suits a variant that cannot have that]");
    add_operator_to(app);
    add_input_to(app);
}

void ShapeOptions::add_operator_to(CLI::App& app) {
    app.add_option("--op", op, "Operator: add, min, max, product")
        ->capture_default_str()
        ->each([this](const std::string&) { op_is_given = true; });
    app.add_option("--type", type, "Element type: int, uint, long, ulong, float, double")
        ->capture_default_str()
        ->each([this](const std::string&) { type_is_given = true; });
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
    if (!n.empty()) result.n = parse_size(n, "--n");
    if (!group.empty()) {
        result.group = parse_size(group, "--group");
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
