// Makes a kernel that shows a difference short enough to read.
#pragma once

#include <functional>

#include "generate.h"

namespace lab::differential {

// Whether the kernel still shows what is looked for. It says no to a text that does not compile.
using Fails = std::function<bool(const GeneratedKernel&)>;

// A kernel with a shorter text that still `fails`; `kernel` itself fails. First lines and blocks
// go, then parts of expressions, until nothing more can or `fails` was asked `most` times.
//
// What keeps a generated text defined is left alone: lines that end in "// keep", unless the whole
// block around them goes; the heads of loops; and calls of functions named safe_…, whose
// arguments alone get smaller. Signatures, buffers and the launch stay as they are.
GeneratedKernel shrink(const GeneratedKernel& kernel, const Fails& fails, unsigned most = 4000);

}  // namespace lab::differential
