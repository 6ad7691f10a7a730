// The virtual device's configuration: what a student can change about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lab::machine {

struct Config {
    std::uint32_t lanes = 4;     // per warp, in lockstep: 1 to 64; 1: independent work-items
    std::uint32_t resident = 2;  // groups that run at once; 0: all of a launch
    std::uint32_t banks = 32;    // of local memory, bank_bytes wide each
    std::uint32_t bank_bytes = 4;
    std::uint32_t sector_bytes = 32, line_bytes = 128;  // of global memory
    bool cpu = false;  // launch kernels as for a CPU; else as for a GPU
    std::uint32_t max_group = 1024;

    bool operator==(const Config&) const = default;
};

inline constexpr std::uint32_t kMostLanes = 64;

struct Preset {
    const char* name;
    const char* says;
    Config config;
};
// classroom, cpu, nvidia, amd, independent.
std::span<const Preset> presets();
const Preset& find_preset(std::string_view name);  // throws Problem listing the names

// Throws Problem for an impossible configuration.
void check(const Config& config);

}  // namespace lab::machine
