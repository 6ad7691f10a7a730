// Statements of a work-item alone: they touch only what no other work-item writes.
#pragma once

#include "context.h"

namespace lab::differential {

// One statement, or a declaration that is known from here to the end of the block.
void statement(Context& context, unsigned depth);
// A variable, array, structure or pointer, with its initial value.
void declaration(Context& context, unsigned depth);
// if, for, while, do or switch, with statements inside.
void control(Context& context, unsigned depth);
// Some statements, whose declarations are forgotten after them.
void block(Context& context, unsigned count, unsigned depth);

}  // namespace lab::differential
