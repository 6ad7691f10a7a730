#include "machine/config.h"

#include <fmt/format.h>

#include <array>

#include "base/problem.h"

namespace lab::machine {
namespace {

constexpr Config shape(std::uint32_t lanes, std::uint32_t resident, bool cpu) {
    Config config;
    config.lanes = lanes;
    config.resident = resident;
    config.cpu = cpu;
    return config;
}

constexpr std::array<Preset, 5> kPresets{
    {{"classroom", "4 lanes a warp, 2 groups at once: small enough to see", shape(4, 2, false)},
     {"cpu", "independent work-items, one group after another, as a CPU's runtime has it",
      shape(1, 1, true)},
     {"nvidia", "32 lanes a warp, all groups at once", shape(32, 0, false)},
     {"amd", "64 lanes a warp, all groups at once", shape(64, 0, false)},
     {"independent", "work-items that keep no step at all, all groups at once",
      shape(1, 0, false)}}};

}  // namespace

std::span<const Preset> presets() {
    return kPresets;
}

const Preset& find_preset(std::string_view name) {
    std::string names;
    for (const Preset& preset : kPresets) {
        if (name == preset.name) return preset;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
    }
    throw Problem(fmt::format("There is no machine '{}'", name), "", "There are " + names,
                  "--machine");
}

void check(const Config& config) {
    if (config.lanes < 1 || config.lanes > kMostLanes)
        throw Problem(fmt::format("A warp cannot have {} lanes", config.lanes), "",
                      fmt::format("Choose 1 to {}", kMostLanes), "--lanes");
}

}  // namespace lab::machine
