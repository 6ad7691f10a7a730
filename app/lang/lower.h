// Lowers a typed tree to code for the machine.
#pragma once

#include "lang/code.h"
#include "lang/source.h"
#include "lang/tree.h"
namespace lab::lang {

// `kernel` must have a body. Errors: recursion, too much code or memory.
Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics);

// Marks the instructions whose results can carry lineage: what comes from memory, and what is
// computed from that.
void mark_lineage(Code& code);

}  // namespace lab::lang
