#include "catalogue/machine_shape.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "catalogue/number.h"

namespace lab::catalogue {
namespace {

constexpr std::array<std::uint32_t, 6> kOfferedLanes{1, 2, 4, 8, 32, 64};
constexpr std::array<std::uint32_t, 5> kOfferedGroups{1, 2, 4, 8, 0};

constexpr std::array<MachineOption, 3> kMachineOptions{
    {{"lanes", &MachineShape::lanes, kMostLanes, false, true, kOfferedLanes,
      "work-items in lockstep, 1 to 64", "A warp cannot have {} lanes"},
     {"resident", &MachineShape::resident, 1'000'000, true, true, kOfferedGroups,
      "groups that run at once, or all", "{} groups cannot run at once"},
     {"banks",
      &MachineShape::banks,
      64,
      false,
      false,
      {},
      "banks of local memory, 1 to 64",
      "Local memory cannot have {} banks"}}};

[[noreturn]] void refuse(const MachineOption& option, std::uint64_t value) {
    throw Problem(fmt::format(fmt::runtime(option.refusal), value), "",
                  option.zero_is_all ? fmt::format("Choose 1 to {}, or all", option.most)
                                     : fmt::format("Choose 1 to {}", option.most),
                  fmt::format("--{}", option.id));
}

}  // namespace

void MachineOption::check(std::uint32_t value) const {
    if (value > most || (value == 0 && !zero_is_all)) refuse(*this, value);
}

std::uint32_t MachineOption::parse(std::string_view text) const {
    if (zero_is_all && text == "all") return 0;
    std::uint64_t value = 0;
    try {
        value = parse_size(text);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, fmt::format("--{}", id));
    }
    if (value == 0 || value > most) refuse(*this, value);
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
        option.check(shape.*option.field);
}

void to_json(nlohmann::json& json, const MachineShape& shape) {
    json = nlohmann::json::object();
    for (const MachineOption& option : kMachineOptions)
        if (option.always_said || !option.is_usual(shape)) json[option.id] = shape.*option.field;
}

void from_json(const nlohmann::json& json, MachineShape& shape) {
    for (const MachineOption& option : kMachineOptions)
        shape.*option.field = json.value(option.id, MachineShape().*option.field);
}

void MachineShapeOptions::add_to(CLI::App& app, const std::string& usual) {
    for (std::size_t i = 0; i < given.size(); ++i)
        app.add_option(fmt::format("--{}", kMachineOptions[i].id), given[i],
                       fmt::format("Of the machine: {}{}", kMachineOptions[i].says, usual))
            ->type_name("N");
}

bool MachineShapeOptions::any() const {
    return std::any_of(given.begin(), given.end(),
                       [](const std::string& text) { return !text.empty(); });
}

void MachineShapeOptions::apply_to(MachineShape& shape) const {
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!given[i].empty()) shape.*kMachineOptions[i].field = kMachineOptions[i].parse(given[i]);
}

}  // namespace lab::catalogue
