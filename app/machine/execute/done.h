// What actions did, collected before it goes to observers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "machine/context.h"
#include "machine/trace.h"

namespace lab::machine {

struct Done {
    // A detail that precedes the part with number `part`; its `time` is not known yet.
    struct PartDetail {
        std::size_t part;
        Detail detail;
    };
    std::vector<Part> parts;
    std::vector<Access> accesses;
    std::vector<PartDetail> details;
    // Adds it before that part; merges lanes that do the same.
    void add(const Detail& detail, std::size_t part);
    void clear() {
        parts.clear();
        accesses.clear();
        details.clear();
    }
};

// Adds an action of those lanes of a warp to `done`, without accesses yet.
inline Action& add_part(const Context& context, const Group& group, std::uint32_t warp,
                        const lang::Instruction& instruction, ActionKind kind, std::uint64_t mask,
                        Done& done) {
    const Warp& acts = group.warps[warp];
    Part& part = done.parts.emplace_back();
    part.first = part.end = done.accesses.size();
    Action& action = part.action;
    action.mask = mask;
    action.group = group.id;
    action.pass = context.code->has_barrier ? group.passes : acts.pass;
    action.epoch_local = group.epoch_local;
    action.epoch_global = group.epoch_global;
    action.place = instruction.place;
    action.launch = static_cast<std::uint16_t>(context.launch);
    action.turn = static_cast<std::uint16_t>(std::min(acts.turn, kLastTurn));
    action.warp = warp & 0x3ffU;
    action.count = 0;
    action.kind = kind;
    return action;
}

}  // namespace lab::machine
