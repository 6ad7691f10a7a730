// The look of a lane in a pass: how much of its group's steps it was active, idle, waiting or done.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "analysis/lanes/item_activity.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

enum class LaneState : std::uint8_t { active, idle, waiting, done };
inline constexpr std::size_t kLaneStates = 4;

// Shares of a mark's time, which sum to 1; in the order of LaneState. Items of a group that takes
// no step wait for the others, or are done.
std::array<float, kLaneStates> shares_of(const analysis::PassActivity& pass, std::uint64_t first,
                                         std::uint64_t end);

// Points: a narrower lane has no edge of its own.
inline constexpr float kNarrowLane = 8;

// From the bottom up: active filled with blue, idle hollow in grey, waiting dotted, done empty. So
// each state has a shape of its own.
void add_lane_cell(Scene& scene, const Box& box, const std::array<float, kLaneStates>& shares,
                   float scale, std::string tip = {}, std::string name = {});

}  // namespace lab::figures
