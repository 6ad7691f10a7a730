// The counterpart of a kernel: for a broken one the mended one, and vice versa, as the toggle
// "broken across groups" switches between them.
#pragma once

#include <cstdint>

#include "catalogue/variant.h"
#include "session/shell/settings.h"

namespace lab::session {

// Whether the chosen variant races in this shape with `n` elements, according to its header.
bool is_broken(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

// The other of the two, with the same input. For a broken kernel: with a toggle that mends it, else
// the first variant with a launch per pass, since the end of a launch orders all groups. For a
// correct one: with a toggle that breaks it, else the first variant that can be broken.
Choice counterpart(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

}  // namespace lab::session
