// Finds out if a kernel's accesses are known before it runs, whatever others write meanwhile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lang/code.h"
namespace lab::lang {

// True if the cells that work-items touch, or whether and how often they touch them, may depend on
// what memory holds. Values loaded through `fixed` parameters (nobody writes those buffers) and
// constant data are known beforehand. Follows values through registers while they are live, and
// errs towards yes.
bool accesses_depend_on_data(const Code& code, const std::vector<bool>& fixed);

// The same of all that buffers hold at the start, also of those that nobody writes: whether what is
// found holds for the numbers of this launch only.
bool accesses_depend_on_numbers(const Code& code);

// Finds those of a warp's registers and masks that are live at each place where it may be stopped.

// Where a warp may continue after an instruction; a single successor is given twice. The number of
// instructions means nowhere.
std::array<std::size_t, 2> successors(const Code& code, std::size_t instruction);

// A backward data-flow analysis (Aho, Lam, Sethi, Ullman, section 9.2.5), in two parts, since not
// all lanes of a warp run: an inactive lane keeps its values until an instruction adds it to the
// execution mask again. A value that only goes into dead values is dead, too (strong liveness;
// Giegerich, Möncke, Wilhelm 1981). Errs towards keeping too much; for a very large kernel it keeps
// everything. Claim: warps that differ in dead registers and masks alone do the same actions with
// the same values from there on. It assumes that operands.h names all that an instruction reads,
// and that lanes are added to the execution mask only by the instructions that adds_lanes() lists.
class Liveness {
  public:
    explicit Liveness(const Code& code);

    // Before an instruction.
    struct Alive {
        std::vector<std::uint32_t> running;  // registers of active lanes
        std::vector<std::uint32_t> resting;  // of inactive lanes
        std::vector<std::uint32_t> masks;    // slots
    };
    const Alive& before(std::uint32_t instruction) const {
        return alive_[everything_ ? 0 : instruction];
    }

  private:
    std::vector<Alive> alive_;  // one only, if everything is kept
    bool everything_ = false;
};

}  // namespace lab::lang
