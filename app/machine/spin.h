// Explains why a run does not end: which warps spin, and what each of them waits for.
#pragma once

#include "machine/machine.h"
namespace lab::machine {

// Completes a Fault of kind budget: runs the machine on for a while and looks at what repeats.
void explain_spin(Machine& machine, const State& state, Fault& fault);

}  // namespace lab::machine
