// The names of the roles, as assets/palette.json and the classes of an SVG have them.
#pragma once

#include <array>
#include <cstddef>

#include "figures/scene/scene.h"

namespace lab::figures {

inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::count_);

// In the order of Role. "none" is no colour and has no entry in a palette.
inline constexpr std::array<const char*, kRoles> kRoleNames{
    "none",         "background", "panel",     "border",    "text",      "muted",      "act",
    "act_fill",     "on_act",     "read",      "read_fill", "wrote",     "wrote_fill", "barrier",
    "barrier_text", "race",       "race_fill", "idle",      "idle_fill", "series_1",   "series_2",
    "series_3",     "series_4",   "series_5",  "series_6",  "series_7"};

inline const char* name_of(Role role) {
    return kRoleNames[static_cast<std::size_t>(role)];
}

}  // namespace lab::figures
