// The device's memory after every barrier: runs a plan with an instrumented text that copies it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "device/device.h"
#include "device/kernel_run.h"
#include "device/program.h"
#include "lang/compile.h"

namespace lab::device {

// For one launch. A group's snapshot s is what it saw after its barrier s, counted from 0; where
// `at_end`, one more is taken when it is done.
struct Snapshots {
    struct Array {
        std::string name;
        bool local = false;
        std::size_t buffer = 0;    // of the plan, if global
        std::uint64_t offset = 0;  // in a snapshot
        std::uint64_t bytes = 0;
    };
    std::vector<Array> arrays;
    std::uint64_t bytes_each = 0;      // of one snapshot
    std::uint32_t most = 0;            // capacity, per group
    bool at_end = false;               // the last one is at the end, not at a barrier
    std::uint64_t sub_group = 0;       // work-items in the largest; 0: the driver does not say
    std::vector<std::uint32_t> taken;  // by each group: those beyond `most` were only counted
    std::vector<std::byte> bytes;      // group after group, snapshot after snapshot

    // The plan's buffers before and after the launch; empty for constant ones.
    std::vector<std::vector<std::byte>> before, after;

    std::uint32_t kept(std::size_t group) const { return std::min(taken[group], most); }
    // For an array; `number` is less than kept().
    std::span<const std::byte> of(std::size_t group, std::uint32_t number, std::size_t array) const;
};

// Runs all launches of `plan`. `most`: the capacity in snapshots per group, one entry per launch;
// if empty, the text runs unchanged, and only the buffers are kept. Throws Problem if the text
// cannot be instrumented, if that takes more than kMostSnapshotBytes, and if groups that wait for
// each other do not all run at once.
inline constexpr std::uint64_t kMostSnapshotBytes = std::uint64_t{64} << 20U;
std::vector<Snapshots> run_watched(const Device& device, const catalogue::Variant& variant,
                                   const catalogue::Shape& shape, const catalogue::Plan& plan,
                                   const catalogue::Values& input,
                                   const std::vector<std::uint32_t>& most,
                                   Optimise optimise = Optimise::yes);
// The same for one launch of the kernel `entry` of any text; `plain` is what runs unchanged.
std::vector<Snapshots> run_watched(const Device& device, const lang::Text& text,
                                   const catalogue::KernelText& plain, const std::string& entry,
                                   const KernelLaunch& launch,
                                   const std::vector<std::uint32_t>& most,
                                   Optimise optimise = Optimise::yes);

}  // namespace lab::device
