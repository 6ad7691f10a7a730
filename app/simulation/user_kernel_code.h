// The text of a user kernel with all that belongs to it, and its code.
#pragma once

#include "lang/compile.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

// With its macros and the files that it includes.
lang::Text text_of(const UserKernel& kernel);

// Throws Problem: the macros of its host that it lacks, or else all errors of the text.
lang::Code code_of(const UserKernel& kernel);

}  // namespace lab::simulation
