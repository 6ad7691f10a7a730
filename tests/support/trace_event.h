// What a trace says of one access, spelled out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "machine/run.h"

namespace lab::machine {

// An access and its action, spelled out.
struct Event {
    std::uint64_t time = 0;
    std::uint32_t launch = 0, group = 0, warp = 0, lane = 0;
    std::uint64_t item = 0;  // global id
    std::uint32_t pass = 0, epoch_local = 0, epoch_global = 0;
    ActionKind kind = ActionKind::load;
    Scalar type = Scalar::int_;
    std::uint32_t object = 0;
    std::uint64_t index = 0;
    std::uint64_t before = 0, after = 0;
    Node node = 0;
    std::uint32_t place = 0;
};

inline Event event_of(const Run& run, std::uint64_t time, std::size_t access) {
    const Action& action = run.trace().action(time);
    const Context& context = run.machine().context(action.launch);
    Event result;
    result.time = time;
    result.launch = action.launch;
    result.group = action.group;
    result.warp = action.warp;
    result.pass = action.pass;
    result.epoch_local = action.epoch_local;
    result.epoch_global = action.epoch_global;
    result.kind = action.kind;
    result.type = action.type;
    result.object = action.object;
    result.place = action.place;
    std::uint64_t lanes = action.mask;
    const std::size_t each = std::max<std::size_t>(1, action.count);
    for (std::size_t skip = access / each; skip > 0; --skip)
        lanes &= lanes - 1;
    result.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    result.item = std::uint64_t{action.group} * context.local +
                  std::uint64_t{action.warp} * context.lanes + result.lane;
    const std::span<const Access> all = run.trace().accesses(action);
    if (access < all.size()) {
        result.index = all[access].index;
        result.before = all[access].before;
        result.after = all[access].after;
        result.node = all[access].node;
    }
    return result;
}

}  // namespace lab::machine
