// For a broken kernel the mended one and the other way round: what the toggle "broken across
// groups" goes between.
#pragma once

#include <cstdint>

#include "catalogue/variant.h"
#include "session/shell/settings.h"

namespace lab::session {

// Whether the header of the chosen variant says that it races in this shape, of `n` elements.
bool is_broken(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

// The same input through the other of the two. Of a broken kernel: with a toggle set that mends it,
// else the first variant that launches once a pass, since the end of a launch orders all groups. Of
// a right one: with a toggle that breaks it, else the first variant that can be broken: the story
// that every lesson begins with.
Choice counterpart(const Choice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n);

}  // namespace lab::session
