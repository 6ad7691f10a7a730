// The device's own state after every barrier: a plan run with a text that copies it there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "device/device.h"
#include "device/program.h"

namespace lab::device {

// For one launch. A group's snapshot s is what it saw after its barrier s, counted from 0; where
// `at_end`, one more is taken when it is done.
struct Snapshots {
    struct Array {
        std::string name;
        bool local = false;
        std::size_t buffer = 0;    // of the plan, where it is global
        std::uint64_t offset = 0;  // in a snapshot
        std::uint64_t bytes = 0;
    };
    std::vector<Array> arrays;
    std::uint64_t bytes_each = 0;      // of one snapshot
    std::uint32_t most = 0;            // that there was room for, a group
    bool at_end = false;               // the last one is of the end, not of a barrier
    std::uint64_t sub_group = 0;       // work-items in the largest; 0: the driver does not say
    std::vector<std::uint32_t> taken;  // by each group: those beyond `most` were only counted
    std::vector<std::byte> bytes;      // group after group, snapshot after snapshot

    // What the plan's buffers held before the launch and after it; nothing of constant ones.
    std::vector<std::vector<std::byte>> before, after;

    std::uint32_t kept(std::size_t group) const { return std::min(taken[group], most); }
    // For an array; `number` is less than kept().
    std::span<const std::byte> of(std::size_t group, std::uint32_t number, std::size_t array) const;
};

// All launches of `plan`, with room for as many snapshots a group as `most` says, a launch each;
// where `most` is empty the text is run as it is, and only the buffers are kept.
// Throws Problem where the text cannot be watched or that takes more than kMostSnapshotBytes, and
// where groups that wait for each other do not all run at once.
inline constexpr std::uint64_t kMostSnapshotBytes = std::uint64_t{64} << 20U;
std::vector<Snapshots> run_watched(const Device& device, const catalogue::Variant& variant,
                                   const catalogue::Shape& shape, const catalogue::Plan& plan,
                                   const catalogue::Values& input,
                                   const std::vector<std::uint32_t>& most,
                                   Optimise optimise = Optimise::yes);

}  // namespace lab::device
