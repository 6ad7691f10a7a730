// What of a warp's registers and masks still matters, at each place where it may be stopped.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/code.h"

namespace lab::lang {

// A backward data-flow analysis (Aho, Lam, Sethi, Ullman, section 9.2.5), in two parts, since the
// lanes of a warp do not all run: a lane that rests keeps what it has until an instruction adds it
// to the execution mask again. Errs towards keeping too much.
class Liveness {
  public:
    explicit Liveness(const Code& code);

    // Before a visible instruction.
    struct Alive {
        std::vector<std::uint32_t> running;  // registers of the lanes that run
        std::vector<std::uint32_t> resting;  // of those that do not
        std::vector<std::uint32_t> masks;    // slots
    };
    const Alive& before(std::uint32_t instruction) const { return alive_[index_[instruction]]; }

  private:
    std::vector<std::uint32_t> index_;  // by instruction: in alive_
    std::vector<Alive> alive_;          // [0] is nothing
};

}  // namespace lab::lang
