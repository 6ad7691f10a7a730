// Program order as if all work-items went through the text in step: which of two accesses comes
// first is what the text seems to mean, whatever the schedule.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lang/code/code.h"
#include "machine/trace.h"

namespace lab::analysis {

// For one code. Iterations of an outermost loop are ordered; everything else is ordered by its
// place in the text. Inner loops count as one iteration.
class ProgramOrder {
  public:
    explicit ProgramOrder(const lang::Code& code);

    struct Position {
        std::uint32_t loop = 0;  // 0: in none
        std::uint32_t turn = 0;
        std::uint32_t at = 0;  // an instruction

        bool operator==(const Position&) const = default;
    };
    Position position(std::uint32_t place, machine::ActionKind kind, std::uint32_t turn) const;

    static bool comes_before(const Position& a, const Position& b) {
        if (a.loop == b.loop && a.turn != b.turn) return a.turn < b.turn;
        return a.at < b.at;
    }

  private:
    struct Spot {
        std::uint32_t at = 0, loop = 0;
    };
    std::vector<std::array<Spot, 3>> spots_;  // by place; of its first load, store and atomic
};

}  // namespace lab::analysis
